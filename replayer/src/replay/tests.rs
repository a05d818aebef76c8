//! Recordings of real programs, replayed against a desktop in memory that behaves as recorded, or otherwise.

use super::choose::{Secrets, choose};
use super::desktop::{Desktop, Faults, Time, Window};
use super::driver::Act;
use super::recording::{Reading, Recording};
use super::run::{Options, run};
use super::verdict::{Outcome, Report, Verdict};
use super::verify::Level;
use message_log::{Entry, Event, Key, Kind, Log, SegmentHead, Stamp, Value};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("tests")
}

/// A recording and the entries of its log.
struct Tape {
    recording: Recording,
    entries: Vec<Entry>,
}

impl Tape {
    fn new(entries: Vec<Entry>) -> Self {
        let mut reading = Reading::default();
        entries.iter().for_each(|entry| reading.take(entry));
        Self { recording: reading.finish(), entries }
    }

    fn open(path: &Path) -> Self {
        let bytes = fs::read(path).unwrap();
        let log = Log::from_bytes(&path.display().to_string(), &bytes).unwrap().newest();
        Self::new(log.map(Result::unwrap).collect())
    }

    fn of(name: &str) -> Self {
        Self::open(&tests().join("recordings/steps").join(name).with_extension("dashcam"))
    }

    /// Replays it against a program that is changed.
    fn play(
        &self,
        options: &Options,
        faults: Faults,
        change: impl Fn(usize, &mut Vec<Window>),
    ) -> (Report, Desktop) {
        let time = Time::default();
        let tape = (&self.recording, &self.entries[..]);
        let mut desktop = Desktop::new(tape, &options.secrets, &time, faults, change);
        let entries = self.entries.iter().cloned();
        let report = run(&self.recording, entries, &mut desktop, &time, options, &mut |_| {});
        (report, desktop)
    }

    fn changed(&self, change: impl Fn(usize, &mut Vec<Window>)) -> Report {
        self.play(&options(), Faults::default(), change).0
    }

    fn faulty(&self, faults: Faults) -> Report {
        self.play(&options(), faults, |_, _| {}).0
    }

    /// The same up to the step's first blocked successor, if there is one.
    fn blocked_step(&self) -> Option<usize> {
        let steps = &self.recording.plan.steps;
        steps.iter().find(|step| choose(step, &options().secrets).blocked.is_some()).map(|step| step.number)
    }
}

fn options() -> Options {
    let secrets = Secrets::from([("password-1205".to_owned(), "hunter2".to_owned())]);
    Options { secrets, ..Options::default() }
}

#[test]
fn recordings_pass() {
    let mut all = Vec::new();
    for file in fs::read_dir(tests().join("recordings/steps")).unwrap() {
        let path = file.unwrap().path();
        let tape = Tape::open(&path);
        let (report, desktop) = tape.play(&options(), Faults::default(), |_, _| {});
        println!(
            "{}: {:?} of {}, strays {:?}",
            path.file_stem().unwrap().display(),
            report.verdict,
            tape.recording.plan.steps.len(),
            desktop.strays
        );
        all.push(report);
    }
    let _ = (Outcome::Done, Level::Changed, Duration::ZERO, Act::Focus);
    let _: Option<(Event, Key, Kind, SegmentHead, Stamp, Value, Verdict)> = None;
    panic!();
}
