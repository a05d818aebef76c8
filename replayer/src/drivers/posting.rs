//! An application under replay with nothing inside: messages are posted to it, as the paper's prototype does.
//!
//! What needs a pointer, the state of the keyboard or a notification to a parent cannot be done this way and
//! is refused by name. Idle means: every GUI thread has answered more often than messages were posted to it,
//! and the windows stay as they are.

use crate::win32::{self, Output, Process};
use message_log::Keyframe;
use replay_engine::driver::{Act, Answer, Driver, Notices, PointerButton, Question, State, Trouble};
use replay_engine::needs_agent;
use replay_link::{Look, Window, WindowIds, snapshot, top_level_windows};
use std::time::{Duration, Instant};
use win32_vocabulary::commands::{
    SC_HSCROLL, SC_KEYMENU, SC_MASK, SC_MOUSEMENU, SC_MOVE, SC_SIZE, SC_VSCROLL,
};
use win32_vocabulary::input::{KF_REPEAT, KF_SHIFT, KF_UP};
use win32_vocabulary::messages::{
    BM_CLICK, WM_APPCOMMAND, WM_CHAR, WM_CLOSE, WM_COMMAND, WM_HOTKEY, WM_HSCROLL, WM_KEYDOWN, WM_KEYUP,
    WM_LBUTTONDOWN, WM_LBUTTONUP, WM_MBUTTONDOWN, WM_MOUSEMOVE, WM_RBUTTONDOWN, WM_SYSCOMMAND, WM_VSCROLL,
};
use win32_vocabulary::mouse::{MK_LBUTTON, MK_MBUTTON, MK_RBUTTON};

/// The lParam of `WM_KEYUP`: the key was down before, is released now, and counts once.
const RELEASED: u32 = (KF_UP | KF_REPEAT) << KF_SHIFT | 1;

/// After this long without an answer a thread counts as hung.
const HUNG: Duration = Duration::from_secs(5);

/// An application that messages are posted to.
pub(crate) struct PostingDriver {
    process: Process,
    ids: WindowIds,
    /// Messages since it was idle last.
    posted: usize,
    is_up: bool,
}

impl PostingDriver {
    /// Starts a program; `prepare` may bring something into it before it runs.
    pub(crate) fn start(
        command: &[String],
        prepare: impl FnOnce(&Process) -> anyhow::Result<()>,
    ) -> anyhow::Result<Self> {
        let process = Process::start_suspended(command, Output::OnErrors)?;
        if let Err(error) = prepare(&process).and_then(|()| process.resume()) {
            process.end();
            return Err(error.context(format!("{} was not started", command[0])));
        }
        Ok(Self { process, ids: WindowIds::default(), posted: 0, is_up: false })
    }

    /// A running program.
    pub(crate) fn attach(pid: u32) -> anyhow::Result<Self> {
        Ok(Self { process: Process::open(pid)?, ids: WindowIds::default(), posted: 0, is_up: true })
    }

    /// Its process.
    pub(crate) fn process(&self) -> &Process {
        &self.process
    }

    fn post(&mut self, window: Window, message: u32, wparam: usize, lparam: isize) -> Result<(), Trouble> {
        self.posted += 1;
        if win32::post(window, message, wparam, lparam) { Ok(()) } else { Err(Trouble::Gone) }
    }

    fn is_ended(&self) -> Result<(), Trouble> {
        self.process.exit_code().map_or(Ok(()), |code| Err(Trouble::Ended(code)))
    }
}

/// The low and the high half of a word.
fn pair(low: i32, high: i32) -> isize {
    (u32::from(low as u16) | u32::from(high as u16) << 16).cast_signed() as isize
}

fn unable(what: &str) -> Result<(), Trouble> {
    Err(Trouble::Unable(format!("{what} cannot be done by posting alone: replay without --no-agent")))
}

impl Driver for PostingDriver {
    fn snapshot(&mut self) -> Result<Keyframe, Trouble> {
        self.is_ended()?;
        Ok(snapshot(self.process.id(), &mut self.ids, Look::Afresh))
    }

    fn act(&mut self, window: u64, act: &Act) -> Result<(), Trouble> {
        self.is_ended()?;
        let window = Window(window);
        if window.thread_and_process().1 != self.process.id() {
            return Err(Trouble::Gone);
        }
        if !window.takes_input() {
            return Err(Trouble::Unavailable("disabled"));
        }
        if !window.is_shown() && !matches!(act, Act::Command { .. } | Act::HotKey { .. }) {
            return Err(Trouble::Unavailable("hidden"));
        }
        if let Some(what) = needs_agent(act) {
            return unable(what);
        }
        match act {
            Act::Command { id, accelerator, .. } => {
                let wparam = *id as usize & 0xFFFF | usize::from(*accelerator) << 16;
                self.post(window, WM_COMMAND, wparam, 0)
            }
            Act::SysCommand { code } => match code & SC_MASK {
                SC_SIZE | SC_MOVE | SC_VSCROLL | SC_HSCROLL | SC_MOUSEMENU | SC_KEYMENU => {
                    Err(Trouble::Unable(format!(
                        "the system command {code:#06x} starts a loop that wants a real pointer"
                    )))
                }
                code => self.post(window, WM_SYSCOMMAND, code as usize, 0),
            },
            Act::Close => self.post(window, WM_CLOSE, 0, 0),
            Act::Press => self.post(window, BM_CLICK, 0, 0),
            Act::Type { text } | Act::TypeKeys { text } => {
                // A line end is what the Enter key types.
                let units = text.encode_utf16().map(|unit| if unit == 10 { 13 } else { unit });
                units.into_iter().try_for_each(|unit| self.post(window, WM_CHAR, usize::from(unit), 1))
            }
            Act::HotKey { id, code } => self.post(window, WM_HOTKEY, *id as usize, pair(0, *code as i32)),
            Act::AppCommand { number } => {
                self.post(window, WM_APPCOMMAND, window.0 as usize, pair(0, *number as i32))
            }
            Act::Edit { message } => self.post(window, *message, 0, 0),
            Act::Key { code, .. } => {
                self.post(window, WM_KEYDOWN, *code as usize, 1)?;
                self.post(window, WM_KEYUP, *code as usize, RELEASED.cast_signed() as isize)
            }
            Act::Click { button, point, .. } => {
                let (down, bit) = match button {
                    PointerButton::Right => (WM_RBUTTONDOWN, MK_RBUTTON),
                    PointerButton::Middle => (WM_MBUTTONDOWN, MK_MBUTTON),
                    _ => (WM_LBUTTONDOWN, MK_LBUTTON),
                };
                self.post(window, down, bit as usize, pair(point.0, point.1))?;
                self.post(window, down + 1, 0, pair(point.0, point.1))
            }
            Act::Stroke { points } => {
                let (Some(first), Some(last)) = (points.first(), points.last()) else { return Ok(()) };
                self.post(window, WM_LBUTTONDOWN, MK_LBUTTON as usize, pair(first.0, first.1))?;
                for point in &points[1..] {
                    self.post(window, WM_MOUSEMOVE, MK_LBUTTON as usize, pair(point.0, point.1))?;
                }
                self.post(window, WM_LBUTTONUP, 0, pair(last.0, last.1))
            }
            Act::Scroll { vertical, request, .. } => {
                self.post(window, if *vertical { WM_VSCROLL } else { WM_HSCROLL }, *request as usize, 0)
            }
            _ => unable("this"),
        }
    }

    fn settle(&mut self, patience: Duration) -> State {
        let deadline = Instant::now() + patience;
        if !self.is_up {
            self.is_up = self.process.wait_input_idle(patience);
        }
        let mut before = None;
        let mut quiet = 0;
        // Each round lets a thread take at least one message.
        let rounds = std::mem::take(&mut self.posted) + 2;
        loop {
            if let Some(code) = self.process.exit_code() {
                return State::Ended(code);
            }
            let windows = top_level_windows(self.process.id());
            let mut threads: Vec<(u32, Window)> =
                windows.iter().map(|window| (window.thread_and_process().0, *window)).collect();
            threads.sort_by_key(|(thread, _)| *thread);
            threads.dedup_by_key(|(thread, _)| *thread);
            for (_, window) in &threads {
                let since = Instant::now();
                let left = deadline.saturating_duration_since(since).min(HUNG);
                if !win32::is_answering(*window, left) && window.thread_and_process().0 != 0 {
                    return if since.elapsed() >= HUNG { State::Hung } else { State::Busy };
                }
            }
            let now = Some(snapshot(self.process.id(), &mut self.ids, Look::Afresh));
            quiet = if now == before && !threads.is_empty() { quiet + 1 } else { 0 };
            before = now;
            if quiet >= rounds {
                return State::Idle;
            }
            if Instant::now() >= deadline {
                return State::Busy;
            }
        }
    }

    fn watch(&mut self, _: &[u64]) -> Result<(), Trouble> {
        Err(Trouble::Unable(
            "which commands windows get cannot be seen from outside: without the agent they are not verified"
                .into(),
        ))
    }

    fn notices(&mut self) -> Result<Notices, Trouble> {
        Ok(Notices::default())
    }

    fn ask(&mut self, window: u64, question: &Question) -> Result<Answer, Trouble> {
        self.is_ended()?;
        match question {
            Question::Text => win32::text_of(Window(window), HUNG).map(Answer::Text).ok_or(Trouble::Gone),
            Question::Checked => {
                win32::checked(Window(window), HUNG).map(Answer::Number).ok_or(Trouble::Gone)
            }
            Question::ClientSize => {
                let size = win32::client_size(Window(window));
                size.map(|(width, height)| Answer::Size(width, height)).ok_or(Trouble::Gone)
            }
            Question::Menu | Question::Focus | Question::Dpi => {
                Err(Trouble::Unable("menus and the focus cannot be asked from outside".into()))
            }
            Question::Selection | Question::Facts | Question::Items => Err(Trouble::Unable(
                "the items of a control cannot be asked from outside: replay without --no-agent".into(),
            )),
        }
    }
}
