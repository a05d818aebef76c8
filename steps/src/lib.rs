//! From a log's events to the steps a person would write down: each thing the user did is one
//! step, exactly once.
//!
//! Pure: no Windows, no clock, no path. Every message the user's hands made belongs to one step or is listed
//! with the reason why it is none. What the program did by itself is no step; what it did because of the user
//! is the step's effects.
//!
//! | question | file |
//! |---|---|
//! | which messages are the user's doing? | `input.rs` |
//! | which of them, and of what followed, belong together? | `planner.rs`, `gesture.rs`, `message.rs` |
//! | what was done? | `decide.rs`, `menu.rs`, `notice.rs`; as data: `step.rs`, `account.rs` |
//! | to which window? | `sender.rs`, `place.rs`, `label.rs`, `control.rs` |
//! | what followed from it? | `effects.rs` |
//! | what happens anyway, by timer? | `restless.rs` |
//! | which steps are one? | `merge.rs` |
//! | what else happened: gaps, hangs, the crash? | `note.rs` |
//! | how does a step read? | `words.rs`, `nouns.rs`, `keys.rs` |

#![forbid(unsafe_code)]

mod account;
mod control;
mod decide;
mod effects;
mod gesture;
mod input;
mod keys;
mod label;
mod menu;
mod merge;
mod message;
mod note;
mod notice;
mod nouns;
mod place;
mod planner;
mod restless;
mod sender;
mod step;
#[cfg(test)]
mod tests;
mod words;

pub use account::{Plan, Unaccounted};
pub use control::control_of;
pub use decide::{WHOLE, relative};
pub use effects::{Effect, EffectKind};
pub use input::{Button, Interruption};
pub use keys::combination;
pub use label::{clean, one_line};
pub use message::MessageId;
pub use note::{Note, NoteKind};
pub use notice::begins_drag;
pub use place::{Place, Sketch, WindowName};
pub use planner::Planner;
pub use step::{Action, EditCommand, Item, Means, MenuOrigin, Part, Selection, Span, Step, WindowCommand};
pub use words::sentence;
