//! Dashcam's developer commands: `cargo xtask help` lists them.

mod actions;
mod bench;
mod build;
mod cargo;
mod demo;
mod desktop;
mod dist;
mod docs;
mod e2e;
mod hunt;
mod machine;
mod performance;
mod plot;
mod progress;
mod replays;
#[cfg(not(windows))]
mod reports;
mod row;
mod samples;
mod setup;
mod slowdown;
mod startup;
mod structure;
mod subjects;
mod test;
mod wine;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use progress::Progress;
use setup::mdbook::Origin;

/// Dashcam's developer commands. Each installs the tools it needs.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Install everything that the other commands need
    Setup,
    /// Build everything into target/dashcam
    Build,
    /// Run all checks and tests
    Test(test::Options),
    /// Run the benchmarks and print their table
    Bench(bench::Options),
    /// Record, crash and replay a sample program
    Demo(demo::Options),
    /// Search for the invoice sample's planted crash with four methods and update
    /// docs/scenarios.md (15 minutes)
    Hunt(hunt::Options),
    /// Build the SDK, the setup program and the symbols for release
    Dist(dist::Options),
    /// Build the documentation as a book and check its links
    Docs,
    /// Write the list of every file into ARCHITECTURE.md
    Map,
    /// Run a Windows program and return its exit code
    Wine(wine::Options),
    /// Print the environment of the project's desktop, starting it if needed
    Desktop(desktop::Options),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Setup => run_setup(),
        Command::Build => build::run(build::Purpose::Tests, &Progress::new("build")),
        Command::Test(options) => test::run(&options),
        Command::Bench(options) => bench::run(&options),
        Command::Demo(options) => demo::run(&options),
        Command::Hunt(options) => hunt::run(&options),
        Command::Dist(options) => dist::run(&options),
        Command::Docs => docs::run(),
        Command::Map => structure::map::write(),
        Command::Wine(options) => return wine::run(&options),
        Command::Desktop(options) => desktop::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run_setup() -> anyhow::Result<()> {
    let progress = Progress::new("setup");
    setup::run(setup::Kit::All, &progress)?;
    setup::mdbook::install(Origin::Prebuilt, &progress).map(drop)
}
