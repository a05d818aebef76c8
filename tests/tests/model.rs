//! `dashcam model run` on real programs: traces, state machines and usage models done through the replay driver.

use anyhow::{Result, ensure};
use harness::wait::DEADLINE;
use harness::{Stage, folders, stage};

fn model(stage: &Stage, arguments: &[&str]) -> Result<(i32, String)> {
    let dashcam = folders::dashcam().join("x64").join("dashcam.exe").display().to_string();
    let run = stage.start(&dashcam, &[&["model"], arguments].concat())?;
    let code = run.wait(DEADLINE * 3)?;
    Ok((code, format!("{}{}", run.stdout()?, run.stderr()?)))
}

fn example(name: &str) -> String {
    folders::for_windows(&folders::workspace().join("samples/scenarios/models").join(name))
}

#[track_caller]
fn check(name: &str, arguments: &[&str], code: i32, said: &str) {
    stage(name, |stage| {
        let (ended, told) = model(stage, arguments)?;
        ensure!(ended == code && told.contains(said), "{ended}, not {code} with {said:?}:\n{told}");
        Ok(())
    });
}

#[test]
fn a_trace_crashes_the_invoice_and_says_where() {
    let invoice = folders::for_windows(&folders::sample("invoice"));
    check(
        "a_trace_crashes_the_invoice_and_says_where",
        &["run", &example("invoice-crash.trace"), "--app", &invoice],
        1,
        "crash: 0xC0000005 in invoice.exe+",
    );
}

#[test]
fn a_state_machine_drives_notepad() {
    check(
        "a_state_machine_drives_notepad",
        &["run", &example("notepad.smid"), "-n", "2", "--length", "6", "--seed", "3", "--app", "notepad"],
        0,
        "2 sessions, ",
    );
}

#[test]
fn a_usage_model_drives_notepad() {
    let log = folders::for_windows(&folders::workspace().join("tests/recordings/steps/notepad.dashcam"));
    stage("a_usage_model_drives_notepad", |stage| {
        let trained = folders::for_windows(&folders::target().join("notepad.model"));
        let (ended, told) = model(stage, &["train", &log, "-o", &trained])?;
        ensure!(ended == 0, "{told}");
        let (ended, told) = model(stage, &["run", &trained, "--seed", "1", "--app", "notepad"])?;
        ensure!(ended == 0 && told.contains("1 session, "), "{ended}:\n{told}");
        Ok(())
    });
}
