//! Which messages are the user's own doing: buttons, wheels, keys, characters, input methods,
//! hot keys, drops.
//!
//! A message of these that was *sent* and not taken from the queue is a copy: a control hands its key to its
//! parent, a program speaks to itself. Only input methods and the shell send what the user did.

use message_log::{Event, Hook, Key, Message, Point, Value};
use win32_vocabulary::messages::{
    WM_APPCOMMAND, WM_CHAR, WM_DEADCHAR, WM_DROPFILES, WM_HOTKEY, WM_IME_CHAR, WM_IME_COMPOSITION,
    WM_KEYDOWN, WM_KEYFIRST, WM_KEYLAST, WM_KEYUP, WM_LBUTTONDOWN, WM_MBUTTONDBLCLK, WM_MOUSEHWHEEL,
    WM_MOUSEMOVE, WM_MOUSEWHEEL, WM_NCLBUTTONDOWN, WM_NCMBUTTONDBLCLK, WM_NCXBUTTONDBLCLK, WM_NCXBUTTONDOWN,
    WM_SYSCHAR, WM_SYSDEADCHAR, WM_SYSKEYDOWN, WM_SYSKEYUP, WM_UNICHAR, WM_XBUTTONDBLCLK, WM_XBUTTONDOWN,
};
use win32_vocabulary::mouse::XBUTTON2;

/// A mouse button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Button {
    /// The left button.
    Left,
    /// The right button.
    Right,
    /// The middle button.
    Middle,
    /// The first one at the side.
    Extra,
    /// The second one at the side.
    Further,
}

/// What a message says of the user's hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Input {
    /// A button goes down; `outside` the client area.
    Down { button: Button, double: bool, outside: bool },
    /// A button goes up.
    Up { button: Button },
    /// The pointer moves with a button held.
    Move,
    /// A wheel turns, 120 to a notch.
    Wheel { turn: i64, horizontal: bool },
    /// A key goes down; `again` while it is held.
    Key { code: u32, again: bool },
    /// A key goes up.
    KeyUp,
    /// A character.
    Character { unit: u64 },
    /// A character of Alt and a key, or half a character (a dead key).
    KeyCharacter,
    /// Something typed that is private.
    Secret,
    /// The result of an input method.
    Composition,
    /// A key that works everywhere.
    HotKey,
    /// A key or button of the shell: back, forward, volume.
    AppCommand,
    /// Files dropped.
    Drop,
    /// A command to a window that came from outside the program: its button on the task bar. Not told by
    /// its message alone.
    Shell,
    /// Something done for the user by the agent of a replay.
    Act(Act),
}

/// What the agent of a replay did, as far as that has to be known: what came of it tells the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// Keys or clicks, which follow.
    Input,
    /// A command of a menu or an accelerator.
    Command,
    /// The whole text of a field.
    Text,
    /// A button.
    Press,
    /// A window is told to close.
    Close,
    /// More items are selected.
    Add,
    /// Something from outside: another program, another screen.
    Interrupt(Interruption),
    /// Something else.
    Other,
}

impl Act {
    pub(crate) fn of(event: &Event) -> Self {
        let text = event.params.text(Key::Text);
        let text = text.as_ref().and_then(|text| text.as_str());
        match text {
            Some("input") => Self::Input,
            Some("command") => Self::Command,
            Some("text") => Self::Text,
            Some("press") => Self::Press,
            Some("close") => Self::Close,
            Some("add") => Self::Add,
            Some("interrupt focus") => Self::Interrupt(Interruption::Focus),
            Some("interrupt switch") => Self::Interrupt(Interruption::Switch),
            _ => text.and_then(dpi).map_or(Self::Other, Self::Interrupt),
        }
    }
}

/// Something that happens to a program from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Interruption {
    /// All its windows lose the focus.
    Focus,
    /// Another program comes to the front and leaves again.
    Switch,
    /// Its window moves to a screen with another resolution.
    Dpi {
        /// Dots per inch before.
        from: u32,
        /// Dots per inch afterwards.
        to: u32,
    },
}

fn dpi(text: &str) -> Option<Interruption> {
    let (from, to) = text.strip_prefix("interrupt dpi ")?.split_once(' ')?;
    Some(Interruption::Dpi { from: from.parse().ok()?, to: to.parse().ok()? })
}

const HELD: u64 = 1 << 30;

impl Input {
    /// What the user did, if this is his doing.
    pub(crate) fn of(message: &Message, event: &Event) -> Option<Self> {
        let number = message.number;
        if (WM_KEYFIRST..=WM_KEYLAST).contains(&number) && event.params.get(Key::Masked).is_some() {
            return Some(Self::Secret);
        }
        Some(match number {
            // Client and non-client buttons come in threes: down, up, double.
            WM_LBUTTONDOWN..=WM_MBUTTONDBLCLK => button(number - WM_LBUTTONDOWN, false),
            WM_NCLBUTTONDOWN..=WM_NCMBUTTONDBLCLK => button(number - WM_NCLBUTTONDOWN, true),
            WM_XBUTTONDOWN..=WM_XBUTTONDBLCLK => extra(number - WM_XBUTTONDOWN, message.wparam, false),
            WM_NCXBUTTONDOWN..=WM_NCXBUTTONDBLCLK => extra(number - WM_NCXBUTTONDOWN, message.wparam, true),
            WM_MOUSEMOVE => Self::Move,
            WM_MOUSEWHEEL | WM_MOUSEHWHEEL => Self::Wheel {
                turn: event.params.signed(Key::Wheel).unwrap_or(0),
                horizontal: number == WM_MOUSEHWHEEL,
            },
            WM_KEYDOWN | WM_SYSKEYDOWN => Self::Key {
                code: event.params.unsigned(Key::KeyCode).unwrap_or(message.wparam) as u32,
                again: message.lparam & HELD != 0,
            },
            WM_KEYUP | WM_SYSKEYUP => Self::KeyUp,
            WM_CHAR | WM_UNICHAR | WM_IME_CHAR => {
                Self::Character { unit: event.params.unsigned(Key::Character).unwrap_or(message.wparam) }
            }
            WM_DEADCHAR | WM_SYSCHAR | WM_SYSDEADCHAR => Self::KeyCharacter,
            WM_IME_COMPOSITION => Self::Composition,
            WM_HOTKEY => Self::HotKey,
            WM_APPCOMMAND => Self::AppCommand,
            WM_DROPFILES => Self::Drop,
            _ => return None,
        })
    }

    /// Whether the user began something with it, as it was delivered.
    pub(crate) fn begins(self, hook: Hook) -> bool {
        match self {
            Self::Composition
            | Self::AppCommand
            | Self::Drop
            | Self::HotKey
            | Self::Secret
            | Self::Shell
            | Self::Act(_) => true,
            Self::Down { .. } | Self::Wheel { .. } | Self::Key { .. } | Self::Character { .. } => {
                hook != Hook::Sent
            }
            Self::Up { .. } | Self::Move | Self::KeyUp | Self::KeyCharacter => false,
        }
    }
}

fn button(place: u32, outside: bool) -> Input {
    let button = [Button::Left, Button::Right, Button::Middle][(place / 3) as usize];
    match place % 3 {
        1 => Input::Up { button },
        way => Input::Down { button, double: way == 2, outside },
    }
}

fn extra(way: u32, wparam: u64, outside: bool) -> Input {
    // The high word says which.
    let button = if wparam as u32 >> 16 == XBUTTON2 { Button::Further } else { Button::Extra };
    match way {
        1 => Input::Up { button },
        way => Input::Down { button, double: way == 2, outside },
    }
}

/// Where the pointer was, in the client coordinates of the window that the fact is about.
pub(crate) fn point(event: &Event, key: Key) -> Option<Point> {
    match event.params.get(key) {
        Some(Value::Point(point)) => Some(*point),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use message_log::{Kind, Stamp};

    fn of(number: u32, wparam: u64, lparam: u64) -> Option<Input> {
        let message = Message { number, hwnd: 1, wparam, lparam, ..Message::default() };
        let mut event = Event::new(Stamp { sequence: 1, time: 0, thread: 1 }, Kind::Message(message));
        message_log::add_facts(&mut event);
        Input::of(&message, &event)
    }

    #[test]
    fn hands_are_told_from_the_rest() {
        let left = Button::Left;
        assert_eq!(of(0x201, 1, 0), Some(Input::Down { button: left, double: false, outside: false }));
        assert_eq!(of(0x203, 1, 0), Some(Input::Down { button: left, double: true, outside: false }));
        assert_eq!(of(0x205, 1, 0), Some(Input::Up { button: Button::Right }));
        assert_eq!(of(0xA1, 2, 0), Some(Input::Down { button: left, double: false, outside: true }));
        assert_eq!(of(0x20C, 1, 0), Some(Input::Up { button: Button::Extra }));
        assert_eq!(of(0x20A, 0xFF88_0000, 0), Some(Input::Wheel { turn: -120, horizontal: false }));
        assert_eq!(of(0x100, 0x70, HELD), Some(Input::Key { code: 0x70, again: true }));
        assert_eq!(of(0x102, 0xE4, 0), Some(Input::Character { unit: 0xE4 }));
        assert_eq!(of(0x111, 1, 0), None);
    }

    #[test]
    fn a_copy_begins_nothing() {
        let key = Input::Key { code: 13, again: false };
        assert!(key.begins(Hook::Posted) && key.begins(Hook::Unknown) && !key.begins(Hook::Sent));
        assert!(Input::Composition.begins(Hook::Sent), "input methods send");
        assert!(!Input::KeyUp.begins(Hook::Posted));
    }
}
