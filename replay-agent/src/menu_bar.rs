//! An item of a menu bar, chosen without opening the menu: Windows asks the application to bring its menus up
//! to date first, so that is done here too.
//!
//! Where the recorded command belongs to another label now, and the recorded labels are there with another
//! command, the labels win: toolkits count their commands when they make a menu. Labels that are not there
//! may be translated; then the command decides.

use crate::acts::Doing;
use crate::items::remark;
use crate::win32::{Menu, pair, send};
use replay_link::{Trouble, Window, clean};

const WM_COMMAND: u32 = 0x0111;
const WM_INITMENU: u32 = 0x0116;
const WM_INITMENUPOPUP: u32 = 0x0117;
const WM_MENUSELECT: u32 = 0x011F;
/// MF_MOUSESELECT, and what WM_MENUSELECT says when there is no menu any more.
const MOUSE_SELECT: i32 = 0x8000;
const NO_MENU: usize = 0xFFFF_0000;

/// The command of a menu or accelerator. Without a path the command alone decides.
pub(crate) fn command(
    window: Window,
    mut id: u32,
    accelerator: bool,
    path: &[String],
) -> Result<Doing, Trouble> {
    let mut found = None;
    if let Some(bar) = Menu::of(window) {
        send(window, WM_INITMENU, bar.handle(), 0);
        found = open_to(window, bar, id, false).filter(|at| is_called(*at, path));
        found = found.or_else(|| open_along(window, bar, path)).or_else(|| open_to(window, bar, id, true));
        if let Some((menu, position)) = found {
            if menu.is_disabled(position) {
                return Err(Trouble::Disabled);
            }
            if menu.command(position) != id {
                remark(format!(
                    "{} was found by its label: its command is {} now and was {id}",
                    path.join(" > "),
                    menu.command(position)
                ));
                id = menu.command(position);
            }
        }
    }
    let wparam = move |high: i32| pair(id as i32, high).cast_unsigned() & 0xFFFF_FFFF;
    Ok(Box::new(move || {
        // An item is highlighted before it is chosen, and none when the menu has closed.
        if let Some((menu, _)) = found.filter(|_| !accelerator) {
            send(window, WM_MENUSELECT, wparam(MOUSE_SELECT), menu.handle().cast_signed());
            send(window, WM_MENUSELECT, NO_MENU, 0);
        }
        send(window, WM_COMMAND, wparam(i32::from(accelerator)), 0);
    }))
}

/// Whether an item has the last label of a path. One without a text (drawn by the program) may have any.
fn is_called((menu, position): (Menu, i32), path: &[String]) -> bool {
    let label = clean(&menu.label(position));
    label.is_empty() || path.last().is_none_or(|wanted| *wanted == label)
}

/// The menu with the command and its place in there; the application is told of each menu on the way, or of
/// every menu if it fills them only then.
fn open_to(window: Window, menu: Menu, id: u32, every: bool) -> Option<(Menu, i32)> {
    for position in 0..menu.len() {
        let Some(sub_menu) = menu.sub_menu(position) else {
            if menu.command(position) == id {
                return Some((menu, position));
            }
            continue;
        };
        if every {
            open(window, sub_menu, position);
        }
        if let Some(found) = open_to(window, sub_menu, id, every) {
            if !every {
                open(window, sub_menu, position);
            }
            // What the application did to it just now may have moved it.
            return (0..found.0.len())
                .find(|&position| found.0.command(position) == id)
                .map(|position| (found.0, position));
        }
    }
    None
}

/// The item that the labels lead to.
fn open_along(window: Window, menu: Menu, path: &[String]) -> Option<(Menu, i32)> {
    // Items that the program draws have none, and neither have lines.
    let (label, rest) = path.split_first().filter(|(label, _)| !label.is_empty())?;
    let called = |&position: &i32| clean(&menu.label(position)) == *label;
    (0..menu.len()).filter(called).find_map(|position| match menu.sub_menu(position) {
        Some(inner) => {
            open(window, inner, position);
            open_along(window, inner, rest)
        }
        None => rest.is_empty().then_some((menu, position)),
    })
}

fn open(window: Window, menu: Menu, position: i32) {
    send(window, WM_INITMENUPOPUP, menu.handle(), position as isize);
}
