//! The programs that the probe has started. They and their children die with the probe, so that a killed test
//! leaves nothing behind for the next one.

use std::collections::HashMap;
use std::fs::File;
use std::process::{Child, Command, Stdio};

use harness::protocol::Start;
use win32_vocabulary::exceptions::ERROR_INTERNAL_ERROR;

use crate::win32::Job;

#[derive(Debug, Default)]
pub(crate) struct Programs {
    children: HashMap<u32, (Child, Option<Job>)>,
}

impl Programs {
    pub(crate) fn start(&mut self, start: Start) -> Result<u32, String> {
        let output = |file: &str| File::create(file).map_err(|error| format!("cannot write {file}: {error}"));
        let mut command = Command::new(&start.program);
        command
            .args(start.args)
            .envs(start.env)
            .current_dir(start.folder)
            .stdin(Stdio::null())
            .stdout(output(&start.stdout)?)
            .stderr(output(&start.stderr)?);
        let child = command
            .spawn()
            // Once in thousands of starts under Wine, the new process exits before its program is loaded.
            .or_else(|error| match error.raw_os_error() {
                Some(code) if code.cast_unsigned() == ERROR_INTERNAL_ERROR => command.spawn(),
                _ => Err(error),
            })
            .map_err(|error| format!("cannot start {}: {error}", start.program))?;
        let pid = child.id();
        let job = Job::of(&child);
        self.children.insert(pid, (child, job));
        Ok(pid)
    }

    pub(crate) fn exit_code(&mut self, pid: u32) -> Result<Option<i32>, String> {
        let status = self.child(pid)?.0.try_wait().map_err(|error| error.to_string())?;
        Ok(status.and_then(|status| status.code()))
    }

    /// Kills the program and its children.
    pub(crate) fn end(&mut self, pid: u32) -> Result<(), String> {
        let (child, job) = self.child(pid)?;
        if let Some(job) = job {
            job.end();
        }
        if child.try_wait().map_err(|error| error.to_string())?.is_none() {
            child.kill().map_err(|error| error.to_string())?;
            child.wait().map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn child(&mut self, pid: u32) -> Result<&mut (Child, Option<Job>), String> {
        self.children.get_mut(&pid).ok_or_else(|| format!("process {pid} was not started here"))
    }
}

impl Drop for Programs {
    fn drop(&mut self) {
        for (child, job) in self.children.values_mut() {
            if let Some(job) = job {
                job.end();
            }
            // Fails only for a program that has exited.
            let _ = child.kill();
        }
    }
}
