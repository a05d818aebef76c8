//! A message as a hook delivers it.

use message_log::Hook;
use win32_vocabulary::input::{KF_ALTDOWN, KF_SHIFT};

/// A message as a hook delivers it.
pub(crate) struct ObservedMessage {
    pub(crate) hook: Hook,
    pub(crate) hwnd: usize,
    pub(crate) number: u32,
    pub(crate) wparam: usize,
    pub(crate) lparam: isize,
    pub(crate) time: u32,
}

impl ObservedMessage {
    /// lParam as a pointer of the host, which may lead anywhere.
    pub(crate) fn pointer<T>(&self) -> *const T {
        std::ptr::with_exposed_provenance(self.lparam.cast_unsigned())
    }

    /// The notification code of a WM_COMMAND.
    pub(crate) fn code(&self) -> i32 {
        (self.wparam >> 16 & 0xFFFF) as i32
    }

    /// The virtual key of a key message; the character of the others.
    pub(crate) fn key(&self) -> u32 {
        u32::try_from(self.wparam).unwrap_or(0)
    }

    /// Whether Alt is down, of a key message.
    pub(crate) fn is_alt_down(&self) -> bool {
        self.lparam & ((KF_ALTDOWN as isize) << KF_SHIFT) != 0
    }
}
