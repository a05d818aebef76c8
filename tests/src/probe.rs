//! The harness's side of the probe: a small Windows program that looks at the desktop from within.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::de::DeserializeOwned;

use crate::protocol::{Action, Reply, Request, Start, Window};
use crate::wait::wait_until;
use crate::{Desktop, folders};

/// A running probe. Dropping it ends the process and the programs it started.
#[derive(Debug)]
pub struct Probe {
    connection: Mutex<Connection>,
}

#[derive(Debug)]
struct Connection {
    process: Child,
    /// Closed when the probe shall end.
    requests: Option<ChildStdin>,
    replies: Receiver<String>,
}

/// No answer takes as long, even on a busy machine: a hung control is given up by the probe itself after 5 s.
const ANSWER: Duration = Duration::from_secs(60);

impl Probe {
    /// Starts a probe on `desktop`; its standard error goes to a file in `folder`.
    pub fn start(desktop: &Desktop, folder: &Path) -> Result<Self> {
        let program = folders::probe();
        ensure!(program.exists(), "{} is missing: run `cargo xtask build`", program.display());
        let mut process = desktop
            .command(&program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(folder.join("probe.err"))?)
            .spawn()
            .context("the probe cannot be started")?;
        let requests = process.stdin.take();
        let output = process.stdout.take().context("the probe has no output")?;
        let (sender, replies) = channel();
        // Not joined: the pipe may stay open in a Wine background process after the probe has ended.
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Probe { connection: Mutex::new(Connection { process, requests, replies }) })
    }

    /// All top-level windows, topmost first.
    pub fn windows(&self) -> Result<Vec<Window>> {
        self.ask(&Request::Windows)
    }

    /// All descendants of a window.
    pub fn children(&self, window: &Window) -> Result<Vec<Window>> {
        self.ask(&Request::Children { hwnd: window.hwnd })
    }

    /// The text that a window or control itself gives.
    pub fn text(&self, window: &Window) -> Result<String> {
        self.ask(&Request::Text { hwnd: window.hwnd })
    }

    /// The handle of the foreground window, 0 if there is none.
    pub fn foreground(&self) -> Result<u64> {
        self.ask(&Request::Foreground)
    }

    /// Starts a program and returns its process id.
    pub(crate) fn start_program(&self, start: Start) -> Result<u32> {
        self.ask(&Request::Start(start))
    }

    /// The exit code of a program it started, none while it runs.
    pub(crate) fn exit_code(&self, pid: u32) -> Result<Option<i32>> {
        self.ask(&Request::ExitCode { pid })
    }

    /// Ends a program it started.
    pub fn end_program(&self, pid: u32) -> Result<()> {
        self.ask(&Request::End { pid })
    }

    /// Releases every modifier key that the system believes to be held.
    pub fn release_modifiers(&self) -> Result<()> {
        self.ask(&Request::ReleaseModifiers)
    }

    /// Real input through SendInput.
    pub(crate) fn input(&self, actions: Vec<Action>) -> Result<()> {
        self.ask(&Request::Input { actions })
    }

    fn ask<T: DeserializeOwned>(&self, request: &Request) -> Result<T> {
        // A panic while asking leaves the connection as it was: a later request may still work.
        let mut connection = self.connection.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let line = connection.exchange(request).with_context(|| format!("asking the probe {request:?}"))?;
        match serde_json::from_str(&line)? {
            Reply::Ok(value) => Ok(serde_json::from_value(value)?),
            Reply::Error(error) => Err(anyhow!(error)),
        }
    }
}

impl Connection {
    fn exchange(&mut self, request: &Request) -> Result<String> {
        let mut line = serde_json::to_string(request)?;
        line.push('\n');
        self.requests.as_mut().context("the probe was told to end")?.write_all(line.as_bytes())?;
        match self.replies.recv_timeout(ANSWER) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Disconnected) => bail!("the probe ended ({:?})", self.process.try_wait()),
            Err(RecvTimeoutError::Timeout) => {
                // Its answer would be taken for that of the next question.
                self.requests = None;
                bail!("no answer within {ANSWER:?}")
            }
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.requests = None;
        let ended = wait_until("the probe to end", Duration::from_secs(2), || Ok(self.process.try_wait()?));
        if ended.is_err() {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}
