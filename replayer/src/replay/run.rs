//! The engine: look, find, act, let the application settle, verify; step by step, until one of them goes otherwise than recorded.
//!
//! It waits for conditions, never for a time: each wait ends as soon as what it waits for is there, and has a deadline that comes from the
//! recording. What ends a replay early travels as `Err(Verdict)`.

use super::choose::{Choice, Deed, Secrets, choose};
use super::clock::Clock;
use super::driver::{Act, Answer, Driver, Question, State, Trouble};
use super::recording::{Recording, Scenes};
use super::rules;
use super::stage::{Found, Stage, is_visible};
use super::tell;
use super::verdict::{Outcome, Report, Told, Verdict};
use super::verify::{Expected, Level, called, differences, same_text, text_of};
use crate::plan::{Control, Step, sentence};
use message_log::Entry;
use std::time::Duration;
use window_tree::Tree;

/// What the replay is told.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    pub(crate) secrets: Secrets,
    pub(crate) level: Level,
    /// Whether to keep the user's timing.
    pub(crate) is_paced: bool,
    /// Whether the application was there before, in the state of the first kept keyframe.
    pub(crate) is_attached: bool,
}

/// Patience beyond what the recording shows.
const GRACE: Duration = Duration::from_secs(5);
const MAX_PATIENCE: Duration = Duration::from_secs(60);
/// How long the application may be looked away from while something is waited for.
const GLANCE: Duration = Duration::from_millis(100);
const SHORTEST_REST: Duration = Duration::from_millis(1);
const LONGEST_REST: Duration = Duration::from_millis(20);

/// A replay under way.
struct Replay<'a, I> {
    recording: &'a Recording,
    scenes: Scenes<I>,
    driver: &'a mut dyn Driver,
    clock: &'a dyn Clock,
    options: &'a Options,
    stage: Stage,
    /// Whether the stage shows the windows as they are now.
    is_fresh: bool,
}

/// A step under way.
struct Scene<'a> {
    step: &'a Step,
    /// The recorded windows before it.
    before: Tree,
    deadline: Duration,
}

/// Replays a recording. `entries` are those of its log once more; `watch` is told of each step when it is over.
pub(crate) fn run<I: Iterator<Item = Entry>>(
    recording: &Recording,
    entries: I,
    driver: &mut dyn Driver,
    clock: &dyn Clock,
    options: &Options,
    watch: &mut dyn FnMut(&Told),
) -> Report {
    let mut report = Report { verdict: Verdict::Passed, steps: Vec::new(), remarks: remarks(recording) };
    let first = match first_step(recording, options) {
        Ok(first) => first,
        Err(verdict) => return Report { verdict, ..report },
    };
    let (stage, scenes) = (Stage::default(), Scenes::new(entries));
    let mut replay = Replay { recording, scenes, driver, clock, options, stage, is_fresh: false };
    if let Some(missing) = recording.cut.and_then(|_| replay.missing(&recording.plan.steps[first])) {
        let reason = format!(
            "the application is not in the state of the first kept window tree: {missing} is not there"
        );
        return Report { verdict: Verdict::Invalid { reason }, ..report };
    }
    let (begin, began) = (clock.now(), recording.plan.steps[first].time);
    for step in &recording.plan.steps[first..] {
        if options.is_paced {
            let due = begin + Duration::from_micros(step.time.saturating_sub(began));
            clock.rest(due.saturating_sub(clock.now()));
            replay.is_fresh = false;
        }
        let mut told = Told::of(step, &options.secrets);
        let start = clock.now();
        let done = replay.step(step, &mut told);
        told.micros = u64::try_from((clock.now() - start).as_micros()).unwrap_or(u64::MAX);
        if let Err(verdict) = &done {
            told.outcome = if verdict.exit_code() == 0 { Outcome::Done } else { Outcome::Failed };
        }
        watch(&told);
        report.steps.push(told);
        if let Err(verdict) = done {
            return Report { verdict, ..report };
        }
    }
    report
}

/// The place of the first step that can be replayed; or the verdict that is known before anything is done.
pub(crate) fn first_step(recording: &Recording, options: &Options) -> Result<usize, Verdict> {
    let invalid = |reason: &str| Err(Verdict::Invalid { reason: reason.into() });
    let steps = &recording.plan.steps;
    let first = match recording.cut {
        Some(_) if !options.is_attached => {
            return invalid(
                "the beginning is gone: bring the application into the state of the first kept window tree, and use --attach",
            );
        }
        Some(event) => steps.iter().take_while(|step| step.first_event < event).count(),
        None => 0,
    };
    if first >= steps.len() {
        return invalid("the log has no steps to replay");
    }
    // A missing secret is told at once, not in the middle of a session.
    for step in &steps[first..] {
        let choice = choose(step, &options.secrets);
        if let Some(reason) = choice.blocked.filter(|_| choice.rule == &rules::SECRET) {
            return Err(Verdict::Blocked { step: step.number, reason });
        }
    }
    Ok(first)
}

fn remarks(recording: &Recording) -> Vec<String> {
    let mut steps: Vec<usize> = recording.losses.iter().map(|&event| recording.step_at(event)).collect();
    steps.dedup();
    let lost = |step: usize| match step {
        0 => "a part of the recording is missing before the first step".into(),
        step => format!("a part of the recording is missing after step {step}"),
    };
    steps.into_iter().map(lost).collect()
}

impl Told {
    fn of(step: &Step, secrets: &Secrets) -> Self {
        let choice = choose(step, secrets);
        let is_secret = choice.rule == &rules::SECRET && choice.blocked.is_none();
        Self {
            number: step.number,
            text: sentence(step),
            act: if is_secret { "set the secret text".into() } else { tell::choice(&choice) },
            because: choice.rule.why,
            outcome: if choice.deeds.is_empty() { Outcome::Nothing } else { Outcome::Done },
            remarks: choice.remarks,
            decisions: Vec::new(),
            micros: 0,
        }
    }
}

impl<I: Iterator<Item = Entry>> Replay<'_, I> {
    /// A recorded top-level window before a step that the application does not have.
    fn missing(&mut self, step: &Step) -> Option<String> {
        let recorded = self.scenes.at(step.first_event).clone();
        self.stage.set(self.driver.snapshot().unwrap_or_default());
        let shown = recorded.children(0).filter(|node| node.is_known && node.visible() == Some(true));
        let lost = shown
            .map(|node| node.hwnd)
            .find(|&hwnd| matches!(self.stage.find(&recorded, hwnd), Found::Lost(_)));
        lost.map(|hwnd| called(&recorded, hwnd))
    }

    fn step(&mut self, step: &Step, told: &mut Told) -> Result<(), Verdict> {
        let Choice { deeds, blocked, result, .. } = choose(step, &self.options.secrets);
        if let Some(reason) = blocked {
            return Err(Verdict::Blocked { step: step.number, reason });
        }
        let before = self.scenes.at(step.first_event).clone();
        let mut scene = Scene { step, before, deadline: self.clock.now() + self.patience(step) };
        let mut expected = None;
        for deed in &deeds {
            let window = self.act(&scene, deed, &mut expected, told)?;
            self.settle(&scene)?;
            if deed.to.is_none() {
                self.tell_items(window, &deed.act, told);
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

    /// How long what the step brings may take: twice as long as at the time, and some grace. Before the first step the program starts.
    fn patience(&self, step: &Step) -> Duration {
        let start = if step.number == 1 { step.time } else { 0 };
        let recorded = Duration::from_micros(self.recording.time_of(step).saturating_add(start));
        GRACE.saturating_add(recorded.saturating_mul(2)).min(MAX_PATIENCE)
    }

    /// Does one thing, as soon as its window is there for it. The window.
    fn act<'a>(
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
                            *expected =
                                Some(Expected::of(scene.step, &scene.before, &mut self.stage, self.driver));
                        }
                        match self.driver.act(hwnd, &self.fit(hwnd, &deed.act)) {
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
                            Err(Trouble::Unable(reason)) => return Err(scene.blocked(reason)),
                            Err(trouble) => trouble.to_string(),
                        }
                    }
                }
                Found::Lost(decision) => decision.to_string().trim_end().to_owned(),
                Found::Untold => return Err(scene.blocked("the log does not tell which window it was")),
            };
            if self.clock.now() >= scene.deadline {
                let target = scene.before.get(was).map_or_else(String::new, |_| called(&scene.before, was));
                return Err(scene.blocked(format!("{target} did not become available: {reason}")));
            }
            self.glance(scene, &mut rest)?;
        }
    }

    /// Points in thousandths become pixels of the live window.
    fn fit(&self, hwnd: u64, act: &Act) -> Act {
        let rect = self.stage.tree().get(hwnd).and_then(|node| node.rect()).unwrap_or_default();
        let (width, height) =
            (i64::from(rect.right) - i64::from(rect.left), i64::from(rect.bottom) - i64::from(rect.top));
        let part = |of: i64, at: i32| i32::try_from(of * i64::from(at) / 1000).unwrap_or(0);
        let fit = |&(x, y): &(i32, i32)| (part(width, x), part(height, y));
        match act {
            Act::Click { button, double, point, modifiers } => {
                Act::Click { button: *button, double: *double, point: fit(point), modifiers: *modifiers }
            }
            Act::Stroke { points } => Act::Stroke { points: points.iter().map(fit).collect() },
            act => act.clone(),
        }
    }

    /// Sets the text an edit had after the step, where doing the same did not lead to it: another caret, another clipboard.
    fn keep_text(
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

    /// Says so where an item was found by its place, because nothing has its text.
    fn tell_items(&mut self, hwnd: u64, act: &Act, told: &mut Told) {
        let Act::Select { items, .. } = act else { return };
        let Ok(Answer::Texts(texts)) = self.driver.ask(hwnd, &Question::Selection) else { return };
        for text in items.iter().filter_map(|item| item.path.last()).filter(|text| !texts.contains(text)) {
            told.remarks
                .push(format!("“{text}” was found by its place: {} is selected now", texts.join(", ")));
        }
    }

    /// Waits until every effect of the step is there, and the crash if there was one.
    fn verify(&mut self, scene: &Scene<'_>, expected: &Expected<'_>) -> Result<(), Verdict> {
        let number = scene.step.number;
        let after = self.scenes.at(self.recording.plan.events_after(number)).clone();
        let crash =
            self.recording.crash.as_ref().filter(|crash| self.recording.step_at(crash.event) == number);
        let mut rest = SHORTEST_REST;
        loop {
            self.look(scene)?;
            let misses =
                expected.misses((&scene.before, &after), &mut self.stage, self.driver, self.options.level);
            if misses.is_empty() && crash.is_none() {
                // No need to look again before the next step.
                self.is_fresh = true;
                return Ok(());
            }
            if self.clock.now() >= scene.deadline {
                let mut expected: Vec<String> = misses.iter().map(|miss| miss.expected.clone()).collect();
                let mut actual: Vec<String> = misses.into_iter().map(|miss| miss.actual).collect();
                if let Some(crash) = crash {
                    expected.push(format!("the crash {:#010X}", crash.code));
                    actual.push("the application goes on".into());
                }
                let difference = differences(&after, &mut self.stage, Level::Changed);
                return Err(Verdict::Diverged { step: number, expected, actual, difference });
            }
            self.glance(scene, &mut rest)?;
        }
    }

    /// Looks at the windows.
    fn look(&mut self, scene: &Scene<'_>) -> Result<(), Verdict> {
        match self.driver.snapshot() {
            Ok(frame) => {
                self.stage.set(frame);
                Ok(())
            }
            Err(Trouble::Ended(code)) => Err(self.ended(scene, code)),
            Err(trouble) => Err(scene.blocked(format!("the windows cannot be seen: {trouble}"))),
        }
    }

    /// Lets the application work before the next look.
    fn glance(&mut self, scene: &Scene<'_>, rest: &mut Duration) -> Result<(), Verdict> {
        let left = scene.deadline.saturating_sub(self.clock.now());
        let state = self.driver.settle(GLANCE.min(left));
        self.clock.rest((*rest).min(left));
        *rest = (*rest * 2).min(LONGEST_REST);
        self.judge(scene, &state)
    }

    fn settle(&mut self, scene: &Scene<'_>) -> Result<(), Verdict> {
        let left = scene.deadline.saturating_sub(self.clock.now());
        let state = self.driver.settle(left);
        self.judge(scene, &state)
    }

    fn judge(&mut self, scene: &Scene<'_>, state: &State) -> Result<(), Verdict> {
        match state {
            State::Idle | State::Busy => Ok(()),
            State::Ended(code) => Err(self.ended(scene, *code)),
            State::Hung => {
                let step = scene.step.number;
                let is_recorded =
                    self.recording.hang.is_some_and(|event| self.recording.step_at(event) == step);
                let what = "the application does not answer any more".to_owned();
                Err(match is_recorded {
                    true => Verdict::Reproduced { step, what, compared: "the step".into() },
                    false => scene.diverged("the application answers", what),
                })
            }
        }
    }

    /// The application has ended: with the recorded crash, as recorded, or otherwise.
    fn ended(&mut self, scene: &Scene<'_>, code: u32) -> Verdict {
        let step = scene.step.number;
        let what = format!("the application ended with code {code:#X}");
        if let Some(crash) = &self.recording.crash {
            let recorded = self.recording.step_at(crash.event);
            if recorded != step || crash.code != code {
                return scene.diverged(format!("the crash {:#010X} at step {recorded}", crash.code), what);
            }
            let frame = match &crash.module {
                Some(module) => format!("; the frame in {module} is not known of the replay"),
                None => String::new(),
            };
            let compared = format!("the step and the exception code {code:#010X}{frame}");
            return Verdict::Reproduced {
                step,
                what: format!("the application crashed with {code:#010X}"),
                compared,
            };
        }
        const FIRST_EXCEPTION: u32 = 0x8000_0000;
        let rest = &self.recording.plan.steps[step..];
        let is_last = rest.iter().all(|step| choose(step, &self.options.secrets).deeds.is_empty());
        let end = self.scenes.at(self.recording.plan.events_after(step));
        let has_ended = !end.children(0).any(|node| node.is_known && is_visible(end, node.hwnd));
        if is_last && has_ended && code < FIRST_EXCEPTION {
            return Verdict::Passed;
        }
        scene.diverged("the application goes on", what)
    }
}

impl Scene<'_> {
    fn blocked(&self, reason: impl Into<String>) -> Verdict {
        Verdict::Blocked { step: self.step.number, reason: reason.into() }
    }

    fn diverged(&self, expected: impl Into<String>, actual: impl Into<String>) -> Verdict {
        let (expected, actual) = (vec![expected.into()], vec![actual.into()]);
        Verdict::Diverged { step: self.step.number, expected, actual, difference: Vec::new() }
    }
}
