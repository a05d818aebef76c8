//! How a replay ended, and what was done on the way.

use crate::evidence::Verification;
use crate::window_history::WindowChange;
use serde::{Deserialize, Serialize};

/// How a replay ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// Every step had its effects.
    Passed,
    /// Every step had its effects, but some were done by position, and nothing shows that they did what they
    /// did in the recording.
    Unverified {
        /// These steps.
        unverified: Vec<UnverifiedStep>,
        /// Whether the user allowed it, so that it counts as passed.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        allowed: bool,
    },
    /// The recorded crash, hang or end happened again at the same step.
    Reproduced {
        /// The step.
        step: usize,
        /// What happened.
        what: String,
        /// What was compared to say so.
        compared: String,
    },
    /// The application did something else.
    Diverged {
        /// The step.
        step: usize,
        /// What was expected, in words.
        expected: Vec<String>,
        /// What happened instead, in the same order.
        actual: Vec<String>,
        /// How the live windows differ from the recorded ones.
        difference: Vec<String>,
    },
    /// A step could not be done.
    Blocked {
        /// The step.
        step: usize,
        /// Why it could not be done.
        reason: String,
    },
    /// There is nothing that could be replayed.
    Invalid {
        /// Why nothing can be replayed.
        reason: String,
    },
}

/// A step that had its effects, though nothing shows that it did what it did in the recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnverifiedStep {
    /// The number of the step.
    pub step: usize,
    /// How its target was found, and what is missing.
    pub reason: String,
    /// What would verify it.
    pub remedy: String,
}

/// A replay, as `--json` writes it and `dashcam report --replay` reads it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// How it ended.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The steps that were replayed.
    pub steps: Vec<StepReport>,
    /// What is to be known of it as a whole.
    pub remarks: Vec<String>,
    /// The windows before the first step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub begin: Vec<WindowChange>,
    /// Pictures of windows, PNG in Base64; each kept once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<String>,
}

impl Report {
    /// A replay of which nothing but its end is known.
    pub fn of(verdict: Verdict) -> Self {
        Self { verdict, steps: Vec::new(), remarks: Vec::new(), begin: Vec::new(), pictures: Vec::new() }
    }
}

/// A picture of a window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shot {
    /// The window handle.
    pub hwnd: u64,
    /// Left, top, width and height on the screen.
    pub rect: [i32; 4],
    /// Which of the replay's pictures it is.
    pub picture: usize,
}

/// A step that was replayed, or begun.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    /// The number of the step.
    pub number: usize,
    /// The step's sentence.
    pub text: String,
    /// What was done.
    pub act: String,
    /// Why this was done.
    pub because: String,
    /// What became of it.
    pub outcome: StepOutcome,
    /// Whether it is known to have done what it did in the recording.
    #[serde(default)]
    pub verification: Verification,
    /// What else the reader should know.
    pub remarks: Vec<String>,
    /// Where the windows were, and why there.
    pub decisions: Vec<String>,
    /// From looking for the window to its verification.
    pub micros: u64,
    /// Whether it is what a script expects after the step of this number, and no step itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_expectation: bool,
    /// The replayer's own share of it: all but the time the application worked, from the act's acceptance
    /// until it was idle.
    #[serde(default)]
    pub own_micros: u64,
    /// The live window it was done to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// The live windows that are otherwise after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub windows: Vec<WindowChange>,
    /// Pictures before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<Shot>,
    /// Pictures after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<Shot>,
}

/// What became of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepOutcome {
    /// It was done.
    Done,
    /// Nothing had to be done.
    Nothing,
    /// It failed.
    Failed,
}

impl Verdict {
    /// 0 passed, reproduced and unverified where that is allowed; 1 unverified, diverged and
    /// blocked; 2 invalid.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Passed | Self::Reproduced { .. } | Self::Unverified { allowed: true, .. } => 0,
            Self::Unverified { .. } | Self::Diverged { .. } | Self::Blocked { .. } => 1,
            Self::Invalid { .. } => 2,
        }
    }

    /// The name of the verdict, as `--json` writes it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Unverified { .. } => "unverified",
            Self::Reproduced { .. } => "reproduced",
            Self::Diverged { .. } => "diverged",
            Self::Blocked { .. } => "blocked",
            Self::Invalid { .. } => "invalid",
        }
    }
}
