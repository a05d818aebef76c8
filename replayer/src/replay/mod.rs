//! `dashcam replay`: what the user did happens again, exactly once, without coordinates and without sleeps.
//!
//! Pure but for the driver and the clock, which are handed in.
//!
//! | question | file |
//! |---|---|
//! | what is replayed, and what did the windows look like then? | `recording.rs`, `program.rs` |
//! | what is done for a step, and why? | `choose.rs`, `hands.rs`, `rules.rs`, `tell.rs` |
//! | what would be done, and in which way? | `dry.rs`, `ways.rs` |
//! | how does a replay go, how does a step? | `run.rs`, `perform.rs`, `wait.rs`, `clock.rs` |
//! | which live window is which recorded one? | `stage.rs` |
//! | did the step have its effects? | `expect.rs`, `verify.rs` |
//! | how did it end, and how is it told? | `verdict.rs`, `print.rs` |
//! | how is the application asked and told? | `driver.rs` |
//! | how is it driven from inside? | `live.rs`, with the crates `replay-link` and `replay-agent` |
//! | how is it driven by posting alone? | `posting.rs` |
//! | how are the two tried out? | `drive.rs` |

mod choose;
#[cfg(test)]
mod choose_tests;
mod clock;
#[cfg(test)]
mod desktop;
#[cfg(windows)]
pub(crate) mod drive;
#[allow(
    dead_code,
    clippy::allow_attributes,
    reason = "what a driver answers is made by drivers, and they need Windows"
)]
mod driver;
mod dry;
mod expect;
mod hands;
#[cfg(windows)]
mod live;
mod perform;
#[cfg(windows)]
mod posting;
mod print;
mod program;
mod recording;
mod rules;
mod run;
mod stage;
mod tell;
#[cfg(test)]
mod tests;
mod verdict;
mod verify;
mod wait;
mod ways;

use crate::log_files;
use crate::output::{colour, say};
use anyhow::ensure;
use driver::Driver;
use print::Style;
use recording::{Reading, Recording};
use run::Options;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use verdict::Report;
use verify::Level;

/// What `dashcam replay` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The log.
    log: PathBuf,
    /// The program to start, with its arguments; all that follows is theirs. Default: the recorded command line.
    #[arg(long, value_name = "APP", num_args = 1.., allow_hyphen_values = true, conflicts_with = "attach")]
    app: Vec<String>,
    /// The process id of an application that is already there, in the state of the recording's beginning.
    #[arg(long, value_name = "PID")]
    attach: Option<u32>,
    /// Only print what would be done for each step, and why.
    #[arg(long)]
    dry_run: bool,
    /// How much of the windows is compared after each step.
    #[arg(long, value_enum, default_value_t)]
    verify: Level,
    /// Tell for each step what is done, where its window was found, and why there.
    #[arg(long)]
    explain: bool,
    /// A text that the log does not have, such as a password.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_secret)]
    secret: Vec<(String, String)>,
    /// Keep the user's timing; without it, each step follows as soon as the application is ready.
    #[arg(long, value_name = "recorded", value_parser = ["recorded"])]
    speed: Option<String>,
    /// Replay by posted messages alone, without an agent in the application.
    #[arg(long)]
    no_agent: bool,
    /// Keep a recording of the replay in this folder.
    #[arg(long, value_name = "DIR")]
    trace: Option<PathBuf>,
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
    let options = Options {
        secrets: arguments.secret.iter().cloned().collect(),
        level: arguments.verify,
        is_paced: arguments.speed.is_some(),
        is_attached: arguments.attach.is_some(),
    };
    if arguments.dry_run {
        if arguments.json {
            say(&serde_json::to_string_pretty(&dry::to_json(&recording, &options.secrets))?)?;
        } else {
            say(dry::text(&recording, &options.secrets).trim_end())?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    if let Err(verdict) = run::first_step(&recording, &options) {
        return tell_end(arguments, &Report { verdict, steps: Vec::new(), remarks: Vec::new() }, &recording);
    }
    let mut driver = start(arguments, &recording)?;
    replay(arguments, &recording, &options, driver.as_mut())
}

/// The application to replay in. With a trace the recorder is inside too.
#[cfg(windows)]
fn start(arguments: &Arguments, recording: &Recording) -> anyhow::Result<Box<dyn Driver>> {
    use live::LiveDriver;
    use posting::PostingDriver;
    if let Some(pid) = arguments.attach {
        ensure!(
            arguments.trace.is_none(),
            "--trace needs a program that is started: use dashcam attach beside --attach"
        );
        return Ok(match arguments.no_agent {
            true => Box::new(PostingDriver::attach(pid)?),
            false => Box::new(LiveDriver::attach(pid)?),
        });
    }
    let command = command_line(arguments, recording)?;
    let prepare = |process: &crate::win32::Process| match &arguments.trace {
        Some(folder) => crate::run::insert(
            process,
            &crate::run::Recording { folder: Some(folder.clone()), retention: None },
        ),
        None => Ok(()),
    };
    Ok(match arguments.no_agent {
        true => Box::new(PostingDriver::start(&command, prepare)?),
        false => Box::new(LiveDriver::start(&command, prepare)?),
    })
}

/// The application to replay in.
#[cfg(not(windows))]
fn start(arguments: &Arguments, recording: &Recording) -> anyhow::Result<Box<dyn Driver>> {
    let program = match arguments.attach {
        Some(pid) => format!("in process {pid}"),
        None => command_line(arguments, recording)?.swap_remove(0),
    };
    anyhow::bail!(
        "replaying needs Windows: use dashcam.exe there or with Wine to replay {program}; --dry-run works everywhere"
    )
}

/// The program to start and its arguments.
fn command_line(arguments: &Arguments, recording: &Recording) -> anyhow::Result<Vec<String>> {
    let command = if arguments.app.is_empty() { recording.program.command() } else { arguments.app.clone() };
    ensure!(!command.is_empty(), "the log does not tell which program it is of: name it with --app");
    Ok(command)
}

/// Replays, and tells it step by step.
fn replay(
    arguments: &Arguments,
    recording: &Recording,
    options: &Options,
    driver: &mut dyn Driver,
) -> anyhow::Result<ExitCode> {
    let style = style(arguments, recording);
    let mut failed = Ok(());
    let mut watch = |told: &verdict::Told| {
        if !arguments.json && failed.is_ok() {
            failed = say(style.step(told).trim_end());
        }
    };
    // What could not be read the first time was told then.
    let entries = log_files::open(&arguments.log)?.newest().map_while(Result::ok);
    let report = run::run(recording, entries, driver, &clock::Wall::new(), options, &mut watch);
    failed?;
    tell_end(arguments, &report, recording)
}

fn style(arguments: &Arguments, recording: &Recording) -> Style {
    let width = recording.plan.steps.len().max(1).ilog10() as usize + 1;
    Style { colour: colour(), explain: arguments.explain, width }
}

/// The verdict, and the exit code that says it.
fn tell_end(arguments: &Arguments, report: &Report, recording: &Recording) -> anyhow::Result<ExitCode> {
    if arguments.json {
        say(&serde_json::to_string_pretty(report)?)?;
    } else {
        say(style(arguments, recording).verdict(report).trim_end())?;
    }
    Ok(ExitCode::from(report.verdict.exit_code()))
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
