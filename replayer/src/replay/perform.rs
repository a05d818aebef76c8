//! One step: look, find, act, settle, verify. What ends a replay early travels as `Err(Verdict)`.

use super::choose::{Choice, Deed, choose};
use super::clock::Clock;
use super::commands::Commands;
use super::driver::{Act, Answer, Driver, ItemRef, Question, Trouble};
use super::observe::Oracle;
use super::points::Fit;
use super::recording::{Recording, Scenes};
use super::run::Options;
use super::stage::{Found, Stage};
use super::verdict::{Told, Verdict};
use super::verify::{Expected, Miss, called, differences, same_text, strangers, text_of};
use super::wait::SHORTEST_REST;
use crate::plan::{Control, Step};
use message_log::Entry;
use std::time::Duration;
use window_tree::Tree;

/// A replay under way.
pub(super) struct Replay<'a, I> {
    pub(super) recording: &'a Recording,
    pub(super) scenes: Scenes<I>,
    pub(super) driver: &'a mut dyn Driver,
    pub(super) clock: &'a dyn Clock,
    pub(super) options: &'a Options,
    pub(super) stage: Stage,
    /// Whether the stage shows the windows as they are now.
    pub(super) is_fresh: bool,
    /// When the application was last waited for a moment, and whether it was still at work.
    pub(super) glanced: (Duration, bool),
    pub(super) oracle: Oracle,
    /// What is to be known of the replay as a whole.
    pub(super) remarks: Vec<String>,
}

/// A step under way.
pub(super) struct Scene<'a> {
    pub(super) step: &'a Step,
    /// The recorded windows before it.
    pub(super) before: Tree,
    pub(super) deadline: Duration,
}

impl<I: Iterator<Item = Entry>> Replay<'_, I> {
    /// A recorded top-level window before a step that the application does not have.
    pub(super) fn missing(&mut self, step: &Step) -> Option<String> {
        let recorded = self.scenes.at(step.first_event).clone();
        self.stage.set(self.driver.snapshot().unwrap_or_default());
        let shown = recorded.children(0).filter(|node| node.is_known && node.visible() == Some(true));
        let lost = shown
            .map(|node| node.hwnd)
            .find(|&hwnd| matches!(self.stage.find(&recorded, hwnd), Found::Lost(_)));
        lost.map(|hwnd| called(&recorded, hwnd))
    }

    pub(super) fn step(&mut self, step: &Step, told: &mut Told) -> Result<(), Verdict> {
        let Choice { deeds, blocked, result, .. } = choose(step, &self.options.secrets);
        if let Some(reason) = blocked {
            return Err(Verdict::Blocked { step: step.number, reason });
        }
        let before = self.scenes.at(step.first_event).clone();
        let mut scene = Scene { step, before, deadline: self.clock.now() + self.patience(step) };
        let mut expected = None;
        for deed in &deeds {
            let window = self.act(&scene, deed, &mut expected, told)?;
            if deed.to.is_none() || told.window.is_none() {
                told.window = Some(window);
            }
            self.settle(&scene)?;
            if deed.to.is_none() {
                self.keep_text(&scene, window, result.as_deref(), told)?;
            }
        }
        scene.deadline = self.clock.now() + self.patience(step);
        match expected {
            Some(expected) => self.verify(&scene, &expected),
            // Nothing was done, so nothing follows.
            None => Ok(()),
        }
    }

    /// Does one thing, as soon as its window is there for it. The window.
    pub(super) fn act<'a>(
        &mut self,
        scene: &Scene<'a>,
        deed: &Deed,
        expected: &mut Option<Expected<'a>>,
        told: &mut Told,
    ) -> Result<u64, Verdict> {
        let was = deed.to.as_ref().map_or(scene.step.target.hwnd(), |to| to.hwnd);
        let mut rest = SHORTEST_REST;
        loop {
            if !std::mem::take(&mut self.is_fresh) {
                self.look(scene)?;
            }
            let reason = match self.stage.find(&scene.before, was) {
                Found::Here(hwnd, decision) => {
                    if let Some(reason) = self.stage.unavailable(&scene.before, was, hwnd) {
                        format!("{} is {reason}", called(self.stage.tree(), hwnd))
                    } else {
                        if expected.is_none() {
                            *expected = Some(self.expect(scene));
                        }
                        match self.do_to(scene, (was, hwnd), &deed.act, told) {
                            Ok(()) => {
                                let found = decision.as_ref().and_then(|decision| decision.found());
                                if let Some(found) = found.filter(|found| found.is_doubtful()) {
                                    let score = found.weakest;
                                    told.remarks
                                        .push(format!("a doubtful match: a score on the way is {score}"));
                                }
                                told.decisions.push(match decision {
                                    Some(decision) => decision.to_string(),
                                    None => format!("match {hwnd:#x}: known from before\n"),
                                });
                                return Ok(hwnd);
                            }
                            Err(Trouble::Ended(code)) => return Err(self.ended(scene, code)),
                            Err(Trouble::Unable(reason)) => {
                                return Err(self.or_crash(scene, scene.blocked(reason)));
                            }
                            Err(trouble) => trouble.to_string(),
                        }
                    }
                }
                Found::Lost(decision) => decision.to_string().trim_end().to_owned(),
                Found::Untold => return Err(scene.blocked("the log does not tell which window it was")),
            };
            if self.is_over(scene) {
                if let Some(Miss { expected, actual }) =
                    strangers(&scene.before, &mut self.stage, |_| true).pop()
                {
                    return Err(scene.diverged(expected, actual));
                }
                let target = scene.before.get(was).map_or_else(String::new, |_| called(&scene.before, was));
                let difference = differences(&scene.before, &mut self.stage);
                let difference = match difference.is_empty() {
                    true => String::new(),
                    false => format!(
                        "\nrecorded windows (-) and those of the replay (+):\n  {}",
                        difference.join("\n  ")
                    ),
                };
                return Err(scene.blocked(format!("{target} did not become available: {reason}{difference}")));
            }
            self.glance(scene, &mut rest)?;
        }
    }

    /// What is expected of the step, as things are before it.
    fn expect<'a>(&mut self, scene: &Scene<'a>) -> Expected<'a> {
        let rules = &self.options.rules;
        let mut expected = Expected::of(scene.step, &scene.before, &mut self.stage, self.driver, rules);
        expected.takes_any_text = self.options.capture.is_some() || self.has_baseline(scene.step);
        match Commands::of(scene.step, &scene.before, &mut self.stage, self.driver) {
            Ok(commands) => expected.commands = commands,
            Err(Trouble::Unable(why)) => self.remarks.push(why),
            Err(_) => {}
        }
        expected
    }

    /// Does one thing to a window that is there for it.
    fn do_to(
        &mut self,
        scene: &Scene<'_>,
        (was, hwnd): (u64, u64),
        act: &Act,
        told: &mut Told,
    ) -> Result<(), Trouble> {
        let act = self.fit(scene, (was, hwnd), act);
        if let Act::Leave { .. } = act {
            return self.driver.switch_away(hwnd);
        }
        let done = match self.driver.act(hwnd, &act) {
            Err(Trouble::NoItem(item)) => match by_place(&act) {
                Some(act) if self.stage.is_translated(&scene.before, was) => {
                    told.remarks.push(format!(
                        "nothing is called {item}: in another language its place tells which item it is"
                    ));
                    self.driver.act(hwnd, &act)
                }
                _ => Err(Trouble::NoItem(item)),
            },
            done => done,
        };
        told.remarks.extend(self.driver.remarks());
        done
    }

    /// The points of an act become pixels of the live window's client area.
    fn fit(&mut self, scene: &Scene<'_>, (was, hwnd): (u64, u64), act: &Act) -> Act {
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
        let fit = Fit::new(scene.before.get(was), self.stage.tree().get(hwnd), client);
        points.iter_mut().for_each(|point| *point = fit.point(*point));
        act
    }

    /// Sets the text an edit had after the step, where doing the same did not lead to it: another caret, another clipboard.
    pub(super) fn keep_text(
        &mut self,
        scene: &Scene<'_>,
        hwnd: u64,
        result: Option<&str>,
        told: &mut Told,
    ) -> Result<(), Verdict> {
        let is_field = matches!(scene.step.target.control, Control::Edit | Control::Combo);
        let Some(result) = result.filter(|_| is_field) else { return Ok(()) };
        match text_of(self.driver, hwnd) {
            Some(text) if !same_text(&text, result) => {}
            _ => return Ok(()),
        }
        told.remarks.push("typing led to another text: the recorded text was set".into());
        match self.driver.act(hwnd, &Act::SetText { text: result.into() }) {
            Err(Trouble::Ended(code)) => Err(self.ended(scene, code)),
            Err(trouble) => Err(scene.blocked(format!("its text cannot be set: {trouble}"))),
            Ok(()) => self.settle(scene),
        }
    }

    /// Waits until every effect of the step is there, and the crash if there was one.
    pub(super) fn verify(&mut self, scene: &Scene<'_>, expected: &Expected<'_>) -> Result<(), Verdict> {
        let number = scene.step.number;
        let after = self.scenes.at(self.recording.plan.events_after(number)).clone();
        let crash =
            self.recording.crash.as_ref().filter(|crash| self.recording.step_at(crash.event) == number);
        let is_last = self.is_last(scene.step);
        let hangs = is_last && self.hangs_in(scene.step);
        let quits = is_last && self.recording.quits_in(scene.step) && crash.is_none();
        let mut rest = SHORTEST_REST;
        loop {
            self.look(scene)?;
            let misses =
                expected.misses((&scene.before, &after), &mut self.stage, self.driver, &self.options.rules);
            if misses.is_empty() && crash.is_none() && !hangs && !quits {
                // No need to look again before the next step.
                self.is_fresh = true;
                return Ok(());
            }
            if self.is_over(scene) {
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
                let difference = differences(&after, &mut self.stage);
                let verdict = Verdict::Diverged { step: number, expected, actual, difference };
                return Err(self.or_crash(scene, verdict));
            }
            self.glance(scene, &mut rest)?;
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
