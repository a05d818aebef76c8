//! The agent's window on each GUI thread, and how messages reach it.
//!
//! What is posted to that window is dispatched by whatever loop runs: the application's own, a dialog's, a
//! menu's, a size loop's. A loop that takes messages of its own window only (GetMessage with a window) never
//! takes the agent's. On such a thread messages to the loop's window carry the agent's, and a hook turns them
//! into it when the loop takes them.

use crate::win32::messages::post;
use crate::win32::own_window::{self, CARRY, OwnMessages};
use crate::win32::process::thread_id;
use replay_link::Window;
use std::sync::{Mutex, MutexGuard, PoisonError};
use windows::Win32::Foundation::WPARAM;
use windows::Win32::UI::WindowsAndMessaging::{MSG, WM_APP, WM_NULL};

/// Does a job.
pub(crate) const WM_JOB: u32 = WM_APP + 1;
/// Restores the keyboard state.
pub(crate) const WM_RESTORE_KEYS: u32 = WM_APP + 2;
/// Releases a key.
pub(crate) const WM_RELEASE_KEY: u32 = WM_APP + 3;
/// Turns a key down or up.
pub(crate) const WM_TURN_KEY: u32 = WM_APP + 4;

/// Threads and the agent's window on each.
static WINDOWS: Mutex<Vec<(u32, u64)>> = Mutex::new(Vec::new());
/// Threads whose loops take messages of one window only, and that window.
static CARRIERS: Mutex<Vec<(u32, u64)>> = Mutex::new(Vec::new());
/// The last probe that each thread took.
static PROBES: Mutex<Vec<(u32, isize)>> = Mutex::new(Vec::new());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn set<T>(mutex: &Mutex<Vec<(u32, T)>>, thread: u32, value: T) {
    let mut all = lock(mutex);
    all.retain(|(of, _)| *of != thread);
    all.push((thread, value));
}

/// The agent's window on a thread, if it has one.
pub(crate) fn of(thread: u32) -> Option<Window> {
    lock(&WINDOWS).iter().find(|(of, _)| *of == thread).map(|(_, window)| Window(*window))
}

/// Creates the agent's window on the calling thread, unless it has one.
pub(crate) fn create<H: OwnMessages>() {
    let thread = thread_id();
    let is_there = of(thread).is_some_and(|window| window.thread_and_process().0 == thread);
    if !is_there && let Some(window) = own_window::create::<H>() {
        set(&WINDOWS, thread, window.0);
    }
}

/// The window whose messages carry the agent's on a thread that would not take them otherwise.
pub(crate) fn carrier_of(thread: u32) -> Option<Window> {
    let carriers = lock(&CARRIERS);
    let carrier = carriers.iter().find(|(of, _)| *of == thread).map(|(_, window)| Window(*window))?;
    (carrier.thread_and_process().0 == thread).then_some(carrier)
}

pub(crate) fn set_carrier(thread: u32, carrier: Window) {
    set(&CARRIERS, thread, carrier.0);
}

/// Asks whether the thread of a window takes messages to it.
pub(crate) fn probe(window: Window, number: isize) {
    post(window, *CARRY, 0, number);
}

/// The calling thread took a probe.
pub(crate) fn on_probe(number: isize) {
    set(&PROBES, thread_id(), number);
}

/// Whether a thread took this probe last.
pub(crate) fn took_probe(thread: u32, number: isize) -> bool {
    lock(&PROBES).contains(&(thread, number))
}

/// Posts a message to one of the agent's windows.
pub(crate) fn post_to(own: Window, message: u32, wparam: usize, lparam: isize) -> bool {
    match carrier_of(own.thread_and_process().0) {
        Some(carrier) => post(carrier, *CARRY, message as usize | wparam << 16, lparam),
        None => post(own, message, wparam, lparam),
    }
}

/// Posts a message to the agent's window on the calling thread, behind the messages posted so far.
pub(crate) fn post_here(message: u32, wparam: usize, lparam: isize) {
    if let Some(own) = of(thread_id()) {
        post_to(own, message, wparam, lparam);
    }
}

/// Turns a carrying message into the one it carries, so that the loop that took it dispatches that one.
/// Returns the number of a probe, which carries nothing.
pub(crate) fn unpack(message: &mut MSG) -> Option<isize> {
    let number = (message.wParam.0 & 0xFFFF) as u32;
    match of(thread_id()).filter(|_| number != 0) {
        Some(own) => {
            message.hwnd = own.handle();
            message.wParam = WPARAM(message.wParam.0 >> 16);
            message.message = number;
            None
        }
        None => {
            message.message = WM_NULL;
            Some(message.lParam.0)
        }
    }
}

/// Dispatches what was posted to the agent's window on the calling thread before it was known that its loop
/// does not take it.
pub(crate) fn dispatch_untaken() {
    own_window::dispatch_own(of(thread_id()), WM_JOB, WM_TURN_KEY);
}
