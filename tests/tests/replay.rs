//! `dashcam replay` on real programs. More tests are in `replay_robust.rs` and `replay_refused.rs`.
//!
//! The recordings are those of `tests/recordings/steps`, made by the product itself.

use anyhow::ensure;
use harness::folders::{self, sample_for_windows as sample};
use harness::stage;

fn check(recording: &str, arguments: &[&str], code: i32, verdict: &str) {
    stage(|stage| stage.check_replay(recording, arguments, code, &[verdict]));
}

#[test]
fn the_crash_of_a_customer_happens_again() {
    // Elsewhere on the screen, and of another size.
    check(
        "invoice-crash",
        &["--app", &sample("invoice"), "--at", "200,150,700,500"],
        0,
        "reproduced at step 24: the application crashed with 0xC0000005",
    );
}

#[test]
fn a_missing_secret_blocks_before_anything_is_done() {
    check(
        "edits",
        &["--app", &sample("gallery"), "--page", "edits"],
        1,
        "blocked at step 8: the secret password-1205 is missing",
    );
}

/// The agent's acts are not user input, but they are steps of the trace.
#[test]
fn the_trace_of_a_replay_is_a_log_with_its_steps() {
    stage(|stage| {
        let trace = folders::for_windows(&stage.folder().join("trace"));
        let app = ["--app", &sample("gallery"), "--page", "trees"];
        // The first step is a click at a point of a tree.
        let end = "1 of 12 could not be verified";
        let trace_to = ["--allow-unverified", "--trace", &trace];
        let (ended, said) = stage.replay("trees", &[&trace_to, &app[..]].concat())?;
        ensure!(ended == 0 && said.contains(end), "{ended}:\n{said}");
        let (ended, said) = stage.dashcam(&[&["replay", &trace, "--allow-unverified"], &app[..]].concat())?;
        let steps =
            ["Expand “Drive A”", "Select “Drive A ▸ Drive A.1”", "Collapse “Drive A”", "Close “Gallery”"];
        ensure!(ended == 0 && said.contains(end), "{ended}:\n{said}");
        ensure!(steps.iter().all(|step| said.contains(step)), "{said}");
        Ok(())
    });
}
