//! Which item a WM_NOTIFY is about: list views, trees, tabs, headers, tool bars, and the controls whose value
//! is in the notification.
//!
//! The structure behind the header is read guarded; the control is asked only for what it does not tell.

use crate::callback::ascii_text::AsciiText;
use crate::callback::command_items::tool_button;
use crate::callback::item_writer::{ItemWriter, SEPARATOR};
use crate::callback::text_callbacks::is_text_safe;
use crate::shared::controls::{Control, Kind, kind_of_window};
use crate::system::guarded;
use crate::system::win32::{self, Window};
use message_log::Key;
use windows::Win32::Foundation::POINT;
use windows::Win32::UI::Controls::{
    HDITEMW, LITEM, LVITEMW, NMDATETIMECHANGE, NMHDR, NMHEADERW, NMIPADDRESS, NMITEMACTIVATE, NMLINK,
    NMLISTVIEW, NMLVDISPINFOW, NMLVODSTATECHANGE, NMMOUSE, NMSELCHANGE, NMTOOLBARW, NMTREEVIEWW,
    NMTVDISPINFOW, NMUPDOWN, TCITEMW, TVHITTESTINFO, TVITEMW,
};
use windows::core::PWSTR;

/// Of an item deeper in a tree, or further down a branch, no place is told: a wrong one would be worse.
const MAX_DEPTH: usize = 32;
const MAX_PLACE: usize = 8192;

/// Whether a change of a list view's item is one of its selection, focus or check box, and not
/// its first state.
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
pub(crate) fn of_notification(out: &mut ItemWriter<'_, '_>, header: &NMHDR, at: *const NMHDR) {
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
                link_name(out, window, &link.item);
            }
        }
        _ => of_value(out, code, at),
    }
}

/// What a link is called in its text: its id, or else its address.
fn link_name(out: &mut ItemWriter<'_, '_>, window: Window, link: &LITEM) {
    let name: &[u16] = if link.szID[0] == 0 { &link.szUrl } else { &link.szID };
    let room = name.len().min(out.text.len());
    out.text[..room].copy_from_slice(&name[..room]);
    let filled = PWSTR(out.text.as_mut_ptr());
    out.write_filled(window, filled, room);
}

/// Controls whose value is in the notification.
fn of_value(out: &mut ItemWriter<'_, '_>, code: i32, at: *const NMHDR) {
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
                    out.payload.wide(Key::Text, AsciiText::date(&date.st).units());
                }
            }
        }
        // MCN_SELECT
        -746 => {
            if let Some(days) = guarded::read(at.cast::<NMSELCHANGE>()) {
                let mut line = AsciiText::date(&days.stSelStart);
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

fn of_list_view(out: &mut ItemWriter<'_, '_>, window: Window, code: i32, at: *const NMHDR) {
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
        // LVN_BEGINLABELEDIT, A and W
        -105 | -175 => {
            let Some(edit) = guarded::read(at.cast::<NMLVDISPINFOW>()) else { return };
            out.index(edit.item.iItem as isize);
            list_view_text(out, window, edit.item.iItem);
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
            let mut line = AsciiText::new();
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

fn list_view_text(out: &mut ItemWriter<'_, '_>, window: Window, index: i32) {
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
    if view.ask_with(LVM_GETITEM, 0, &mut item) != 0 {
        out.write_filled(window, item.pszText, room);
    }
}

fn of_tab(out: &mut ItemWriter<'_, '_>, window: Window) {
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
    if tab.ask_with(TCM_GETITEM, index, &mut item) != 0 {
        out.write_filled(window, item.pszText, room);
    }
}

fn of_header(out: &mut ItemWriter<'_, '_>, window: Window, code: i32, at: *const NMHDR) {
    const HDI_WIDTH: u32 = 1;
    const HDI_ORDER: u32 = 0x80;
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
    // HDN_ENDDRAG: the new place.
    if code == -311
        && let Some(item) = guarded::read(header.pitem.cast_const())
        && item.mask.0 & HDI_ORDER != 0
    {
        out.number(Key::ItemValue, i64::from(item.iOrder));
    }
    if let Some(control) = Control::of(window.0) {
        header_text(out, &control, header.iItem);
    }
}

fn header_text(out: &mut ItemWriter<'_, '_>, header: &Control, index: i32) {
    const HDM_GETITEM: u32 = 0x120B;
    const HDI_TEXT: u32 = 2;
    let Ok(index) = usize::try_from(index) else { return };
    if !is_text_safe(header.window) {
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
    if header.ask_with(HDM_GETITEM, index, &mut item) != 0 {
        out.write_filled(header.window, item.pszText, room);
    }
}

fn of_tree(out: &mut ItemWriter<'_, '_>, window: Window, code: i32, at: *const NMHDR) {
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
        // TVN_BEGINLABELEDIT, A and W
        -410 | -459 => {
            let Some(edit) = guarded::read(at.cast::<NMTVDISPINFOW>()) else { return };
            edit.item.hItem.0.cast_unsigned()
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
fn tree_path(out: &mut ItemWriter<'_, '_>, tree: &Control, item: usize) {
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
    if at != 0 || !is_text_safe(tree.window) {
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
fn tree_places(way: &[usize], next: impl Fn(usize, usize) -> usize) -> Option<AsciiText> {
    const TVGN_PREVIOUS: usize = 2;
    let mut places = AsciiText::new();
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
}
