//! What the agent's hook and the agent's windows do with each message.

use crate::gui_thread::own_windows::{self, WM_JOB, WM_RELEASE_KEY, WM_RESTORE_KEYS, WM_TURN_KEY};
use crate::gui_thread::{jobs, keyboard, pointer_input};
use crate::win32::hooks::{MessageHook, OnMessage};
use crate::win32::own_window::{CARRY, OwnMessages, WAKE};
use windows::Win32::UI::WindowsAndMessaging::{MSG, WM_NULL};

/// Hooks the messages of a thread: to create the agent's window there, to unpack what carriers carry, to see
/// what becomes of the pointer's input. Hooked messages are slow, so no hook stays longer than it must.
pub(crate) fn hook(thread: u32) -> MessageHook {
    MessageHook::set::<Dispatch>(thread)
}

struct Dispatch;

impl OnMessage for Dispatch {
    fn on_message(message: &mut MSG, is_removed: bool) {
        if message.hwnd.is_invalid() && message.message == *WAKE {
            message.message = WM_NULL;
            own_windows::create::<Self>();
        }
        // A loop that looks at a message without taking it sees the message again.
        if is_removed {
            if message.message == *CARRY
                && let Some(probe) = own_windows::unpack(message)
            {
                own_windows::create::<Self>();
                own_windows::on_probe(probe);
            }
            pointer_input::note(message);
        }
    }
}

impl OwnMessages for Dispatch {
    fn handle(message: u32, wparam: usize, lparam: isize) -> bool {
        match message {
            WM_JOB => jobs::take(lparam),
            WM_RESTORE_KEYS => keyboard::restore(),
            WM_RELEASE_KEY => keyboard::release(),
            WM_TURN_KEY => keyboard::on_turn(wparam, lparam != 0),
            _ => return false,
        }
        true
    }
}
