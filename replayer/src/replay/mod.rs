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
//! | did the step have its effects? | `expect.rs`, `verify.rs`, `commands.rs` |
//! | is it the recorded crash? | `crash.rs` |
//! | how did it end, and how is it told? | `verdict.rs`, `print.rs` |
//! | what did the windows look like on the way? | `album.rs` |
//! | how is the application asked and told? | `driver.rs` |
//! | how is it driven from inside? | `live.rs`, with the crates `replay-link` and `replay-agent` |
//! | how is it driven by posting alone? | `posting.rs` |
//! | what of its own recording? | `trace.rs` |
//! | how are the two tried out? | `drive.rs` |

mod album;
mod choose;
#[cfg(test)]
mod choose_tests;
mod clock;
mod commands;
mod crash;
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
#[cfg(test)]
mod ends_tests;
mod expect;
mod hands;
#[cfg(windows)]
mod live;
mod perform;
#[cfg(windows)]
mod posting;
mod print;
mod program;
pub(crate) mod recording;
mod rules;
mod run;
mod stage;
mod tell;
#[cfg(test)]
mod tests;
#[cfg(windows)]
mod trace;
pub(crate) mod verdict;
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
    /// Write a page to look at: every step with its windows, as recorded and as replayed.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Take pictures of the windows before and after each step, for the page and `--json`.
    #[arg(long, conflicts_with = "no_agent")]
    screenshots: bool,
    /// Keep the recording of the replay in this folder.
    #[arg(long, value_name = "DIR")]
    trace: Option<PathBuf>,
    /// Leave the recorder out of the application: the fastest, but a crash is compared by its code alone.
    #[arg(long, conflicts_with = "trace")]
    no_recorder: bool,
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
    let mut options = Options {
        secrets: arguments.secret.iter().cloned().collect(),
        level: arguments.verify,
        is_paced: arguments.speed.is_some(),
        is_attached: arguments.attach.is_some(),
        other: None,
        takes_pictures: arguments.screenshots,
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
        return tell_end(arguments, &Report::of(verdict), &recording);
    }
    #[cfg(windows)]
    if let Some(done) = hand_over(arguments, &recording)? {
        return Ok(done);
    }
    let mut remarks = Vec::new();
    let (mut driver, name) = match start(arguments, &recording, &mut remarks) {
        Ok(started) => started,
        Err(error) => return refused(arguments, &recording, error),
    };
    options.other = recording.program.other(name.as_deref());
    replay(arguments, &recording, &options, driver.as_mut(), remarks)
}

/// An application that may not be driven for want of rights is a verdict; one that is not there is bad usage.
fn refused(arguments: &Arguments, recording: &Recording, error: anyhow::Error) -> anyhow::Result<ExitCode> {
    #[cfg(windows)]
    if let Some(crate::win32::Denied(reason)) = error.downcast_ref() {
        let step = recording.plan.steps.first().map_or(1, |step| step.number);
        let verdict = verdict::Verdict::Blocked { step, reason: reason.clone() };
        return tell_end(arguments, &Report::of(verdict), recording);
    }
    let _ = (arguments, recording);
    Err(error)
}

/// An application to replay in, and the file name of its program.
type Started = (Box<dyn Driver>, Option<String>);

/// Has the `dashcam.exe` of the other bitness do it, if the application is of that.
#[cfg(windows)]
fn hand_over(arguments: &Arguments, recording: &Recording) -> anyhow::Result<Option<ExitCode>> {
    match arguments.attach {
        // One that cannot be opened is told of when it is entered.
        Some(pid) => match crate::win32::Process::open(pid) {
            Ok(process) => crate::bitness::hand_over_running(&process),
            Err(_) => Ok(None),
        },
        None => crate::bitness::hand_over_start(&command_line(arguments, recording)?[0]),
    }
}

/// The application to replay in, with the recorder inside too.
#[cfg(windows)]
fn start(arguments: &Arguments, recording: &Recording, remarks: &mut Vec<String>) -> anyhow::Result<Started> {
    use live::LiveDriver;
    use posting::PostingDriver;
    use trace::{Trace, Traced};
    fn live(driver: LiveDriver) -> Started {
        let name = driver.process().name();
        (Box::new(driver), name)
    }
    fn posting(driver: PostingDriver) -> Started {
        let name = driver.process().name();
        (Box::new(driver), name)
    }
    if let Some(pid) = arguments.attach {
        ensure!(
            arguments.trace.is_none(),
            "--trace needs a program that is started: use dashcam attach beside --attach"
        );
        return Ok(match arguments.no_agent {
            true => posting(PostingDriver::attach(pid)?),
            false => live(LiveDriver::attach(pid)?),
        });
    }
    let command = command_line(arguments, recording)?;
    let mut trace = None;
    let prepare = |process: &crate::win32::Process| {
        if !arguments.no_recorder {
            trace = Trace::begin(process, arguments.trace.as_deref(), remarks)?;
        }
        Ok(())
    };
    let (driver, name) = match arguments.no_agent {
        true => posting(PostingDriver::start(&command, prepare)?),
        false => live(LiveDriver::start(&command, prepare)?),
    };
    Ok(match trace {
        Some(trace) => (Box::new(Traced::new(driver, trace)), name),
        None => (driver, name),
    })
}

/// The application to replay in.
#[cfg(not(windows))]
fn start(arguments: &Arguments, recording: &Recording, _: &mut Vec<String>) -> anyhow::Result<Started> {
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
    remarks: Vec<String>,
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
    let mut report = run::run(recording, entries, driver, &clock::Wall::new(), options, &mut watch);
    failed?;
    report.remarks.extend(remarks);
    tell_end(arguments, &report, recording)
}

fn style(arguments: &Arguments, recording: &Recording) -> Style {
    let width = recording.plan.steps.len().max(1).ilog10() as usize + 1;
    Style { colour: colour(), explain: arguments.explain, width }
}

/// The verdict, and the exit code that says it.
fn tell_end(arguments: &Arguments, report: &Report, recording: &Recording) -> anyhow::Result<ExitCode> {
    if let Some(page) = &arguments.report {
        crate::report::write(&arguments.log, recording, Some(report), page)?;
    }
    if arguments.json {
        say(&serde_json::to_string_pretty(report)?)?;
    } else {
        say(style(arguments, recording).verdict(report).trim_end())?;
    }
    Ok(ExitCode::from(report.verdict.exit_code()))
}

pub(crate) fn read(path: &Path) -> anyhow::Result<Recording> {
    let mut reading = Reading::default();
    for entry in log_files::open(path)?.newest() {
        reading.take(&entry?);
    }
    let recording = reading.finish();
    ensure!(recording.is_log, "{} is not a dashcam log", path.display());
    Ok(recording)
}
