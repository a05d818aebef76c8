//! `dashcam model run`: sessions of a state machine, a usage model or a trace file, done to a program.

use super::live::Live;
use super::{Running, file, machine, seed, usage};
use crate::output::say;
use anyhow::{Context, anyhow, bail};
use fastrand::Rng;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use scenario::{Application as _, Execution, Life, Outcome, Trace, execute};
use std::path::Path;
use std::process::ExitCode;

/// How often a failing trace is executed again to make it shorter.
const SHRINKING: usize = 60;

pub(super) fn run(path: &Path, how: &Running) -> anyhow::Result<ExitCode> {
    let seed = seed(how.seed);
    let mut rng = Rng::with_seed(seed);
    let mut sessions = Sessions::of(path, how, &mut rng)?;
    let mut live = start(how)?;
    if let Some(folder) = &how.output {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let (mut events, mut failed) = (0, 0);
    for number in 1..=sessions.len() {
        if number > 1 {
            if let Life::Crashed(report) = live.alive() {
                say(&format!("the application had crashed ({report}) and is started again"))?;
            }
            live.restart().map_err(anyhow::Error::msg)?;
        }
        let mut tree = sessions.next(&mut rng)?;
        let trace = tree.current();
        let execution = execute(&trace, &mut live, &mut Rng::with_seed(seed));
        events += execution.executed.len();
        say(&format!(
            "session {number} of seed {seed}: {} ({} events)",
            execution.outcome,
            execution.executed.len()
        ))?;
        let failure = !execution.outcome.is_success();
        failed += usize::from(failure);
        keep(how, number, &execution, "executed")?;
        if failure && sessions.can_shrink() {
            let shrunk = shrink(&mut tree, &execution, &mut live, seed)?;
            say(&format!("shortest that ends so: {shrunk}"))?;
        }
    }
    let noun = if sessions.len() == 1 { "session" } else { "sessions" };
    say(&format!("{} {noun}, {events} events, {failed} failed", sessions.len()))?;
    Ok(ExitCode::from(u8::from(failed > 0)))
}

fn keep(how: &Running, number: usize, execution: &Execution, name: &str) -> anyhow::Result<()> {
    let Some(folder) = &how.output else { return Ok(()) };
    let text = format!("# {}\n{}", execution.outcome, execution.trace().to_file());
    file::write(&folder.join(format!("{name}-{number:03}.trace")), &text)
}

/// Shortens a trace as long as it ends in the same way.
fn shrink(tree: &mut Tree, first: &Execution, live: &mut Live<'_>, seed: u64) -> anyhow::Result<Trace> {
    let mut best = tree.current();
    let is_same =
        |outcome: &Outcome| std::mem::discriminant(outcome) == std::mem::discriminant(&first.outcome);
    let mut goes_on = tree.simplify();
    for _ in 0..SHRINKING {
        if !goes_on {
            break;
        }
        live.restart().map_err(anyhow::Error::msg)?;
        let trace = tree.current();
        let outcome = execute(&trace, live, &mut Rng::with_seed(seed)).outcome;
        goes_on = if is_same(&outcome) {
            best = trace;
            tree.simplify()
        } else {
            tree.complicate()
        };
    }
    Ok(best)
}

type Tree = Box<dyn proptest::strategy::ValueTree<Value = Trace>>;

/// Where sessions come from.
enum Sessions {
    /// These.
    Traces(Vec<Trace>, usize),
    /// As many of a set as are wanted.
    Generated(Box<scenario::Generator>, Box<TestRunner>, usize),
}

impl Sessions {
    fn of(path: &Path, how: &Running, rng: &mut Rng) -> anyhow::Result<Self> {
        if usage::is_model(path) {
            let model = usage::open(path)?;
            let way = scenario::usage::Way::Probable;
            let kind = scenario::usage::Kind::Ppm(2);
            let sessions = scenario::usage::generate(&model, kind, way, how.number, how.length, rng);
            let traces: Vec<Trace> = sessions.iter().map(|session| session.trace(&model, rng)).collect();
            if traces.is_empty() {
                bail!("no session can be made of this model: no log begins at the program's start");
            }
            return Ok(Self::Traces(traces, 0));
        }
        if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("trace")) {
            let text = file::read(path)?;
            let generator = scenario::read(&text)
                .map_err(|wrong| anyhow!("{}: {}", path.display(), wrong.show(&text)))?;
            if let Some(trace) = generator.only() {
                return Ok(Self::Traces(vec![trace], 0));
            }
            let mut bytes = [0; 32];
            rng.fill(&mut bytes);
            let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
            let runner = TestRunner::new_with_rng(Config::default(), rng);
            return Ok(Self::Generated(Box::new(generator), Box::new(runner), how.number));
        }
        let machine = machine::open_sound(path, how.allow_shell)?;
        let walks = (0..how.number).filter_map(|_| scenario::machine::walk(&machine, how.length, rng));
        let walks: Vec<_> = walks.collect();
        Ok(Self::Traces(
            walks.iter().map(|walk| scenario::machine::session(&machine, walk, rng)).collect(),
            0,
        ))
    }

    fn len(&self) -> usize {
        match self {
            Self::Traces(traces, _) => traces.len(),
            Self::Generated(_, _, number) => *number,
        }
    }

    fn can_shrink(&self) -> bool {
        matches!(self, Self::Generated(..))
    }

    fn next(&mut self, _: &mut Rng) -> anyhow::Result<Tree> {
        match self {
            Self::Traces(traces, at) => {
                *at += 1;
                Ok(Box::new(proptest::strategy::Just(traces[*at - 1].clone())))
            }
            Self::Generated(generator, runner, _) => {
                let tree =
                    generator.new_tree(runner).map_err(|reason| anyhow!("no trace can be made: {reason}"))?;
                Ok(Box::new(tree))
            }
        }
    }
}

#[cfg(windows)]
fn start(how: &Running) -> anyhow::Result<Live<'_>> {
    use crate::win32::Process;
    /// Ends with us, and before the next is started.
    struct Ended(Option<u32>);
    impl Ended {
        fn end(&mut self) {
            if let Some(process) = self.0.take().and_then(|pid| Process::open(pid).ok()) {
                process.end();
            }
        }
    }
    impl Drop for Ended {
        fn drop(&mut self) {
            self.end();
        }
    }
    let mut running = Ended(None);
    let start = move || {
        running.end();
        let (driver, pid) = crate::replay::launch(&how.app, None)?;
        running.0 = Some(pid);
        Ok(driver)
    };
    Live::new(Box::new(start), how.allow_shell)
}

#[cfg(not(windows))]
fn start(how: &Running) -> anyhow::Result<Live<'_>> {
    let start = || bail!("running needs Windows: use dashcam.exe there or with Wine to run {}", how.app[0]);
    Live::new(Box::new(start), how.allow_shell)
}
