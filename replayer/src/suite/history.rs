//! How the last runs were: for shards of equal length, for those that failed first, and for the
//! trend in the report.

use super::result::{Outcome, TestResult};
use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Older runs say nothing more.
const KEPT: usize = 20;

/// The last runs of each script, by name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct History {
    pub(crate) tests: BTreeMap<String, Vec<Run>>,
}

/// A run of a script.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) outcome: Outcome,
    pub(crate) seconds: f64,
}

impl History {
    /// That of a file; a file that is not there yet is an empty one.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        match std::fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text).with_context(|| {
                format!(
                    "{} is not a history of dashcam test: name another file, and it will be written",
                    path.display()
                )
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }

    pub(crate) fn write(&self, path: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Adds the newest run.
    pub(crate) fn add(&mut self, results: &[TestResult]) {
        for result in results {
            let runs = self.tests.entry(result.name.clone()).or_default();
            let seconds = result.last().map_or(result.seconds, |attempt| attempt.seconds);
            runs.push(Run { outcome: result.outcome, seconds });
            runs.drain(..runs.len().saturating_sub(KEPT));
        }
    }

    /// The last run of a script.
    pub(crate) fn last(&self, name: &str) -> Option<&Run> {
        self.tests.get(name)?.last()
    }

    /// How long a script took the last time.
    pub(crate) fn seconds(&self, name: &str) -> Option<f64> {
        self.last(name).map(|run| run.seconds)
    }

    /// Whether a script was not as expected the last time.
    pub(crate) fn has_failed(&self, name: &str) -> bool {
        self.last(name).is_some_and(|run| run.outcome != Outcome::Passed)
    }
}
