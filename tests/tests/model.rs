//! `dashcam model run` on real programs: traces, state machines and usage models done through the replay driver; what was done is a log, and what is
//! generated is a test.

use anyhow::{Result, ensure};
use harness::wait::DEADLINE;
use harness::{Stage, folders, stage};
use std::fs;

fn model(stage: &Stage, arguments: &[&str]) -> Result<(i32, String)> {
    dashcam(stage, &[&["model"], arguments].concat())
}

fn dashcam(stage: &Stage, arguments: &[&str]) -> Result<(i32, String)> {
    let dashcam = folders::dashcam().join("x64").join("dashcam.exe").display().to_string();
    let run = stage.start(&dashcam, arguments)?;
    let code = run.wait(DEADLINE * 3)?;
    Ok((code, format!("{}{}", run.stdout()?, run.stderr()?)))
}

fn example(name: &str) -> String {
    folders::for_windows(&folders::workspace().join("samples/scenarios/models").join(name))
}

/// Runs a model, replays what was executed in a fresh instance, and has both end as they should.
#[track_caller]
fn check(name: &str, arguments: &[&str], app: &str, (code, said): (i32, &str), replayed: &str) {
    stage(name, |stage| {
        let kept = folders::for_windows(&stage.folder().join("kept"));
        let (ended, told) = model(stage, &[&["run"], arguments, &["-o", &kept, "--app", app]].concat())?;
        ensure!(ended == code && told.contains(said), "{ended}, not {code} with {said:?}:\n{told}");
        let (ended, told) =
            dashcam(stage, &["replay", &format!("{kept}/executed-001.dashcam"), "--app", app])?;
        ensure!(ended == 0 && told.contains(replayed), "{ended}, not {replayed:?}:\n{told}");
        Ok(())
    });
}

#[test]
fn a_trace_crashes_the_invoice_and_its_log_does_so_again() {
    check(
        "a_trace_crashes_the_invoice_and_its_log_does_so_again",
        &[&example("invoice-crash.trace")],
        &folders::for_windows(&folders::sample("invoice")),
        (1, "crash: 0xC0000005 in invoice.exe+"),
        "reproduced at step 21: the application crashed with 0xC0000005",
    );
}

#[test]
fn a_state_machine_drives_notepad_and_its_log_is_replayed() {
    check(
        "a_state_machine_drives_notepad_and_its_log_is_replayed",
        &[&example("notepad.smid"), "--length", "6", "--seed", "3"],
        "notepad",
        (0, "1 session, 11 events, 0 failed"),
        "passed: 8 steps",
    );
}

#[test]
fn sessions_of_a_usage_model_are_tests() {
    let log = folders::for_windows(&folders::workspace().join("tests/recordings/steps/notepad.dashcam"));
    stage("sessions_of_a_usage_model_are_tests", |stage| {
        let trained = folders::for_windows(&stage.folder().join("notepad.model"));
        let (ended, told) = model(stage, &["train", &log, "-o", &trained])?;
        ensure!(ended == 0, "{told}");
        let suite = folders::for_windows(&stage.folder().join("suite"));
        let how = ["-n", "1", "--length", "6", "--seed", "1", "-o", &suite, "--app", "notepad"];
        let (ended, told) = model(stage, &[&["generate", &trained], &how[..]].concat())?;
        ensure!(ended == 0, "{told}");
        // And one that cannot pass: the suite says where it did not.
        let wrong = stage.folder().join("suite/wrong");
        fs::write(wrong.with_extension("trace"), "type \"x\" >> assert displayed \"Nowhere\" >> skip")?;
        fs::write(
            wrong.with_extension("toml"),
            "trace = \"wrong.trace\"\napp = [\"notepad\"]\nexpect = \"diverged\"\nexpect_step = 1\n",
        )?;
        let (ended, told) = dashcam(stage, &["test", &suite])?;
        ensure!(ended == 0 && told.contains("all as expected: 2 scripts"), "{ended}:\n{told}");
        Ok(())
    });
}
