//! Names of keys: those of the trace language, as steps tell them (`Ctrl+S`, `Enter`, `F5`), and the X
//! keysyms of state machines.

use crate::event::Action;

const MODIFIERS: [&str; 4] = ["Win", "Ctrl", "Alt", "Shift"];

/// Keys without a character, in the words of a step.
const NAMED: &[&str] = &[
    "Backspace",
    "Tab",
    "Enter",
    "Pause",
    "Esc",
    "Space",
    "Page Up",
    "Page Down",
    "End",
    "Home",
    "Left",
    "Up",
    "Right",
    "Down",
    "Print Screen",
    "Insert",
    "Delete",
    "Menu key",
    "Break",
    "Caps Lock",
    "Help",
    "Num Lock",
    "Scroll Lock",
];

/// Keysyms of keys without a character.
const KEYSYMS: &[(&str, &str)] = &[
    ("BackSpace", "Backspace"),
    ("Tab", "Tab"),
    ("Return", "Enter"),
    ("KP_Enter", "Enter"),
    ("Linefeed", "Enter"),
    ("Pause", "Pause"),
    ("Escape", "Esc"),
    ("Prior", "Page Up"),
    ("Page_Up", "Page Up"),
    ("Next", "Page Down"),
    ("Page_Down", "Page Down"),
    ("End", "End"),
    ("Home", "Home"),
    ("Begin", "Home"),
    ("Left", "Left"),
    ("Up", "Up"),
    ("Right", "Right"),
    ("Down", "Down"),
    ("Print", "Print Screen"),
    ("Insert", "Insert"),
    ("Delete", "Delete"),
    ("Menu", "Menu key"),
    ("KP_Home", "Home"),
    ("KP_End", "End"),
    ("KP_Left", "Left"),
    ("KP_Up", "Up"),
    ("KP_Right", "Right"),
    ("KP_Down", "Down"),
    ("KP_Prior", "Page Up"),
    ("KP_Page_Up", "Page Up"),
    ("KP_Next", "Page Down"),
    ("KP_Page_Down", "Page Down"),
    ("KP_Insert", "Insert"),
    ("KP_Delete", "Delete"),
    ("KP_Tab", "Tab"),
];

/// Keysyms of characters, in the order of the characters from U+0020, letters and digits left out; then those
/// of Latin-1 from U+00A0.
const ASCII: &str = "space exclam quotedbl numbersign dollar percent ampersand apostrophe parenleft parenright asterisk plus comma minus period \
    slash colon semicolon less equal greater question at bracketleft backslash bracketright asciicircum underscore grave braceleft bar braceright \
    asciitilde";
const LATIN1: &str = "nobreakspace exclamdown cent sterling currency yen brokenbar section diaeresis copyright ordfeminine guillemotleft notsign \
    hyphen registered macron degree plusminus twosuperior threesuperior acute mu paragraph periodcentered cedilla onesuperior masculine \
    guillemotright onequarter onehalf threequarters questiondown Agrave Aacute Acircumflex Atilde Adiaeresis Aring AE Ccedilla Egrave Eacute \
    Ecircumflex Ediaeresis Igrave Iacute Icircumflex Idiaeresis ETH Ntilde Ograve Oacute Ocircumflex Otilde Odiaeresis multiply Oslash Ugrave \
    Uacute Ucircumflex Udiaeresis Yacute THORN ssharp agrave aacute acircumflex atilde adiaeresis aring ae ccedilla egrave eacute ecircumflex \
    ediaeresis igrave iacute icircumflex idiaeresis eth ntilde ograve oacute ocircumflex otilde odiaeresis division oslash ugrave uacute \
    ucircumflex udiaeresis yacute thorn ydiaeresis";
const OTHERS: &[(&str, char)] = &[
    ("quoteright", '\''),
    ("quoteleft", '`'),
    ("EuroSign", '€'),
    ("KP_Add", '+'),
    ("KP_Subtract", '-'),
    ("KP_Multiply", '*'),
    ("KP_Divide", '/'),
    ("KP_Decimal", '.'),
    ("KP_Equal", '='),
    ("KP_Space", ' '),
    ("KP_Separator", ','),
];

/// Whether these are keys; otherwise what is wrong with them.
pub fn check_keys(keys: &str) -> Result<(), String> {
    let mut rest = keys;
    while let Some(after) = MODIFIERS
        .iter()
        .find_map(|m| rest.strip_prefix(m)?.strip_prefix('+'))
        .filter(|after| !after.is_empty())
    {
        rest = after;
    }
    let is_function =
        rest.strip_prefix('F').and_then(|n| n.parse::<u8>().ok()).is_some_and(|n| (1..=24).contains(&n));
    let is_number_pad = rest.strip_prefix("Num ").is_some_and(|key| key.chars().count() == 1);
    let is_key = is_number_pad || NAMED.contains(&rest) || is_function || rest.chars().count() == 1;
    if is_key { Ok(()) } else { Err(format!("there is no key `{rest}`")) }
}

/// What a keysym with its modifiers does: a character that is typed, or a key that is pressed. The error
/// says what is wrong.
pub(crate) fn of_keysym(chord: &str) -> Result<Action, String> {
    let mut held = [false; 4];
    let mut parts: Vec<&str> = chord.split('+').collect();
    // The plus key itself: `+`, `Control++`.
    if parts.len() > 1 && parts.ends_with(&["", ""]) || chord == "+" {
        parts.truncate(parts.len() - 2);
        parts.push("plus");
    }
    let (last, modifiers) = parts.split_last().ok_or("a key is missing")?;
    for modifier in modifiers {
        let name = modifier.trim_end_matches("_L").trim_end_matches("_R").to_ascii_lowercase();
        let index = match name.as_str() {
            "super" | "win" | "meta" => 0,
            "ctrl" | "control" => 1,
            "alt" => 2,
            "shift" => 3,
            _ => return Err(format!("there is no modifier `{modifier}`: Ctrl, Alt, Shift and Super are")),
        };
        held[index] = true;
    }
    let names: Vec<&str> =
        MODIFIERS.iter().zip(held).filter(|(_, held)| *held).map(|(name, _)| *name).collect();
    let press = |key: &str| {
        let keys: Vec<&str> = names.iter().copied().chain([key]).collect();
        Ok(Action::Keys(keys.join("+")))
    };
    if let Some((_, key)) = KEYSYMS.iter().find(|(keysym, _)| keysym == last) {
        return press(key);
    }
    if let Some(number) =
        last.strip_prefix('F').and_then(|n| n.parse::<u8>().ok()).filter(|n| (1..=24).contains(n))
    {
        return press(&format!("F{number}"));
    }
    let Some(c) = character(last) else {
        return Err(format!("there is no key `{last}`: X calls it otherwise"));
    };
    match held {
        [false, false, false, false] => Ok(Action::Type(c.to_string())),
        [false, false, false, true] => Ok(Action::Type(c.to_uppercase().to_string())),
        _ if c == ' ' => press("Space"),
        _ => press(&c.to_uppercase().to_string()),
    }
}

/// The character of a keysym.
fn character(keysym: &str) -> Option<char> {
    let mut chars = keysym.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        return Some(c);
    }
    let ascii = (' '..='~').filter(|c| !c.is_ascii_alphanumeric());
    let named = ASCII.split_whitespace().zip(ascii).chain(LATIN1.split_whitespace().zip('\u{a0}'..='\u{ff}'));
    let digit = keysym
        .strip_prefix("KP_")
        .and_then(|d| d.parse::<u8>().ok())
        .filter(|d| *d < 10)
        .map(|d| char::from(b'0' + d));
    let code = keysym
        .strip_prefix('U')
        .filter(|hex| hex.len() >= 4)
        .and_then(|hex| u32::from_str_radix(hex, 16).ok());
    named
        .chain(OTHERS.iter().copied())
        .find_map(|(name, c)| (name == keysym).then_some(c))
        .or(digit)
        .or_else(|| code.and_then(char::from_u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keysyms_are_typed_or_pressed() {
        let keys = |keys: &str| Ok(Action::Keys(keys.into()));
        let typed = |text: &str| Ok(Action::Type(text.into()));
        for (keysym, action) in [
            ("Ctrl+M", keys("Ctrl+M")),
            ("Control+b", keys("Ctrl+B")),
            ("5", typed("5")),
            ("Return", keys("Enter")),
            ("q", typed("q")),
            ("E", typed("E")),
            ("Shift+a", typed("A")),
            ("slash", typed("/")),
            ("asciitilde", typed("~")),
            ("adiaeresis", typed("ä")),
            ("ydiaeresis", typed("ÿ")),
            ("U20AC", typed("€")),
            ("KP_7", typed("7")),
            ("+", typed("+")),
            ("Control++", keys("Ctrl++")),
            ("]", typed("]")),
            ("Alt+F4", keys("Alt+F4")),
            ("Control+Shift+Page_Up", keys("Ctrl+Shift+Page Up")),
            ("Super_L+space", keys("Win+Space")),
        ] {
            assert_eq!(of_keysym(keysym), action, "{keysym}");
            if let Ok(Action::Keys(keys)) = of_keysym(keysym) {
                assert_eq!(check_keys(&keys), Ok(()));
            }
        }
        assert!(of_keysym("Retrun").unwrap_err().contains("`Retrun`"));
        assert!(of_keysym("Hyper+x").unwrap_err().contains("modifier"));
    }
}
