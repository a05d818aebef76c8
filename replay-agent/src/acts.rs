//! What an act comes down to: which messages, in which order, so that the window and its parent are told what
//! a user's input would tell them.
//!
//! An act is prepared first (is the window there, does it take input, is the item there), which the replayer
//! is told of, and then done.

use crate::controls::{Kind, kind_of};
use crate::win32::{self, focus, middle, pair, post, send, send_text, send_with};
use crate::{items, keys, menu_bar, parts, values};
use replay_link::{Act, ItemRef, PointerButton, Trouble, Window};
use windows::Win32::Foundation::RECT;
use windows::Win32::UI::Controls::{
    COMBOBOXINFO, HTREEITEM, LVITEMW, NMHDR, NMITEMACTIVATE, NMTREEVIEWW, TVIF_HANDLE, TVIF_STATE, TVITEMW,
};
use windows::Win32::UI::Controls::{
    LIST_VIEW_ITEM_STATE_FLAGS, NM_TREEVIEW_ACTION, TREE_VIEW_ITEM_STATE_FLAGS,
};

/// What is left to do once it is known that it can be done.
pub(crate) type Doing = Box<dyn FnOnce()>;

const WM_CLOSE: u32 = 0x0010;
const WM_COMMAND: u32 = 0x0111;
const WM_SYSCOMMAND: u32 = 0x0112;
const SC_KEYMENU: usize = 0xF100;
const WM_CHAR: u32 = 0x0102;
const WM_MOUSEMOVE: u32 = 0x0200;
const WM_LBUTTONDOWN: u32 = 0x0201;
const WM_LBUTTONUP: u32 = 0x0202;
const WM_ENTERSIZEMOVE: u32 = 0x0231;
const WM_EXITSIZEMOVE: u32 = 0x0232;
const WM_HOTKEY: u32 = 0x0312;
const WM_APPCOMMAND: u32 = 0x0319;
const WM_SETTEXT: u32 = 0x000C;
const WM_NOTIFY: u32 = 0x004E;
const EM_SETSEL: u32 = 0x00B1;
const EM_REPLACESEL: u32 = 0x00C2;
const BM_GETCHECK: u32 = 0x00F0;
const BM_SETCHECK: u32 = 0x00F1;
const BM_CLICK: u32 = 0x00F5;
const CCM_GETUNICODEFORMAT: u32 = 0x2006;

/// Sends a message, whatever the answer.
fn sending(window: Window, message: u32, wparam: usize, lparam: isize) -> Doing {
    Box::new(move || {
        send(window, message, wparam, lparam);
    })
}

/// Finds out whether it can be done.
pub(crate) fn prepare(window: Window, act: Act) -> Result<Doing, Trouble> {
    check_available(window, &act)?;
    Ok(match act {
        Act::Command { id, accelerator, path } => menu_bar::command(window, id, accelerator, &path)?,
        Act::SysCommand { code } => {
            let code = code & 0xFFF0;
            // SC_SIZE, SC_MOVE, SC_VSCROLL, SC_HSCROLL, SC_MOUSEMENU, SC_KEYMENU
            if matches!(code, 0xF000 | 0xF010 | 0xF070 | 0xF080 | 0xF090 | 0xF100) {
                return Err(Trouble::Unable(format!(
                    "the system command {code:#06x} starts a loop that wants a real pointer"
                )));
            }
            sending(window, WM_SYSCOMMAND, code as usize, 0)
        }
        Act::Close => sending(window, WM_CLOSE, 0, 0),
        Act::Press => Box::new(move || {
            // In a dialog that is not active BM_CLICK may do nothing.
            focus(window);
            send(window, BM_CLICK, 0, 0);
        }),
        Act::SetCheck { state } => Box::new(move || set_check(window, state)),
        Act::Type { text } => Box::new(move || type_text(window, &text)),
        Act::TypeKeys { text } => Box::new(move || {
            focus(window);
            keys::type_text(window, &text);
        }),
        Act::SetText { text } => Box::new(move || set_text(window, &text)),
        Act::Edit { message } => Box::new(move || {
            focus(window);
            send(window, message, 0, 0);
        }),
        Act::Key { code, modifiers } => Box::new(move || {
            focus(window);
            keys::press(window, code, modifiers);
        }),
        Act::Click { button, times, point, modifiers } => {
            Box::new(move || click(window, button, times, point, modifiers))
        }
        Act::Stroke { points } => Box::new(move || stroke(window, &points)),
        Act::Select { items, add } => select(window, &items, add)?,
        Act::ClickItem { item, x } => click_item(window, &item, x)?,
        Act::CheckItem { item, checked } => check_item(window, &item, checked)?,
        Act::Expand { item, open } => {
            of_kind(window, Kind::TreeView, "opens and closes branches")?;
            let item = items::find_in_tree(window, &item)?;
            Box::new(move || expand(window, item, open))
        }
        Act::Activate { item } => activate(window, &item)?,
        Act::Deselect { items } => deselect(window, &items)?,
        Act::EditLabel { item } => parts::edit_label(window, &item)?,
        Act::Rename { item, text } => parts::rename(window, &item, text)?,
        Act::ClickColumn { index } => parts::click_column(window, index)?,
        Act::SizeColumn { index, width } => parts::size_column(window, index, width)?,
        Act::MoveColumn { index, order } => parts::move_column(window, index, order)?,
        Act::Link { index, name } => parts::follow_link(window, index, name.as_deref())?,
        Act::DropDown { item } => parts::drop_down(window, item)?,
        Act::DropFiles { files, point } => parts::drop_files(window, &files, point)?,
        Act::Wheel { turn, horizontal, modifiers } => {
            Box::new(move || parts::wheel(window, turn, horizontal, modifiers))
        }
        Act::HotKey { id, code } => Box::new(move || {
            post(window, WM_HOTKEY, id as usize, pair(0, code as i32));
        }),
        Act::AppCommand { number } => {
            sending(window, WM_APPCOMMAND, window.0 as usize, pair(0, number as i32))
        }
        Act::EnterMenu => sending(window, WM_SYSCOMMAND, SC_KEYMENU, 0),
        Act::ChooseInMenu { .. }
        | Act::Hover { .. }
        | Act::Grab { .. }
        | Act::DropAt { .. }
        | Act::RightClickItem { .. } => {
            return Err(Trouble::Unable("this is no matter of one thread".into()));
        }
        Act::Tool { command } => tool(window, command)?,
        Act::SetValue { value } => values::set(window, value)?,
        Act::Scroll { vertical, request, position } => {
            Box::new(move || values::scroll(window, vertical, request, position))
        }
        Act::SetDate { date, until } => values::set_date(window, date.as_deref(), until.as_deref())?,
        Act::Place { rect } => Box::new(move || {
            send(window, WM_ENTERSIZEMOVE, 0, 0);
            win32::place(window, rect);
            send(window, WM_EXITSIZEMOVE, 0, 0);
        }),
        Act::Focus => Box::new(move || focus(window)),
        Act::Blur => Box::new(win32::blur),
        Act::Leave { to } => {
            if !win32::is_foreground() {
                return Err(Trouble::Unable("the program is not in front".into()));
            }
            Box::new(move || win32::leave(Window(to)))
        }
        Act::SetDpi { from, to } => set_dpi(window, from, to)?,
    })
}

/// What the system sends when a window comes to a screen of another resolution: to its children before and
/// after it, if they are told at all. It should have the same place there, and as many inches.
fn set_dpi(window: Window, from: u32, to: u32) -> Result<Doing, Trouble> {
    const WM_DPICHANGED: u32 = 0x02E0;
    const WM_DPICHANGED_BEFOREPARENT: u32 = 0x02E2;
    const WM_DPICHANGED_AFTERPARENT: u32 = 0x02E3;
    let known = win32::dpi(window).ok_or_else(|| {
        Trouble::Unable(
            "the program does not adapt itself to the resolution of a screen: the system tells it nothing"
                .into(),
        )
    })?;
    Ok(Box::new(move || {
        let children = if known.tells_children { window.descendants() } else { Vec::new() };
        children.iter().rev().for_each(|child| {
            send(*child, WM_DPICHANGED_BEFOREPARENT, 0, 0);
        });
        let both = pair(to as i32, to as i32).cast_unsigned() & 0xFFFF_FFFF;
        let now = window.place(None);
        let scaled = |length: i32| (i64::from(length) * i64::from(to) / i64::from(from.max(1))) as i32;
        let (right, bottom) =
            (now.left + scaled(now.right - now.left), now.top + scaled(now.bottom - now.top));
        send_with(window, WM_DPICHANGED, both, &mut RECT { left: now.left, top: now.top, right, bottom });
        children.iter().for_each(|child| {
            send(*child, WM_DPICHANGED_AFTERPARENT, 0, 0);
        });
    }))
}

/// A user acts on what is shown and takes input. Commands go to hidden windows too: that is how menus of the
/// task bar's icons work, and hot keys.
fn check_available(window: Window, act: &Act) -> Result<(), Trouble> {
    if window.thread_and_process().0 == 0 {
        return Err(Trouble::Gone);
    }
    if matches!(act, Act::Place { .. }) {
        return Ok(());
    }
    if !window.takes_input() {
        return Err(Trouble::Disabled);
    }
    if !window.is_shown() && !matches!(act, Act::Command { .. } | Act::HotKey { .. }) {
        return Err(Trouble::Hidden);
    }
    Ok(())
}

pub(crate) fn of_kind(window: Window, kind: Kind, does: &str) -> Result<(), Trouble> {
    let class = window.class().to_string_lossy().into_owned();
    if kind_of(window) == kind {
        return Ok(());
    }
    Err(Trouble::Unable(format!("a window of class {class:?} is not known as a control that {does}")))
}

/// Whom a control tells: its parent, or the date field whose calendar it is.
fn told_by(control: Window) -> Option<Window> {
    const DTM_GETMONTHCAL: u32 = 0x1008;
    let is_its = |field: &Window| {
        kind_of(*field) == Kind::DatePicker
            && send(*field, DTM_GETMONTHCAL, 0, 0).cast_unsigned() as u64 == control.0
    };
    control.parent().or_else(|| control.owner()?.descendants().into_iter().find(is_its))
}

/// Tells the parent, as the control would: WM_COMMAND.
pub(crate) fn tell(control: Window, code: i32) {
    if let Some(parent) = told_by(control) {
        let wparam = pair(control.id(), code).cast_unsigned() & 0xFFFF_FFFF;
        send(parent, WM_COMMAND, wparam, control.0.cast_signed() as isize);
    }
}

/// The head of a notification.
pub(crate) fn header(control: Window, code: i32) -> NMHDR {
    NMHDR { hwndFrom: control.handle(), idFrom: control.id() as usize, code: code.cast_unsigned() }
}

/// Tells the parent, as the control would: WM_NOTIFY with a structure that begins with a header. What
/// the parent answers.
pub(crate) fn notify<T>(control: Window, mut structure: T) -> isize {
    told_by(control).map_or(0, |parent| send_with(parent, WM_NOTIFY, control.id() as usize, &mut structure))
}

/// The code for a control that talks Unicode, or that for one that talks ANSI.
pub(crate) fn by_unicode(control: Window, wide: i32, narrow: i32) -> i32 {
    if send(control, CCM_GETUNICODEFORMAT, 0, 0) != 0 { wide } else { narrow }
}

fn set_check(button: Window, state: u32) {
    focus(button);
    let now = send(button, BM_GETCHECK, 0, 0);
    let wanted = state as isize;
    let after_click = match button.style() & 0xF {
        // BS_AUTOCHECKBOX, BS_AUTO3STATE, BS_AUTORADIOBUTTON
        3 => Some(isize::from(now == 0)),
        6 => Some((now + 1) % 3),
        9 => Some(1),
        // The application changes the state itself when it is told of the click.
        _ => None,
    };
    if after_click.is_none_or(|after| after == wanted) {
        send(button, BM_CLICK, 0, 0);
    } else {
        if now != wanted {
            send(button, BM_SETCHECK, state as usize, 0);
        }
        tell(button, 0);
    }
}

fn type_text(window: Window, text: &str) {
    focus(window);
    let units: Vec<u16> = text.encode_utf16().collect();
    let is_posted = units.len() <= Act::MOST_POSTED;
    for unit in units {
        // A line end is what the Enter key types.
        let unit = if unit == 10 { 13 } else { unit };
        if is_posted {
            post(window, WM_CHAR, usize::from(unit), 1);
        } else {
            send(window, WM_CHAR, usize::from(unit), 1);
        }
    }
}

/// Selecting all and replacing it tells the parent of the change, also where WM_SETTEXT does not
/// (several lines).
fn set_text(window: Window, text: &str) {
    focus(window);
    if kind_of(window) == Kind::Edit {
        send(window, EM_SETSEL, 0, -1);
        send_text(window, EM_REPLACESEL, 1, text);
    } else if let Some(edit) = edit_of_combo(window) {
        send(edit, EM_SETSEL, 0, -1);
        send_text(edit, EM_REPLACESEL, 1, text);
    } else {
        send_text(window, WM_SETTEXT, 0, text);
    }
}

fn edit_of_combo(window: Window) -> Option<Window> {
    if !matches!(kind_of(window), Kind::ComboBox | Kind::ComboBoxEx) {
        return None;
    }
    window.descendants().into_iter().find(|child| kind_of(*child) == Kind::Edit)
}

pub(crate) fn click(window: Window, button: PointerButton, times: u8, (x, y): (i32, i32), modifiers: u8) {
    // The first message, the button's bit among the held ones, its key, which X button.
    let (down, bit, key, which) = match button {
        PointerButton::Left => (0x0201, 0x01, 0x01, 0),
        PointerButton::Right => (0x0204, 0x02, 0x02, 0),
        PointerButton::Middle => (0x0207, 0x10, 0x04, 0),
        PointerButton::X1 => (0x020B, 0x20, 0x05, 1),
        PointerButton::X2 => (0x020B, 0x40, 0x06, 2),
    };
    // MK_SHIFT, MK_CONTROL
    let held = if modifiers & 1 != 0 { 4 } else { 0 } | if modifiers & 2 != 0 { 8 } else { 0 };
    let to_word = |bits: i32| pair(bits, which).cast_unsigned() & 0xFFFF_FFFF;
    let at = pair(x, y);
    win32::activate(window);
    keys::hold(modifiers, Some(key));
    // What a program draws itself it often knows only once the pointer is over it: no press comes without
    // a move before it.
    if kind_of(window) == Kind::Other {
        post(window, WM_MOUSEMOVE, to_word(held), at);
    }
    let second = if win32::takes_double_clicks(window) { down + 2 } else { down };
    // A third click is a first one again, told from it by the clock.
    for first in [down, second, down].into_iter().take(times.into()) {
        // All posted before any is taken: a list runs a loop of its own after the first.
        keys::turn(key, true);
        post(window, first, to_word(held | bit), at);
        keys::turn(key, false);
        post(window, down + 1, to_word(held), at);
    }
    keys::release_later();
}

fn stroke(window: Window, points: &[(i32, i32)]) {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
    win32::activate(window);
    keys::hold(0, Some(1));
    post(window, WM_LBUTTONDOWN, 1, pair(first.0, first.1));
    for point in &points[1..] {
        post(window, WM_MOUSEMOVE, 1, pair(point.0, point.1));
    }
    keys::turn(1, false);
    post(window, WM_LBUTTONUP, 0, pair(last.0, last.1));
    keys::release_later();
}

fn select(window: Window, wanted: &[ItemRef], add: bool) -> Result<Doing, Trouble> {
    let kind = kind_of(window);
    if kind == Kind::TreeView {
        let item = wanted.last().map(|item| items::find_in_tree(window, item)).transpose()?;
        return Ok(Box::new(move || {
            let is_first = !has_caret(window);
            if !is_first {
                focus(window);
            }
            select_in_tree(window, item.unwrap_or(0));
            if is_first {
                focus(window);
            }
        }));
    }
    if !matches!(kind, Kind::ListBox | Kind::ComboBox | Kind::ComboBoxEx | Kind::ListView | Kind::Tab) {
        let class = window.class().to_string_lossy().into_owned();
        return Err(Trouble::Unable(format!("a window of class {class:?} is not known as a list")));
    }
    let found: Result<Vec<usize>, Trouble> =
        wanted.iter().map(|item| items::find(window, kind, item)).collect();
    let found = found?;
    Ok(Box::new(move || {
        focus(window);
        match kind {
            Kind::ListBox => select_in_list_box(window, &found, add),
            Kind::ListView => select_in_list_view(window, &found, add),
            Kind::Tab => select_tab(window, found.last().copied().unwrap_or(0)),
            _ => select_in_combo(items::inner_combo(window), found.last().copied()),
        }
    }))
}

/// In the item's middle height, wherever it is by now.
fn click_item(list: Window, item: &ItemRef, x: i32) -> Result<Doing, Trouble> {
    const LB_SETTOPINDEX: u32 = 0x0197;
    const LB_GETITEMRECT: u32 = 0x0198;
    of_kind(list, Kind::ListBox, "is a list of lines")?;
    let index = items::find(list, Kind::ListBox, item)?;
    Ok(Box::new(move || {
        let place = || {
            let mut rect = RECT::default();
            send_with(list, LB_GETITEMRECT, index, &mut rect);
            middle(rect).y
        };
        let is_seen = |y: i32| win32::client_size(list).is_some_and(|(_, height)| (0..height).contains(&y));
        if !is_seen(place()) {
            send(list, LB_SETTOPINDEX, index, 0);
        }
        click(list, PointerButton::Left, 1, (x, place()), 0);
    }))
}

/// Items that are no longer selected.
fn deselect(window: Window, wanted: &[ItemRef]) -> Result<Doing, Trouble> {
    const LB_SETSEL: u32 = 0x0185;
    const LBN_SELCHANGE: i32 = 1;
    let kind = kind_of(window);
    if !matches!(kind, Kind::ListBox | Kind::ListView) {
        of_kind(window, Kind::ListView, "has items to deselect")?;
    }
    let found: Result<Vec<usize>, Trouble> =
        wanted.iter().map(|item| items::find(window, kind, item)).collect();
    let found = found?;
    Ok(Box::new(move || {
        focus(window);
        for index in found {
            if kind == Kind::ListView {
                set_item_state(window, index, 0, SELECTED);
            } else {
                send(window, LB_SETSEL, 0, index as isize);
            }
        }
        if kind == Kind::ListBox {
            tell(window, LBN_SELCHANGE);
        }
    }))
}

fn select_in_list_box(list: Window, found: &[usize], add: bool) {
    const LB_SETSEL: u32 = 0x0185;
    const LB_SETCURSEL: u32 = 0x0186;
    const LB_GETSEL: u32 = 0x0187;
    const LB_SETCARETINDEX: u32 = 0x019E;
    const LBN_SELCHANGE: i32 = 1;
    const LBS_NOTIFY: u32 = 1;
    const MULTIPLE: u32 = 0x0808;
    if list.style() & MULTIPLE == 0 {
        send(list, LB_SETCURSEL, found.last().copied().unwrap_or(usize::MAX), 0);
    } else {
        if !add {
            send(list, LB_SETSEL, 0, -1);
        }
        for &index in found {
            if send(list, LB_GETSEL, index, 0) == 0 {
                send(list, LB_SETSEL, 1, index as isize);
            }
        }
        if let Some(&last) = found.last() {
            send(list, LB_SETCARETINDEX, last, 0);
        }
    }
    if list.style() & LBS_NOTIFY != 0 {
        tell(list, LBN_SELCHANGE);
    }
}

fn select_in_combo(combo: Window, index: Option<usize>) {
    const CB_GETCURSEL: u32 = 0x0147;
    const CB_SETCURSEL: u32 = 0x014E;
    const CB_SHOWDROPDOWN: u32 = 0x014F;
    const CB_GETDROPPEDSTATE: u32 = 0x0157;
    const LB_SETCURSEL: u32 = 0x0186;
    const CBN_SELCHANGE: i32 = 1;
    const CBN_SELENDOK: i32 = 9;
    let wanted = index.unwrap_or(usize::MAX);
    match list_of_editable(combo) {
        // The edit takes the text over only when the parent has been told: who compares the
        // two sees it change.
        Some(list) => {
            send(list, LB_SETCURSEL, wanted, 0);
            tell(combo, CBN_SELENDOK);
            tell(combo, CBN_SELCHANGE);
            let now = send(combo, CB_GETCURSEL, 0, 0);
            if now >= 0 {
                send(combo, CB_SETCURSEL, now.cast_unsigned(), 0);
            }
        }
        None => {
            send(combo, CB_SETCURSEL, wanted, 0);
            tell(combo, CBN_SELENDOK);
            tell(combo, CBN_SELCHANGE);
        }
    }
    if send(combo, CB_GETDROPPEDSTATE, 0, 0) != 0 {
        send(combo, CB_SHOWDROPDOWN, 0, 0);
    }
}

/// The list of a combo box whose text can be typed.
fn list_of_editable(combo: Window) -> Option<Window> {
    const CB_GETCOMBOBOXINFO: u32 = 0x0164;
    const CBS_DROPDOWNLIST: u32 = 3;
    let mut info = COMBOBOXINFO { cbSize: size_of::<COMBOBOXINFO>() as u32, ..Default::default() };
    if combo.style() & 3 == CBS_DROPDOWNLIST || send_with(combo, CB_GETCOMBOBOXINFO, 0, &mut info) == 0 {
        return None;
    }
    (!info.hwndList.is_invalid()).then(|| Window(info.hwndList.0.addr() as u64))
}

const LVM_ENSUREVISIBLE: u32 = 0x1013;
const LVM_SETITEMSTATE: u32 = 0x102B;
const LVM_SETSELECTIONMARK: u32 = 0x1043;
const FOCUSED: u32 = 1;
const SELECTED: u32 = 2;

fn set_item_state(view: Window, index: usize, state: u32, mask: u32) {
    let mut item = LVITEMW {
        state: LIST_VIEW_ITEM_STATE_FLAGS(state),
        stateMask: LIST_VIEW_ITEM_STATE_FLAGS(mask),
        ..Default::default()
    };
    send_with(view, LVM_SETITEMSTATE, index, &mut item);
}

fn select_in_list_view(view: Window, found: &[usize], add: bool) {
    if !add {
        for index in items::selected_in_list_view(view) {
            if !found.contains(&index) {
                set_item_state(view, index, 0, SELECTED);
            }
        }
    }
    for &index in found {
        set_item_state(view, index, SELECTED | FOCUSED, SELECTED | FOCUSED);
    }
    if let Some(&last) = found.last() {
        send(view, LVM_SETSELECTIONMARK, 0, last as isize);
        send(view, LVM_ENSUREVISIBLE, last, 0);
    }
}

/// Whether something is selected. A tree without a selection makes one by itself when it gets the focus,
/// unless it is clicked.
fn has_caret(tree: Window) -> bool {
    const TVM_GETNEXTITEM: u32 = 0x110A;
    const CARET: usize = 9;
    send(tree, TVM_GETNEXTITEM, CARET, 0) != 0
}

fn select_in_tree(tree: Window, item: isize) {
    const TVM_SELECTITEM: u32 = 0x110B;
    const CARET: usize = 9;
    send(tree, TVM_SELECTITEM, CARET, item);
}

fn select_tab(tabs: Window, index: usize) {
    const TCM_SETCURSEL: u32 = 0x130C;
    const TCN_SELCHANGING: i32 = -552;
    const TCN_SELCHANGE: i32 = -551;
    if notify(tabs, header(tabs, TCN_SELCHANGING)) == 0 {
        send(tabs, TCM_SETCURSEL, index, 0);
        notify(tabs, header(tabs, TCN_SELCHANGE));
    }
}

fn check_item(window: Window, item: &ItemRef, checked: bool) -> Result<Doing, Trouble> {
    // The first image is the empty box, the second the checked one.
    let state = if checked { 2 << 12 } else { 1 << 12 };
    match kind_of(window) {
        Kind::ListView => {
            let index = items::find(window, Kind::ListView, item)?;
            Ok(Box::new(move || {
                focus(window);
                set_item_state(window, index, state, 0xF000);
            }))
        }
        Kind::TreeView => {
            let item = items::find_in_tree(window, item)?;
            Ok(Box::new(move || check_in_tree(window, item, state)))
        }
        _ => of_kind(window, Kind::ListView, "has items with check boxes")
            .map(|()| -> Doing { Box::new(|| ()) }),
    }
}

/// By the space bar: the parent learns of it by the key alone.
fn check_in_tree(tree: Window, item: isize, state: u32) {
    const TVM_SETITEMW: u32 = 0x113F;
    const WM_KEYDOWN: u32 = 0x0100;
    const WM_KEYUP: u32 = 0x0101;
    const SPACE: u32 = 0x20;
    focus(tree);
    if tree_state(tree, item) & 0xF000 == state {
        return;
    }
    select_in_tree(tree, item);
    send(tree, WM_KEYDOWN, SPACE as usize, keys::message_bits(SPACE, false, false));
    send(tree, WM_CHAR, SPACE as usize, keys::message_bits(SPACE, false, false));
    send(tree, WM_KEYUP, SPACE as usize, keys::message_bits(SPACE, false, true));
    if tree_state(tree, item) & 0xF000 != state {
        let mut set = TVITEMW {
            mask: TVIF_HANDLE | TVIF_STATE,
            hItem: HTREEITEM(item),
            state: TREE_VIEW_ITEM_STATE_FLAGS(state),
            stateMask: TREE_VIEW_ITEM_STATE_FLAGS(0xF000),
            ..Default::default()
        };
        send_with(tree, TVM_SETITEMW, 0, &mut set);
    }
}

fn tree_state(tree: Window, item: isize) -> u32 {
    const TVM_GETITEMSTATE: u32 = 0x1127;
    send(tree, TVM_GETITEMSTATE, item.cast_unsigned(), 0xF0FF) as u32
}

/// TVM_EXPAND tells the parent only the first time; later it is told as a click would.
fn expand(tree: Window, item: isize, open: bool) {
    const TVM_EXPAND: u32 = 0x1102;
    const EXPANDED: u32 = 0x20;
    const EXPANDED_ONCE: u32 = 0x40;
    // A click on the sign of a branch selects nothing.
    if has_caret(tree) {
        focus(tree);
    }
    let state = tree_state(tree, item);
    if (state & EXPANDED != 0) == open {
        return;
    }
    let action: u32 = if open { 2 } else { 1 };
    let change = |wide: i32, narrow: i32| {
        let shown = TVITEMW {
            mask: TVIF_HANDLE | TVIF_STATE,
            hItem: HTREEITEM(item),
            state: TREE_VIEW_ITEM_STATE_FLAGS(state),
            ..Default::default()
        };
        let hdr = header(tree, by_unicode(tree, wide, narrow));
        let action = NM_TREEVIEW_ACTION(action);
        notify(tree, NMTREEVIEWW { hdr, action, itemNew: shown, ..Default::default() })
    };
    let tells = state & EXPANDED_ONCE != 0;
    if tells && change(-454, -405) != 0 {
        return;
    }
    send(tree, TVM_EXPAND, action as usize, item);
    if tells {
        change(-455, -406);
    }
}

/// A double click on an item, as its parent learns of it.
fn activate(window: Window, item: &ItemRef) -> Result<Doing, Trouble> {
    const NM_DBLCLK: i32 = -3;
    const LVN_ITEMACTIVATE: i32 = -114;
    const DOUBLE_CLICK: i32 = 2;
    let kind = kind_of(window);
    match kind {
        Kind::ListBox | Kind::ComboBox => {
            let select = select(window, std::slice::from_ref(item), false)?;
            Ok(Box::new(move || {
                select();
                tell(window, DOUBLE_CLICK);
            }))
        }
        Kind::ListView => {
            let index = items::find(window, kind, item)?;
            Ok(Box::new(move || {
                focus(window);
                select_in_list_view(window, &[index], false);
                let told = |code| NMITEMACTIVATE {
                    hdr: header(window, code),
                    iItem: index as i32,
                    ..Default::default()
                };
                notify(window, told(NM_DBLCLK));
                notify(window, told(LVN_ITEMACTIVATE));
            }))
        }
        Kind::TreeView => {
            let item = items::find_in_tree(window, item)?;
            Ok(Box::new(move || {
                const EXPANDED: u32 = 0x20;
                focus(window);
                select_in_tree(window, item);
                if notify(window, header(window, NM_DBLCLK)) == 0 {
                    expand(window, item, tree_state(window, item) & EXPANDED == 0);
                }
            }))
        }
        _ => of_kind(window, Kind::ListView, "has items to activate").map(|()| -> Doing { Box::new(|| ()) }),
    }
}

/// A click on the button: check buttons and groups change, and the bar tells whom it was told to.
fn tool(bar: Window, command: u32) -> Result<Doing, Trouble> {
    const TB_ISBUTTONENABLED: u32 = 0x0409;
    const TB_ISBUTTONHIDDEN: u32 = 0x040C;
    const TB_COMMANDTOINDEX: u32 = 0x0419;
    const TB_GETITEMRECT: u32 = 0x041D;
    of_kind(bar, Kind::ToolBar, "has tools")?;
    // A command has 16 bits of what the tool bar knows whole: wxWidgets counts below zero.
    let negative = i32::from(command as u16 as i16).cast_unsigned();
    let find = |command: u32| usize::try_from(send(bar, TB_COMMANDTOINDEX, command as usize, 0)).ok();
    let found = [command, negative].into_iter().find_map(|command| Some((command, find(command)?)));
    let (command, index) = found.ok_or_else(|| Trouble::NoItem(command.to_string()))?;
    if send(bar, TB_ISBUTTONENABLED, command as usize, 0) == 0 {
        return Err(Trouble::Disabled);
    }
    if send(bar, TB_ISBUTTONHIDDEN, command as usize, 0) != 0 {
        return Err(Trouble::Hidden);
    }
    let mut rect = RECT::default();
    if send_with(bar, TB_GETITEMRECT, index, &mut rect) == 0 {
        return Err(Trouble::Hidden);
    }
    let at = middle(rect);
    Ok(Box::new(move || click(bar, PointerButton::Left, 1, (at.x, at.y), 0)))
}
