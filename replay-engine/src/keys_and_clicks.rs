//! Where nothing more is known than what the hands did: keys, the wheel, points. Points are kept in
//! ten-thousandths of the window's width and height.

use crate::choice::{Choice, TargetedAct, act, blocked, command, command_of, nothing};
use crate::driver::{Act, PointerButton};
use crate::expect::is_expected;
use crate::rules::{self, Rule};
use steps::{Button, Part, Place, Step, combination, relative};
use win32_vocabulary::Control;
use win32_vocabulary::keys::{VK_BACK, VK_RETURN};

/// The last virtual-key code that is a key.
const LAST_KEY: u32 = 0xFE;

pub(crate) fn pressed(keys: &str, times: usize, step: &Step) -> Choice {
    /// Held for half an hour.
    const MAX_TIMES: usize = 50_000;
    let Some((modifiers, code)) = parse_keys(keys) else {
        return blocked(&rules::KEY_UNKNOWN, format!("the log does not tell which key “{keys}” is"));
    };
    if let Some((id, to)) = command_of(step, None) {
        return act(&rules::KEY_COMMAND, command(id, false, &[])).to(Some(to));
    }
    let character = match (modifiers, code) {
        (0 | 1, VK_BACK) => Some('\u{8}'),
        _ => None,
    };
    let times = times.clamp(1, MAX_TIMES);
    if let Some(character) =
        character.filter(|_| step.target.control.is_edit() && step.target.control != Control::RichEdit)
    {
        return act(&rules::KEY_CHARACTER, Act::Type { text: character.to_string().repeat(times) });
    }
    let targeted = TargetedAct { to: None, act: Act::Key { code, modifiers } };
    Choice { acts: vec![targeted; times], ..nothing(&rules::KEY) }
}

/// A text, character by character, with line ends as the key makes them.
pub(crate) fn typed(rule: &'static Rule, text: &str, at: &Place) -> Choice {
    let text = text.replace("\r\n", "\r");
    if at.control.is_area() && text.encode_utf16().count() <= Act::MOST_POSTED {
        let rule = if *rule == rules::TYPE { &rules::TYPE_KEYS } else { rule };
        return act(rule, Act::TypeKeys { text: text.replace('\n', "\r") });
    }
    // A rich edit takes Backspace and Enter by their keys, an edit by their characters.
    if at.control != Control::RichEdit {
        return act(rule, Act::Type { text: text.replace('\n', "\r") });
    }
    let mut acts = Vec::new();
    for (line, text) in text.split('\r').enumerate() {
        if line > 0 {
            acts.push(TargetedAct { to: None, act: Act::Key { code: VK_RETURN, modifiers: 0 } });
        }
        if !text.is_empty() {
            acts.push(TargetedAct { to: None, act: Act::Type { text: text.into() } });
        }
    }
    Choice { acts, ..nothing(rule) }
}

/// `Ctrl+Shift+F5` as modifiers and code.
pub fn parse_keys(keys: &str) -> Option<(u8, u32)> {
    let (mut modifiers, mut rest) = (0, keys);
    for (name, bit) in [("Win+", 8), ("Ctrl+", 2), ("Alt+", 4), ("Shift+", 1)] {
        // The plus key itself is not a modifier.
        if let Some(after) = rest.strip_prefix(name).filter(|after| !after.is_empty()) {
            (modifiers, rest) = (modifiers | bit, after);
        }
    }
    let code = (1..=LAST_KEY).find(|&code| combination(0, code) == rest)?;
    Some((modifiers, code))
}

pub(crate) fn click(
    (button, times): (Button, u8),
    part: Part,
    point: Option<(i32, i32)>,
    modifiers: &str,
    step: &Step,
) -> Choice {
    let at = &step.target;
    let is_field = matches!(
        at.control,
        Control::ComboBox | Control::ComboBoxEx | Control::IpAddress | Control::HotKey | Control::DatePicker
    );
    let is_single = button == Button::Left && times == 1 && modifiers.is_empty();
    let is_plain = is_single && !step.effects.iter().any(is_expected);
    match point {
        // The caret goes there, and what was selected no longer is.
        Some(point) if part == Part::Client && is_plain && at.control.is_edit() => {
            let (button, point) = (PointerButton::Left, relative(point, at));
            act(&rules::CARET, Act::Click { button, times, point, modifiers: 0 })
        }
        // It told its parent nothing, but is a button: WinForms draws and obeys its own.
        Some(_) if part == Part::Client && is_single && at.control.is_button() => {
            act(&rules::PRESS_UNTOLD, Act::Press)
        }
        Some(point) if part == Part::Client && !(is_field && is_plain) => {
            let button = pointer(button);
            let modifiers = held(modifiers);
            let point = relative(point, at);
            act(&rules::POINT, Act::Click { button, times, point, modifiers })
                .remark("clicked at a point, relative to the window")
        }
        _ => act(&rules::FOCUS, Act::Focus),
    }
}

fn held(modifiers: &str) -> u8 {
    let bits = [("Win+", 8), ("Ctrl+", 2), ("Alt+", 4), ("Shift+", 1)];
    bits.into_iter().filter(|(name, _)| modifiers.contains(name)).map(|(_, bit)| bit).sum()
}

fn pointer(button: Button) -> PointerButton {
    match button {
        Button::Left => PointerButton::Left,
        Button::Right => PointerButton::Right,
        Button::Middle => PointerButton::Middle,
        Button::Extra => PointerButton::X1,
        Button::Further => PointerButton::X2,
    }
}
