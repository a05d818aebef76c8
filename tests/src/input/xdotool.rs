//! Real input through the X server: actions become one xdotool command line.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::Desktop;
use crate::protocol::{Action, Button};

/// The letters outside ASCII that have keys in `keymap.xkb`.
const FURTHER_LETTERS: &str = "äÄöÖüÜß€éÉжЖアカ";

const LONGEST_WITHOUT_FOCUS: Duration = Duration::from_secs(5);
/// Window ids of programs begin here. Lower ids belong to the server: the root window, or no window.
const FIRST_WINDOW: u64 = 1 << 21;

pub(super) fn perform(desktop: &Desktop, actions: &[Action]) -> Result<()> {
    if matches!(
        actions.first(),
        Some(Action::Key { down: true, .. } | Action::Type { .. } | Action::Press { .. })
    ) {
        wait_for_focus(desktop)?;
    }
    let mut command = desktop.tool("xdotool");
    command.args(arguments(actions)?);
    let output = command.output().context("cannot run xdotool; `cargo xtask setup` installs it")?;
    // xdotool reports characters it cannot type on standard error and still exits with 0.
    let trouble = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success() && trouble.is_empty(),
        "xdotool failed on {actions:?}: {}",
        trouble.trim()
    );
    Ok(())
}

/// Waits until a window has the keyboard focus. After the focused window closes, no window has it until Wine
/// passes it on; on a busy machine a key would be lost in between.
fn wait_for_focus(desktop: &Desktop) -> Result<()> {
    let start = Instant::now();
    // After the deadline, input is sent anyway: a test may want to type without a focused window.
    while start.elapsed() < LONGEST_WITHOUT_FOCUS {
        let output = desktop.tool("xdotool").arg("getwindowfocus").output()?;
        let window = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap_or(0);
        if window >= FIRST_WINDOW {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

fn arguments(actions: &[Action]) -> Result<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut say = |parts: &[&str]| words.extend(parts.iter().map(|&part| part.to_owned()));
    for action in actions {
        match action {
            Action::MoveTo { x, y } => say(&["mousemove", &x.to_string(), &y.to_string()]),
            Action::Button { button, down } => {
                say(&[if *down { "mousedown" } else { "mouseup" }, number(*button)]);
            }
            Action::Wheel { notches } => {
                // X knows the wheel as buttons 4 (away from the user) and 5.
                let button = if *notches > 0 { "4" } else { "5" };
                for _ in 0..notches.unsigned_abs() {
                    say(&["click", button]);
                }
            }
            Action::WheelSideways { notches } => {
                let button = if *notches > 0 { "7" } else { "6" };
                for _ in 0..notches.unsigned_abs() {
                    say(&["click", button]);
                }
            }
            Action::Key { key, down } => say(&[if *down { "keydown" } else { "keyup" }, key]),
            Action::Type { text } => {
                if let Some(letter) = text.chars().find(|&letter| !has_key(letter)) {
                    bail!("the keyboard has no key for {letter:?}: add it to keymap.xkb and FURTHER_LETTERS");
                }
                // After `--`, so that a text that begins with a dash is not an option.
                say(&["type", "--delay", "0", "--args", "1", "--", text]);
            }
            Action::Press { keys } => say(&["key", "--delay", "0", keys]),
        }
    }
    Ok(words)
}

fn has_key(letter: char) -> bool {
    matches!(letter, ' '..='~' | '\n' | '\t') || FURTHER_LETTERS.contains(letter)
}

fn number(button: Button) -> &'static str {
    match button {
        Button::Left => "1",
        Button::Middle => "2",
        Button::Right => "3",
        Button::Back => "8",
        Button::Forward => "9",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(action: Action, expected: &str) {
        assert_eq!(arguments(&[action]).unwrap().join(" "), expected);
    }

    #[test]
    fn actions_become_words() {
        check(Action::MoveTo { x: 3, y: 4 }, "mousemove 3 4");
        check(Action::Button { button: Button::Right, down: true }, "mousedown 3");
        check(Action::Wheel { notches: -2 }, "click 5 click 5");
        check(Action::Press { keys: "ctrl+s".into() }, "key --delay 0 ctrl+s");
        check(Action::Type { text: "-ä".into() }, "type --delay 0 --args 1 -- -ä");
    }

    #[test]
    fn a_letter_without_a_key_is_refused() {
        let error = arguments(&[Action::Type { text: "ab☃".into() }]).unwrap_err();
        assert!(error.to_string().contains("no key for '☃'"), "{error}");
    }
}
