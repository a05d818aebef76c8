//! `dashcam report`: a log, and what a replay made of it, as a page to look at.
//!
//! | question | file |
//! |---|---|
//! | what does the page show? | `data.rs`, `messages.rs` |
//! | which windows were there at each step? | `scenes.rs` of `replay-engine` |
//! | how does it become one file that runs nothing of a log's? | `page.rs`, `page.html`, `page.css` |
//! | how does it look and work? | `page.js`; windows: `draw.js` |
//! | and for many tests? | `suite.rs`, `suite.js` |
//!
//! Plain HTML, CSS and scripts without a framework or a build step.

mod data;
mod messages;
mod page;
pub(crate) mod suite;

use crate::log_files;
use crate::output::say;
use crate::recording_file;
use anyhow::Context;
use replay_engine::oracle::FileMap;
use replay_engine::{Recording, Report};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const SCRIPT: &str = concat!(include_str!("draw.js"), include_str!("page.js"));

/// What `dashcam report` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The log: a folder, an .xml, a .dashcam, a .ring, or a trace with `UL:` lines.
    #[arg(required_unless_present = "suite")]
    log: Option<PathBuf>,
    /// What a replay of it gave: a file that `dashcam replay --json` has written.
    #[arg(long, value_name = "RESULT")]
    replay: Option<PathBuf>,
    /// Instead of a log: a run of many tests, as JSON.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["log", "replay"])]
    suite: Option<PathBuf>,
    /// The page to write. Default: `report.html`, with `--open` a file of its own in the folder for
    /// temporary files.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show the page in the browser.
    #[arg(long)]
    open: bool,
}

impl Arguments {
    fn output(&self) -> PathBuf {
        match (&self.output, self.open, &self.log) {
            (Some(output), _, _) => output.clone(),
            (None, true, Some(log)) => {
                let name = log.file_stem().unwrap_or_default().display().to_string();
                std::env::temp_dir().join(format!("dashcam-{name}-{}.html", std::process::id()))
            }
            _ => "report.html".into(),
        }
    }
}

/// Shows a page as a double click would.
fn open(page: &Path) -> anyhow::Result<()> {
    let page = std::path::absolute(page).unwrap_or_else(|_| page.to_owned());
    let opener = if cfg!(windows) { "explorer" } else { "xdg-open" };
    let started = std::process::Command::new(opener).arg(&page).spawn();
    started.with_context(|| format!("{opener} cannot be started: open {} by hand", page.display()))?;
    Ok(())
}

pub(crate) fn command(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let output = arguments.output();
    make(arguments, &output)?;
    if arguments.open {
        open(&output)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn make(arguments: &Arguments, output: &Path) -> anyhow::Result<()> {
    if let Some(file) = &arguments.suite {
        let page = suite::suite_page(&read_json(
            file,
            "a run of many tests: name one of the form that docs/report.md shows",
        )?)?;
        fs::write(output, page).with_context(|| format!("cannot write {}", output.display()))?;
        return say(&format!("{} shows {}", output.display(), file.display()));
    }
    let Some(log) = &arguments.log else { anyhow::bail!("which log?") };
    let recording = recording_file::read(log, &FileMap::default())?;
    let result = arguments
        .replay
        .as_deref()
        .map(|file| read_json(file, "what dashcam replay --json writes: name such a file"));
    let result: Option<Report> = result.transpose()?;
    write(log, &recording, result.as_ref(), output)?;
    say(&format!("{} shows {}", output.display(), steps(recording.plan.steps.len())))
}

fn steps(count: usize) -> String {
    if count == 1 { "one step".into() } else { format!("{count} steps") }
}

/// A file that has to hold this.
fn read_json<T: serde::de::DeserializeOwned>(path: &Path, what: &str) -> anyhow::Result<T> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_slice(&bytes)
        .map_err(|error| anyhow::anyhow!("{}:{}: this is not {what}", path.display(), error.line()))
}

/// Writes the page of a log and perhaps of its replay.
pub(crate) fn write(
    log: &Path,
    recording: &Recording,
    result: Option<&Report>,
    output: &Path,
) -> anyhow::Result<()> {
    let entries = log_files::open(log)?.newest().map_while(Result::ok);
    let name = log.file_name().map_or_else(|| log.display().to_string(), |name| name.display().to_string());
    let data = data::data(&name, recording, entries, result);
    let title = if recording.program.name.is_empty() { &name } else { &recording.program.name };
    let page = page::page(&format!("{title} – Dashcam"), SCRIPT, &data)?;
    fs::write(output, page).with_context(|| format!("cannot write {}", output.display()))
}
