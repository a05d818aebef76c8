//! An application under replay with `dashcam-agent.dll` inside.
//!
//! The replayer asks over shared memory and never waits without a deadline: a reply that does not come in
//! time counts as silence, and the application's end is noticed at once.

use crate::win32::{HiddenWindow, Output, Process};
use anyhow::{Context, ensure};
use message_log::Keyframe;
use replay_engine::driver::{Act, Answer, Driver, Notices, Question, State, Trouble};
use replay_link::{Channel, Outcome, Picture, Reply, Request, Side, decode};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long the agent's own thread may take, beyond what the application may.
const GRACE: Duration = Duration::from_secs(10);
/// A drag may have to wait until another replay gives the pointer back, and to press again.
const DRAG: Duration = Duration::from_secs(50);

/// How long a program is given until its first look for messages; after that its threads are
/// asked all the same.
const FIRST_LOOK: Duration = Duration::from_secs(5);

/// An application with the agent inside.
pub(crate) struct LiveDriver {
    process: Process,
    channel: Channel,
    /// The number of the last request.
    number: u32,
    /// Whether its reply never came.
    is_silent: bool,
    /// Whether the application has been idle for the first time.
    is_up: bool,
    /// What is to be known of the last act.
    remarks: Vec<String>,
    /// How long the application worked since that was asked last.
    worked: Duration,
}

impl LiveDriver {
    fn new(process: Process, channel: Channel, is_up: bool) -> Self {
        let (remarks, worked) = (Vec::new(), Duration::ZERO);
        Self { process, channel, number: 0, is_silent: false, is_up, remarks, worked }
    }

    /// Starts a program with the agent inside; `prepare` may bring more into it before it runs.
    pub(crate) fn start(
        command: &[String],
        prepare: impl FnOnce(&Process) -> anyhow::Result<()>,
    ) -> anyhow::Result<Self> {
        let process = Process::start_suspended(command, Output::OnErrors)?;
        let channel = prepare(&process).and_then(|()| insert(&process)).and_then(|channel| {
            process.resume()?;
            Ok(channel)
        });
        match channel {
            Ok(channel) => Ok(Self::new(process, channel, false)),
            Err(error) => {
                process.end();
                Err(error.context(format!("{} was not started", command[0])))
            }
        }
    }

    /// Brings the agent into a running program.
    pub(crate) fn attach(pid: u32) -> anyhow::Result<Self> {
        let process = Process::open(pid)?;
        let channel = insert(&process).with_context(|| format!("process {pid} cannot be driven"))?;
        Ok(Self::new(process, channel, true))
    }

    /// Its process.
    pub(crate) fn process(&self) -> &Process {
        &self.process
    }

    fn ask(&mut self, request: &Request, patience: Duration) -> Result<Reply, Trouble> {
        if self.is_silent {
            // The memory is the agent's until it has answered.
            self.reply(patience)?;
        }
        self.number = self.number.wrapping_add(1);
        if !self.channel.ask(self.number, request) {
            return Err(Trouble::Unable("the text is larger than four megabytes".into()));
        }
        self.reply(patience)
    }

    /// The reply to the last request; without one, what the reason is.
    fn reply(&mut self, patience: Duration) -> Result<Reply, Trouble> {
        let reply = self.channel.reply(self.number, self.process.as_signal(), patience);
        self.is_silent = reply.is_none();
        reply.ok_or_else(|| match self.process.exit_code() {
            Some(code) => Trouble::Ended(code),
            None => Trouble::Unable("the agent in the application does not answer".into()),
        })
    }
}

/// Loads the agent into a process and agrees with it on a channel.
fn insert(process: &Process) -> anyhow::Result<Channel> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    process.check_bitness()?;
    let dll = dll_path()?;
    let (own, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let name = format!("dashcam-{own}-{}-{count}", process.id());
    let channel = Channel::open(&name, Side::Replayer).context("no shared memory")?;
    process.load_library(&dll)?;
    let status = process.call(&dll, "dashcam_agent_start", &format!("{name} {own}"))?;
    ensure!(status == 0, "the agent did not start ({status})");
    Ok(channel)
}

fn dll_path() -> anyhow::Result<PathBuf> {
    let dll = std::env::current_exe()?.with_file_name("dashcam-agent.dll");
    ensure!(dll.is_file(), "{} is missing: it belongs beside dashcam.exe", dll.display());
    Ok(dll)
}

fn unexpected() -> Trouble {
    Trouble::Unable("the agent in the application is of another version".into())
}

impl Driver for LiveDriver {
    fn snapshot(&mut self) -> Result<Keyframe, Trouble> {
        match self.ask(&Request::Snapshot, GRACE)? {
            Reply::Windows(bytes) => decode(&bytes).map_err(|_| unexpected()),
            Reply::Trouble(trouble) => Err(trouble.into()),
            _ => Err(unexpected()),
        }
    }

    fn act(&mut self, window: u64, act: &Act) -> Result<(), Trouble> {
        let patience = if matches!(act, Act::DropAt { .. } | Act::Hover { .. }) { DRAG } else { GRACE };
        match self.ask(&Request::Act { window, act: act.clone() }, patience)? {
            Reply::Done { remarks } => {
                self.remarks = remarks;
                Ok(())
            }
            Reply::Trouble(trouble) => Err(trouble.into()),
            _ => Err(unexpected()),
        }
    }

    fn remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    fn watch(&mut self, windows: &[u64]) -> Result<(), Trouble> {
        match self.ask(&Request::Watch { windows: windows.into() }, GRACE)? {
            Reply::Done { .. } => Ok(()),
            Reply::Trouble(trouble) => Err(trouble.into()),
            _ => Err(unexpected()),
        }
    }

    fn notices(&mut self) -> Result<Notices, Trouble> {
        match self.ask(&Request::Notices, GRACE)? {
            Reply::Notices(notices) => Ok(notices),
            Reply::Trouble(trouble) => Err(trouble.into()),
            _ => Err(unexpected()),
        }
    }

    fn picture(&mut self, window: u64) -> Option<Picture> {
        match self.ask(&Request::Picture { window }, GRACE) {
            Ok(Reply::Picture(bytes)) => Picture::from_bytes(&bytes),
            _ => None,
        }
    }

    fn switch_away(&mut self, window: u64) -> Result<(), Trouble> {
        // Whoever is in front may say who is next: first the application, then we.
        let other = HiddenWindow::open().map_err(|error| Trouble::Unable(error.to_string()))?;
        self.act(window, &Act::Leave { to: other.show() })?;
        let is_in_front = other.comes_to_front(GRACE);
        self.settle(GRACE);
        other.give_way_to(window);
        is_in_front.then_some(()).ok_or_else(|| Trouble::Unable("no other program came to the front".into()))
    }

    fn settle(&mut self, patience: Duration) -> State {
        let deadline = Instant::now() + patience;
        if !self.is_up {
            // Before its first look for messages a program has threads and perhaps windows, but
            // nothing that is ready.
            self.is_up = self.process.wait_input_idle(patience.min(FIRST_LOOK));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        let patience_millis = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
        match self.ask(&Request::Settle { patience_millis }, left + GRACE) {
            Ok(Reply::Settled { outcome, worked_micros }) => {
                self.worked += Duration::from_micros(worked_micros);
                // A loop that never waits for messages, as games have, is never idle to the system,
                // but it takes them.
                self.is_up |= outcome == Outcome::Idle;
                match outcome {
                    Outcome::Idle => State::Idle,
                    Outcome::Hung => State::Hung,
                    Outcome::Busy => State::Busy,
                }
            }
            Err(Trouble::Ended(code)) => State::Ended(code),
            _ => State::Busy,
        }
    }

    fn worked(&mut self) -> Duration {
        std::mem::take(&mut self.worked)
    }

    fn ask(&mut self, window: u64, question: &Question) -> Result<Answer, Trouble> {
        match Self::ask(self, &Request::Ask { window, question: question.clone() }, GRACE)? {
            Reply::Answer(answer) => Ok(answer),
            Reply::Trouble(trouble) => Err(trouble.into()),
            _ => Err(unexpected()),
        }
    }
}
