//! Keys held for one message: accelerators and controls ask the state of their thread's keyboard.

use crate::win32;
use replay_link::Window;
use std::cell::RefCell;

const VK_SHIFT: usize = 0x10;
const VK_CONTROL: usize = 0x11;
const VK_MENU: usize = 0x12;
const VK_LWIN: usize = 0x5B;

const WM_KEYDOWN: u32 = 0x0100;
const WM_KEYUP: u32 = 0x0101;
const WM_SYSKEYDOWN: u32 = 0x0104;
const WM_SYSKEYUP: u32 = 0x0105;
const ALT: u8 = 4;

thread_local! {
    /// The keyboard before the first of the steps that are still under way.
    static BEFORE: RefCell<Option<[u8; 256]>> = const { RefCell::new(None) };
}

/// Holds these keys, as `key.modifiers` has them, and a button or key, until `release_later` takes effect.
pub(crate) fn hold(modifiers: u8, also: Option<usize>) {
    let mut keys = win32::keyboard();
    BEFORE.with_borrow_mut(|before| {
        before.get_or_insert(keys);
    });
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
    win32::set_keyboard(&keys);
}

/// Lets them go when all that was posted by now has been taken.
pub(crate) fn release_later() {
    win32::post_restore_keys();
}

/// The keyboard as it was.
pub(crate) fn restore() {
    if let Some(before) = BEFORE.with_borrow_mut(Option::take) {
        win32::set_keyboard(&before);
    }
}

/// Posts a key, down and up, with modifiers held.
pub(crate) fn press(window: Window, code: u32, modifiers: u8) {
    hold(modifiers, None);
    let is_alt = modifiers & ALT != 0 && modifiers & 2 == 0;
    // F10 is a system key even alone.
    let (down, up) =
        if is_alt || code == 0x79 { (WM_SYSKEYDOWN, WM_SYSKEYUP) } else { (WM_KEYDOWN, WM_KEYUP) };
    win32::post(window, down, code as usize, message_bits(code, is_alt, false));
    win32::post(window, up, code as usize, message_bits(code, is_alt, true));
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
