//! After a step that had its effects: what else is compared, as the level and the script say.
//!
//! Each look waits until all is as it should be, with the patience of the step: an application may be late,
//! and is not wrong for that.

use crate::driver::Driver;
use crate::evidence::Verification;
use crate::options::{Level, Options};
use crate::oracle::{CrashExpected, Expectation, State, compare};
use crate::replay::{Replay, StepContext};
use crate::verdict::{StepOutcome, StepReport, Verdict};
use crate::wait::SHORTEST_REST;
use message_log::Entry;
use std::time::Duration;
use steps::Step;
use window_tree::Tree;

/// More differences say nothing more.
const MAX_DIFFERENCES: usize = 20;

/// A state that is still changing after so many looks is taken as it is.
const MAX_LOOKS: usize = 10;

impl<I: Iterator<Item = Entry>> Replay<'_, I> {
    /// Compares what is due after a step. What was expected by the script goes to `watch`, like a step.
    pub(crate) fn observe(
        &mut self,
        step: &Step,
        is_last: bool,
        watch: &mut dyn FnMut(StepReport),
    ) -> Result<(), Verdict> {
        let number = step.number;
        let before = Tree::new();
        let mut context = StepContext { step, before, deadline: self.clock.now() + self.patience(step) };
        self.oracle.touched.see(step);
        self.capture(&context)?;
        let options = self.options;
        let mut missed = Missed::default();
        for expected in options.expectations.iter().filter(|it| it.is_after(number, is_last)) {
            // Behind one that was waited for in vain the others are only looked at.
            let patience = if missed.is_empty() { self.patience(step) } else { Duration::ZERO };
            context.deadline = self.clock.now() + patience;
            missed.extend(self.hold_to(&context, expected, watch)?);
        }
        verdict(number, missed)?;
        if options.level != Level::Changed && options.every.is_due(number, is_last) {
            context.deadline = self.clock.now() + self.patience(step);
            self.compare(&context)?;
        }
        match options.crash.as_ref().filter(|crash| crash.after_step == number) {
            Some(crash) => Err(self.await_crash(&mut context, crash, watch)),
            None => Ok(()),
        }
    }

    /// Keeps the state after the step, as soon as two looks at it are the same.
    fn capture(&mut self, context: &StepContext<'_>) -> Result<(), Verdict> {
        let Some(baseline) = &self.options.capture else { return Ok(()) };
        let mut last = None;
        for _ in 0..MAX_LOOKS {
            self.settle(context)?;
            self.look(context)?;
            let state = Some(State::of(self.live_windows.tree(), self.driver));
            let is_still = state == last;
            last = state;
            if is_still {
                break;
            }
        }
        baseline.borrow_mut().states.extend(last.map(|state| (context.step.number, state)));
        Ok(())
    }

    /// Waits until it holds; what is there instead if it does not in time.
    fn hold_to(
        &mut self,
        context: &StepContext<'_>,
        expected: &Expectation,
        watch: &mut dyn FnMut(StepReport),
    ) -> Result<Option<(String, String)>, Verdict> {
        let (start, mut rest) = (self.clock.now(), SHORTEST_REST);
        let missed = loop {
            self.look(context)?;
            let Some(actual) = expected.miss(self.live_windows.tree(), self.driver) else { break None };
            if self.is_over(context) {
                break Some((expected.describe(), actual));
            }
            self.glance(context, &mut rest)?;
        };
        watch(expectation_report(
            context.step.number,
            &expected.describe(),
            missed.is_none(),
            self.clock.now() - start,
        ));
        Ok(missed)
    }

    fn compare(&mut self, context: &StepContext<'_>) -> Result<(), Verdict> {
        let number = context.step.number;
        let after = self.recorded_windows.at(self.recording.plan.events_after(number)).clone();
        let has_baseline = self.has_baseline(context.step);
        let mut rest = SHORTEST_REST;
        loop {
            self.look(context)?;
            let mut difference = match has_baseline {
                true => self.against_baseline(number),
                false => {
                    let Options { rules, .. } = self.options;
                    self.oracle.touched.differences(&after, &mut self.live_windows, self.driver, rules)
                }
            };
            if difference.is_empty() {
                self.is_fresh = true;
                return Ok(());
            }
            if self.is_over(context) {
                let count = difference.len();
                difference.truncate(MAX_DIFFERENCES);
                let expected = match self.options.level {
                    Level::Complete => "every property as in the baseline",
                    _ => "all that the recording touched as it was recorded",
                };
                let actual = format!("{count} {}", if count == 1 { "difference" } else { "differences" });
                return Err(Verdict::Diverged {
                    step: number,
                    expected: vec![expected.into()],
                    actual: vec![actual],
                    difference,
                });
            }
            self.glance(context, &mut rest)?;
        }
    }

    /// Whether a script's expectation is looked at after this step.
    pub(crate) fn has_expectation(&self, step: &Step) -> bool {
        let is_last = self.chosen.is_last(step);
        self.options.expectations.iter().any(|it| it.is_after(step.number, is_last))
    }

    /// Whether a baseline is compared after this step. It has everything, and is the younger expectation: an
    /// application that changed on purpose is held to it, and to the recording no more.
    pub(crate) fn has_baseline(&self, step: &Step) -> bool {
        let Options { level, every, baseline, .. } = self.options;
        *level == Level::Complete
            && every.is_due(step.number, self.chosen.is_last(step))
            && baseline.as_ref().is_some_and(|baseline| baseline.states.contains_key(&step.number))
    }

    fn against_baseline(&mut self, step: usize) -> Vec<String> {
        let expected = self.options.baseline.as_ref().and_then(|baseline| baseline.states.get(&step));
        let Some(expected) = expected else { return Vec::new() };
        let actual = State::of(self.live_windows.tree(), self.driver);
        let found = compare(expected, &actual, &mut self.oracle.matcher, &self.options.rules);
        found.iter().map(ToString::to_string).collect()
    }

    /// The script says that the application ends here.
    fn await_crash(
        &mut self,
        context: &mut StepContext<'_>,
        crash: &CrashExpected,
        watch: &mut dyn FnMut(StepReport),
    ) -> Verdict {
        let (start, mut rest) = (self.clock.now(), SHORTEST_REST);
        context.deadline = start + self.patience(context.step);
        let verdict = loop {
            if let Err(verdict) = self.glance(context, &mut rest) {
                break verdict;
            }
            if self.is_over(context) {
                break context.diverged(crash.describe(), "the application goes on");
            }
        };
        let is_it = matches!(verdict, Verdict::Reproduced { .. });
        watch(expectation_report(context.step.number, &crash.describe(), is_it, self.clock.now() - start));
        verdict
    }
}

impl Expectation {
    /// Whether it is due after this step.
    fn is_after(&self, step: usize, is_last: bool) -> bool {
        self.after_step.map_or(is_last, |after| after == step)
    }
}

/// What a script expects of an application that has ended as it should: a crash, and that windows are gone.
pub(crate) fn at_the_end(
    from: usize,
    options: &Options,
    driver: &mut dyn Driver,
    watch: &mut dyn FnMut(StepReport),
) -> Result<(), Verdict> {
    let due = options.expectations.iter().filter(|it| it.after_step.is_none_or(|after| after >= from));
    let mut missed = Missed::default();
    if let Some(crash) = &options.crash {
        watch(expectation_report(from, &crash.describe(), true, Duration::ZERO));
    }
    for expected in due {
        let actual = expected.miss(&Tree::new(), driver);
        watch(expectation_report(from, &expected.describe(), actual.is_none(), Duration::ZERO));
        missed.extend(
            actual.map(|actual| (expected.describe(), format!("{actual}: the application has ended"))),
        );
    }
    verdict(from, missed)
}

/// What was expected and does not hold, and what is there instead.
type Missed = Vec<(String, String)>;

fn verdict(step: usize, missed: Missed) -> Result<(), Verdict> {
    if missed.is_empty() {
        return Ok(());
    }
    let (expected, actual) = missed.into_iter().unzip();
    Err(Verdict::Diverged { step, expected, actual, difference: Vec::new() })
}

fn expectation_report(step: usize, expected: &str, holds: bool, took: Duration) -> StepReport {
    StepReport {
        number: step,
        text: format!("Expect: {expected}"),
        act: "look".into(),
        because: "the script expects it".into(),
        outcome: if holds { StepOutcome::Done } else { StepOutcome::Failed },
        verification: Verification::Verified,
        remarks: Vec::new(),
        decisions: Vec::new(),
        micros: u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
        own_micros: 0,
        is_expectation: true,
        window: None,
        windows: Vec::new(),
        before: Vec::new(),
        after: Vec::new(),
    }
}
