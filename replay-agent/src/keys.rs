//! Keys held for one message: accelerators and controls ask the state of their thread's keyboard.

use crate::controls::{Kind, kind_of};
use crate::win32;
use replay_link::Window;
use std::cell::RefCell;
use std::collections::VecDeque;

const VK_SHIFT: usize = 0x10;
const VK_CONTROL: usize = 0x11;
const VK_MENU: usize = 0x12;
const VK_CAPITAL: usize = 0x14;
const VK_LWIN: usize = 0x5B;

const WM_KEYDOWN: u32 = 0x0100;
const WM_KEYUP: u32 = 0x0101;
const WM_CHAR: u32 = 0x0102;
const WM_SYSKEYDOWN: u32 = 0x0104;
const WM_SYSKEYUP: u32 = 0x0105;
const WM_CONTEXTMENU: u32 = 0x007B;
const VK_APPS: u32 = 0x5D;
const ALT: u8 = 4;
/// Modifiers in the order in which they are pressed.
const HELD: [(usize, u8); 3] = [(VK_CONTROL, 2), (VK_MENU, ALT), (VK_SHIFT, 1)];

/// A message for a window: number, key, bits.
type Posted = (Window, u32, u32, isize);

thread_local! {
    /// The keyboard before the first of the steps that are still under way, and how many they are.
    static BEFORE: RefCell<Option<([u8; 256], usize)>> = const { RefCell::new(None) };
    /// The releases of each key that is down.
    static DOWN: RefCell<VecDeque<Vec<Posted>>> = const { RefCell::new(VecDeque::new()) };
    /// What is left to type.
    static LEFT: RefCell<VecDeque<(Window, u16)>> = const { RefCell::new(VecDeque::new()) };
}

/// Holds these keys, as `key.modifiers` has them, and a button or key, until `release_later` takes effect.
pub(crate) fn hold(modifiers: u8, also: Option<usize>) {
    let mut keys = win32::keyboard();
    BEFORE.with_borrow_mut(|before| before.get_or_insert((keys, 0)).1 += 1);
    // Left and right keys too, which some programs ask for.
    let held = [(VK_SHIFT, 0xA0, 1), (VK_CONTROL, 0xA2, 2), (VK_MENU, 0xA4, ALT), (VK_LWIN, VK_LWIN, 8)];
    for (key, left, bit) in held {
        let state = if modifiers & bit != 0 { 0x80 } else { 0 };
        keys[key] = state;
        keys[left] = state;
        // Only the left one: a right Ctrl or Alt would be another combination.
        if left != key {
            keys[left + 1] = 0;
        }
    }
    if let Some(also) = also {
        keys[also] |= 0x80;
    }
    // On or off, the recorded character says which letter it was.
    keys[VK_CAPITAL] = 0;
    win32::set_keyboard(&keys);
}

/// Turns one of the held keys or buttons down or up, behind what is posted by now: at its release a program
/// finds a button up (Tk asks).
pub(crate) fn turn(key: usize, down: bool) {
    win32::post_turn_key(key, down);
}

/// Does so.
pub(crate) fn turned(key: usize, down: bool) {
    let is_held = BEFORE.with_borrow(Option::is_some);
    if is_held && key < 256 {
        let mut keys = win32::keyboard();
        keys[key] = if down { 0x80 } else { 0 };
        win32::set_keyboard(&keys);
    }
}

/// Lets them go when all that was posted by now has been taken.
pub(crate) fn release_later() {
    win32::post_restore_keys();
}

/// The keyboard as it was, when nothing else holds a key.
pub(crate) fn restore() {
    let restored = BEFORE.with_borrow_mut(|before| {
        let (_, held) = before.as_mut()?;
        *held = held.saturating_sub(1);
        if *held == 0 { before.take() } else { None }
    });
    if let Some((before, _)) = restored {
        win32::set_keyboard(&before);
    }
    type_next();
}

/// Presses the key of each character, the next when the one before is released: each may want
/// other keys held.
pub(crate) fn type_text(window: Window, text: &str) {
    let is_under_way = LEFT.with_borrow_mut(|left| {
        let is_under_way = !left.is_empty();
        left.extend(text.encode_utf16().map(|unit| (window, unit)));
        is_under_way
    });
    if !is_under_way {
        type_next();
    }
}

fn type_next() {
    let Some((window, unit)) = LEFT.with_borrow_mut(VecDeque::pop_front) else { return };
    // Shift is part of most characters; Ctrl and Alt may mean a command.
    match win32::key_of(unit) {
        Some((code, modifiers @ 0..=1)) => press(window, code, modifiers),
        _ => {
            hold(0, None);
            win32::post(window, WM_CHAR, usize::from(unit), 1);
            release_later();
        }
    }
}

/// Posts a key with modifiers held and their own keys before and after: some programs count them, as a
/// hot key field does.
pub(crate) fn press(window: Window, code: u32, modifiers: u8) {
    hold(modifiers, None);
    let is_alt = modifiers & ALT != 0 && modifiers & 2 == 0;
    // Alt pressed and let go may open the menu bar where an accelerator took the key in between; a hot key
    // field knows no menu.
    let is_counted = |bit: u8| modifiers & bit != 0 && (bit != ALT || kind_of(window) == Kind::HotKey);
    let counted: Vec<u32> =
        HELD.iter().filter(|(_, bit)| is_counted(*bit)).map(|(key, _)| *key as u32).collect();
    for &key in &counted {
        win32::post(window, WM_KEYDOWN, key as usize, message_bits(key, false, false));
    }
    // F10 is a system key even alone.
    let (down, up) =
        if is_alt || code == 0x79 { (WM_SYSKEYDOWN, WM_SYSKEYUP) } else { (WM_KEYDOWN, WM_KEYUP) };
    win32::post(window, down, code as usize, message_bits(code, is_alt, false));
    let mut ups: Vec<Posted> = vec![(window, up, code, message_bits(code, is_alt, true))];
    if code == VK_APPS && modifiers == 0 {
        // The system makes this of the key itself, before any window is told; Shift+F10 is a
        // matter of the window.
        ups.push((window, WM_CONTEXTMENU, window.0 as u32, -1));
    }
    ups.extend(counted.iter().rev().map(|&key| (window, WM_KEYUP, key, message_bits(key, false, true))));
    DOWN.with_borrow_mut(|down| down.push_back(ups));
    // Not yet: the character that is made of the key comes before its release.
    win32::post_release_keys();
}

/// The key that has been down longest is released.
pub(crate) fn release() {
    for (window, message, key, bits) in DOWN.with_borrow_mut(VecDeque::pop_front).unwrap_or_default() {
        win32::post(window, message, key as usize, bits);
    }
    release_later();
}

/// Repeat count, scan code, extended key, Alt, released.
pub(crate) fn message_bits(code: u32, alt: bool, up: bool) -> isize {
    let is_extended = matches!(code, 0x21..=0x28 | 0x2D | 0x2E | 0x5B..=0x5D | 0x6F | 0x90);
    let bits = 1
        | (win32::scan_code(code) & 0xFF) << 16
        | u32::from(is_extended) << 24
        | u32::from(alt) << 29
        | if up { 0xC000_0000 } else { 0 };
    bits.cast_signed() as isize
}
