//! Results for people.

use super::result::{Outcome, Summary, TestResult};
use crate::output::colour;
use std::fmt::Write as _;

const DIM: &str = "\u{1b}[2m";
const RED: &str = "\u{1b}[31m";
const YELLOW: &str = "\u{1b}[33m";
const GREEN: &str = "\u{1b}[32m";
const PLAIN: &str = "\u{1b}[0m";

fn paint(code: &str, text: &str) -> String {
    if colour() { format!("{code}{text}{PLAIN}") } else { text.into() }
}

/// A script that is over.
pub(crate) fn test(result: &TestResult) -> String {
    let (mark, code) = match result.outcome {
        Outcome::Passed => ("✓", GREEN),
        Outcome::Flaky => ("≈", YELLOW),
        Outcome::Failed => ("✗", RED),
    };
    let told = result.last().map_or_else(String::new, super::result::Attempt::describe);
    let mut out = format!("{} {}", paint(code, mark), result.name);
    let _ = match result.outcome {
        Outcome::Passed => write!(out, "{}", paint(DIM, &format!(": {told}, {:.1} s", result.seconds))),
        Outcome::Flaky => {
            write!(out, ": {} — {told} only at attempt {}", paint(code, "flaky"), result.attempts.len())
        }
        Outcome::Failed => write!(out, ": {told}, not {}", result.expected.name()),
    };
    if result.outcome != Outcome::Passed {
        let failed = result.attempts.iter().filter(|attempt| !attempt.is(result.expected, None));
        for line in failed.take(1).flat_map(|attempt| &attempt.why) {
            let _ = write!(out, "\n    {}", line.replace('\n', "\n    "));
        }
    }
    out
}

/// All of them.
pub(crate) fn summary(results: &[TestResult]) -> String {
    let Summary { tests, passed, flaky, failed, seconds } = Summary::of(results);
    let word = |count: usize| if count == 1 { "script" } else { "scripts" };
    if passed == tests {
        return format!("{}: {tests} {}, {seconds:.1} s", paint(GREEN, "all as expected"), word(tests));
    }
    let mut parts = vec![format!("{passed} as expected")];
    parts.extend((flaky > 0).then(|| paint(YELLOW, &format!("{flaky} flaky"))));
    parts.extend((failed > 0).then(|| paint(RED, &format!("{failed} not"))));
    format!("{tests} {}: {}, {seconds:.1} s", word(tests), parts.join(", "))
}
