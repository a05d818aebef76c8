//! Results as JUnit XML, which every CI system reads.

use super::result::{Outcome, TestResult};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use replay_engine::{Report, StepOutcome, StepReport, Verification};
use std::time::Duration;

/// The results of a suite: a test case for each script. A flaky one counts as a failure, since it is
/// none that passed.
pub(crate) fn of_suite(results: &[TestResult]) -> anyhow::Result<String> {
    let mut suite = TestSuite::new("dashcam");
    for result in results {
        let mut status = TestCaseStatus::success();
        if result.outcome != Outcome::Passed {
            let first = result.attempts.iter().find(|attempt| !attempt.is(result.expected, None));
            let attempt = first.or(result.last());
            let told = attempt.map_or_else(String::new, super::result::Attempt::describe);
            let (kind, message) = match result.outcome {
                Outcome::Flaky => {
                    ("flaky", format!("{told}, and as expected only at attempt {}", result.attempts.len()))
                }
                _ => ("failed", format!("{told}, not {}", result.expected.name())),
            };
            status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(kind).set_message(message);
            status.set_description(attempt.map_or_else(String::new, |attempt| attempt.why.join("\n")));
        }
        let mut case = TestCase::new(result.name.clone(), status);
        case.set_classname("dashcam").set_time(Duration::from_secs_f64(result.seconds.max(0.0)));
        case.extra.insert("file".into(), result.script.clone().into());
        let attempts = result.attempts.iter().enumerate();
        let said = attempts.map(|(number, attempt)| {
            format!("attempt {}: {} in {:.1} s", number + 1, attempt.describe(), attempt.seconds)
        });
        case.set_system_out(said.collect::<Vec<_>>().join("\n"));
        suite.add_test_case(case);
    }
    finish(suite)
}

/// A replay: a test case for each step and each expectation; the step at which it ended has the reason.
pub(crate) fn of_replay(name: &str, report: &Report) -> anyhow::Result<String> {
    let mut suite = TestSuite::new(name);
    let why = || {
        let told = serde_json::to_value(report).unwrap_or_default();
        super::result::Attempt::of(told, 0.0)
    };
    // A crash that was reproduced speaks for the steps before it.
    let is_allowed = report.verdict.exit_code() == 0;
    for step in &report.steps {
        let mut status = TestCaseStatus::success();
        if step.outcome == StepOutcome::Failed {
            let why = why();
            status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status
                .set_type(why.verdict.clone())
                .set_message(why.describe())
                .set_description(why.why.join("\n"));
        }
        if let (Verification::Unverified { reason, remedy }, false) = (&step.verification, is_allowed) {
            status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status
                .set_type("unverified")
                .set_message(reason)
                .set_description(format!("to verify it: {remedy}"));
        }
        let mut case = TestCase::new(format!("{}. {}", step.number, step.text), status);
        case.set_classname(name).set_time(Duration::from_micros(step.micros));
        suite.add_test_case(case);
    }
    let is_bad = |step: &StepReport| {
        step.outcome == StepOutcome::Failed || matches!(step.verification, Verification::Unverified { .. })
    };
    let has_failed = report.steps.iter().any(is_bad);
    if report.verdict.exit_code() != 0 && !has_failed {
        let why = why();
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type(why.verdict.clone()).set_message(why.describe()).set_description(why.why.join("\n"));
        suite.add_test_case(TestCase::new("the verdict", status));
    }
    finish(suite)
}

fn finish(suite: TestSuite) -> anyhow::Result<String> {
    let mut report = quick_junit::Report::new("dashcam");
    report.set_time(suite.test_cases.iter().filter_map(|case| case.time).sum());
    report.add_test_suite(suite);
    Ok(report.to_string()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::result::tests::result;

    #[test]
    fn flaky_is_no_success() {
        let results = [
            result("fine", Outcome::Passed, 1.0),
            result("shaky", Outcome::Flaky, 2.0),
            result("<bad>", Outcome::Failed, 3.0),
        ];
        let xml = of_suite(&results).unwrap();
        assert!(xml.contains(r#"tests="3""#) && xml.contains(r#"failures="2""#), "{xml}");
        assert!(xml.contains(r#"type="flaky""#) && xml.contains("only at attempt 2"), "{xml}");
        assert!(xml.contains("&lt;bad&gt;") && xml.contains("diverged at step 3, not passed"), "{xml}");
    }
}
