//! A replay for people: the steps as `show` tells them, each with what became of it, and the verdict with its reasons.

use super::verdict::{Outcome, Report, Told, Verdict};
use std::fmt::Write as _;

const BOLD: &str = "\u{1b}[1m";
const DIM: &str = "\u{1b}[2m";
const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const PLAIN: &str = "\u{1b}[0m";

/// How to print.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    pub(crate) colour: bool,
    /// With acts and decisions.
    pub(crate) explain: bool,
    /// Digits of the last step's number.
    pub(crate) width: usize,
}

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        if self.colour { format!("{code}{text}{PLAIN}") } else { text.into() }
    }

    /// A step that is over.
    pub(crate) fn step(self, told: &Told) -> String {
        let mark = match told.outcome {
            Outcome::Done => self.paint(GREEN, "✓"),
            Outcome::Nothing => self.paint(DIM, "·"),
            Outcome::Failed => self.paint(RED, "✗"),
        };
        let width = self.width;
        let mut out = format!("{mark} {:>width$}. {}\n", told.number, told.text);
        let pad = " ".repeat(width + 4);
        for remark in &told.remarks {
            let _ = writeln!(out, "{pad}{}", self.paint(DIM, &format!("— {remark}")));
        }
        if self.explain {
            let _ = writeln!(out, "{pad}{}: {}", told.act, told.because);
            for line in told.decisions.iter().flat_map(|decision| decision.lines()) {
                let _ = writeln!(out, "{pad}{}", self.paint(DIM, line));
            }
        }
        out
    }

    /// The end.
    pub(crate) fn verdict(self, report: &Report) -> String {
        let mut out = String::new();
        for remark in &report.remarks {
            let _ = writeln!(out, "{}", self.paint(DIM, &format!("— {remark}")));
        }
        let name = report.verdict.name();
        let name = self.paint(if report.verdict.exit_code() == 0 { GREEN } else { RED }, name);
        let _ = match &report.verdict {
            Verdict::Passed => {
                let steps = report.steps.len();
                writeln!(out, "{name}: {steps} {}", if steps == 1 { "step" } else { "steps" })
            }
            Verdict::Reproduced { step, what, compared } => {
                writeln!(out, "{name} at step {step}: {what}\n  compared: {compared}")
            }
            Verdict::Blocked { step, reason } => writeln!(out, "{name} at step {step}: {}", indented(reason)),
            Verdict::Invalid { reason } => writeln!(out, "{name}: {reason}"),
            Verdict::Diverged { step, expected, actual, difference } => {
                let _ = writeln!(out, "{name} at step {step}");
                for (expected, actual) in expected.iter().zip(actual) {
                    let _ = writeln!(out, "  {} {expected}", self.paint(BOLD, "expected"));
                    let _ = writeln!(out, "  {}      {}", self.paint(BOLD, "but"), indented(actual));
                }
                if !difference.is_empty() {
                    let _ = writeln!(out, "  recorded windows (-) and those of the replay (+):");
                }
                difference.iter().try_for_each(|line| writeln!(out, "    {line}"))
            }
        };
        out
    }
}

/// Lines after the first are indented.
fn indented(text: &str) -> String {
    text.replace('\n', "\n    ")
}
