//! What the recorder's thread can be asked for.

use crate::recorder::drain::Sink;
use crate::recorder::totals::Totals;
use crossbeam_channel::Sender;
use message_log::Text;
use std::time::Duration;

/// How long a host waits for the recorder's thread.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// A command, and the moment up to which everything stands before it; none for one that is about what
/// is there by now.
pub(crate) type QueuedCommand = (Option<u64>, Command);

/// What the recorder's thread can be asked for.
pub(crate) enum Command {
    Mark(Text),
    Pause(bool),
    Sink(Option<Sink>, Sender<()>),
    Drain(Sender<Totals>),
    NewThread,
    /// A thread that may get windows and has none yet.
    Hook(u32, Sender<()>),
    /// A thread has a window whose WM_CREATE was not recorded.
    UnseenCreation(u32),
    Stop,
}
