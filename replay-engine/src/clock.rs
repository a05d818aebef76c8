//! Time, handed in: the engine itself has no clock.

use std::time::Duration;

/// What time it is, and how to let some pass.
pub trait Clock {
    /// Since some moment.
    fn now(&self) -> Duration;

    /// Lets the application work for a while.
    fn rest(&self, time: Duration);
}
