//! What the callback copies of a message besides its numbers: whatever its pointers and handles lead to.
//!
//! What can be told from the numbers alone is told later, by `message_log::add_facts` on the
//! recorder's thread.

use crate::callback::ascii_text::AsciiText;
use crate::callback::class_cache::{CachedClass, LONGEST, ROOM};
use crate::callback::item_writer::ItemWriter;
use crate::callback::observed_message::ObservedMessage;
use crate::callback::thread_state::{History, MAX_TEXT};
use crate::callback::{command_items, notification_items, text_callbacks};
use crate::shared::controls::{self, Control, Kind};
use crate::shared::filter::Handling;
use crate::shared::privacy::{self, MaskRules, Privacy};
use crate::system::guarded;
use crate::system::win32::{self, Menu, Window};
use message_log::{Key, Payload, Point, Rect};
use windows::Win32::UI::Controls::NMHDR;
use windows::Win32::UI::WindowsAndMessaging::{
    CREATESTRUCTW, SCROLLINFO, STYLESTRUCT, SWP_HIDEWINDOW, SWP_SHOWWINDOW, WINDOWPOS,
};

const WS_CHILD: u32 = 0x4000_0000;
const WS_DISABLED: u32 = 0x0800_0000;
const WM_CONTEXTMENU: u32 = 0x007B;
const WM_HSCROLL: u32 = 0x0114;
const ASCII_NAME: &[u8; 8] = b"password";

/// What facts are made from and where they go.
pub(crate) struct Facts<'a, 'b> {
    pub(crate) payload: &'a mut Payload<'b>,
    /// Room for texts.
    pub(crate) text: &'a mut [u16],
    pub(crate) history: &'a mut History,
    pub(crate) masks: &'a MaskRules,
    pub(crate) privacy: Privacy,
}

// The rarer kinds stand apart, so that a click needs no more of the stack than it uses.
impl<'b> Facts<'_, 'b> {
    /// Writes what a message's numbers do not say.
    #[inline(always)]
    pub(crate) fn fill(&mut self, handling: Handling, observed: &ObservedMessage) {
        match handling {
            Handling::Create => self.create(observed),
            Handling::Text if observed.lparam != 0 => {
                self.text(Key::Text, observed.pointer(), is_wide(observed));
            }
            Handling::Position => {
                if let Some(p) = guarded::read(observed.pointer::<WINDOWPOS>()) {
                    self.payload.rect(Key::WindowRect, place_of(&p));
                    if p.flags & (SWP_SHOWWINDOW | SWP_HIDEWINDOW) != Default::default() {
                        self.payload.number(Key::PositionFlags, u64::from(p.flags.0));
                    }
                    if p.flags & SWP_SHOWWINDOW != Default::default() {
                        self.parent(observed.hwnd);
                    }
                }
            }
            Handling::Show if observed.wparam != 0 => self.parent(observed.hwnd),
            Handling::Style => {
                if let Some(style) = guarded::read(observed.pointer::<STYLESTRUCT>()) {
                    self.payload.number(Key::StyleOffset, (observed.wparam as i64).cast_unsigned());
                    self.payload.number(Key::StyleNew, u64::from(style.styleNew));
                }
            }
            Handling::Key => {
                let modifiers = self.history.modifiers.for_key(observed.wparam);
                if modifiers != 0 {
                    self.payload.number(Key::KeyModifiers, u64::from(modifiers));
                }
                if self.privacy == Privacy::Redacted {
                    self.payload.flag(Key::WindowMasked, true);
                }
            }
            Handling::Press => self.modifiers(),
            Handling::Release => self.over(observed),
            Handling::NonClientPress | Handling::ScreenPoint => {
                self.modifiers();
                self.point(observed);
            }
            Handling::Notify => self.notification(observed),
            Handling::Command => self.command(observed),
            Handling::SysCommand => {
                if let Some(path) = self.history.menus.choose(observed.wparam as u32 & 0xFFF0) {
                    self.payload.wide(Key::MenuPath, path);
                }
            }
            Handling::MenuOpen => self.history.menus.open(Window(observed.hwnd), Menu(observed.wparam)),
            Handling::MenuSelect => self.menu_select(observed),
            Handling::MenuCommand => {
                let menu = Menu(observed.lparam.cast_unsigned());
                let path =
                    self.history.menus.select(Window(observed.hwnd), menu, observed.wparam as u32, true);
                self.payload.wide(Key::MenuPath, path);
            }
            Handling::Check => self.payload.number(Key::ItemState, observed.wparam as u64),
            Handling::Scroll => self.scroll(observed),
            Handling::Drop => self.files(observed.wparam),
            Handling::Ime => self.composition(observed),
            _ => {}
        }
    }

    /// Instead of a private text: the name under which a replay asks for it, with the control's id to tell
    /// one from another.
    pub(crate) fn secret_name(&mut self, hwnd: usize) {
        let mut name = AsciiText::new();
        ASCII_NAME.iter().for_each(|&byte| name.put(byte));
        let id = Window(hwnd).control_id().and_then(|id| u32::try_from(id).ok()).unwrap_or(0);
        if (1..0x1_0000).contains(&id) {
            name.put(b'-');
            name.number(id);
        }
        self.payload.wide(Key::Masked, name.units());
    }

    /// The text of the edit that was typed into before this message.
    pub(crate) fn result(&mut self) {
        self.history.focus.write_result(self.payload, win32::code_page(), self.text);
    }

    /// The last place of a window that moved again and again.
    pub(crate) fn place(&mut self, place: Rect) {
        self.payload.rect(Key::WindowRect, place);
    }

    /// Another parent than before: no message says so, but SetParent hides the window and shows it again.
    fn parent(&mut self, hwnd: usize) {
        let parent = Window(hwnd).parent().map_or(0, |parent| parent.0);
        if self.history.last_reported.set_parent(hwnd, parent) {
            self.payload.number(Key::WindowParent, parent as u64);
        }
    }

    fn modifiers(&mut self) {
        let modifiers = self.history.modifiers.for_key(0);
        if modifiers != 0 {
            self.payload.number(Key::KeyModifiers, u64::from(modifiers));
        }
    }

    // Part of a birth's own way through the callback: what it knows stays in registers.
    #[inline(always)]
    fn create(&mut self, observed: &ObservedMessage) {
        let Some(create) = guarded::read(observed.pointer::<CREATESTRUCTW>()) else { return };
        let style = create.style.cast_unsigned();
        let parent = create.hwndParent.0.addr();
        // The menu handle of a child is its id; ids are 16 bits wide for all but a few, and signed.
        let id = (style & WS_CHILD != 0).then_some(create.hMenu.0.addr() as u32 as i32);
        let (whose, around) = match id {
            Some(id) => ((Key::WindowResourceId, i64::from(id).cast_unsigned()), parent),
            None => ((Key::WindowOwner, parent as u64), 0),
        };
        let place = || rect(create.x, create.y, create.cx, create.cy);
        let words = place().words();
        let numbers = [
            (Key::WindowStyle, u64::from(style)),
            (Key::WindowExStyle, u64::from(create.dwExStyle.0)),
            (Key::WindowParent, around as u64),
            whose,
        ];
        self.payload.numbers_and_rect(numbers, (Key::WindowRect, words));
        // A modal dialog's owner is disabled before the dialog is made.
        if id.is_none() && parent != 0 && Window(parent).style() & WS_DISABLED != 0 {
            self.payload.flag(Key::WindowModal, true);
        }
        self.history.last_reported.on_created(observed.hwnd, words, around);
        let masks = self.masks;
        let (class, kind) = match self.known_class(create.lpszClass.0) {
            Some(class) => (class.name(), class.kind),
            None => self.ask_class(observed.hwnd),
        };
        text_callbacks::on_created(observed.hwnd, kind);
        privacy::mark_if_private(observed.hwnd, class, style, id, masks);
        self.privacy = privacy::inherit(observed.hwnd, class, parent, place);
        if self.privacy == Privacy::Secret {
            self.payload.flag(Key::WindowMasked, true);
        } else if create.lpszName.0.addr() > 0xFFFF {
            self.text(Key::WindowName, create.lpszName.0.cast(), true);
        }
    }

    /// Writes the name of a window's class, if the system has spelt it just as it stands there before.
    #[inline(always)]
    fn known_class(&mut self, given: *const u16) -> Option<&CachedClass> {
        if given.addr() <= 0xFFFF {
            return None;
        }
        let room = self.payload.room(ROOM).first_chunk_mut::<ROOM>()?;
        let len = guarded::read_text(given.cast(), 2, &mut room[..2 * LONGEST + 2]);
        let class = self.history.classes.find(room, len)?;
        self.payload.text(Key::WindowClass, None, len);
        Some(class)
    }

    /// Asks the system for it.
    #[cold]
    fn ask_class(&mut self, hwnd: usize) -> (&[u16], Kind) {
        let mut buffer = [0; 256];
        let class = Window(hwnd).class(&mut buffer);
        let kind = self.history.classes.insert(class);
        controls::born(hwnd, class);
        self.payload.wide(Key::WindowClass, class);
        let kept = &mut self.text[..class.len()];
        kept.copy_from_slice(class);
        (kept, kind)
    }

    /// A text of the host, as private as its window.
    #[inline(always)]
    fn text(&mut self, key: Key, from: *const u8, wide: bool) {
        if wide && self.privacy != Privacy::Redacted {
            let len = guarded::read_text(from, 2, self.payload.room(MAX_TEXT));
            self.payload.text(key, None, len);
        } else {
            self.rarer_text(key, from, wide);
        }
    }

    #[inline(never)]
    fn rarer_text(&mut self, key: Key, from: *const u8, wide: bool) {
        let is_redacted = self.privacy == Privacy::Redacted;
        if is_redacted {
            self.payload.flag(Key::WindowMasked, true);
        }
        let (unit, code_page) = if wide { (2, None) } else { (1, Some(win32::code_page())) };
        let room = self.payload.room(MAX_TEXT);
        let len = guarded::read_text(from, unit, room);
        if is_redacted {
            privacy::redact_text(&mut room[..len], wide);
        }
        self.payload.text(key, code_page, len);
    }

    /// A point of the screen, in client coordinates.
    fn point(&mut self, observed: &ObservedMessage) {
        // The context menu of the keyboard has none.
        if observed.number == WM_CONTEXTMENU && observed.lparam == -1 {
            return;
        }
        let (x, y) = (i32::from(observed.lparam as i16), i32::from((observed.lparam >> 16) as i16));
        if let Some((x, y)) = Window(observed.hwnd).to_client(x, y) {
            self.payload.point(Key::PointClient, Point { x, y });
        }
    }

    /// Which window of the program lies where a button was released, if it is not the one that has the
    /// pointer: an item was dragged there.
    fn over(&mut self, observed: &ObservedMessage) {
        let (x, y) = (i32::from(observed.lparam as i16), i32::from((observed.lparam >> 16) as i16));
        let Some((x, y)) = Window(observed.hwnd).beyond_client(x, y) else { return };
        let over = win32::top_level_at(x, y);
        self.payload.number(Key::OverWindow, over.map_or(0, |over| over.0 as u64));
        if let Some((x, y)) = over.and_then(|over| over.to_client(x, y)) {
            self.payload.point(Key::OverPoint, Point { x, y });
        }
    }

    fn items(&mut self) -> ItemWriter<'_, 'b> {
        ItemWriter {
            payload: self.payload,
            text: self.text,
            masks: self.masks,
            code_page: win32::code_page(),
        }
    }

    #[inline(never)]
    fn notification(&mut self, observed: &ObservedMessage) {
        let at = observed.pointer::<NMHDR>();
        let Some(header) = guarded::read(at) else { return };
        self.payload.number(Key::Source, header.hwndFrom.0.addr() as u64);
        self.payload.number(Key::Command, header.idFrom as u64);
        self.payload.number(Key::Notification, i64::from(header.code.cast_signed()).cast_unsigned());
        notification_items::of_notification(&mut self.items(), &header, at);
    }

    #[inline(never)]
    fn command(&mut self, observed: &ObservedMessage) {
        let (id, code) = (observed.wparam as u32 & 0xFFFF, observed.wparam as u32 >> 16);
        match observed.lparam.cast_unsigned() {
            0 if code == 0 => {
                if let Some(path) = self.history.menus.choose(id) {
                    self.payload.wide(Key::MenuPath, path);
                }
            }
            0 => {
                if let Some(path) = self.history.menus.accelerate(Window(observed.hwnd), id) {
                    self.payload.wide(Key::MenuPath, path);
                }
            }
            source => command_items::of_command(&mut self.items(), source, code, id),
        }
    }

    #[inline(never)]
    fn menu_select(&mut self, observed: &ObservedMessage) {
        const MF_POPUP: u32 = 0x0010;
        let (item, flags) = (observed.wparam as u32 & 0xFFFF, observed.wparam as u32 >> 16 & 0xFFFF);
        // The menu has closed.
        if flags == 0xFFFF && observed.lparam == 0 {
            return;
        }
        let menu = Menu(observed.lparam.cast_unsigned());
        let path = self.history.menus.select(Window(observed.hwnd), menu, item, flags & MF_POPUP != 0);
        self.payload.wide(Key::MenuPath, path);
    }

    #[inline(never)]
    fn scroll(&mut self, observed: &ObservedMessage) {
        const SBM_GETSCROLLINFO: u32 = 0x00EA;
        const TBM_GETPOS: u32 = 0x0400;
        const POSITIONS: u32 = 0x0004 | 0x0010;
        // SB_THUMBPOSITION and SB_THUMBTRACK tell where the thumb is, the others where it was.
        let is_thumb = matches!(observed.wparam & 0xFFFF, 4 | 5);
        let thumb = |(position, track): (i32, i32)| if is_thumb { track } else { position };
        let position = if observed.lparam == 0 {
            Window(observed.hwnd).scroll_position(observed.number == WM_HSCROLL).map(thumb)
        } else {
            Control::of(observed.lparam.cast_unsigned()).and_then(|control| match control.kind {
                Kind::ScrollBar => {
                    let size = size_of::<SCROLLINFO>() as u32;
                    let mut info = SCROLLINFO { cbSize: size, ..Default::default() };
                    info.fMask.0 = POSITIONS;
                    control.ask_with(SBM_GETSCROLLINFO, 0, &mut info);
                    Some(thumb((info.nPos, info.nTrackPos)))
                }
                Kind::TrackBar => Some(control.ask(TBM_GETPOS, 0, 0) as i32),
                _ => None,
            })
        };
        if let Some(position) = position {
            self.payload.number(Key::ScrollPosition, i64::from(position).cast_unsigned());
        }
    }

    #[inline(never)]
    fn files(&mut self, drop: usize) {
        let bytes = as_bytes(self.text);
        let Some((len, wide)) = win32::dropped_files(drop, bytes) else { return };
        let unit = if wide { 2 } else { 1 };
        let mut rest = &bytes[..len];
        loop {
            let end = rest.chunks_exact(unit).position(|unit| unit.iter().all(|&byte| byte == 0));
            let Some(end) = end.filter(|&end| end > 0) else { break };
            let (name, after) = rest.split_at(end * unit);
            if !wide {
                self.payload.ansi(Key::File, win32::code_page(), name);
            } else if let Some(out) = self.payload.reserve_wide(Key::File, name.len()) {
                out.copy_from_slice(name);
            }
            rest = &after[unit..];
        }
    }

    #[inline(never)]
    fn composition(&mut self, observed: &ObservedMessage) {
        let bytes = as_bytes(self.text);
        let len = win32::composed_text(Window(observed.hwnd), bytes);
        let bytes = &mut bytes[..len];
        if self.privacy == Privacy::Redacted {
            privacy::redact_text(bytes, true);
            self.payload.flag(Key::WindowMasked, true);
        }
        if let Some(out) = self.payload.reserve_wide(Key::Text, len) {
            out.copy_from_slice(bytes);
        }
    }
}

/// The same room as bytes.
#[expect(unsafe_code, reason = "units observed as bytes")]
fn as_bytes(units: &mut [u16]) -> &mut [u8] {
    // SAFETY: any bytes are bytes, and any bytes are units again.
    unsafe { units.align_to_mut::<u8>() }.1
}

/// Whether the text of a message is UTF-16. A Unicode window gets that; for an ANSI window it depends on who
/// sent it, and a second byte of zero gives UTF-16 away. Wine shows what SendMessageA sends to a Unicode
/// window before it is converted.
fn is_wide(observed: &ObservedMessage) -> bool {
    if guarded::read(observed.pointer::<[u16; 4]>()).is_some_and(|start| begins_wide(&start)) {
        return true;
    }
    if Window(observed.hwnd).is_unicode() {
        if !win32::is_wine() {
            return true;
        }
        let mut start = [0; 64];
        let len = guarded::read_text(observed.pointer(), 1, &mut start);
        return match len {
            1 => is_whole(&guarded::read(observed.pointer::<[u16; 8]>()).unwrap_or_default()),
            len => !looks_like_ascii(&start[..len]),
        };
    }
    guarded::read(observed.pointer::<[u8; 2]>())
        .is_some_and(|[first, second]| first != 0 && second == 0 && !is_one_letter(observed))
}

/// Whether a text begins with ASCII letters of two bytes, so many that it is nothing else, whatever the
/// window is: most do, and then the system need not be asked.
fn begins_wide(start: &[u16; 4]) -> bool {
    start.iter().all(|unit| matches!(unit, 0x20..=0x7E))
}

/// Whether bytes without a zero are ASCII rather than characters of two bytes: all can be read as such, they
/// are a number or more than a pair, and their second bytes are not those of kana.
fn looks_like_ascii(bytes: &[u8]) -> bool {
    let is_ascii = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n');
    let is_number = bytes.len() == 2 && bytes.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'-'));
    let kana = bytes.iter().skip(1).step_by(2).filter(|&&byte| byte == 0x30).count();
    is_number || bytes.len() > 2 && bytes.iter().all(is_ascii) && kana * 4 <= bytes.len()
}

/// Whether what begins with an ASCII letter and a zero goes on as UTF-16. Behind a single letter of one
/// byte lies anything.
fn is_whole(units: &[u16]) -> bool {
    let text = units.split(|&unit| unit == 0).next().unwrap_or_default();
    // A pair may be cut in the middle where we stop to look.
    let text = if text.len() == units.len() { &text[..text.len() - 1] } else { text };
    // The first sign says nothing, whatever it is.
    char::decode_utf16(text.iter().skip(1).copied()).all(|c| {
        c.is_ok_and(|c| {
            let is_private = matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{FFF0}'..='\u{FFFF}');
            matches!(c, '\t' | '\r' | '\n') || !c.is_control() && !is_private
        })
    })
}

/// "A\0" may be one ANSI letter or the beginning of a UTF-16 text.
fn is_one_letter(observed: &ObservedMessage) -> bool {
    guarded::read(observed.pointer::<[u8; 4]>()).is_none_or(|bytes| bytes[3] != 0)
}

/// Where WM_WINDOWPOSCHANGED says that a window is.
pub(crate) fn place_of(position: &WINDOWPOS) -> Rect {
    rect(position.x, position.y, position.cx, position.cy)
}

fn rect(x: i32, y: i32, width: i32, height: i32) -> Rect {
    Rect { left: x, top: y, right: x.wrapping_add(width), bottom: y.wrapping_add(height) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_in_place_of_utf_16_is_noticed() {
        assert!(looks_like_ascii(b"selection = 5..5, line count=1"));
        assert!(looks_like_ascii(b"10 of 20 files"));
        assert!(looks_like_ascii(b"42") && looks_like_ascii(b"-7"), "a number, not one rare sign");
        // What a reader of bytes sees of UTF-16: up to the first zero.
        let bytes = |text: &str| {
            text.encode_utf16().flat_map(u16::to_le_bytes).take_while(|&b| b != 0).collect::<Vec<_>>()
        };
        for wide in ["selection", "x", "日本語のテキスト", "あい", "ひらがなだけのぶん", "Ωμέγα", "文書", ""]
        {
            assert!(!looks_like_ascii(&bytes(wide)), "{wide}");
        }
    }

    #[test]
    fn what_begins_with_letters_of_two_bytes_is_wide() {
        let start = |bytes: &[u8; 8]| {
            begins_wide(&std::array::from_fn(|i| u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]])))
        };
        assert!(start(b"R\0e\0c\0h\0"));
        for other in [b"Rechnung", b"R\0echnun", b"R\0e\0c\0\0\0", b"\xE5\x65\x2C\x67\x9E\x8A\x6E\x30"] {
            assert!(!start(other), "{other:?}");
        }
    }

    #[test]
    fn one_letter_of_one_byte_is_told_from_a_text() {
        let units = |text: &str| text.encode_utf16().chain([0, 0xDEAD]).collect::<Vec<u16>>();
        for wide in ["7", "7 pieces", "3月", "x\r\ny", "A😀", "\u{B}<<"] {
            assert!(is_whole(&units(wide)), "{wide}");
        }
        assert!(is_whole(&units("ABCDEFG😀")[..8]), "cut within a pair");
        // What lies behind it on the stack: numbers, halves of pointers.
        for behind in [[1, 0], [0x10, 0x4141], [0xD812, 0x41], [0xFFFF, 0], [0xE0A0, 3]] {
            assert!(!is_whole(&[u16::from(b'7'), behind[0], behind[1], 0]), "{behind:?}");
        }
    }
}
