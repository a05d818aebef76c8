//! Regression suites: runs scripts side by side and reports the results to people and to CI systems.
//! `script/` reads the scripts.
//!
//! | question | file |
//! |---|---|
//! | which scripts are there, which of them run here, in which order? | `find.rs`, `choose.rs` |
//! | how is one run? | `run.rs`, `prepare.rs`, `registry.rs` |
//! | how are many run? | `test.rs`, `progress.rs` |
//! | what came of it, and how is that told? | `result.rs`, `print.rs`, `junit.rs`, `page.rs` |
//! | how were the last runs? | `history.rs` |
//! | how do the results of shards become one? | `merge.rs` |
//! | how is a baseline captured, and what is volatile? | `baseline.rs` |
//! | how is a changed application accepted? | `bless.rs` |
//!
//! Each replay is a `dashcam replay --script` of its own: one that fails in whatever way takes nobody with
//! it.

pub(crate) mod baseline;
pub(crate) mod bless;
mod choose;
mod find;
mod history;
pub(crate) mod junit;
pub(crate) mod merge;
mod page;
mod prepare;
mod print;
mod progress;
#[cfg(windows)]
mod registry;
pub(crate) mod result;
pub(crate) mod run;
pub(crate) mod test;
