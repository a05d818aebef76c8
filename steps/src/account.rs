//! What a log becomes: steps, what is none, and what else happened.

use super::message::MessageId;
use super::note::Note;
use super::step::Step;
use serde::Serialize;

/// A log as steps.
#[derive(Debug, Default)]
pub struct Plan {
    /// What the user did, in order.
    pub steps: Vec<Step>,
    /// Inputs that belong to no step.
    pub unaccounted: Vec<Unaccounted>,
    /// What else happened.
    pub notes: Vec<Note>,
    /// How many events the log has.
    pub events: u64,
}

/// An input that is no step, or part of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unaccounted {
    /// The message.
    #[serde(flatten)]
    pub id: MessageId,
    /// Why it belongs to no step.
    pub reason: &'static str,
}

impl Plan {
    /// How many events of the log come before step `n + 1`: all that belongs to the first `n` steps.
    pub fn events_after(&self, n: usize) -> u64 {
        self.steps.get(n).map_or(self.events, |step| step.first_event)
    }
}
