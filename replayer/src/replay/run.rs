//! The engine: step by step, until one of them goes otherwise than recorded. `perform.rs` does a step, `wait.rs` waits.

use super::album::Album;
use super::choose::{Secrets, choose};
use super::clock::Clock;
use super::driver::Driver;
use super::observe::{Oracle, at_the_end};
use super::only::Only;
use super::perform::Replay;
use super::recording::{Recording, Scenes};
use super::rules;
use super::stage::Stage;
use super::tell;
use super::verdict::{Outcome, Report, Told, Verdict};
use super::verify::Level;
use crate::oracle::{Baseline, CrashExpected, Every, Expectation, Rules};
use crate::plan::{Step, sentence};
use message_log::Entry;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// What the replay is told.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    pub(crate) secrets: Secrets,
    pub(crate) level: Level,
    /// Whether to keep the user's timing.
    pub(crate) is_paced: bool,
    /// Whether the application was there before, in the state of the first kept keyframe.
    pub(crate) is_attached: bool,
    /// After which steps the level is compared; their effects are after each.
    pub(crate) every: Every,
    /// What does not count.
    pub(crate) rules: Rules,
    /// What `complete` compares with.
    pub(crate) baseline: Option<Baseline>,
    /// What a script expects beside the recording.
    pub(crate) expectations: Vec<Expectation>,
    pub(crate) crash: Option<CrashExpected>,
    /// Where to keep the complete state after each step.
    pub(crate) capture: Option<Rc<RefCell<Baseline>>>,
    /// The sentence that the program is another one than the recorded, by its file name.
    pub(crate) other: Option<String>,
    /// Whether to take pictures of the windows.
    pub(crate) takes_pictures: bool,
    /// The only steps that are done, if not all are.
    pub(crate) only: Option<Only>,
    /// How long what a step brings may take, if not as long as the recording suggests.
    pub(crate) patience: Option<Duration>,
}

impl Options {
    /// Whether a step is one of those that are wanted.
    fn wants(&self, step: &Step) -> bool {
        self.only.as_ref().is_none_or(|only| only.has(step.number))
    }

    /// Whether something is done for a step.
    pub(super) fn does(&self, step: &Step) -> bool {
        self.wants(step) && !choose(step, &self.secrets).deeds.is_empty()
    }
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
    let mut report = Report { remarks: remarks(recording), ..Report::of(Verdict::Passed) };
    report.remarks.extend(options.other.clone());
    let first = match first_step(recording, options) {
        Ok(first) => first,
        Err(verdict) => return Report { verdict, ..report },
    };
    let (stage, scenes) = (Stage::default(), Scenes::new(entries));
    let oracle = Oracle::of(&recording.plan, options);
    let (is_fresh, glanced, remarks) = (false, (Duration::ZERO, false), Vec::new());
    let mut replay =
        Replay { recording, scenes, driver, clock, options, stage, is_fresh, glanced, oracle, remarks };
    // A program that was just started has windows before it is ready; if it ends, the first step will see that.
    replay.wait_start(&recording.plan.steps[first]);
    if let Some(missing) = recording.cut.and_then(|_| replay.missing(&recording.plan.steps[first])) {
        let reason = format!(
            "the application is not in the state of the first kept window tree: {missing} is not there"
        );
        return Report { verdict: Verdict::Invalid { reason }, ..report };
    }
    let mut album = Album::new(options.takes_pictures);
    if let Ok(frame) = replay.driver.snapshot() {
        replay.stage.set(frame);
    }
    report.begin = album.turn(&replay.stage);
    let last = recording.plan.steps.iter().rfind(|step| options.does(step)).map_or(0, |step| step.number);
    let (begin, began) = (clock.now(), recording.plan.steps[first].time);
    for step in recording.plan.steps[first..].iter().filter(|step| options.wants(step)) {
        if options.is_paced {
            let due = begin + Duration::from_micros(step.time.saturating_sub(began));
            clock.rest(due.saturating_sub(clock.now()));
            replay.is_fresh = false;
        }
        let mut told = Told::of(step, &options.secrets);
        told.before = album.take(replay.driver, &replay.stage);
        let start = clock.now();
        replay.driver.worked();
        let done = replay.step(step, &mut told);
        let taken = clock.now() - start;
        told.micros = micros(taken);
        told.own_micros = micros(taken.saturating_sub(replay.driver.worked()));
        if let Err(verdict) = &done {
            told.outcome = if verdict.exit_code() == 0 { Outcome::Done } else { Outcome::Failed };
        }
        album.keep(step, &replay.stage, &mut told);
        told.after = album.take(replay.driver, &replay.stage);
        watch(&told);
        report.steps.push(told);
        let mut also = |told: Told| {
            watch(&told);
            report.steps.push(told);
        };
        let done = match done {
            Ok(()) => replay.observe(step, step.number == last, &mut also),
            Err(verdict) if verdict.exit_code() == 0 => {
                Err(at_the_end(step.number, options, replay.driver, &mut also).err().unwrap_or(verdict))
            }
            failed => failed,
        };
        for remark in replay.remarks.drain(..) {
            if !report.remarks.contains(&remark) {
                report.remarks.push(remark);
            }
        }
        if let Err(mut verdict) = done {
            // Nothing was done, so nothing of the recorded program was there: it is not a renamed one.
            let is_blocked = matches!(verdict, Verdict::Blocked { .. });
            if let Some(other) = options.other.as_ref().filter(|_| is_blocked && !report.is_begun()) {
                report.remarks.retain(|remark| remark != other);
                verdict = Verdict::Invalid { reason: format!("{other}: its windows are not there") };
            }
            report.verdict = verdict;
            break;
        }
    }
    album.finish(&mut report);
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
    for step in steps[first..].iter().filter(|step| options.wants(step)) {
        let choice = choose(step, &options.secrets);
        if let Some(reason) = choice.blocked.filter(|_| choice.rule == &rules::SECRET) {
            return Err(Verdict::Blocked { step: step.number, reason });
        }
    }
    Ok(first)
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
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

impl Report {
    /// Whether anything was done to the application.
    fn is_begun(&self) -> bool {
        self.steps.iter().any(|told| !told.decisions.is_empty())
    }
}

impl Told {
    fn of(step: &Step, secrets: &Secrets) -> Self {
        let choice = choose(step, secrets);
        Self {
            number: step.number,
            text: sentence(step),
            act: tell::choice(&choice),
            because: choice.rule.why.into(),
            outcome: if choice.deeds.is_empty() { Outcome::Nothing } else { Outcome::Done },
            remarks: choice.remarks,
            decisions: Vec::new(),
            micros: 0,
            is_expectation: false,
            own_micros: 0,
            window: None,
            windows: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
        }
    }
}
