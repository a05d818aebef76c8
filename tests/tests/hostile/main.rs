//! The promises of `docs/reliability.md` and `docs/privacy.md` under abuse: each by a mode of
//! `samples/hostile` and a short test that runs it.
//!
//! | promise | file |
//! |---|---|
//! | nothing is lost | `kill.rs`, `disk.rs` |
//! | nobody is hurt | `guest.rs`, `threads.rs`, `floods.rs`, `faults.rs` |
//! | nobody is spied on | `secrets.rs`, `watch.rs` |
//! | a log is untrusted | `logs.rs` |

mod disk;
mod faults;
mod floods;
mod guest;
mod kill;
mod logs;
mod secrets;
mod threads;
mod watch;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use harness::wait::DEADLINE;
use harness::{Program, Recording, Stage, folders};
use message_log::{Damage, Event, Key, Kind, message_number};

/// A hostile host at work.
pub(crate) struct Host {
    pub(crate) program: Program,
    pub(crate) log: PathBuf,
}

impl Host {
    /// In the folder `log` of the stage.
    pub(crate) fn start(stage: &Stage, mode: &str, more: &[&str]) -> Result<Self> {
        Self::start_in(stage, &stage.folder().join("log"), mode, more, &[])
    }

    /// In a folder of its own, and with an environment of its own.
    pub(crate) fn start_in(
        stage: &Stage,
        log: &Path,
        mode: &str,
        more: &[&str],
        env: &[(&str, &str)],
    ) -> Result<Self> {
        // Only the one whose fault points are compiled in knows what to do with them.
        Self::bring(stage, env.iter().any(|(name, _)| name.starts_with("DASHCAM_FAULT")))?;
        fs::create_dir_all(log)?;
        Self::start_at(stage, log, &folders::for_windows(log), mode, more, env)
    }

    /// Puts host and recorder into the stage's folder.
    pub(crate) fn bring(stage: &Stage, with_faults: bool) -> Result<()> {
        let host = stage.folder().join("hostile.exe");
        if !host.exists() {
            fs::copy(folders::sample("hostile"), &host)?;
            let recorder = if with_faults { folders::dashcam().join("faults") } else { folders::built() };
            fs::copy(recorder.join("dashcam.dll"), stage.folder().join("dashcam.dll"))?;
        }
        Ok(())
    }

    /// In a folder that the host knows by another name.
    pub(crate) fn start_at(
        stage: &Stage,
        log: &Path,
        place: &str,
        mode: &str,
        more: &[&str],
        env: &[(&str, &str)],
    ) -> Result<Self> {
        let host = stage.folder().join("hostile.exe");
        let arguments = [&[mode, place], more].concat();
        let program = stage.start_with(&host.display().to_string(), &arguments, env)?;
        Ok(Self { program, log: log.into() })
    }

    /// To its end, which is as it should be.
    pub(crate) fn finish(stage: &Stage, mode: &str, more: &[&str]) -> Result<Self> {
        Self::start(stage, mode, more)?.end(mode)
    }

    /// The same for one that runs.
    pub(crate) fn end(self, mode: &str) -> Result<Self> {
        self.end_within(mode, DEADLINE * 2)
    }

    /// The same with more time. Whatever it did, the recorder has left nothing behind: counters add up,
    /// handles and threads are as many as before, and the working set has grown by no more than eight
    /// megabytes and a ring of one for each thread.
    pub(crate) fn end_within(self, mode: &str, deadline: Duration) -> Result<Self> {
        let code = self.program.wait(deadline)?;
        ensure!(code == 0, "{mode} ended with {code}: {}", self.program.stdout()?);
        self.check(&[("adds up", 1), ("handles left", 0), ("threads left", 0)])?;
        if let Ok(grown) = self.answer("kilobytes grown") {
            let rings = self.answer("rings")?;
            ensure!(
                grown <= (8 + rings) << 10,
                "{mode}: the working set grew by {grown} KB with {rings} rings"
            );
        }
        Ok(self)
    }

    /// What it said: `name=number` lines.
    pub(crate) fn answers(&self) -> Result<HashMap<String, i64>> {
        let lines = self.program.stdout()?;
        let answer =
            |line: &str| line.split_once('=').and_then(|(k, v)| Some((k.to_owned(), v.parse().ok()?)));
        Ok(lines.lines().filter_map(answer).collect())
    }

    pub(crate) fn answer(&self, name: &str) -> Result<i64> {
        self.answers()?
            .get(name)
            .copied()
            .with_context(|| format!("no {name}: {}", self.program.stdout().unwrap_or_default()))
    }

    /// Whether every answer is as expected.
    pub(crate) fn check(&self, expected: &[(&str, i64)]) -> Result<()> {
        for &(name, value) in expected {
            let found = self.answer(name)?;
            ensure!(found == value, "{name} is {found}, not {value}: {}", self.program.stdout()?);
        }
        Ok(())
    }

    /// The log and its damage. Whatever counters it has add up, and one that was stopped has some.
    pub(crate) fn read(&self) -> Result<(Vec<Event>, Vec<Damage>)> {
        let (events, damage) = Recording { folder: self.log.clone() }.read()?;
        check_sums(&events.0)?;
        let is_counted = !of_kind(&events.0, &Kind::Statistics).is_empty();
        ensure!(is_counted || !has_state(&events.0, "stopped"), "a session was stopped and not counted");
        Ok((events.0, damage))
    }

    /// The log, which must be without damage.
    pub(crate) fn events(&self) -> Result<Vec<Event>> {
        let (events, damage) = self.read()?;
        ensure!(damage.is_empty(), "{damage:?}");
        Ok(events)
    }

    pub(crate) fn files(&self) -> Result<Vec<PathBuf>> {
        Recording { folder: self.log.clone() }.files()
    }
}

/// received = rejected + recorded + shed + dropped, wherever a log says so; and at the end of one session
/// what it says is there.
pub(crate) fn check_sums(events: &[Event]) -> Result<()> {
    for event in of_kind(events, &Kind::Statistics) {
        let number = |key| event.params.unsigned(key).unwrap_or_default();
        let sum: u64 = [Key::Rejected, Key::Recorded, Key::Shed, Key::Dropped].into_iter().map(number).sum();
        ensure!(number(Key::Received) == sum, "{sum} of {event:?}");
    }
    Ok(())
}

pub(crate) fn of_kind<'a>(events: &'a [Event], kind: &Kind) -> Vec<&'a Event> {
    events.iter().filter(|event| event.kind == *kind).collect()
}

/// What recording became, with the reasons.
pub(crate) fn states(events: &[Event]) -> Vec<(String, String)> {
    let text = |event: &Event, key| event.params.text(key).map(ToString::to_string).unwrap_or_default();
    of_kind(events, &Kind::Recording).iter().map(|e| (text(e, Key::State), text(e, Key::Reason))).collect()
}

pub(crate) fn has_state(events: &[Event], state: &str) -> bool {
    states(events).iter().any(|(found, _)| found == state)
}

/// How many messages of a name there are.
pub(crate) fn count(events: &[Event], message: &str) -> usize {
    let number = message_number(message);
    events.iter().filter(|event| event.message().is_some_and(|m| Some(m.number) == number)).count()
}

/// The texts of WM_SETTEXT, in order.
pub(crate) fn texts(events: &[Event]) -> Vec<String> {
    let number = message_number("WM_SETTEXT");
    let is = |event: &&Event| event.message().is_some_and(|m| Some(m.number) == number);
    events.iter().filter(is).filter_map(|e| e.params.text(Key::Text).map(ToString::to_string)).collect()
}

/// The numbers of texts `number N`.
pub(crate) fn numbers(events: &[Event]) -> Vec<u64> {
    texts(events).iter().filter_map(|text| text.strip_prefix("number ")?.parse().ok()).collect()
}

/// Runs the command of this system.
pub(crate) fn dashcam(folder: &Path, arguments: &[&str]) -> Result<Output> {
    let program = match cfg!(windows) {
        true => folders::command(),
        false => folders::dashcam().join("linux").join("dashcam"),
    };
    Ok(Command::new(program).args(arguments).current_dir(folder).output()?)
}

/// A number below `limit`, another each time.
pub(crate) fn random(limit: u64) -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0) % limit
}

/// The table of `docs/reliability.md` names every mode of the hostile program, and no other.
#[test]
fn the_table_names_every_hostile_program() -> Result<()> {
    let program = fs::read_to_string(folders::workspace().join("samples/hostile/hostile.c"))?;
    let docs = fs::read_to_string(folders::workspace().join("docs/reliability.md"))?;
    let modes: Vec<&str> = program
        .split("wcscmp(mode, L\"")
        .skip(1)
        .filter_map(|rest| rest.split_once('"'))
        .map(|(mode, _)| mode)
        .collect();
    ensure!(modes.len() > 10, "{modes:?}");
    for mode in &modes {
        ensure!(docs.contains(&format!("| `{mode}")), "docs/reliability.md does not tell of {mode}");
    }
    for row in docs.lines().filter_map(|line| line.strip_prefix("| `")) {
        let mode = row.split(['`', ' ']).next().unwrap_or_default();
        ensure!(modes.contains(&mode), "there is no mode {mode}");
    }
    Ok(())
}
