//! The item that a WM_NOTIFY is about: of list views, trees, tabs, headers, tool bars; and the value of
//! controls that report it.
//!
//! The recorder reads the notification's structure, and queries the control only for what is not in it.

use crate::callback::ascii_text::AsciiText;
use crate::callback::command_items::tool_button;
use crate::callback::item_writer::{ItemWriter, SEPARATOR};
use crate::callback::text_callbacks::is_text_safe;
use crate::shared::controls::{QueryableControl, control_of};
use crate::system::guarded;
use crate::system::input;
use crate::system::window::Window;
use message_log::Key;
use win32_vocabulary::Control;
use win32_vocabulary::items::{
    HDI_ORDER, HDI_TEXT, HDI_WIDTH, LVIF_STATE, LVIF_TEXT, LVIS_FOCUSED, LVIS_SELECTED, LVIS_STATEIMAGEMASK,
    LVNI_FOCUSED, TCIF_TEXT, TVGN_CARET, TVGN_PARENT, TVGN_PREVIOUS, TVIF_TEXT,
};
use win32_vocabulary::messages::{
    HDM_GETITEMW, LVM_GETCALLBACKMASK, LVM_GETHEADER, LVM_GETITEMW, LVM_GETNEXTITEM, TCM_GETCURSEL,
    TCM_GETITEMW, TVM_GETITEMW, TVM_GETNEXTITEM, TVM_HITTEST,
};
use win32_vocabulary::notifications::{
    DTN_DATETIMECHANGE, HDN_ENDDRAG, HDN_ENDTRACKA, HDN_ENDTRACKW, IPN_FIELDCHANGED, LVN_BEGINDRAG,
    LVN_BEGINLABELEDITA, LVN_BEGINLABELEDITW, LVN_BEGINRDRAG, LVN_COLUMNCLICK, LVN_ENDLABELEDITA,
    LVN_ENDLABELEDITW, LVN_ITEMACTIVATE, LVN_ITEMCHANGED, LVN_ODSTATECHANGED, MCN_SELECT, NM_CLICK,
    NM_DBLCLK, NM_RCLICK, NM_RDBLCLK, NM_RELEASEDCAPTURE, NM_RETURN, TBN_DROPDOWN, TCN_SELCHANGE,
    TVN_BEGINDRAGA, TVN_BEGINDRAGW, TVN_BEGINLABELEDITA, TVN_BEGINLABELEDITW, TVN_ENDLABELEDITA,
    TVN_ENDLABELEDITW, TVN_ITEMEXPANDEDA, TVN_ITEMEXPANDEDW, TVN_SELCHANGEDA, TVN_SELCHANGEDW, UDN_DELTAPOS,
};
use win32_vocabulary::styles::LVS_OWNERDATA;
use windows::Win32::Foundation::POINT;
use windows::Win32::UI::Controls::{
    HDITEMW, LIST_VIEW_ITEM_FLAGS, LITEM, LVIF_NORECOMPUTE, LVITEMW, NMDATETIMECHANGE, NMHDR, NMHEADERW,
    NMIPADDRESS, NMITEMACTIVATE, NMLINK, NMLISTVIEW, NMLVDISPINFOW, NMLVODSTATECHANGE, NMMOUSE, NMSELCHANGE,
    NMTOOLBARW, NMTREEVIEWW, NMTVDISPINFOW, NMUPDOWN, TCITEMW, TVHITTESTINFO, TVITEMW,
};
use windows::core::PWSTR;

/// The position of an item deeper in a tree, or further down a branch, is not recorded: a wrong
/// one would be worse.
const MAX_DEPTH: usize = 32;
const MAX_POSITION: usize = 8192;

/// Whether a change of a list view's item is one of selection, focus or check box, and not the
/// item's first state.
pub(crate) fn is_item_change(at: *const NMHDR) -> bool {
    guarded::read(at.cast::<NMLISTVIEW>()).is_none_or(|change| {
        let changed = change.uNewState ^ change.uOldState;
        let is_first_image =
            changed & !LVIS_STATEIMAGEMASK == 0 && change.uOldState & LVIS_STATEIMAGEMASK == 0;
        let relevant = LVIS_STATEIMAGEMASK | LVIS_FOCUSED | LVIS_SELECTED;
        change.uChanged.0 & LVIF_STATE != 0 && changed & relevant != 0 && !is_first_image
    })
}

/// Writes the item that a WM_NOTIFY is about.
pub(crate) fn of_notification(out: &mut ItemWriter<'_, '_>, header: &NMHDR, at: *const NMHDR) {
    let window = Window(header.hwndFrom.0.addr());
    let control = control_of(window);
    let code = header.code.cast_signed();
    match control {
        Control::ListView => of_list_view(out, window, code, at),
        Control::TreeView => of_tree(out, window, code, at),
        Control::Tab if code == TCN_SELCHANGE => of_tab(out, window),
        Control::Header => of_header(out, window, code, at),
        Control::ToolBar => {
            let command = match code {
                TBN_DROPDOWN => guarded::read(at.cast::<NMTOOLBARW>()).map(|bar| i64::from(bar.iItem)),
                NM_RDBLCLK..=NM_CLICK => {
                    guarded::read(at.cast::<NMMOUSE>()).map(|mouse| mouse.dwItemSpec as i64)
                }
                _ => None,
            };
            if let (Some(command), Some(bar)) =
                (command.and_then(|c| u32::try_from(c).ok()), QueryableControl::of(window.0))
            {
                tool_button(out, &bar, command);
            }
        }
        Control::StatusBar => {
            if let Some(mouse) = guarded::read(at.cast::<NMMOUSE>()) {
                out.index(mouse.dwItemSpec as isize);
            }
        }
        Control::Link => {
            if let Some(link) = guarded::read(at.cast::<NMLINK>()) {
                out.index(link.item.iLink as isize);
                link_name(out, window, &link.item);
            }
        }
        _ => of_value(out, code, at),
    }
}

/// Writes the id of a link, or else its address.
fn link_name(out: &mut ItemWriter<'_, '_>, window: Window, link: &LITEM) {
    let name: &[u16] = if link.szID[0] == 0 { &link.szUrl } else { &link.szID };
    let room = name.len().min(out.text.len());
    out.text[..room].copy_from_slice(&name[..room]);
    let filled = PWSTR(out.text.as_mut_ptr());
    out.write_filled(window, filled, room);
}

/// Writes the value of a control that reports it in the notification.
fn of_value(out: &mut ItemWriter<'_, '_>, code: i32, at: *const NMHDR) {
    match code {
        UDN_DELTAPOS => {
            if let Some(spin) = guarded::read(at.cast::<NMUPDOWN>()) {
                out.number(Key::ItemValue, i64::from(spin.iPos.wrapping_add(spin.iDelta)));
            }
        }
        // Without a date its check box is off.
        DTN_DATETIMECHANGE => {
            if let Some(date) = guarded::read(at.cast::<NMDATETIMECHANGE>()) {
                let is_set = date.dwFlags.0 == 0;
                out.number(Key::ItemState, i64::from(is_set));
                if is_set {
                    out.payload.wide(Key::Text, AsciiText::date(&date.st).units());
                }
            }
        }
        MCN_SELECT => {
            if let Some(days) = guarded::read(at.cast::<NMSELCHANGE>()) {
                let mut text = AsciiText::date(&days.stSelStart);
                text.push(b'/');
                text.push_date(&days.stSelEnd);
                out.payload.wide(Key::Text, text.units());
            }
        }
        IPN_FIELDCHANGED => {
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
        LVN_ITEMCHANGED | LVN_BEGINDRAG | LVN_BEGINRDRAG => {
            let Some(change) = guarded::read(at.cast::<NMLISTVIEW>()) else { return };
            out.index(change.iItem as isize);
            if code == LVN_ITEMCHANGED {
                out.number(Key::ItemState, i64::from(change.uNewState));
                out.number(Key::ItemOldState, i64::from(change.uOldState));
            }
            list_view_text(out, window, change.iItem);
        }
        // NM_RETURN has no item, LVN_ITEMACTIVATE not always: it is the item that has the focus.
        NM_RETURN | LVN_ITEMACTIVATE => {
            if let Some(index) = focused_item(window) {
                out.index(index as isize);
                list_view_text(out, window, index);
            }
        }
        NM_CLICK | NM_DBLCLK | NM_RCLICK | NM_RDBLCLK => {
            let Some(item) = guarded::read(at.cast::<NMITEMACTIVATE>()) else { return };
            out.index(item.iItem as isize);
            out.number(Key::ItemColumn, i64::from(item.iSubItem));
            list_view_text(out, window, item.iItem);
        }
        LVN_COLUMNCLICK => {
            let Some(click) = guarded::read(at.cast::<NMLISTVIEW>()) else { return };
            out.number(Key::ItemColumn, i64::from(click.iSubItem));
            if let Some(view) = QueryableControl::of(window.0)
                && let Some(header) = QueryableControl::of(view.query(LVM_GETHEADER, 0, 0).cast_unsigned())
            {
                header_text(out, &header, click.iSubItem);
            }
        }
        LVN_BEGINLABELEDITA | LVN_BEGINLABELEDITW => {
            let Some(edit) = guarded::read(at.cast::<NMLVDISPINFOW>()) else { return };
            out.index(edit.item.iItem as isize);
            list_view_text(out, window, edit.item.iItem);
        }
        // Without a text the user cancelled it.
        LVN_ENDLABELEDITA | LVN_ENDLABELEDITW => {
            let Some(edit) = guarded::read(at.cast::<NMLVDISPINFOW>()) else { return };
            out.index(edit.item.iItem as isize);
            out.write_label(window, edit.item.pszText, code == LVN_ENDLABELEDITW);
        }
        // A range of a virtual list.
        LVN_ODSTATECHANGED => {
            let Some(range) = guarded::read(at.cast::<NMLVODSTATECHANGE>()) else { return };
            out.index(range.iFrom as isize);
            out.number(Key::ItemState, i64::from(range.uNewState.0));
            out.number(Key::ItemOldState, i64::from(range.uOldState.0));
            let mut text = AsciiText::new();
            text.push_number(range.iFrom.unsigned_abs());
            text.push(b'-');
            text.push_number(range.iTo.unsigned_abs());
            out.payload.wide(Key::ItemSelection, text.units());
        }
        _ => {}
    }
}

/// The item of a list view that has the focus, unless the control would ask the host for it.
fn focused_item(window: Window) -> Option<i32> {
    let view = QueryableControl::of(window.0)?;
    if view.query(LVM_GETCALLBACKMASK, 0, 0) & LVIS_FOCUSED as isize != 0 {
        return None;
    }
    let index = view.query(LVM_GETNEXTITEM, usize::MAX, LVNI_FOCUSED as isize);
    i32::try_from(index).ok().filter(|&index| index >= 0)
}

fn list_view_text(out: &mut ItemWriter<'_, '_>, window: Window, index: i32) {
    if index < 0 || window.style() & LVS_OWNERDATA != 0 {
        return;
    }
    let Some(view) = QueryableControl::of(window.0) else { return };
    let room = out.text.len().min(512);
    out.text[0] = 0;
    let mut item = LVITEMW {
        mask: LIST_VIEW_ITEM_FLAGS(LVIF_TEXT) | LVIF_NORECOMPUTE,
        iItem: index,
        pszText: PWSTR(out.text.as_mut_ptr()),
        cchTextMax: room as i32,
        ..Default::default()
    };
    if view.query_with(LVM_GETITEMW, 0, &mut item) != 0 {
        out.write_filled(window, item.pszText, room);
    }
}

fn of_tab(out: &mut ItemWriter<'_, '_>, window: Window) {
    let Some(tab) = QueryableControl::of(window.0) else { return };
    let index = tab.query(TCM_GETCURSEL, 0, 0);
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
    if tab.query_with(TCM_GETITEMW, index, &mut item) != 0 {
        out.write_filled(window, item.pszText, room);
    }
}

fn of_header(out: &mut ItemWriter<'_, '_>, window: Window, code: i32, at: *const NMHDR) {
    let Some(header) = guarded::read(at.cast::<NMHEADERW>()) else { return };
    if code == NM_RELEASEDCAPTURE {
        return;
    }
    out.index(header.iItem as isize);
    // The new width.
    if matches!(code, HDN_ENDTRACKA | HDN_ENDTRACKW)
        && let Some(item) = guarded::read(header.pitem.cast_const())
        && item.mask.0 & HDI_WIDTH != 0
    {
        out.number(Key::ItemValue, i64::from(item.cxy));
    }
    // The new position.
    if code == HDN_ENDDRAG
        && let Some(item) = guarded::read(header.pitem.cast_const())
        && item.mask.0 & HDI_ORDER != 0
    {
        out.number(Key::ItemValue, i64::from(item.iOrder));
    }
    if let Some(control) = QueryableControl::of(window.0) {
        header_text(out, &control, header.iItem);
    }
}

fn header_text(out: &mut ItemWriter<'_, '_>, header: &QueryableControl, index: i32) {
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
    if header.query_with(HDM_GETITEMW, index, &mut item) != 0 {
        out.write_filled(header.window, item.pszText, room);
    }
}

fn of_tree(out: &mut ItemWriter<'_, '_>, window: Window, code: i32, at: *const NMHDR) {
    let Some(tree) = QueryableControl::of(window.0) else { return };
    let item = match code {
        // It has no item: it is the one that has the focus.
        NM_RETURN => tree.query(TVM_GETNEXTITEM, TVGN_CARET as usize, 0).cast_unsigned(),
        // They have no item: it is the one under the pointer.
        NM_CLICK | NM_DBLCLK | NM_RCLICK | NM_RDBLCLK => {
            let (x, y) = input::message_position();
            let Some((x, y)) = window.to_client(x, y) else { return };
            let mut hit = TVHITTESTINFO { pt: POINT { x, y }, ..Default::default() };
            tree.query_with(TVM_HITTEST, 0, &mut hit);
            out.number(Key::ItemValue, i64::from(hit.flags.0));
            hit.hItem.0.cast_unsigned()
        }
        TVN_BEGINLABELEDITA | TVN_BEGINLABELEDITW => {
            let Some(edit) = guarded::read(at.cast::<NMTVDISPINFOW>()) else { return };
            edit.item.hItem.0.cast_unsigned()
        }
        TVN_ENDLABELEDITA | TVN_ENDLABELEDITW => {
            let Some(edit) = guarded::read(at.cast::<NMTVDISPINFOW>()) else { return };
            out.write_label(window, edit.item.pszText, code == TVN_ENDLABELEDITW);
            edit.item.hItem.0.cast_unsigned()
        }
        TVN_SELCHANGEDA | TVN_SELCHANGEDW | TVN_ITEMEXPANDEDA | TVN_ITEMEXPANDEDW | TVN_BEGINDRAGA
        | TVN_BEGINDRAGW => {
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

/// Writes the path from the root to an item: positions, and labels if they can be read.
fn tree_path(out: &mut ItemWriter<'_, '_>, tree: &QueryableControl, item: usize) {
    let next = |relation: u32, item: usize| {
        tree.query(TVM_GETNEXTITEM, relation as usize, item.cast_signed()).cast_unsigned()
    };
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
        && let Some(positions) = tree_positions(way, next)
    {
        out.payload.wide(Key::ItemIndexPath, positions.units());
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
        if tree.query_with(TVM_GETITEMW, 0, &mut info) == 0 {
            return;
        }
        len += label.iter().position(|&unit| unit == 0).unwrap_or(0);
    }
    out.write_text(Key::ItemPath, tree.window, len);
}

/// The position of each item among its siblings, from the root; nothing if one is too far down.
fn tree_positions(way: &[usize], next: impl Fn(u32, usize) -> usize) -> Option<AsciiText> {
    let mut positions = AsciiText::new();
    for (i, &item) in way.iter().rev().enumerate() {
        if i > 0 {
            positions.push(b'/');
        }
        let before =
            std::iter::successors(Some(item), |&item| Some(next(TVGN_PREVIOUS, item)).filter(|&i| i != 0));
        let count = before.take(MAX_POSITION + 1).count();
        if count > MAX_POSITION {
            return None;
        }
        positions.push_number(count as u32 - 1);
    }
    Some(positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_too_far_down_a_tree_is_not_recorded() {
        // Items are numbers; the previous one is one less, down to none.
        let next = |_, item: usize| item % 10_000 - 1;
        let places =
            |way: &[usize]| tree_positions(way, next).map(|text| String::from_utf16_lossy(text.units()));
        assert_eq!(places(&[3, 20_001]), Some("0/2".into()));
        assert_eq!(places(&[MAX_POSITION]), Some((MAX_POSITION - 1).to_string()));
        assert_eq!(places(&[MAX_POSITION + 1]), None);
    }
}
