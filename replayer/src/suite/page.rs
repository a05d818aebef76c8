//! The page of a suite: results and the last runs, as `report/suite.rs` draws them.

use super::history::{History, Run};
use super::result::{Outcome, TestResult};
use crate::report::suite::{Before, Status, Suite, Test, suite_page};

/// The page of these results. `wall` is how long they took side by side, if that is known.
pub(crate) fn of(name: &str, results: &[TestResult], history: &History, wall: f64) -> anyhow::Result<String> {
    let tests = results.iter().map(|result| test(result, history)).collect();
    suite_page(&Suite { name: name.into(), started: String::new(), millis: millis(wall), tests })
}

fn test(result: &TestResult, history: &History) -> Test {
    let wrong = result.attempts.iter().find(|attempt| !attempt.is(result.expected, None));
    let before = |run: &Run| Before { status: status(run.outcome), millis: millis(run.seconds) };
    Test {
        name: result.name.clone(),
        status: match result.last() {
            Some(last) if last.replay.is_none() && last.verdict == "broken" => Status::Error,
            _ => status(result.outcome),
        },
        verdict: result.last().map(|last| last.verdict.clone()).unwrap_or_default(),
        message: wrong.map(|attempt| attempt.why.join("\n")).unwrap_or_default(),
        millis: millis(result.seconds),
        attempts: u32::try_from(result.attempts.len()).unwrap_or(u32::MAX),
        tags: result.tags.clone(),
        report: None,
        before: history.last(&result.name).map(before),
    }
}

fn status(outcome: Outcome) -> Status {
    match outcome {
        Outcome::Passed => Status::Passed,
        Outcome::Flaky => Status::Flaky,
        Outcome::Failed => Status::Failed,
    }
}

fn millis(seconds: f64) -> u64 {
    (seconds.max(0.0) * 1000.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::result::tests::result;

    #[test]
    fn a_test_is_told_with_its_last_run() {
        let mut history = History::default();
        history.add(&[result("a", Outcome::Passed, 1.5)]);
        let told = test(&result("a", Outcome::Failed, 2.0), &history);
        assert_eq!((told.status, told.verdict.as_str(), told.millis), (Status::Failed, "diverged", 2000));
        assert_eq!(told.before, Some(Before { status: Status::Passed, millis: 1500 }));
        assert!(told.message.contains("expected a < b"));
        assert!(of("suite", &[result("a", Outcome::Flaky, 1.0)], &history, 1.0).unwrap().contains("<html"));
    }
}
