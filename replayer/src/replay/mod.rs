//! `dashcam replay`: what the user did happens again, exactly once, without coordinates and without sleeps.
//!
//! Pure but for the driver and the clock, which are handed in.
//!
//! | question | file |
//! |---|---|
//! | what is replayed, and what did the windows look like then? | `recording.rs` |
//! | what is done for a step, and why? | `choose.rs`, `rules.rs`, `tell.rs` |
//! | what would be done? | `dry.rs` |
//! | what is expected of a step? | `expect.rs` |
//! | how is the application asked and told? | `driver.rs` |

mod choose;
mod driver;
mod dry;
mod expect;
mod recording;
mod rules;
mod tell;

use crate::log_files;
use crate::output::say;
use anyhow::{bail, ensure};
use recording::{Reading, Recording};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What `dashcam replay` is told.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The log.
    log: PathBuf,
    /// Only print what would be done for each step, and why.
    #[arg(long)]
    dry_run: bool,
    /// A text that the log does not have, such as a password.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_secret)]
    secret: Vec<(String, String)>,
    /// For programs.
    #[arg(long)]
    json: bool,
}

fn parse_secret(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("a secret is given as NAME=VALUE")?;
    Ok((name.into(), value.into()))
}

pub(crate) fn command(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let recording = read(&arguments.log)?;
    let secrets = arguments.secret.iter().cloned().collect();
    if !arguments.dry_run {
        bail!("replaying needs Windows: use dashcam.exe there or with Wine; --dry-run works everywhere");
    }
    if arguments.json {
        say(&serde_json::to_string_pretty(&dry::to_json(&recording, &secrets))?)?;
    } else {
        say(dry::text(&recording, &secrets).trim_end())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> anyhow::Result<Recording> {
    let mut reading = Reading::default();
    for entry in log_files::open(path)?.newest() {
        reading.take(&entry?);
    }
    let recording = reading.finish();
    ensure!(recording.is_log, "{} is not a dashcam log", path.display());
    Ok(recording)
}
