//! Results as a page: `dashcam test --report` and `dashcam merge -o results.html`.

use super::history::{History, Run};
use super::result::{Outcome, TestResult};
use crate::report::suite::{Before, Status, Suite, Test, suite_page};
use std::path::{Path, PathBuf};

/// The page of these results; `history` is that of the runs before, `started` when this one began (RFC 3339),
/// if that is known.
pub(crate) fn of_suite(
    name: &str,
    started: &str,
    results: &[TestResult],
    history: &History,
) -> anyhow::Result<String> {
    let tests: Vec<Test> = results.iter().map(|result| test(result, history)).collect();
    let millis = results.iter().map(|result| millis(result.seconds)).sum();
    suite_page(&Suite { name: name.into(), started: started.into(), millis, tests })
}

fn test(result: &TestResult, history: &History) -> Test {
    let last = result.last();
    // Of one that is flaky the attempt is told that was not as expected.
    let first = result.attempts.first().filter(|_| result.outcome == Outcome::Flaky);
    let run = |run: &Run| Before { status: status(run.outcome), millis: millis(run.seconds) };
    let earlier: Vec<Before> = history.tests.get(&result.name).into_iter().flatten().map(run).collect();
    Test {
        name: result.name.clone(),
        status: status(result.outcome),
        verdict: [first, last]
            .into_iter()
            .flatten()
            .map(|attempt| attempt.describe())
            .collect::<Vec<_>>()
            .join(", then "),
        message: first.or(last).map(|attempt| attempt.why.join("\n")).unwrap_or_default(),
        millis: millis(last.map_or(result.seconds, |attempt| attempt.seconds)),
        attempts: u32::try_from(result.attempts.len()).unwrap_or(u32::MAX),
        tags: result.tags.clone(),
        report: result.report.clone(),
        before: earlier.last().copied(),
        earlier,
    }
}

/// The page of a script's replay, as the page of all calls it, and its file: in a folder named like the page
/// of all, beside it.
pub(crate) fn of_test(all: &Path, script: &str) -> (String, PathBuf) {
    let folder = all.file_stem().unwrap_or_default().to_string_lossy();
    let folder = if all.extension().is_some() { folder.into_owned() } else { format!("{folder}-tests") };
    let name = format!("{folder}/{script}.html");
    let file = all.with_file_name(&name);
    (name, file)
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
    fn the_page_of_a_test_lies_in_a_folder_beside_the_page_of_all() {
        let (name, file) = of_test(Path::new("out/suite.html"), "deep/a");
        assert_eq!((name.as_str(), file), ("suite/deep/a.html", PathBuf::from("out/suite/deep/a.html")));
        assert_eq!(of_test(Path::new("suite"), "a").0, "suite-tests/a.html");
    }

    #[test]
    fn a_page_has_the_tests_and_how_they_were_the_last_time() {
        let mut history = History::default();
        history.add(&[result("a", Outcome::Passed, 2.0)]);
        let results = [result("a", Outcome::Failed, 3.0), result("b", Outcome::Flaky, 1.0)];
        let test = test(&results[0], &history);
        assert_eq!(test.before, Some(Before { status: Status::Passed, millis: 2000 }));
        assert_eq!((test.status, test.millis, test.earlier.len()), (Status::Failed, 3000, 1));
        let page = of_suite("suite", "2026-11-17T12:00:00Z", &results, &history).unwrap();
        assert!(page.contains(r#""name":"b","status":"flaky""#));
    }
}
