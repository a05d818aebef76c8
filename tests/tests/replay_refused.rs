//! Inputs that `dashcam replay` cannot replay: it prints one clear sentence and returns the right exit code.

use std::fs;

use anyhow::{Result, ensure};
use harness::folders::{self, recording as log_of, sample_for_windows as sample};
use harness::wait::DEADLINE;
use harness::{Stage, stage, window};

/// Replays; the output contains this sentence.
fn says(stage: &Stage, arguments: &[&str], code: i32, sentence: &str) -> Result<()> {
    let (ended, said) = stage.dashcam(&[&["replay"], arguments].concat())?;
    let is_told = said.lines().any(|line| line.contains(sentence));
    ensure!(ended == code && is_told, "{ended}, not {code} with {sentence:?}:\n{said}");
    Ok(())
}

#[test]
fn a_log_of_another_program_is_refused() {
    stage(|stage| {
        let sentence = "invalid: this log is of notepad.exe, not of invoice.exe: its windows are not there";
        says(stage, &[&log_of("notepad"), "--app", &sample("invoice")], 2, sentence)?;
        stage.end_all("InvoiceFrame")
    });
}

#[test]
fn a_renamed_program_is_the_same_program() {
    stage(|stage| {
        let renamed = stage.folder().join("bill-2.exe");
        fs::copy(folders::sample("invoice"), &renamed)?;
        let arguments = ["replay", &log_of("invoice"), "--app", &folders::for_windows(&renamed)];
        let (code, said) = stage.dashcam(&arguments)?;
        ensure!(
            code == 0 && said.contains("this log is of invoice.exe, not of bill-2.exe"),
            "{code}: {said}"
        );
        ensure!(said.contains("passed: "), "{said}");
        Ok(())
    });
}

#[test]
fn a_program_that_does_not_start_is_one_sentence() {
    stage(|stage| {
        let text = stage.folder().join("letter.exe");
        fs::write(&text, "Dear Sir or Madam")?;
        for program in
            [folders::for_windows(&stage.folder().join("nowhere.exe")), folders::for_windows(&text)]
        {
            let (code, said) = stage.dashcam(&["replay", &log_of("notepad"), "--app", &program])?;
            let sentence = format!("dashcam: cannot start {program}: ");
            ensure!(code == 2 && said.starts_with(&sentence) && said.lines().count() == 1, "{code}: {said}");
        }
        Ok(())
    });
}

#[test]
fn a_program_that_exits_at_once_or_shows_no_window_is_reported() {
    stage(|stage| {
        // The sample does not understand the switch and ends with 2.
        let ends = [&log_of("invoice"), "--app", &sample("invoice"), "--nonsense"];
        says(stage, &ends, 1, "the application ended with code 0x2")?;
        // Waits for its input, and has no window.
        let pause = [&log_of("notepad"), "--app", "cmd", "/c", "ping", "-n", "60", "127.0.0.1"];
        let (code, said) = stage.dashcam(&[&["replay"], &pause[..]].concat())?;
        ensure!(code != 0 && said.contains("this log is of notepad.exe, not of cmd.exe"), "{code}: {said}");
        Ok(())
    });
}

#[test]
fn a_process_that_is_not_there_is_one_sentence() {
    stage(|stage| {
        let (code, said) = stage.dashcam(&["replay", &log_of("notepad"), "--attach", "999996"])?;
        ensure!(code == 2 && said.trim_end() == "dashcam: there is no process 999996", "{code}: {said}");
        Ok(())
    });
}

#[test]
fn a_process_that_may_not_be_entered_blocks() {
    stage(|stage| {
        let folder = folders::for_windows(stage.folder());
        let guarded = stage.start(&sample("scenarios"), &["protected", &folder])?;
        stage.wait_for(&window().class("DashcamScenario").of(&guarded))?;
        let pid = guarded.pid();
        let sentence =
            format!("blocked at step 1: process {pid} is protected or has more rights than we have");
        says(stage, &[&log_of("notepad"), "--attach", &pid.to_string()], 1, &sentence)
    });
}

#[test]
fn an_x86_program_is_handed_over_or_refused() {
    stage(|stage| {
        let program = folders::dashcam().join("x86").join("samples").join("invoice.exe");
        let program = folders::for_windows(&program);
        let (code, said) = stage.dashcam(&["replay", &log_of("invoice"), "--app", &program])?;
        let is_refused = code == 2 && said.contains("is an x86 program, and this system does not run those");
        ensure!(is_refused || (code == 0 && said.contains("passed: ")), "{code}: {said}");
        // A dashcam.exe without its sibling says which is needed.
        let folder = stage.folder().join("x64");
        fs::create_dir_all(&folder)?;
        fs::copy(folders::command(), folder.join("dashcam.exe"))?;
        let alone = folder.join("dashcam.exe").display().to_string();
        let run = stage.start(&alone, &["replay", &log_of("invoice"), "--app", &program])?;
        let (code, said) = (run.wait(DEADLINE)?, run.stderr()?);
        ensure!(code == 2 && said.contains("use the dashcam.exe for x86, which is not at"), "{code}: {said}");
        Ok(())
    });
}

#[test]
fn a_log_without_its_beginning_needs_a_program_in_that_state() {
    stage(|stage| {
        // As rotation leaves it: the first segments are gone.
        let whole = fs::read_to_string(folders::workspace().join("tests/golden/session.xml"))?;
        let cut = whole.replacen("segment=\"0\"", "segment=\"3\"", 1);
        ensure!(cut != whole, "the head has another form");
        let log = stage.folder().join("cut.xml");
        fs::write(&log, cut)?;
        let log = folders::for_windows(&log);
        says(stage, &[&log, "--app", "notepad"], 2, "invalid: the beginning is gone")?;
        let notepad = stage.start("notepad", &[])?;
        stage.wait_for(&window().class("Notepad").of(&notepad))?;
        let attach = [&log, "--attach", &notepad.pid().to_string()];
        says(stage, &attach, 2, "invalid: the application is not in the state of the first kept window tree")
    });
}
