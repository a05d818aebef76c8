//! Menus, by their handles as numbers.
#![expect(unsafe_code, reason = "foreign calls")]

use crate::win32::messages::send;
use crate::win32::process::{process_id, thread_id};
use replay_link::{Window, top_level_windows};
use win32_vocabulary::Control;
use win32_vocabulary::messages::MN_GETHMENU;
use windows::Win32::UI::WindowsAndMessaging::{
    GUI_INMENUMODE, GUI_POPUPMENUMODE, GUITHREADINFO, GetGUIThreadInfo, GetMenu, GetMenuItemCount,
    GetMenuItemID, GetMenuState, GetMenuStringW, GetSubMenu, HMENU, MENU_ITEM_FLAGS, MF_BYPOSITION,
    MF_CHECKED, MF_DISABLED, MF_GRAYED, MF_HILITE,
};

fn handle(menu: usize) -> HMENU {
    HMENU(std::ptr::without_provenance_mut(menu))
}

fn some(menu: HMENU) -> Option<usize> {
    (!menu.is_invalid()).then(|| menu.0.addr())
}

/// The menu bar of a window.
pub(crate) fn bar(window: Window) -> Option<usize> {
    // A child has an id in the menu's place.
    if window.parent().is_some() {
        return None;
    }
    // SAFETY: an invalid HWND returns null.
    some(unsafe { GetMenu(window.handle()) })
}

pub(crate) fn len(menu: usize) -> i32 {
    // SAFETY: an invalid HMENU returns -1.
    unsafe { GetMenuItemCount(Some(handle(menu))) }
}

pub(crate) fn command(menu: usize, position: i32) -> u32 {
    // SAFETY: an invalid HMENU or position returns u32::MAX.
    unsafe { GetMenuItemID(handle(menu), position) }
}

pub(crate) fn sub_menu(menu: usize, position: i32) -> Option<usize> {
    // SAFETY: an invalid HMENU or position returns null.
    some(unsafe { GetSubMenu(handle(menu), position) })
}

/// The text of an item; empty for a separator.
pub(crate) fn label(menu: usize, position: i32) -> String {
    let mut units = [0u16; 512];
    // SAFETY: the array is a local, and its length goes along.
    let len =
        unsafe { GetMenuStringW(handle(menu), position.cast_unsigned(), Some(&mut units), MF_BYPOSITION) };
    String::from_utf16_lossy(&units[..usize::try_from(len).unwrap_or(0).min(units.len())])
}

fn has_state(menu: usize, position: i32, flags: MENU_ITEM_FLAGS) -> bool {
    // SAFETY: an invalid HMENU or position returns u32::MAX.
    let state = unsafe { GetMenuState(handle(menu), position.cast_unsigned(), MF_BYPOSITION) };
    state != u32::MAX && state & flags.0 != 0
}

pub(crate) fn is_highlighted(menu: usize, position: i32) -> bool {
    has_state(menu, position, MF_HILITE)
}

pub(crate) fn is_checked(menu: usize, position: i32) -> bool {
    has_state(menu, position, MF_CHECKED)
}

pub(crate) fn is_disabled(menu: usize, position: i32) -> bool {
    has_state(menu, position, MF_DISABLED | MF_GRAYED)
}

fn thread_info() -> Option<GUITHREADINFO> {
    let mut info = GUITHREADINFO { cbSize: size_of::<GUITHREADINFO>() as u32, ..Default::default() };
    // SAFETY: the structure is a local that says its size.
    unsafe { GetGUIThreadInfo(thread_id(), &raw mut info) }.ok()?;
    Some(info)
}

/// Whether a menu of the calling thread is open: it takes all keys and closes when another
/// window becomes active.
pub(crate) fn is_in_menu() -> bool {
    thread_info().is_some_and(|info| info.flags.0 & (GUI_INMENUMODE | GUI_POPUPMENUMODE).0 != 0)
}

/// The menus that are open on the calling thread, from the first to the innermost, each with the window
/// that takes the keys.
pub(crate) fn open() -> Vec<(Window, usize)> {
    let Some(info) = thread_info() else { return Vec::new() };
    let owner = Window(info.hwndMenuOwner.0.addr() as u64);
    let is_menu = |window: &Window| {
        window.is_shown()
            && window.thread_and_process().0 == thread_id()
            && Control::of_class(&window.class().to_string_lossy()) == Control::Menu
    };
    let shown = top_level_windows(process_id()).into_iter().filter(is_menu);
    let mut open: Vec<(Window, usize)> =
        shown.map(|window| (owner, send(window, MN_GETHMENU, 0, 0).cast_unsigned())).collect();
    open.retain(|(_, menu)| *menu != 0);
    // Topmost windows come first, and the innermost menu is on top.
    open.reverse();
    open
}

/// The menu bar that the keyboard of the calling thread is in, with its window.
pub(crate) fn entered_bar() -> Option<(Window, usize)> {
    let owner = Window(thread_info()?.hwndMenuOwner.0.addr() as u64);
    let bar = bar(owner)?;
    (0..len(bar)).any(|position| is_highlighted(bar, position)).then_some((owner, bar))
}
