//! A chapter recorded and replayed: one gallery with the recorder inside and real input, one that does it
//! again, and their journals cut at the marks.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use harness::gallery::Gallery;
use harness::wait::DEADLINE;
use harness::{Stage, folders};
use serde_json::Value;

use crate::row::{Chapter, Scene};

/// What came of a chapter.
pub(crate) struct Outcome {
    /// What each row's windows told, in the recording and in the replay.
    pub(crate) journals: Vec<(Part, Part)>,
    /// The plan of each row: steps as `dashcam replay --dry-run --json` has them.
    pub(crate) plans: Vec<Vec<Value>>,
    /// The replay as `--json` has it.
    pub(crate) replay: Value,
}

/// The part of a journal between two marks.
#[derive(Debug, Default, Clone)]
pub(crate) struct Part {
    pub(crate) told: Vec<String>,
    /// The state of every shown control at the end.
    pub(crate) states: Vec<String>,
}

const MARK: &str = "WM_COMMAND 4041 accelerator";

/// Records and replays a chapter.
pub(crate) fn run(stage: &Stage, chapter: &Chapter) -> Result<Outcome> {
    let (recorded, log) = record(stage, chapter)?;
    let plan = dashcam(stage, &[&["replay", &log, "--dry-run", "--json"], chapter.options].concat())?;
    let plan: Vec<Value> = plan["steps"].as_array().cloned().unwrap_or_default();
    let plans = plan.split(|step| step["text"] == "Press Ctrl+F12").map(<[Value]>::to_vec).collect();
    let (replay, replayed) = replay(stage, chapter, &log, &[])?;
    let journals = recorded
        .into_iter()
        .enumerate()
        .map(|(i, part)| (part, replayed.get(i).cloned().unwrap_or_default()))
        .collect();
    Ok(Outcome { journals, plans, replay })
}

/// Does every row with real input: what was told, and where the log is.
pub(crate) fn record(stage: &Stage, chapter: &Chapter) -> Result<(Vec<Part>, String)> {
    let gallery = Gallery::open_recorded(stage, chapter.page)?;
    let recording = gallery.recording.clone().context("not recorded")?;
    recording.wait_known(&gallery.main)?;
    for (number, row) in chapter.rows.iter().enumerate() {
        let scene = Scene { gallery: &gallery, stage, since: gallery.journal()?.len() };
        (row.drive)(&scene).with_context(|| format!("{}: {}", row.control, row.interaction))?;
        stage.input.press("ctrl+F12")?;
        gallery.expect(&format!("MARK {}", number + 1)).with_context(|| row.interaction)?;
    }
    gallery.close()?;
    Ok((parts(&gallery.journal()?), folders::for_windows(&recording.folder)))
}

/// Replays a log in a fresh gallery with these options: the report, and what was told.
pub(crate) fn replay(
    stage: &Stage,
    chapter: &Chapter,
    log: &str,
    options: &[&str],
) -> Result<(Value, Vec<Part>)> {
    let journal = stage.folder().join("replayed.journal");
    let _ = fs::remove_file(&journal);
    let (app, journal_for_app) =
        (folders::for_windows(&folders::sample("gallery")), folders::for_windows(&journal));
    let app = [&["--app", &app, "--page", chapter.page, "--journal", &journal_for_app], options].concat();
    let replay = dashcam(stage, &[&["replay", log, "--json"], chapter.options, &app].concat())?;
    Ok((replay, parts(&fs::read_to_string(&journal).unwrap_or_default())))
}

/// What `dashcam` says as JSON, whatever its verdict.
pub(crate) fn dashcam(stage: &Stage, arguments: &[&str]) -> Result<Value> {
    let run = stage.start_dashcam(arguments)?;
    let code = run.wait(DEADLINE * 6)?;
    ensure!(code != 2, "{}", run.stderr()?);
    let said = run.stdout()?;
    serde_json::from_str(&said).with_context(|| format!("{said}{}", run.stderr().unwrap_or_default()))
}

fn parts(journal: &str) -> Vec<Part> {
    let mut parts = vec![Part::default()];
    for line in journal.lines() {
        let last = parts.last_mut().expect("there is always one");
        if line.starts_with("MARK ") {
            parts.push(Part::default());
        } else if line.starts_with("STATE ") {
            last.states.push(line.to_owned());
        } else if line != MARK {
            last.told.push(line.to_owned());
        }
    }
    parts
}

/// Keeps a log for looking into it.
pub(crate) fn keep(stage: &Stage, name: &str) {
    if let Some(folder) = std::env::var_os("KEEP_LOGS") {
        let to = Path::new(&folder).join(name);
        let _ = fs::create_dir_all(&to);
        let from = stage.folder();
        let _ = std::process::Command::new("cp").arg("-r").arg(from).arg(&to).status();
    }
}
