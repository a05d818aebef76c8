//! `dashcam model`: how a program is used, by people or by design, and sessions made of it. The crate `scenario` knows how; here are files and words.
//!
//! | question | file |
//! |---|---|
//! | which kind of file is it? | `file.rs` |
//! | state machines: check, draw, walk | `machine.rs` |

mod file;
mod machine;

use clap::{Subcommand, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;

/// What `dashcam model` is told.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say whether a state machine is sound.
    Check {
        /// A state machine.
        file: PathBuf,
    },
    /// Draw a state machine: SVG, or DOT for Graphviz.
    Draw {
        /// What is drawn.
        file: PathBuf,
        /// The picture; what its name ends in (.svg, .dot) says which kind. Without it, SVG to standard output.
        #[arg(short, long)]
        output: Option<PathBuf>,
        /// DOT instead of SVG.
        #[arg(long)]
        dot: bool,
    },
    /// Walk through a state machine and print what would be done: a trace that can be run.
    Walk {
        /// A state machine.
        file: PathBuf,
        #[command(flatten)]
        walking: Walking,
        /// Write each walk into this folder as a file of its own, instead of printing it.
        #[arg(short, long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
}

/// How to walk.
#[derive(Debug, clap::Args)]
pub(crate) struct Walking {
    /// How many walks.
    #[arg(short = 'n', long = "number", default_value_t = 1, conflicts_with = "cover")]
    number: usize,
    /// How many transitions before a final state is looked for.
    #[arg(long, default_value_t = 20)]
    length: usize,
    /// The same seed makes the same walks.
    #[arg(long)]
    seed: Option<u64>,
    /// As many walks as it takes to pass all of these.
    #[arg(long, value_enum)]
    cover: Option<Goal>,
    /// Let the file run commands of the shell.
    #[arg(long)]
    allow_shell: bool,
}

/// What is to be covered.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Goal {
    States,
    Transitions,
    Pairs,
}

pub(crate) fn command(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Check { file } => machine::check(file),
        Command::Draw { file, output, dot } => file::draw(file, output.as_deref(), *dot),
        Command::Walk { file, walking, output } => machine::walk(file, walking, output.as_deref()),
    }
}

/// The seed that was asked for, or one that nobody has had.
fn seed(asked: Option<u64>) -> u64 {
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    asked.unwrap_or_else(|| now().as_nanos() as u64 % 1_000_000_000)
}
