//! Which item of a list box, combo box or tool bar a WM_COMMAND is about, and what may be read of any item.
//!
//! Indices and states come from the notification or from the control; texts only where reading them cannot
//! run code of the host: not of a virtual list, not of an item whose text is asked for when it is drawn
//! (LPSTR_TEXTCALLBACK). A list view can say so itself; trees and headers cannot, so those are watched from
//! their birth, and the text of one that was not is left out.

use crate::callback::ascii_text::AsciiText;
use crate::callback::item_writer::ItemWriter;
use crate::shared::controls::{Control, Kind};
use crate::system::win32::Window;
use message_log::Key;
use windows::Win32::UI::Controls::{COMBOBOXINFO, TBBUTTON};

/// The item a WM_COMMAND is about.
pub(crate) fn of_command(out: &mut ItemWriter<'_, '_>, source: usize, code: u32, id: u32) {
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

fn check_state(out: &mut ItemWriter<'_, '_>, button: &Control) {
    const BM_GETCHECK: u32 = 0x00F0;
    // Check boxes and radio buttons of every kind; a push button has no state.
    if matches!(button.style() & 0xF, 2..=6 | 9) {
        out.number(Key::ItemState, button.ask(BM_GETCHECK, 0, 0) as i64);
    }
}

fn list_item(out: &mut ItemWriter<'_, '_>, list: &Control, style: u32) {
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
    if has_strings(style) {
        list_text(out, list, at, list.window);
    }
}

/// The text of an item, as private as the control that the user knows.
fn list_text(out: &mut ItemWriter<'_, '_>, list: &Control, index: usize, of: Window) {
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
fn selection(out: &mut ItemWriter<'_, '_>, list: &Control) {
    const LB_GETSELCOUNT: u32 = 0x0190;
    const LB_GETSELITEMS: u32 = 0x0191;
    let mut items = [0i32; 64];
    let count = usize::try_from(list.ask(LB_GETSELCOUNT, 0, 0)).unwrap_or(usize::MAX);
    if count > items.len() {
        return;
    }
    let count = usize::try_from(list.ask_with(LB_GETSELITEMS, count, &mut items)).unwrap_or(0);
    let mut line = AsciiText::new();
    for (i, &item) in items.iter().take(count).enumerate() {
        if i > 0 {
            line.put(b',');
        }
        line.number(item.unsigned_abs());
    }
    out.payload.wide(Key::ItemSelection, line.units());
    if has_strings(list.style()) {
        selected_texts(out, list, &items[..count.min(items.len())]);
    }
}

/// Whether items have texts: LBS_OWNERDRAW… without LBS_HASSTRINGS and LBS_NODATA have none.
fn has_strings(style: u32) -> bool {
    style & 0x2000 == 0 && (style & 0x30 == 0 || style & 0x40 != 0)
}

/// The texts of all selected items, if there is room for them.
fn selected_texts(out: &mut ItemWriter<'_, '_>, list: &Control, items: &[i32]) {
    const LB_GETTEXT: u32 = 0x0189;
    const LB_GETTEXTLEN: u32 = 0x018A;
    let mut end = 0;
    for (i, &item) in items.iter().enumerate() {
        let index = item.unsigned_abs() as usize;
        let len = usize::try_from(list.ask(LB_GETTEXTLEN, index, 0)).unwrap_or(usize::MAX);
        // One for the separator, one for the zero at the end.
        if len.saturating_add(end + 2) > out.text.len() {
            return;
        }
        if i > 0 {
            out.text[end] = 0x1F;
            end += 1;
        }
        let at = out.text[end..].as_mut_ptr().expose_provenance().cast_signed();
        end += usize::try_from(list.ask(LB_GETTEXT, index, at)).unwrap_or(0).min(len);
    }
    out.write_text(Key::ItemPath, list.window, end);
}

fn combo_item(out: &mut ItemWriter<'_, '_>, combo: &Control) {
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

pub(crate) fn tool_button(out: &mut ItemWriter<'_, '_>, bar: &Control, command: u32) {
    const TB_GETSTATE: u32 = 0x0412;
    const TB_GETBUTTON: u32 = 0x0417;
    const TB_COMMANDTOINDEX: u32 = 0x0419;
    const TB_GETBUTTONTEXT: u32 = 0x044B;
    out.number(Key::ItemCommand, i64::from(command));
    // A command has 16 bits of what the tool bar knows whole: wxWidgets counts below zero.
    let negative = i32::from(command as u16 as i16).cast_unsigned();
    let find = |command: u32| bar.ask(TB_COMMANDTOINDEX, command as usize, 0);
    let (command, index) = match find(command) {
        -1 => (negative, find(negative)),
        index => (command, index),
    };
    let Ok(index) = usize::try_from(index) else { return };
    out.index(index.cast_signed());
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
