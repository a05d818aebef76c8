//! From use to tests: how a program is used, by people (usage models) or by design (state machines, trace
//! generators), and sessions made of it.
//!
//! Pure: no unsafe code, no Windows dependency, no clock, no thread, no path. Everything random has a seed.
//! All three speak one language of [traces](Trace); an [`Application`] executes it.
//!
//! | question | file |
//! |---|---|
//! | what is done, to which widget? | `event.rs`, `target.rs`, `keys.rs` |
//! | what can be said of the widgets? | `scene.rs`, `property.rs` |
//! | what is a trace, a set of traces? | `trace.rs`, `generator.rs` |
//! | how are they written? | `language.rs`, `text.rs` |
//! | how is one executed? | `interpreter.rs` |
//! | state machines | `machine/` |
//! | usage models | `usage/` |
//! | pictures of both | `graph/` |
#![forbid(unsafe_code)]

mod event;
mod generator;
pub mod graph;
mod interpreter;
mod keys;
mod language;
pub mod machine;
mod property;
mod scene;
mod target;
mod text;
mod trace;
pub mod usage;

pub use event::{Action, Direction, Event, Interrupt};
pub use generator::{
    Generator, Texts, When, assert, click, gorilla, interrupts, monkey, relevant_monkey, typed, when,
};
pub use interpreter::{Application, Execution, Life, Outcome, Rule, execute};
pub use keys::check_keys;
pub use language::read;
pub use property::{Comparison, Predicates, Property};
pub use scene::{Scene, Widget};
pub use target::{Description, Id, Role, Target};
pub use text::{Complaint, Position};
pub use trace::Trace;
