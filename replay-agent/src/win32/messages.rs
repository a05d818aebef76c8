//! Messages to windows.
#![expect(unsafe_code, reason = "foreign calls")]

use replay_link::Window;
use windows::Win32::Foundation::{LPARAM, WPARAM};
use windows::Win32::UI::WindowsAndMessaging::{GetMessageExtraInfo, PostMessageW, SendMessageW};

/// Sends a message to a window of the calling thread.
pub(crate) fn send(window: Window, message: u32, wparam: usize, lparam: isize) -> isize {
    // SAFETY: the callers pass what the message's documentation asks for. A window that is gone returns 0.
    unsafe { SendMessageW(window.handle(), message, Some(WPARAM(wparam)), Some(LPARAM(lparam))) }.0
}

/// The same with a structure.
pub(crate) fn send_with<T>(window: Window, message: u32, wparam: usize, structure: &mut T) -> isize {
    send(window, message, wparam, std::ptr::from_mut(structure).expose_provenance().cast_signed())
}

/// The same with a text.
pub(crate) fn send_text(window: Window, message: u32, wparam: usize, text: &str) -> isize {
    let text: Vec<u16> = text.encode_utf16().chain([0]).collect();
    send(window, message, wparam, text.as_ptr().expose_provenance().cast_signed())
}

pub(crate) fn post(window: Window, message: u32, wparam: usize, lparam: isize) -> bool {
    // SAFETY: only messages without pointers are posted, and jobs to the agent's own windows.
    unsafe { PostMessageW(Some(window.handle()), message, WPARAM(wparam), LPARAM(lparam)) }.is_ok()
}

/// What the input behind the message that the calling thread has just taken carries along.
pub(crate) fn extra_info() -> usize {
    // SAFETY: GetMessageExtraInfo has no preconditions.
    unsafe { GetMessageExtraInfo() }.0.cast_unsigned()
}
