//! Runs a Windows program on the project's desktop and passes its output and exit code on. Cargo uses this as
//! the runner for Windows tests.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use harness::Desktop;

use crate::progress::Progress;
use crate::setup;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// A path on this system or a name such as notepad
    program: String,
    /// Passed to the program unchanged
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

/// Returns the program's exit code, or 126 if it cannot be run.
pub(crate) fn run(options: &Options) -> ExitCode {
    match run_program(options) {
        Ok(code) => exit_code(code),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(126)
        }
    }
}

fn run_program(options: &Options) -> Result<Option<i32>> {
    setup::run(setup::Kit::Demo, &Progress::new("setup"))?;
    // Tests provide a private desktop; otherwise the kept desktop is used.
    let desktop = Desktop::provided().or_else(|_| Desktop::kept())?;
    let mut command = desktop.command(&options.program);
    command.args(&options.args);
    let cannot_run = || format!("cannot run {}", options.program);
    if cfg!(windows) {
        return Ok(command.status().with_context(cannot_run)?.code());
    }
    // Files instead of pipes: a background process that inherits a pipe would keep its reader waiting.
    let (stdout, stderr) = (Relay::new("out")?, Relay::new("err")?);
    let mut child =
        command.stdout(stdout.writer()?).stderr(stderr.writer()?).spawn().with_context(cannot_run)?;
    let exited = AtomicBool::new(false);
    let status = std::thread::scope(|scope| {
        scope.spawn(|| stdout.pass_on(std::io::stdout(), &exited));
        scope.spawn(|| stderr.pass_on(std::io::stderr(), &exited));
        let status = child.wait();
        exited.store(true, Ordering::Release);
        status
    })?;
    Ok(status.code())
}

/// A file that a program writes and this process reads.
struct Relay {
    file: PathBuf,
    reader: File,
}

impl Relay {
    fn new(kind: &str) -> Result<Self> {
        let folder = harness::folders::target();
        let file = folder.join(format!("wine-{}.{kind}", std::process::id()));
        File::create(&file)?;
        let reader = File::open(&file)?;
        Ok(Relay { file, reader })
    }

    /// The end to write to. Unlinks the file, so that nothing remains even if this process is killed.
    fn writer(&self) -> Result<File> {
        let writer = File::options().append(true).open(&self.file)?;
        remove(&self.file);
        Ok(writer)
    }

    /// Copies what is written until the program has exited and everything is read.
    fn pass_on(&self, mut to: impl Write, exited: &AtomicBool) {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            // Checked before reading, so that the last output is read after the program has exited.
            let last = exited.load(Ordering::Acquire);
            match (&self.reader).read(&mut buffer) {
                Ok(0) | Err(_) if last => return,
                Ok(0) | Err(_) => std::thread::sleep(Duration::from_millis(5)),
                Ok(length) => {
                    // The reader may have closed its end; the program continues.
                    let _ = to.write_all(&buffer[..length]).and_then(|()| to.flush());
                }
            }
        }
    }
}

fn remove(file: &Path) {
    let _ = std::fs::remove_file(file);
}

/// A program exited by a signal has no exit code.
fn exit_code(code: Option<i32>) -> ExitCode {
    match code {
        Some(0) => ExitCode::SUCCESS,
        // Exit codes here have one byte; a failure must not become 0.
        Some(code) => ExitCode::from(u8::try_from(code & 0xff).ok().filter(|&code| code != 0).unwrap_or(1)),
        None => ExitCode::FAILURE,
    }
}
