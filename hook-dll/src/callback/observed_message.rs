//! A message as a hook delivers it.

use message_log::Hook;

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
    pub(crate) fn pointer<T>(&self) -> *const T {
        std::ptr::with_exposed_provenance(self.lparam.cast_unsigned())
    }

    /// The notification code of a WM_COMMAND.
    pub(crate) fn code(&self) -> usize {
        self.wparam >> 16 & 0xFFFF
    }
}
