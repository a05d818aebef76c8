//! The keyboard state of the calling thread, and what the keyboard layout says of keys.
#![expect(unsafe_code, reason = "foreign calls")]

use windows::Win32::UI::Input::KeyboardAndMouse::{
    GetKeyboardState, MAPVK_VK_TO_VSC, MapVirtualKeyW, SetKeyboardState, VkKeyScanW,
};

pub(crate) fn state() -> [u8; 256] {
    let mut keys = [0; 256];
    // SAFETY: GetKeyboardState fills in 256 bytes, and the local has as many.
    let _ = unsafe { GetKeyboardState(&mut keys) };
    keys
}

pub(crate) fn set_state(keys: &[u8; 256]) {
    // SAFETY: SetKeyboardState reads 256 bytes.
    let _ = unsafe { SetKeyboardState(keys) };
}

/// The key of a character and its modifiers, if the keyboard layout has one.
pub(crate) fn key_of(unit: u16) -> Option<(u32, u8)> {
    // SAFETY: VkKeyScanW has no preconditions.
    let found = unsafe { VkKeyScanW(unit) };
    (found != -1).then_some((u32::from(found as u8), (found >> 8) as u8))
}

pub(crate) fn scan_code(key: u32) -> u32 {
    // SAFETY: MapVirtualKeyW has no preconditions.
    unsafe { MapVirtualKeyW(key, MAPVK_VK_TO_VSC) }
}
