//! A log as replay needs it: its plan, how it ended, what is missing, and the recorded windows before and after each step.

use super::program::Program;
use crate::plan::{Plan, Planner, Step, one_line};
use message_log::{DamageKind, Entry, Event, Key, Kind};
use window_tree::{Rebuild, Tree};

/// A log, read once.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    pub(crate) plan: Plan,
    pub(crate) program: Program,
    /// The crash it ends in.
    pub(crate) crash: Option<Crash>,
    /// After so many events the program did not answer any more.
    pub(crate) hang: Option<u64>,
    /// Before so many events, the last part of the log that rotation took away; 0 for its beginning.
    pub(crate) cut: Option<u64>,
    /// After so many events records are missing.
    pub(crate) losses: Vec<u64>,
    /// Whether it is a log at all.
    pub(crate) is_log: bool,
}

/// A recorded crash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Crash {
    /// How many events came before it.
    pub(crate) event: u64,
    pub(crate) code: u32,
    /// The first frame in the application's own modules.
    pub(crate) module: Option<String>,
    pub(crate) offset: Option<u64>,
}

/// Reads a log.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    recording: Recording,
    planner: Planner,
    events: u64,
}

impl Reading {
    /// Takes the next entry.
    pub(crate) fn take(&mut self, entry: &Entry) {
        let it = &mut self.recording;
        self.planner.take(entry);
        match entry {
            Entry::Segment(head) => {
                if !it.is_log && head.number > 0 {
                    it.cut = Some(0);
                }
                it.is_log = true;
            }
            Entry::Damage(damage) => match damage.kind {
                DamageKind::SegmentsGone { .. } => it.cut = Some(self.events),
                _ if damage.is_loss() => it.losses.push(self.events),
                _ => {}
            },
            Entry::Event(event) => {
                it.is_log = true;
                match event.kind {
                    Kind::Session => it.program = Program::of(event),
                    Kind::Crash => it.crash = Some(Crash::of(event, self.events)),
                    Kind::Hang => it.hang = Some(self.events),
                    Kind::Gap => it.losses.push(self.events),
                    _ => {}
                }
                self.events += 1;
            }
        }
    }

    /// The end of the log.
    pub(crate) fn finish(self) -> Recording {
        Recording { plan: self.planner.finish(), ..self.recording }
    }
}

impl Recording {
    /// The number of the step during which so many events were over.
    pub(crate) fn step_at(&self, event: u64) -> usize {
        self.plan.steps.iter().rev().find(|step| step.first_event <= event).map_or(0, |step| step.number)
    }

    /// Microseconds from a step to the next; what belongs to it happened in them.
    pub(crate) fn time_of(&self, step: &Step) -> u64 {
        let next = self.plan.steps.get(step.number).map_or(step.time, |next| next.time);
        next.saturating_sub(step.time)
    }
}

impl Crash {
    fn of(event: &Event, number: u64) -> Self {
        Self {
            event: number,
            code: event.params.unsigned(Key::CrashCode).unwrap_or(0) as u32,
            module: event.params.text(Key::CrashModule).map(|module| one_line(&module.to_string_lossy())),
            offset: event.params.unsigned(Key::CrashOffset),
        }
    }
}

/// The recorded windows, moment by moment: the log read a second time, so that two trees at the most are in memory.
#[derive(Debug)]
pub(crate) struct Scenes<I> {
    entries: I,
    rebuild: Rebuild,
}

impl<I: Iterator<Item = Entry>> Scenes<I> {
    pub(crate) fn new(entries: I) -> Self {
        Self { entries, rebuild: Rebuild::new() }
    }

    /// The tree after so many events; moments only go on.
    pub(crate) fn at(&mut self, events: u64) -> &Tree {
        while self.rebuild.events() < events {
            let Some(entry) = self.entries.next() else { break };
            self.rebuild.take(&entry);
        }
        self.rebuild.tree()
    }
}
