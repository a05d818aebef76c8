//! What a host may choose, and which thread is hooked first.

use crate::recorder::segments::{KeepRules, SegmentLimits};
use crate::shared::privacy::MaskRules;
use std::path::PathBuf;

/// What a host may choose.
pub(crate) struct Settings {
    pub(crate) folder: PathBuf,
    pub(crate) limits: SegmentLimits,
    /// Bytes of records per second.
    pub(crate) rate: u32,
    /// What is kept of ended sessions.
    pub(crate) keep: KeepRules,
    pub(crate) all_moves: bool,
    pub(crate) extra: Vec<u32>,
    pub(crate) suppressed: Vec<u32>,
    pub(crate) masks: MaskRules,
    pub(crate) application: String,
    pub(crate) version: String,
    /// A thread that may get windows, whether it has any yet or not.
    pub(crate) hooked_first: Option<FirstThread>,
}

/// Which thread is hooked first.
#[derive(Clone, Copy)]
pub(crate) enum FirstThread {
    /// Whoever starts us.
    Caller,
    /// The first thread of a program that does nothing yet. It has no queue and could not be hooked on
    /// Windows: before it begins, it makes itself one and is hooked.
    Thread(u32),
}
