//! What runs on a thread that has crashed.
//!
//! No heap is used, and every wait has an end.

pub(crate) mod crash_record;
pub(crate) mod exception;
pub(crate) mod handover;
pub(crate) mod stack_walk;
#[cfg(target_arch = "x86_64")]
pub(crate) mod swallowed;
pub(crate) mod unhandled_filter;
