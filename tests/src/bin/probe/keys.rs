//! From characters and key names to key strokes.

use win32_vocabulary::keys::{
    VK_BACK, VK_CONTROL, VK_DELETE, VK_DOWN, VK_END, VK_ESCAPE, VK_F1, VK_HOME, VK_INSERT, VK_LEFT,
    VK_LSHIFT, VK_MENU, VK_NEXT, VK_PRIOR, VK_RETURN, VK_RIGHT, VK_RMENU, VK_SHIFT, VK_SPACE, VK_TAB, VK_UP,
};

use crate::win32::{Stroke, is_down, key_of_character};

/// The strokes that type one UTF-16 unit: real keys where the keyboard has them.
pub(crate) fn typed(unit: u16) -> Vec<Stroke> {
    let unit = if unit == u16::from(b'\n') { VK_RETURN as u16 } else { unit };
    match key_of_character(unit) {
        Some((key, shift)) => {
            let keys = if shift { vec![VK_SHIFT as u16, key] } else { vec![key] };
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
    let held = (VK_LSHIFT..=VK_RMENU).map(|key| key as u16).filter(|&key| is_down(key));
    held.map(|key| Stroke::Key { key, down: false }).collect()
}

fn together(keys: &[u16]) -> Vec<Stroke> {
    let down = keys.iter().map(|&key| Stroke::Key { key, down: true });
    let up = keys.iter().rev().map(|&key| Stroke::Key { key, down: false });
    down.chain(up).collect()
}

/// The virtual key of a name, in the words of xdotool.
fn named(name: &str) -> Option<u16> {
    const NAMES: [(&str, u32); 18] = [
        ("BackSpace", VK_BACK),
        ("Tab", VK_TAB),
        ("Return", VK_RETURN),
        ("shift", VK_SHIFT),
        ("ctrl", VK_CONTROL),
        ("alt", VK_MENU),
        ("Escape", VK_ESCAPE),
        ("space", VK_SPACE),
        ("Prior", VK_PRIOR),
        ("Next", VK_NEXT),
        ("End", VK_END),
        ("Home", VK_HOME),
        ("Left", VK_LEFT),
        ("Up", VK_UP),
        ("Right", VK_RIGHT),
        ("Down", VK_DOWN),
        ("Insert", VK_INSERT),
        ("Delete", VK_DELETE),
    ];
    if let Some((_, key)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some(*key as u16);
    }
    if let Some(number) = name.strip_prefix('F').and_then(|number| number.parse::<u16>().ok()) {
        return (1..=12).contains(&number).then(|| VK_F1 as u16 + number - 1);
    }
    match name.as_bytes() {
        [letter] => key_of_character(u16::from(*letter)).map(|(key, _)| key),
        _ => None,
    }
}
