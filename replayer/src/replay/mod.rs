//! `dashcam replay`: what the user did happens again, exactly once, without coordinates and without sleeps.
//!
//! The crate `replay-engine` decides what is done and compares the outcome; this folder brings it to real
//! applications and to the terminal.
//!
//! | question | file |
//! |---|---|
//! | how does a dry run read, how a replay? | `dry.rs`, `print.rs` |
//! | which time do waits use? | `wall_clock.rs` |
//! | which levels of comparison does the command line offer? | `level.rs` |

mod dry;
mod level;
mod print;
mod wall_clock;

use crate::baseline_file;
use crate::log_files;
use crate::output::{colour, say};
use crate::recording_file;
use crate::script::Script;
use crate::suite::junit;
use anyhow::{Context, bail, ensure};
use level::LevelArgument;
use print::Style;
use replay_engine::driver::Driver;
use replay_engine::oracle::{Baseline, Every, FileMap};
use replay_engine::{ChosenActs, DryRun, Level, Only, Options, Progress, Recording, Report};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;
use wall_clock::WallClock;

/// What `dashcam replay` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The log: a folder, an .xml, a .dashcam, a .ring, or a trace with `UL:` lines.
    #[arg(required_unless_present = "script")]
    log: Option<PathBuf>,
    /// A regression script instead: its log, application, level, expectations; its set-up is that of `dashcam
    /// test`. The application ends with the replay.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["log", "app", "attach", "verify", "every", "baseline", "map_file", "secret"])]
    script: Option<PathBuf>,
    /// The folder that a script calls `{work}`. Default: the current one.
    #[arg(long, value_name = "DIR", hide = true, requires = "script")]
    work: Option<PathBuf>,
    /// The program to start, with its arguments; all that follows is theirs. A log is what somebody sent: it
    /// never chooses what is started.
    #[arg(long, value_name = "APP", num_args = 1.., allow_hyphen_values = true, conflicts_with = "attach")]
    app: Vec<String>,
    /// Leave the program open that was started; without it, it ends with the replay.
    #[arg(long, requires = "app")]
    keep_open: bool,
    /// The process id of an application that is already there, in the state of the recording's beginning.
    #[arg(long, value_name = "PID")]
    attach: Option<u32>,
    /// Do only these steps, such as 1-3,7, as `dashcam show` numbers them.
    #[arg(long, value_name = "LIST")]
    steps: Option<Only>,
    /// Wait so many milliseconds for what is expected, instead of what the recording suggests.
    #[arg(long, value_name = "MILLIS", hide = true)]
    patience: Option<u64>,
    /// Only print what would be done for each step, and why.
    #[arg(long)]
    dry_run: bool,
    /// How much of the windows is compared after each step.
    #[arg(long, value_enum, default_value_t)]
    verify: LevelArgument,
    /// Compare with that level only after every so many steps, or after the `last`; the effects of a step are
    /// compared after each.
    #[arg(long, value_name = "N|last", default_value = "1")]
    every: Every,
    /// The baseline for `--verify complete`, captured with `dashcam baseline`.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// A file of the recording that has another name here.
    #[arg(long, value_name = "OLD=NEW", value_parser = parse_map)]
    map_file: Vec<(String, String)>,
    /// Keep the complete state after each step in this file.
    #[arg(long, value_name = "FILE", hide = true)]
    capture: Option<PathBuf>,
    /// Accept steps that nothing could verify: exit with 0 if they are all that keeps the replay from
    /// passing.
    #[arg(long)]
    allow_unverified: bool,
    /// Leave windows at their size. Without it, a window gets its recorded size before something is done at a
    /// point of it.
    #[arg(long)]
    no_resize: bool,
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
    /// Write the steps and the verdict as JUnit XML.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

/// What is replayed, and how: from the command line or a script.
struct Task {
    log: PathBuf,
    app: Vec<String>,
    map: FileMap,
    options: Options,
    /// Whether the application ends with us.
    #[cfg_attr(not(windows), expect(dead_code, reason = "applications need Windows"))]
    is_bound: bool,
}

fn parse_secret(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("a secret is given as NAME=VALUE")?;
    Ok((name.into(), value.into()))
}

fn parse_map(text: &str) -> Result<(String, String), String> {
    let (old, new) = text.split_once('=').ok_or("a file is mapped as OLD=NEW")?;
    if old.is_empty() || new.is_empty() {
        return Err("a file is mapped as OLD=NEW, and both have a name".into());
    }
    Ok((old.into(), new.into()))
}

impl Task {
    fn of(arguments: &Arguments) -> anyhow::Result<Self> {
        let capture = arguments.capture.as_ref().map(|_| Rc::default());
        let is_paced = arguments.speed.is_some();
        let patience = arguments.patience.map(Duration::from_millis);
        if let Some(path) = &arguments.script {
            let script = Script::read(path, String::new())?;
            let work = arguments.work.clone().map_or_else(std::env::current_dir, Ok)?;
            // Capturing, there is nothing yet to compare with.
            let level = if capture.is_some() { Level::Changed } else { script.level() };
            let options = Options {
                secrets: script.secrets(),
                level,
                is_paced,
                is_attached: false,
                every: script.every(),
                rules: script.rules(),
                baseline: baseline(level, Some(&script.baseline()))?,
                expectations: script.expectations().to_vec(),
                crash: script.crash().cloned(),
                capture,
                other: None,
                takes_pictures: arguments.screenshots,
                only: arguments.steps.clone().or(script.only().cloned()),
                patience,
                keeps_size: arguments.no_resize,
                allows_unverified: arguments.allow_unverified || script.allows_unverified(),
            };
            let (log, app) = (script.log()?, script.command(&work)?);
            return Ok(Self { log, app, map: FileMap(script.map_file(&work)?), options, is_bound: true });
        }
        let options = Options {
            secrets: arguments.secret.iter().cloned().collect(),
            level: arguments.verify.into(),
            is_paced,
            is_attached: arguments.attach.is_some(),
            every: arguments.every,
            baseline: baseline(arguments.verify.into(), arguments.baseline.as_deref())?,
            capture,
            takes_pictures: arguments.screenshots,
            only: arguments.steps.clone(),
            patience,
            keeps_size: arguments.no_resize,
            allows_unverified: arguments.allow_unverified,
            ..Options::default()
        };
        let (log, app) = (arguments.log.clone().context("a log is missing")?, arguments.app.clone());
        Ok(Self {
            log,
            app,
            map: FileMap(arguments.map_file.clone()),
            options,
            is_bound: !arguments.keep_open,
        })
    }
}

/// What `complete` compares with.
fn baseline(level: Level, path: Option<&Path>) -> anyhow::Result<Option<Baseline>> {
    match (level, path) {
        (Level::Complete, Some(path)) => baseline_file::read(path).map(Some),
        (Level::Complete, None) => {
            bail!(
                "--verify complete needs a --baseline: write a script and capture one with dashcam baseline"
            )
        }
        _ => Ok(None),
    }
}

pub(crate) fn command(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(path) = &arguments.script {
        let script = Script::read(path, String::new())?;
        if let Some(trace) = script.trace()? {
            return run_trace(arguments, &script, &trace);
        }
    }
    let mut task = Task::of(arguments)?;
    ensure!(
        task.options.level != Level::Complete || !arguments.no_agent,
        "complete verification asks the agent for every property: leave --no-agent out, or compare less"
    );
    let mut recording = recording_file::read(&task.log, &task.map)?;
    let options = &task.options;
    let steps = recording.plan.steps.len();
    if let Some(last) = options.only.as_ref().map(Only::last) {
        ensure!(last <= steps, "there is no step {last}: the log has {steps} steps");
    }
    if arguments.dry_run {
        recording.plan.steps.retain(|step| options.only.as_ref().is_none_or(|only| only.has(step.number)));
        let dry = DryRun::of(&recording, &options.secrets);
        if arguments.json {
            say(&serde_json::to_string_pretty(&serde_json::to_value(dry)?)?)?;
        } else {
            say(dry::text(&dry).trim_end())?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let after = options.expectations.iter().filter_map(|expected| expected.after_step);
    if let Some(after) = after.chain(options.crash.iter().map(|crash| crash.after_step)).max() {
        ensure!(
            after <= steps,
            "the script expects something after step {after}, and the log has {steps} steps"
        );
    }
    let chosen = match ChosenActs::of(&recording, options) {
        Ok(chosen) => chosen,
        Err(verdict) => return tell_end(arguments, &task, &Report::of(verdict), &recording),
    };
    #[cfg(windows)]
    if let Some(done) = hand_over(arguments, &task, &recording)? {
        return Ok(done);
    }
    let mut remarks = Vec::new();
    let (mut driver, name) = match start(arguments, &task, &recording, &mut remarks) {
        Ok(started) => started,
        Err(error) => return refused(arguments, &task, &recording, error),
    };
    task.options.other = recording.program.other(name.as_deref());
    replay(arguments, &task, (&recording, &chosen), driver.as_mut(), remarks)
}

/// A script with a trace instead of a log.
fn run_trace(arguments: &Arguments, script: &Script, trace: &Path) -> anyhow::Result<ExitCode> {
    ensure!(arguments.capture.is_none(), "a baseline is that of a log, not of a trace");
    let work = arguments.work.clone().map_or_else(std::env::current_dir, Ok)?;
    let app = script.command(&work)?;
    #[cfg(windows)]
    if let Some(done) = crate::bitness::hand_over_start(&app[0])? {
        return Ok(done);
    }
    let report = crate::model::test(trace, &app)?;
    if arguments.json {
        say(&serde_json::to_string_pretty(&report)?)?;
    } else {
        let width = report.steps.len().max(1).ilog10() as usize + 1;
        let style = Style { colour: colour(), explain: arguments.explain, width };
        report.steps.iter().try_for_each(|step_report| say(style.step(step_report).trim_end()))?;
        say(style.verdict(&report).trim_end())?;
    }
    Ok(ExitCode::from(report.verdict.exit_code()))
}

/// An application that may not be driven for want of rights is a verdict; one that is not there is bad usage.
fn refused(
    arguments: &Arguments,
    task: &Task,
    recording: &Recording,
    error: anyhow::Error,
) -> anyhow::Result<ExitCode> {
    #[cfg(windows)]
    if let Some(crate::win32::Denied(reason)) = error.downcast_ref() {
        let step = recording.plan.steps.first().map_or(1, |step| step.number);
        let verdict = replay_engine::Verdict::Blocked { step, reason: reason.clone() };
        return tell_end(arguments, task, &Report::of(verdict), recording);
    }
    let _ = (arguments, task, recording);
    Err(error)
}

/// An application to replay in, and the file name of its program.
type Started = (Box<dyn Driver>, Option<String>);

/// Has the `dashcam.exe` of the other bitness do it, if the application is of that.
#[cfg(windows)]
fn hand_over(arguments: &Arguments, task: &Task, recording: &Recording) -> anyhow::Result<Option<ExitCode>> {
    match arguments.attach {
        // One that cannot be opened is told of when it is entered.
        Some(pid) => match crate::win32::Process::open(pid) {
            Ok(process) => crate::bitness::hand_over_running(&process),
            Err(_) => Ok(None),
        },
        None => crate::bitness::hand_over_start(&command_line(task, recording)?[0]),
    }
}

/// The application to replay in, with the recorder inside too.
#[cfg(windows)]
fn start(
    arguments: &Arguments,
    task: &Task,
    recording: &Recording,
    remarks: &mut Vec<String>,
) -> anyhow::Result<Started> {
    use crate::drivers::{LiveDriver, PostingDriver, Trace, Traced};
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
    let command = command_line(task, recording)?;
    let (mut trace, mut bond) = (None, None);
    let prepare = |process: &crate::win32::Process| {
        if task.is_bound {
            bond = Some(process.bind_to_us()?);
        }
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
        Some(trace) => (Box::new(Traced::new(driver, Some(trace), bond)), name),
        None => {
            // Dropped by nobody: the system does it at our end.
            std::mem::forget(bond);
            (driver, name)
        }
    })
}

/// The application to replay in.
#[cfg(not(windows))]
fn start(
    arguments: &Arguments,
    task: &Task,
    recording: &Recording,
    _: &mut Vec<String>,
) -> anyhow::Result<Started> {
    let program = match arguments.attach {
        Some(pid) => format!("in process {pid}"),
        None => command_line(task, recording)?.swap_remove(0),
    };
    anyhow::bail!(
        "replaying needs Windows: use dashcam.exe there or with Wine to replay {program}; --dry-run works everywhere"
    )
}

/// The program to start and its arguments: what the user named, never what the log says.
fn command_line(task: &Task, recording: &Recording) -> anyhow::Result<Vec<String>> {
    if !task.app.is_empty() {
        return Ok(task.app.clone());
    }
    match recording.program.recorded() {
        Some(recorded) => {
            anyhow::bail!(
                "the log is of {recorded}: name the program to start with --app, or a running one with --attach"
            )
        }
        None => anyhow::bail!("the log does not tell which program it is of: name it with --app"),
    }
}

/// Replays, and tells it step by step.
fn replay(
    arguments: &Arguments,
    task: &Task,
    (recording, chosen): (&Recording, &ChosenActs),
    driver: &mut dyn Driver,
    remarks: Vec<String>,
) -> anyhow::Result<ExitCode> {
    let style = style(arguments, recording);
    let mut failed = Ok(());
    let mut watch = |progress: Progress<'_>| match progress {
        Progress::Announcement(text) => eprintln!("{text}"),
        Progress::Step(step_report) if !arguments.json && failed.is_ok() => {
            failed = say(style.step(step_report).trim_end());
        }
        Progress::Step(_) => {}
    };
    // What could not be read the first time was told then.
    let entries =
        log_files::open(&task.log)?.newest().map_while(Result::ok).map(|entry| task.map.entry(entry));
    let mut report =
        replay_engine::run(recording, chosen, entries, driver, &WallClock::new(), &task.options, &mut watch);
    failed?;
    report.remarks.extend(remarks);
    if let (Some(path), Some(captured)) = (&arguments.capture, &task.options.capture) {
        baseline_file::write(&captured.borrow(), path)?;
    }
    tell_end(arguments, task, &report, recording)
}

fn style(arguments: &Arguments, recording: &Recording) -> Style {
    let width = recording.plan.steps.len().max(1).ilog10() as usize + 1;
    Style { colour: colour(), explain: arguments.explain, width }
}

/// The verdict, and the exit code that says it.
fn tell_end(
    arguments: &Arguments,
    task: &Task,
    report: &Report,
    recording: &Recording,
) -> anyhow::Result<ExitCode> {
    if let Some(page) = &arguments.report {
        crate::report::write(&task.log, recording, Some(report), page)?;
    }
    if let Some(path) = &arguments.junit {
        let log = arguments.log.as_ref().or(arguments.script.as_ref());
        let name = log.and_then(|log| log.file_stem()).unwrap_or_default().to_string_lossy().into_owned();
        std::fs::write(path, junit::of_replay(&name, report)?)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if arguments.json {
        say(&serde_json::to_string_pretty(report)?)?;
    } else {
        say(style(arguments, recording).verdict(report).trim_end())?;
    }
    Ok(ExitCode::from(report.verdict.exit_code()))
}
