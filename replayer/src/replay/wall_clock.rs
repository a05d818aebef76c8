//! The wall clock: the engine itself has none.

use replay_engine::Clock;
use std::time::{Duration, Instant};

/// Time since the replay began.
pub(crate) struct WallClock(Instant);

impl WallClock {
    /// Starts at zero.
    pub(crate) fn new() -> Self {
        Self(Instant::now())
    }
}

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn rest(&self, time: Duration) {
        std::thread::sleep(time);
    }
}
