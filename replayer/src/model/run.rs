//! `dashcam model run`: sessions of a state machine, a usage model or a trace file, done to a program. Each
//! begins with a program newly started; what was executed is kept as a trace and as the log that the recorder
//! inside made of it.

use super::live::Live;
use super::{Running, Walking, file, machine, seed, usage};
use crate::export;
use crate::output::{counted, say};
use anyhow::{Context, anyhow, ensure};
use fastrand::Rng;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use scenario::usage::Walker;
use scenario::{Application as _, Execution, Life, Outcome, Trace, execute};
use std::path::Path;
use std::process::ExitCode;
use tempfile::TempDir;

/// How often a failing trace is executed again to make it shorter.
const SHRINKING: usize = 60;

pub(super) fn run(path: &Path, how: &Running) -> anyhow::Result<ExitCode> {
    #[cfg(windows)]
    if let Some(done) = crate::bitness::hand_over_start(&how.app[0])? {
        return Ok(done);
    }
    let seed = seed(how.walking.seed);
    let mut rng = Rng::with_seed(seed);
    let (mut sessions, covered) = Sessions::of(path, how, &mut rng)?;
    if let Some(folder) = &how.output {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let (mut events, mut failed) = (0, 0);
    let mut life = Life::Running;
    for number in 1..=sessions.len() {
        if let Life::Crashed(report) = &life {
            say(&format!("the application had crashed ({report}) and is started again"))?;
        }
        // Which of the widgets that `*` can mean: another one in each session, and the same again when a
        // session is shortened.
        let (can_shrink, choices) = (sessions.can_shrink() && how.hunt.is_none(), rng.u64(..));
        let mut next = sessions.next()?;
        let session = match &next {
            Next::Trace(tree) => Session::of(&tree.current(), how, choices)?,
            Next::Walk(walker) => Session::run(how, |live| {
                walker.session(how.walking.length, live, &mut Rng::with_seed(choices))
            })?,
        };
        let Execution { outcome, executed, .. } = &session.execution;
        events += executed.len();
        say(&format!("session {number} of seed {seed}: {outcome} ({})", counted(executed.len(), "event")))?;
        let title = format!("session {number} of seed {seed}");
        session.keep(how, &format!("executed-{number:03}"), &title)?;
        if !outcome.is_success() {
            failed += 1;
            if how.output.is_none() && how.hunt.is_none() {
                say(session.execution.pinned().to_file().trim_end())?;
            }
            if let Next::Trace(tree) = &mut next
                && can_shrink
            {
                let Execution { outcome: first, .. } = &session.execution;
                let shortest = shrink(tree, first, how, choices)?;
                let Execution { outcome, .. } = &shortest.execution;
                if ends_so(outcome, first) {
                    say(&format!("shortest that ends so: {} ({outcome})", shortest.execution.pinned()))?;
                    shortest.keep(how, &format!("shortest-{number:03}"), &title)?;
                } else {
                    say(&format!(
                        "it does not end so each time, and is not shortened: now it was {outcome}"
                    ))?;
                }
            }
        }
        if let Some(most) = how.hunt {
            let is_found = matches!(session.execution.outcome, Outcome::Crash(_));
            if is_found || events >= most {
                say(&format!(
                    "{}crash after {} of {}",
                    if is_found { "" } else { "no " },
                    counted(events, "event"),
                    counted(number, "session")
                ))?;
                return Ok(ExitCode::from(u8::from(is_found)));
            }
        }
        life = session.life;
    }
    let (sessions, events) = (counted(sessions.len(), "session"), counted(events, "event"));
    say(&format!("{sessions}, {events}, {failed} failed"))?;
    if let Some(covered) = covered {
        say(&covered)?;
    }
    Ok(ExitCode::from(u8::from(failed > 0)))
}

/// A session that was executed. The program has ended.
pub(super) struct Session {
    pub(super) execution: Execution,
    life: Life,
    /// What the recorder made of it, where it is to be kept.
    log: Option<TempDir>,
}

impl Session {
    fn of(trace: &Trace, how: &Running, seed: u64) -> anyhow::Result<Self> {
        Self::run(how, |live| execute(trace, live, &mut Rng::with_seed(seed)))
    }

    fn run(how: &Running, drive: impl FnOnce(&mut Live<'_>) -> Execution) -> anyhow::Result<Self> {
        let log =
            how.output.as_ref().map(|_| tempfile::tempdir()).transpose().context("no temporary folder")?;
        // A hunt that keeps nothing is after the number of events alone.
        let is_recorded = how.hunt.is_none() || log.is_some();
        let mut live =
            start(&how.app, how.walking.allow_shell, log.as_ref().map(TempDir::path), is_recorded)?;
        let execution = drive(&mut live);
        let life = live.alive();
        drop(live);
        Ok(Self { execution, life, log })
    }

    /// Keeps what was executed: to read, to run and to replay.
    fn keep(&self, how: &Running, name: &str, title: &str) -> anyhow::Result<()> {
        let Some(folder) = &how.output else { return Ok(()) };
        let Execution { outcome, .. } = &self.execution;
        let text = format!("# {title}: {outcome}\n{}", self.execution.pinned().to_file());
        file::write(&folder.join(format!("{name}.trace")), &text)?;
        if let Some(log) = &self.log {
            export::pack(log.path(), &folder.join(format!("{name}.dashcam")))?;
        }
        Ok(())
    }
}

/// Shortens a trace as long as it ends in the same way; the shortest, executed once more.
fn shrink(tree: &mut Tree, first: &Outcome, how: &Running, seed: u64) -> anyhow::Result<Session> {
    let mut best = tree.current();
    let mut goes_on = tree.simplify();
    for _ in 0..SHRINKING {
        if !goes_on {
            break;
        }
        let trace = tree.current();
        goes_on = if ends_so(&Session::of(&trace, how, seed)?.execution.outcome, first) {
            best = trace;
            tree.simplify()
        } else {
            tree.complicate()
        };
    }
    Session::of(&best, how, seed)
}

/// Whether two sessions ended in the same way.
fn ends_so(outcome: &Outcome, other: &Outcome) -> bool {
    match (outcome, other) {
        // Why it was blocked may be said with what is there.
        (Outcome::Blocked(event, _), Outcome::Blocked(other, _)) => event == other,
        (one, other) => one == other,
    }
}

type Tree = Box<dyn proptest::strategy::ValueTree<Value = Trace>>;

/// What the next session is.
enum Next<'a> {
    Trace(Tree),
    Walk(&'a Walker),
}

/// Where sessions come from.
enum Sessions {
    /// What users would do, step by step.
    Walks(Box<Walker>, usize),
    /// These.
    Traces(Vec<Trace>, usize),
    /// As many of a set as are wanted.
    Generated(Box<scenario::Generator>, Box<TestRunner>, usize),
}

impl Sessions {
    /// Also what they cover, if that was asked for.
    fn of(path: &Path, how: &Running, rng: &mut Rng) -> anyhow::Result<(Self, Option<String>)> {
        // Each session of a hunt has an event at least.
        let walking = &Walking { number: how.hunt.unwrap_or(how.walking.number), ..how.walking.clone() };
        let is_traces = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("trace"));
        let is_model = usage::is_use(path);
        ensure!(!(is_traces || is_model) || walking.cover.is_none(), "--cover is for state machines");
        if is_model {
            let model = usage::open(path)?;
            let walker = Walker::of(model, scenario::usage::Kind::Ppm(2));
            let walker = walker
                .context("no session can be made of this model: no log begins at the program's start")?;
            return Ok((Self::Walks(Box::new(walker), walking.number), None));
        }
        if is_traces {
            let generator = file::traces(path)?;
            let (events, properties) = generator.contents();
            file::allow(&events, &properties, walking.allow_shell)
                .with_context(|| format!("{} cannot be run", path.display()))?;
            if let Some(trace) = generator.only() {
                return Ok((Self::Traces(vec![trace], 0), None));
            }
            let mut bytes = [0; 32];
            rng.fill(&mut bytes);
            let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
            let runner = TestRunner::new_with_rng(Config::default(), rng);
            return Ok((Self::Generated(Box::new(generator), Box::new(runner), walking.number), None));
        }
        let machine = machine::open_sound(path, walking.allow_shell)?;
        let (walks, covered) = machine::walks(&machine, walking, rng)?;
        let traces = walks.iter().map(|walk| scenario::machine::session(&machine, walk, rng)).collect();
        Ok((Self::Traces(traces, 0), covered))
    }

    fn len(&self) -> usize {
        match self {
            Self::Traces(traces, _) => traces.len(),
            Self::Generated(_, _, number) | Self::Walks(_, number) => *number,
        }
    }

    fn can_shrink(&self) -> bool {
        matches!(self, Self::Generated(..))
    }

    fn next(&mut self) -> anyhow::Result<Next<'_>> {
        Ok(match self {
            Self::Walks(walker, _) => Next::Walk(walker),
            Self::Traces(traces, at) => {
                *at += 1;
                Next::Trace(Box::new(proptest::strategy::Just(traces[*at - 1].clone())))
            }
            Self::Generated(generator, runner, _) => {
                let tree = generator.new_tree(runner);
                Next::Trace(Box::new(tree.map_err(|reason| anyhow!("no trace can be made: {reason}"))?))
            }
        })
    }
}

/// Starts a program to be driven; it ends with what is returned, and its log is kept in a folder if one is
/// named. Without the recorder inside a program is faster, and nobody knows where it crashes.
pub(super) fn start<'a>(
    app: &'a [String],
    allow_shell: bool,
    log: Option<&'a Path>,
    is_recorded: bool,
) -> anyhow::Result<Live<'a>> {
    #[cfg(windows)]
    let start = move || crate::drivers::launch(app, log, is_recorded);
    #[cfg(not(windows))]
    let start = move || {
        let _ = (log, is_recorded);
        anyhow::bail!("running needs Windows: use dashcam.exe there or with Wine to run {}", app[0])
    };
    Live::new(Box::new(start), allow_shell)
}
