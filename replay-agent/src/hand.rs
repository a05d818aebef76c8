//! What the program takes of the pointer while something is dragged: a press that nobody takes drags nothing.
//!
//! An input can be lost on its way. It goes to whatever window lies there when it is taken, and Wine drops a press whose window it cannot make
//! the active one. So the messages of the thread are looked at by a hook, for as long as a drag lasts.

use crate::win32::Hook;
use replay_link::Window;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The left button and the pointer, as messages tell of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    Press,
    /// The second press of a double click.
    DoublePress,
    Move,
    Release,
}

/// While a drag lasts: what was taken, and by which window.
static TAKEN: Mutex<Option<Vec<(Taken, Window)>>> = Mutex::new(None);
static MORE: Condvar = Condvar::new();

fn taken() -> MutexGuard<'static, Option<Vec<(Taken, Window)>>> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs on the hooked thread, when it takes a message.
pub(crate) fn note(message: u32, window: Window) {
    let what = match message {
        // WM_NCLBUTTONDOWN, WM_LBUTTONDOWN
        0x00A1 | 0x0201 => Taken::Press,
        0x00A2 | 0x0202 => Taken::Release,
        0x00A3 | 0x0203 => Taken::DoublePress,
        0x00A0 | 0x0200 => Taken::Move,
        _ => return,
    };
    if let Some(all) = taken().as_mut() {
        all.push((what, window));
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
        let find = |all: &Option<Vec<(Taken, Window)>>| {
            all.as_ref().and_then(|all| all.iter().copied().find(|(what, _)| wanted.contains(what)))
        };
        let (all, _) = MORE
            .wait_timeout_while(taken(), patience, |all| all.is_some() && find(all).is_none())
            .unwrap_or_else(PoisonError::into_inner);
        find(&all)
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        *taken() = None;
    }
}
