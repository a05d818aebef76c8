//! What host threads, the recorder thread and crash notes have in common: which messages are recorded, what
//! is private, how much may be recorded, and the rings.

#[cfg(any(windows, test))]
pub(crate) mod budget;
#[cfg(windows)]
pub(crate) mod controls;
#[cfg(any(windows, test))]
pub(crate) mod fault;
pub mod filter;
#[cfg(any(windows, test))]
pub(crate) mod limits;
#[cfg(windows)]
pub(crate) mod panics;
#[cfg(windows)]
pub(crate) mod privacy;
#[cfg(windows)]
pub(crate) mod ring;
#[cfg(windows)]
pub(crate) mod rules;
#[cfg(windows)]
pub(crate) mod window_set;
