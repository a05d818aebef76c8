//! The configuration of a host, and which thread is hooked first.

use crate::recorder::segments::SegmentLimits;
use crate::recorder::sessions::KeepRules;
use crate::shared::privacy::MaskRules;
use std::path::PathBuf;

/// The configuration of a host.
pub(crate) struct Settings {
    pub(crate) folder: PathBuf,
    pub(crate) limits: SegmentLimits,
    /// Bytes of records per second.
    pub(crate) rate: u32,
    /// How much of ended sessions is kept.
    pub(crate) keep: KeepRules,
    pub(crate) all_moves: bool,
    pub(crate) extra: Vec<u32>,
    pub(crate) suppressed: Vec<u32>,
    pub(crate) masks: MaskRules,
    pub(crate) application: String,
    pub(crate) version: String,
    /// A thread to hook whether it has windows or not.
    pub(crate) hooked_first: Option<FirstThread>,
}

/// Which thread is hooked first.
#[derive(Clone, Copy)]
pub(crate) enum FirstThread {
    /// The caller of `dashcam_start`.
    Caller,
    /// The first thread of a suspended program. Without a message queue it cannot be hooked on Windows, so it
    /// makes itself a GUI thread before it runs.
    Thread(u32),
}
