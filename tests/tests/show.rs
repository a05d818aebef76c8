//! `dashcam show` of real programs, recorded with real input.

mod sessions;

use std::path::Path;

use anyhow::{Result, ensure};
use harness::wait::DEADLINE;
use harness::{Stage, folders, stage};
use sessions::SESSIONS;

/// Writes `tests/recordings/steps/`, of which `replayer/tests/show.rs` has the steps in words. One session alone:
/// `SESSION=menus cargo xtask test --only e2e --long make_steps`.
#[test]
#[ignore = "writes the recordings that other tests read"]
fn make_steps() {
    let only = std::env::var("SESSION").ok();
    let chosen = SESSIONS.iter().filter(|(name, _)| only.as_ref().is_none_or(|only| only == name));
    // One that fails does not keep the others from being made.
    let failed = chosen.filter(|(name, session)| {
        let make = || {
            stage(&format!("make_steps_{name}"), |stage| {
                let log = session(stage)?;
                let file =
                    folders::workspace().join("tests/recordings/steps").join(format!("{name}.dashcam"));
                export(stage, &log, &file)
            });
        };
        std::panic::catch_unwind(make).is_err()
    });
    let failed: Vec<&str> = failed.map(|(name, _)| *name).collect();
    assert!(failed.is_empty(), "not made: {failed:?}");
}

fn export(stage: &Stage, log: &Path, file: &Path) -> Result<()> {
    let dashcam = folders::dashcam().join("x64").join("dashcam.exe").display().to_string();
    let (log, file) = (folders::for_windows(log), folders::for_windows(file));
    let made = stage.start(&dashcam, &["export", &log, "--force", "-o", &file])?;
    ensure!(made.wait(DEADLINE)? == 0, "{}", made.stderr()?);
    Ok(())
}
