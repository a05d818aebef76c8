//! What keys are called.

/// Names of keys with their modifiers: `Ctrl+Shift+F5`.
pub fn combination(modifiers: u64, code: u64) -> String {
    format!("{}{}", held(modifiers), name(code))
}

/// The modifiers held, each with a plus sign behind it.
pub(crate) fn held(modifiers: u64) -> String {
    let names = [(8, "Win+"), (2, "Ctrl+"), (4, "Alt+"), (1, "Shift+")];
    names.into_iter().filter(|(bit, _)| modifiers & bit != 0).map(|(_, name)| name).collect()
}

fn name(code: u64) -> String {
    let known = match code {
        0x03 => "Break",
        0x08 => "Backspace",
        0x09 => "Tab",
        0x0D => "Enter",
        0x10 | 0xA0 | 0xA1 => "Shift",
        0x11 | 0xA2 | 0xA3 => "Ctrl",
        0x12 | 0xA4 | 0xA5 => "Alt",
        0x13 => "Pause",
        0x14 => "Caps Lock",
        0x1B => "Esc",
        0x20 => "Space",
        0x21 => "Page Up",
        0x22 => "Page Down",
        0x23 => "End",
        0x24 => "Home",
        0x25 => "Left",
        0x26 => "Up",
        0x27 => "Right",
        0x28 => "Down",
        0x2C => "Print Screen",
        0x2D => "Insert",
        0x2E => "Delete",
        0x2F => "Help",
        0x5B | 0x5C => "Windows",
        0x5D => "Menu key",
        0x6A => "Num *",
        0x6B => "Num +",
        0x6D => "Num -",
        0x6E => "Num .",
        0x6F => "Num /",
        0x90 => "Num Lock",
        0x91 => "Scroll Lock",
        0xAD => "Mute",
        0xAE => "Volume Down",
        0xAF => "Volume Up",
        0xBB => "+",
        0xBC => ",",
        0xBD => "-",
        0xBE => ".",
        _ => "",
    };
    match code {
        _ if !known.is_empty() => known.into(),
        0x30..=0x39 | 0x41..=0x5A => char::from(code as u8).to_string(),
        0x60..=0x69 => format!("Num {}", code - 0x60),
        0x70..=0x87 => format!("F{}", code - 0x6F),
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
