//! `dashcam doctor`: what would keep Dashcam from working here, or with a certain program. One line for each
//! check, with what to do.
//!
//! | question | file |
//! |---|---|
//! | what is told, and how? | `finding.rs` |
//! | what does a program's file say? | `binary.rs` |
//! | what is looked at and tried? | `checks.rs` |

#[cfg(windows)]
mod binary;
#[cfg(windows)]
mod checks;
#[cfg(windows)]
mod finding;

use std::path::PathBuf;
use std::process::ExitCode;

/// What `dashcam doctor` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The program to be recorded or replayed: a file, or a name that is found in the PATH.
    app: Option<String>,
    /// A running program, by its process id.
    #[arg(long, conflicts_with = "app")]
    pid: Option<u32>,
    /// The folder that logs are to go to. Default: below the user's local application data.
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    /// For programs.
    #[arg(long)]
    json: bool,
}

#[cfg(not(windows))]
pub(crate) fn command(_: &Arguments) -> anyhow::Result<ExitCode> {
    anyhow::bail!(
        "the doctor looks at Windows: use dashcam.exe there, or with Wine; on this system logs can be exported, shown, checked and reported, and that needs nothing else"
    )
}

#[cfg(windows)]
pub(crate) fn command(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    finding::tell(&checks::all(arguments)?, arguments.json)
}
