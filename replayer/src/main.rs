//! The `dashcam` command.
//!
//! | question | file |
//! |---|---|
//! | which files are a log? | `log_files.rs` |
//! | what is in it, and what is wrong with it? | `check.rs` |
//! | how does it become one file? | `export.rs` |
//!
//! Exit codes: 0 all is well, 1 a log with losses (`check`), 2 bad usage or nothing that can be read.

mod check;
mod export;
mod log_files;
mod output;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// A dashcam for Windows desktop applications.
///
/// LOG is a folder of segments, one XML file, an exported file, a ring file, or a host's trace with `UL:` lines.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Tell what a log holds and what is wrong with it: damage, gaps, masked fields.
    Check {
        /// The log.
        log: PathBuf,
        /// For programs.
        #[arg(long)]
        json: bool,
        /// List every damage, not only the first ones.
        #[arg(long)]
        all: bool,
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

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Check { log, json, all } => check::run(&log, json, all),
        Command::Export { log, output, force, json } => export::run(&log, &output, force, json),
    };
    done.unwrap_or_else(|error| {
        eprintln!("dashcam: {error:#}");
        ExitCode::from(2)
    })
}
