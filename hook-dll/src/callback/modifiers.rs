//! Which modifier keys are held, from the keys that pass by: asking the system for each message
//! would cost a call.

use crate::system::win32;

const VK_SHIFT: usize = 0x10;
const VK_CONTROL: usize = 0x11;
const VK_MENU: usize = 0x12;
const VK_CAPITAL: usize = 0x14;
const VK_LWIN: usize = 0x5B;
const VK_RWIN: usize = 0x5C;
const VK_NUMLOCK: usize = 0x90;

const CAPS_LOCK: u8 = 16;
const NUM_LOCK: u8 = 32;

/// See `key.modifiers` in the log's format.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Modifiers(u8);

impl Modifiers {
    /// Asks the system; when a window gets the focus, since keys went elsewhere before.
    pub(crate) fn refresh(&mut self) {
        let keys = [(VK_SHIFT, 1), (VK_CONTROL, 2), (VK_MENU, 4), (VK_LWIN, 8), (VK_RWIN, 8)];
        let locks = [(VK_CAPITAL, CAPS_LOCK), (VK_NUMLOCK, NUM_LOCK)];
        let held = keys.into_iter().filter(|&(key, _)| win32::key_state(key as u8).0);
        let locked = locks.into_iter().filter(|&(key, _)| win32::key_state(key as u8).1);
        self.0 = held.chain(locked).fold(0, |all, (_, bit)| all | bit);
    }

    /// A key goes down or up; `alt` is what the message itself says of Alt.
    #[inline]
    pub(crate) fn key(&mut self, key: usize, down: bool, alt: bool) {
        let bit = match key {
            VK_SHIFT => 1,
            VK_CONTROL => 2,
            VK_MENU => 4,
            VK_LWIN | VK_RWIN => 8,
            _ => 0,
        };
        self.0 = if down { self.0 | bit } else { self.0 & !bit };
        if bit != 4 {
            self.0 = if alt { self.0 | 4 } else { self.0 & !4 };
        }
        if down && key == VK_CAPITAL {
            self.0 ^= CAPS_LOCK;
        }
        if down && key == VK_NUMLOCK {
            self.0 ^= NUM_LOCK;
        }
    }

    /// What matters for this key: Num Lock only on the number pad.
    #[inline]
    pub(crate) fn for_key(self, key: usize) -> u8 {
        let is_on_pad = matches!(key, 0x21..=0x28 | 0x2D | 0x2E | 0x60..=0x6F);
        if is_on_pad { self.0 } else { self.0 & !NUM_LOCK }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_held_until_they_go_up() {
        let mut modifiers = Modifiers::default();
        modifiers.key(VK_CONTROL, true, false);
        modifiers.key(VK_SHIFT, true, false);
        assert_eq!(modifiers.for_key(0x53), 3);
        modifiers.key(VK_SHIFT, false, false);
        assert_eq!(modifiers.for_key(0x53), 2);
        modifiers.key(VK_CONTROL, false, false);
        modifiers.key(VK_MENU, true, true);
        modifiers.key(0x46, true, true);
        assert_eq!(modifiers.for_key(0x46), 4);
        // The window lost Alt's release; the next key's own message says that it is up.
        modifiers.key(0x46, true, false);
        assert_eq!(modifiers.for_key(0x46), 0);
    }

    #[test]
    fn locks_toggle_and_num_lock_matters_on_the_pad_only() {
        let mut modifiers = Modifiers::default();
        modifiers.key(VK_NUMLOCK, true, false);
        modifiers.key(VK_NUMLOCK, false, false);
        assert_eq!((modifiers.for_key(0x61), modifiers.for_key(0x41)), (NUM_LOCK, 0));
        modifiers.key(VK_CAPITAL, true, false);
        assert_eq!(modifiers.for_key(0x41), CAPS_LOCK);
    }
}
