//! The window that has the keyboard, and what its text became.
//!
//! Text comes by keys, by the clipboard, by an input method, by auto-completion. So when an edit that was
//! typed into loses the focus, or before the next step that is not typing, its whole text is recorded.

use crate::shared::controls::{Control, Kind, kind_of_window};
use crate::shared::privacy::{self, MaskRules, Privacy};
use crate::system::win32::Window;
use message_log::{Key, Payload};

const WM_GETTEXT: u32 = 0x000D;
const WM_GETTEXTLENGTH: u32 = 0x000E;
const ES_READONLY: u32 = 0x0800;

/// The window that keys go to, as far as the callback knows.
pub(crate) struct FocusedEdit {
    hwnd: usize,
    is_edit: bool,
    typed: bool,
}

impl FocusedEdit {
    pub(crate) const fn new() -> Self {
        Self { hwnd: 0, is_edit: false, typed: false }
    }

    /// A window has or gets the keyboard.
    #[inline]
    pub(crate) fn set_focus(&mut self, hwnd: usize, masks: &MaskRules) {
        if hwnd != self.hwnd {
            self.change(hwnd, masks);
        }
    }

    #[cold]
    fn change(&mut self, hwnd: usize, masks: &MaskRules) {
        privacy::check(hwnd, masks);
        let is_edit = matches!(kind_of_window(Window(hwnd)), Kind::Edit | Kind::RichEdit);
        *self = Self { hwnd, is_edit, typed: false };
    }

    /// Its text may have changed by the user's doing.
    #[inline]
    pub(crate) fn mark_typed(&mut self, hwnd: usize) {
        if hwnd == self.hwnd && self.is_edit && !self.typed {
            // What cannot be written to is only looked at: a licence, a report.
            self.typed = Window(hwnd).style() & ES_READONLY == 0;
        }
    }

    /// Whether its text is due: it was typed into since the last time.
    #[inline]
    pub(crate) fn is_typed(&self) -> bool {
        self.typed
    }

    /// Whether this is the edit that was typed into.
    pub(crate) fn is(&self, hwnd: usize) -> bool {
        self.hwnd == hwnd
    }

    /// Writes the edit's text down, if it was typed into.
    #[cold]
    pub(crate) fn write_result(&mut self, payload: &mut Payload<'_>, code_page: u16, text: &mut [u16]) {
        self.typed = false;
        let Some(edit) = Control::of(self.hwnd) else { return };
        let privacy = privacy::privacy_of(self.hwnd);
        if privacy == Privacy::Secret {
            return;
        }
        payload.number(Key::ResultWindow, self.hwnd as u64);
        let len = usize::try_from(edit.ask(WM_GETTEXTLENGTH, 0, 0)).unwrap_or(0);
        if len >= text.len() {
            return payload.number(Key::ResultLength, len as u64);
        }
        let at = text.as_mut_ptr().expose_provenance().cast_signed();
        let len = usize::try_from(edit.ask(WM_GETTEXT, text.len(), at)).unwrap_or(0).min(text.len());
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
