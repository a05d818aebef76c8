//! The window tree of a recorded program, rebuilt from its log, and the search for its windows in another
//! run.
//!
//! Pure: no unsafe code, no Windows dependency, no clock, no thread, no path. A log is untrusted: whatever
//! its events say, the tree remains a tree of bounded size.
//!
//! | question | file |
//! |---|---|
//! | what is known of a window? | `node.rs`, `class.rs` |
//! | which windows exist, and which is below which? | `tree.rs` |
//! | how does an event change the tree? | `apply.rs`, `keyframe.rs`, `change.rs` |
//! | how does a log become a tree? | `rebuild.rs` |
//! | do the messages agree with the keyframes? | `fidelity.rs` |
//! | how do two trees differ, and how is a tree printed? | `diff.rs`, `render.rs` |
//! | what identifies a window across runs? | `sketch.rs`, `score.rs` |
//! | where is a recorded window now, and why there? | `target.rs`, `snapshot.rs`, `locate.rs`, `decision.rs` |
//! | what does the paper's table alone answer? | `plain.rs` |
#![forbid(unsafe_code)]

mod apply;
mod change;
mod class;
mod decision;
mod diff;
mod fidelity;
mod keyframe;
mod locate;
mod node;
mod plain;
mod rebuild;
mod render;
mod score;
mod sketch;
mod snapshot;
mod target;
mod tree;

pub use change::{Change, ChangeKind};
pub use class::{has_word, keeps_own_text, normal_class, stable_class};
pub use decision::{Candidate, Decision, Match, Outcome, Step};
pub use diff::{diff, diff_pairs};
pub use fidelity::{Difference, Fidelity, IN_FLIGHT, Share};
pub use keyframe::COMPARED;
pub use locate::locate;
pub use node::{Node, Property};
pub use plain::locate_plainly;
pub use rebuild::Rebuild;
pub use render::{Line, lines, render};
pub use score::{DOUBTFUL, Score, score};
pub use sketch::{Id, Sketch};
pub use snapshot::Snapshot;
pub use target::{Level, Target};
pub use tree::{MAX_DEPTH, MAX_WINDOWS, Tree};
