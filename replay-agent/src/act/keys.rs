//! Keys: which messages a keystroke consists of, and what the keyboard state of the thread has
//! to be meanwhile.

use super::gui::{Call, Gui, KeyMessage, Keystroke};
use replay_link::Window;
use win32_vocabulary::Control;
use win32_vocabulary::keys::{
    VK_APPS, VK_CAPITAL, VK_CONTROL, VK_DELETE, VK_DIVIDE, VK_DOWN, VK_F10, VK_INSERT, VK_LCONTROL, VK_LMENU,
    VK_LSHIFT, VK_LWIN, VK_MENU, VK_NUMLOCK, VK_PRIOR, VK_SHIFT,
};
use win32_vocabulary::messages::{WM_CONTEXTMENU, WM_KEYDOWN, WM_KEYUP, WM_SYSKEYDOWN, WM_SYSKEYUP};

const SHIFT: u8 = 1;
const CONTROL: u8 = 2;
const ALT: u8 = 4;
const WINDOWS: u8 = 8;
/// Modifiers in the order in which they are pressed.
const PRESS_ORDER: [(u32, u8); 3] = [(VK_CONTROL, CONTROL), (VK_MENU, ALT), (VK_SHIFT, SHIFT)];

pub(crate) fn press(gui: &dyn Gui, window: Window, code: u32, modifiers: u8) {
    gui.focus(window);
    let is_hot_key_field = gui.control(window) == Control::HotKey;
    let keystroke = keystroke(window, code, modifiers, is_hot_key_field, &|key| gui.scan_code(key));
    gui.call(&mut Call::PressKey { window, keystroke });
}

pub(crate) fn type_keys(gui: &dyn Gui, window: Window, text: String) {
    gui.focus(window);
    gui.call(&mut Call::TypeKeys { window, text });
}

/// The messages of a keystroke. The modifiers get messages of their own, since some windows count them, as a
/// hot key field does.
pub(crate) fn keystroke(
    window: Window,
    code: u32,
    modifiers: u8,
    is_hot_key_field: bool,
    scan_code: &dyn Fn(u32) -> u32,
) -> Keystroke {
    let is_alt = modifiers & ALT != 0 && modifiers & CONTROL == 0;
    // Where an accelerator takes the key, Alt alone seems pressed and released, which may open the menu bar.
    let has_messages = |bit: u8| modifiers & bit != 0 && (bit != ALT || is_hot_key_field);
    let message = |number, key: u32, is_alt, is_up| {
        let lparam = key_lparam(key, scan_code(key), is_alt, is_up);
        KeyMessage { number, wparam: key as usize, lparam }
    };
    let held = PRESS_ORDER.iter().filter(|(_, bit)| has_messages(*bit)).map(|(key, _)| *key);
    // F10 is a system key even without Alt.
    let is_system = is_alt || code == VK_F10;
    let (down, up) = if is_system { (WM_SYSKEYDOWN, WM_SYSKEYUP) } else { (WM_KEYDOWN, WM_KEYUP) };
    let mut presses: Vec<KeyMessage> =
        held.clone().map(|key| message(WM_KEYDOWN, key, false, false)).collect();
    presses.push(message(down, code, is_alt, false));
    let mut releases = vec![message(up, code, is_alt, true)];
    if code == VK_APPS && modifiers == 0 {
        // The system makes this message of the key before any window gets the key. Shift+F10 is
        // left to the window.
        releases.push(KeyMessage { number: WM_CONTEXTMENU, wparam: window.0 as u32 as usize, lparam: -1 });
    }
    releases.extend(held.rev().map(|key| message(WM_KEYUP, key, false, true)));
    Keystroke { modifiers, presses, releases }
}

/// The LPARAM of a key message: repeat count, scan code, extended key, Alt, released.
pub(crate) fn key_lparam(key: u32, scan_code: u32, is_alt: bool, is_up: bool) -> isize {
    let is_extended = matches!(key, VK_PRIOR..=VK_DOWN | VK_INSERT | VK_DELETE | VK_LWIN..=VK_APPS | VK_DIVIDE | VK_NUMLOCK);
    let bits = 1
        | (scan_code & 0xFF) << 16
        | u32::from(is_extended) << 24
        | u32::from(is_alt) << 29
        | if is_up { 0xC000_0000 } else { 0 };
    bits.cast_signed() as isize
}

/// The keyboard state while modifiers, as `key.modifiers` has them, and a button or further key are held.
pub(crate) fn held_keyboard(mut keys: [u8; 256], modifiers: u8, also: Option<usize>) -> [u8; 256] {
    const IS_DOWN: u8 = 0x80;
    // Some programs ask for the left and right keys too.
    let held = [
        (VK_SHIFT, VK_LSHIFT, SHIFT),
        (VK_CONTROL, VK_LCONTROL, CONTROL),
        (VK_MENU, VK_LMENU, ALT),
        (VK_LWIN, VK_LWIN, WINDOWS),
    ];
    for (key, left, bit) in held {
        let state = if modifiers & bit != 0 { IS_DOWN } else { 0 };
        keys[key as usize] = state;
        keys[left as usize] = state;
        // Only the left key is held: a right Ctrl or Alt would be another combination.
        if left != key {
            keys[left as usize + 1] = 0;
        }
    }
    if let Some(also) = also {
        keys[also] |= IS_DOWN;
    }
    // The recorded character says which letter it was, with Caps Lock or without.
    keys[VK_CAPITAL as usize] = 0;
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{self, Fake, focus};
    use replay_link::Act;
    use win32_vocabulary::keys::{VK_HOME, VK_LBUTTON, VK_RCONTROL, VK_RETURN};

    /// Number and key of each message.
    type Messages = Vec<(u32, usize)>;

    /// The presses and the releases.
    fn strokes(class: &str, code: u32, modifiers: u8) -> (Messages, Messages) {
        let mut calls = Fake::with(class).act(Act::Key { code, modifiers }).unwrap();
        assert_eq!(calls[0], focus());
        let Some(Call::PressKey { window: fake::CONTROL, keystroke }) = calls.pop() else {
            panic!("{calls:?}")
        };
        assert_eq!(keystroke.modifiers, modifiers);
        let plain = |messages: Vec<KeyMessage>| messages.iter().map(|it| (it.number, it.wparam)).collect();
        (plain(keystroke.presses), plain(keystroke.releases))
    }

    fn key(number: u32, key: u32) -> (u32, usize) {
        (number, key as usize)
    }

    #[test]
    fn modifiers_are_pressed_before_the_key_and_released_after_it() {
        let (presses, releases) = strokes("Edit", VK_HOME, CONTROL | SHIFT);
        let down = |code| key(WM_KEYDOWN, code);
        assert_eq!(presses, [down(VK_CONTROL), down(VK_SHIFT), down(VK_HOME)]);
        let up = |code| key(WM_KEYUP, code);
        assert_eq!(releases, [up(VK_HOME), up(VK_SHIFT), up(VK_CONTROL)]);
    }

    #[test]
    fn alt_makes_a_system_key_and_only_a_hot_key_field_counts_it() {
        let letter = u32::from(b'S');
        let system = (vec![key(WM_SYSKEYDOWN, letter)], vec![key(WM_SYSKEYUP, letter)]);
        assert_eq!(strokes("Edit", letter, ALT), system);
        let (presses, _) = strokes("THotKey", letter, ALT);
        assert_eq!(presses, [key(WM_KEYDOWN, VK_MENU), key(WM_SYSKEYDOWN, letter)]);
        assert_eq!(strokes("Edit", VK_F10, 0).0, [key(WM_SYSKEYDOWN, VK_F10)]);
        // Ctrl and Alt together are AltGr.
        let (presses, _) = strokes("Edit", letter, CONTROL | ALT);
        assert_eq!(presses, [key(WM_KEYDOWN, VK_CONTROL), key(WM_KEYDOWN, letter)]);
    }

    #[test]
    fn the_menu_key_opens_a_context_menu() {
        let (_, releases) = strokes("Edit", VK_APPS, 0);
        assert_eq!(releases, [key(WM_KEYUP, VK_APPS), (WM_CONTEXTMENU, fake::CONTROL.0 as usize)]);
        assert_eq!(strokes("Edit", VK_APPS, SHIFT).1.len(), 2, "Shift is released too");
    }

    #[test]
    fn the_bits_of_a_key_message_are_as_documented() {
        assert_eq!(key_lparam(VK_RETURN, 0x1C, false, false), 0x001C_0001);
        assert_eq!(key_lparam(VK_DELETE, 0x53, false, false), 0x0153_0001, "an extended key");
        let released = key_lparam(u32::from(b'S'), 0x1F, true, true);
        assert_eq!(released, (0xE01F_0001_u32.cast_signed()) as isize);
    }

    #[test]
    fn the_keyboard_has_the_left_keys_down_and_caps_lock_off() {
        let mut keys = [0; 256];
        keys[VK_CAPITAL as usize] = 1;
        keys[VK_RCONTROL as usize] = 0x80;
        let held = held_keyboard(keys, CONTROL | SHIFT, Some(VK_LBUTTON as usize));
        let down: Vec<u32> = (0..256).filter(|key| held[*key as usize] & 0x80 != 0).collect();
        assert_eq!(down, [VK_LBUTTON, VK_SHIFT, VK_CONTROL, VK_LSHIFT, VK_LCONTROL]);
        assert_eq!(held[VK_CAPITAL as usize], 0);
    }

    #[test]
    fn typed_keys_are_left_to_the_keyboard() {
        let calls = Fake::with("Edit").act(Act::TypeKeys { text: "ab".into() }).unwrap();
        assert_eq!(calls, [focus(), Call::TypeKeys { window: fake::CONTROL, text: "ab".into() }]);
    }
}
