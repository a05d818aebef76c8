//! How the recorder's thread learns of a thread's first window.
#![expect(unsafe_code, reason = "called by the system")]

use crate::callback::hook_procedures;
use crate::callback::thread_state::ThreadState;
use crate::recorder::command::{Command, PATIENCE, QueuedCommand};
use crate::shared::fault;
use crate::system::win32::{self, Window};
use crossbeam_channel::{Sender, bounded};
use parking_lot::RwLock;
use std::panic::catch_unwind;
use std::sync::atomic::Ordering;
use windows::Win32::Foundation::HWND;
use windows::Win32::UI::Accessibility::HWINEVENTHOOK;

/// Taken only at the birth of a window on a thread that is not hooked: once per thread. Read by threads in
/// whose midst a window is born: several at once, and none keeps another's news from being told.
static COMMANDS: RwLock<Option<Sender<QueuedCommand>>> = RwLock::new(None);

pub(crate) fn tell(commands: Sender<QueuedCommand>) {
    *COMMANDS.write() = Some(commands);
}

pub(crate) fn forget() {
    *COMMANDS.write() = None;
}

/// A thread begins, and is hooked before it does anything of its own.
pub(crate) extern "system" fn on_begin(_: usize) {
    let error = win32::last_error();
    let _ = catch_unwind(|| {
        let Some(thread) = win32::make_gui_thread() else { return };
        let commands = COMMANDS.read().clone();
        let (done, wait) = bounded(1);
        if commands.is_some_and(|commands| commands.try_send((None, Command::Hook(thread, done))).is_ok()) {
            let _ = wait.recv_timeout(PATIENCE);
            win32::refresh_hook_cache(Some(hook_procedures::on_sent));
        }
    });
    win32::set_last_error(error);
}

pub(crate) unsafe extern "system" fn on_window_created(
    _: HWINEVENTHOOK,
    _: u32,
    window: HWND,
    object: i32,
    _: i32,
    _: u32,
    _: u32,
) {
    let error = win32::last_error();
    let is_window = object == 0;
    let _ = catch_unwind(|| {
        if is_window
            && let Some(command) = command_for(Window(window.0.addr()))
            && let Some(commands) = COMMANDS.try_read()
            && let Some(commands) = commands.as_ref()
        {
            fault::point("birth");
            // Never waits; threads are looked for now and then anyway.
            let _ = commands.try_send((None, command));
        }
    });
    win32::set_last_error(error);
}

/// What the recorder's thread should know of a birth. A thread may be hooked in the midst of its first
/// top-level window's birth: too late for WM_CREATE, and too early to find the window.
fn command_for(window: Window) -> Option<Command> {
    let Some(state) = ThreadState::current() else { return Some(Command::NewThread) };
    let is_unseen = state.is_new.load(Ordering::Relaxed)
        && state.created.load(Ordering::Relaxed) != window.0
        && window.parent().is_none();
    is_unseen.then(|| Command::UnseenCreation(state.id()))
}
