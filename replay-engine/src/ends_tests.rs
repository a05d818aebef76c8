//! Commands that do not come, crashes elsewhere, hangs and ends: on a desktop in memory.

use crate::crash::Crash;
use crate::desktop::Faults;
use crate::options::Options;
use crate::oracle::CrashExpected;
use crate::tests::{ACCESS_VIOLATION, Tape, diverged, ending_with, options};
use crate::verdict::{Report, StepOutcome, Verdict};
use message_log::{Entry, Event, Hook, Key, Kind, Message, Stamp, Value};

/// The step at which a replay diverges when the commands of that step do not come; none where
/// nobody would notice.
fn muted(tape: &Tape, step: usize) -> Option<String> {
    let report = tape.faulty(Faults { mute: Some(step), ..Faults::default() });
    let Verdict::Diverged { step: at, expected, actual, .. } = &report.verdict else { return None };
    assert_eq!(*at, step, "{:?}", report.verdict);
    assert_eq!(actual.join(""), "it was not told".repeat(actual.len()));
    Some(expected.join("; "))
}

#[track_caller]
fn is_missed(recording: &str, step: usize, expected: &str) {
    let told = muted(&Tape::of(recording), step);
    assert!(told.as_ref().is_some_and(|told| told.contains(expected)), "{recording} {step}: {told:?}");
}

#[test]
fn a_command_that_does_not_come_diverges_at_its_step() {
    is_missed("dialogs", 1, "gets the command of button \"&Modal...\" id 2100");
    is_missed("dialogs", 3, "#32770 \"Modal\" gets the command of button \"&Check\" id 2801");
    is_missed("notepad", 7, "gets the command");
}

#[test]
fn every_kind_of_command_is_missed() {
    let missed = |name: &str| {
        let tape = Tape::of(name);
        let steps = 1..=tape.recording.plan.steps.len();
        steps.filter_map(|step| muted(&tape, step)).collect::<Vec<_>>()
    };
    let dialogs = missed("dialogs");
    assert!(dialogs.len() > 6, "{dialogs:?}");
    assert!(missed("lists").iter().any(|told| told.contains("gets the notification 1 of listbox")));
    assert!(missed("combos").iter().any(|told| told.contains("gets the notification 1 of combobox")));
    // An item that was dragged and is not: nothing else of it can be seen.
    assert!(missed("drag").iter().any(|told| told.contains("gets the notification -109 of syslistview32")));
    // A click into an edit only moves the focus, typing only changes texts; one step is an accelerator.
    assert_eq!(missed("edits"), ["galleryframe \"Gallery\" gets the command 4027"]);
}

#[test]
fn what_nobody_can_see_is_said() {
    let report = Tape::of("dialogs").faulty(Faults { blind: true, mute: Some(1), ..Faults::default() });
    assert_eq!(report.verdict, Verdict::Passed);
    assert_eq!(report.remarks, ["nobody sees commands"], "once");
}

/// The recorded crash, and what the recorder inside notes of the replay's.
fn crashed(noted: Option<Crash>) -> Report {
    let mut tape = ending_with(Kind::Crash, 4);
    let crash = tape.recording.crash.as_mut().unwrap();
    (crash.offset, crash.build) = (Some(0x1234), Some(1));
    tape.faulty(Faults { end: Some((4, ACCESS_VIOLATION)), crash: noted, ..Faults::default() })
}

#[test]
fn a_crash_elsewhere_is_another_crash() {
    let at = |offset| Crash {
        event: 0,
        code: ACCESS_VIOLATION,
        module: Some("gallery.exe".into()),
        offset: Some(offset),
        build: Some(1),
    };
    let Verdict::Reproduced { step: 4, what, compared } = crashed(Some(at(0x1234))).verdict else { panic!() };
    assert_eq!(what, "the application crashed with 0xC0000005 in gallery.exe+0x1234");
    assert_eq!(compared, "the step, the exception code 0xC0000005 and the frame gallery.exe+0x1234");
    let (expected, actual, _) = diverged(&crashed(Some(at(0x1235))), 4);
    assert_eq!(expected, "the crash 0xC0000005 in gallery.exe+0x1234 at step 4");
    assert_eq!(actual, "the application crashed with 0xC0000005 in gallery.exe+0x1235");
    let Verdict::Reproduced { compared, .. } = crashed(None).verdict else { panic!() };
    assert!(compared.ends_with("is not known of the replay"), "{compared}");
}

/// A script that expects a crash is held to it, whatever the recording ends with; it is told like a step.
#[test]
fn a_crash_that_a_script_expects_is_that_one() {
    let play = |tape: &Tape, after_step, code, end| {
        let options = Options { crash: Some(CrashExpected { after_step, code }), ..options() };
        tape.play(&options, Faults { end, ..Faults::default() }, |_, _| {}).0
    };
    let told = |report: &Report| {
        let mut told = report.steps.iter().filter(|told| told.is_expectation);
        told.next_back().map(|told| (told.number, told.text.clone(), told.outcome))
    };
    let (recorded, other) = (ending_with(Kind::Crash, 4), Tape::of("dialogs"));
    let crash = Some((4, ACCESS_VIOLATION));
    let said = "Expect: the application crashes after step 4 with 0xC0000005".to_owned();
    for tape in [&recorded, &other] {
        let report = play(tape, 4, Some(ACCESS_VIOLATION), crash);
        assert!(matches!(report.verdict, Verdict::Reproduced { step: 4, .. }), "{:?}", report.verdict);
        assert_eq!(told(&report), Some((4, said.clone(), StepOutcome::Done)));
        let (expected, actual, _) = diverged(&play(tape, 4, Some(0xC000_0094), crash), 4);
        assert_eq!(expected, "the application crashes after step 4 with 0xC0000094");
        assert_eq!(actual, "the application crashed with 0xC0000005");
        diverged(&play(tape, 5, None, crash), 4);
    }
    let report = play(&other, 4, Some(ACCESS_VIOLATION), None);
    assert_eq!(diverged(&report, 4).1, "the application goes on");
    assert_eq!(told(&report), Some((4, said, StepOutcome::Failed)));
}

#[test]
fn a_crash_that_a_debugger_keeps_from_ending_is_a_crash() {
    let noted =
        || Some(Crash { code: ACCESS_VIOLATION, module: Some("gallery.exe".into()), ..Crash::default() });
    let hang = || Faults { hang: Some(4), crash: noted(), ..Faults::default() };
    let report = ending_with(Kind::Crash, 4).faulty(hang());
    assert!(matches!(report.verdict, Verdict::Reproduced { step: 4, .. }), "{:?}", report.verdict);
    let (_, actual, _) = diverged(&Tape::of("dialogs").faulty(hang()), 4);
    assert_eq!(actual, "the application crashed with 0xC0000005 in gallery.exe");
}

#[test]
fn a_recorded_hang_that_does_not_come_diverges() {
    let (expected, actual, _) = diverged(&ending_with(Kind::Hang, 4).faulty(Faults::default()), 4);
    assert_eq!(expected, "the application does not answer any more");
    assert_eq!(actual, "the application answers");
}

/// The dialogs up to a step that shows windows to the last moment, and then perhaps a message or a note.
fn broken_off(step: usize, last: Option<Event>) -> Tape {
    let whole = Tape::of("dialogs");
    let end = whole.recording.plan.events_after(step);
    let events = whole.entries.into_iter().filter(|entry| matches!(entry, Entry::Event(_)));
    Tape::new(events.take(end as usize).chain(last.map(Entry::Event)).collect())
}

#[test]
fn an_end_is_as_recorded_or_otherwise() {
    let end = |tape: &Tape, code| tape.faulty(Faults { end: Some((4, code)), ..Faults::default() });
    let thread = Tape::of("dialogs").recording.plan.steps[3].thread;
    let stamp = Stamp { sequence: 1_000_000, time: u64::MAX, thread };
    let quit = Message { number: 0x0012, hook: Hook::Posted, ..Message::default() };
    let quit = broken_off(4, Some(Event::new(stamp, Kind::Message(quit))));
    assert_eq!(end(&quit, 0).verdict, Verdict::Passed);
    assert_eq!(end(&quit, 3).verdict, Verdict::Passed, "its own exit code is the program's business");
    let (expected, actual, _) = diverged(&quit.faulty(Faults::default()), 4);
    assert_eq!((expected.as_str(), actual.as_str()), ("the application ends", "the application goes on"));
    diverged(&end(&quit, ACCESS_VIOLATION), 4);

    let silent = broken_off(4, None);
    let report = end(&silent, 0);
    assert_eq!(report.verdict, Verdict::Passed);
    assert!(report.remarks[0].contains("the recording breaks off there too"), "{:?}", report.remarks);
    let verdict = end(&silent, 3).verdict;
    let Verdict::Reproduced { step: 4, what, compared } = &verdict else { panic!("{verdict:?}") };
    assert_eq!(what, "the application ended with code 0x3");
    assert!(compared.starts_with("the step: the recording breaks off there"), "{compared}");
    assert_eq!(
        silent.faulty(Faults::default()).verdict,
        Verdict::Passed,
        "the log may be of a program that runs"
    );

    let stopped = Event::new(stamp, Kind::Recording).with_text(Key::State, "stopped");
    diverged(&end(&broken_off(4, Some(stopped)), 0), 4);
    let later = Event::new(stamp, Kind::Statistics).with(Key::Received, Value::Unsigned(1));
    diverged(&end(&broken_off(4, Some(later)), 0), 4);
}
