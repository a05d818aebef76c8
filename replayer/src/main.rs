//! The `dashcam` command.
//!
//! | question | file |
//! |---|---|
//! | which files are a log? | `log_files.rs` |
//! | which files does a name with a star stand for? | `wildcards.rs` |
//! | what is in it, and what is wrong with it? | `check.rs` |
//! | are a customer's own words in it? | `secrets.rs` |
//! | what did the user do, in words? | `show.rs` |
//! | how do the steps happen again? | `replay/`, with `drivers/` |
//! | what is the recording of a log? | `recording_file.rs` |
//! | what does a regression script say? | `script/` |
//! | how does it all look? | `report/` |
//! | how is the program used, and which sessions follow from that? | `model/` |
//! | how are baselines read and written? | `baseline_file.rs` |
//! | how do recordings become tests? | `suite/` |
//! | which steps does a failure need? | `minimize/` |
//! | which windows were there at a moment? | `tree.rs` |
//! | do the messages tell what the keyframes show? | `fidelity.rs` |
//! | how does it become one file? | `export.rs` |
//! | how does the recorder get into a program? | `run.rs`, `win32.rs` |
//! | and into one of the other bitness? | `bitness.rs` |
//! | what would keep it from working? | `doctor/` |
//! | whose are the options behind `--app`? | `behind_app.rs` |
//! | what does `--help` say beyond the options? | `help.rs` |
//! | what do the installer and the SDK need of it? | `path_entry.rs`, `help_files.rs` |
//!
//! Exit codes: 0 all is well, 1 a log with losses (`check`, `show`), words found (`check --secrets`) or a
//! replay that went otherwise, 2 bad usage or nothing that can be read.

mod baseline_file;
mod behind_app;
#[cfg(windows)]
mod bitness;
mod check;
mod doctor;
#[cfg(windows)]
mod drivers;
mod export;
mod fidelity;
mod help;
mod help_files;
mod log_files;
mod minimize;
mod model;
mod output;
#[cfg(windows)]
mod path_entry;
mod recording_file;
mod replay;
mod report;
#[cfg(windows)]
mod run;
mod script;
mod secrets;
mod show;
mod suite;
mod text_file;
mod tree;
mod wildcards;
#[cfg(windows)]
mod win32;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// A dashcam for Windows desktop applications.
///
/// LOG is a folder of segments, one XML file, an exported file, a ring file, or a host's trace
/// with `UL:` lines.
#[derive(Parser)]
#[command(version, arg_required_else_help = true, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Start a program with the recorder inside, and wait for its end; its exit code is ours.
    Run {
        #[command(flatten)]
        recording: RecordingArguments,
        /// The program and its arguments, behind `--`.
        #[arg(last = true, required = true)]
        command: Vec<String>,
    },
    /// Bring the recorder into a running program.
    #[command(group(clap::ArgGroup::new("which").required(true)))]
    Attach {
        #[command(flatten)]
        recording: RecordingArguments,
        /// The program's process id.
        #[arg(long, group = "which")]
        pid: Option<u32>,
        /// The class of one of its windows.
        #[arg(long, value_name = "CLASS", group = "which")]
        window: Option<String>,
    },
    /// Tell what a log holds and what is wrong with it: damage, gaps, masked fields, and whether its messages
    /// tell the windows that its keyframes show.
    Check {
        /// The log: a folder, an .xml, a .dashcam, a .ring, or a trace with `UL:` lines.
        log: PathBuf,
        /// For programs.
        #[arg(long)]
        json: bool,
        /// List every damage and difference, not only the first ones.
        #[arg(long)]
        all: bool,
        /// Look for your own words, one per line of this file, before you send the log; found ones are named
        /// by their line only.
        #[arg(long, value_name = "FILE")]
        secrets: Option<PathBuf>,
    },
    /// Tell what the user did, step by step, in words.
    Show {
        /// The log: a folder, an .xml, a .dashcam, a .ring, or a trace with `UL:` lines.
        log: PathBuf,
        /// For programs: steps with targets, messages and effects.
        #[arg(long)]
        json: bool,
    },
    /// Do again what the user did, step by step, and verify each step.
    Replay(Box<replay::Arguments>),
    /// Write a page to look at: each step with its windows, messages and what a replay made of it.
    Report(report::Arguments),
    /// Usage models, state machines and traces: how a program is used, and sessions made of that.
    #[command(subcommand)]
    Model(model::Command),
    /// Run regression scripts, side by side.
    Test(suite::test::Arguments),
    /// Capture the complete state after each step of a script, and find out what is volatile.
    Baseline(suite::baseline::Arguments),
    /// Accept an application that has changed: show the difference, and expect it from now on.
    Bless(suite::bless::Arguments),
    /// Remove the steps that a failure does not need, and pin the rest as a regression script.
    Minimize(minimize::Arguments),
    /// Join the results of several shards.
    Merge(suite::merge::Arguments),
    /// Show the windows of a log at a moment.
    Tree {
        /// The log: a folder, an .xml, a .dashcam, a .ring, or a trace with `UL:` lines.
        log: PathBuf,
        /// After this step, as `dashcam show` numbers them; 0 is before the first. Without it, at the end.
        #[arg(long, value_name = "N")]
        at: Option<usize>,
        /// After this many events of the log.
        #[arg(long, value_name = "N", conflicts_with = "at")]
        event: Option<u64>,
        /// For programs.
        #[arg(long)]
        json: bool,
    },
    /// Find out what would keep Dashcam from working here, or with a program.
    Doctor(doctor::Arguments),
    /// Put a folder into the PATH that new programs see, or take it out.
    #[cfg(windows)]
    #[command(hide = true)]
    PathEntry(path_entry::Arguments),
    /// Write man pages and shell completions.
    #[command(hide = true)]
    HelpFiles {
        /// The folder to write them to.
        folder: PathBuf,
    },
    /// Do to a program what the lines of a script say, as a replay would.
    #[cfg(windows)]
    #[command(hide = true)]
    Drive {
        /// Lines of JSON.
        script: PathBuf,
        /// By posting alone.
        #[arg(long)]
        no_agent: bool,
        /// A running program instead of one to start.
        #[arg(long)]
        attach: Option<u32>,
        /// The program and its arguments.
        #[arg(last = true, required_unless_present = "attach")]
        command: Vec<String>,
    },
    /// Recover the newest session of a log and pack it into one file.
    Export {
        /// The log, usually the folder the recorder writes to.
        log: PathBuf,
        /// The file to write, such as `bug.dashcam`.
        #[arg(short, long)]
        output: PathBuf,
        /// Write over an existing file.
        #[arg(long)]
        force: bool,
        /// For programs: print the manifest.
        #[arg(long)]
        json: bool,
    },
}

#[derive(clap::Args)]
struct RecordingArguments {
    /// The folder of the log. Default: below the user's local application data.
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    /// How long the log reaches back, such as 90s, 30m, 8h or 1d. Default: a day; never more than 64 MiB.
    #[arg(long, value_parser = parse_duration)]
    retention: Option<u64>,
}

#[cfg(windows)]
impl From<RecordingArguments> for run::Recording {
    fn from(arguments: RecordingArguments) -> Self {
        Self { folder: arguments.log, retention: arguments.retention }
    }
}

/// Seconds of a number with a unit.
fn parse_duration(text: &str) -> Result<u64, String> {
    let unit = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let seconds = match &text[unit..] {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        _ => return Err("a number with a unit is needed: 90s, 30m, 8h, 1d".into()),
    };
    let number: u64 = text[..unit].parse().map_err(|_| "the number is missing or too large".to_string())?;
    match number.checked_mul(seconds) {
        Some(total @ 1..=4_294_967_295) => Ok(total),
        _ => Err("between a second and a century, please".into()),
    }
}

fn main() -> ExitCode {
    let command = help::with_examples(Arguments::command());
    let given: Vec<_> = std::env::args_os().collect();
    let matches = help::parse(&command, &given).unwrap_or_else(|error| error.exit());
    if let Some(note) = behind_app::note(&command, &matches) {
        eprintln!("dashcam: {note}");
    }
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let done = match arguments.command {
        #[cfg(windows)]
        Command::Run { recording, command } => run::run(&recording.into(), &command),
        #[cfg(windows)]
        Command::Attach { recording, pid, window } => run::attach(&recording.into(), pid, window.as_deref()),
        #[cfg(not(windows))]
        Command::Run { .. } | Command::Attach { .. } => {
            Err(anyhow::anyhow!("recording needs Windows: use dashcam.exe there, or with Wine"))
        }
        #[cfg(windows)]
        Command::Drive { script, no_agent, attach, command } => {
            drivers::drive::run(&script, no_agent, attach, &command)
        }
        Command::Doctor(arguments) => doctor::command(&arguments),
        #[cfg(windows)]
        Command::PathEntry(arguments) => path_entry::command(&arguments),
        Command::HelpFiles { folder } => {
            help_files::command(&help::with_examples(Arguments::command()), &folder)
        }
        Command::Check { log, json, all, secrets } => check::run(&log, json, all, secrets.as_deref()),
        Command::Show { log, json } => show::run(&log, json),
        Command::Replay(arguments) => replay::command(&arguments),
        Command::Report(arguments) => report::command(&arguments),
        Command::Model(command) => model::command(&command),
        Command::Test(arguments) => suite::test::command(&arguments),
        Command::Baseline(arguments) => suite::baseline::command(&arguments),
        Command::Bless(arguments) => suite::bless::command(&arguments),
        Command::Minimize(arguments) => minimize::command(&arguments),
        Command::Merge(arguments) => suite::merge::command(&arguments),
        Command::Tree { log, at, event, json } => {
            let moment =
                at.map(tree::Moment::Step).or(event.map(tree::Moment::Event)).unwrap_or(tree::Moment::End);
            tree::run(&log, moment, json)
        }
        Command::Export { log, output, force, json } => export::run(&log, &output, force, json),
    };
    done.unwrap_or_else(|error| {
        eprintln!("dashcam: {error:#}{}", output::remedy(&error));
        ExitCode::from(2)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit() {
        assert_eq!(
            ["90s", "30m", "8h", "1d"].map(|t| parse_duration(t).unwrap()),
            [90, 1800, 28_800, 86_400]
        );
        for bad in ["", "5", "d", "-1d", "1w", "0s", "99999999999999999999s", "999999d"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }
}
