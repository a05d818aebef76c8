//! Tests the harness: a failure leaves evidence, a wait times out, output and exit codes are passed on.

use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use harness::wait::DEADLINE;
use harness::{folders, stage, window};

#[test]
fn a_failing_test_leaves_evidence() {
    let name = "a_failing_test_leaves_evidence";
    let failure = catch_unwind(|| {
        stage(|stage| {
            stage.start("notepad", &[])?;
            stage.wait_for(&window().class("Notepad"))?;
            std::fs::write(stage.folder().join("own.log"), "what the test itself wrote")?;
            bail!("it fails on purpose")
        });
    });
    assert!(failure.is_err(), "the failure was swallowed");
    let place = folders::failed().join(name);
    let picture = std::fs::read(place.join("screenshot.png")).expect("a screenshot");
    assert!(picture.starts_with(b"\x89PNG"), "the screenshot is no PNG");
    let notes = std::fs::read_to_string(place.join("failure.txt")).expect("notes");
    assert!(notes.contains("it fails on purpose") && notes.contains("Notepad"), "{notes}");
    assert!(place.join("own.log").exists(), "the test's own file is gone");
    assert!(!folders::running().join(name).exists(), "the folder was copied, not moved");
    // Not a real failure: nothing to look at later.
    std::fs::remove_dir_all(place).expect("the evidence can be removed");
}

#[test]
fn a_panicking_test_leaves_evidence_and_panics() {
    let name = "a_panicking_test_leaves_evidence_and_panics";
    let failure = catch_unwind(|| stage(|_| panic!("on purpose")));
    assert_eq!(failure.unwrap_err().downcast_ref(), Some(&"on purpose"));
    let place = folders::failed().join(name);
    assert!(place.join("screenshot.png").exists());
    std::fs::remove_dir_all(place).expect("the evidence can be removed");
}

#[test]
fn a_wait_ends_at_its_deadline() {
    stage(|stage| {
        stage.start("notepad", &[])?;
        stage.wait_for(&window().class("Notepad"))?;
        let start = Instant::now();
        let missing = window().class("NoSuchClass").wait(&stage.probe, Duration::from_millis(300));
        let message = format!("{:?}", missing.unwrap_err());
        ensure!(start.elapsed() >= Duration::from_millis(300), "it gave up early");
        ensure!(message.contains(r#"s: a window of class "NoSuchClass""#), "{message}");
        ensure!(message.contains(r#""Notepad""#), "it does not list the windows: {message}");
        Ok(())
    });
}

#[test]
fn output_and_exit_code_come_through() {
    stage(|stage| {
        let program =
            stage.start_with("cmd", &["/c", "echo %GREETING%& exit 300"], &[("GREETING", "hello")])?;
        let code = program.wait(DEADLINE)?;
        ensure!(code == 300, "exit code {code}");
        ensure!(program.stdout()?.trim() == "hello", "{:?}", program.stdout()?);
        Ok(())
    });
}

#[test]
fn a_program_is_ended_with_its_test() -> Result<()> {
    let mut program = None;
    stage(|stage| {
        program = Some(stage.start("notepad", &[])?.pid());
        stage.wait_for(&window().class("Notepad"))?;
        Ok(())
    });
    let pid = program.expect("the test ran");
    stage(|stage| {
        let left = stage.probe.windows()?.into_iter().find(|window| window.pid == pid);
        ensure!(left.is_none(), "{left:?} is still there");
        Ok(())
    });
    Ok(())
}
