//! The window that has the focus, and its text after the user has typed.
//!
//! Text comes from keys, the clipboard, an input method, auto-completion. Therefore the recorder writes the
//! whole text of an edit when it loses the focus, or before the next step that is not typing.

use crate::shared::controls::{QueryableControl, is_edit};
use crate::shared::privacy::{self, MaskRules, Privacy};
use crate::system::window::Window;
use message_log::{Key, Payload};
use win32_vocabulary::messages::{WM_GETTEXT, WM_GETTEXTLENGTH};
use win32_vocabulary::styles::ES_READONLY;

/// The window that receives the keys, as far as the callback knows.
pub(crate) struct FocusedEdit {
    hwnd: usize,
    is_edit: bool,
    typed: bool,
}

impl FocusedEdit {
    pub(crate) const fn new() -> Self {
        Self { hwnd: 0, is_edit: false, typed: false }
    }

    /// A window has or gets the focus.
    #[inline]
    pub(crate) fn set_focus(&mut self, hwnd: usize, masks: &MaskRules) {
        if hwnd != self.hwnd {
            self.change(hwnd, masks);
        }
    }

    #[cold]
    fn change(&mut self, hwnd: usize, masks: &MaskRules) {
        privacy::check(hwnd, masks);
        let is_edit = is_edit(Window(hwnd));
        *self = Self { hwnd, is_edit, typed: false };
    }

    /// The user may have changed the text of a window.
    #[inline]
    pub(crate) fn mark_typed(&mut self, hwnd: usize) {
        if hwnd == self.hwnd && self.is_edit && !self.typed {
            // A read-only edit does not change: a licence, a report.
            self.typed = Window(hwnd).style() & ES_READONLY == 0;
        }
    }

    /// Whether the user has typed into it since its text was recorded last.
    #[inline]
    pub(crate) fn has_typed_text(&self) -> bool {
        self.typed
    }

    /// Whether this is the window.
    pub(crate) fn is_window(&self, hwnd: usize) -> bool {
        self.hwnd == hwnd
    }

    /// Writes the text of the edit.
    #[cold]
    pub(crate) fn write_result(&mut self, payload: &mut Payload<'_>, code_page: u16, text: &mut [u16]) {
        self.typed = false;
        let Some(edit) = QueryableControl::of(self.hwnd) else { return };
        let privacy = privacy::privacy_of(self.hwnd);
        if privacy == Privacy::Secret {
            return;
        }
        payload.number(Key::ResultWindow, self.hwnd as u64);
        let len = usize::try_from(edit.query(WM_GETTEXTLENGTH, 0, 0)).unwrap_or(0);
        if len >= text.len() {
            return payload.number(Key::ResultLength, len as u64);
        }
        let len = edit.query_text(WM_GETTEXT, text.len(), text);
        if edit.wide {
            let text = &mut text[..len];
            if privacy == Privacy::Redacted {
                text.iter_mut().for_each(|unit| *unit = privacy::redact_unit(*unit));
                payload.flag(Key::WindowMasked, true);
            }
            return payload.wide(Key::ResultText, text);
        }
        let mut bytes = [0; 4096];
        let len = len.min(bytes.len());
        for (byte, i) in bytes.iter_mut().zip(0..len) {
            *byte = text[i / 2].to_le_bytes()[i % 2];
        }
        if privacy == Privacy::Redacted {
            privacy::redact_text(&mut bytes[..len], false);
            payload.flag(Key::WindowMasked, true);
        }
        payload.ansi(Key::ResultText, code_page, &bytes[..len]);
    }
}
