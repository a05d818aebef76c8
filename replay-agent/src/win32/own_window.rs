//! The agent's message-only windows, and the messages between agent and GUI threads.
#![expect(unsafe_code, reason = "foreign calls")]

use crate::win32::hooks::instance;
use replay_link::Window;
use std::sync::LazyLock;
use windows::Win32::Foundation::{HINSTANCE, HWND, LPARAM, LRESULT, WPARAM};
use windows::Win32::UI::WindowsAndMessaging::{
    CreateWindowExW, DefWindowProcW, DispatchMessageW, GetQueueStatus, HWND_MESSAGE, MSG, PM_REMOVE,
    PeekMessageW, PostThreadMessageW, QS_ALLINPUT, QS_PAINT, QS_TIMER, RegisterClassW,
    RegisterWindowMessageW, WINDOW_EX_STYLE, WINDOW_STYLE, WNDCLASSW,
};
use windows::core::{PCWSTR, w};

const CLASS: PCWSTR = w!("DashcamAgent");

/// The message that makes a thread call the agent's hook.
// SAFETY: the name is a literal that ends in a zero.
pub(crate) static WAKE: LazyLock<u32> =
    LazyLock::new(|| unsafe { RegisterWindowMessageW(w!("DashcamAgentWake")) });

/// The message to a window of the application that carries one of the agent's.
// SAFETY: the name is a literal that ends in a zero.
pub(crate) static CARRY: LazyLock<u32> =
    LazyLock::new(|| unsafe { RegisterWindowMessageW(w!("DashcamAgentCarry")) });

/// What the agent's windows do with their messages.
pub(crate) trait OwnMessages {
    /// Whether the message is one of the agent's.
    fn handle(message: u32, wparam: usize, lparam: isize) -> bool;
}

/// Creates a message-only window on the calling thread. All of them handle their messages alike.
pub(crate) fn create<H: OwnMessages>() -> Option<Window> {
    let class = WNDCLASSW {
        lpfnWndProc: Some(procedure::<H>),
        hInstance: instance(),
        lpszClassName: CLASS,
        ..Default::default()
    };
    // SAFETY: the class is complete, and its procedure stays loaded: `instance` pins the module. A second
    // registration is refused, and changes nothing.
    unsafe { RegisterClassW(&raw const class) };
    let (style, more) = (WINDOW_STYLE(0), WINDOW_EX_STYLE(0));
    let (parent, module): (_, HINSTANCE) = (Some(HWND_MESSAGE), class.hInstance);
    // SAFETY: the class was registered above or before.
    let window =
        unsafe { CreateWindowExW(more, CLASS, CLASS, style, 0, 0, 0, 0, parent, None, Some(module), None) };
    window.ok().map(|window| Window(window.0.addr() as u64))
}

unsafe extern "system" fn procedure<H: OwnMessages>(
    window: HWND,
    message: u32,
    wparam: WPARAM,
    lparam: LPARAM,
) -> LRESULT {
    if H::handle(message, wparam.0, lparam.0) {
        return LRESULT(0);
    }
    // SAFETY: these are the arguments that Windows passed.
    unsafe { DefWindowProcW(window, message, wparam, lparam) }
}

/// Makes a thread look at its queue, so that Windows calls the agent's hook.
pub(crate) fn wake(thread: u32) {
    // SAFETY: the message carries no pointer. A thread that is gone gives an error.
    let _ = unsafe { PostThreadMessageW(thread, *WAKE, WPARAM(0), LPARAM(0)) };
}

/// Dispatches the messages from `first` to `last` that are in the calling thread's queue for its own window,
/// and wake messages.
pub(crate) fn dispatch_own(own: Option<Window>, first: u32, last: u32) {
    const OF_NO_WINDOW: HWND = HWND(std::ptr::without_provenance_mut(usize::MAX));
    let mut message = MSG::default();
    for (window, first, last) in [(own.map(Window::handle), first, last), (Some(OF_NO_WINDOW), *WAKE, *WAKE)]
    {
        let Some(window) = window else { continue };
        // SAFETY: `message` is a local.
        while unsafe { PeekMessageW(&raw mut message, Some(window), first, last, PM_REMOVE) }.as_bool() {
            // SAFETY: PeekMessageW has just filled the message in.
            unsafe { DispatchMessageW(&raw const message) };
        }
    }
}

/// What the queue of a thread holds; timers do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QueueState {
    Empty,
    Paint,
    Work,
}

/// What the queue of the calling thread holds.
pub(crate) fn queue_state() -> QueueState {
    // SAFETY: GetQueueStatus has no preconditions.
    let status = unsafe { GetQueueStatus(QS_ALLINPUT) } >> 16 & !QS_TIMER.0;
    match status {
        0 => QueueState::Empty,
        status if status == QS_PAINT.0 => QueueState::Paint,
        _ => QueueState::Work,
    }
}
