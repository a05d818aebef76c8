//! What a check found, and how it is told.

use crate::output::say;
use serde::Serialize;
use std::process::ExitCode;

/// How a check went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Outcome {
    Good,
    /// It works, with less.
    Warning,
    /// It will not work.
    Bad,
}

/// One check.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    check: &'static str,
    outcome: Outcome,
    found: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) remedy: Option<String>,
}

impl Finding {
    pub(super) fn good(check: &'static str, found: impl Into<String>) -> Self {
        Self { check, outcome: Outcome::Good, found: found.into(), remedy: None }
    }

    pub(super) fn warning(check: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { check, outcome: Outcome::Warning, found: found.into(), remedy: Some(remedy.into()) }
    }

    pub(super) fn bad(check: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { check, outcome: Outcome::Bad, found: found.into(), remedy: Some(remedy.into()) }
    }

    pub(super) fn is_bad(&self) -> bool {
        self.outcome == Outcome::Bad
    }

    fn line(&self) -> String {
        let mark = match self.outcome {
            Outcome::Good => '✓',
            Outcome::Warning => '!',
            Outcome::Bad => '✗',
        };
        let remedy = self.remedy.as_ref().map_or(String::new(), |remedy| format!(": {remedy}"));
        format!("{mark} {:<10} {}{remedy}", self.check, self.found)
    }
}

/// Prints the findings. Exit code 1 if one of them is bad.
pub(super) fn tell(findings: &[Finding], json: bool) -> anyhow::Result<ExitCode> {
    let is_bad = findings.iter().any(Finding::is_bad);
    if json {
        say(&serde_json::to_string_pretty(findings)?)?;
    } else {
        findings.iter().try_for_each(|finding| say(&finding.line()))?;
    }
    Ok(ExitCode::from(u8::from(is_bad)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_one_line_with_its_remedy() {
        assert_eq!(Finding::good("recorder", "it is there").line(), "✓ recorder   it is there");
        assert_eq!(
            Finding::bad("folder", "C:\\x is full", "free some space").line(),
            "✗ folder     C:\\x is full: free some space"
        );
    }

    #[test]
    fn only_what_is_bad_is_a_failure() -> anyhow::Result<()> {
        let warning = || Finding::warning("drive", "it is far away", "use a local one");
        assert_eq!(tell(&[warning()], false)?, ExitCode::from(0));
        assert_eq!(tell(&[warning(), Finding::bad("a", "b", "c")], true)?, ExitCode::from(1));
        Ok(())
    }
}
