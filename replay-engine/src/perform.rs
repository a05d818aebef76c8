//! One step: look, find, act, settle, verify. What ends a replay early travels as `Err(Verdict)`.

use crate::choice::{Choice, TargetedAct};
use crate::commands::Commands;
use crate::driver::{Act, Answer, ItemRef, Question, Trouble};
use crate::evidence::{Compared, Evidence, Position};
use crate::live_windows::Lookup;
use crate::miss::Miss;
use crate::point_steps::{points_of, quiet};
use crate::points::Fit;
use crate::replay::{Replay, StepContext};
use crate::text::{describe_window, same_text, text_of};
use crate::verdict::{StepReport, Verdict};
use crate::verify::{Expected, differences, unexpected_modals};
use crate::wait::SHORTEST_REST;
use message_log::Entry;
use steps::Step;

impl<I: Iterator<Item = Entry>> Replay<'_, I> {
    /// A recorded top-level window before a step that the application does not have.
    pub(crate) fn missing(&mut self, step: &Step) -> Option<String> {
        let recorded = self.recorded_windows.at(step.first_event).clone();
        self.live_windows.set(self.driver.snapshot().unwrap_or_default());
        let shown = recorded.children(0).filter(|node| node.is_known && node.visible() == Some(true));
        let lost = shown
            .map(|node| node.hwnd)
            .find(|&hwnd| matches!(self.live_windows.find(&recorded, hwnd), Lookup::NotFound(_)));
        lost.map(|hwnd| describe_window(&recorded, hwnd))
    }

    pub(crate) fn step(&mut self, step: &Step, step_report: &mut StepReport) -> Result<(), Verdict> {
        let choice = self.chosen.get(step);
        if let Some(reason) = &choice.blocked {
            return Err(Verdict::Blocked { step: step.number, reason: reason.clone() });
        }
        let before = self.recorded_windows.at(step.first_event).clone();
        let mut context = StepContext { step, before, deadline: self.clock.now() + self.patience(step) };
        let mut evidence = Evidence::of(step, choice);
        let Choice { acts, result, .. } = choice;
        let mut expected = None;
        let mut compared = Compared::default();
        for targeted in acts {
            let window = self.act(&context, targeted, &mut expected, &mut evidence, step_report)?;
            if targeted.to.is_none() || step_report.window.is_none() {
                step_report.window = Some(window);
            }
            self.settle(&context)?;
            if targeted.to.is_none() {
                compared.state |= self.keep_text(&context, window, result.as_deref(), step_report)?;
            }
        }
        context.deadline = self.clock.now() + self.patience(step);
        // Nothing was done, so nothing follows.
        let Some(expected) = expected else { return Ok(()) };
        let shown = self.verify(&context, &expected)?;
        let compared = Compared {
            state: compared.state || shown.state,
            expectation: self.has_expectation(step),
            baseline: self.has_baseline(step),
            ..shown
        };
        let is_harmless = match (evidence.before.take(), step_report.window) {
            (Some(before), Some(window)) => quiet(&self.live_windows, self.driver, window) == before,
            _ => false,
        };
        step_report.verification = evidence.judge(step.number, compared, is_harmless);
        Ok(())
    }

    /// Does one thing, as soon as its window is there for it. The window.
    pub(crate) fn act<'a>(
        &mut self,
        context: &StepContext<'a>,
        targeted: &TargetedAct,
        expected: &mut Option<Expected<'a>>,
        evidence: &mut Evidence,
        step_report: &mut StepReport,
    ) -> Result<u64, Verdict> {
        let was = targeted.to.as_ref().map_or(context.step.target.hwnd(), |to| to.hwnd);
        let mut rest = SHORTEST_REST;
        loop {
            if !std::mem::take(&mut self.is_fresh) {
                self.look(context)?;
            }
            let reason = match self.live_windows.find(&context.before, was) {
                Lookup::Found(hwnd, decision) => {
                    let points = points_of(&targeted.act);
                    if !points.is_empty() && self.restore_size(context, (was, hwnd), evidence, step_report)? {
                        continue;
                    }
                    let act = self.fit(context, (was, hwnd), &targeted.act);
                    if let Some(reason) = self.live_windows.unavailable(&context.before, was, hwnd) {
                        format!("{} is {reason}", describe_window(self.live_windows.tree(), hwnd))
                    } else if let Some(reason) = self.covered(context, (was, hwnd), points, points_of(&act)) {
                        reason
                    } else {
                        if expected.is_none() {
                            *expected = Some(self.expect(context));
                        }
                        if evidence.may_be_harmless && evidence.before.is_none() {
                            evidence.before = Some(quiet(&self.live_windows, self.driver, hwnd));
                        }
                        match self.do_to(context, (was, hwnd), &act, evidence, step_report) {
                            Ok(()) => {
                                if self.live_windows.is_by_order(&context.before, was) {
                                    evidence.add(Position::Window);
                                }
                                let found = decision.as_ref().and_then(|decision| decision.found());
                                if let Some(found) = found.filter(|found| found.is_doubtful()) {
                                    let score = found.weakest;
                                    step_report
                                        .remarks
                                        .push(format!("a doubtful match: a score on the way is {score}"));
                                }
                                step_report.decisions.push(match decision {
                                    Some(decision) => decision.to_string(),
                                    None => format!("match {hwnd:#x}: known from before\n"),
                                });
                                return Ok(hwnd);
                            }
                            Err(Trouble::Ended(code)) => return Err(self.ended(context, code)),
                            Err(Trouble::Unable(reason)) => {
                                return Err(self.or_crash(context, context.blocked(reason)));
                            }
                            Err(trouble) => trouble.to_string(),
                        }
                    }
                }
                Lookup::NotFound(decision) => decision.to_string().trim_end().to_owned(),
                Lookup::NotRecorded => {
                    return Err(context.blocked("the log does not tell which window it was"));
                }
            };
            if self.is_over(context) {
                if let Some(Miss { expected, actual }) =
                    unexpected_modals(&context.before, &mut self.live_windows, |_| true).pop()
                {
                    return Err(context.diverged(expected, actual));
                }
                let target = context
                    .before
                    .get(was)
                    .map_or_else(String::new, |_| describe_window(&context.before, was));
                let difference = differences(&context.before, &mut self.live_windows);
                let difference = match difference.is_empty() {
                    true => String::new(),
                    false => format!(
                        "\nrecorded windows (-) and those of the replay (+):\n  {}",
                        difference.join("\n  ")
                    ),
                };
                return Err(
                    context.blocked(format!("{target} did not become available: {reason}{difference}"))
                );
            }
            self.glance(context, &mut rest)?;
        }
    }

    /// What is expected of the step, as things are before it.
    fn expect<'a>(&mut self, context: &StepContext<'a>) -> Expected<'a> {
        let rules = &self.options.rules;
        let mut expected =
            Expected::of(context.step, &context.before, &mut self.live_windows, self.driver, rules);
        expected.takes_any_text = self.options.capture.is_some() || self.has_baseline(context.step);
        match Commands::of(context.step, &context.before, &mut self.live_windows, self.driver) {
            Ok(commands) => expected.commands = commands,
            Err(Trouble::Unable(why)) => self.remarks.push(why),
            Err(_) => {}
        }
        expected
    }

    /// Does one thing to a window that is there for it.
    fn do_to(
        &mut self,
        context: &StepContext<'_>,
        (was, hwnd): (u64, u64),
        act: &Act,
        evidence: &mut Evidence,
        step_report: &mut StepReport,
    ) -> Result<(), Trouble> {
        if let Act::Leave { .. } = act {
            return self.driver.switch_away(hwnd);
        }
        let done = match self.driver.act(hwnd, act) {
            Err(Trouble::NoItem(item)) => match by_place(act) {
                Some(act) if self.live_windows.is_translated(&context.before, was) => {
                    evidence.add(Position::TranslatedItem);
                    step_report.remarks.push(format!(
                        "nothing is called {item}: in another language its place tells which item it is"
                    ));
                    self.driver.act(hwnd, &act)
                }
                _ => Err(Trouble::NoItem(item)),
            },
            done => done,
        };
        step_report.remarks.extend(self.driver.remarks());
        done
    }

    /// The points of an act become pixels of the live window's client area.
    fn fit(&mut self, context: &StepContext<'_>, (was, hwnd): (u64, u64), act: &Act) -> Act {
        let mut act = act.clone();
        let points = match &mut act {
            Act::Click { point, .. }
            | Act::Grab { point, .. }
            | Act::DropAt { point }
            | Act::DropFiles { point, .. } => std::slice::from_mut(point),
            Act::Stroke { points } => points,
            _ => return act,
        };
        let client = match self.driver.ask(hwnd, &Question::ClientSize) {
            Ok(Answer::Size(width, height)) => Some((width, height)),
            _ => None,
        };
        let fit = Fit::new(context.before.get(was), self.live_windows.tree().get(hwnd), client);
        points.iter_mut().for_each(|point| *point = fit.point(*point));
        act
    }

    /// Sets the text an edit had after the step, where doing the same did not lead to it: another caret,
    /// another clipboard. Whether the field holds the recorded text.
    pub(crate) fn keep_text(
        &mut self,
        context: &StepContext<'_>,
        hwnd: u64,
        result: Option<&str>,
        step_report: &mut StepReport,
    ) -> Result<bool, Verdict> {
        let control = context.step.target.control;
        let is_field = control.is_edit() || control.is_combo_box();
        let Some(result) = result.filter(|_| is_field) else { return Ok(false) };
        match text_of(self.driver, hwnd) {
            Some(text) if !same_text(&text, result) => {}
            Some(_) => return Ok(true),
            None => return Ok(false),
        }
        step_report.remarks.push("typing led to another text: the recorded text was set".into());
        match self.driver.act(hwnd, &Act::SetText { text: result.into() }) {
            Err(Trouble::Ended(code)) => Err(self.ended(context, code)),
            Err(trouble) => Err(context.blocked(format!("its text cannot be set: {trouble}"))),
            Ok(()) => self.settle(context).map(|()| true),
        }
    }

    /// Waits until every effect of the step is there, and the crash if there was one. What was compared.
    pub(crate) fn verify(
        &mut self,
        context: &StepContext<'_>,
        expected: &Expected<'_>,
    ) -> Result<Compared, Verdict> {
        let number = context.step.number;
        let after = self.recorded_windows.at(self.recording.plan.events_after(number)).clone();
        let crash =
            self.recording.crash.as_ref().filter(|crash| self.recording.step_at(crash.event) == number);
        let is_last = self.chosen.is_last(context.step);
        let hangs = is_last && self.hangs_in(context.step);
        let quits = is_last && self.recording.quits_in(context.step) && crash.is_none();
        let mut rest = SHORTEST_REST;
        loop {
            self.look(context)?;
            let (misses, compared) = expected.compare(
                (&context.before, &after),
                &mut self.live_windows,
                self.driver,
                &self.options.rules,
            );
            if misses.is_empty() && crash.is_none() && !hangs && !quits {
                // No need to look again before the next step.
                self.is_fresh = true;
                return Ok(compared);
            }
            if self.is_over(context) {
                let mut expected: Vec<String> = misses.iter().map(|miss| miss.expected.clone()).collect();
                let mut actual: Vec<String> = misses.into_iter().map(|miss| miss.actual).collect();
                if let Some(crash) = crash {
                    expected.push(format!("the crash {:#010X}{}", crash.code, crash.place()));
                    actual.push("the application goes on".into());
                }
                if hangs {
                    expected.push("the application does not answer any more".into());
                    actual.push("the application answers".into());
                }
                if quits {
                    expected.push("the application ends".into());
                    actual.push("the application goes on".into());
                }
                let difference = differences(&after, &mut self.live_windows);
                let verdict = Verdict::Diverged { step: number, expected, actual, difference };
                return Err(self.or_crash(context, verdict));
            }
            self.glance(context, &mut rest)?;
        }
    }
}

/// The same act with its items named by their places alone, where these are known.
fn by_place(act: &Act) -> Option<Act> {
    let mut act = act.clone();
    let items: &mut [ItemRef] = match &mut act {
        Act::Select { items, .. } | Act::Deselect { items } => items,
        Act::CheckItem { item, .. }
        | Act::ClickItem { item, .. }
        | Act::RightClickItem { item }
        | Act::Expand { item, .. }
        | Act::Activate { item } => std::slice::from_mut(item),
        _ => return None,
    };
    for item in items {
        item.index.as_ref().map(drop).or(item.index_path.as_ref().map(drop))?;
        item.path.clear();
    }
    Some(act)
}
