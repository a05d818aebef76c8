//! The window tree of a recorded program, rebuilt from its log, and the search for its windows in another run.
//!
//! Pure: no unsafe code, no Windows dependency, no clock, no thread, no path. A log is untrusted: whatever its events say, the
//! tree stays a tree of bounded size.
//!
//! | question | file |
//! |---|---|
//! | what is known of a window? | `node.rs`, `class.rs` |
//! | which windows are there, and who is below whom? | `tree.rs` |
//! | what does an event do to the tree? | `apply.rs`, `keyframe.rs`, `change.rs` |
//! | how does a log become a tree? | `rebuild.rs` |
//! | do the messages tell what the keyframes show? | `fidelity.rs` |
//! | how do two trees differ, how does one look in text? | `diff.rs`, `render.rs` |
//! | where is a recorded window now? | `sketch.rs`, `score.rs`, `snapshot.rs`, `locate.rs`, `decision.rs` |
#![forbid(unsafe_code)]

mod apply;
mod change;
mod class;
mod diff;
mod fidelity;
mod keyframe;
mod node;
mod rebuild;
mod render;
mod tree;

pub use change::{Change, What};
pub use class::{keeps_own_text, normal_class};
pub use diff::{diff, diff_pairs};
pub use fidelity::{Difference, Fidelity, IN_FLIGHT, Share};
pub use keyframe::COMPARED;
pub use node::{Node, Property};
pub use rebuild::Rebuild;
pub use render::{Line, lines, render};
pub use tree::{MAX_DEPTH, MAX_WINDOWS, Tree};
