//! A log as replay needs it: its plan, how it ended, what is missing, and the recorded windows before and
//! after each step.

use crate::crash::Crash;
use crate::program::Program;
use message_log::{DamageKind, Entry, Event, Key, Kind, Message};
use steps::{Plan, Planner, Step};
use win32_vocabulary::messages::{WM_CREATE, WM_QUIT};
use window_tree::{Rebuild, Tree};

/// A log, read once.
#[derive(Debug, Default)]
pub struct Recording {
    /// The steps.
    pub plan: Plan,
    /// The recorded program.
    pub program: Program,
    /// The crash it ends in.
    pub crash: Option<Crash>,
    /// After so many events the program did not answer any more.
    pub hang: Option<u64>,
    /// After so many events a thread took WM_QUIT, and made no window any more.
    pub quit: Option<Quit>,
    /// Whether the log ends because nothing more came, not because recording was stopped or the program did
    /// nothing for a while.
    pub breaks_off: bool,
    /// Before so many events, the last part of the log that rotation took away; 0 for its beginning.
    pub cut: Option<u64>,
    /// After so many events records are missing.
    pub losses: Vec<u64>,
    /// Whether it is a log at all.
    pub is_log: bool,
}

/// The end of a thread's message loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quit {
    /// How many events came before it.
    pub event: u64,
    /// The session's number of the thread.
    pub thread: u32,
}

/// Reads a log.
#[derive(Debug, Default)]
pub struct Reading {
    recording: Recording,
    planner: Planner,
    events: u64,
    /// When the last message came.
    last_message: u64,
}

impl Reading {
    /// Takes the next entry.
    pub fn take(&mut self, entry: &Entry) {
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
                self.take_end(event);
                self.events += 1;
            }
        }
    }

    /// What tells how the program ended.
    fn take_end(&mut self, event: &Event) {
        /// So long after its last message the program was still there.
        const LIVED_ON: u64 = 1_000_000;
        let it = &mut self.recording;
        let (time, thread) = event.stamp.map_or((0, 0), |stamp| (stamp.time, stamp.thread));
        match &event.kind {
            Kind::Message(Message { number, .. }) => {
                it.breaks_off = true;
                self.last_message = time;
                match *number {
                    WM_QUIT => it.quit = Some(Quit { event: self.events, thread }),
                    WM_CREATE if it.quit.is_some_and(|quit| quit.thread == thread) => it.quit = None,
                    _ => {}
                }
            }
            Kind::Recording => {
                let state = event.params.text(Key::State).map(|state| state.to_string_lossy().into_owned());
                if state.is_some_and(|state| matches!(&*state, "stopped" | "paused" | "disabled" | "failed"))
                {
                    it.breaks_off = false;
                }
            }
            _ if time > self.last_message.saturating_add(LIVED_ON) => it.breaks_off = false,
            _ => {}
        }
    }

    /// The end of the log.
    pub fn finish(self) -> Recording {
        Recording { plan: self.planner.finish(), ..self.recording }
    }
}

impl Recording {
    /// The number of the step during which so many events were over.
    pub fn step_at(&self, event: u64) -> usize {
        self.plan.steps.iter().rev().find(|step| step.first_event <= event).map_or(0, |step| step.number)
    }

    /// Whether the program is told to end in this step: its thread took WM_QUIT in there.
    pub fn quits_in(&self, step: &Step) -> bool {
        self.quit.is_some_and(|quit| quit.thread == step.thread && self.step_at(quit.event) == step.number)
    }

    /// Microseconds from a step to the next; what belongs to it happened in them.
    pub fn time_of(&self, step: &Step) -> u64 {
        let next = self.plan.steps.get(step.number).map_or(step.time, |next| next.time);
        next.saturating_sub(step.time)
    }
}

/// The recorded windows, moment by moment: the log read a second time, so that two trees at the
/// most are in memory.
#[derive(Debug)]
pub struct RecordedWindows<I> {
    entries: I,
    rebuild: Rebuild,
}

impl<I: Iterator<Item = Entry>> RecordedWindows<I> {
    /// Starts before the first event of these entries.
    pub fn new(entries: I) -> Self {
        Self { entries, rebuild: Rebuild::new() }
    }

    /// The tree after so many events; moments only go on.
    pub fn at(&mut self, events: u64) -> &Tree {
        while self.rebuild.events() < events {
            let Some(entry) = self.entries.next() else { break };
            self.rebuild.take(&entry);
        }
        self.rebuild.tree()
    }
}
