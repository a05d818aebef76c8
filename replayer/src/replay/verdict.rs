//! How a replay ended, and what was done on the way.

use crate::report::scenes::Turn;
use serde::{Deserialize, Serialize};

/// How a replay ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub(crate) enum Verdict {
    /// Every step had its effects.
    Passed,
    /// The recorded crash, hang or end happened again at the same step.
    Reproduced {
        step: usize,
        /// What happened.
        what: String,
        /// What was compared to say so.
        compared: String,
    },
    /// The application did something else.
    Diverged {
        step: usize,
        expected: Vec<String>,
        actual: Vec<String>,
        /// How the live windows differ from the recorded ones.
        difference: Vec<String>,
    },
    /// A step could not be done.
    Blocked { step: usize, reason: String },
    /// There is nothing that could be replayed.
    Invalid { reason: String },
}

/// A replay, as `--json` writes it and `dashcam report --replay` reads it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Report {
    #[serde(flatten)]
    pub(crate) verdict: Verdict,
    pub(crate) steps: Vec<Told>,
    /// What is to be known of it as a whole.
    pub(crate) remarks: Vec<String>,
    /// The windows before the first step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) begin: Vec<Turn>,
    /// Pictures of windows, PNG in Base64; each kept once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) pictures: Vec<String>,
}

impl Report {
    /// A replay of which nothing but its end is known.
    pub(crate) fn of(verdict: Verdict) -> Self {
        Self { verdict, steps: Vec::new(), remarks: Vec::new(), begin: Vec::new(), pictures: Vec::new() }
    }
}

/// A picture of a window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Shot {
    pub(crate) hwnd: u64,
    /// Left, top, width and height on the screen.
    pub(crate) rect: [i32; 4],
    /// Which of the replay's pictures it is.
    pub(crate) picture: usize,
}

/// A step that was replayed, or begun.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Told {
    pub(crate) number: usize,
    pub(crate) text: String,
    /// What was done.
    pub(crate) act: String,
    pub(crate) because: String,
    pub(crate) outcome: Outcome,
    pub(crate) remarks: Vec<String>,
    /// Where the windows were, and why there.
    pub(crate) decisions: Vec<String>,
    /// From looking for the window to its verification.
    pub(crate) micros: u64,
    /// Whether it is what a script expects after the step of this number, and no step itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_expectation: bool,
    /// The replayer's own share of it: all but the time the application worked, from the act's acceptance until it was idle.
    #[serde(default)]
    pub(crate) own_micros: u64,
    /// The live window it was done to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) window: Option<u64>,
    /// The live windows that are otherwise after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) windows: Vec<Turn>,
    /// Pictures before and after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) before: Vec<Shot>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) after: Vec<Shot>,
}

/// What became of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    Done,
    /// Nothing had to be done.
    Nothing,
    Failed,
}

impl Verdict {
    /// 0 passed and reproduced, 1 diverged and blocked, 2 invalid.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Passed | Self::Reproduced { .. } => 0,
            Self::Diverged { .. } | Self::Blocked { .. } => 1,
            Self::Invalid { .. } => 2,
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Reproduced { .. } => "reproduced",
            Self::Diverged { .. } => "diverged",
            Self::Blocked { .. } => "blocked",
            Self::Invalid { .. } => "invalid",
        }
    }
}
