//! One script: set up, replayed by a `dashcam replay` of its own, cleaned up; again if it was not as
//! expected and may be.

use super::prepare::Place;
use super::result::{Attempt, TestResult};
use crate::script::Script;
use anyhow::Context;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;
use wait_timeout::ChildExt;

/// Runs a script until it is as expected, at most once and `retries` times more. The page, where one is
/// wanted, is that of the first attempt: of one that is flaky the one to look at.
pub(crate) fn run(script: &Script, retries: usize, page: Option<&Path>) -> TestResult {
    let mut attempts = Vec::new();
    for number in 0..=retries {
        let page = page.filter(|_| number == 0).map(|page| page.display().to_string());
        let more: Vec<&str> = page.iter().flat_map(|page| ["--report", page]).collect();
        let attempt = attempt(script, &more);
        let is_expected = attempt.is(script.expect(), script.expect_step());
        attempts.push(attempt);
        if is_expected {
            break;
        }
    }
    TestResult::of(script, attempts)
}

/// Runs a script once, keeping the complete state after each step. Unverified steps are accepted: the
/// baseline may be what verifies them.
pub(crate) fn capture(script: &Script, into: &Path) -> Attempt {
    attempt(script, &["--allow-unverified", "--capture", &into.display().to_string()])
}

/// Runs a script once, with more arguments for `dashcam replay`.
pub(crate) fn attempt(script: &Script, more: &[&str]) -> Attempt {
    let start = Instant::now();
    let broken = |error: anyhow::Error| {
        Attempt::without_replay("broken", format!("{error:#}"), start.elapsed().as_secs_f64())
    };
    match Place::make(script) {
        Ok(place) => {
            let attempt = replay(script, place.work(), more, start).unwrap_or_else(broken);
            match place.clear().context("the clean-up failed") {
                Ok(()) => attempt,
                Err(error) => broken(error),
            }
        }
        Err(error) => broken(error.context("the set-up failed")),
    }
}

fn replay(script: &Script, work: &Path, more: &[&str], start: Instant) -> anyhow::Result<Attempt> {
    let said = tempfile::tempdir().context("no temporary folder")?;
    let (out, err) = (said.path().join("out"), said.path().join("err"));
    let timeout = script.timeout();
    let mut child = Command::new(std::env::current_exe()?)
        .args(["replay", "--json", "--script"])
        .arg(&script.path)
        .arg("--work")
        .arg(work)
        .args(more)
        .envs(script.env(work)?)
        .current_dir(work)
        .stdin(Stdio::null())
        .stdout(File::create(&out)?)
        .stderr(File::create(&err)?)
        .spawn()
        .context("dashcam replay cannot be started")?;
    // One that replays through the dashcam.exe of the other bitness takes that along.
    #[cfg(windows)]
    let _bond = crate::win32::bind_child(&child)?;
    let ended = child.wait_timeout(timeout)?;
    let seconds = start.elapsed().as_secs_f64();
    if ended.is_none() {
        // The application is bound to the replay, and ends with it.
        child.kill()?;
        child.wait()?;
        let why = format!("it took longer than {} s: the application was ended", timeout.as_secs());
        return Ok(Attempt::without_replay("timed_out", why, seconds));
    }
    let text = std::fs::read_to_string(&out)?;
    Ok(match serde_json::from_str(&text) {
        Ok(replay) => Attempt::of(replay, seconds),
        Err(_) => {
            let said = std::fs::read(&err)?;
            let said = String::from_utf8_lossy(&said).trim().to_owned();
            Attempt::without_replay("broken", if said.is_empty() { text } else { said }, seconds)
        }
    })
}
