//! Which commands and notifications windows get: what a step's command came to, which no picture of
//! the windows shows.
//!
//! A watched window has our procedure in front of its own, which is what Windows offers for looking at one
//! window's messages. A hook would see every message of the thread, and each of those costs a tenth of a
//! millisecond under Wine.

use crate::win32::{self, Procedure};
use replay_link::{Notice, Notices, Window};
use std::sync::{Mutex, PoisonError};

/// More kinds of notices than these say nothing more.
const MOST: usize = 4000;

#[derive(Default)]
struct Watched {
    windows: Vec<(Window, Procedure)>,
    /// Those asked for last.
    wanted: Vec<Window>,
    notices: Vec<Notice>,
}

static WATCHED: Mutex<Watched> =
    Mutex::new(Watched { windows: Vec::new(), wanted: Vec::new(), notices: Vec::new() });

fn with<T>(work: impl FnOnce(&mut Watched) -> T) -> T {
    work(&mut WATCHED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Watches these windows from now on. Those watched before stay so: taking our procedure out could take
/// others out with it.
pub(crate) fn begin(wanted: Vec<Window>) {
    with(|it| {
        it.notices.clear();
        it.windows.retain(|(window, _)| window.thread_and_process().0 != 0);
        for &window in &wanted {
            let is_own = window.thread_and_process().1 == win32::process_id();
            if is_own && !it.windows.iter().any(|(known, _)| *known == window) {
                // Known before it is called.
                it.windows.push((window, Procedure::of(window)));
                if !win32::put_in_front(window) {
                    it.windows.pop();
                }
            }
        }
        it.wanted = wanted;
    });
}

/// What they got since.
pub(crate) fn noted() -> Notices {
    with(|it| {
        let is_lost = |window: &&Window| {
            let is_known = it.windows.iter().any(|(known, _)| known == *window);
            let is_there = window.thread_and_process().0 != 0;
            let is_silent = !it.notices.iter().any(|notice| notice.window == window.0);
            !is_known && is_there || is_there && is_silent && !win32::is_in_front(**window)
        };
        let lost = it.wanted.iter().filter(is_lost).map(|window| window.0).collect();
        Notices { all: it.notices.clone(), lost }
    })
}

/// Gives every window its own procedure back, unless somebody came after us.
pub(crate) fn end() {
    let windows = with(|it| std::mem::take(&mut it.windows));
    for (window, procedure) in &windows {
        if !win32::take_out(*window, *procedure) {
            // Still called: what it passes on to must be known.
            with(|it| it.windows.push((*window, *procedure)));
        }
    }
}

/// Runs on the window's thread, before its own procedure.
pub(crate) fn note(notice: Notice) {
    with(|it| {
        if it.notices.len() < MOST && !it.notices.contains(&notice) {
            it.notices.push(notice);
        }
    });
}

/// The procedure a window had.
pub(crate) fn procedure_of(window: Window) -> Option<Procedure> {
    with(|it| it.windows.iter().find(|(known, _)| *known == window).map(|(_, procedure)| *procedure))
}

/// The window is gone.
pub(crate) fn forget(window: Window) {
    with(|it| it.windows.retain(|(known, _)| *known != window));
}
