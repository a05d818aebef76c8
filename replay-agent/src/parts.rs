//! Parts of controls that have no window of their own: the label of an item that gets another name, a column,
//! a link, the arrow of a button, and files that are dropped.

use crate::acts::{Doing, by_unicode, click, header, notify, of_kind};
use crate::controls::{Kind, kind_of};
use crate::items;
use crate::win32::{self, focus, middle, post, send, send_text, send_with};
use replay_link::{ItemRef, PointerButton, Trouble, Window};
use windows::Win32::Foundation::{POINT, RECT};
use windows::Win32::UI::Controls::{
    HDI_ORDER, HDI_WIDTH, HDITEMW, LHITTESTINFO, LITEM, NMBCDROPDOWN, NMHEADERW, NMTOOLBARW,
};

const VK_RETURN: usize = 0x0D;
const VK_ESCAPE: usize = 0x1B;

/// Another text for an item, or none if it was given up. The label may be under edit already, by a key that
/// was replayed; it is ended as Enter does.
pub(crate) fn rename(window: Window, item: &ItemRef, text: Option<String>) -> Result<Doing, Trouble> {
    const LVM_GETEDITCONTROL: u32 = 0x1018;
    const LVM_EDITLABELW: u32 = 0x1076;
    const TVM_GETEDITCONTROL: u32 = 0x110F;
    const TVM_ENDEDITLABELNOW: u32 = 0x1116;
    const TVM_EDITLABELW: u32 = 0x1141;
    let kind = kind_of(window);
    let (ask, begin, place) = match kind {
        Kind::ListView => {
            (LVM_GETEDITCONTROL, LVM_EDITLABELW, items::find(window, kind, item).map(|index| (index, 0)))
        }
        Kind::TreeView => {
            (TVM_GETEDITCONTROL, TVM_EDITLABELW, items::find_in_tree(window, item).map(|it| (0, it)))
        }
        _ => {
            return of_kind(window, Kind::ListView, "has items to rename")
                .map(|()| -> Doing { Box::new(|| ()) });
        }
    };
    let edit_of = move || Window(send(window, ask, 0, 0).cast_unsigned() as u64);
    let open = edit_of();
    let Some(text) = text else {
        return Ok(Box::new(move || {
            if kind == Kind::TreeView && open.0 != 0 {
                send(window, TVM_ENDEDITLABELNOW, 1, 0);
            } else if open.0 != 0 {
                end_label(open, VK_ESCAPE);
            }
        }));
    };
    // While it is under edit the item may have no text to be found by.
    let place = if open.0 == 0 { Some(place?) } else { None };
    Ok(Box::new(move || {
        if let Some((index, handle)) = place {
            focus(window);
            send(window, begin, index, handle);
        }
        let edit = edit_of();
        if edit.0 == 0 {
            return;
        }
        if win32::text_of(edit) != text {
            const EM_SETSEL: u32 = 0x00B1;
            const EM_REPLACESEL: u32 = 0x00C2;
            send(edit, EM_SETSEL, 0, -1);
            send_text(edit, EM_REPLACESEL, 1, &text);
        }
        if kind == Kind::TreeView {
            send(window, TVM_ENDEDITLABELNOW, 0, 0);
        } else {
            end_label(edit, VK_RETURN);
        }
    }))
}

/// Ends the edit of a list view's label. One version takes the key, another its character;
/// LVM_CANCELEDITLABEL keeps the text under Wine.
fn end_label(edit: Window, key: usize) {
    const WM_KEYDOWN: u32 = 0x0100;
    const WM_CHAR: u32 = 0x0102;
    send(edit, WM_KEYDOWN, key, 1);
    send(edit, WM_CHAR, key, 1);
}

/// Puts the label of an item under edit.
pub(crate) fn edit_label(window: Window, item: &ItemRef) -> Result<Doing, Trouble> {
    const LVM_EDITLABELW: u32 = 0x1076;
    const TVM_EDITLABELW: u32 = 0x1141;
    let kind = kind_of(window);
    let (message, index, handle) = if kind == Kind::TreeView {
        (TVM_EDITLABELW, 0, items::find_in_tree(window, item)?)
    } else {
        of_kind(window, Kind::ListView, "has items to rename")?;
        (LVM_EDITLABELW, items::find(window, kind, item)?, 0)
    };
    Ok(Box::new(move || {
        focus(window);
        send(window, message, index, handle);
    }))
}

/// The header of a list view, or the header itself.
fn header_of(window: Window) -> Result<Window, Trouble> {
    const LVM_GETHEADER: u32 = 0x101F;
    if kind_of(window) == Kind::Header {
        return Ok(window);
    }
    of_kind(window, Kind::ListView, "has columns")?;
    Ok(Window(send(window, LVM_GETHEADER, 0, 0).cast_unsigned() as u64))
}

fn column_of(window: Window, index: i32) -> Result<Window, Trouble> {
    const HDM_GETITEMCOUNT: u32 = 0x1200;
    let bar = header_of(window)?;
    if index < 0 || index as isize >= send(bar, HDM_GETITEMCOUNT, 0, 0) {
        return Err(Trouble::NoItem(index.to_string()));
    }
    Ok(bar)
}

/// The header tells its parent, and a list view in turn its own.
pub(crate) fn click_column(window: Window, index: i32) -> Result<Doing, Trouble> {
    let bar = column_of(window, index)?;
    Ok(Box::new(move || {
        let hdr = header(bar, by_unicode(bar, -322, -302));
        notify(bar, NMHEADERW { hdr, iItem: index, ..Default::default() });
        release(bar);
    }))
}

/// The end of whatever the pointer does to a header; WinForms acts upon it.
fn release(bar: Window) {
    const NM_RELEASEDCAPTURE: i32 = -16;
    notify(bar, header(bar, NM_RELEASEDCAPTURE));
}

/// Tells what a drag of a column's edge or of the column tells: that it begins, the change itself, that it
/// ends. The parent may refuse.
fn change_column(bar: Window, index: i32, begin: i32, mut item: HDITEMW, end: i32) {
    const HDM_SETITEMW: u32 = 0x120C;
    let tell = |code, item: &mut HDITEMW| {
        let hdr = header(bar, code);
        notify(bar, NMHEADERW { hdr, iItem: index, pitem: &raw mut *item, ..Default::default() })
    };
    if tell(begin, &mut item) != 0 {
        return;
    }
    // The end of a column's move is told before it is done, and may refuse it.
    if item.mask.contains(HDI_ORDER) && tell(end, &mut item) != 0 {
        return;
    }
    send_with(bar, HDM_SETITEMW, index as usize, &mut item);
    if !item.mask.contains(HDI_ORDER) {
        tell(end, &mut item);
    }
    release(bar);
}

pub(crate) fn size_column(window: Window, index: i32, width: i32) -> Result<Doing, Trouble> {
    let bar = column_of(window, index)?;
    Ok(Box::new(move || {
        let item = HDITEMW { mask: HDI_WIDTH, cxy: width, ..Default::default() };
        change_column(bar, index, by_unicode(bar, -326, -306), item, by_unicode(bar, -327, -307));
    }))
}

pub(crate) fn move_column(window: Window, index: i32, order: i32) -> Result<Doing, Trouble> {
    const HDN_BEGINDRAG: i32 = -310;
    const HDN_ENDDRAG: i32 = -311;
    let bar = column_of(window, index)?;
    Ok(Box::new(move || {
        let item = HDITEMW { mask: HDI_ORDER, iOrder: order, ..Default::default() };
        change_column(bar, index, HDN_BEGINDRAG, item, HDN_ENDDRAG);
        win32::repaint(bar);
    }))
}

/// A click on the link: it is found by asking the control what lies where.
pub(crate) fn follow_link(window: Window, index: i32, name: Option<&str>) -> Result<Doing, Trouble> {
    const LM_HITTEST: u32 = 0x0700;
    const STEP: i32 = 3;
    of_kind(window, Kind::Link, "has links")?;
    let text = |units: &[u16]| {
        let len = units.iter().position(|&unit| unit == 0).unwrap_or(units.len());
        String::from_utf16_lossy(&units[..len])
    };
    let (width, height) = win32::client_size(window).unwrap_or_default();
    let is_it = |x: i32, y: i32| {
        let mut hit = LHITTESTINFO { pt: POINT { x, y }, item: LITEM::default() };
        let is_link = send_with(window, LM_HITTEST, 0, &mut hit) != 0;
        let is_called = |name: &str| text(&hit.item.szID) == name || text(&hit.item.szUrl) == name;
        is_link && name.map_or(hit.item.iLink == index, is_called)
    };
    let places = (1..height)
        .step_by(STEP as usize)
        .flat_map(|y| (1..width).step_by(STEP as usize).map(move |x| (x, y)));
    let found = places.into_iter().find(|&(x, y)| is_it(x, y));
    // Not at its very edge.
    let inner = found
        .map(|(x, y)| [(x + STEP, y + STEP), (x + STEP, y), (x, y)].into_iter().find(|&(x, y)| is_it(x, y)));
    let missing = || Trouble::NoItem(name.map_or_else(|| format!("link {}", index + 1), str::to_owned));
    let at = inner.flatten().ok_or_else(missing)?;
    Ok(Box::new(move || click(window, PointerButton::Left, 1, at, 0)))
}

/// What the arrow of a button, tool or band tells; what opens is up to the program.
pub(crate) fn drop_down(window: Window, item: Option<u32>) -> Result<Doing, Trouble> {
    const BCN_DROPDOWN: i32 = -1248;
    const TBN_DROPDOWN: i32 = -710;
    const TB_GETRECT: u32 = 0x0433;
    const RB_PUSHCHEVRON: u32 = 0x042B;
    match (kind_of(window), item) {
        (Kind::ToolBar, Some(command)) => Ok(Box::new(move || {
            let mut rect = RECT::default();
            send_with(window, TB_GETRECT, command as usize, &mut rect);
            let hdr = header(window, TBN_DROPDOWN);
            notify(window, NMTOOLBARW { hdr, iItem: command as i32, rcButton: rect, ..Default::default() });
        })),
        (Kind::Rebar, Some(band)) => Ok(Box::new(move || {
            send(window, RB_PUSHCHEVRON, band as usize, 0);
        })),
        (Kind::Button, _) => Ok(Box::new(move || {
            focus(window);
            let (cx, cy) = win32::client_size(window).unwrap_or_default();
            let rect = RECT { left: 0, top: 0, right: cx, bottom: cy };
            notify(window, NMBCDROPDOWN { hdr: header(window, BCN_DROPDOWN), rcButton: rect });
        })),
        _ => Err(Trouble::Unable("the log does not tell whose arrow it was".into())),
    }
}

/// WM_DROPFILES with a list of files in the application's own memory.
pub(crate) fn drop_files(window: Window, files: &[String], point: (i32, i32)) -> Result<Doing, Trouble> {
    const WM_DROPFILES: u32 = 0x0233;
    const WS_EX_ACCEPTFILES: u32 = 0x10;
    if window.ex_style() & WS_EX_ACCEPTFILES == 0 {
        return Err(Trouble::Unable("the window does not take files".into()));
    }
    let list = win32::file_list(files, point).ok_or_else(|| Trouble::Unable("no memory".into()))?;
    Ok(Box::new(move || {
        post(window, WM_DROPFILES, list, 0);
    }))
}

/// The wheel, notch by notch, as if the pointer were over the middle of the window.
pub(crate) fn wheel(window: Window, turn: i32, horizontal: bool, modifiers: u8) {
    const WM_MOUSEWHEEL: u32 = 0x020A;
    const WM_MOUSEHWHEEL: u32 = 0x020E;
    const NOTCH: i32 = 120;
    const MOST: i32 = 1000;
    let (cx, cy) = win32::client_size(window).unwrap_or_default();
    let at = win32::on_screen(window, middle(RECT { left: 0, top: 0, right: cx, bottom: cy }));
    let message = if horizontal { WM_MOUSEHWHEEL } else { WM_MOUSEWHEEL };
    // MK_SHIFT, MK_CONTROL
    let held = if modifiers & 1 != 0 { 4 } else { 0 } | if modifiers & 2 != 0 { 8 } else { 0 };
    crate::keys::hold(modifiers, None);
    let mut left = turn.clamp(-MOST * NOTCH, MOST * NOTCH);
    while left != 0 {
        let delta = left.clamp(-NOTCH, NOTCH);
        left -= delta;
        post(
            window,
            message,
            win32::pair(held, delta).cast_unsigned() & 0xFFFF_FFFF,
            win32::pair(at.x, at.y),
        );
    }
    crate::keys::release_later();
}
