//! A replay for people: the steps as `show` tells them, each with what became of it, and the verdict
//! with its reasons.

use replay_engine::{Report, StepOutcome, StepReport, UnverifiedStep, Verdict, Verification};
use std::fmt::Write as _;

const BOLD: &str = "\u{1b}[1m";
const DIM: &str = "\u{1b}[2m";
const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const YELLOW: &str = "\u{1b}[33m";
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
    pub(crate) fn step(self, step_report: &StepReport) -> String {
        let mark = match (step_report.outcome, &step_report.verification) {
            (StepOutcome::Done, Verification::Unverified { .. }) => self.paint(YELLOW, "?"),
            (StepOutcome::Done, _) => self.paint(GREEN, "✓"),
            (StepOutcome::Nothing, _) => self.paint(DIM, "·"),
            (StepOutcome::Failed, _) => self.paint(RED, "✗"),
        };
        let width = self.width;
        let mut out = format!("{mark} {:>width$}. {}\n", step_report.number, step_report.text);
        let pad = " ".repeat(width + 4);
        for remark in &step_report.remarks {
            let _ = writeln!(out, "{pad}{}", self.paint(DIM, &format!("— {remark}")));
        }
        if let Verification::Unverified { reason, .. } = &step_report.verification {
            let _ = writeln!(out, "{pad}{}", self.paint(YELLOW, &format!("— unverified: {reason}")));
        }
        if self.explain {
            let _ = writeln!(out, "{pad}{}: {}", step_report.act, step_report.because);
            for line in step_report.decisions.iter().flat_map(|decision| decision.lines()) {
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
        let colour = match report.verdict {
            Verdict::Unverified { .. } => YELLOW,
            _ if report.verdict.exit_code() == 0 => GREEN,
            _ => RED,
        };
        let name = self.paint(colour, name);
        let _ = match &report.verdict {
            Verdict::Passed => {
                let steps = report.steps.len();
                writeln!(out, "{name}: {steps} {}", if steps == 1 { "step" } else { "steps" })
            }
            Verdict::Unverified { unverified, allowed } => {
                let steps = report.steps.iter().filter(|step| !step.is_expectation).count();
                let _ = writeln!(
                    out,
                    "{name}: every step had its effects, but {} of {steps} could not be verified",
                    unverified.len()
                );
                for UnverifiedStep { step, reason, remedy } in unverified {
                    let _ = writeln!(out, "  step {step}: {reason}\n    to verify it: {remedy}");
                }
                match allowed {
                    true => writeln!(out, "  allowed, so this counts as passed"),
                    false => writeln!(
                        out,
                        "  to accept this as it is: --allow-unverified, or allow_unverified = true in a script"
                    ),
                }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn step(number: usize, text: &str, outcome: StepOutcome) -> StepReport {
        StepReport {
            number,
            text: text.into(),
            act: "BM_CLICK".into(),
            because: "what a click does".into(),
            outcome,
            verification: Verification::Verified,
            remarks: Vec::new(),
            decisions: vec!["match 0x1: Button \"Modal\", score 6, margin 5\n".into()],
            micros: 0,
            is_expectation: false,
            own_micros: 0,
            window: None,
            windows: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
        }
    }

    #[test]
    fn a_divergence_is_printed_with_its_reasons() {
        let verdict = Verdict::Diverged {
            step: 2,
            expected: vec!["#32770 “Text” appears".into()],
            actual: vec![
                "absent: nothing like it is there\n#32770 \"Text\": nothing like it is there".into(),
            ],
            difference: vec!["- #32770 \"Text\"".into()],
        };
        let steps = vec![
            step(1, "Press “Modal”", StepOutcome::Done),
            step(2, "In dialog “Modal”, press “Another” with Alt+A", StepOutcome::Failed),
        ];
        let report = Report { steps, ..Report::of(verdict) };
        let style = Style { colour: false, explain: false, width: 2 };
        let printed: String = report.steps.iter().map(|it| style.step(it)).collect();
        assert_eq!(
            printed + &style.verdict(&report),
            "✓  1. Press “Modal”\n\
             ✗  2. In dialog “Modal”, press “Another” with Alt+A\n\
             diverged at step 2\n  \
               expected #32770 “Text” appears\n  \
               but      absent: nothing like it is there\n    \
                 #32770 \"Text\": nothing like it is there\n  \
               recorded windows (-) and those of the replay (+):\n    \
                 - #32770 \"Text\"\n"
        );
        let explained = Style { explain: true, colour: true, ..style }.step(&report.steps[0]);
        assert!(explained.contains("BM_CLICK: ") && explained.contains("score 6, margin 5"), "{explained}");
        assert!(explained.starts_with("\u{1b}[32m✓"), "{explained}");
    }
}
