//! Counters of all threads, including those that have ended.

use crate::callback::thread_state::ThreadState;
use std::sync::atomic::{AtomicU64, Ordering};

/// Totals of all threads, including those that have ended.
#[derive(Default, Clone, Copy)]
pub(crate) struct Totals {
    pub(crate) received: u64,
    pub(crate) rejected: u64,
    pub(crate) recorded: u64,
    pub(crate) shed: u64,
    pub(crate) dropped: u64,
    pub(crate) bytes: u64,
    pub(crate) threads: u32,
}

impl Totals {
    pub(crate) fn add(&mut self, state: &ThreadState) {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        self.received += read(&state.counters.received);
        self.rejected += read(&state.counters.rejected);
        self.recorded += read(&state.counters.recorded);
        self.shed += read(&state.counters.shed);
        self.dropped += read(&state.counters.dropped);
    }
}
