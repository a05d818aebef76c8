//! Whether a thread that takes no messages is at work or hangs.
//!
//! On a busy machine it may only be waiting for its turn. So its processor time counts: a thread that uses
//! what it gets, and has had less of it than a hanging one, is at work.

use std::time::{Duration, Instant};

/// After this long without looking for messages a thread counts as hung, as in Windows.
pub(crate) const HUNG: Duration = Duration::from_secs(5);
/// A thread that uses no processor time for so long waits for something else. Windows counts in
/// hundredths of a second.
const STILL: Duration = Duration::from_secs(1);

/// The processor time of a silent thread.
pub(crate) struct Effort {
    at_first: Duration,
    last: Duration,
    changed: Instant,
}

impl Effort {
    /// The thread has become silent, having used so much.
    pub(crate) fn new(used: Duration, now: Instant) -> Self {
        Self { at_first: used, last: used, changed: now }
    }

    /// Whether the thread is at work, having used so much by now.
    pub(crate) fn is_at_work(&mut self, used: Duration, now: Instant) -> bool {
        if used != self.last {
            (self.last, self.changed) = (used, now);
        }
        used.saturating_sub(self.at_first) < HUNG && now.saturating_duration_since(self.changed) < STILL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After how many seconds a thread hangs that gets so many milliseconds of each second, if at all.
    fn hangs_after(millis: u64) -> Option<u64> {
        let start = Instant::now();
        let mut effort = Effort::new(Duration::from_secs(7), start);
        (1..=60).find(|&second| {
            let used = Duration::from_secs(7) + Duration::from_millis(second * millis);
            !effort.is_at_work(used, start + Duration::from_secs(second))
        })
    }

    #[test]
    fn a_thread_that_has_not_had_its_turn_does_not_hang() {
        assert_eq!(hangs_after(0), Some(1), "it waits");
        assert_eq!(hangs_after(1000), Some(5), "it runs in circles");
        assert_eq!(hangs_after(250), Some(20));
        assert_eq!(hangs_after(20), None);
    }
}
