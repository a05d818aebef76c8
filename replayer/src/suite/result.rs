//! What came of a script, and of many. Written as lines of JSON, one for each script, and read again by
//! `merge`, `bless` and the report.

use super::choose::Shard;
use crate::script::{Expect, Script};
use crate::text_file;
use anyhow::bail;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What came of a script.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct TestResult {
    pub(crate) name: String,
    /// The file.
    pub(crate) script: String,
    pub(crate) outcome: Outcome,
    /// The verdict the script expects.
    pub(crate) expected: Expect,
    /// All attempts together.
    pub(crate) seconds: f64,
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    /// The page of its replay, beside the page of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) report: Option<String>,
    /// In order; the last one decides.
    pub(crate) attempts: Vec<Attempt>,
}

/// What a script comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// As expected at the first attempt.
    Passed,
    /// As expected, but not at the first attempt.
    Flaky,
    Failed,
}

/// One replay of a script.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Attempt {
    /// That of the replay; `timed_out` if it had to be ended, `broken` if it told none.
    pub(crate) verdict: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) step: Option<usize>,
    /// Why, in lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) why: Vec<String>,
    pub(crate) seconds: f64,
    /// What `dashcam replay --json` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) replay: Option<serde_json::Value>,
}

/// How many came to what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Summary {
    pub(crate) tests: usize,
    pub(crate) passed: usize,
    pub(crate) flaky: usize,
    pub(crate) failed: usize,
    /// All tests one behind the other.
    pub(crate) seconds: f64,
}

/// A line of the written form.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Line {
    Test(Box<TestResult>),
    Summary {
        summary: Summary,
        /// Which part of the scripts it was, if not all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shard: Option<Shard>,
    },
}

impl Attempt {
    /// What a replay told.
    pub(crate) fn of(replay: serde_json::Value, seconds: f64) -> Self {
        let text = |key: &str| replay.get(key).and_then(|value| value.as_str()).map(str::to_owned);
        let texts = |key: &str| -> Vec<String> {
            let all = replay.get(key).and_then(|value| value.as_array()).into_iter().flatten();
            all.filter_map(|value| value.as_str().map(str::to_owned)).collect()
        };
        let verdict = text("verdict").unwrap_or_else(|| "broken".into());
        let step =
            replay.get("step").and_then(serde_json::Value::as_u64).and_then(|step| step.try_into().ok());
        let mut why: Vec<String> = [text("what"), text("reason")].into_iter().flatten().collect();
        let pairs = texts("expected").into_iter().zip(texts("actual"));
        why.extend(
            pairs.flat_map(|(expected, actual)| {
                [format!("expected {expected}"), format!("but      {actual}")]
            }),
        );
        why.extend(texts("difference"));
        let unverified = replay.get("unverified").and_then(|value| value.as_array()).into_iter().flatten();
        why.extend(unverified.filter_map(|step| {
            let text = |key: &str| step.get(key)?.as_str();
            let number = step.get("step")?.as_u64()?;
            Some(format!("step {number}: {}; to verify it: {}", text("reason")?, text("remedy")?))
        }));
        Self { verdict, step, why, seconds, replay: Some(replay) }
    }

    /// One that has no replay to tell of.
    pub(crate) fn without_replay(verdict: &str, why: String, seconds: f64) -> Self {
        Self { verdict: verdict.into(), step: None, why: vec![why], seconds, replay: None }
    }

    /// Whether it is what a script expects.
    pub(crate) fn is(&self, expected: Expect, step: Option<usize>) -> bool {
        let is_allowed = expected == Expect::Passed
            && self.verdict == Expect::Unverified.name()
            && self.replay.as_ref().is_some_and(|replay| replay["allowed"] == true);
        is_allowed || self.verdict == expected.name() && step.is_none_or(|step| self.step == Some(step))
    }

    /// The verdict and where.
    pub(crate) fn describe(&self) -> String {
        let verdict = self.verdict.replace('_', " ");
        self.step.map_or_else(|| verdict.clone(), |step| format!("{verdict} at step {step}"))
    }
}

impl TestResult {
    pub(crate) fn of(script: &Script, attempts: Vec<Attempt>) -> Self {
        let is_expected = |attempt: &Attempt| attempt.is(script.expect(), script.expect_step());
        let outcome = match attempts.last().is_some_and(is_expected) {
            true if attempts.len() == 1 => Outcome::Passed,
            true => Outcome::Flaky,
            false => Outcome::Failed,
        };
        Self {
            name: script.name.clone(),
            script: script.path.display().to_string(),
            outcome,
            expected: script.expect(),
            seconds: attempts.iter().map(|attempt| attempt.seconds).sum(),
            tags: script.tags().to_vec(),
            report: None,
            attempts,
        }
    }

    pub(crate) fn last(&self) -> Option<&Attempt> {
        self.attempts.last()
    }
}

impl Summary {
    pub(crate) fn of(results: &[TestResult]) -> Self {
        let count = |outcome| results.iter().filter(|result| result.outcome == outcome).count();
        Self {
            tests: results.len(),
            passed: count(Outcome::Passed),
            flaky: count(Outcome::Flaky),
            failed: count(Outcome::Failed),
            seconds: results.iter().map(|result| result.seconds).sum(),
        }
    }
}

/// The lines of JSON that tell results.
pub(crate) fn to_lines(results: &[TestResult]) -> anyhow::Result<String> {
    let mut text = String::new();
    for result in results {
        text += &(serde_json::to_string(result)? + "\n");
    }
    text += &(serde_json::to_string(&Line::Summary { summary: Summary::of(results), shard: None })? + "\n");
    Ok(text)
}

/// Results that were written by `dashcam test --json`, and which shard's they are.
pub(crate) fn read(path: &Path) -> anyhow::Result<(Vec<TestResult>, Option<Shard>)> {
    let text = text_file::read(path)?;
    let (mut results, mut end) = (Vec::new(), None);
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let Ok(line) = serde_json::from_str(line) else {
            bail!("{}:{}: not what dashcam test --json writes: name such a file", path.display(), number + 1);
        };
        match line {
            Line::Test(result) => results.push(*result),
            Line::Summary { shard, .. } => end = Some(shard),
        }
    }
    // A run that was broken off has told of a part of its scripts, and nobody would miss the others.
    let Some(shard) = end else {
        bail!("{} has no last line with the numbers: run that shard again", path.display());
    };
    Ok((results, shard))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn result(name: &str, outcome: Outcome, seconds: f64) -> TestResult {
        let verdict = if outcome == Outcome::Failed { "diverged" } else { "passed" };
        let attempt = |verdict: &str| Attempt {
            verdict: verdict.into(),
            step: (verdict == "diverged").then_some(3),
            why: vec!["expected a < b".into(), "but      c & d".into()],
            seconds,
            replay: None,
        };
        let attempts = match outcome {
            Outcome::Flaky => vec![attempt("diverged"), attempt("passed")],
            _ => vec![attempt(verdict)],
        };
        let (name, script) = (name.to_owned(), format!("{name}.toml"));
        TestResult {
            name,
            script,
            outcome,
            expected: Expect::Passed,
            seconds,
            tags: vec![],
            report: None,
            attempts,
        }
    }

    #[test]
    fn results_are_the_same_after_writing_and_reading() {
        let results = vec![result("a", Outcome::Passed, 1.5), result("b/c", Outcome::Flaky, 2.0)];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        std::fs::write(&path, to_lines(&results).unwrap()).unwrap();
        assert_eq!(read(&path).unwrap(), (results.clone(), None));
        let cut = to_lines(&results).unwrap().lines().next().unwrap().to_owned();
        std::fs::write(&path, cut).unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("run that shard again"));
        std::fs::write(&path, "{}\n").unwrap();
        assert!(format!("{:#}", read(&path).unwrap_err()).contains("r.jsonl:1"));
    }

    #[test]
    fn an_attempt_tells_why() {
        let replay = serde_json::json!({
            "verdict": "diverged", "step": 4, "expected": ["x"], "actual": ["y"], "difference": ["~ z"]
        });
        let attempt = Attempt::of(replay, 1.0);
        assert_eq!(attempt.describe(), "diverged at step 4");
        assert_eq!(attempt.why, ["expected x", "but      y", "~ z"]);
        assert!(attempt.is(Expect::Diverged, Some(4)) && !attempt.is(Expect::Diverged, Some(5)));
        assert!(!attempt.is(Expect::Passed, None));
    }
}
