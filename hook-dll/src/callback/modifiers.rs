//! Which modifier keys are down, from the key messages: to call Windows for each message would take too long.

use crate::system::input;
use win32_vocabulary::keys::{
    VK_CAPITAL, VK_CONTROL, VK_DELETE, VK_DIVIDE, VK_DOWN, VK_INSERT, VK_LWIN, VK_MENU, VK_NUMLOCK,
    VK_NUMPAD0, VK_PRIOR, VK_RWIN, VK_SHIFT,
};

const SHIFT: u8 = 1;
const CONTROL: u8 = 2;
const ALT: u8 = 4;
const WINDOWS: u8 = 8;
const CAPS_LOCK: u8 = 16;
const NUM_LOCK: u8 = 32;

/// See `key.modifiers` in the log's format.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Modifiers(u8);

impl Modifiers {
    /// Calls Windows, when a window gets the focus: keys went elsewhere before.
    pub(crate) fn refresh(&mut self) {
        let keys = [
            (VK_SHIFT, SHIFT),
            (VK_CONTROL, CONTROL),
            (VK_MENU, ALT),
            (VK_LWIN, WINDOWS),
            (VK_RWIN, WINDOWS),
        ];
        let locks = [(VK_CAPITAL, CAPS_LOCK), (VK_NUMLOCK, NUM_LOCK)];
        let held = keys.into_iter().filter(|&(key, _)| input::key_state(key).0);
        let locked = locks.into_iter().filter(|&(key, _)| input::key_state(key).1);
        self.0 = held.chain(locked).fold(0, |all, (_, bit)| all | bit);
    }

    /// A key goes down or up; `alt` is whether the message says that Alt is down.
    #[inline]
    pub(crate) fn on_key(&mut self, key: u32, down: bool, alt: bool) {
        let bit = match key {
            VK_SHIFT => SHIFT,
            VK_CONTROL => CONTROL,
            VK_MENU => ALT,
            VK_LWIN | VK_RWIN => WINDOWS,
            _ => 0,
        };
        self.0 = if down { self.0 | bit } else { self.0 & !bit };
        if bit != ALT {
            self.0 = if alt { self.0 | ALT } else { self.0 & !ALT };
        }
        if down && key == VK_CAPITAL {
            self.0 ^= CAPS_LOCK;
        }
        if down && key == VK_NUMLOCK {
            self.0 ^= NUM_LOCK;
        }
    }

    /// The modifiers that matter for a key: Num Lock only on the numeric keypad.
    #[inline]
    pub(crate) fn for_key(self, key: u32) -> u8 {
        let is_on_pad = matches!(key, VK_PRIOR..=VK_DOWN | VK_INSERT | VK_DELETE | VK_NUMPAD0..=VK_DIVIDE);
        if is_on_pad { self.0 } else { self.0 & !NUM_LOCK }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_held_until_they_go_up() {
        let mut modifiers = Modifiers::default();
        modifiers.on_key(VK_CONTROL, true, false);
        modifiers.on_key(VK_SHIFT, true, false);
        assert_eq!(modifiers.for_key(u32::from(b'S')), 3);
        modifiers.on_key(VK_SHIFT, false, false);
        assert_eq!(modifiers.for_key(u32::from(b'S')), 2);
        modifiers.on_key(VK_CONTROL, false, false);
        modifiers.on_key(VK_MENU, true, true);
        modifiers.on_key(u32::from(b'F'), true, true);
        assert_eq!(modifiers.for_key(u32::from(b'F')), 4);
        // The window missed that Alt was released; the message of the next key says so.
        modifiers.on_key(u32::from(b'F'), true, false);
        assert_eq!(modifiers.for_key(u32::from(b'F')), 0);
    }

    #[test]
    fn locks_toggle_and_num_lock_matters_on_the_pad_only() {
        let mut modifiers = Modifiers::default();
        modifiers.on_key(VK_NUMLOCK, true, false);
        modifiers.on_key(VK_NUMLOCK, false, false);
        assert_eq!((modifiers.for_key(VK_NUMPAD0 + 1), modifiers.for_key(u32::from(b'A'))), (NUM_LOCK, 0));
        modifiers.on_key(VK_CAPITAL, true, false);
        assert_eq!(modifiers.for_key(u32::from(b'A')), CAPS_LOCK);
    }
}
