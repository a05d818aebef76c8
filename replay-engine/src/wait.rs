//! Waiting for the application, and what it means when it ends, hangs or crashes.
//!
//! Each wait has a condition and a deadline that comes from the recording; none is for a time alone.

use crate::driver::{State, Trouble};
use crate::live_windows::is_visible;
use crate::replay::{Replay, StepContext};
use crate::verdict::Verdict;
use message_log::Entry;
use std::time::Duration;
use steps::Step;
use win32_vocabulary::exceptions::FIRST_EXCEPTION;

/// Patience beyond what the recording shows.
const GRACE: Duration = Duration::from_secs(10);
const MAX_PATIENCE: Duration = Duration::from_secs(60);
/// How long the application may be looked away from while something is waited for.
const GLANCE: Duration = Duration::from_millis(100);
pub(crate) const SHORTEST_REST: Duration = Duration::from_millis(1);
const LONGEST_REST: Duration = Duration::from_millis(20);

impl<I: Iterator<Item = Entry>> Replay<'_, I> {
    /// How long what the step brings may take: twice as long as at the time, and some grace. Before the first
    /// step the program starts.
    pub(crate) fn patience(&self, step: &Step) -> Duration {
        self.options.patience.unwrap_or_else(|| self.recorded_patience(step))
    }

    fn recorded_patience(&self, step: &Step) -> Duration {
        let start = if step.number == 1 { step.time } else { 0 };
        let recorded = Duration::from_micros(self.recording.time_of(step).saturating_add(start));
        GRACE.saturating_add(recorded.saturating_mul(2)).min(MAX_PATIENCE)
    }

    /// Looks at the windows.
    pub(crate) fn look(&mut self, context: &StepContext<'_>) -> Result<(), Verdict> {
        match self.driver.snapshot() {
            Ok(frame) => {
                self.live_windows.set(frame);
                Ok(())
            }
            Err(Trouble::Ended(code)) => Err(self.ended(context, code)),
            Err(trouble) => {
                let verdict = context.blocked(format!("the windows cannot be seen: {trouble}"));
                Err(self.or_crash(context, verdict))
            }
        }
    }

    /// Waits until a program that was just started is ready. One that takes no messages yet has a minute: on
    /// a busy machine, with the recorder inside, a start may take much longer than recorded.
    pub(crate) fn wait_start(&mut self, step: &Step) {
        let (start, patience) = (self.clock.now(), self.recorded_patience(step));
        while self.driver.settle(patience) == State::Hung && self.clock.now() - start < MAX_PATIENCE {
            self.clock.rest(LONGEST_REST);
        }
    }

    /// Lets the application work before the next look.
    pub(crate) fn glance(&mut self, context: &StepContext<'_>, rest: &mut Duration) -> Result<(), Verdict> {
        let asked = self.clock.now();
        let state = self.driver.settle(GLANCE);
        self.glanced = (asked, state == State::Busy);
        self.clock.rest(*rest);
        *rest = (*rest * 2).min(LONGEST_REST);
        self.judge(context, &state)
    }

    /// Whether nothing more is waited for: the time is over, and the application was seen at rest since, so
    /// that it has had its turn. One that is always at work has a minute more.
    pub(crate) fn is_over(&self, context: &StepContext<'_>) -> bool {
        let (now, (asked, is_busy)) = (self.clock.now(), self.glanced);
        let has_had_its_turn = asked >= context.deadline && !is_busy;
        now >= context.deadline && (has_had_its_turn || now - context.deadline >= MAX_PATIENCE)
    }

    pub(crate) fn settle(&mut self, context: &StepContext<'_>) -> Result<(), Verdict> {
        loop {
            let left = context.deadline.saturating_sub(self.clock.now());
            let state = self.driver.settle(left);
            let is_awaited = self.hangs_in(context.step) || left.is_zero();
            if state != State::Hung || is_awaited {
                return self.judge(context, &state);
            }
            self.clock.rest(LONGEST_REST);
        }
    }

    pub(crate) fn judge(&mut self, context: &StepContext<'_>, state: &State) -> Result<(), Verdict> {
        match state {
            State::Idle | State::Busy => Ok(()),
            State::Ended(code) => Err(self.ended(context, *code)),
            State::Hung => {
                let step = context.step.number;
                let is_recorded = self.hangs_in(context.step);
                let what = "the application does not answer any more".to_owned();
                let is_last = self.chosen.is_last(context.step);
                match is_recorded {
                    true if is_last => Err(Verdict::Reproduced { step, what, compared: "the step".into() }),
                    // It answered again then, or the machine is busy: what answers in time does not hang.
                    _ if self.clock.now() < context.deadline => Ok(()),
                    _ => {
                        let verdict = context.diverged("the application answers", what);
                        Err(self.or_crash(context, verdict))
                    }
                }
            }
        }
    }

    /// Whether the recorded program did not answer any more in this step.
    pub(crate) fn hangs_in(&self, step: &Step) -> bool {
        self.recording.hang.is_some_and(|event| self.recording.step_at(event) == step.number)
    }

    /// What went wrong, unless it is that the application has crashed: a debugger or a report may
    /// keep it from ending.
    pub(crate) fn or_crash(&mut self, context: &StepContext<'_>, verdict: Verdict) -> Verdict {
        match self.driver.crash() {
            Some(crash) => self.ended(context, crash.code),
            None => verdict,
        }
    }

    /// The application has ended: with the recorded crash, as recorded, or otherwise.
    pub(crate) fn ended(&mut self, context: &StepContext<'_>, code: u32) -> Verdict {
        let step = context.step.number;
        let noted = self.driver.crash();
        let what = match &noted {
            Some(crash) => format!("the application crashed with {:#010X}{}", crash.code, crash.place()),
            None if code >= FIRST_EXCEPTION => format!("the application crashed with {code:#010X}"),
            None => format!("the application ended with code {code:#X}"),
        };
        if let Some(crash) = &self.options.crash {
            if !crash.is(step, code) {
                return context.diverged(crash.describe(), what);
            }
            let compared = "the step and the exception code that the script expects".into();
            return Verdict::Reproduced { step, what, compared };
        }
        if let Some(crash) = &self.recording.crash {
            let at = self.recording.step_at(crash.event);
            let compared = crash.compare(noted.as_ref(), code);
            return match compared {
                Ok(compared) if at == step => {
                    Verdict::Reproduced { step, what, compared: format!("the step, {compared}") }
                }
                _ => {
                    let expected = format!("the crash {:#010X}{} at step {at}", crash.code, crash.place());
                    context.diverged(expected, what)
                }
            };
        }
        if noted.is_some() || code >= FIRST_EXCEPTION || !self.chosen.is_last(context.step) {
            return context.diverged("the application goes on", what);
        }
        let end = self.recorded_windows.at(self.recording.plan.events_after(step));
        let is_empty = !end.children(0).any(|node| node.is_known && is_visible(end, node.hwnd));
        if is_empty || self.recording.quits_in(context.step) {
            return Verdict::Passed;
        }
        if !self.recording.breaks_off {
            return context.diverged("the application goes on", what);
        }
        // The log shows windows to the last moment: the program went without telling why, then as now.
        if code == 0 {
            self.remarks
                .push("the application ended with the last step; the recording breaks off there too".into());
            return Verdict::Passed;
        }
        let compared = "the step: the recording breaks off there; with which code is not known of it".into();
        Verdict::Reproduced { step, what, compared }
    }
}
