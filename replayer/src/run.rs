//! `dashcam run` and `dashcam attach`: bring the recorder into a program that does not know it.
//!
//! A new program is started suspended, the recorder is loaded and started in it, and then the program runs as
//! if nothing had happened. A running one gets the recorder at once. Programs of the other bitness are handed
//! over (`bitness.rs`).

use crate::bitness;
use crate::output::say;
use crate::win32::{Output, Process};
use anyhow::{Context, bail, ensure};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What the recorder is told.
pub(crate) struct Recording {
    pub(crate) folder: Option<PathBuf>,
    pub(crate) retention: Option<u64>,
}

impl Recording {
    /// The recorder's settings as its entry for us takes them: lines of `name=value`. `thread` is one that
    /// has not begun yet, and will have windows.
    fn text(&self, thread: Option<u32>) -> anyhow::Result<String> {
        let mut lines = Vec::new();
        lines.extend(thread.map(|thread| format!("thread={thread}")));
        if let Some(folder) = &self.folder {
            let folder = std::path::absolute(folder).context("the folder of the log has no name")?;
            lines.push(format!("folder={}", folder.display()));
        }
        if let Some(retention) = self.retention {
            lines.push(format!("retention={retention}"));
        }
        Ok(lines.join("\n"))
    }
}

/// Starts a program with the recorder inside, and waits for its end; its exit code is ours.
pub(crate) fn run(recording: &Recording, command: &[String]) -> anyhow::Result<ExitCode> {
    if let Some(done) = bitness::hand_over_start(&command[0])? {
        return Ok(done);
    }
    let (program, process) = (&command[0], Process::start_suspended(command, Output::Shared)?);
    if let Err(error) = insert(&process, recording) {
        process.end();
        return Err(error.context(format!("{program} was not started")));
    }
    process.resume()?;
    let code = process.wait()?;
    // Unix takes eight bits of it; Windows all of them.
    std::process::exit(code.cast_signed());
}

/// Brings the recorder into a running program.
pub(crate) fn attach(
    recording: &Recording,
    pid: Option<u32>,
    class: Option<&str>,
) -> anyhow::Result<ExitCode> {
    let pid = match (pid, class) {
        (Some(pid), _) => pid,
        (None, Some(class)) => crate::win32::process_of_window(class)
            .with_context(|| format!("there is no window of class {class:?}"))?,
        (None, None) => bail!("name a process with --pid or a window's class with --window"),
    };
    let process = Process::open(pid)?;
    if let Some(done) = bitness::hand_over_running(&process)? {
        return Ok(done);
    }
    insert(&process, recording).with_context(|| format!("process {pid} is not recorded"))?;
    say(&format!("process {pid} is being recorded"))?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn insert(process: &Process, recording: &Recording) -> anyhow::Result<()> {
    process.check_bitness()?;
    let dll = dll_path()?;
    process.load_library(&dll)?;
    let status = process.call(&dll, "dashcam_start_remote", &recording.text(process.first_thread())?)?;
    ensure!(status == 0, "{}", crate::win32::status_text(&dll, status));
    Ok(())
}

fn dll_path() -> anyhow::Result<PathBuf> {
    let dll = std::env::current_exe()?.with_file_name("dashcam.dll");
    ensure!(Path::new(&dll).is_file(), "{} is missing: it belongs beside dashcam.exe", dll.display());
    Ok(dll)
}
