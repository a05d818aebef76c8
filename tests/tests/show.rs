//! `dashcam show` of real programs, recorded with real input.

mod sessions;

use std::fs;

use anyhow::{Context, Result, ensure};
use harness::wait::DEADLINE;
use harness::{Recording, Stage, folders, stage, stage_named};
use sessions::SESSIONS;

#[test]
fn dialogs_are_described_as_they_were_used() {
    shows("dialogs");
}

#[test]
fn menus_are_described_as_they_were_used() {
    shows("menus");
}

#[test]
fn typing_is_described_as_it_was_done() {
    shows("edits");
}

#[test]
fn items_of_lists_are_described_by_name() {
    shows("list-views");
}

#[test]
fn windows_of_several_threads_are_described_in_order() {
    shows("windows");
}

#[test]
fn a_session_ends_in_the_crash_it_ended_in() {
    let said = shows("invoice-crash");
    let last = said.lines().last().unwrap_or_default();
    let begin = "— The program crashes: 0xC0000005 (access violation) in invoice.exe";
    assert!(last.contains(begin), "{said}");
}

/// Plays a session; `dashcam show` prints the lines of the golden recording. Returns its output.
fn shows(session: &str) -> String {
    let mut story = String::new();
    stage(|stage| {
        let (_, play) = SESSIONS.iter().find(|(name, _)| *name == session).context("no such session")?;
        let log = play(stage)?;
        let said = dashcam(stage, &["show", &folders::for_windows(&log)])?;
        let golden = folders::workspace().join("tests/golden/show").join(format!("{session}.txt"));
        let expected = fs::read_to_string(golden)?;
        let steps = |text: &str| text.lines().filter_map(sentence).collect::<Vec<_>>();
        ensure!(steps(&expected).len() > 5, "{expected}");
        ensure!(steps(&said) == steps(&expected), "told:\n{said}\nexpected:\n{expected}");
        story = said;
        Ok(())
    });
    story
}

/// A step's words, without number and time, and without the menu item that a shortcut stands for: some golden
/// recordings are older than that.
fn sentence(line: &str) -> Option<String> {
    let (number, rest) = line.split_once(". ")?;
    number.trim().parse::<u32>().ok()?;
    let is_time = |c: char| c.is_ascii_digit() || c == ':' || c == ' ';
    let words = rest.trim_start_matches(is_time);
    let shortcut =
        words.split_once(" (").filter(|(keys, item)| keys.starts_with("Press ") && item.contains(" ▸ "));
    Some(shortcut.map_or(words, |(keys, _)| keys).to_owned())
}

/// Writes `tests/recordings/steps/`, of which `replayer/tests/show.rs` has the steps in words. One session
/// alone: `SESSION=menus cargo xtask test --only e2e --long make_steps`.
#[test]
#[ignore = "writes the recordings that other tests read"]
fn make_steps() {
    let only = std::env::var("SESSION").ok();
    let chosen = SESSIONS.iter().filter(|(name, _)| only.as_ref().is_none_or(|only| only == name));
    // One that fails does not keep the others from being made.
    let failed = chosen.filter(|(name, session)| {
        let make = || {
            stage_named(&format!("make_steps_{name}"), |stage| {
                let log = session(stage)?;
                let file =
                    folders::workspace().join("tests/recordings/steps").join(format!("{name}.dashcam"));
                Recording { folder: log }.pack(&file)
            });
        };
        std::panic::catch_unwind(make).is_err()
    });
    let failed: Vec<&str> = failed.map(|(name, _)| *name).collect();
    assert!(failed.is_empty(), "not made: {failed:?}");
}

/// Runs the command that ships, and gives what it prints.
fn dashcam(stage: &Stage, args: &[&str]) -> Result<String> {
    let done = stage.start_dashcam(args)?;
    ensure!(done.wait(DEADLINE)? == 0, "{}", done.stderr()?);
    done.stdout()
}
