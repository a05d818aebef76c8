//! `dashcam model`: how a program is used, by people or by design, and sessions made of it. The crate
//! `scenario` knows how; here are files and words.
//!
//! | question | file |
//! |---|---|
//! | which kind of file is it? | `file.rs` |
//! | state machines: check, walk | `machine.rs` |
//! | usage models: train and the rest | `usage.rs` |
//! | sessions done to a program | `run.rs`, `live.rs` |
//! | sessions as tests of a suite | `test.rs` |
//! | how does a log become what a model keeps? | `learn.rs`, `widgets.rs` |

mod file;
mod learn;
mod live;
mod machine;
mod run;
mod test;
mod usage;
mod widgets;

pub(crate) use file::traces;
pub(crate) use test::test;

use crate::wildcards::expand;
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
    /// Draw a state machine or a usage model: SVG, or DOT for Graphviz.
    Draw {
        /// What is drawn.
        file: PathBuf,
        /// The picture; what its name ends in (.svg, .dot) says which kind. Without it, SVG to
        /// standard output.
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
    /// Do to a program what a state machine, a usage model or a trace file says.
    Run {
        /// A state machine, a usage model, or a file with traces (.trace).
        file: PathBuf,
        #[command(flatten)]
        how: Running,
    },
    /// Learn how a program is used, from any number of logs.
    Train {
        /// Logs, or models that were learnt before.
        #[arg(required = true)]
        logs: Vec<PathBuf>,
        /// The model to write.
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Tell how a program is used: most and never used features, typical paths, where users give up, times.
    Stats {
        /// Models or logs.
        #[arg(required = true)]
        models: Vec<PathBuf>,
        /// Logs that were not learnt: which kind of model foresees them best?
        #[arg(long, num_args = 1..)]
        held_out: Vec<PathBuf>,
        /// For programs.
        #[arg(long)]
        json: bool,
    },
    /// Make sessions that users could have had, as traces.
    Generate {
        /// A model or a log.
        model: PathBuf,
        #[command(flatten)]
        how: Generating,
        /// Write each session into this folder as a file of its own, instead of printing it.
        #[arg(short, long, value_name = "DIR")]
        output: Option<PathBuf>,
        /// Write a script beside each that runs it in this program: `dashcam test DIR` takes them. All that
        /// follows is the program's.
        #[arg(long, value_name = "APP", num_args = 1.., allow_hyphen_values = true, requires = "output")]
        app: Vec<String>,
    },
    /// How much of the use does a suite of recorded tests cover, what is used often weighing much?
    Coverage {
        /// A model or a log.
        model: PathBuf,
        /// The suite's logs.
        #[arg(required = true)]
        suite: Vec<PathBuf>,
    },
    /// How likely is a session, step by step?
    Probability {
        /// A model or a log.
        model: PathBuf,
        /// The session.
        log: PathBuf,
        /// The kind of model.
        #[arg(long, value_enum, default_value_t)]
        kind: ModelKind,
        /// How many steps it looks back.
        #[arg(long, default_value_t = 3)]
        order: usize,
    },
    /// How does the use of one version differ from that of another?
    Compare {
        /// A model or a log.
        first: PathBuf,
        /// Another one.
        second: PathBuf,
        /// For programs.
        #[arg(long)]
        json: bool,
    },
}

/// How sessions are run.
#[derive(Debug, clap::Args)]
pub(crate) struct Running {
    #[command(flatten)]
    walking: Walking,
    /// Go on until the program crashes, but not beyond so many events.
    #[arg(long, value_name = "EVENTS", conflicts_with_all = ["number", "cover"])]
    hunt: Option<usize>,
    /// Write what was executed into this folder: of each session a trace, and a log that
    /// `dashcam replay` takes.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// The program to start, with its arguments; all that follows is theirs.
    #[arg(long, value_name = "APP", num_args = 1.., allow_hyphen_values = true, required = true)]
    app: Vec<String>,
}

/// How sessions are made.
#[derive(Debug, clap::Args)]
pub(crate) struct Generating {
    /// How many sessions.
    #[arg(short = 'n', long = "number", default_value_t = 10, value_parser = at_least_one)]
    number: usize,
    /// How many steps at the most; with `--sessions all`, exactly.
    #[arg(long, default_value_t = 20, value_parser = at_least_one)]
    length: usize,
    /// The same seed makes the same sessions.
    #[arg(long)]
    seed: Option<u64>,
    /// How the next step is chosen.
    #[arg(long, value_enum, default_value_t)]
    sessions: Sessions,
    /// The kind of model.
    #[arg(long, value_enum, default_value_t)]
    kind: ModelKind,
    /// How many steps it looks back.
    #[arg(long, default_value_t = 2)]
    order: usize,
}

impl Generating {
    fn kind(&self) -> scenario::usage::Kind {
        self.kind.kind(self.order)
    }
}

/// How the next step is chosen among those that users took.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Sessions {
    /// Each as likely as any other.
    Random,
    /// As likely as the model says.
    #[default]
    Probable,
    /// What covers most of the use that is not covered yet.
    Greedy,
    /// All sessions of one length.
    All,
}

/// A kind of usage model.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum ModelKind {
    /// A Markov chain.
    Chain,
    /// Prediction by partial match.
    #[default]
    Ppm,
    /// Context-tree weighting.
    Ctw,
}

impl ModelKind {
    fn kind(self, order: usize) -> scenario::usage::Kind {
        use scenario::usage::Kind;
        // Longer contexts than these are never seen twice.
        let order = order.min(16);
        match self {
            Self::Chain => Kind::Chain(order),
            Self::Ppm => Kind::Ppm(order),
            Self::Ctw => Kind::Ctw(order),
        }
    }
}

/// How to walk.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Walking {
    /// How many sessions.
    #[arg(short = 'n', long = "number", default_value_t = 1, value_parser = at_least_one, conflicts_with = "cover")]
    number: usize,
    /// How long each is: transitions of a machine before a final state is looked for, steps of a usage model.
    #[arg(long, default_value_t = 20)]
    length: usize,
    /// The same seed makes the same sessions.
    #[arg(long)]
    seed: Option<u64>,
    /// Of a state machine: as many sessions as it takes to pass all of these.
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
        Command::Run { file, how } => run::run(file, how),
        Command::Train { logs, output } => usage::train(&expand(logs)?, output),
        Command::Stats { models, held_out, json } => {
            usage::stats(&expand(models)?, &expand(held_out)?, *json)
        }
        Command::Generate { model, how, output, app } => {
            usage::generate(model, how, output.as_deref().map(|folder| (folder, app.as_slice())))
        }
        Command::Coverage { model, suite } => usage::coverage(model, &expand(suite)?),
        Command::Probability { model, log, kind, order } => usage::probability(model, log, *kind, *order),
        Command::Compare { first, second, json } => usage::compare(first, second, *json),
    }
}

/// None at all is a slip: nothing would be done, and nothing fail.
fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("1 is the least".into()),
        Ok(number) => Ok(number),
        Err(_) => Err("a number is needed".into()),
    }
}

/// The seed that was asked for, or one that nobody has had.
fn seed(asked: Option<u64>) -> u64 {
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    asked.unwrap_or_else(|| now().as_nanos() as u64 % 1_000_000_000)
}
