//! In which order windows are born. How they lie says little: Lazarus and tabbed dialogs lay each new one on
//! top of the others.
//!
//! The system tells of each birth on the thread that makes the window; nothing is done there but to
//! note the handle.

use crate::win32::BirthHook;
use replay_link::Window;
use std::sync::{Mutex, PoisonError};

/// More are not remembered between two looks.
const MOST: usize = 10_000;

static BORN: Mutex<Vec<Window>> = Mutex::new(Vec::new());

/// Notes births until it is dropped, on the thread that called this.
pub(crate) fn watch() -> Option<BirthHook> {
    BirthHook::new()
}

/// A window is born.
pub(crate) fn note(window: Window) {
    let mut born = BORN.lock().unwrap_or_else(PoisonError::into_inner);
    if born.len() < MOST {
        born.push(window);
    }
}

/// Those born since the last time, oldest first.
pub(crate) fn take() -> Vec<Window> {
    std::mem::take(&mut BORN.lock().unwrap_or_else(PoisonError::into_inner))
}
