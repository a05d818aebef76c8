//! What the callback copies of a message besides its numbers: what its pointers and handles lead to.
//!
//! `message_log::add_facts` derives facts from the numbers alone later, on the recorder thread.

use crate::callback::ascii_text::AsciiText;
use crate::callback::class_cache::{CachedClass, LONGEST, ROOM};
use crate::callback::item_writer::ItemWriter;
use crate::callback::observed_message::ObservedMessage;
use crate::callback::text_encoding::is_wide;
use crate::callback::workspace::History;
use crate::callback::{command_items, notification_items, text_callbacks};
use crate::shared::controls::{self, QueryableControl};
use crate::shared::filter::Handling;
use crate::shared::limits::MAX_TEXT;
use crate::shared::privacy::{self, MaskRules, Privacy};
use crate::system::guarded;
use crate::system::input;
use crate::system::menu::Menu;
use crate::system::process;
use crate::system::window::{self, Window};
use message_log::{Key, Payload, Point, Rect};
use win32_vocabulary::Control;
use win32_vocabulary::class_messages::TBM_GETPOS;
use win32_vocabulary::commands::SC_MASK;
use win32_vocabulary::menus::{MENU_CLOSED, MF_POPUP};
use win32_vocabulary::messages::{SBM_GETSCROLLINFO, WM_CONTEXTMENU, WM_HSCROLL};
use win32_vocabulary::notifications::BN_CLICKED;
use win32_vocabulary::scroll::{SB_THUMBPOSITION, SB_THUMBTRACK};
use win32_vocabulary::styles::{WS_CHILD, WS_DISABLED};
use windows::Win32::UI::Controls::NMHDR;
use windows::Win32::UI::WindowsAndMessaging::{
    CREATESTRUCTW, SCROLLINFO, SIF_POS, SIF_TRACKPOS, STYLESTRUCT, SWP_HIDEWINDOW, SWP_SHOWWINDOW, WINDOWPOS,
};

/// How the names of secrets begin.
const SECRET_NAME: &[u8; 8] = b"password";

/// Where the facts of a message are written to, and what they are made of.
pub(crate) struct Facts<'a, 'b> {
    pub(crate) payload: &'a mut Payload<'b>,
    /// Room for texts.
    pub(crate) text: &'a mut [u16],
    pub(crate) history: &'a mut History,
    pub(crate) masks: &'a MaskRules,
    pub(crate) privacy: Privacy,
}

// Rare messages have functions of their own, so that a click uses little of the stack.
impl<'b> Facts<'_, 'b> {
    /// Writes what is not in the message's numbers.
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
                let modifiers = self.history.modifiers.for_key(observed.key());
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
                if let Some(path) = self.history.menus.path_of_chosen(observed.wparam as u32 & SC_MASK) {
                    self.payload.wide(Key::MenuPath, path);
                }
            }
            Handling::MenuOpen => {
                self.history.menus.on_popup_opened(Window(observed.hwnd), Menu(observed.wparam));
            }
            Handling::MenuSelect => self.menu_select(observed),
            Handling::MenuCommand => {
                let menu = Menu(observed.lparam.cast_unsigned());
                let path = self.history.menus.on_item_highlighted(
                    Window(observed.hwnd),
                    menu,
                    observed.wparam as u32,
                    true,
                );
                self.payload.wide(Key::MenuPath, path);
            }
            Handling::Check => self.payload.number(Key::ItemState, observed.wparam as u64),
            Handling::Scroll => self.scroll(observed),
            Handling::Drop => self.files(observed.wparam),
            Handling::Ime => self.composition(observed),
            _ => {}
        }
    }

    /// Writes, instead of a secret text, the name under which a replay asks for it. The control id
    /// makes it unique.
    pub(crate) fn secret_name(&mut self, hwnd: usize) {
        let mut name = AsciiText::new();
        SECRET_NAME.iter().for_each(|&byte| name.push(byte));
        let id = Window(hwnd).control_id().and_then(|id| u32::try_from(id).ok()).unwrap_or(0);
        if (1..0x1_0000).contains(&id) {
            name.push(b'-');
            name.push_number(id);
        }
        self.payload.wide(Key::Masked, name.units());
    }

    /// Writes the text of the edit that the user typed into before this message.
    pub(crate) fn result(&mut self) {
        self.history.focus.write_result(self.payload, process::code_page(), self.text);
    }

    /// Writes the last rectangle of a window that moved repeatedly.
    pub(crate) fn place(&mut self, place: Rect) {
        self.payload.rect(Key::WindowRect, place);
    }

    /// Writes the parent if it has changed. No message reports that, but SetParent hides the window
    /// and shows it again.
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

    // Inlined into the copy of the callback for WM_CREATE, so that its values stay in registers.
    #[inline(always)]
    fn create(&mut self, observed: &ObservedMessage) {
        let Some(create) = guarded::read(observed.pointer::<CREATESTRUCTW>()) else { return };
        let style = create.style.cast_unsigned();
        let parent = create.hwndParent.0.addr();
        // The menu handle of a child is its control id, which is a signed number.
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
        // The owner of a modal dialog is disabled before the dialog is created.
        if id.is_none() && parent != 0 && Window(parent).style() & WS_DISABLED != 0 {
            self.payload.flag(Key::WindowModal, true);
        }
        self.history.last_reported.on_created(observed.hwnd, words, around);
        let masks = self.masks;
        let (class, control) = match self.known_class(create.lpszClass.0) {
            Some(class) => (class.name(), class.control),
            None => self.query_class(observed.hwnd),
        };
        text_callbacks::on_created(observed.hwnd, control);
        privacy::mark_if_private(observed.hwnd, class, style, id, masks);
        self.privacy = privacy::inherit(observed.hwnd, class, parent, place);
        if self.privacy == Privacy::Secret {
            self.payload.flag(Key::WindowMasked, true);
        } else if create.lpszName.0.addr() > 0xFFFF {
            self.text(Key::WindowName, create.lpszName.0.cast(), true);
        }
    }

    /// Writes the name of a window's class if Windows spells it as the CREATESTRUCT does.
    #[inline(always)]
    fn known_class(&mut self, name: *const u16) -> Option<&CachedClass> {
        // A small number is an atom.
        if name.addr() <= 0xFFFF {
            return None;
        }
        let room = self.payload.room(ROOM).first_chunk_mut::<ROOM>()?;
        let len = guarded::read_text(name.cast(), 2, &mut room[..2 * LONGEST + 2]);
        let class = self.history.classes.find(room, len)?;
        self.payload.text(Key::WindowClass, None, len);
        Some(class)
    }

    /// Calls Windows for the name and writes it.
    #[cold]
    fn query_class(&mut self, hwnd: usize) -> (&[u16], Control) {
        let mut buffer = [0; 256];
        let class = Window(hwnd).class(&mut buffer);
        let control = self.history.classes.insert(class);
        controls::on_created(hwnd, class);
        self.payload.wide(Key::WindowClass, class);
        let kept = &mut self.text[..class.len()];
        kept.copy_from_slice(class);
        (kept, control)
    }

    /// Writes a text of the host, redacted like its window.
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
        let (unit, code_page) = if wide { (2, None) } else { (1, Some(process::code_page())) };
        let room = self.payload.room(MAX_TEXT);
        let len = guarded::read_text(from, unit, room);
        if is_redacted {
            privacy::redact_text(&mut room[..len], wide);
        }
        self.payload.text(key, code_page, len);
    }

    /// Writes a point of the screen in client coordinates.
    fn point(&mut self, observed: &ObservedMessage) {
        // A context menu by keyboard has none.
        if observed.number == WM_CONTEXTMENU && observed.lparam == -1 {
            return;
        }
        let (x, y) = (i32::from(observed.lparam as i16), i32::from((observed.lparam >> 16) as i16));
        if let Some((x, y)) = Window(observed.hwnd).to_client(x, y) {
            self.payload.point(Key::PointClient, Point { x, y });
        }
    }

    /// Writes which window of the program lies where a button was released outside the window that has the
    /// capture: the user may have dragged an item there.
    fn over(&mut self, observed: &ObservedMessage) {
        let (x, y) = (i32::from(observed.lparam as i16), i32::from((observed.lparam >> 16) as i16));
        let Some((x, y)) = Window(observed.hwnd).beyond_client(x, y) else { return };
        let over = window::top_level_at(x, y);
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
            code_page: process::code_page(),
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
        let (id, code) = (observed.wparam as u32 & 0xFFFF, observed.code());
        match observed.lparam.cast_unsigned() {
            0 if code == BN_CLICKED => {
                if let Some(path) = self.history.menus.path_of_chosen(id) {
                    self.payload.wide(Key::MenuPath, path);
                }
            }
            0 => {
                if let Some(path) = self.history.menus.path_of_accelerator(Window(observed.hwnd), id) {
                    self.payload.wide(Key::MenuPath, path);
                }
            }
            source => command_items::of_command(&mut self.items(), source, code, id),
        }
    }

    #[inline(never)]
    fn menu_select(&mut self, observed: &ObservedMessage) {
        let (item, flags) = (observed.wparam as u32 & 0xFFFF, observed.wparam as u32 >> 16 & 0xFFFF);
        if flags == MENU_CLOSED && observed.lparam == 0 {
            return;
        }
        let menu = Menu(observed.lparam.cast_unsigned());
        let path =
            self.history.menus.on_item_highlighted(Window(observed.hwnd), menu, item, flags & MF_POPUP != 0);
        self.payload.wide(Key::MenuPath, path);
    }

    #[inline(never)]
    fn scroll(&mut self, observed: &ObservedMessage) {
        // These two requests have the new position, the others the old one.
        let is_thumb = matches!(observed.wparam as u32 & 0xFFFF, SB_THUMBPOSITION | SB_THUMBTRACK);
        let thumb = |(position, track): (i32, i32)| if is_thumb { track } else { position };
        let position = if observed.lparam == 0 {
            Window(observed.hwnd).scroll_position(observed.number == WM_HSCROLL).map(thumb)
        } else {
            QueryableControl::of(observed.lparam.cast_unsigned()).and_then(|control| match control.control {
                Control::ScrollBar => {
                    let size = size_of::<SCROLLINFO>() as u32;
                    let mask = SIF_POS | SIF_TRACKPOS;
                    let mut info = SCROLLINFO { cbSize: size, fMask: mask, ..Default::default() };
                    control.query_with(SBM_GETSCROLLINFO, 0, &mut info);
                    Some(thumb((info.nPos, info.nTrackPos)))
                }
                Control::TrackBar => Some(control.query(TBM_GETPOS, 0, 0) as i32),
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
        let Some((len, wide)) = input::dropped_files(drop, bytes) else { return };
        let unit = if wide { 2 } else { 1 };
        let mut rest = &bytes[..len];
        loop {
            let end = rest.chunks_exact(unit).position(|unit| unit.iter().all(|&byte| byte == 0));
            let Some(end) = end.filter(|&end| end > 0) else { break };
            let (name, after) = rest.split_at(end * unit);
            if !wide {
                self.payload.ansi(Key::File, process::code_page(), name);
            } else if let Some(out) = self.payload.reserve_wide(Key::File, name.len()) {
                out.copy_from_slice(name);
            }
            rest = &after[unit..];
        }
    }

    #[inline(never)]
    fn composition(&mut self, observed: &ObservedMessage) {
        let bytes = as_bytes(self.text);
        let len = input::composed_text(Window(observed.hwnd), bytes);
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

/// The buffer as bytes.
#[expect(unsafe_code, reason = "units observed as bytes")]
fn as_bytes(units: &mut [u16]) -> &mut [u8] {
    // SAFETY: `align_to_mut` keeps length and alignment; bytes may have any value, and so may units.
    unsafe { units.align_to_mut::<u8>() }.1
}

/// The rectangle in a WM_WINDOWPOSCHANGED.
pub(crate) fn place_of(position: &WINDOWPOS) -> Rect {
    rect(position.x, position.y, position.cx, position.cy)
}

fn rect(x: i32, y: i32, width: i32, height: i32) -> Rect {
    Rect { left: x, top: y, right: x.wrapping_add(width), bottom: y.wrapping_add(height) }
}
