//! Which item of a list, tree, tab, header or tool bar a notification is about.
//!
//! Indices and states come from the notification or from the control; texts only where reading them cannot run code of the host:
//! not of a virtual list, not of an item whose text is asked for when it is drawn (LPSTR_TEXTCALLBACK). A list view can say so itself;
//! trees and headers cannot, so those are watched from their birth, and the text of one that was not is left out.

use crate::controls::{Control, Kind, kind_of, kind_of_window};
use crate::guarded;
use crate::masks::{self, Masked, Privacy};
use crate::win32::{self, Window};
use crate::windows_set::WindowSet;
use message_log::{Key, Payload};
use windows::Win32::Foundation::{POINT, SYSTEMTIME};
use windows::Win32::UI::Controls::{
    COMBOBOXINFO, HDITEMW, LVITEMW, NMDATETIMECHANGE, NMHDR, NMHEADERW, NMIPADDRESS, NMITEMACTIVATE, NMLINK,
    NMLISTVIEW, NMLVDISPINFOW, NMLVODSTATECHANGE, NMMOUSE, NMSELCHANGE, NMTOOLBARW, NMTREEVIEWW,
    NMTVDISPINFOW, NMUPDOWN, TBBUTTON, TCITEMW, TVHITTESTINFO, TVINSERTSTRUCTW, TVITEMW,
};
use windows::core::PWSTR;

/// Trees and headers born under our eyes that have no text to be asked for.
static WATCHED: WindowSet = WindowSet::new();

const TEXT_CALLBACK: usize = usize::MAX;
const SEPARATOR: u16 = 0x1F;
/// Of an item deeper in a tree, or further down a branch, no place is told: a wrong one would be worse.
const MAX_DEPTH: usize = 32;
const MAX_PLACE: usize = 8192;

/// A control is born.
pub(crate) fn watch(hwnd: usize, class: &[u16]) {
    if matches!(kind_of(class), Kind::TreeView | Kind::Header) {
        WATCHED.insert(hwnd);
    }
}

/// A window is gone.
pub(crate) fn forget(hwnd: usize) {
    WATCHED.remove(hwnd);
}

/// An item is put into a tree or header: whether its text will be asked for.
pub(crate) fn see_insertion(hwnd: usize, message: u32, lparam: usize) {
    const TVM_SETITEM: [u32; 2] = [0x110D, 0x113F];
    const TVM_INSERTITEM: [u32; 2] = [0x1100, 0x1132];
    const TEXT: u32 = 1;
    const HDI_TEXT: u32 = 2;
    if !WATCHED.contains(hwnd) {
        return;
    }
    let at = std::ptr::with_exposed_provenance::<u8>(lparam);
    let (asks, text) = if TVM_INSERTITEM.contains(&message) {
        // Both members of the union begin alike.
        let item = guarded::read(
            at.wrapping_add(std::mem::offset_of!(TVINSERTSTRUCTW, Anonymous)).cast::<TVITEMW>(),
        );
        item.map_or((false, 0), |item| (item.mask.0 & TEXT != 0, item.pszText.0.addr()))
    } else if TVM_SETITEM.contains(&message) {
        let item = guarded::read(at.cast::<TVITEMW>());
        item.map_or((false, 0), |item| (item.mask.0 & TEXT != 0, item.pszText.0.addr()))
    } else {
        let item = guarded::read(at.cast::<HDITEMW>());
        item.map_or((false, 0), |item| (item.mask.0 & HDI_TEXT != 0, item.pszText.0.addr()))
    };
    if asks && text == TEXT_CALLBACK {
        WATCHED.remove(hwnd);
    }
}

/// Where the facts of an item go.
pub(crate) struct Out<'a, 'b> {
    pub(crate) payload: &'a mut Payload<'b>,
    /// Room for texts.
    pub(crate) text: &'a mut [u16],
    pub(crate) masked: &'a Masked,
    pub(crate) code_page: u16,
}

impl Out<'_, '_> {
    fn index(&mut self, index: isize) {
        self.payload.number(Key::ItemIndex, (index as i64).cast_unsigned());
    }

    fn number(&mut self, key: Key, number: i64) {
        self.payload.number(key, number.cast_unsigned());
    }

    /// The first units of `text`, as private as the control.
    fn write_text(&mut self, key: Key, of: Window, len: usize) {
        let text = &mut self.text[..len];
        match masks::look_at(of.0, self.masked) {
            Privacy::Secret => return,
            Privacy::Veiled => {
                text.iter_mut().filter(|u| **u != SEPARATOR).for_each(|unit| *unit = masks::veil_unit(*unit));
                self.payload.flag(Key::WindowMasked, true);
            }
            Privacy::Public => {}
        }
        self.payload.wide(key, text);
    }

    /// What the user called an item: a text of the control's own.
    fn write_label(&mut self, of: Window, label: PWSTR, wide: bool) {
        if label.is_null() || label.0.addr() == TEXT_CALLBACK {
            return;
        }
        let mut bytes = [0; 1024];
        let len = guarded::read_text(label.0.cast_const().cast(), if wide { 2 } else { 1 }, &mut bytes);
        let bytes = &mut bytes[..len];
        match masks::look_at(of.0, self.masked) {
            Privacy::Secret => return,
            Privacy::Veiled => {
                masks::veil_text(bytes, wide);
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

/// The item a WM_COMMAND is about.
pub(crate) fn of_command(out: &mut Out<'_, '_>, source: usize, code: u32, id: u32) {
    // BN_CLICKED and BN_DOUBLECLICKED; LBN_ and CBN_SELCHANGE, DBLCLK; CBN_SELENDOK.
    if !matches!(code, 0 | 1 | 2 | 5 | 9) {
        return;
    }
    let Some(control) = Control::of(source) else { return };
    match (control.kind, code) {
        (Kind::Button, 0 | 5) => check_state(out, &control),
        (Kind::ListBox, 1 | 2) => list_item(out, &control, control.style()),
        (Kind::ComboBox, 1 | 2 | 9) => combo_item(out, &control),
        (Kind::ComboBoxEx, 1 | 2 | 9) => {
            const CBEM_GETCOMBOCONTROL: u32 = 0x0406;
            let inner = control.ask(CBEM_GETCOMBOCONTROL, 0, 0).cast_unsigned();
            if let Some(inner) = Control::of(inner) {
                combo_item(out, &inner);
            }
        }
        (Kind::ToolBar, 0) => tool_button(out, &control, id),
        _ => {}
    }
}

fn check_state(out: &mut Out<'_, '_>, button: &Control) {
    const BM_GETCHECK: u32 = 0x00F0;
    // Check boxes and radio buttons of every kind; a push button has no state.
    if matches!(button.style() & 0xF, 2..=6 | 9) {
        out.number(Key::ItemState, button.ask(BM_GETCHECK, 0, 0) as i64);
    }
}

fn list_item(out: &mut Out<'_, '_>, list: &Control, style: u32) {
    const LB_GETSEL: u32 = 0x0187;
    const LB_GETCURSEL: u32 = 0x0188;
    const LB_GETCARETINDEX: u32 = 0x019F;
    const MULTIPLE: u32 = 0x0008 | 0x0800;
    let is_multiple = style & MULTIPLE != 0;
    let index = list.ask(if is_multiple { LB_GETCARETINDEX } else { LB_GETCURSEL }, 0, 0);
    out.index(index);
    let Ok(at) = usize::try_from(index) else { return };
    if is_multiple {
        out.number(Key::ItemState, i64::from(list.ask(LB_GETSEL, at, 0) > 0));
        selection(out, list);
    }
    // Without strings (LBS_OWNERDRAW… without LBS_HASSTRINGS, LBS_NODATA) there is nothing to read.
    if style & 0x2000 == 0 && (style & 0x30 == 0 || style & 0x40 != 0) {
        list_text(out, list, at, list.window);
    }
}

/// The text of an item, as private as the control that the user knows.
fn list_text(out: &mut Out<'_, '_>, list: &Control, index: usize, of: Window) {
    const LB_GETTEXT: u32 = 0x0189;
    const LB_GETTEXTLEN: u32 = 0x018A;
    let len = list.ask(LB_GETTEXTLEN, index, 0);
    if usize::try_from(len).is_ok_and(|len| len < out.text.len()) {
        let at = out.text.as_mut_ptr().expose_provenance().cast_signed();
        let len = usize::try_from(list.ask(LB_GETTEXT, index, at)).unwrap_or(0).min(out.text.len());
        out.write_text(Key::ItemText, of, len);
    }
}

/// All selected items, if they are not too many to tell.
fn selection(out: &mut Out<'_, '_>, list: &Control) {
    const LB_GETSELCOUNT: u32 = 0x0190;
    const LB_GETSELITEMS: u32 = 0x0191;
    let mut items = [0i32; 64];
    let count = usize::try_from(list.ask(LB_GETSELCOUNT, 0, 0)).unwrap_or(usize::MAX);
    if count > items.len() {
        return;
    }
    let count = usize::try_from(list.ask_with(LB_GETSELITEMS, count, &mut items)).unwrap_or(0);
    let mut line = Line::new();
    for (i, &item) in items.iter().take(count).enumerate() {
        if i > 0 {
            line.put(b',');
        }
        line.number(item.unsigned_abs());
    }
    out.payload.wide(Key::ItemSelection, line.units());
}

fn combo_item(out: &mut Out<'_, '_>, combo: &Control) {
    const CB_GETCOMBOBOXINFO: u32 = 0x0164;
    const LB_GETCURSEL: u32 = 0x0188;
    let mut info = COMBOBOXINFO { cbSize: size_of::<COMBOBOXINFO>() as u32, ..Default::default() };
    // The list is asked itself: a combo box would send it a message.
    if combo.ask_with(CB_GETCOMBOBOXINFO, 0, &mut info) == 0 {
        return;
    }
    let Some(list) = Control::of(info.hwndList.0.addr()) else { return };
    let index = list.ask(LB_GETCURSEL, 0, 0);
    out.index(index);
    // CBS_OWNERDRAW… without CBS_HASSTRINGS.
    let style = combo.style();
    if let Ok(index) = usize::try_from(index)
        && (style & 0x30 == 0 || style & 0x200 != 0)
    {
        list_text(out, &list, index, combo.window);
    }
}

fn tool_button(out: &mut Out<'_, '_>, bar: &Control, command: u32) {
    const TB_GETSTATE: u32 = 0x0412;
    const TB_GETBUTTON: u32 = 0x0417;
    const TB_COMMANDTOINDEX: u32 = 0x0419;
    const TB_GETBUTTONTEXT: u32 = 0x044B;
    out.number(Key::ItemCommand, i64::from(command));
    let index = bar.ask(TB_COMMANDTOINDEX, command as usize, 0);
    out.index(index);
    let Ok(index) = usize::try_from(index) else { return };
    out.number(Key::ItemState, bar.ask(TB_GETSTATE, command as usize, 0) as i64);
    let mut button = TBBUTTON::default();
    // A string of -1 is one the host would be asked for.
    if bar.ask_with(TB_GETBUTTON, index, &mut button) != 0 && button.iString != -1 {
        let len = bar.ask(TB_GETBUTTONTEXT, command as usize, 0);
        if usize::try_from(len).is_ok_and(|len| len > 0 && len < out.text.len()) {
            let at = out.text.as_mut_ptr().expose_provenance().cast_signed();
            let len = bar.ask(TB_GETBUTTONTEXT, command as usize, at);
            out.write_text(Key::ItemText, bar.window, usize::try_from(len).unwrap_or(0).min(out.text.len()));
        }
    }
}

/// Whether a change of a list view's item is one of its selection, focus or check box, and not its first state.
pub(crate) fn is_item_change(at: *const NMHDR) -> bool {
    const LVIF_STATE: u32 = 8;
    const IMAGE: u32 = 0xF000;
    guarded::read(at.cast::<NMLISTVIEW>()).is_none_or(|change| {
        let changed = change.uNewState ^ change.uOldState;
        let is_first_image = changed & !IMAGE == 0 && change.uOldState & IMAGE == 0;
        change.uChanged.0 & LVIF_STATE != 0 && changed & (IMAGE | 3) != 0 && !is_first_image
    })
}

/// The item a WM_NOTIFY is about.
pub(crate) fn of_notification(out: &mut Out<'_, '_>, header: &NMHDR, at: *const NMHDR) {
    let window = Window(header.hwndFrom.0.addr());
    let kind = kind_of_window(window);
    let code = header.code.cast_signed();
    match kind {
        Kind::ListView => of_list_view(out, window, code, at),
        Kind::TreeView => of_tree(out, window, code, at),
        Kind::Tab if code == -551 => of_tab(out, window),
        Kind::Header => of_header(out, window, code, at),
        Kind::ToolBar => {
            // TBN_DROPDOWN; NM_CLICK and its like.
            let command = match code {
                -710 => guarded::read(at.cast::<NMTOOLBARW>()).map(|bar| i64::from(bar.iItem)),
                -6..=-2 => guarded::read(at.cast::<NMMOUSE>()).map(|mouse| mouse.dwItemSpec as i64),
                _ => None,
            };
            if let (Some(command), Some(bar)) =
                (command.and_then(|c| u32::try_from(c).ok()), Control::of(window.0))
            {
                tool_button(out, &bar, command);
            }
        }
        Kind::StatusBar => {
            if let Some(mouse) = guarded::read(at.cast::<NMMOUSE>()) {
                out.index(mouse.dwItemSpec as isize);
            }
        }
        Kind::Link => {
            if let Some(link) = guarded::read(at.cast::<NMLINK>()) {
                out.index(link.item.iLink as isize);
            }
        }
        _ => of_value(out, code, at),
    }
}

/// Controls whose value is in the notification.
fn of_value(out: &mut Out<'_, '_>, code: i32, at: *const NMHDR) {
    match code {
        // UDN_DELTAPOS
        -722 => {
            if let Some(spin) = guarded::read(at.cast::<NMUPDOWN>()) {
                out.number(Key::ItemValue, i64::from(spin.iPos.wrapping_add(spin.iDelta)));
            }
        }
        // DTN_DATETIMECHANGE; without a date its check box is off.
        -759 => {
            if let Some(date) = guarded::read(at.cast::<NMDATETIMECHANGE>()) {
                let is_set = date.dwFlags.0 == 0;
                out.number(Key::ItemState, i64::from(is_set));
                if is_set {
                    out.payload.wide(Key::Text, Line::date(&date.st).units());
                }
            }
        }
        // MCN_SELECT
        -746 => {
            if let Some(days) = guarded::read(at.cast::<NMSELCHANGE>()) {
                let mut line = Line::date(&days.stSelStart);
                line.put(b'/');
                line.put_date(&days.stSelEnd);
                out.payload.wide(Key::Text, line.units());
            }
        }
        // IPN_FIELDCHANGED
        -860 => {
            if let Some(address) = guarded::read(at.cast::<NMIPADDRESS>()) {
                out.index(address.iField as isize);
                out.number(Key::ItemValue, i64::from(address.iValue));
            }
        }
        _ => {}
    }
}

fn of_list_view(out: &mut Out<'_, '_>, window: Window, code: i32, at: *const NMHDR) {
    match code {
        // LVN_ITEMCHANGED, LVN_BEGINDRAG, LVN_BEGINRDRAG
        -101 | -109 | -111 => {
            let Some(change) = guarded::read(at.cast::<NMLISTVIEW>()) else { return };
            out.index(change.iItem as isize);
            if code == -101 {
                out.number(Key::ItemState, i64::from(change.uNewState));
                out.number(Key::ItemOldState, i64::from(change.uOldState));
            }
            list_view_text(out, window, change.iItem);
        }
        // NM_RETURN carries no item, and LVN_ITEMACTIVATE not always one: the item that has the focus.
        -4 | -114 => {
            if let Some(index) = focused_item(window) {
                out.index(index as isize);
                list_view_text(out, window, index);
            }
        }
        // NM_CLICK, NM_DBLCLK, NM_RCLICK, NM_RDBLCLK
        -6..=-2 => {
            let Some(item) = guarded::read(at.cast::<NMITEMACTIVATE>()) else { return };
            out.index(item.iItem as isize);
            out.number(Key::ItemColumn, i64::from(item.iSubItem));
            list_view_text(out, window, item.iItem);
        }
        // LVN_COLUMNCLICK
        -108 => {
            const LVM_GETHEADER: u32 = 0x101F;
            let Some(click) = guarded::read(at.cast::<NMLISTVIEW>()) else { return };
            out.number(Key::ItemColumn, i64::from(click.iSubItem));
            if let Some(view) = Control::of(window.0)
                && let Some(header) = Control::of(view.ask(LVM_GETHEADER, 0, 0).cast_unsigned())
            {
                header_text(out, &header, click.iSubItem);
            }
        }
        // LVN_ENDLABELEDIT, A and W; without a text it was given up.
        -106 | -176 => {
            let Some(edit) = guarded::read(at.cast::<NMLVDISPINFOW>()) else { return };
            out.index(edit.item.iItem as isize);
            out.write_label(window, edit.item.pszText, code == -176);
        }
        // LVN_ODSTATECHANGED: a range of a virtual list.
        -115 => {
            let Some(range) = guarded::read(at.cast::<NMLVODSTATECHANGE>()) else { return };
            out.index(range.iFrom as isize);
            out.number(Key::ItemState, i64::from(range.uNewState.0));
            out.number(Key::ItemOldState, i64::from(range.uOldState.0));
            let mut line = Line::new();
            line.number(range.iFrom.unsigned_abs());
            line.put(b'-');
            line.number(range.iTo.unsigned_abs());
            out.payload.wide(Key::ItemSelection, line.units());
        }
        _ => {}
    }
}

/// The item of a list view that has the focus, unless the host itself would be asked for it.
fn focused_item(window: Window) -> Option<i32> {
    const LVM_GETCALLBACKMASK: u32 = 0x100A;
    const LVM_GETNEXTITEM: u32 = 0x100C;
    const LVIS_FOCUSED: isize = 1;
    const LVNI_FOCUSED: isize = 1;
    let view = Control::of(window.0)?;
    if view.ask(LVM_GETCALLBACKMASK, 0, 0) & LVIS_FOCUSED != 0 {
        return None;
    }
    let index = view.ask(LVM_GETNEXTITEM, usize::MAX, LVNI_FOCUSED);
    i32::try_from(index).ok().filter(|&index| index >= 0)
}

fn list_view_text(out: &mut Out<'_, '_>, window: Window, index: i32) {
    const LVM_GETITEM: u32 = 0x104B;
    const LVS_OWNERDATA: u32 = 0x1000;
    const TEXT_WITHOUT_ASKING: u32 = 0x0001 | 0x0800;
    if index < 0 || window.style() & LVS_OWNERDATA != 0 {
        return;
    }
    let Some(view) = Control::of(window.0) else { return };
    let room = out.text.len().min(512);
    out.text[0] = 0;
    let mut item = LVITEMW {
        mask: windows::Win32::UI::Controls::LIST_VIEW_ITEM_FLAGS(TEXT_WITHOUT_ASKING),
        iItem: index,
        pszText: PWSTR(out.text.as_mut_ptr()),
        cchTextMax: room as i32,
        ..Default::default()
    };
    let text = out.text.as_ptr();
    // The control may answer with a pointer of its own instead of filling the buffer, or with LPSTR_TEXTCALLBACK.
    if view.ask_with(LVM_GETITEM, 0, &mut item) != 0 && std::ptr::eq(item.pszText.0, text) {
        let len = out.text[..room].iter().position(|&unit| unit == 0).unwrap_or(room);
        out.write_text(Key::ItemText, window, len);
    }
}

fn of_tab(out: &mut Out<'_, '_>, window: Window) {
    const TCM_GETCURSEL: u32 = 0x130B;
    const TCM_GETITEM: u32 = 0x133C;
    const TCIF_TEXT: u32 = 1;
    let Some(tab) = Control::of(window.0) else { return };
    let index = tab.ask(TCM_GETCURSEL, 0, 0);
    out.index(index);
    let Ok(index) = usize::try_from(index) else { return };
    let room = out.text.len().min(512);
    out.text[0] = 0;
    let mut item = TCITEMW {
        mask: windows::Win32::UI::Controls::TCITEMHEADERA_MASK(TCIF_TEXT),
        pszText: PWSTR(out.text.as_mut_ptr()),
        cchTextMax: room as i32,
        ..Default::default()
    };
    if tab.ask_with(TCM_GETITEM, index, &mut item) != 0 && std::ptr::eq(item.pszText.0, out.text.as_ptr()) {
        let len = out.text[..room].iter().position(|&unit| unit == 0).unwrap_or(room);
        out.write_text(Key::ItemText, window, len);
    }
}

fn of_header(out: &mut Out<'_, '_>, window: Window, code: i32, at: *const NMHDR) {
    const HDI_WIDTH: u32 = 1;
    let Some(header) = guarded::read(at.cast::<NMHEADERW>()) else { return };
    if code == -16 {
        return;
    }
    out.index(header.iItem as isize);
    // HDN_ENDTRACK: the new width.
    if matches!(code, -307 | -327)
        && let Some(item) = guarded::read(header.pitem.cast_const())
        && item.mask.0 & HDI_WIDTH != 0
    {
        out.number(Key::ItemValue, i64::from(item.cxy));
    }
    if let Some(control) = Control::of(window.0) {
        header_text(out, &control, header.iItem);
    }
}

fn header_text(out: &mut Out<'_, '_>, header: &Control, index: i32) {
    const HDM_GETITEM: u32 = 0x120B;
    const HDI_TEXT: u32 = 2;
    let Ok(index) = usize::try_from(index) else { return };
    if !WATCHED.contains(header.window.0) {
        return;
    }
    let room = out.text.len().min(260);
    out.text[0] = 0;
    let mut item = HDITEMW {
        mask: windows::Win32::UI::Controls::HDI_MASK(HDI_TEXT),
        pszText: PWSTR(out.text.as_mut_ptr()),
        cchTextMax: room as i32,
        ..Default::default()
    };
    if header.ask_with(HDM_GETITEM, index, &mut item) != 0 && std::ptr::eq(item.pszText.0, out.text.as_ptr())
    {
        let len = out.text[..room].iter().position(|&unit| unit == 0).unwrap_or(room);
        out.write_text(Key::ItemText, header.window, len);
    }
}

fn of_tree(out: &mut Out<'_, '_>, window: Window, code: i32, at: *const NMHDR) {
    const TVM_GETNEXTITEM: u32 = 0x110A;
    const TVM_HITTEST: u32 = 0x1111;
    const TVGN_CARET: usize = 9;
    let Some(tree) = Control::of(window.0) else { return };
    let item = match code {
        // NM_RETURN: the item that has the focus.
        -4 => tree.ask(TVM_GETNEXTITEM, TVGN_CARET, 0).cast_unsigned(),
        // NM_CLICK, NM_DBLCLK, NM_RCLICK, NM_RDBLCLK carry no item: the one under the pointer.
        -6..=-2 => {
            let (x, y) = win32::message_position();
            let Some((x, y)) = window.to_client(x, y) else { return };
            let mut hit = TVHITTESTINFO { pt: POINT { x, y }, ..Default::default() };
            tree.ask_with(TVM_HITTEST, 0, &mut hit);
            out.number(Key::ItemValue, i64::from(hit.flags.0));
            hit.hItem.0.cast_unsigned()
        }
        // TVN_ENDLABELEDIT, A and W
        -411 | -460 => {
            let Some(edit) = guarded::read(at.cast::<NMTVDISPINFOW>()) else { return };
            out.write_label(window, edit.item.pszText, code == -460);
            edit.item.hItem.0.cast_unsigned()
        }
        // TVN_SELCHANGED, TVN_ITEMEXPANDED, TVN_BEGINDRAG, A and W
        -402 | -451 | -406 | -455 | -407 | -456 => {
            let Some(change) = guarded::read(at.cast::<NMTREEVIEWW>()) else { return };
            out.number(Key::ItemState, i64::from(change.itemNew.state.0));
            out.number(Key::ItemValue, i64::from(change.action.0));
            change.itemNew.hItem.0.cast_unsigned()
        }
        _ => return,
    };
    if item != 0 {
        out.number(Key::ItemHandle, item as i64);
        tree_path(out, &tree, item);
    }
}

/// The way from the root to an item: places, and labels where they may be read.
fn tree_path(out: &mut Out<'_, '_>, tree: &Control, item: usize) {
    const TVM_GETNEXTITEM: u32 = 0x110A;
    const TVM_GETITEM: u32 = 0x113E;
    const TVGN_PARENT: usize = 3;
    const TVIF_TEXT: u32 = 1;
    let next = |way: usize, item: usize| tree.ask(TVM_GETNEXTITEM, way, item.cast_signed()).cast_unsigned();
    let mut way = [0; MAX_DEPTH];
    let mut depth = 0;
    let mut at = item;
    while at != 0 && depth < MAX_DEPTH {
        way[depth] = at;
        depth += 1;
        at = next(TVGN_PARENT, at);
    }
    let way = &way[..depth];
    if at == 0
        && let Some(places) = tree_places(way, next)
    {
        out.payload.wide(Key::ItemIndexPath, places.units());
    }
    if at != 0 || !WATCHED.contains(tree.window.0) {
        return;
    }
    let mut len = 0;
    for &item in way.iter().rev() {
        if len > 0 && len + 1 < out.text.len() {
            out.text[len] = SEPARATOR;
            len += 1;
        }
        let room = out.text.len().saturating_sub(len).min(260);
        if room < 2 {
            break;
        }
        let label = &mut out.text[len..len + room];
        label[0] = 0;
        let mut info = TVITEMW {
            mask: windows::Win32::UI::Controls::TVITEM_MASK(TVIF_TEXT),
            hItem: windows::Win32::UI::Controls::HTREEITEM(item.cast_signed()),
            pszText: PWSTR(label.as_mut_ptr()),
            cchTextMax: room as i32,
            ..Default::default()
        };
        if tree.ask_with(TVM_GETITEM, 0, &mut info) == 0 {
            return;
        }
        len += label.iter().position(|&unit| unit == 0).unwrap_or(0);
    }
    out.write_text(Key::ItemPath, tree.window, len);
}

/// The place of each item among its siblings, from the root; nothing if one is too far down.
fn tree_places(way: &[usize], next: impl Fn(usize, usize) -> usize) -> Option<Line> {
    const TVGN_PREVIOUS: usize = 2;
    let mut places = Line::new();
    for (i, &item) in way.iter().rev().enumerate() {
        if i > 0 {
            places.put(b'/');
        }
        let before =
            std::iter::successors(Some(item), |&item| Some(next(TVGN_PREVIOUS, item)).filter(|&i| i != 0));
        let count = before.take(MAX_PLACE + 1).count();
        if count > MAX_PLACE {
            return None;
        }
        places.number(count as u32 - 1);
    }
    Some(places)
}

/// A short text of ASCII, put together without the heap.
struct Line {
    units: [u16; 512],
    len: usize,
}

impl Line {
    fn new() -> Self {
        Self { units: [0; 512], len: 0 }
    }

    /// `2026-11-16T09:00:00`
    fn date(date: &SYSTEMTIME) -> Self {
        let mut line = Self::new();
        line.put_date(date);
        line
    }

    fn put_date(&mut self, d: &SYSTEMTIME) {
        let parts = [
            (d.wYear, 4, b'-'),
            (d.wMonth, 2, b'-'),
            (d.wDay, 2, b'T'),
            (d.wHour, 2, b':'),
            (d.wMinute, 2, b':'),
        ];
        for (number, width, end) in parts.into_iter().chain([(d.wSecond, 2, 0)]) {
            for place in (0..width).rev() {
                self.put(b'0' + (number / 10u16.pow(place) % 10) as u8);
            }
            if end != 0 {
                self.put(end);
            }
        }
    }

    fn put(&mut self, character: u8) {
        if let Some(slot) = self.units.get_mut(self.len) {
            *slot = u16::from(character);
            self.len += 1;
        }
    }

    fn number(&mut self, number: u32) {
        let digits = number.checked_ilog10().unwrap_or(0);
        for place in (0..=digits).rev() {
            self.put(b'0' + (number / 10u32.pow(place) % 10) as u8);
        }
    }

    fn units(&self) -> &[u16] {
        &self.units[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_too_far_down_a_tree_is_not_told() {
        // Items are numbers; the one before is one less, down to none.
        let next = |_, item: usize| item % 10_000 - 1;
        let places =
            |way: &[usize]| tree_places(way, next).map(|line| String::from_utf16_lossy(line.units()));
        assert_eq!(places(&[3, 20_001]), Some("0/2".into()));
        assert_eq!(places(&[MAX_PLACE]), Some((MAX_PLACE - 1).to_string()));
        assert_eq!(places(&[MAX_PLACE + 1]), None);
    }

    #[test]
    fn lines_are_put_together_without_the_heap() {
        let mut line = Line::new();
        line.number(0);
        line.put(b',');
        line.number(1_204_050);
        assert_eq!(String::from_utf16_lossy(line.units()), "0,1204050");
        let date = SYSTEMTIME {
            wYear: 2026,
            wMonth: 3,
            wDay: 9,
            wHour: 7,
            wMinute: 5,
            wSecond: 59,
            ..Default::default()
        };
        assert_eq!(String::from_utf16_lossy(Line::date(&date).units()), "2026-03-09T07:05:59");
    }
}
