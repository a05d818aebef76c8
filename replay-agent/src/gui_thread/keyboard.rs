//! The keyboard state of a GUI thread while keys are held: accelerators and controls ask for it.

use crate::act::gui::{KeyMessage, Keystroke};
use crate::act::keys::{held_keyboard, keystroke};
use crate::gui_thread::own_windows::{WM_RELEASE_KEY, WM_RESTORE_KEYS, WM_TURN_KEY, post_here};
use crate::win32::{keyboard, messages};
use replay_link::Window;
use std::cell::RefCell;
use std::collections::VecDeque;
use win32_vocabulary::Control;
use win32_vocabulary::messages::WM_CHAR;

thread_local! {
    /// The keyboard before the first of the steps that are still under way, and how many steps those are.
    static BEFORE: RefCell<Option<([u8; 256], usize)>> = const { RefCell::new(None) };
    /// The releases of each key that is down.
    static RELEASES: RefCell<VecDeque<(Window, Vec<KeyMessage>)>> = const { RefCell::new(VecDeque::new()) };
    /// What remains to be typed.
    static UNTYPED: RefCell<VecDeque<(Window, u16)>> = const { RefCell::new(VecDeque::new()) };
}

/// Holds modifiers, as `key.modifiers` has them, and a button or further key, until
/// `restore_later` takes effect.
pub(crate) fn hold(modifiers: u8, also: Option<usize>) {
    let keys = keyboard::state();
    BEFORE.with_borrow_mut(|before| before.get_or_insert((keys, 0)).1 += 1);
    keyboard::set_state(&held_keyboard(keys, modifiers, also));
}

/// Turns a held key or button down or up behind the messages posted so far: Tk asks for a button when it
/// gets its release.
pub(crate) fn turn_later(key: usize, is_down: bool) {
    post_here(WM_TURN_KEY, key, isize::from(is_down));
}

pub(crate) fn on_turn(key: usize, is_down: bool) {
    let is_held = BEFORE.with_borrow(Option::is_some);
    if is_held && key < 256 {
        let mut keys = keyboard::state();
        keys[key] = if is_down { 0x80 } else { 0 };
        keyboard::set_state(&keys);
    }
}

/// Lets all keys go once the messages posted so far have been taken.
pub(crate) fn restore_later() {
    post_here(WM_RESTORE_KEYS, 0, 0);
}

/// Restores the keyboard, unless another step holds keys.
pub(crate) fn restore() {
    let restored = BEFORE.with_borrow_mut(|before| {
        let (_, steps) = before.as_mut()?;
        *steps = steps.saturating_sub(1);
        if *steps == 0 { before.take() } else { None }
    });
    if let Some((before, _)) = restored {
        keyboard::set_state(&before);
    }
    type_next();
}

/// Presses the key of each character, the next when the one before is released: each may want
/// other keys held.
pub(crate) fn type_text(window: Window, text: &str) {
    let is_under_way = UNTYPED.with_borrow_mut(|untyped| {
        let is_under_way = !untyped.is_empty();
        untyped.extend(text.encode_utf16().map(|unit| (window, unit)));
        is_under_way
    });
    if !is_under_way {
        type_next();
    }
}

fn type_next() {
    let Some((window, unit)) = UNTYPED.with_borrow_mut(VecDeque::pop_front) else { return };
    // Shift is part of most characters; Ctrl and Alt may mean a command.
    match keyboard::key_of(unit) {
        Some((code, modifiers @ 0..=1)) => {
            let is_hot_key_field = Control::of_class(&window.class().to_string_lossy()) == Control::HotKey;
            let scan_code = &keyboard::scan_code;
            press(window, keystroke(window, code, modifiers, is_hot_key_field, scan_code));
        }
        _ => {
            hold(0, None);
            messages::post(window, WM_CHAR, usize::from(unit), 1);
            restore_later();
        }
    }
}

/// Posts the presses of a keystroke with its modifiers held, and has the releases follow once
/// those are taken.
pub(crate) fn press(window: Window, keystroke: Keystroke) {
    hold(keystroke.modifiers, None);
    for KeyMessage { number, wparam, lparam } in keystroke.presses {
        messages::post(window, number, wparam, lparam);
    }
    RELEASES.with_borrow_mut(|releases| releases.push_back((window, keystroke.releases)));
    post_here(WM_RELEASE_KEY, 0, 0);
}

/// Releases the key that has been down longest.
pub(crate) fn release() {
    let (window, releases) = RELEASES.with_borrow_mut(VecDeque::pop_front).unwrap_or((Window(0), Vec::new()));
    for KeyMessage { number, wparam, lparam } in releases {
        messages::post(window, number, wparam, lparam);
    }
    restore_later();
}
