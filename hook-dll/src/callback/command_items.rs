//! The item that a WM_COMMAND is about: of a list box, combo box or tool bar; and the state of a check box.
//!
//! Indices and states come from the control. Texts are read only if that cannot run code of the host.

use crate::callback::ascii_text::AsciiText;
use crate::callback::item_writer::{ItemWriter, SEPARATOR};
use crate::shared::controls::QueryableControl;
use crate::system::window::Window;
use message_log::Key;
use win32_vocabulary::Control;
use win32_vocabulary::class_messages::{
    CBEM_GETCOMBOCONTROL, TB_COMMANDTOINDEX, TB_GETBUTTON, TB_GETBUTTONTEXTW, TB_GETSTATE,
};
use win32_vocabulary::items::I_STRINGCALLBACK;
use win32_vocabulary::messages::{
    BM_GETCHECK, CB_GETCOMBOBOXINFO, LB_GETCARETINDEX, LB_GETCURSEL, LB_GETSEL, LB_GETSELCOUNT,
    LB_GETSELITEMS, LB_GETTEXT, LB_GETTEXTLEN,
};
use win32_vocabulary::notifications::{
    BN_CLICKED, BN_DOUBLECLICKED, CBN_DBLCLK, CBN_SELCHANGE, CBN_SELENDOK, LBN_DBLCLK, LBN_SELCHANGE,
};
use win32_vocabulary::styles::{
    CBS_HASSTRINGS, CBS_OWNERDRAWFIXED, CBS_OWNERDRAWVARIABLE, LBS_EXTENDEDSEL, LBS_HASSTRINGS,
    LBS_MULTIPLESEL, LBS_NODATA, LBS_OWNERDRAWFIXED, LBS_OWNERDRAWVARIABLE,
};
use windows::Win32::UI::Controls::{COMBOBOXINFO, TBBUTTON};

/// Writes the item that a WM_COMMAND is about.
pub(crate) fn of_command(out: &mut ItemWriter<'_, '_>, source: usize, code: i32, id: u32) {
    // Codes start again with every class; most messages have one that is of no control here.
    if !matches!(code, BN_CLICKED | BN_DOUBLECLICKED | LBN_SELCHANGE | LBN_DBLCLK | CBN_SELENDOK) {
        return;
    }
    let Some(control) = QueryableControl::of(source) else { return };
    match (control.control, code) {
        (Control::Button, BN_CLICKED | BN_DOUBLECLICKED) => check_state(out, &control),
        (Control::ListBox | Control::DropList, LBN_SELCHANGE | LBN_DBLCLK) => list_item(out, &control),
        (Control::ComboBox, CBN_SELCHANGE | CBN_DBLCLK | CBN_SELENDOK) => combo_item(out, &control),
        (Control::ComboBoxEx, CBN_SELCHANGE | CBN_DBLCLK | CBN_SELENDOK) => {
            let inner = control.query(CBEM_GETCOMBOCONTROL, 0, 0).cast_unsigned();
            if let Some(inner) = QueryableControl::of(inner) {
                combo_item(out, &inner);
            }
        }
        (Control::ToolBar, BN_CLICKED) => tool_button(out, &control, id),
        _ => {}
    }
}

fn check_state(out: &mut ItemWriter<'_, '_>, button: &QueryableControl) {
    // A push button has no state.
    if matches!(button.control.with_style(button.style()), Control::CheckBox | Control::RadioButton) {
        out.number(Key::ItemState, button.query(BM_GETCHECK, 0, 0) as i64);
    }
}

fn list_item(out: &mut ItemWriter<'_, '_>, list: &QueryableControl) {
    let style = list.style();
    let is_multiple = style & (LBS_MULTIPLESEL | LBS_EXTENDEDSEL) != 0;
    let index = list.query(if is_multiple { LB_GETCARETINDEX } else { LB_GETCURSEL }, 0, 0);
    out.index(index);
    let Ok(at) = usize::try_from(index) else { return };
    if is_multiple {
        out.number(Key::ItemState, i64::from(list.query(LB_GETSEL, at, 0) > 0));
        selection(out, list);
    }
    if has_strings(style) {
        list_text(out, list, at, list.window);
    }
}

/// Writes the text of an item, redacted like the control that the user knows: the list box, or the
/// combo box around it.
fn list_text(out: &mut ItemWriter<'_, '_>, list: &QueryableControl, index: usize, of: Window) {
    let len = list.query(LB_GETTEXTLEN, index, 0);
    if usize::try_from(len).is_ok_and(|len| len < out.text.len()) {
        let len = list.query_text(LB_GETTEXT, index, out.text);
        out.write_text(Key::ItemText, of, len);
    }
}

/// Writes the indices of all selected items, if there are at most 64, and their texts.
fn selection(out: &mut ItemWriter<'_, '_>, list: &QueryableControl) {
    let mut items = [0i32; 64];
    let count = usize::try_from(list.query(LB_GETSELCOUNT, 0, 0)).unwrap_or(usize::MAX);
    if count > items.len() {
        return;
    }
    let count = usize::try_from(list.query_with(LB_GETSELITEMS, count, &mut items)).unwrap_or(0);
    let mut indices = AsciiText::new();
    for (i, &item) in items.iter().take(count).enumerate() {
        if i > 0 {
            indices.push(b',');
        }
        indices.push_number(item.unsigned_abs());
    }
    out.payload.wide(Key::ItemSelection, indices.units());
    if has_strings(list.style()) {
        selected_texts(out, list, &items[..count.min(items.len())]);
    }
}

/// Whether the items of a list box have texts.
fn has_strings(style: u32) -> bool {
    let is_owner_drawn = style & (LBS_OWNERDRAWFIXED | LBS_OWNERDRAWVARIABLE) != 0;
    style & LBS_NODATA == 0 && (!is_owner_drawn || style & LBS_HASSTRINGS != 0)
}

/// Writes the texts of all selected items, if there is room for them.
fn selected_texts(out: &mut ItemWriter<'_, '_>, list: &QueryableControl, items: &[i32]) {
    let mut end = 0;
    for (i, &item) in items.iter().enumerate() {
        let index = item.unsigned_abs() as usize;
        let len = usize::try_from(list.query(LB_GETTEXTLEN, index, 0)).unwrap_or(usize::MAX);
        // One unit for the separator, one for the zero at the end.
        if len.saturating_add(end + 2) > out.text.len() {
            return;
        }
        if i > 0 {
            out.text[end] = SEPARATOR;
            end += 1;
        }
        end += list.query_text(LB_GETTEXT, index, &mut out.text[end..]).min(len);
    }
    out.write_text(Key::ItemPath, list.window, end);
}

fn combo_item(out: &mut ItemWriter<'_, '_>, combo: &QueryableControl) {
    let mut info = COMBOBOXINFO { cbSize: size_of::<COMBOBOXINFO>() as u32, ..Default::default() };
    // The recorder queries the list itself, because the combo box would send it a message.
    if combo.query_with(CB_GETCOMBOBOXINFO, 0, &mut info) == 0 {
        return;
    }
    let Some(list) = QueryableControl::of(info.hwndList.0.addr()) else { return };
    let index = list.query(LB_GETCURSEL, 0, 0);
    out.index(index);
    let style = combo.style();
    let is_owner_drawn = style & (CBS_OWNERDRAWFIXED | CBS_OWNERDRAWVARIABLE) != 0;
    if let Ok(index) = usize::try_from(index)
        && (!is_owner_drawn || style & CBS_HASSTRINGS != 0)
    {
        list_text(out, &list, index, combo.window);
    }
}

/// Writes a button of a tool bar.
pub(crate) fn tool_button(out: &mut ItemWriter<'_, '_>, bar: &QueryableControl, command: u32) {
    out.number(Key::ItemCommand, i64::from(command));
    // A message has 16 bits of the command, the tool bar 32: wxWidgets uses negative commands.
    let negative = i32::from(command as u16 as i16).cast_unsigned();
    let find = |command: u32| bar.query(TB_COMMANDTOINDEX, command as usize, 0);
    let (command, index) = match find(command) {
        -1 => (negative, find(negative)),
        index => (command, index),
    };
    let Ok(index) = usize::try_from(index) else { return };
    out.index(index.cast_signed());
    out.number(Key::ItemState, bar.query(TB_GETSTATE, command as usize, 0) as i64);
    let mut button = TBBUTTON::default();
    if bar.query_with(TB_GETBUTTON, index, &mut button) != 0 && button.iString != I_STRINGCALLBACK {
        let len = bar.query(TB_GETBUTTONTEXTW, command as usize, 0);
        if usize::try_from(len).is_ok_and(|len| len > 0 && len < out.text.len()) {
            let len = bar.query_text(TB_GETBUTTONTEXTW, command as usize, out.text);
            out.write_text(Key::ItemText, bar.window, len);
        }
    }
}
