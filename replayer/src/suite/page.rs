//! Results as a page: `dashcam test --report` and `dashcam merge -o results.html`.

use super::history::History;
use super::result::{Outcome, TestResult};
use crate::report::suite::{Before, Status, Suite, Test, suite_page};

/// The page of these results; `history` is that of the runs before.
pub(crate) fn of_suite(name: &str, results: &[TestResult], history: &History) -> anyhow::Result<String> {
    let tests: Vec<Test> = results.iter().map(|result| test(result, history)).collect();
    let millis = tests.iter().map(|test| test.millis).sum();
    suite_page(&Suite { name: name.into(), started: String::new(), millis, tests })
}

fn test(result: &TestResult, history: &History) -> Test {
    let last = result.last();
    let before = history.last(&result.name);
    Test {
        name: result.name.clone(),
        status: status(result.outcome),
        verdict: last.map(|attempt| attempt.told()).unwrap_or_default(),
        message: last.map(|attempt| attempt.why.join("\n")).unwrap_or_default(),
        millis: millis(last.map_or(result.seconds, |attempt| attempt.seconds)),
        attempts: u32::try_from(result.attempts.len()).unwrap_or(u32::MAX),
        tags: result.tags.clone(),
        report: None,
        before: before.map(|run| Before { status: status(run.outcome), millis: millis(run.seconds) }),
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
    (seconds.max(0.0) * 1000.0).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::result::tests::result;

    #[test]
    fn a_page_has_the_tests_and_how_they_were_the_last_time() {
        let mut history = History::default();
        history.add(&[result("a", Outcome::Passed, 2.0)]);
        let results = [result("a", Outcome::Failed, 3.0), result("b", Outcome::Flaky, 1.0)];
        let test = test(&results[0], &history);
        assert_eq!(test.before, Some(Before { status: Status::Passed, millis: 2000 }));
        assert_eq!((test.status, test.millis), (Status::Failed, 3000));
        let page = of_suite("suite", &results, &history).unwrap();
        assert!(page.contains(r#""name":"b","status":"flaky""#));
    }
}
