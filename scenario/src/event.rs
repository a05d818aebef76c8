//! What a user does: an action and the widget it is done to. Written as it is read, so that an executed trace
//! can be executed again.

use crate::target::{Target, path, write_path};
use crate::text::{Cursor, Parsed, quoted};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One thing a user does.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Event {
    /// What is done.
    pub action: Action,
    /// To which widget.
    pub target: Target,
}

/// What is done.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// A click with the left button, on an item of the widget or on the widget itself.
    Click(Vec<String>),
    /// Two of them.
    DoubleClick(Vec<String>),
    /// A click with the right button.
    RightClick(Vec<String>),
    /// The real pointer goes there and rests.
    Hover,
    /// Characters.
    Type(String),
    /// A key with its modifiers, such as `Ctrl+S`.
    Keys(String),
    /// An item of the menu, from the bar down; any of them if none is named.
    Menu(Vec<String>),
    /// An item of a list, combo box, tree or tab; any of them if none is named.
    Select(Vec<String>),
    /// So many lines.
    Scroll(Direction, u32),
    /// To another widget.
    Drag(Box<Target>),
    /// A window is closed.
    Close,
    /// A window is minimised.
    Minimise,
    /// A window is maximised.
    Maximise,
    /// A window is restored.
    Restore,
    /// A window is made the active one.
    Switch,
    /// What happens to a program while somebody uses it.
    Interrupt(Interrupt),
    /// Nothing for so many milliseconds.
    Sleep(u64),
    /// A command of the shell; only where that is allowed.
    Shell(String),
    /// Nothing.
    Skip,
    /// Something that was recorded and that this language cannot do.
    Other(String),
}

/// Where to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "their names say it")]
pub enum Direction {
    Up,
    Down,
}

macro_rules! interrupts {
    ($($(#[$doc:meta])* $interrupt:ident $name:literal,)*) => {
        /// What happens to a program from outside; afterwards all is as before.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Interrupt { $($(#[$doc])* $interrupt,)* }

        impl Interrupt {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$interrupt,)*];

            /// As it is written.
            pub fn name(self) -> &'static str {
                match self { $(Self::$interrupt => $name,)* }
            }
        }
    };
}

interrupts! {
    /// Minimised and restored.
    Minimise "minimise",
    /// Another program comes to the front and goes.
    Switch "switch",
    /// Another size, and the old one.
    Resize "resize",
    /// The screen gets another resolution per inch.
    Dpi "dpi",
    /// The focus is lost and comes back.
    Focus "focus",
}

impl Event {
    /// Something done to a widget.
    pub fn new(action: Action, target: Target) -> Self {
        Self { action, target }
    }

    /// Whether it names the widget it is done to, and the item of it.
    pub fn is_concrete(&self) -> bool {
        self.target != Target::Any
            && match &self.action {
                Action::Drag(to) => **to != Target::Any,
                Action::Menu(path) | Action::Select(path) => !path.is_empty(),
                _ => true,
            }
    }

    pub(crate) const FIRST_WORDS: &[&'static str] = &[
        "click",
        "double-click",
        "right-click",
        "hover",
        "type",
        "keys",
        "menu",
        "select",
        "scroll",
        "drag",
        "close",
        "minimise",
        "maximise",
        "restore",
        "switch",
        "interrupt",
        "sleep",
        "shell",
        "skip",
        "other",
    ];

    /// Reads one, if one begins here.
    pub(crate) fn parse_if(cursor: &mut Cursor<'_>) -> Parsed<Option<Self>> {
        let is_next = cursor.peek_word().is_some_and(|word| Self::FIRST_WORDS.contains(&word));
        if !is_next {
            cursor.expect("an action (such as `click`, `type` or `menu`)");
            return Ok(None);
        }
        Self::parse(cursor).map(Some)
    }

    pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        let word = cursor.eat_any(Self::FIRST_WORDS).ok_or_else(|| cursor.complaint())?;
        let (action, target) = match word {
            "click" | "double-click" | "right-click" => {
                let mut item = Vec::new();
                if cursor.eat_word("item") {
                    item = path(cursor, ">")?;
                    if !cursor.eat_word("of") {
                        return cursor.fail();
                    }
                }
                let target = Target::parse(cursor)?;
                let action = match word {
                    "click" => Action::Click(item),
                    "double-click" => Action::DoubleClick(item),
                    _ => Action::RightClick(item),
                };
                (action, target)
            }
            "hover" => (Action::Hover, Target::parse(cursor)?),
            "type" => (Action::Type(cursor.string("a text in quotation marks")?), to_focus(cursor, "into")?),
            "keys" => {
                let at = cursor.position();
                let keys = cursor.string("keys in quotation marks, such as \"Ctrl+S\"")?;
                if let Err(message) = crate::keys::check_keys(&keys) {
                    return cursor.wrong(at, message);
                }
                (Action::Keys(keys), to_focus(cursor, "to")?)
            }
            "menu" => (Action::Menu(item(cursor)?), to_focus(cursor, "of")?),
            "select" => {
                let item = item(cursor)?;
                if !cursor.eat_word("in") {
                    return cursor.fail();
                }
                (Action::Select(item), Target::parse(cursor)?)
            }
            "scroll" => {
                let direction = match cursor.eat_any(&["up", "down"]) {
                    Some("up") => Direction::Up,
                    Some(_) => Direction::Down,
                    None => return cursor.fail(),
                };
                (Action::Scroll(direction, number(cursor)?), to_focus(cursor, "over")?)
            }
            "drag" => {
                let from = Target::parse(cursor)?;
                if !cursor.eat_word("to") {
                    return cursor.fail();
                }
                (Action::Drag(Box::new(Target::parse(cursor)?)), from)
            }
            "close" | "minimise" | "maximise" | "restore" | "switch" => {
                let target = if Target::is_next(cursor) { Target::parse(cursor)? } else { Target::Focus };
                let action = match word {
                    "close" => Action::Close,
                    "minimise" => Action::Minimise,
                    "maximise" => Action::Maximise,
                    "restore" => Action::Restore,
                    _ => Action::Switch,
                };
                (action, target)
            }
            "interrupt" => match Interrupt::ALL.iter().find(|interrupt| cursor.eat_word(interrupt.name())) {
                Some(interrupt) => (Action::Interrupt(*interrupt), Target::Focus),
                None => return cursor.fail(),
            },
            "sleep" => (Action::Sleep(u64::from(number(cursor)?)), Target::Focus),
            "shell" => (Action::Shell(cursor.block()?), Target::Focus),
            "skip" => (Action::Skip, Target::Focus),
            _ => (Action::Other(cursor.string("a text in quotation marks")?), to_focus(cursor, "to")?),
        };
        Ok(Self { action, target })
    }
}

/// An item by the texts that lead to it; none for `*`.
fn item(cursor: &mut Cursor<'_>) -> Parsed<Vec<String>> {
    // `*>>` goes on with the next event.
    if !cursor.clone().eat("*>>") && cursor.eat("*") {
        return Ok(Vec::new());
    }
    path(cursor, ">")
}

/// A target behind a word, or the focus.
fn to_focus(cursor: &mut Cursor<'_>, word: &str) -> Parsed<Target> {
    if cursor.eat_word(word) { Target::parse(cursor) } else { Ok(Target::Focus) }
}

pub(crate) fn number(cursor: &mut Cursor<'_>) -> Parsed<u32> {
    let at = cursor.position();
    let number = cursor.integer("a number")?;
    u32::try_from(number).or_else(|_| cursor.wrong(at, format!("{number} is not between 0 and 4294967295")))
}

fn write_item(f: &mut fmt::Formatter<'_>, path: &[String]) -> fmt::Result {
    if path.is_empty() { f.write_str("*") } else { write_path(f, path, ">") }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { action, target } = self;
        let click = |f: &mut fmt::Formatter<'_>, verb: &str, item: &[String]| {
            f.write_str(verb)?;
            if !item.is_empty() {
                f.write_str(" item ")?;
                write_path(f, item, ">")?;
                f.write_str(" of")?;
            }
            write!(f, " {target}")
        };
        let rest = |f: &mut fmt::Formatter<'_>, word: &str| match (target, word) {
            (Target::Focus, _) => Ok(()),
            (_, "") => write!(f, " {target}"),
            _ => write!(f, " {word} {target}"),
        };
        match action {
            Action::Click(item) => click(f, "click", item),
            Action::DoubleClick(item) => click(f, "double-click", item),
            Action::RightClick(item) => click(f, "right-click", item),
            Action::Hover => write!(f, "hover {target}"),
            Action::Type(text) => write!(f, "type {}", quoted(text)).and_then(|()| rest(f, "into")),
            Action::Keys(keys) => write!(f, "keys {}", quoted(keys)).and_then(|()| rest(f, "to")),
            Action::Menu(path) => {
                f.write_str("menu ")?;
                write_item(f, path)?;
                rest(f, "of")
            }
            Action::Select(path) => {
                f.write_str("select ")?;
                write_item(f, path)?;
                write!(f, " in {target}")
            }
            Action::Scroll(Direction::Up, lines) => {
                write!(f, "scroll up {lines}").and_then(|()| rest(f, "over"))
            }
            Action::Scroll(Direction::Down, lines) => {
                write!(f, "scroll down {lines}").and_then(|()| rest(f, "over"))
            }
            Action::Drag(to) => write!(f, "drag {target} to {to}"),
            Action::Close => f.write_str("close").and_then(|()| rest(f, "")),
            Action::Minimise => f.write_str("minimise").and_then(|()| rest(f, "")),
            Action::Maximise => f.write_str("maximise").and_then(|()| rest(f, "")),
            Action::Restore => f.write_str("restore").and_then(|()| rest(f, "")),
            Action::Switch => f.write_str("switch").and_then(|()| rest(f, "")),
            Action::Interrupt(interrupt) => write!(f, "interrupt {}", interrupt.name()),
            Action::Sleep(millis) => write!(f, "sleep {millis}"),
            Action::Shell(command) => write!(f, "shell {{ {command} }}"),
            Action::Skip => f.write_str("skip"),
            Action::Other(what) => write!(f, "other {}", quoted(what)).and_then(|()| rest(f, "to")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_as_they_are_written() {
        for text in [
            "click \"OK\"",
            "double-click item \"a\" > \"b\" of id 7",
            "right-click *",
            "hover at (5 6)",
            "type \"blue \\\"lamp\\\"\" into id 1201 in \"Add item\"",
            "type \"x\"",
            "keys \"Ctrl+Shift+F5\"",
            "menu \"File\" > \"Save as…\"",
            "menu *",
            "select * in role list",
            "select * in *",
            "select \"VAT 7 %\" in id 1204",
            "scroll down 3 over role list",
            "drag id 1 to at (5 6)",
            "close \"Options\"",
            "close",
            "switch \"Untitled - Notepad\"",
            "interrupt dpi",
            "sleep 100",
            "shell { echo {a} }",
            "skip",
            "other \"set date\" to id 9",
        ] {
            let mut cursor = Cursor::new(text);
            let event =
                Event::parse(&mut cursor).unwrap_or_else(|complaint| panic!("{}", complaint.show(text)));
            assert!(cursor.is_at_end(), "{text}");
            assert_eq!(event.to_string(), text);
        }
    }

    #[test]
    fn a_wrong_key_is_told_with_its_place() {
        let complaint = Event::parse(&mut Cursor::new("keys \"Ctrl+Foo\"")).unwrap_err();
        assert_eq!(complaint.to_string(), "line 1, column 6: there is no key `Foo`");
    }
}
