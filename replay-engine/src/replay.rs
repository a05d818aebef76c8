//! A replay under way and a step under way: the data that `perform.rs`, `wait.rs` and `observe.rs` share.

use crate::chosen_acts::ChosenActs;
use crate::clock::Clock;
use crate::driver::Driver;
use crate::live_windows::LiveWindows;
use crate::options::{Level, Options};
use crate::oracle::Touched;
use crate::recording::{RecordedWindows, Recording};
use crate::verdict::Verdict;
use std::time::Duration;
use steps::{Plan, Step};
use window_tree::Tree;

/// A replay under way.
pub(crate) struct Replay<'a, I> {
    pub recording: &'a Recording,
    pub chosen: &'a ChosenActs,
    pub recorded_windows: RecordedWindows<I>,
    pub driver: &'a mut dyn Driver,
    pub clock: &'a dyn Clock,
    pub options: &'a Options,
    pub live_windows: LiveWindows,
    /// Whether the live_windows shows the windows as they are now.
    pub is_fresh: bool,
    /// When the application was last waited for a moment, and whether it was still at work.
    pub glanced: (Duration, bool),
    pub oracle: Oracle,
    /// What is to be known of the replay as a whole.
    pub remarks: Vec<String>,
    /// Takes what the user should know before something is done.
    pub announce: &'a dyn Fn(&str),
}

/// A step under way.
pub(crate) struct StepContext<'a> {
    pub step: &'a Step,
    /// The recorded windows before it.
    pub before: Tree,
    pub deadline: Duration,
}

/// What the comparisons remember from step to step.
#[derive(Debug, Default)]
pub(crate) struct Oracle {
    pub touched: Touched,
    /// Which live window is which of the baseline.
    pub matcher: LiveWindows,
}

impl Oracle {
    pub(crate) fn of(plan: &Plan, options: &Options) -> Self {
        let touched = if options.level == Level::Changed { Touched::default() } else { Touched::by(plan) };
        Self { touched, matcher: LiveWindows::default() }
    }
}

impl StepContext<'_> {
    pub(crate) fn blocked(&self, reason: impl Into<String>) -> Verdict {
        Verdict::Blocked { step: self.step.number, reason: reason.into() }
    }

    pub(crate) fn diverged(&self, expected: impl Into<String>, actual: impl Into<String>) -> Verdict {
        let (expected, actual) = (vec![expected.into()], vec![actual.into()]);
        Verdict::Diverged { step: self.step.number, expected, actual, difference: Vec::new() }
    }
}
