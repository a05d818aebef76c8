//! The tests of real programs, on as many desktops as there is room for.
//!
//! A desktop has one pointer and one foreground window, so one test at a time runs on it. A test mostly waits
//! for programs, so two processors have room for two desktops and for the checks beside them. Each desktop
//! takes the next test when it is free, so that they finish together; the slowest tests come first.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use harness::{Desktop, folders};
use serde_json::Value;

use crate::cargo;

/// How many desktops; on Windows there is only the user's own.
const DESKTOPS: usize = if cfg!(windows) { 1 } else { 2 };

/// Files whose tests record and replay many programs each. They come first where no duration is known yet.
const LONG_FILES: &[&str] =
    &["suite", "mutation", "coverage", "installer", "invoice", "replay_robust", "hostile"];

/// A compiled test program.
struct TestProgram {
    /// As its file is called below `tests/tests`.
    file: String,
    program: String,
}

/// One test.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Test {
    file: String,
    program: String,
    name: String,
}

/// What happened to a test.
struct Outcome {
    test: Test,
    is_passed: bool,
    duration: Duration,
}

/// The compiled end-to-end tests.
pub(crate) struct Tests(VecDeque<Test>);

impl Tests {
    /// Compiles them and chooses those whose name contains the filter, or that are in the file of this name.
    pub(crate) fn compile(filter: Option<&str>, with_long: bool) -> Result<Self> {
        let mut tests = Vec::new();
        for program in compile()? {
            tests.extend(program.tests(with_long)?.into_iter().filter(|test| test.is_chosen(filter)));
        }
        let durations = read_durations();
        tests.sort_by_key(|test| std::cmp::Reverse(test.expected(&durations)));
        Ok(Self(tests.into()))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Runs all of them, whatever fails; an error names those that failed.
    pub(crate) fn run(self) -> Result<()> {
        let count = self.0.len();
        let (waiting, outcomes) = (Mutex::new(self.0), Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            let worker = || -> Result<()> {
                // Ends with this thread at the latest.
                let desktop = Desktop::start_private()?;
                // In a function of its own: the lock is not held while the test runs.
                let next = || lock(&waiting).pop_front();
                while let Some(test) = next() {
                    let outcome = test.run(&desktop)?;
                    lock(&outcomes).push(outcome);
                }
                Ok(())
            };
            let workers: Vec<_> = (0..DESKTOPS.min(count)).map(|_| scope.spawn(worker)).collect();
            let mut ends = workers.into_iter().map(|worker| worker.join());
            ends.try_for_each(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })?;
        let mut outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
        write_durations(&outcomes)?;
        outcomes.sort_by_key(|outcome| std::cmp::Reverse(outcome.duration));
        println!("\n{count} end-to-end tests; the slowest:");
        for outcome in outcomes.iter().take(10) {
            println!("  {:>6.1} s  {}", outcome.duration.as_secs_f64(), outcome.test.id());
        }
        let failed: Vec<String> =
            outcomes.iter().filter(|outcome| !outcome.is_passed).map(|outcome| outcome.test.id()).collect();
        ensure!(failed.is_empty(), "these tests failed: {}", failed.join(", "));
        Ok(())
    }
}

/// Compiles the test programs.
fn compile() -> Result<Vec<TestProgram>> {
    let args =
        ["test", "--package", "dashcam-tests", "--no-run", "--message-format", "json-render-diagnostics"];
    let output = cargo::command(&args).stderr(Stdio::inherit()).output().context("cannot run cargo")?;
    ensure!(output.status.success(), "the end-to-end tests cannot be compiled");
    let messages = String::from_utf8_lossy(&output.stdout);
    let programs: Vec<TestProgram> = messages.lines().filter_map(TestProgram::of_message).collect();
    ensure!(!programs.is_empty(), "cargo named no test program");
    Ok(programs)
}

impl TestProgram {
    /// The test program that a line of cargo's messages names.
    fn of_message(line: &str) -> Option<Self> {
        let message: Value = serde_json::from_str(line).ok()?;
        let is_test = message["profile"]["test"].as_bool()?;
        let (file, program) = (message["target"]["name"].as_str()?, message["executable"].as_str()?);
        is_test.then(|| Self { file: file.to_owned(), program: program.to_owned() })
    }

    /// Its tests; the long ones are marked as ignored.
    fn tests(&self, with_long: bool) -> Result<Vec<Test>> {
        let list = |options: &[&str]| -> Result<Vec<String>> {
            let mut command = Command::new(&self.program);
            let output = command.args(["--list", "--format", "terse"]).args(options).output();
            let output = output.with_context(|| format!("cannot run {}", self.program))?;
            ensure!(output.status.success(), "{} does not list its tests", self.program);
            Ok(names(&String::from_utf8_lossy(&output.stdout)))
        };
        let long = if with_long { Vec::new() } else { list(&["--ignored"])? };
        let names = list(&[])?.into_iter().filter(|name| !long.contains(name));
        Ok(names.map(|name| Test { file: self.file.clone(), program: self.program.clone(), name }).collect())
    }
}

/// The names in a list of tests.
fn names(list: &str) -> Vec<String> {
    list.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

impl Test {
    fn is_chosen(&self, filter: Option<&str>) -> bool {
        filter.is_none_or(|filter| self.file == filter || self.name.contains(filter))
    }

    /// How long it probably takes, in milliseconds.
    fn expected(&self, durations: &Durations) -> u64 {
        let guess = || if LONG_FILES.contains(&self.file.as_str()) { 60_000 } else { 0 };
        durations.get(&self.id()).copied().unwrap_or_else(guess)
    }

    /// File and name.
    fn id(&self) -> String {
        format!("{}::{}", self.file, self.name)
    }

    /// Runs it and prints one line, and its output if it fails.
    fn run(self, desktop: &Desktop) -> Result<Outcome> {
        let start = Instant::now();
        let mut command = Command::new(&self.program);
        command.args(["--exact", &self.name, "--include-ignored", "--test-threads=1"]);
        command.current_dir(folders::workspace().join("tests")).envs(desktop.environment());
        // Into a file: under Wine, background processes keep a pipe open.
        let place = folders::target().join("e2e").join("output");
        fs::create_dir_all(&place)?;
        let place = place.join(format!("{}.txt", self.id().replace("::", ".")));
        let file = fs::File::create(&place)?;
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
        let status = command.status().with_context(|| format!("cannot run {}", self.program))?;
        let (is_passed, duration) = (status.success(), start.elapsed());
        let word = if is_passed { "ok" } else { "FAILED" };
        let mut report = format!("{word:>6} {:>6.1} s  {}", duration.as_secs_f64(), self.id());
        if !is_passed {
            report += &format!("\n{}", String::from_utf8_lossy(&fs::read(&place)?));
        }
        // At once: another desktop may print meanwhile.
        println!("{report}");
        Ok(Outcome { test: self, is_passed, duration })
    }
}

/// How long each test took when it ran last, in milliseconds.
type Durations = BTreeMap<String, u64>;

fn durations_file() -> PathBuf {
    folders::target().join("e2e").join("durations.json")
}

/// Those of earlier runs here; none in a fresh clone.
fn read_durations() -> Durations {
    let known = fs::read(durations_file()).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    known.unwrap_or_default()
}

fn write_durations(outcomes: &[Outcome]) -> Result<()> {
    let mut durations = read_durations();
    let milliseconds = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    durations.extend(outcomes.iter().map(|outcome| (outcome.test.id(), milliseconds(outcome.duration))));
    fs::write(durations_file(), serde_json::to_vec_pretty(&durations)?)?;
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_compiled_tests_are_run() {
        let file = |line: &str| TestProgram::of_message(line).map(|program| program.file);
        let test = r#"{"reason":"compiler-artifact","target":{"name":"abi"},"profile":{"test":true},"executable":"/t/abi-1"}"#;
        assert_eq!(file(test).as_deref(), Some("abi"));
        assert_eq!(file(&test.replace("\"test\":true", "\"test\":false")), None);
        assert_eq!(file(&test.replace("\"/t/abi-1\"", "null")), None);
        assert_eq!(file(r#"{"reason":"build-finished","success":true}"#), None);
        assert_eq!(file("no message"), None);
    }

    #[test]
    fn tests_are_listed() {
        assert_eq!(names("a: test\nb::c: test\nd: benchmark\n\n2 tests, 1 benchmark\n"), ["a", "b::c"]);
        assert!(names("wine: no such file").is_empty());
    }

    #[test]
    fn the_slowest_test_comes_first() {
        let test = |file: &str| Test { file: file.into(), program: "/t".into(), name: "a".into() };
        let durations = Durations::from([("abi::a".to_owned(), 70_000), ("suite::a".to_owned(), 80_000)]);
        let expected = ["suite", "abi", "coverage", "page"].map(|file| test(file).expected(&durations));
        assert_eq!(expected, [80_000, 70_000, 60_000, 0]);
    }

    #[test]
    fn a_test_is_chosen_by_its_name_or_its_file() {
        let test = Test { file: "abi".into(), program: "/t/abi-1".into(), name: "hosts::start".into() };
        let is_chosen = |filter| test.is_chosen(filter);
        assert!(is_chosen(None) && is_chosen(Some("abi")) && is_chosen(Some("start")));
        assert!(!is_chosen(Some("ab")) && !is_chosen(Some("hostile")));
    }
}
