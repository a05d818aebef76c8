//! The options of a replay.

use crate::choice::Secrets;
use crate::only::Only;
use crate::oracle::{Baseline, CrashExpected, Every, Expectation, Rules};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;
use steps::Step;

/// How much is compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Level {
    /// What the step changed.
    #[default]
    Changed,
    /// Besides, every window and property that the recording ever touched.
    Relevant,
    /// Besides, every property that can be read, as in a baseline.
    Complete,
}

/// How to replay.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Texts that the log does not hold, by name.
    pub secrets: Secrets,
    /// How much is compared.
    pub level: Level,
    /// Whether to keep the user's timing.
    pub is_paced: bool,
    /// Whether the application was there before, in the state of the first kept keyframe.
    pub is_attached: bool,
    /// After which steps the level is compared; their effects are after each.
    pub every: Every,
    /// What does not count.
    pub rules: Rules,
    /// What `complete` compares with.
    pub baseline: Option<Baseline>,
    /// What a script expects beside the recording.
    pub expectations: Vec<Expectation>,
    /// The crash that a script expects.
    pub crash: Option<CrashExpected>,
    /// Where to keep the complete state after each step.
    pub capture: Option<Rc<RefCell<Baseline>>>,
    /// The sentence that the program is another one than the recorded, by its file name.
    pub other: Option<String>,
    /// Whether to take pictures of the windows.
    pub takes_pictures: bool,
    /// The only steps that are done, if not all are.
    pub only: Option<Only>,
    /// How long what a step brings may take, if not as long as the recording suggests.
    pub patience: Option<Duration>,
    /// Whether windows keep their sizes, though something is done at a point of one that has another
    /// size than recorded.
    pub keeps_size: bool,
    /// Whether a replay with unverified steps counts as passed.
    pub allows_unverified: bool,
}

impl Options {
    /// Whether a step is among those to replay.
    pub(crate) fn wants(&self, step: &Step) -> bool {
        self.only.as_ref().is_none_or(|only| only.has(step.number))
    }
}
