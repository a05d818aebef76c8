//! The replay engine: it repeats the steps of a recording in an application and compares the outcome
//! with the recording.
//!
//! Pure: no Windows, no files, no printing, no clock. The caller passes a [`Driver`], which acts on the
//! application, and a [`Clock`]; the engine returns a [`Report`].
//!
//! | question | file |
//! |---|---|
//! | what is replayed, and what did the windows look like then? | `recording.rs`, `program.rs` |
//! | what is done for a step, and why? | `choose.rs`, `keys_and_clicks.rs`, `rules.rs`; as data: `choice.rs`, `chosen_acts.rs`; in words: `wording.rs` |
//! | what would be done, and in which way? | `dry.rs`, `ways.rs` |
//! | how does a replay go, how does a step? | `run.rs`, `perform.rs`, `wait.rs`; their data: `options.rs`, `only.rs`, `replay.rs`, `clock.rs` |
//! | which live window is which recorded one? | `live_windows.rs`, `points.rs` |
//! | did the step have its effects? | `expect.rs`, `verify.rs`, `commands.rs`, `miss.rs`, `text.rs` |
//! | what else is compared? | `observe.rs`, with `oracle/` |
//! | is it the recorded crash? | `crash.rs` |
//! | how did it end? | `verdict.rs` |
//! | what did the windows look like on the way? | `window_history.rs`, `album.rs` |
//! | how does the engine talk to the application? | `driver.rs` |
#![forbid(unsafe_code)]

mod album;
mod choice;
mod choose;
#[cfg(test)]
mod choose_tests;
mod chosen_acts;
mod clock;
mod commands;
mod crash;
#[cfg(test)]
mod desktop;
pub mod driver;
mod dry;
#[cfg(test)]
mod ends_tests;
mod evidence;
mod expect;
mod keys_and_clicks;
mod live_windows;
mod miss;
mod observe;
mod only;
mod opened;
mod options;
pub mod oracle;
mod perform;
mod point_steps;
mod points;
mod program;
mod recording;
mod replay;
mod rules;
mod run;
#[cfg(test)]
mod tests;
mod text;
mod verdict;
mod verify;
mod wait;
mod ways;
mod window_history;
mod wording;

pub use choice::Secrets;
pub use chosen_acts::ChosenActs;
pub use clock::Clock;
pub use crash::Crash;
pub use driver::Driver;
pub use dry::{DryAct, DryRun, DryStep};
pub use evidence::Verification;
pub use keys_and_clicks::parse_keys;
pub use live_windows::{LiveWindows, Lookup, tree_of};
pub use only::Only;
pub use options::{Level, Options};
pub use program::Program;
pub use recording::{Quit, Reading, RecordedWindows, Recording};
pub use run::{Progress, run};
pub use verdict::{Report, Shot, StepOutcome, StepReport, UnverifiedStep, Verdict};
pub use ways::{Way, needs_agent};
pub use window_history::{WindowChange, WindowFacts, WindowHistory, WindowView, bounded};
