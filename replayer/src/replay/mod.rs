//! `dashcam replay`: the recorded session happens again.
//!
//! | question | file |
//! |---|---|
//! | what is an application under replay? | `driver.rs` |
//! | how is it driven from inside? | `live.rs`, with the crates `replay-link` and `replay-agent` |
//! | how is it driven by posting alone? | `posting.rs` |
//! | how are the two tried out? | `drive.rs` |

pub(crate) mod drive;
pub(crate) mod driver;
pub(crate) mod live;
pub(crate) mod posting;
