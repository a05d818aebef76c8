//! The page of many tests: how each ended, how long it took, which ones are not to be relied on, and what
//! became otherwise since the last run.
//!
//! What runs tests fills [`Suite`] and calls [`suite_page`]; nothing here knows how tests are run.

use super::page::page;
use serde::{Deserialize, Serialize};

const SCRIPT: &str = include_str!("suite.js");

/// A run of many tests.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Suite {
    /// What was run: a folder, or a name.
    pub(crate) name: String,
    /// When it began, RFC 3339.
    #[serde(default)]
    pub(crate) started: String,
    /// How long it took in all, side by side.
    #[serde(default)]
    pub(crate) millis: u64,
    pub(crate) tests: Vec<Test>,
}

/// One test of the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Test {
    /// Its script, as people call it.
    pub(crate) name: String,
    pub(crate) status: Status,
    /// The verdict of its last attempt, such as `reproduced`.
    #[serde(default)]
    pub(crate) verdict: String,
    /// Why it is not passed, in lines.
    #[serde(default)]
    pub(crate) message: String,
    #[serde(default)]
    pub(crate) millis: u64,
    /// How often it was tried.
    #[serde(default = "once")]
    pub(crate) attempts: u32,
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    /// The page of its replay, beside this one.
    #[serde(default)]
    pub(crate) report: Option<String>,
    /// The last run of the same test.
    #[serde(default)]
    pub(crate) before: Option<Before>,
    /// The runs before this one, the oldest first.
    #[serde(default)]
    pub(crate) earlier: Vec<Before>,
}

fn once() -> u32 {
    1
}

/// How a test ended the last time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Before {
    pub(crate) status: Status,
    pub(crate) millis: u64,
}

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    Passed,
    Failed,
    /// Failed first and passed later.
    Flaky,
    /// It could not be run.
    Error,
    Skipped,
}

/// A page of a run, in one file.
pub(crate) fn suite_page(suite: &Suite) -> anyhow::Result<String> {
    page(&format!("{} – Dashcam", suite.name), SCRIPT, suite)
}
