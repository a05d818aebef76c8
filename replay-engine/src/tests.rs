//! Recordings of real programs, replayed against a desktop in memory that behaves as recorded, or otherwise.

use crate::choice::Secrets;
use crate::choose::choose;
use crate::chosen_acts::ChosenActs;
use crate::clock::Clock;
use crate::desktop::{Desktop, Faults, Time, Window};
use crate::driver::Act;
use crate::evidence::Verification;
use crate::options::{Level, Options};
use crate::oracle::{Baseline, Every, Rules};
use crate::recording::{Reading, Recording};
use crate::rules::{RULES, Rule};
use crate::run::run;
use crate::verdict::{Report, StepOutcome, StepReport, Verdict};
use message_log::{Entry, Event, Key, Kind, Log, Rect, SegmentHead, Stamp, Value};
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

pub(crate) fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("tests")
}

/// A recording and the entries of its log.
pub(crate) struct Tape {
    pub recording: Recording,
    pub entries: Vec<Entry>,
}

impl Tape {
    pub(crate) fn new(entries: Vec<Entry>) -> Self {
        let mut reading = Reading::default();
        entries.iter().for_each(|entry| reading.take(entry));
        Self { recording: reading.finish(), entries }
    }

    fn open(path: &Path) -> Self {
        let bytes = fs::read(path).unwrap();
        let log = Log::from_bytes(&path.display().to_string(), &bytes).unwrap().newest();
        Self::new(log.map(Result::unwrap).collect())
    }

    pub(crate) fn of(name: &str) -> Self {
        Self::open(&tests().join("recordings/steps").join(name).with_extension("dashcam"))
    }

    /// Replays it against a program that is changed.
    pub(crate) fn play(
        &self,
        options: &Options,
        faults: Faults,
        change: impl Fn(usize, &mut Vec<Window>),
    ) -> (Report, Desktop) {
        let time = Time::default();
        let tape = (&self.recording, &self.entries[..]);
        let mut desktop = Desktop::new(tape, &options.secrets, &time, faults, change);
        let entries = self.entries.iter().cloned();
        let report = match ChosenActs::of(&self.recording, options) {
            Ok(chosen) => run(&self.recording, &chosen, entries, &mut desktop, &time, options, &mut |_| {}),
            Err(verdict) => Report::of(verdict),
        };
        (report, desktop)
    }

    pub(crate) fn changed(&self, change: impl Fn(usize, &mut Vec<Window>)) -> Report {
        self.play(&options(), Faults::default(), change).0
    }

    pub(crate) fn faulty(&self, faults: Faults) -> Report {
        self.play(&options(), faults, |_, _| {}).0
    }
}

pub(crate) fn options() -> Options {
    let secrets = Secrets::from([("password-1205".to_owned(), "hunter2".to_owned())]);
    Options { secrets, ..Options::default() }
}

/// Recordings that end at a step nobody can do yet.
const BLOCKED: &[(&str, usize)] = &[("bars-and-tabs", 5)];

fn tapes() -> Vec<(String, Tape)> {
    let files = fs::read_dir(tests().join("recordings/steps")).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 12, "{files:?}");
    files
        .iter()
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), Tape::open(path)))
        .collect()
}

/// Every recording passes, as far as its steps can be done and verified, and each act is done exactly once; a
/// crash is reproduced. Which steps are unverified is in a golden file.
#[track_caller]
fn all_pass(change: impl Fn(usize, &mut Vec<Window>)) {
    for (name, tape) in tapes() {
        let crash = tape.recording.crash.as_ref();
        let end = crash.map(|crash| (tape.recording.step_at(crash.event), crash.code));
        let (report, desktop) = tape.play(&options(), Faults { end, ..Faults::default() }, &change);
        let is_help = |act: &Act| matches!(act, Act::SetText { .. } | Act::Place { .. });
        assert!(desktop.strays.iter().all(|(_, act)| is_help(act)), "{name}: {:?}", desktop.strays);
        if let Some((_, at)) = BLOCKED.iter().find(|(blocked, _)| *blocked == name) {
            blocked(&report, *at);
            continue;
        }
        match (&report.verdict, end) {
            (Verdict::Passed | Verdict::Unverified { .. }, None) => {}
            (Verdict::Reproduced { step, .. }, Some((at, _))) if *step == at => {}
            (verdict, _) => panic!("{name}: {verdict:?}"),
        }
        assert!(desktop.is_over(), "{name}");
        let steps = &tape.recording.plan.steps;
        let wanted = steps.iter().map(|step| choose(step, &options().secrets).acts.len());
        assert_eq!(desktop.taken.len(), wanted.sum::<usize>(), "{name}");
        assert_eq!(report.steps.len(), steps.len(), "{name}");
    }
}

pub(crate) fn window<'a>(windows: &'a mut [Window], name: &str) -> Option<&'a mut Window> {
    windows.iter_mut().find(|window| window.name == name)
}

/// Takes a window away with everything in it.
pub(crate) fn remove(windows: &mut Vec<Window>, name: &str) {
    let Some(mut gone) = window(windows, name).map(|window| vec![window.hwnd]) else { return };
    windows.retain(|window| {
        let is_gone = gone.contains(&window.hwnd) || gone.contains(&window.parent);
        if is_gone {
            gone.push(window.hwnd);
        }
        !is_gone
    });
}

#[track_caller]
pub(crate) fn diverged(report: &Report, at: usize) -> (String, String, String) {
    let Verdict::Diverged { step, expected, actual, difference } = &report.verdict else {
        panic!("{:?}", report.verdict)
    };
    assert_eq!(*step, at, "{:?}", report.verdict);
    assert_eq!(report.steps.last().unwrap().outcome, StepOutcome::Failed);
    (expected.join("\n"), actual.join("\n"), difference.join("\n"))
}

#[track_caller]
pub(crate) fn blocked(report: &Report, at: usize) -> String {
    let Verdict::Blocked { step, reason } = &report.verdict else { panic!("{:?}", report.verdict) };
    assert_eq!(*step, at, "{reason}");
    reason.clone()
}

#[test]
fn a_program_that_behaves_as_recorded_passes() {
    all_pass(|_, _| {});
}

/// Each recording with the number of its steps of each kind, and every step that is not simply verified.
#[test]
fn which_steps_are_verified_is_as_it_was() {
    let mut told = String::from(
        "# Steps of the recordings below tests/recordings, replayed against a desktop that behaves as recorded.\n",
    );
    for (name, tape) in tapes() {
        let crash = tape.recording.crash.as_ref();
        let end = crash.map(|crash| (tape.recording.step_at(crash.event), crash.code));
        let (report, _) = tape.play(&options(), Faults { end, ..Faults::default() }, |_, _| {});
        let count = |wanted: fn(&Verification) -> bool| {
            report.steps.iter().filter(|step| wanted(&step.verification)).count()
        };
        let verified = count(|it| *it == Verification::Verified);
        let harmless = count(|it| *it == Verification::Harmless);
        let unverified = count(|it| matches!(it, Verification::Unverified { .. }));
        told += &format!("{name}: {verified} verified, {harmless} harmless, {unverified} unverified\n");
        for step in &report.steps {
            let why = match &step.verification {
                Verification::Verified => continue,
                Verification::Harmless => "harmless",
                Verification::Unverified { reason, .. } => reason,
            };
            told += &format!("  {}. {}: {why}\n", step.number, step.text);
        }
    }
    let golden = tests().join("golden/verification.txt");
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        fs::write(&golden, &told).unwrap();
    }
    assert_eq!(told, fs::read_to_string(&golden).unwrap_or_default(), "UPDATE_GOLDENS=1 accepts it");
}

#[test]
fn places_and_sizes_do_not_matter() {
    all_pass(|_, windows| {
        // Larger letters: everything grows, and nothing covers what it did not cover.
        for window in windows.iter_mut() {
            let moved = if window.parent == 0 { 31 } else { 0 };
            let grown = |at: i32| at * 5 / 4 + moved;
            let Rect { left, top, right, bottom } = window.rect;
            window.rect =
                Rect { left: grown(left), top: grown(top), right: grown(right), bottom: grown(bottom) };
        }
    });
}

#[test]
fn another_language_does_not_matter() {
    all_pass(|_, windows| {
        for window in windows.iter_mut().filter(|window| !window.name.is_empty()) {
            window.name = window.name.chars().rev().chain("語".chars()).collect();
        }
    });
}

#[test]
fn other_titles_do_not_matter() {
    all_pass(|_, windows| {
        // Those of dialogs are compared when they open.
        for window in windows
            .iter_mut()
            .filter(|window| window.parent == 0 && window.owner == 0 && window.class != "#32770")
        {
            window.name.insert_str(0, "Copy of ");
        }
    });
}

#[test]
fn other_ids_do_not_matter() {
    all_pass(|_, windows| {
        for id in windows.iter_mut().filter_map(|window| window.id.as_mut()).filter(|id| **id > 11) {
            *id += 500;
        }
    });
}

#[test]
fn a_sibling_in_front_does_not_matter() {
    all_pass(|_, windows| {
        let tops: Vec<Window> = windows.iter().filter(|window| window.parent == 0).cloned().collect();
        for top in tops {
            let place = windows.iter().position(|window| window.hwnd == top.hwnd).unwrap();
            let (hwnd, name) = (top.hwnd + 1, "New button".to_owned());
            let new = Window {
                hwnd,
                window_id: top.window_id,
                parent: top.hwnd,
                owner: 0,
                class: "Button".into(),
                name,
                id: Some(9876),
                // Beside the others: what covers them is another matter.
                rect: Rect { left: -100, top: -100, right: -50, bottom: -80 },
                ..top
            };
            windows.insert(place + 1, new);
        }
    });
}

#[test]
fn a_button_that_a_dialog_lacks_is_a_divergence_of_the_step_that_opens_it() {
    let report = Tape::of("dialogs").changed(|_, windows| remove(windows, "&Another..."));
    let (expected, actual, _) = diverged(&report, 1);
    assert_eq!(expected, "#32770 \"Modal\" shows “&Another...”");
    assert_eq!(actual, "it shows no such text");
}

#[test]
fn a_removed_button_blocks_its_step() {
    // It goes when the dialog has been there for a while.
    let report = Tape::of("dialogs").changed(|step, windows| {
        if step > 2 {
            remove(windows, "&Another...");
        }
    });
    let reason = blocked(&report, 4);
    assert!(reason.contains("button \"&Another...\" id 2802 did not become available: absent: "), "{reason}");
    assert!(reason.contains("button \"&Check\" id 2801"), "the candidates are told: {reason}");
}

#[test]
fn a_disabled_button_blocks_its_step() {
    let report = Tape::of("dialogs").changed(|_, windows| {
        if let Some(button) = window(windows, "&Another...") {
            button.enabled = false;
        }
    });
    let reason = blocked(&report, 4);
    assert!(reason.contains("is disabled\n"), "{reason}");
    assert!(
        reason.ends_with("~ button \"&Another...\" id 2802: enabled: true → false"),
        "the difference: {reason}"
    );
}

#[test]
fn a_program_that_is_there_twice_is_not_touched() {
    let tape = Tape::of("dialogs");
    let (report, desktop) = tape.play(&options(), Faults::default(), |_, windows| {
        let twins: Vec<Window> = windows
            .iter()
            .map(|it| {
                let other = |hwnd: u64| if hwnd == 0 { 0 } else { hwnd + 1 };
                Window {
                    hwnd: it.hwnd + 1,
                    window_id: it.window_id + 500,
                    parent: other(it.parent),
                    owner: other(it.owner),
                    ..it.clone()
                }
            })
            .collect();
        windows.extend(twins);
    });
    assert!(blocked(&report, 1).contains("ambiguous"), "{report:?}");
    assert!(desktop.taken.is_empty() && desktop.strays.is_empty(), "nothing is clicked on a guess");
}

#[test]
fn a_replaced_dialog_diverges() {
    let report = Tape::of("dialogs").changed(|_, windows| {
        if let Some(dialog) = window(windows, "Modal") {
            dialog.name = "Licence".into();
            let hwnd = dialog.hwnd;
            for (i, child) in windows.iter_mut().filter(|child| child.parent == hwnd).enumerate() {
                (child.id, child.name) = (Some(7000 + i as i64), format!("Other {i}"));
            }
        }
    });
    let (expected, actual, difference) = diverged(&report, 1);
    assert!(expected.contains("#32770 “Modal” appears"), "{expected}");
    assert!(actual.contains("absent: ") && actual.contains("#32770 \"Licence\" appeared"), "{actual}");
    assert_eq!(difference, "- #32770 \"Modal\"\n+ #32770 \"Licence\"");
}

#[test]
fn a_missing_effect_diverges() {
    let report = Tape::of("dialogs").changed(|_, windows| {
        remove(windows, "Modal");
        window(windows, "Gallery").into_iter().for_each(|main| main.enabled = true);
    });
    let (expected, actual, difference) = diverged(&report, 1);
    assert!(expected.contains("GalleryFrame “Gallery” is disabled\n#32770 “Modal” appears"), "{expected}");
    assert!(actual.starts_with("it is enabled\nabsent: "), "{actual}");
    assert!(difference.contains("- #32770 \"Modal\""), "{difference}");
}

#[test]
fn a_window_that_stays_diverges() {
    let stays = RefCell::new(None);
    let report = Tape::of("dialogs").changed(|step, windows| match step {
        5 => *stays.borrow_mut() = window(windows, "Modal from modal").cloned(),
        6 => windows.extend(stays.take()),
        _ => {}
    });
    let (expected, actual, _) = diverged(&report, 5);
    assert!(
        expected.contains("“Modal from modal” goes") && actual.contains("is still there"),
        "{expected}\n{actual}"
    );
}

#[test]
fn an_unexpected_modal_box_diverges() {
    let report = Tape::of("dialogs").changed(|step, windows| {
        if step == 4 {
            let modal = window(windows, "Modal").unwrap();
            modal.enabled = false;
            let owner = modal.hwnd;
            let error = Window {
                hwnd: 0x77,
                window_id: 9000,
                owner,
                enabled: true,
                name: "Error".into(),
                ..modal.clone()
            };
            windows.push(error);
        }
    });
    let (expected, actual, difference) = diverged(&report, 3);
    assert_eq!((expected.as_str(), actual.as_str()), ("no other modal window", "#32770 \"Error\" appeared"));
    assert!(difference.contains("+ #32770 \"Error\""), "{difference}");
}

#[test]
fn late_effects_are_awaited_up_to_a_deadline() {
    let tape = Tape::of("dialogs");
    let late = |seconds| Faults { late: Some((1, Duration::from_secs(seconds))), ..Faults::default() };
    assert_eq!(tape.faulty(late(3)).verdict, Verdict::Passed);
    let report = tape.faulty(late(600));
    diverged(&report, 1);
    assert!(report.steps[0].micros < 61_000_000, "{}", report.steps[0].micros);
}

/// On a busy machine a program may not have had its turn when the time is over.
#[test]
fn what_is_still_at_work_is_not_late() {
    let tape = Tape::of("dialogs");
    let late =
        |seconds| Faults { late: Some((1, Duration::from_secs(seconds))), works: true, ..Faults::default() };
    assert_eq!(tape.faulty(late(40)).verdict, Verdict::Passed);
    let report = tape.faulty(late(600));
    diverged(&report, 1);
    assert!(report.steps[0].micros < 121_000_000, "{}", report.steps[0].micros);
}

#[test]
fn the_user_s_timing_is_kept_on_demand() {
    let tape = Tape::of("dialogs");
    let steps = &tape.recording.plan.steps;
    let time = Duration::from_micros(steps.last().unwrap().time - steps[0].time);
    for is_paced in [false, true] {
        let clock = Time::default();
        let mut desktop = Desktop::new(
            (&tape.recording, &tape.entries),
            &options().secrets,
            &clock,
            Faults::default(),
            |_, _| {},
        );
        let options = Options { is_paced, ..options() };
        let chosen = ChosenActs::of(&tape.recording, &options).unwrap();
        let entries = tape.entries.iter().cloned();
        let report = run(&tape.recording, &chosen, entries, &mut desktop, &clock, &options, &mut |_| {});
        assert_eq!(report.verdict, Verdict::Passed);
        assert_eq!(clock.now() >= time, is_paced, "{:?} of {time:?}", clock.now());
        assert!(is_paced || clock.now() == Duration::ZERO, "no time passes where nothing is waited for");
    }
}

#[test]
fn a_text_that_typing_does_not_give_is_set() {
    let tape = Tape::of("edits");
    let (report, desktop) =
        tape.play(&options(), Faults { deaf_edits: true, ..Faults::default() }, |_, _| {});
    assert_eq!(report.verdict, Verdict::Passed);
    let set = |text: &str| {
        desktop.strays.iter().any(|(_, act)| matches!(act, Act::SetText { text: it } if it == text))
    };
    assert!(set("Jürgen") && set("LOUD") && !set("hunter2"), "{:?}", desktop.strays);
    let is_said = report.steps[1].remarks.iter().any(|remark| remark.contains("the recorded text was set"));
    assert!(is_said, "{:?}", report.steps[1]);
}

#[test]
fn a_missing_secret_blocks_before_anything_is_done() {
    let (report, desktop) = Tape::of("edits").play(&Options::default(), Faults::default(), |_, _| {});
    assert!(blocked(&report, 8).contains("--secret password-1205=VALUE"));
    assert!(desktop.taken.is_empty());
    let told = format!("{:?}", Tape::of("edits").changed(|_, _| {}));
    assert!(!told.contains("hunter2"), "a secret is in no report");
}

#[test]
fn a_log_without_its_beginning_is_invalid() {
    let mut entries = Tape::of("dialogs").entries;
    entries.retain(|entry| !matches!(entry, Entry::Segment(_)));
    entries.insert(0, Entry::Segment(SegmentHead { number: 3, ..SegmentHead::default() }));
    let tape = Tape::new(entries);
    let Verdict::Invalid { reason } = tape.changed(|_, _| {}).verdict else { panic!() };
    assert!(reason.starts_with("the beginning is gone"), "{reason}");
    let attached = Options { is_attached: true, ..options() };
    assert_eq!(tape.play(&attached, Faults::default(), |_, _| {}).0.verdict, Verdict::Passed);
    let other = tape.play(&attached, Faults::default(), |_, windows| windows.clear()).0;
    let Verdict::Invalid { reason } = other.verdict else { panic!() };
    assert!(reason.ends_with("galleryframe \"Gallery\" is not there"), "{reason}");
    let Verdict::Invalid { reason } = Tape::new(Vec::new()).changed(|_, _| {}).verdict else { panic!() };
    assert_eq!(reason, "the log has no steps to replay");
}

pub(crate) const ACCESS_VIOLATION: u32 = 0xC000_0005;

/// The dialogs, cut after a step by an event.
pub(crate) fn ending_with(kind: Kind, step: usize) -> Tape {
    let whole = Tape::of("dialogs");
    let end = whole.recording.plan.events_after(step);
    let mut events = 0;
    let mut entries = whole.entries;
    entries.retain(|entry| {
        events += u64::from(matches!(entry, Entry::Event(_)));
        events <= end
    });
    let stamp = Stamp { sequence: 1_000_000, time: u64::MAX, thread: 1 };
    let event = Event::new(stamp, kind).with(Key::CrashCode, Value::Unsigned(ACCESS_VIOLATION.into()));
    entries.push(Entry::Event(event.with_text(Key::CrashModule, "gallery.exe")));
    Tape::new(entries)
}

#[test]
fn the_recorded_crash_is_reproduced_at_its_step_only() {
    let tape = ending_with(Kind::Crash, 4);
    let end = |step, code| tape.faulty(Faults { end: Some((step, code)), ..Faults::default() });
    let report = end(4, ACCESS_VIOLATION);
    let Verdict::Reproduced { step: 4, compared, .. } = &report.verdict else {
        panic!("{:?}", report.verdict)
    };
    assert!(compared.contains("0xC0000005") && compared.contains("gallery.exe"), "{compared}");
    assert_eq!(report.steps.last().unwrap().outcome, StepOutcome::Done);
    diverged(&end(3, ACCESS_VIOLATION), 3);
    diverged(&end(4, 0xC000_0094), 4);
    let (expected, actual, _) = diverged(&tape.faulty(Faults::default()), 4);
    assert_eq!(
        (expected.as_str(), actual.as_str()),
        ("the crash 0xC0000005 in gallery.exe", "the application goes on")
    );
}

#[test]
fn a_hang_is_reproduced_or_diverges() {
    let hang = || Faults { hang: Some(4), ..Faults::default() };
    let report = ending_with(Kind::Hang, 4).faulty(hang());
    assert!(matches!(report.verdict, Verdict::Reproduced { step: 4, .. }), "{:?}", report.verdict);
    diverged(&Tape::of("dialogs").faulty(hang()), 4);
}

#[test]
fn an_early_end_and_a_crash_at_the_end_diverge() {
    let end =
        |step, code| Tape::of("dialogs").faulty(Faults { end: Some((step, code)), ..Faults::default() });
    let (_, actual, _) = diverged(&end(2, 0), 2);
    assert_eq!(actual, "the application ended with code 0x0");
    diverged(&end(14, ACCESS_VIOLATION), 14);
    assert_eq!(end(14, 1).verdict, Verdict::Passed, "its own exit code is the program's business");
}

#[test]
fn more_is_compared_on_demand() {
    let tape = Tape::of("dialogs");
    let captured = Rc::<RefCell<Baseline>>::default();
    let play = |options: &Options, change: &dyn Fn(&mut Vec<Window>)| {
        tape.play(options, Faults::default(), |_, windows| change(windows)).0.verdict
    };
    let same = |_: &mut Vec<Window>| {};
    let capture = Options { capture: Some(Rc::clone(&captured)), allows_unverified: true, ..options() };
    assert_eq!(play(&capture, &same), Verdict::Passed);
    let disabled = |windows: &mut Vec<Window>| {
        window(windows, "&Property sheet...").into_iter().for_each(|button| button.visible = false);
    };
    let longer = |windows: &mut Vec<Window>| windows.iter_mut().for_each(|it| it.rect.right += 1);
    let baseline = Some(captured.borrow().clone());
    for level in [Level::Changed, Level::Relevant, Level::Complete] {
        let options = Options { level, baseline: baseline.clone(), ..options() };
        assert_eq!(play(&options, &same), Verdict::Passed, "{level:?}");
        let at = |verdict: Verdict| match verdict {
            Verdict::Passed => 0,
            Verdict::Diverged { step, .. } | Verdict::Blocked { step, .. } => step,
            other => panic!("{other:?}"),
        };
        assert_eq!(at(play(&options, &disabled)), if level == Level::Changed { 10 } else { 1 }, "{level:?}");
        let is_complete = level == Level::Complete;
        assert_eq!(at(play(&options, &longer)), usize::from(is_complete), "{level:?}");
        let every = Options { every: Every::Steps(4), ..options.clone() };
        assert_eq!(at(play(&every, &longer)), if is_complete { 4 } else { 0 }, "{level:?}");
        let rule = crate::oracle::Rule { window: "*".parse().unwrap(), property: "rect".into() };
        let lenient = Options { rules: Rules(vec![rule]), ..options };
        assert_eq!(play(&lenient, &longer), Verdict::Passed, "{level:?}");
    }
}

/// A clock or a temporary path that a step writes: which it is only further replays can tell.
#[test]
fn what_a_step_writes_may_be_any_text_while_a_baseline_is_captured() {
    let tape = Tape::of("invoice-tour");
    let play = |options: &Options, text: &str| {
        let change = |_: usize, windows: &mut Vec<Window>| {
            for window in windows.iter_mut().filter(|window| window.name == "Untitled* - Invoice") {
                window.name = text.into();
            }
        };
        tape.play(options, Faults::default(), change).0.verdict
    };
    let capture = Options { capture: Some(Rc::default()), allows_unverified: true, ..options() };
    let step = |verdict| if let Verdict::Diverged { step, .. } = verdict { step } else { 0 };
    let at = step(play(&options(), "Invoice 21:23:14"));
    assert!(at > 0, "another text is a divergence");
    assert_eq!(play(&capture, "Invoice 21:23:14").exit_code(), 0);
    assert_eq!(step(play(&capture, "Untitled - Invoice")), at, "one that stays as it was is none");
}

/// An application that changed on purpose: what was accepted is expected, not what was recorded once.
#[test]
fn a_baseline_is_younger_than_the_recording() {
    let tape = Tape::of("invoice-tour");
    let play = |options: &Options, text: &str| {
        let change = |_: usize, windows: &mut Vec<Window>| {
            for window in windows.iter_mut().filter(|window| window.name == "Untitled* - Invoice") {
                window.name = text.into();
            }
        };
        tape.play(options, Faults::default(), change).0.verdict
    };
    let captured = Rc::default();
    let capture = Options { capture: Some(Rc::clone(&captured)), allows_unverified: true, ..options() };
    assert_eq!(play(&capture, "New - Invoice").exit_code(), 0);
    let accepted = Options { level: Level::Complete, baseline: Some(captured.borrow().clone()), ..options() };
    assert_eq!(play(&accepted, "New - Invoice").exit_code(), 0);
    let diverges = |options: &Options, text| matches!(play(options, text), Verdict::Diverged { .. });
    assert!(diverges(&accepted, "Newer - Invoice"));
    assert!(diverges(&accepted, "Untitled* - Invoice"), "as it was recorded is not as it was accepted");
    assert!(diverges(&Options { level: Level::Relevant, ..accepted }, "New - Invoice"));
}

/// A script expects windows beside what the recording shows; each is told like a step, and wrong
/// ones end the replay.
#[test]
fn a_script_may_expect_more() {
    let tape = Tape::of("dialogs");
    let play_all = |all: &[&str]| {
        let expectations = all.iter().map(|toml| toml_edit::de::from_str(toml).unwrap()).collect();
        tape.play(&Options { expectations, ..options() }, Faults::default(), |_, _| {}).0
    };
    let play = |toml: &str| play_all(&[toml]);
    let report = play("after_step = 2\nwindow = 'GalleryFrame'\nenabled = false\nexists = true");
    assert_eq!(report.verdict, Verdict::Passed);
    let told: Vec<&StepReport> = report.steps.iter().filter(|told| told.is_expectation).collect();
    assert_eq!((told.len(), told[0].number), (1, 2));
    let (expected, actual, _) = diverged(&play("after_step = 2\nwindow = 'GalleryFrame'\ntext = 'x'"), 2);
    assert_eq!(expected, "GalleryFrame has the text “x”");
    assert!(actual.starts_with("it has the text “"), "{actual}");
    diverged(&play("after_step = 3\nwindow = 'Nothing'"), 3);
    let report = play_all(&[
        "after_step = 2\nwindow = 'GalleryFrame'\ntext = 'x'",
        "after_step = 2\nwindow = 'GalleryFrame'\nenabled = false",
        "after_step = 2\nwindow = 'Nothing'",
        "after_step = 3\nwindow = 'Nothing either'",
    ]);
    let Verdict::Diverged { step: 2, expected, actual, .. } = &report.verdict else { panic!("{report:?}") };
    assert_eq!((expected.len(), actual.len()), (2, 2), "all that is wrong after the step: {expected:?}");
    let told = report.steps.iter().filter(|told| told.is_expectation).map(|told| told.outcome);
    assert_eq!(told.collect::<Vec<_>>(), [StepOutcome::Failed, StepOutcome::Done, StepOutcome::Failed]);
    assert_eq!(play("after_step = 3\nwindow = 'Nothing'\nexists = false").verdict, Verdict::Passed);
}

/// `docs/replay.md` has every rule; `UPDATE_GOLDENS=1 cargo test -p replay-engine` writes them anew.
#[test]
fn the_page_has_every_rule() {
    const BEGIN: &str = "<!-- table -->\n";
    const END: &str = "<!-- end of table -->";
    let path = tests().parent().unwrap().join("docs/replay.md");
    let page = fs::read_to_string(&path).unwrap();
    let (head, rest) = page.split_once(BEGIN).unwrap();
    let (table, tail) = rest.split_once(END).unwrap();
    let line = |rule: &&Rule| format!("| {} | {} | {} |\n", rule.interaction, rule.act, rule.why);
    let rules: String = RULES.iter().map(line).collect();
    let expected = format!("| the user's interaction | what is done for it | why |\n|---|---|---|\n{rules}");
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        fs::write(&path, format!("{head}{BEGIN}{expected}{END}{tail}")).unwrap();
    } else {
        assert_eq!(table, expected, "docs/replay.md is not what the code does");
    }
}

#[test]
fn a_report_gives_reasons_for_each_step_and_for_the_verdict() {
    let report = Tape::of("dialogs").changed(|_, windows| remove(windows, "Modal from modal"));
    let outcomes: Vec<StepOutcome> = report.steps.iter().map(|step| step.outcome).collect();
    assert_eq!(outcomes, [StepOutcome::Done, StepOutcome::Done, StepOutcome::Done, StepOutcome::Failed]);
    assert_eq!(report.steps[0].text, "Press “Modal”");
    assert_eq!(report.steps[0].act, "BM_CLICK");
    let decisions = report.steps[0].decisions.concat();
    assert!(decisions.contains("score 6, margin 5"), "{decisions}");
    let Verdict::Diverged { step: 4, expected, actual, difference } = &report.verdict else {
        panic!("{report:?}")
    };
    assert_eq!(expected, &["#32770 “Modal from modal” appears"]);
    assert!(actual[0].starts_with("absent: nothing like it is there\n"), "{actual:?}");
    assert_eq!(difference, &["- #32770 \"Modal from modal\""]);
}

#[test]
fn a_modal_box_in_the_way_diverges() {
    let report = Tape::of("dialogs").changed(|_, windows| {
        let Some(main) = window(windows, "Gallery") else { return };
        main.enabled = false;
        let tip = Window {
            hwnd: 0x77,
            window_id: 900,
            owner: main.hwnd,
            enabled: true,
            name: "Tip of the day".into(),
            class: "#32770".into(),
            ..main.clone()
        };
        windows.push(tip);
    });
    let (expected, actual, _) = diverged(&report, 1);
    assert_eq!(
        (expected.as_str(), actual.as_str()),
        ("no other modal window", "#32770 \"Tip of the day\" appeared")
    );
}
