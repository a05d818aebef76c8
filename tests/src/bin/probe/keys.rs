//! From characters and key names to key strokes.

use crate::win32::{Stroke, is_down, key_of_character};

/// The strokes that type one UTF-16 unit: real keys where the keyboard has them.
pub(crate) fn typed(unit: u16) -> Vec<Stroke> {
    const RETURN: u16 = 0x0d;
    let unit = if unit == u16::from(b'\n') { RETURN } else { unit };
    match key_of_character(unit) {
        Some((key, shift)) => {
            let keys = if shift { vec![SHIFT, key] } else { vec![key] };
            together(&keys)
        }
        None => vec![Stroke::Character { unit, down: true }, Stroke::Character { unit, down: false }],
    }
}

/// The strokes of a combination such as `ctrl+s`: pressed in order, released in reverse.
pub(crate) fn pressed(combination: &str) -> Result<Vec<Stroke>, String> {
    let keys: Result<Vec<u16>, String> = combination
        .split('+')
        .map(|name| named(name).ok_or_else(|| format!("no key is called {name:?}")))
        .collect();
    Ok(together(&keys?))
}

/// One key, pressed or released.
pub(crate) fn one(name: &str, down: bool) -> Result<Vec<Stroke>, String> {
    let key = named(name).ok_or_else(|| format!("no key is called {name:?}"))?;
    Ok(vec![Stroke::Key { key, down }])
}

/// The strokes that release the modifiers now held: both shifts, controls and alts.
pub(crate) fn held_modifiers_released() -> Vec<Stroke> {
    let held = (0xa0..=0xa5).filter(|&key| is_down(key));
    held.map(|key| Stroke::Key { key, down: false }).collect()
}

fn together(keys: &[u16]) -> Vec<Stroke> {
    let down = keys.iter().map(|&key| Stroke::Key { key, down: true });
    let up = keys.iter().rev().map(|&key| Stroke::Key { key, down: false });
    down.chain(up).collect()
}

const SHIFT: u16 = 0x10;

/// The virtual key of a name, in the words of xdotool.
fn named(name: &str) -> Option<u16> {
    const NAMES: [(&str, u16); 18] = [
        ("BackSpace", 0x08),
        ("Tab", 0x09),
        ("Return", 0x0d),
        ("shift", SHIFT),
        ("ctrl", 0x11),
        ("alt", 0x12),
        ("Escape", 0x1b),
        ("space", 0x20),
        ("Prior", 0x21),
        ("Next", 0x22),
        ("End", 0x23),
        ("Home", 0x24),
        ("Left", 0x25),
        ("Up", 0x26),
        ("Right", 0x27),
        ("Down", 0x28),
        ("Insert", 0x2d),
        ("Delete", 0x2e),
    ];
    const F1: u16 = 0x70;
    if let Some((_, key)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some(*key);
    }
    if let Some(number) = name.strip_prefix('F').and_then(|number| number.parse::<u16>().ok()) {
        return (1..=12).contains(&number).then(|| F1 + number - 1);
    }
    match name.as_bytes() {
        [letter] => key_of_character(u16::from(*letter)).map(|(key, _)| key),
        _ => None,
    }
}
