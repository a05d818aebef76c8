//! The commands of the recorder thread.

use crate::recorder::drain::Sink;
use crate::recorder::totals::Totals;
use crossbeam_channel::Sender;
use message_log::Text;
use std::time::Duration;

/// How long a host waits for the recorder thread.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// A command, and the time up to which everything comes before it in the log; none if that is
/// when it is executed.
pub(crate) type QueuedCommand = (Option<u64>, Command);

/// A command to the recorder thread.
pub(crate) enum Command {
    Mark(Text),
    Pause(bool),
    Sink(Option<Sink>, Sender<()>),
    Drain(Sender<Totals>),
    NewThread,
    /// Hook a thread that has no windows yet.
    Hook(u32, Sender<()>),
    /// A thread has a window whose WM_CREATE was not recorded.
    UnseenCreation(u32),
    Stop,
}
