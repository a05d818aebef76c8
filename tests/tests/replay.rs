//! `dashcam replay` on real programs: what was recorded happens again. `replay_robust.rs` and
//! `replay_refused.rs` have the rest.
//!
//! The recordings are those of `tests/recordings/steps`, made by the product itself.

use anyhow::{Result, ensure};
use harness::wait::DEADLINE;
use harness::{Stage, folders, stage};

/// Replays a recording; the exit code and what was said.
fn replay(stage: &Stage, recording: &str, arguments: &[&str]) -> Result<(i32, String)> {
    let log = folders::workspace().join("tests/recordings/steps").join(format!("{recording}.dashcam"));
    let dashcam = folders::built().join("dashcam.exe").display().to_string();
    let log = folders::for_windows(&log);
    let run = stage.start(&dashcam, &[&["replay", &log], arguments].concat())?;
    let code = run.wait(DEADLINE * 3)?;
    Ok((code, format!("{}{}", run.stdout()?, run.stderr()?)))
}

#[track_caller]
fn check(name: &str, recording: &str, arguments: &[&str], code: i32, verdict: &str) {
    stage(name, |stage| {
        let (ended, said) = replay(stage, recording, arguments)?;
        ensure!(ended == code && said.contains(verdict), "{ended}, not {code} with {verdict:?}:\n{said}");
        Ok(())
    });
}

fn sample(name: &str) -> String {
    folders::for_windows(&folders::sample(name))
}

#[test]
fn the_crash_of_a_customer_happens_again() {
    // Elsewhere on the screen, and of another size.
    check(
        "the_crash_of_a_customer_happens_again",
        "invoice-crash",
        &["--app", &sample("invoice"), "--at", "200,150,700,500"],
        0,
        "reproduced at step 24: the application crashed with 0xC0000005",
    );
}

#[test]
fn a_missing_secret_is_told_before_anything_is_done() {
    check(
        "a_missing_secret_is_told_before_anything_is_done",
        "edits",
        &["--app", &sample("gallery"), "--page", "edits"],
        1,
        "blocked at step 8: the secret password-1205 is missing",
    );
}

/// The agent's doing is no input of a user, and still a step of the trace.
#[test]
fn the_trace_of_a_replay_is_a_log_with_its_steps() {
    stage("the_trace_of_a_replay_is_a_log_with_its_steps", |stage| {
        let trace = folders::for_windows(&stage.folder().join("trace"));
        let app = ["--app", &sample("gallery"), "--page", "trees"];
        let (ended, said) = replay(stage, "trees", &[&["--trace", &trace], &app[..]].concat())?;
        ensure!(ended == 0 && said.contains("passed: 12 steps"), "{ended}:\n{said}");
        let dashcam = folders::built().join("dashcam.exe").display().to_string();
        let run = stage.start(&dashcam, &[&["replay", &trace], &app[..]].concat())?;
        let (ended, said) = (run.wait(DEADLINE * 3)?, run.stdout()?);
        let steps =
            ["Expand “Drive A”", "Select “Drive A ▸ Drive A.1”", "Collapse “Drive A”", "Close “Gallery”"];
        ensure!(ended == 0 && said.contains("passed: 12 steps"), "{ended}:\n{said}");
        ensure!(steps.iter().all(|step| said.contains(step)), "{said}");
        Ok(())
    });
}
