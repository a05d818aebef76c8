//! The application under replay, as the engine sees it: what windows there are, what is done to one of them,
//! when it is done.
//!
//! Two implementations: the live one, which talks to `dashcam-agent.dll` inside the application or
//! posts messages, and a desktop in memory for tests. Nothing here knows of steps; nothing above
//! here knows of Win32.

use crate::crash::Crash;
use message_log::Keyframe;
use std::time::Duration;

// What the agent has to understand as well.
pub use replay_link::words::*;

/// An application under replay.
pub trait Driver {
    /// All windows of the application now, with every property a keyframe has.
    fn snapshot(&mut self) -> Result<Keyframe, Trouble>;

    /// Does one thing to one window. Returns as soon as it is on its way: a click may open a modal dialog and
    /// never come back.
    fn act(&mut self, window: u64, act: &Act) -> Result<(), Trouble>;

    /// Waits until the application has nothing left to do, at most as long as `patience`.
    fn settle(&mut self, patience: Duration) -> State;

    /// How long the application itself worked since this was asked last: from each act's acceptance until it
    /// was idle. Nothing where nobody can tell.
    fn worked(&mut self) -> Duration {
        Duration::ZERO
    }

    /// What a control says of itself, for verification and for items found by their text.
    fn ask(&mut self, window: u64, question: &Question) -> Result<Answer, Trouble>;

    /// What is to be known of the last act: by what an item was found.
    fn remarks(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Notes from now on which commands and notifications these windows get, and forgets those noted before.
    fn watch(&mut self, windows: &[u64]) -> Result<(), Trouble>;

    /// What they got since.
    fn notices(&mut self) -> Result<Notices, Trouble>;

    /// The crash the application ended in, as the recorder inside noted it.
    fn crash(&mut self) -> Option<Crash> {
        None
    }

    /// Another program comes to the front, and then the application's window again.
    fn switch_away(&mut self, _window: u64) -> Result<(), Trouble> {
        Err(Trouble::Unable("this way of driving cannot switch to another program".into()))
    }

    /// A picture of a window, if this way of driving can take one.
    fn picture(&mut self, _window: u64) -> Option<Picture> {
        None
    }
}

/// How the application is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Every GUI thread waits for input; timers do not count.
    Idle,
    /// Still at work after all patience.
    Busy,
    /// A GUI thread has not looked for messages for five seconds.
    Hung,
    /// Ended with this code.
    Ended(u32),
}

/// Why something could not be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The window is gone.
    #[error("the window is gone")]
    Gone,
    /// The window is disabled or hidden, so a user could not have done it.
    #[error("the window is {0}")]
    Unavailable(&'static str),
    /// The item is not there.
    #[error("there is no item {0}")]
    NoItem(String),
    /// This way of driving cannot do it.
    #[error("{0}")]
    Unable(String),
    /// The application has ended with this code.
    #[error("the application has ended")]
    Ended(u32),
}

impl From<replay_link::Trouble> for Trouble {
    fn from(trouble: replay_link::Trouble) -> Self {
        match trouble {
            replay_link::Trouble::Gone => Self::Gone,
            replay_link::Trouble::Disabled => Self::Unavailable("disabled"),
            replay_link::Trouble::Hidden => Self::Unavailable("hidden"),
            replay_link::Trouble::Late => Self::Unavailable("busy: its thread takes no messages"),
            replay_link::Trouble::NoItem(item) => Self::NoItem(item),
            replay_link::Trouble::Unable(why) => Self::Unable(why),
        }
    }
}
