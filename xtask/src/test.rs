//! Runs all checks and tests as named steps.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};
use harness::Desktop;

use crate::e2e::Tests;
use crate::progress::Progress;
use crate::{build, cargo, dist, docs, setup, structure};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Run only tests whose name contains this or whose file has this name, and no other steps
    filter: Option<String>,
    /// Also run the long tests
    #[arg(long)]
    long: bool,
    /// Run only this step (repeatable)
    #[arg(long, value_name = "STEP")]
    only: Vec<Step>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Step {
    /// The code is formatted
    Fmt,
    /// Definitions, dependencies and comments are where they belong
    Structure,
    /// No warnings on this system
    Clippy,
    /// No warnings on Windows
    ClippyWindows,
    /// It compiles for the MSVC target
    CheckMsvc,
    /// It compiles for 32-bit Windows
    CheckX86,
    /// The documentation of the code builds
    Doc,
    /// The book builds and its links are valid
    Docs,
    /// Tests that need no desktop
    Unit,
    /// Tests of real programs on a desktop
    E2e,
}

impl Step {
    /// On Windows, the steps for the host are the Windows steps.
    const ALL: &[Step] = if cfg!(windows) {
        &[
            Step::Fmt,
            Step::Structure,
            Step::Clippy,
            Step::CheckX86,
            Step::Doc,
            Step::Docs,
            Step::Unit,
            Step::E2e,
        ]
    } else {
        &[
            Step::Fmt,
            Step::Structure,
            Step::Clippy,
            Step::ClippyWindows,
            Step::CheckMsvc,
            Step::CheckX86,
            Step::Doc,
            Step::Docs,
            Step::Unit,
            Step::E2e,
        ]
    };

    /// Steps that only compile and read. The end-to-end tests leave them enough of two processors.
    const BESIDE: &[Step] = &[Step::ClippyWindows, Step::CheckMsvc, Step::CheckX86, Step::Doc, Step::Docs];

    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    fn run(self, options: &Options) -> Result<()> {
        const GNU: &str = "x86_64-pc-windows-gnu";
        const MSVC: &str = "x86_64-pc-windows-msvc";
        let x86 = if cfg!(all(windows, target_env = "msvc")) {
            "i686-pc-windows-msvc"
        } else {
            "i686-pc-windows-gnu"
        };
        let clippy = ["clippy", "--workspace", "--all-targets"];
        let check = ["check", "--workspace", "--all-targets"];
        match self {
            Step::Fmt => cargo::run(&["fmt", "--all", "--check"]),
            Step::Structure => structure::run(),
            Step::Clippy => cargo::run(&[&clippy[..], &["--", "-D", "warnings"]].concat()),
            Step::ClippyWindows => {
                cargo::run(&[&clippy[..], &["--target", GNU, "--", "-D", "warnings"]].concat())
            }
            Step::CheckMsvc => cargo::run(&[&check[..], &["--target", MSVC]].concat()),
            Step::CheckX86 => cargo::run(&[&check[..], &["--target", x86]].concat()),
            Step::Doc => {
                let mut command =
                    cargo::command(&["doc", "--workspace", "--no-deps", "--document-private-items"]);
                cargo::check(command.env("RUSTDOCFLAGS", "-D warnings"))
            }
            Step::Docs => docs::run(),
            Step::Unit => {
                cargo::run(&[&["test"], &options.filter()[..], &["--"], &options.harness_options()].concat())
            }
            Step::E2e => run_e2e(options, &[]),
        }
    }
}

impl Options {
    /// The steps that run one after the other, and those that run while the end-to-end tests do.
    fn in_turn_and_beside(&self) -> (Vec<Step>, Vec<Step>) {
        match (&self.only[..], &self.filter) {
            ([], None) => Step::ALL.iter().partition(|step| !Step::BESIDE.contains(step)),
            ([], Some(_)) => (vec![Step::Unit, Step::E2e], Vec::new()),
            (chosen, _) => (chosen.to_vec(), Vec::new()),
        }
    }

    fn filter(&self) -> Vec<&str> {
        self.filter.iter().map(String::as_str).collect()
    }

    fn harness_options(&self) -> Vec<&str> {
        if self.long { vec!["--include-ignored"] } else { vec![] }
    }

    /// The command that runs one step again.
    fn repeat(&self, step: Step) -> String {
        let filter = self.filter.iter().map(|filter| format!(" {filter}")).collect::<String>();
        let long = if self.long { " --long" } else { "" };
        format!("cargo xtask test --only {}{long}{filter}", step.name())
    }
}

/// Runs the steps in order and stops at the first that fails.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut done: Vec<(String, Duration)> = Vec::new();
    timed("setup", &mut done, || setup::run(setup::Kit::All, &Progress::new("setup")))?;
    let (in_turn, beside) = options.in_turn_and_beside();
    for step in in_turn {
        let run = || if step == Step::E2e { run_e2e(options, &beside) } else { step.run(options) };
        if let Err(error) = timed(&step.name(), &mut done, run) {
            bail!("step {} failed: {error:#}\nrepeat it alone with: {}", step.name(), options.repeat(step));
        }
    }
    println!("\nall passed");
    for (name, duration) in done {
        println!("  {name:<16} {:>7.1} s", duration.as_secs_f64());
    }
    Ok(())
}

fn timed(name: &str, done: &mut Vec<(String, Duration)>, step: impl FnOnce() -> Result<()>) -> Result<()> {
    println!("\n=== {name}");
    let start = Instant::now();
    step()?;
    done.push((name.to_owned(), start.elapsed()));
    println!("=== {name}: {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Runs the end-to-end tests, and these steps while the tests wait for their programs.
fn run_e2e(options: &Options, beside: &[Step]) -> Result<()> {
    let progress = Progress::new("build");
    build::run(build::Purpose::Tests, &progress)?;
    build::faults_dll(&progress)?;
    if cfg!(target_os = "linux") {
        dist::quick()?;
    }
    let desktop = Desktop::start_private()?;
    // What only Windows can run, under Wine by cargo's runner.
    let target = if cfg!(windows) { vec![] } else { vec!["--target", "x86_64-pc-windows-gnu"] };
    let inside = ["test", "--package", "hook-dll", "--package", "dashcam", "--lib", "--bins"];
    let inside = [&inside[..], &target[..], &options.filter()[..]].concat();
    cargo::check(cargo::command(&inside).envs(desktop.environment()))?;
    drop(desktop);
    let tests = Tests::compile(options.filter.as_deref(), options.long)?;
    // Asked for by a name alone, it may be that of a unit test.
    if let (Some(filter), [Step::E2e]) = (&options.filter, &options.only[..]) {
        ensure!(
            !tests.is_empty(),
            "no end-to-end test and no file with end-to-end tests has this name: {filter}"
        );
    }
    std::thread::scope(|scope| {
        let others = scope.spawn(|| run_beside(beside));
        let outcome = tests.run();
        let others = others.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        outcome.and(others)
    })
}

/// Runs steps in a process of their own that yields to everything else.
fn run_beside(steps: &[Step]) -> Result<()> {
    if steps.is_empty() {
        return Ok(());
    }
    let this = std::env::current_exe()?;
    let mut command = if cfg!(windows) { Command::new(&this) } else { Command::new("nice") };
    if !cfg!(windows) {
        command.arg("-n19").arg(&this);
    }
    let names: Vec<String> = steps.iter().map(|step| step.name()).collect();
    command.arg("test").args(names.iter().flat_map(|name| ["--only", name]));
    let title = format!("{} (beside the end-to-end tests)", names.join(", "));
    Progress::new("beside").stage(&title, &mut command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_runs_once() {
        let all = Options { filter: None, long: false, only: Vec::new() };
        let (in_turn, beside) = all.in_turn_and_beside();
        assert_eq!(in_turn.last(), Some(&Step::E2e));
        let mut together: Vec<String> = in_turn.iter().chain(&beside).map(|step| step.name()).collect();
        let mut every: Vec<String> = Step::ALL.iter().map(|step| step.name()).collect();
        together.sort();
        every.sort();
        assert_eq!(together, every);
    }

    #[test]
    fn chosen_steps_run_in_turn() {
        let chosen = Options { filter: None, long: false, only: vec![Step::Doc, Step::E2e] };
        assert_eq!(chosen.in_turn_and_beside(), (vec![Step::Doc, Step::E2e], Vec::new()));
    }
}
