//! What runs on the recorder thread, and how a host starts, commands and stops it (`handle.rs`).

#[cfg(any(windows, test))]
pub(crate) mod clock;
#[cfg(windows)]
pub(crate) mod command;
#[cfg(windows)]
pub(crate) mod drain;
#[cfg(windows)]
pub(crate) mod handle;
#[cfg(windows)]
pub(crate) mod hooked_threads;
#[cfg(windows)]
pub(crate) mod keyframe;
#[cfg(any(windows, test))]
pub(crate) mod merge;
#[cfg(any(windows, test))]
pub(crate) mod segments;
#[cfg(windows)]
pub(crate) mod session_head;
#[cfg(any(windows, test))]
pub(crate) mod sessions;
#[cfg(windows)]
pub(crate) mod settings;
#[cfg(windows)]
pub(crate) mod totals;
#[cfg(windows)]
pub(crate) mod wall_clock;
#[cfg(windows)]
pub(crate) mod window_creation;
#[cfg(any(windows, test))]
pub(crate) mod window_ids;
#[cfg(windows)]
pub(crate) mod worker;
