//! Writes the facts of an item, its texts redacted like the control.

use crate::shared::privacy::{self, MaskRules, Privacy};
use crate::system::guarded;
use crate::system::window::Window;
use message_log::{Key, Payload};
use win32_vocabulary::items::LPSTR_TEXTCALLBACK;
use windows::core::PWSTR;

/// What separates the labels of a path.
pub(crate) const SEPARATOR: u16 = 0x1F;

/// Where the facts of an item are written to.
pub(crate) struct ItemWriter<'a, 'b> {
    pub(crate) payload: &'a mut Payload<'b>,
    /// Room for texts.
    pub(crate) text: &'a mut [u16],
    pub(crate) masks: &'a MaskRules,
    pub(crate) code_page: u16,
}

impl ItemWriter<'_, '_> {
    pub(crate) fn index(&mut self, index: isize) {
        self.payload.number(Key::ItemIndex, (index as i64).cast_unsigned());
    }

    pub(crate) fn number(&mut self, key: Key, number: i64) {
        self.payload.number(key, number.cast_unsigned());
    }

    /// Writes the first units of `text`, redacted like the control.
    pub(crate) fn write_text(&mut self, key: Key, of: Window, len: usize) {
        let text = &mut self.text[..len];
        match privacy::check(of.0, self.masks) {
            Privacy::Secret => return,
            Privacy::Redacted => {
                text.iter_mut()
                    .filter(|u| **u != SEPARATOR)
                    .for_each(|unit| *unit = privacy::redact_unit(*unit));
                self.payload.flag(Key::WindowMasked, true);
            }
            Privacy::Public => {}
        }
        self.payload.wide(key, text);
    }

    /// Writes a text that a control has filled into `text`. A control that answers with a pointer of its own
    /// instead, or with LPSTR_TEXTCALLBACK, has none.
    pub(crate) fn write_filled(&mut self, of: Window, answer: PWSTR, room: usize) {
        if std::ptr::eq(answer.0, self.text.as_ptr()) {
            let len = self.text[..room].iter().position(|&unit| unit == 0).unwrap_or(room);
            self.write_text(Key::ItemText, of, len);
        }
    }

    /// Writes the new label of an item, which lies in the control's own memory.
    pub(crate) fn write_label(&mut self, of: Window, label: PWSTR, wide: bool) {
        if label.is_null() || label.0.addr() == LPSTR_TEXTCALLBACK {
            return;
        }
        let mut bytes = [0; 1024];
        let len = guarded::read_text(label.0.cast_const().cast(), if wide { 2 } else { 1 }, &mut bytes);
        let bytes = &mut bytes[..len];
        match privacy::check(of.0, self.masks) {
            Privacy::Secret => return,
            Privacy::Redacted => {
                privacy::redact_text(bytes, wide);
                self.payload.flag(Key::WindowMasked, true);
            }
            Privacy::Public => {}
        }
        if wide {
            if let Some(out) = self.payload.reserve_wide(Key::Text, len) {
                out.copy_from_slice(bytes);
            }
        } else {
            self.payload.ansi(Key::Text, self.code_page, bytes);
        }
    }
}
