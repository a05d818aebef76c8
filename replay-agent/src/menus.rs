//! A menu that is open: an item of it is chosen by the keys that the menu itself understands, looking after
//! each where it stands. So it does not matter who asked for the menu, and how its answer is told: by
//! WM_COMMAND, WM_MENUCOMMAND or a return value.

use crate::threads::Threads;
use crate::win32::{self, Menu, post};
use replay_link::{Trouble, Window, clean};
use std::time::{Duration, Instant};

const WM_KEYDOWN: u32 = 0x0100;
const VK_RETURN: usize = 0x0D;
const VK_RIGHT: usize = 0x27;
const VK_DOWN: usize = 0x28;
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
        threads.settle(win32::process_id(), SHORT);
        if let Some((owner, menu)) = on_thread(threads, window, win32::open_menu)?.last().copied() {
            break (owner, menu, false);
        }
        // The keyboard is in a menu bar, of which no menu is open yet.
        if let Some((owner, bar)) = on_thread(threads, window, win32::entered_bar)? {
            break (owner, bar, true);
        }
        if Instant::now() >= deadline {
            return Err(Trouble::Unable("the menu did not open".into()));
        }
    };
    loop {
        let wanted = {
            let path = path.to_vec();
            move |menu: Menu| way_to(menu, command, &path)
        };
        let (position, is_last) = on_thread(threads, window, move || wanted(menu))?.ok_or_else(missing)?;
        // A bar lies across, and its menus hang below it.
        let (next, open) = if is_bar { (VK_RIGHT, VK_DOWN) } else { (VK_DOWN, VK_RIGHT) };
        step_to(threads, (window, owner), (menu, next), position)?;
        post(owner, WM_KEYDOWN, if is_last { VK_RETURN } else { open }, 1);
        is_bar = false;
        threads.settle(win32::process_id(), SHORT);
        if is_last {
            return Ok(());
        }
        let inner = on_thread(threads, window, win32::open_menu)?.last().copied();
        menu = inner.map(|(_, inner)| inner).filter(|inner| *inner != menu).ok_or_else(missing)?;
    }
}

/// Presses the key to the next item until the item is the highlighted one.
fn step_to(
    threads: &mut Threads,
    (window, owner): (Window, Window),
    (menu, next): (Menu, usize),
    position: i32,
) -> Result<(), Trouble> {
    let most = on_thread(threads, window, move || menu.len())?.max(0) + 2;
    for _ in 0..most {
        if on_thread(threads, window, move || menu.is_highlighted(position))? {
            return Ok(());
        }
        post(owner, WM_KEYDOWN, next, 1);
        threads.settle(win32::process_id(), SHORT);
    }
    Err(Trouble::Unable("the menu does not go to the item".into()))
}

/// The item of this menu that is it or leads to it, and whether it is it.
fn way_to(menu: Menu, command: Option<u32>, path: &[String]) -> Option<(i32, bool)> {
    let by_command = || {
        (0..menu.len()).find_map(|position| match menu.sub_menu(position) {
            None => {
                (Some(menu.command(position)) == command.filter(|id| *id != 0)).then_some((position, true))
            }
            Some(inner) => way_to(inner, command, &[]).map(|_| (position, false)),
        })
    };
    let by_label = || {
        (0..menu.len()).find_map(|position| {
            let label = clean(&menu.label(position));
            let at = path.iter().position(|wanted| !label.is_empty() && *wanted == label)?;
            match menu.sub_menu(position) {
                None => (at + 1 == path.len()).then_some((position, true)),
                Some(_) => (at + 1 < path.len()).then_some((position, false)),
            }
        })
    };
    // Some toolkits count their commands anew in every run: where command and label disagree, the label wins.
    // One that is not there may be translated.
    let is_called = |position: i32| path.is_empty() || path.contains(&clean(&menu.label(position)));
    by_command().filter(|(position, _)| is_called(*position)).or_else(by_label).or_else(by_command)
}

/// Something asked on the thread of a window, inside its menu's own loop.
fn on_thread<T: Send + 'static>(
    threads: &mut Threads,
    window: Window,
    ask: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Trouble> {
    threads.run(window, PATIENCE, move |answer| answer(ask())).map_err(|_| Trouble::Gone)
}
