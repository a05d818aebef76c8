//! The names of keys, as a user reads them.

use win32_vocabulary::keys::*;

/// The keys of digits and letters have the codes of their ASCII characters.
pub(crate) const KEY_0: u32 = b'0' as u32;
const KEY_9: u32 = b'9' as u32;
const KEY_A: u32 = b'A' as u32;
pub(crate) const KEY_C: u32 = b'C' as u32;
pub(crate) const KEY_V: u32 = b'V' as u32;
pub(crate) const KEY_X: u32 = b'X' as u32;
pub(crate) const KEY_Z: u32 = b'Z' as u32;

/// Names of keys with their modifiers: `Ctrl+Shift+F5`.
pub fn combination(modifiers: u64, code: u32) -> String {
    format!("{}{}", held(modifiers), key_name(code))
}

/// The modifiers held, each with a plus sign behind it.
pub(crate) fn held(modifiers: u64) -> String {
    let names = [(8, "Win+"), (2, "Ctrl+"), (4, "Alt+"), (1, "Shift+")];
    names.into_iter().filter(|(bit, _)| modifiers & bit != 0).map(|(_, name)| name).collect()
}

fn key_name(code: u32) -> String {
    let known = match code {
        VK_CANCEL => "Break",
        VK_BACK => "Backspace",
        VK_TAB => "Tab",
        VK_RETURN => "Enter",
        VK_SHIFT | VK_LSHIFT | VK_RSHIFT => "Shift",
        VK_CONTROL | VK_LCONTROL | VK_RCONTROL => "Ctrl",
        VK_MENU | VK_LMENU | VK_RMENU => "Alt",
        VK_PAUSE => "Pause",
        VK_CAPITAL => "Caps Lock",
        VK_ESCAPE => "Esc",
        VK_SPACE => "Space",
        VK_PRIOR => "Page Up",
        VK_NEXT => "Page Down",
        VK_END => "End",
        VK_HOME => "Home",
        VK_LEFT => "Left",
        VK_UP => "Up",
        VK_RIGHT => "Right",
        VK_DOWN => "Down",
        VK_SNAPSHOT => "Print Screen",
        VK_INSERT => "Insert",
        VK_DELETE => "Delete",
        VK_HELP => "Help",
        VK_LWIN | VK_RWIN => "Windows",
        VK_APPS => "Menu key",
        VK_MULTIPLY => "Num *",
        VK_ADD => "Num +",
        VK_SUBTRACT => "Num -",
        VK_DECIMAL => "Num .",
        VK_DIVIDE => "Num /",
        VK_NUMLOCK => "Num Lock",
        VK_SCROLL => "Scroll Lock",
        VK_VOLUME_MUTE => "Mute",
        VK_VOLUME_DOWN => "Volume Down",
        VK_VOLUME_UP => "Volume Up",
        VK_OEM_PLUS => "+",
        VK_OEM_COMMA => ",",
        VK_OEM_MINUS => "-",
        VK_OEM_PERIOD => ".",
        _ => "",
    };
    match code {
        _ if !known.is_empty() => known.into(),
        KEY_0..=KEY_9 | KEY_A..=KEY_Z => char::from(code as u8).to_string(),
        VK_NUMPAD0..=VK_NUMPAD9 => format!("Num {}", code - VK_NUMPAD0),
        VK_F1..=VK_F24 => format!("F{}", code - VK_F1 + 1),
        _ => format!("key {code}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_called_as_on_the_keyboard() {
        assert_eq!(combination(2, 0x53), "Ctrl+S");
        assert_eq!(combination(3, 0x74), "Ctrl+Shift+F5");
        assert_eq!(combination(4, 0x73), "Alt+F4");
        assert_eq!(combination(0, 0x0D), "Enter");
        assert_eq!(combination(16, 0x61), "Num 1", "locks are no part of the name");
        assert_eq!(combination(0, 0xDB), "key 219");
    }
}
