//! State machines: check and walk.

use super::{Goal, Walking, file, seed};
use crate::output::{counted, say};
use crate::text_file;
use anyhow::{Context, anyhow, bail};
use fastrand::Rng;
use scenario::machine::{self, Act, Machine, Walk};
use scenario::{Action, Event, Target};
use std::path::Path;
use std::process::ExitCode;

/// Reads a machine; the files it names are beside it.
pub(super) fn open(path: &Path) -> anyhow::Result<Machine> {
    let text = text_file::read(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut files =
        |name: &str| std::fs::read_to_string(folder.join(name)).map_err(|error| error.to_string());
    machine::read(&text, &mut files)
        .map_err(|complaint| anyhow!("{}: {}", path.display(), complaint.show(&text)))
}

/// Reads a machine that can be walked.
pub(super) fn open_sound(path: &Path, allow_shell: bool) -> anyhow::Result<Machine> {
    let machine = open(path)?;
    if let Some(complaint) = machine::check(&machine).first() {
        bail!("{}: {complaint}; `dashcam model check` tells all", path.display());
    }
    let hooks = machine.states.iter().flat_map(|state| state.pre.iter().chain(&state.post));
    let hooks = hooks.flat_map(|hook| hook.alternatives.iter().map(|acts| (hook.at, acts)));
    let acts = machine.transitions.iter().map(|it| (it.at, &it.acts)).chain(hooks);
    for (at, act) in acts.flat_map(|(at, acts)| acts.iter().map(move |act| (at, act))) {
        let done = match act {
            Act::Shell(command) => {
                let event = Event::new(Action::Shell(command.clone()), Target::Focus);
                file::allow(&[&event], &[], allow_shell)
            }
            Act::Do(trace) => file::allow(&trace.events(), &trace.properties(), allow_shell),
            _ => Ok(()),
        };
        done.with_context(|| format!("{}: line {} cannot be run", path.display(), at.line))?;
    }
    Ok(machine)
}

pub(super) fn check(path: &Path) -> anyhow::Result<ExitCode> {
    let machine = open(path)?;
    let complaints = machine::check(&machine);
    for complaint in &complaints {
        say(&format!("{}: {complaint}", path.display()))?;
    }
    let (states, transitions) = (machine.states.len(), machine.transitions.len());
    let size = format!("{} and {}", counted(states, "state"), counted(transitions, "transition"));
    match complaints.len() {
        0 => say(&format!("sound: {size}; every state is reached and leads to a final one"))?,
        wrong => say(&format!("not sound: {} about {size}", counted(wrong, "complaint")))?,
    }
    Ok(ExitCode::from(if complaints.is_empty() { 0 } else { 2 }))
}

/// As many walks as are wanted, or as it takes to cover what is to be covered; then also what they cover.
pub(super) fn walks(
    machine: &Machine,
    walking: &Walking,
    rng: &mut Rng,
) -> anyhow::Result<(Vec<Walk>, Option<String>)> {
    let Some(goal) = walking.cover else {
        let walks = (0..walking.number).filter_map(|_| machine::walk(machine, walking.length, rng));
        return Ok((walks.collect(), None));
    };
    let (goal, noun) = match goal {
        Goal::States => (machine::Goal::States, "states"),
        Goal::Transitions => (machine::Goal::Transitions, "transitions"),
        Goal::Pairs => (machine::Goal::Pairs, "pairs of transitions"),
    };
    let walks = machine::cover(machine, goal, walking.length, rng).map_err(anyhow::Error::msg)?;
    let told = format!(
        "{} of {} {noun} in {}, {}",
        walks.coverage.covered,
        walks.coverage.all,
        counted(walks.walks.len(), "walk"),
        counted(walks.walks.iter().map(|walk| walk.transitions.len()).sum(), "transition")
    );
    Ok((walks.walks, Some(told)))
}

pub(super) fn walk(path: &Path, walking: &Walking, output: Option<&Path>) -> anyhow::Result<ExitCode> {
    let machine = open_sound(path, walking.allow_shell)?;
    let seed = seed(walking.seed);
    let mut rng = Rng::with_seed(seed);
    let (walks, told) = walks(&machine, walking, &mut rng)?;
    if let Some(folder) = output {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    for (number, walk) in walks.iter().enumerate() {
        let trace = machine::session(&machine, walk, &mut rng);
        let states =
            std::iter::once(walk.start).chain(walk.transitions.iter().map(|&it| machine.transitions[it].to));
        let names: Vec<&str> = states.map(|state| machine.states[state].name.as_str()).collect();
        let head = format!("# walk {} of seed {seed}: {}", number + 1, names.join(" → "));
        let text = format!("{head}\n{}", trace.to_file());
        match output {
            Some(folder) => file::write(&folder.join(format!("walk-{:03}.trace", number + 1)), &text)?,
            None => say(&text)?,
        }
    }
    if let Some(told) = told {
        say(&format!("# {told}"))?;
    }
    Ok(ExitCode::SUCCESS)
}
