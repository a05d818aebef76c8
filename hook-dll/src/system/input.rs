//! What Windows knows of the user's input: keys, the pointer, dropped files, composed text.
#![expect(unsafe_code, reason = "calls Windows")]

use crate::system::guarded;
use crate::system::window::Window;
use windows::Win32::Foundation::HGLOBAL;
use windows::Win32::System::Memory::{GlobalLock, GlobalSize, GlobalUnlock};
use windows::Win32::UI::Input::Ime::{
    GCS_RESULTSTR, ImmGetCompositionStringW, ImmGetContext, ImmReleaseContext,
};
use windows::Win32::UI::Input::KeyboardAndMouse::GetKeyState;
use windows::Win32::UI::WindowsAndMessaging::GetMessagePos;

/// Where the pointer was on the screen when the thread's last message was posted.
pub(crate) fn message_position() -> (i32, i32) {
    // SAFETY: GetMessagePos has no preconditions.
    let position = unsafe { GetMessagePos() };
    (i32::from(position as i16), i32::from((position >> 16) as i16))
}

/// Whether a key is down, and whether a lock key is on.
pub(crate) fn key_state(key: u32) -> (bool, bool) {
    // SAFETY: GetKeyState has no preconditions.
    let state = unsafe { GetKeyState(key.cast_signed()) };
    (state < 0, state & 1 != 0)
}

/// Copies the file names of a WM_DROPFILES, as many as fit, each with its final zero. Returns the number of
/// bytes and whether the names are UTF-16.
pub(crate) fn dropped_files(drop: usize, out: &mut [u8]) -> Option<(usize, bool)> {
    const HEADER: usize = 20;
    let memory = HGLOBAL(std::ptr::without_provenance_mut(drop));
    // SAFETY: GlobalLock accepts any handle and returns NULL for an invalid one.
    let start = unsafe { GlobalLock(memory) }.cast::<u8>();
    if start.is_null() {
        return None;
    }
    // SAFETY: GlobalLock accepted the handle.
    let size = unsafe { GlobalSize(memory) };
    let mut header = [0; HEADER];
    let read = guarded::copy_into(start, &mut header);
    let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    // DROPFILES: offset of the names, a point, whether it is outside the client area, whether
    // names are UTF-16.
    let (names, wide) = (word(0) as usize, word(16) != 0);
    let len = size.saturating_sub(names).min(out.len());
    let copied = read && guarded::copy_into(start.wrapping_add(names), &mut out[..len]);
    // SAFETY: GlobalLock locked the handle above.
    let _ = unsafe { GlobalUnlock(memory) };
    copied.then_some((len, wide))
}

/// Copies the text that an input method composed for a window (GCS_RESULTSTR). Returns the number of bytes.
pub(crate) fn composed_text(window: Window, out: &mut [u8]) -> usize {
    // SAFETY: ImmGetContext accepts any handle and returns NULL without an input context.
    let context = unsafe { ImmGetContext(window.handle()) };
    if context.is_invalid() {
        return 0;
    }
    let room = u32::try_from(out.len()).unwrap_or(u32::MAX);
    // SAFETY: ImmGetCompositionStringW writes to the local buffer alone, whose length it gets.
    let len =
        unsafe { ImmGetCompositionStringW(context, GCS_RESULTSTR, Some(out.as_mut_ptr().cast()), room) };
    // SAFETY: ImmGetContext returned the context above, and it is released nowhere else.
    let _ = unsafe { ImmReleaseContext(window.handle(), context) };
    usize::try_from(len).unwrap_or(0).min(out.len())
}
