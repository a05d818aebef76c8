//! The engine: step by step, until one of them goes otherwise than recorded. `perform.rs` does a step, `wait.rs` waits.

use crate::album::Album;
use crate::choose::{Secrets, choose};
use crate::clock::Clock;
use crate::driver::Driver;
use crate::live_windows::LiveWindows;
use crate::observe::{Oracle, at_the_end};
use crate::only::Only;
use crate::oracle::{Baseline, CrashExpected, Every, Expectation, Rules};
use crate::perform::Replay;
use crate::recording::{RecordedWindows, Recording};
use crate::rules;
use crate::verdict::{Report, StepOutcome, StepReport, Verdict};
use crate::verify::Level;
use crate::wording;
use message_log::Entry;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;
use steps::{Step, sentence};

/// What the replay is told.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Texts that the log does not hold, by name.
    pub secrets: Secrets,
    /// How much is compared.
    pub level: Level,
    /// Whether to keep the user's timing.
    pub is_paced: bool,
    /// Whether the application was there before, in the state of the first kept keyframe.
    pub is_attached: bool,
    /// After which steps the level is compared; their effects are after each.
    pub every: Every,
    /// What does not count.
    pub rules: Rules,
    /// What `complete` compares with.
    pub baseline: Option<Baseline>,
    /// What a script expects beside the recording.
    pub expectations: Vec<Expectation>,
    /// The crash that a script expects.
    pub crash: Option<CrashExpected>,
    /// Where to keep the complete state after each step.
    pub capture: Option<Rc<RefCell<Baseline>>>,
    /// The sentence that the program is another one than the recorded, by its file name.
    pub other: Option<String>,
    /// Whether to take pictures of the windows.
    pub takes_pictures: bool,
    /// The only steps that are done, if not all are.
    pub only: Option<Only>,
    /// How long what a step brings may take, if not as long as the recording suggests.
    pub patience: Option<Duration>,
}

impl Options {
    /// Whether a step is one of those that are wanted.
    fn wants(&self, step: &Step) -> bool {
        self.only.as_ref().is_none_or(|only| only.has(step.number))
    }

    /// Whether something is done for a step.
    pub fn does(&self, step: &Step) -> bool {
        self.wants(step) && !choose(step, &self.secrets).acts.is_empty()
    }
}

/// Replays a recording. `entries` are those of its log once more; `watch` is told of each step when it is over.
pub fn run<I: Iterator<Item = Entry>>(
    recording: &Recording,
    entries: I,
    driver: &mut dyn Driver,
    clock: &dyn Clock,
    options: &Options,
    watch: &mut dyn FnMut(&StepReport),
) -> Report {
    let mut report = Report { remarks: remarks(recording), ..Report::of(Verdict::Passed) };
    report.remarks.extend(options.other.clone());
    let first = match first_step(recording, options) {
        Ok(first) => first,
        Err(verdict) => return Report { verdict, ..report },
    };
    let (live_windows, recorded_windows) = (LiveWindows::default(), RecordedWindows::new(entries));
    let oracle = Oracle::of(&recording.plan, options);
    let (is_fresh, glanced, remarks) = (false, (Duration::ZERO, false), Vec::new());
    let mut replay = Replay {
        recording,
        recorded_windows,
        driver,
        clock,
        options,
        live_windows,
        is_fresh,
        glanced,
        oracle,
        remarks,
    };
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
        replay.live_windows.set(frame);
    }
    report.begin = album.changes(&replay.live_windows);
    let last = recording.plan.steps.iter().rfind(|step| options.does(step)).map_or(0, |step| step.number);
    let (begin, began) = (clock.now(), recording.plan.steps[first].time);
    for step in recording.plan.steps[first..].iter().filter(|step| options.wants(step)) {
        if options.is_paced {
            let due = begin + Duration::from_micros(step.time.saturating_sub(began));
            clock.rest(due.saturating_sub(clock.now()));
            replay.is_fresh = false;
        }
        let mut step_report = StepReport::of(step, &options.secrets);
        step_report.before = album.take(replay.driver, &replay.live_windows);
        let start = clock.now();
        replay.driver.worked();
        let done = replay.step(step, &mut step_report);
        let taken = clock.now() - start;
        step_report.micros = micros(taken);
        step_report.own_micros = micros(taken.saturating_sub(replay.driver.worked()));
        if let Err(verdict) = &done {
            step_report.outcome =
                if verdict.exit_code() == 0 { StepOutcome::Done } else { StepOutcome::Failed };
        }
        album.keep(step, &replay.live_windows, &mut step_report);
        step_report.after = album.take(replay.driver, &replay.live_windows);
        watch(&step_report);
        report.steps.push(step_report);
        let mut also = |step_report: StepReport| {
            watch(&step_report);
            report.steps.push(step_report);
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
pub fn first_step(recording: &Recording, options: &Options) -> Result<usize, Verdict> {
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
        self.steps.iter().any(|step_report| !step_report.decisions.is_empty())
    }
}

impl StepReport {
    fn of(step: &Step, secrets: &Secrets) -> Self {
        let choice = choose(step, secrets);
        Self {
            number: step.number,
            text: sentence(step),
            act: wording::choice(&choice),
            because: choice.rule.why.into(),
            outcome: if choice.acts.is_empty() { StepOutcome::Nothing } else { StepOutcome::Done },
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
