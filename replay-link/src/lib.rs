//! What `dashcam replay` and `dashcam-agent.dll` have in common.
//!
//! | question | file |
//! |---|---|
//! | what do they say to each other? | `protocol.rs` |
//! | how do the windows of a snapshot become bytes? | `codec.rs` |
//! | how do requests and replies get across? | `channel.rs`, `awake.rs` |
//! | what is a label called? | `label.rs` |
//! | which windows does a process have? | `windows_of.rs` |

mod codec;
mod label;
mod protocol;

#[cfg(windows)]
mod awake;
#[cfg(windows)]
mod channel;
#[cfg(windows)]
mod windows_of;

/// What the replayer's driver takes and gives: acts, items, questions.
pub mod words {
    pub use crate::protocol::{Act, Answer, ItemRef, Notice, Notices, Picture, PointerButton, Question};
}

pub use codec::{Malformed, decode, encode};
pub use label::clean;
pub use protocol::{
    Act, Answer, ItemRef, Notice, Notices, Outcome, Picture, PointerButton, Question, Reply, Request, Trouble,
};

#[cfg(windows)]
pub use channel::{Channel, Handle, Side, Signal, wait_any};
#[cfg(windows)]
pub use windows_of::{Births, Look, Window, snapshot, top_level_windows};
