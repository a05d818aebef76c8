//! What the program takes of the pointer while it is led: a press that nobody takes drags nothing.
//!
//! An input can be lost on its way. It goes to whatever window lies there when it is taken, and Wine drops a
//! press whose window it cannot make the active one. So the messages of the thread are looked at by a hook,
//! for as long as a drag lasts.
//!
//! Under Wine a move comes twice: from us, and a moment later from the display, which was told where
//! its pointer has to be. Until that echo is there the echo of an older move may still come and take
//! the pointer back.

use crate::win32::{self, Hook};
use replay_link::Window;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use windows::Win32::Foundation::POINT;
use windows::Win32::UI::WindowsAndMessaging::MSG;

/// The left button and the pointer, as messages tell of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    Press,
    /// The second press of a double click.
    DoublePress,
    Move,
    Release,
}

/// One message of the pointer, as it was taken.
#[derive(Debug, Clone, Copy)]
struct Sight {
    what: Taken,
    window: Window,
    at: POINT,
    /// Whether it is an input of ours, not of the display.
    is_ours: bool,
}

/// While the pointer is led: what was taken.
static TAKEN: Mutex<Option<Vec<Sight>>> = Mutex::new(None);
static MORE: Condvar = Condvar::new();

fn taken() -> MutexGuard<'static, Option<Vec<Sight>>> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs on the hooked thread, when it takes a message.
pub(crate) fn note(message: &MSG) {
    let what = match message.message {
        // WM_NCLBUTTONDOWN, WM_LBUTTONDOWN
        0x00A1 | 0x0201 => Taken::Press,
        0x00A2 | 0x0202 => Taken::Release,
        0x00A3 | 0x0203 => Taken::DoublePress,
        0x00A0 | 0x0200 => Taken::Move,
        _ => return,
    };
    if let Some(all) = taken().as_mut() {
        let window = Window(message.hwnd.0.addr() as u64);
        all.push(Sight { what, window, at: message.pt, is_ours: win32::is_own_input() });
        MORE.notify_all();
    }
}

/// Looks at what a thread takes, until dropped.
pub(crate) struct Hand {
    _hook: Hook,
}

impl Hand {
    pub(crate) fn over(thread: u32) -> Self {
        *taken() = Some(Vec::new());
        Self { _hook: Hook::set(thread) }
    }

    /// From now on counts what is taken.
    pub(crate) fn forget(&self) {
        *taken() = Some(Vec::new());
    }

    /// The next thing that is taken, of these, and by which window; none if it does not come in time.
    pub(crate) fn next(&self, wanted: &[Taken], patience: Duration) -> Option<(Taken, Window)> {
        wait(patience, |it| wanted.contains(&it.what)).map(|it| (it.what, it.window))
    }

    /// Whether the pointer's arrival at a place is taken in time, and nothing older can follow it.
    pub(crate) fn arrives(&self, at: POINT, patience: Duration) -> bool {
        let is_last = |it: &Sight| !it.is_ours || !win32::is_wine();
        wait(patience, |it| it.what == Taken::Move && is_near(it.at, at) && is_last(it)).is_some()
    }
}

/// The same place: parts of the screen are not always whole pixels.
pub(crate) fn is_near(a: POINT, b: POINT) -> bool {
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y)) <= 1
}

fn wait(patience: Duration, is_wanted: impl Fn(&Sight) -> bool) -> Option<Sight> {
    let find = |all: &Option<Vec<Sight>>| all.as_ref()?.iter().copied().find(|it| is_wanted(it));
    let (all, _) = MORE
        .wait_timeout_while(taken(), patience, |all| all.is_some() && find(all).is_none())
        .unwrap_or_else(PoisonError::into_inner);
    find(&all)
}

impl Drop for Hand {
    fn drop(&mut self) {
        *taken() = None;
    }
}
