//! Time, handed in: the engine itself has no clock.

use std::time::{Duration, Instant};

/// What time it is, and how to let some pass.
pub(crate) trait Clock {
    /// Since some moment.
    fn now(&self) -> Duration;

    /// Lets the application work for a while.
    fn rest(&self, time: Duration);
}

/// The time on the wall.
pub(crate) struct Wall(Instant);

impl Wall {
    pub(crate) fn new() -> Self {
        Self(Instant::now())
    }
}

impl Clock for Wall {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    fn rest(&self, time: Duration) {
        std::thread::sleep(time);
    }
}
