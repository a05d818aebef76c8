//! The engine: step by step, until one of them goes otherwise than recorded. `perform.rs` does a step,
//! `wait.rs` waits.

use crate::album::Album;
use crate::choice::Choice;
use crate::chosen_acts::ChosenActs;
use crate::clock::Clock;
use crate::driver::Driver;
use crate::evidence::{Verification, acts_by_position};
use crate::live_windows::LiveWindows;
use crate::observe::at_the_end;
use crate::options::Options;
use crate::recording::{RecordedWindows, Recording};
use crate::replay::{Oracle, Replay};
use crate::verdict::{Report, StepOutcome, StepReport, UnverifiedStep, Verdict};
use crate::wording;
use message_log::Entry;
use std::cell::RefCell;
use std::time::Duration;
use steps::{Step, sentence};

/// What a replay reports while it runs.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'a> {
    /// Something to know before a step is done.
    Announcement(&'a str),
    /// A step is over.
    Step(&'a StepReport),
}

/// Replays a recording. `entries` are those of its log once more; `watch` gets each step when it is over.
pub fn run<I: Iterator<Item = Entry>>(
    recording: &Recording,
    chosen: &ChosenActs,
    entries: I,
    driver: &mut dyn Driver,
    clock: &dyn Clock,
    options: &Options,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Report {
    let mut report = Report { remarks: remarks(recording), ..Report::of(Verdict::Passed) };
    report.remarks.extend(options.other.clone());
    let first = chosen.first();
    let watch = RefCell::new(watch);
    let announce = |text: &str| (watch.borrow_mut())(Progress::Announcement(text));
    let report_step = |step_report: &StepReport| (watch.borrow_mut())(Progress::Step(step_report));
    if let Some(text) = positions_ahead(recording, chosen, options) {
        announce(&text);
    }
    let (live_windows, recorded_windows) = (LiveWindows::default(), RecordedWindows::new(entries));
    let oracle = Oracle::of(&recording.plan, options);
    let (is_fresh, glanced, remarks) = (false, (Duration::ZERO, false), Vec::new());
    let mut replay = Replay {
        recording,
        chosen,
        recorded_windows,
        driver,
        clock,
        options,
        live_windows,
        is_fresh,
        glanced,
        oracle,
        remarks,
        announce: &announce,
    };
    // A program that was just started has windows before it is ready; if it ends, the first
    // step will see that.
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
    let (begin, began) = (clock.now(), recording.plan.steps[first].time);
    for step in recording.plan.steps[first..].iter().filter(|step| options.wants(step)) {
        if options.is_paced {
            let due = begin + Duration::from_micros(step.time.saturating_sub(began));
            clock.rest(due.saturating_sub(clock.now()));
            replay.is_fresh = false;
        }
        let mut step_report = StepReport::of(step, chosen.get(step));
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
        report_step(&step_report);
        report.steps.push(step_report);
        let mut also = |step_report: StepReport| {
            report_step(&step_report);
            report.steps.push(step_report);
        };
        let done = match done {
            Ok(()) => replay.observe(step, step.number == chosen.last(), &mut also),
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
    if report.verdict == Verdict::Passed {
        let unverified = report.unverified();
        if !unverified.is_empty() {
            report.verdict = Verdict::Unverified { unverified, allowed: options.allows_unverified };
        }
    }
    report
}

/// Says which steps act by position, before anything is done.
fn positions_ahead(recording: &Recording, chosen: &ChosenActs, options: &Options) -> Option<String> {
    let steps = recording.plan.steps[chosen.first()..].iter().filter(|step| options.wants(step));
    let steps: Vec<usize> =
        steps.filter(|step| acts_by_position(step, chosen.get(step))).map(|step| step.number).collect();
    let which = match &steps[..] {
        [] => return None,
        [step] => format!("step {step} finds its target by position"),
        steps => format!("steps {} find their targets by position", listed(steps)),
    };
    Some(format!("{which}: unverified unless something that is compared shows what was done"))
}

/// `3, 7 and 9`; of many the first.
fn listed(steps: &[usize]) -> String {
    const MOST: usize = 12;
    let shown: Vec<String> = steps.iter().take(MOST).map(ToString::to_string).collect();
    match (shown.split_last(), steps.len() > MOST) {
        (_, true) => format!("{} and {} more", shown.join(", "), steps.len() - MOST),
        (Some((last, [])), _) => last.clone(),
        (Some((last, rest)), _) => format!("{} and {last}", rest.join(", ")),
        (None, _) => String::new(),
    }
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
    /// The steps of which nothing shows that they did what they did in the recording.
    pub fn unverified(&self) -> Vec<UnverifiedStep> {
        let unverified = |step: &StepReport| match &step.verification {
            Verification::Unverified { reason, remedy } => {
                Some(UnverifiedStep { step: step.number, reason: reason.clone(), remedy: remedy.clone() })
            }
            Verification::Verified | Verification::Harmless => None,
        };
        self.steps.iter().filter_map(unverified).collect()
    }

    /// Whether anything was done to the application.
    fn is_begun(&self) -> bool {
        self.steps.iter().any(|step_report| !step_report.decisions.is_empty())
    }
}

impl StepReport {
    fn of(step: &Step, choice: &Choice) -> Self {
        Self {
            number: step.number,
            text: sentence(step),
            act: wording::choice(choice),
            because: choice.rule.why.into(),
            outcome: if choice.acts.is_empty() { StepOutcome::Nothing } else { StepOutcome::Done },
            verification: Verification::Verified,
            remarks: choice.remarks.clone(),
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
