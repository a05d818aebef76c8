//! Usage models: how people really use a program, learnt from logs.
//!
//! A [`Model`] keeps sessions as sequences of features: an action and the durable identity of the widget it
//! was done to. Tables of contexts ([`Predictor`]) are built from it when they are asked for, so that a file
//! serves every order and kind, and merging is exact.
//!
//! | question | file |
//! |---|---|
//! | what is a feature, a session, a model? | `model.rs` |
//! | how likely is what comes next? | `predict.rs`, with `contexts.rs`, `ppm.rs`, `ctw.rs` |
//! | how is the program used? | `statistics.rs` |
//! | how do two versions differ? | `compare.rs` |
//! | which sessions follow from it? | `generate.rs`; with the program at hand, `walk.rs` |
//! | how much of the use does a suite cover? | `coverage.rs` |
//! | how does it look? | `picture.rs` |

mod compare;
mod contexts;
mod coverage;
mod ctw;
mod generate;
mod model;
mod picture;
mod ppm;
mod predict;
mod statistics;
mod walk;

pub use compare::{Change, Comparison, compare};
pub use coverage::{Share, coverage};
pub use generate::{Executability, Generated, Way, every, generate};
pub use model::{Feature, MAIN_WINDOW, Model, ModelError, Occurrence, Session, VERSION};
pub use picture::picture;
pub use predict::{Kind, Loss, Predictor};
pub use statistics::{Cancel, Path, Statistics, Use, statistics};
pub use walk::Walker;
