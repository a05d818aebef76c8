//! What `dashcam replay` and `dashcam-agent.dll` share: requests and replies, and the channel
//! that carries them.
//!
//! | question | file |
//! |---|---|
//! | which requests and replies are there? | `protocol.rs` |
//! | how do the windows of a snapshot become bytes? | `codec.rs` |
//! | how do requests and replies get across? | `channel.rs`, with `awake.rs` and `processor.rs` |
//! | which windows does a process have? | `window.rs`, `snapshot.rs` |

mod codec;
mod protocol;
mod window;

#[cfg(windows)]
mod awake;
#[cfg(windows)]
mod channel;
#[cfg(windows)]
mod processor;
#[cfg(windows)]
mod snapshot;

/// The part of the protocol that the replayer's driver uses: acts, items, questions.
pub mod words {
    pub use crate::protocol::{Act, Answer, ItemRef, Notice, Notices, Picture, PointerButton, Question};
}

pub use message_log::clean;

pub use codec::{Malformed, decode, encode};
pub use protocol::{
    Act, Answer, ItemRef, Notice, Notices, Outcome, Picture, PointerButton, Question, Reply, Request, Trouble,
};

#[cfg(windows)]
pub use channel::{Channel, Handle, Side, Signal, wait_any};
#[cfg(windows)]
pub use snapshot::{Look, WindowIds, snapshot};
pub use window::Window;
#[cfg(windows)]
pub use window::top_level_windows;
