//! An item of an open menu, chosen by the keys that the menu itself understands, looking after each key where
//! the menu stands. So it does not matter who asked for the menu, or how the answer comes: by WM_COMMAND,
//! WM_MENUCOMMAND or a return value.

use crate::act::gui::Menu;
use crate::act::menu_way;
use crate::gui_thread::live::Live;
use crate::win32::menus;
use crate::win32::messages::post;
use crate::win32::process::process_id;
use crate::worker::threads::Threads;
use replay_link::{Trouble, Window};
use std::time::{Duration, Instant};
use win32_vocabulary::keys::{VK_DOWN, VK_RETURN, VK_RIGHT};
use win32_vocabulary::messages::WM_KEYDOWN;

/// How long a menu may take to open.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long it may take for a key.
const SHORT: Duration = Duration::from_secs(1);

/// Chooses an item of the menu that is open on the thread of a window.
pub(crate) fn choose(
    threads: &mut Threads,
    window: Window,
    path: &[String],
    command: Option<u32>,
) -> Result<(), Trouble> {
    let missing = || Trouble::NoItem(path.join(" > "));
    let deadline = Instant::now() + PATIENCE;
    let (owner, mut menu, mut is_bar) = loop {
        threads.settle(process_id(), SHORT);
        if let Some((owner, menu)) = on_thread(threads, window, menus::open)?.last().copied() {
            break (owner, menu, false);
        }
        // The keyboard may be in a menu bar of which no menu is open yet.
        if let Some((owner, bar)) = on_thread(threads, window, menus::entered_bar)? {
            break (owner, bar, true);
        }
        if Instant::now() >= deadline {
            return Err(Trouble::Unable("the menu did not open".into()));
        }
    };
    loop {
        let path = path.to_vec();
        let next = on_thread(threads, window, move || menu_way::next(&Live, Menu(menu), command, &path))?;
        let (position, is_last) = next.ok_or_else(missing)?;
        // A bar lies across, and its menus hang below it.
        let (forward, open) = if is_bar { (VK_RIGHT, VK_DOWN) } else { (VK_DOWN, VK_RIGHT) };
        step_to(threads, (window, owner), (menu, forward), position)?;
        press(owner, if is_last { VK_RETURN } else { open });
        is_bar = false;
        threads.settle(process_id(), SHORT);
        if is_last {
            return Ok(());
        }
        let inner = on_thread(threads, window, menus::open)?.last().copied();
        menu = inner.map(|(_, inner)| inner).filter(|inner| *inner != menu).ok_or_else(missing)?;
    }
}

fn press(owner: Window, key: u32) {
    post(owner, WM_KEYDOWN, key as usize, 1);
}

/// Presses the key to the next item until the wanted item is highlighted.
fn step_to(
    threads: &mut Threads,
    (window, owner): (Window, Window),
    (menu, forward): (usize, u32),
    position: i32,
) -> Result<(), Trouble> {
    let most = on_thread(threads, window, move || menus::len(menu))?.max(0) + 2;
    for _ in 0..most {
        if on_thread(threads, window, move || menus::is_highlighted(menu, position))? {
            return Ok(());
        }
        press(owner, forward);
        threads.settle(process_id(), SHORT);
    }
    Err(Trouble::Unable("the menu does not go to the item".into()))
}

/// Asks something on the thread of a window, inside its menu's own loop.
fn on_thread<T: Send + 'static>(
    threads: &mut Threads,
    window: Window,
    ask: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Trouble> {
    threads.run(window, PATIENCE, move |answer| answer(ask())).map_err(|_| Trouble::Gone)
}
