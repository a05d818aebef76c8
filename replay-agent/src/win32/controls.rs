//! Texts, rectangles and links that controls write into buffers.

use crate::win32::messages::{send, send_with};
use message_log::{Point, Rect};
use replay_link::Window;
use win32_vocabulary::class_messages::{
    CBEM_GETITEMW, LM_HITTEST, SB_GETTEXTLENGTHW, SB_GETTEXTW, TB_GETBUTTON, TB_GETBUTTONTEXTW,
    UDM_GETRANGE32,
};
use win32_vocabulary::messages::{
    CB_GETCOMBOBOXINFO, CB_GETLBTEXT, CB_GETLBTEXTLEN, LB_GETTEXT, LB_GETTEXTLEN, LVM_GETITEMTEXTW,
    TCM_GETITEMW, TVM_GETITEMW, WM_GETTEXT, WM_GETTEXTLENGTH,
};
use windows::Win32::Foundation::{POINT, RECT};
use windows::Win32::UI::Controls::{
    CBEIF_TEXT, COMBOBOXEXITEMW, COMBOBOXINFO, HTREEITEM, LHITTESTINFO, LITEM, LVITEMW, TBBUTTON, TCIF_TEXT,
    TCITEMW, TVIF_TEXT, TVITEMW,
};
use windows::core::PWSTR;

/// Longer texts of items are truncated; no item shows so much.
const MAX_ITEM_TEXT: usize = 4096;
const MAX_CELL_TEXT: usize = 1024;

/// The text that a control keeps itself.
pub(crate) fn text(window: Window) -> String {
    let len = usize::try_from(send(window, WM_GETTEXTLENGTH, 0, 0)).unwrap_or(0);
    let mut units = vec![0u16; len + 1];
    let at = units.as_mut_ptr().expose_provenance().cast_signed();
    let len = usize::try_from(send(window, WM_GETTEXT, units.len(), at)).unwrap_or(0);
    String::from_utf16_lossy(&units[..len.min(units.len())])
}

pub(crate) fn list_box_text(list: Window, index: usize) -> Option<String> {
    sized_text(list, LB_GETTEXTLEN, LB_GETTEXT, index)
}

pub(crate) fn combo_box_text(combo: Window, index: usize) -> Option<String> {
    sized_text(combo, CB_GETLBTEXTLEN, CB_GETLBTEXT, index)
}

fn sized_text(window: Window, ask_len: u32, ask_text: u32, index: usize) -> Option<String> {
    let len = usize::try_from(send(window, ask_len, index, 0)).ok()?;
    let mut units = vec![0u16; len + 2];
    let at = units.as_mut_ptr().expose_provenance().cast_signed();
    let len = usize::try_from(send(window, ask_text, index, at)).ok()?;
    Some(String::from_utf16_lossy(&units[..len.min(units.len())]))
}

pub(crate) fn combo_box_ex_text(combo: Window, index: usize) -> Option<String> {
    let mut units = [0u16; MAX_ITEM_TEXT];
    let mut item = COMBOBOXEXITEMW {
        mask: CBEIF_TEXT,
        iItem: index as isize,
        pszText: PWSTR(units.as_mut_ptr()),
        cchTextMax: units.len() as i32,
        ..Default::default()
    };
    (send_with(combo, CBEM_GETITEMW, 0, &mut item) != 0).then(|| until_zero(&units))
}

pub(crate) fn list_view_text(view: Window, index: usize) -> String {
    view_text::<MAX_ITEM_TEXT>(view, index, 0)
}

pub(crate) fn cell_text(view: Window, row: usize, column: usize) -> String {
    view_text::<MAX_CELL_TEXT>(view, row, column)
}

/// LVM_GETITEMTEXT copies into the buffer even where the control has a text of its own to return.
fn view_text<const MAX: usize>(view: Window, row: usize, column: usize) -> String {
    let mut units = [0u16; MAX];
    let mut item = LVITEMW {
        iSubItem: column as i32,
        pszText: PWSTR(units.as_mut_ptr()),
        cchTextMax: MAX as i32,
        ..Default::default()
    };
    let len = send_with(view, LVM_GETITEMTEXTW, row, &mut item);
    String::from_utf16_lossy(&units[..usize::try_from(len).unwrap_or(0).min(MAX)])
}

pub(crate) fn tab_text(tabs: Window, index: usize) -> Option<String> {
    let mut units = [0u16; MAX_ITEM_TEXT];
    let mut item = TCITEMW {
        mask: TCIF_TEXT,
        pszText: PWSTR(units.as_mut_ptr()),
        cchTextMax: units.len() as i32,
        ..Default::default()
    };
    (send_with(tabs, TCM_GETITEMW, index, &mut item) != 0).then(|| until_zero(&units))
}

pub(crate) fn tree_text(tree: Window, item: isize) -> String {
    let mut units = [0u16; MAX_ITEM_TEXT];
    let mut asked = TVITEMW {
        mask: TVIF_TEXT,
        hItem: HTREEITEM(item),
        pszText: PWSTR(units.as_mut_ptr()),
        cchTextMax: units.len() as i32,
        ..Default::default()
    };
    send_with(tree, TVM_GETITEMW, 0, &mut asked);
    until_zero(&units)
}

/// A part of a status bar.
pub(crate) fn status_text(bar: Window, index: usize) -> String {
    let len = usize::try_from(send(bar, SB_GETTEXTLENGTHW, index, 0) & 0xFFFF).unwrap_or(0);
    let mut units = vec![0u16; len + 2];
    let at = units.as_mut_ptr().expose_provenance().cast_signed();
    send(bar, SB_GETTEXTW, index, at);
    String::from_utf16_lossy(&units[..len])
}

/// Command, state and style of a button of a tool bar.
pub(crate) fn tool(bar: Window, index: usize) -> Option<(i32, u8, u8)> {
    let mut button = TBBUTTON::default();
    (send_with(bar, TB_GETBUTTON, index, &mut button) != 0).then_some((
        button.idCommand,
        button.fsState,
        button.fsStyle,
    ))
}

pub(crate) fn tool_text(bar: Window, command: i32) -> String {
    let len = usize::try_from(send(bar, TB_GETBUTTONTEXTW, command as usize, 0)).unwrap_or(0);
    let mut units = vec![0u16; len + 1];
    let at = units.as_mut_ptr().expose_provenance().cast_signed();
    send(bar, TB_GETBUTTONTEXTW, command as usize, at);
    until_zero(&units)
}

/// The list that belongs to a combo box.
pub(crate) fn list_of_combo(combo: Window) -> Option<Window> {
    let mut info = COMBOBOXINFO { cbSize: size_of::<COMBOBOXINFO>() as u32, ..Default::default() };
    let has_info = send_with(combo, CB_GETCOMBOBOXINFO, 0, &mut info) != 0;
    (has_info && !info.hwndList.is_invalid()).then(|| Window(info.hwndList.0.addr() as u64))
}

/// Index, id and address of the link at a point.
pub(crate) fn link_at(window: Window, point: Point) -> Option<(i32, String, String)> {
    let mut hit = LHITTESTINFO { pt: POINT { x: point.x, y: point.y }, item: LITEM::default() };
    (send_with(window, LM_HITTEST, 0, &mut hit) != 0)
        .then(|| (hit.item.iLink, until_zero(&hit.item.szID), until_zero(&hit.item.szUrl)))
}

/// Sends a message that fills in a rectangle.
pub(crate) fn ask_rect(window: Window, message: u32, wparam: usize, asked: Rect) -> (isize, Rect) {
    let mut rect = RECT { left: asked.left, top: asked.top, right: asked.right, bottom: asked.bottom };
    let answer = send_with(window, message, wparam, &mut rect);
    (answer, Rect { left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom })
}

/// The range of a spin control.
pub(crate) fn spin_range(spin: Window) -> (i32, i32) {
    let (mut least, mut most) = (0i32, 0i32);
    let at = (&raw mut least).expose_provenance();
    send_with(spin, UDM_GETRANGE32, at, &mut most);
    (least, most)
}

fn until_zero(units: &[u16]) -> String {
    let len = units.iter().position(|unit| *unit == 0).unwrap_or(units.len());
    String::from_utf16_lossy(&units[..len])
}
