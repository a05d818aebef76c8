//! Reports the first window of a thread to the recorder thread, and hooks a thread before it runs.
#![expect(unsafe_code, reason = "Windows calls the event procedure")]

use crate::callback::hook_procedures;
use crate::callback::thread_state::ThreadState;
use crate::recorder::command::{Command, PATIENCE, QueuedCommand};
use crate::shared::fault;
use crate::system::hooks;
use crate::system::thread_block;
use crate::system::threads;
use crate::system::window::Window;
use crossbeam_channel::{Sender, bounded};
use parking_lot::RwLock;
use std::panic::catch_unwind;
use std::sync::atomic::Ordering;
use windows::Win32::Foundation::HWND;
use windows::Win32::UI::Accessibility::HWINEVENTHOOK;
use windows::Win32::UI::WindowsAndMessaging::OBJID_WINDOW;

/// Where commands go. Read when a window is created on a thread that is not hooked or was hooked a moment
/// ago: by several threads at once.
static COMMANDS: RwLock<Option<Sender<QueuedCommand>>> = RwLock::new(None);

/// Starts to report.
pub(crate) fn connect(commands: Sender<QueuedCommand>) {
    *COMMANDS.write() = Some(commands);
}

/// Stops to report.
pub(crate) fn disconnect() {
    *COMMANDS.write() = None;
}

/// Runs on a thread before anything else, and waits until it is hooked.
pub(crate) extern "system" fn on_thread_start(_: usize) {
    let error = thread_block::last_error();
    let _ = catch_unwind(|| {
        let Some(thread) = threads::make_gui_thread() else { return };
        let commands = COMMANDS.read().clone();
        let (done, wait) = bounded(1);
        if commands.is_some_and(|commands| commands.try_send((None, Command::Hook(thread, done))).is_ok()) {
            let _ = wait.recv_timeout(PATIENCE);
            hooks::refresh_hook_cache(Some(hook_procedures::on_sent));
        }
    });
    thread_block::set_last_error(error);
}

/// The event procedure of [`CreationHook`](hooks::CreationHook), on the thread that creates a window.
pub(crate) unsafe extern "system" fn on_window_created(
    _: HWINEVENTHOOK,
    _: u32,
    window: HWND,
    object: i32,
    _: i32,
    _: u32,
    _: u32,
) {
    let error = thread_block::last_error();
    let is_window = object == OBJID_WINDOW.0;
    let _ = catch_unwind(|| {
        if is_window
            && let Some(command) = command_for(Window(window.0.addr()))
            && let Some(commands) = COMMANDS.try_read()
            && let Some(commands) = commands.as_ref()
        {
            fault::point("birth");
            // Does not wait: the recorder thread looks for new threads regularly anyway.
            let _ = commands.try_send((None, command));
        }
    });
    thread_block::set_last_error(error);
}

/// What the recorder thread must do about a new window. A thread may be hooked while it creates its first
/// top-level window: too late for WM_CREATE, and too early to find the window.
fn command_for(window: Window) -> Option<Command> {
    let Some(state) = ThreadState::current() else { return Some(Command::NewThread) };
    let is_unseen = state.is_new.load(Ordering::Relaxed)
        && state.created.load(Ordering::Relaxed) != window.0
        && window.parent().is_none();
    is_unseen.then(|| Command::UnseenCreation(state.id()))
}
