//! Which commands and notifications windows get: what a step's command did, which no snapshot of
//! the windows shows.
//!
//! A watched window has the agent's procedure in front of its own, which is what Windows offers for looking
//! at one window's messages. A hook would see every message of the thread, each of which costs a tenth of a
//! millisecond under Wine.

use crate::win32::process::process_id;
use crate::win32::subclass::{Procedure, Watcher, is_in_front, put_in_front, take_out};
use replay_link::{Notice, Notices, Window};
use std::sync::{Mutex, PoisonError};

/// More kinds of notices than these say nothing more.
const MAX_NOTICES: usize = 4000;

#[derive(Default)]
struct State {
    windows: Vec<(Window, Procedure)>,
    /// The windows requested last.
    wanted: Vec<Window>,
    notices: Vec<Notice>,
}

static STATE: Mutex<State> =
    Mutex::new(State { windows: Vec::new(), wanted: Vec::new(), notices: Vec::new() });

fn with<T>(work: impl FnOnce(&mut State) -> T) -> T {
    work(&mut STATE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Watches these windows from now on. Windows watched before stay so: taking the agent's procedure out could
/// take others out with it.
pub(crate) fn watch(wanted: Vec<Window>) {
    with(|state| {
        state.notices.clear();
        state.windows.retain(|(window, _)| window.thread_and_process().0 != 0);
        for &window in &wanted {
            let is_own = window.thread_and_process().1 == process_id();
            if is_own && !state.windows.iter().any(|(known, _)| *known == window) {
                // The own procedure has to be known before the watching one is called.
                state.windows.push((window, Procedure::of(window)));
                if !put_in_front::<Watching>(window) {
                    state.windows.pop();
                }
            }
        }
        state.wanted = wanted;
    });
}

/// What they got since.
pub(crate) fn since_watch() -> Notices {
    with(|state| {
        let is_lost = |window: &&Window| {
            let is_known = state.windows.iter().any(|(known, _)| known == *window);
            let exists = window.thread_and_process().0 != 0;
            let is_silent = !state.notices.iter().any(|notice| notice.window == window.0);
            !is_known && exists || exists && is_silent && !is_in_front::<Watching>(**window)
        };
        let lost = state.wanted.iter().filter(is_lost).map(|window| window.0).collect();
        Notices { all: state.notices.clone(), lost }
    })
}

/// Gives every window its own procedure back, unless somebody else's stands before the agent's.
pub(crate) fn end() {
    let windows = with(|state| std::mem::take(&mut state.windows));
    for (window, procedure) in &windows {
        if !take_out::<Watching>(*window, *procedure) {
            // Windows still calls the agent's procedure, which has to know what it passes messages on to.
            with(|state| state.windows.push((*window, *procedure)));
        }
    }
}

struct Watching;

impl Watcher for Watching {
    fn on_notice(notice: Notice) {
        with(|state| {
            if state.notices.len() < MAX_NOTICES && !state.notices.contains(&notice) {
                state.notices.push(notice);
            }
        });
    }

    fn on_destroyed(window: Window) {
        with(|state| state.windows.retain(|(known, _)| *known != window));
    }

    fn own_procedure(window: Window) -> Option<Procedure> {
        with(|state| {
            state.windows.iter().find(|(known, _)| *known == window).map(|(_, procedure)| *procedure)
        })
    }
}
