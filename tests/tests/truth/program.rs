//! A program recorded once and replayed in several variants of itself, each with its verdict.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, ensure};
use harness::wait::DEADLINE;
use harness::{Recording, Stage, folders, stage, window};
use serde_json::Value;

use crate::scene::Scene;
use crate::verdict;

/// What is recorded, and the variants it is replayed in.
pub(crate) struct Session {
    /// The first argument of `truth`.
    pub(crate) kind: &'static str,
    /// Its further arguments, in the recording and in each replay.
    pub(crate) arguments: &'static [&'static str],
    /// What the user does. It ends with the program.
    pub(crate) drive: fn(&Scene<'_>) -> Result<()>,
    /// The outcome of that, lines between READY and END.
    pub(crate) outcome: &'static [&'static str],
    pub(crate) variants: &'static [Variant],
}

/// Further arguments of `truth` in a replay, and the verdict.
pub(crate) type Variant = (&'static [&'static str], &'static str);

/// How a replay ended.
struct Replay {
    report: Value,
    code: i32,
    outcome: String,
}

pub(crate) const UNCHANGED: &[&str] = &[];
pub(crate) const MORE: &[&str] = &["--more"];
pub(crate) const REMOVED: &[&str] = &["--removed"];
pub(crate) const REVERSED: &[&str] = &["--reversed"];
/// Of other proportions too: a page in the middle is elsewhere, also by width and height.
pub(crate) const RESIZED: &[&str] = &["--size", "760,400"];

/// Records the session and replays it in each variant. Fails with the whole table if a verdict is false or
/// not the expected one.
pub(crate) fn check(session: &Session) {
    stage(|stage| {
        let (recorded, log) = record(stage, session)?;
        let (mut table, mut wrong) = (String::new(), Vec::new());
        for (arguments, expected) in session.variants {
            let replay = replay(stage, session, &log, arguments)?;
            let verdict = replay.report["verdict"].as_str().unwrap_or("none");
            let truth = verdict::check(&recorded, &replay.outcome, verdict);
            let is_same = if recorded == replay.outcome { "same" } else { "different" };
            let (name, step) = (name(arguments), &replay.report["step"]);
            writeln!(table, "| {} | {name} | {verdict} | {step} | {is_same} | {expected} |", stage.name())?;
            if let Err(error) = truth {
                wrong.push(format!("{name}: {error}"));
            }
            if verdict != *expected || replay.code != exit_code(expected) {
                wrong.push(format!(
                    "{name}: {verdict} with exit code {}, not {expected}\n{}",
                    replay.code,
                    steps(&replay.report)
                ));
            }
        }
        println!("{table}");
        ensure!(wrong.is_empty(), "{table}{}", wrong.join("\n"));
        Ok(())
    });
}

fn name(arguments: &[&str]) -> String {
    if arguments.is_empty() { "unchanged".into() } else { arguments.join(" ") }
}

fn exit_code(verdict: &str) -> i32 {
    i32::from(!["passed", "reproduced"].contains(&verdict))
}

/// The steps of a replay and why it ended, for the one who looks into a failure.
fn steps(report: &Value) -> String {
    let mut text = String::new();
    for step in report["steps"].as_array().into_iter().flatten() {
        let _ =
            writeln!(text, "  {} {} => {} ({})", step["number"], step["text"], step["act"], step["outcome"]);
        for remark in step["remarks"].as_array().into_iter().flatten() {
            let _ = writeln!(text, "      {remark}");
        }
    }
    let said =
        ["step", "reason", "what", "expected", "actual", "remarks"].map(|field| report[field].to_string());
    text + "  " + &said.join(" ")
}

/// The outcome, and where the log is.
fn record(stage: &Stage, session: &Session) -> Result<(String, String)> {
    let sample = folders::sample_for_windows("truth");
    let journal = stage.folder().join("recorded.journal");
    let for_it = folders::for_windows(&journal);
    let arguments = [&[session.kind, "--journal", &for_it], session.arguments].concat();
    let (dashcam, recording) = Recording::run(stage, &sample, &arguments)?;
    let main = stage.wait_for(&window().class("TruthFrame"))?;
    recording.wait_known(&main)?;
    let scene = Scene { stage, main, dashcam, journal };
    scene.expect("READY")?;
    (session.drive)(&scene)?;
    let outcome = scene.outcome();
    let done: Vec<&str> = outcome.lines().filter(|line| !["READY", "END"].contains(line)).collect();
    ensure!(done == session.outcome, "recorded {done:?}, not {:?}", session.outcome);
    // The pointer of the desktop is elsewhere in the replays.
    stage.input.move_to(5, 5)?;
    Ok((outcome, folders::for_windows(&recording.folder)))
}

fn replay(stage: &Stage, session: &Session, log: &str, arguments: &[&str]) -> Result<Replay> {
    let journal = stage.folder().join("replayed.journal");
    let _ = fs::remove_file(&journal);
    let sample = folders::sample_for_windows("truth");
    let for_it = folders::for_windows(&journal);
    let app = ["--app", &sample, session.kind, "--journal", &for_it];
    let arguments = [&["replay", log, "--json"], &app[..], session.arguments, arguments].concat();
    let run = stage.start_dashcam(&arguments)?;
    let code = run.wait(DEADLINE * 6)?;
    let said = run.stdout()?;
    let report =
        serde_json::from_str(&said).with_context(|| format!("{said}{}", run.stderr().unwrap_or_default()))?;
    // It ends with its replay, also where it was to stay.
    stage.wait_gone(&window().class("TruthFrame"))?;
    Ok(Replay { report, code, outcome: fs::read_to_string(&journal).unwrap_or_default() })
}
