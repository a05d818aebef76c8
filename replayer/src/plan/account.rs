//! What a log becomes: steps, what is none, and what else happened.

use super::given::MessageId;
use super::note::Note;
use super::step::Step;
use serde::Serialize;

/// A log as steps.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// What the user did, in order.
    pub(crate) steps: Vec<Step>,
    /// Inputs that belong to no step.
    pub(crate) unaccounted: Vec<Unaccounted>,
    /// What else happened.
    pub(crate) notes: Vec<Note>,
    /// How many events the log has.
    pub(crate) events: u64,
}

/// An input that is no step, or part of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Unaccounted {
    #[serde(flatten)]
    pub(crate) id: MessageId,
    pub(crate) reason: &'static str,
}

impl Plan {
    /// How many events of the log come before step `n + 1`: all that belongs to the first `n` steps.
    pub(crate) fn events_after(&self, n: usize) -> u64 {
        self.steps.get(n).map_or(self.events, |step| step.first_event)
    }
}
