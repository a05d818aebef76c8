//! The tests of real programs, on as many desktops as there is room for.
//!
//! A desktop has one pointer and one foreground window, so one test at a time runs on it. Most of a test is
//! waiting for a program: two desktops have room on two processors. Each test program goes as a whole to the
//! desktop that is free; its output is printed when it has ended.

use std::collections::VecDeque;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use harness::{Desktop, folders};
use serde_json::Value;

use crate::cargo;

/// How many desktops; on Windows there is only the user's own.
const DESKTOPS: usize = if cfg!(windows) { 1 } else { 2 };

/// A compiled test program.
struct Tests {
    /// As its file is called below `tests/tests`.
    name: String,
    program: String,
}

/// Runs every test of the package whose name contains the filter, or that is in the program of this name, all
/// of them to their end. How many there were; an error names the programs that failed.
pub(crate) fn run(filter: Option<&str>, options: &[&str]) -> Result<usize> {
    let waiting = Mutex::new(compile()?);
    let (failed, ran) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let worker = || -> Result<()> {
            // Ends with this thread at the latest.
            let desktop = Desktop::start_private()?;
            // In a function of its own: the lock is not held while the tests run.
            let next = || lock(&waiting).pop_front();
            while let Some(tests) = next() {
                let filter = filter.filter(|filter| *filter != tests.name);
                let (number, is_passed) = tests.run(&desktop, filter, options)?;
                ran.fetch_add(number, Ordering::Relaxed);
                if !is_passed {
                    lock(&failed).push(tests.name);
                }
            }
            Ok(())
        };
        let workers: Vec<_> = (0..DESKTOPS).map(|_| scope.spawn(worker)).collect();
        let mut ends = workers.into_iter().map(|worker| worker.join());
        ends.try_for_each(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    ensure!(failed.is_empty(), "tests failed in {}", failed.join(", "));
    Ok(ran.into_inner())
}

/// Compiles the test programs.
fn compile() -> Result<VecDeque<Tests>> {
    let args =
        ["test", "--package", "dashcam-tests", "--no-run", "--message-format", "json-render-diagnostics"];
    let output = cargo::command(&args).stderr(Stdio::inherit()).output().context("cannot run cargo")?;
    ensure!(output.status.success(), "the end-to-end tests cannot be compiled");
    let told = String::from_utf8_lossy(&output.stdout);
    let tests: VecDeque<Tests> = told.lines().filter_map(Tests::of_message).collect();
    if tests.is_empty() {
        bail!("cargo told of no test program");
    }
    Ok(tests)
}

impl Tests {
    /// What a line of cargo's messages tells of, if it is a test program.
    fn of_message(line: &str) -> Option<Self> {
        let message: Value = serde_json::from_str(line).ok()?;
        let is_test = message["profile"]["test"].as_bool()?;
        let (name, program) = (message["target"]["name"].as_str()?, message["executable"].as_str()?);
        is_test.then(|| Self { name: name.to_owned(), program: program.to_owned() })
    }

    /// How many there were, and whether all passed.
    fn run(&self, desktop: &Desktop, filter: Option<&str>, options: &[&str]) -> Result<(usize, bool)> {
        let start = Instant::now();
        let mut command = Command::new(&self.program);
        command.args(filter).arg("--test-threads=1").args(options);
        command.current_dir(folders::workspace().join("tests")).envs(desktop.environment());
        // Into a file: under Wine, background processes keep a pipe open.
        let place = folders::target().join("e2e").join(format!("{}.txt", self.name));
        std::fs::create_dir_all(folders::target().join("e2e"))?;
        let file = std::fs::File::create(&place)?;
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
        let status = command.status().with_context(|| format!("cannot run {}", self.program))?;
        let said = String::from_utf8_lossy(&std::fs::read(&place)?).into_owned();
        let number = number_of_tests(&said);
        if !status.success() || number > 0 {
            println!("     Running {} ({:.0} s)\n{said}", self.name, start.elapsed().as_secs_f64());
        }
        Ok((number, status.success()))
    }
}

/// How many tests a program says it runs.
fn number_of_tests(said: &str) -> usize {
    let number = |line: &str| line.strip_prefix("running ")?.split(' ').next()?.parse::<usize>().ok();
    said.lines().filter_map(number).sum()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{Tests, number_of_tests};

    #[test]
    fn tests_that_run_are_counted() {
        assert_eq!(number_of_tests("\nrunning 0 tests\n\ntest result: ok. 0 passed"), 0);
        assert_eq!(number_of_tests("\nrunning 1 test\ntest a ... ok\n"), 1);
        assert_eq!(number_of_tests("\nrunning 48 tests\ntest running ... ok\n"), 48);
        assert_eq!(number_of_tests("wine: no such file"), 0);
    }

    #[test]
    fn only_compiled_tests_are_run() {
        let name = |line: &str| Tests::of_message(line).map(|tests| tests.name);
        let test = r#"{"reason":"compiler-artifact","target":{"name":"abi"},"profile":{"test":true},"executable":"/t/abi-1"}"#;
        assert_eq!(name(test).as_deref(), Some("abi"));
        assert_eq!(name(&test.replace("\"test\":true", "\"test\":false")), None);
        assert_eq!(name(&test.replace("\"/t/abi-1\"", "null")), None);
        assert_eq!(name(r#"{"reason":"build-finished","success":true}"#), None);
        assert_eq!(name("no message"), None);
    }
}
