//! A program on the desktop.
//!
//! The probe starts it, so that its process id and exit code are those that Windows programs see. Output goes
//! to files: nothing waits for a pipe that a background process keeps open.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::protocol::Start;
use crate::wait::wait_until;
use crate::{Probe, folders};

/// A program that was started. Clones mean the same program; it is ended when the last one is dropped.
#[derive(Debug, Clone)]
pub struct Program {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    name: String,
    pid: u32,
    stdout: PathBuf,
    stderr: PathBuf,
    probe: Arc<Probe>,
}

impl Program {
    /// Starts `program` (a path of this system, a Windows path or a name) in `folder`. Its output goes to
    /// `NAME.out` and `NAME.err` there, numbered if those exist.
    pub fn start(
        probe: &Arc<Probe>,
        folder: &Path,
        program: &str,
        args: &[&str],
        env: &[(&str, &str)],
    ) -> Result<Self> {
        let path = folders::for_windows(Path::new(program));
        let name = path.rsplit(['\\', '/']).next().unwrap_or(&path).trim_end_matches(".exe").to_owned();
        let (stdout, stderr) = free_output(folder, &name);
        let start = Start {
            program: path,
            args: args.iter().map(|&arg| arg.to_owned()).collect(),
            env: env.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect(),
            folder: folders::for_windows(folder),
            stdout: folders::for_windows(&stdout),
            stderr: folders::for_windows(&stderr),
        };
        let pid = probe.start_program(start)?;
        Ok(Program { inner: Arc::new(Inner { name, pid, stdout, stderr, probe: Arc::clone(probe) }) })
    }

    /// The process id as Windows programs see it.
    pub fn pid(&self) -> u32 {
        self.inner.pid
    }

    /// The exit code, none while it runs.
    pub fn exit_code(&self) -> Result<Option<i32>> {
        self.inner.probe.exit_code(self.inner.pid)
    }

    /// Waits until the program ends and returns its exit code.
    pub fn wait(&self, deadline: Duration) -> Result<i32> {
        wait_until(&format!("{} to end", self.inner.name), deadline, || self.exit_code())
    }

    /// What it has written to its standard output so far.
    pub fn stdout(&self) -> Result<String> {
        read(&self.inner.stdout)
    }

    /// What it has written to its standard error so far.
    pub fn stderr(&self) -> Result<String> {
        read(&self.inner.stderr)
    }

    /// Ends it as the task manager would. Does nothing if it has ended.
    pub fn end(&self) -> Result<()> {
        self.inner.probe.end_program(self.inner.pid)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // Fails only if the probe is gone; the desktop's end then ends the program too.
        let _ = self.probe.end_program(self.pid);
    }
}

fn free_output(folder: &Path, name: &str) -> (PathBuf, PathBuf) {
    let mut number = 1;
    loop {
        let suffix = if number == 1 { String::new() } else { format!("-{number}") };
        let file = |kind: &str| folder.join(format!("{name}{suffix}.{kind}"));
        if !file("out").exists() {
            return (file("out"), file("err"));
        }
        number += 1;
    }
}

fn read(file: &Path) -> Result<String> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
