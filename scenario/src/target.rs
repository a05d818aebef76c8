//! Which widget is meant: by what identifies it across runs, never by a handle.

use crate::text::{Cursor, Parsed, quoted};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Which widget is meant.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// `*`: any widget for which the action is possible now.
    Any,
    /// `focus`: the one with the focus; for actions on windows, the active one.
    Focus,
    /// `at (x y)`: whatever is at this point of the active window's client area, in pixels.
    Point(i32, i32),
    /// A widget that is described.
    Widget(Description),
}

/// What is known of a widget; all of it has to fit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default)]
pub struct Description {
    /// The resource id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Id>,
    /// Its name, behind the names of widgets above it: `"Options" / "OK"`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
    /// The class, without what changes from run to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// What it is for its user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// Which of several that fit, from 1, in the order of their creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nth: Option<usize>,
    /// A widget or window it is in, at any depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<Box<Description>>,
}

/// What a program calls a control.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Id {
    /// The number of the resources.
    Number(i64),
    /// The designer's name.
    Name(String),
}

macro_rules! roles {
    ($($role:ident $name:literal,)*) => {
        /// What a widget is for its user, whatever toolkit made it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[expect(missing_docs, reason = "their names say it")]
        pub enum Role { $($role,)* }

        impl Role {
            /// All roles.
            pub const ALL: &[Self] = &[$(Self::$role,)*];

            /// As it is written.
            pub fn name(self) -> &'static str {
                match self { $(Self::$role => $name,)* }
            }
        }
    };
}

roles! {
    Window "window", Dialog "dialog", Button "button", CheckBox "check-box", RadioButton "radio-button", Edit "edit", Label "label",
    List "list", Combo "combo", Tree "tree", Tab "tab", Header "header", ToolBar "tool-bar", StatusBar "status-bar", Slider "slider",
    ScrollBar "scroll-bar", Spin "spin", Date "date", Link "link", Menu "menu", Group "group", Other "other",
}

impl Description {
    /// By its name.
    pub fn named(name: impl Into<String>) -> Self {
        Self { path: vec![name.into()], ..Self::default() }
    }

    /// By its resource id.
    pub fn id(id: i64) -> Self {
        Self { id: Some(Id::Number(id)), ..Self::default() }
    }

    /// By its role.
    pub fn role(role: Role) -> Self {
        Self { role: Some(role), ..Self::default() }
    }

    /// In another one.
    pub fn within(self, other: Self) -> Self {
        Self { within: Some(Box::new(other)), ..self }
    }
}

impl Target {
    /// A widget by its name.
    pub fn named(name: impl Into<String>) -> Self {
        Self::Widget(Description::named(name))
    }

    /// A widget by its resource id.
    pub fn id(id: i64) -> Self {
        Self::Widget(Description::id(id))
    }

    pub(crate) const FIRST_WORDS: &[&'static str] = &["id", "class", "role", "focus", "at"];

    /// Whether one begins here.
    pub(crate) fn is_next(cursor: &mut Cursor<'_>) -> bool {
        let is_next = cursor.is_string()
            || cursor.peek_word().is_some_and(|word| Self::FIRST_WORDS.contains(&word))
            || cursor.clone().eat("*") && !cursor.clone().eat("*>>");
        if !is_next {
            cursor.expect("a target (a name, `id`, `class`, `role`, `focus`, `at` or `*`)");
        }
        is_next
    }

    pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        if !Self::is_next(cursor) {
            return cursor.fail();
        }
        if cursor.eat("*") {
            return Ok(Self::Any);
        }
        if cursor.eat_word("focus") {
            return Ok(Self::Focus);
        }
        if cursor.eat_word("at") {
            cursor.need("(")?;
            let point = [coordinate(cursor)?, coordinate(cursor)?];
            cursor.need(")")?;
            return Ok(Self::Point(point[0], point[1]));
        }
        Description::parse(cursor).map(Self::Widget)
    }
}

pub(crate) fn coordinate(cursor: &mut Cursor<'_>) -> Parsed<i32> {
    let at = cursor.position();
    let number = cursor.integer("a number")?;
    i32::try_from(number).or_else(|_| cursor.wrong(at, format!("{number} is no coordinate")))
}

impl Description {
    pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        Self::nested(cursor, 0)
    }

    fn nested(cursor: &mut Cursor<'_>, depth: usize) -> Parsed<Self> {
        /// No window is so deep in others.
        const MAX_DEPTH: usize = 100;
        if depth > MAX_DEPTH {
            return cursor.wrong(cursor.position(), "nested too deeply");
        }
        let mut it = Self::default();
        loop {
            let at = cursor.position();
            let twice = if cursor.is_string() {
                let path = path(cursor, "/")?;
                !std::mem::replace(&mut it.path, path).is_empty()
            } else if cursor.eat_word("id") {
                let id = match cursor.is_string() {
                    true => Id::Name(cursor.string("an id")?),
                    false => Id::Number(cursor.integer("a number or a name in quotation marks")?),
                };
                it.id.replace(id).is_some()
            } else if cursor.eat_word("class") {
                it.class.replace(cursor.string("a class in quotation marks")?).is_some()
            } else if cursor.eat_word("role") {
                let role = Role::ALL.iter().find(|role| cursor.eat_word(role.name()));
                it.role.replace(*role.ok_or_else(|| cursor.complaint())?).is_some()
            } else {
                cursor.expect("a name in quotation marks");
                return cursor.fail();
            };
            if twice {
                return cursor.wrong(at, "a widget is described by one name, id, class and role each");
            }
            if !cursor.eat("&") {
                break;
            }
        }
        if cursor.eat_word("nth") {
            let at = cursor.position();
            let nth = cursor.integer("a number")?;
            let valid = usize::try_from(nth).ok().filter(|&nth| nth > 0);
            it.nth = Some(valid.map_or_else(|| cursor.wrong(at, "the first is nth 1"), Ok)?);
        }
        if cursor.eat_word("in") {
            it.within = Some(Box::new(Self::nested(cursor, depth + 1)?));
        }
        Ok(it)
    }
}

/// Texts with a sign between them.
pub(crate) fn path(cursor: &mut Cursor<'_>, sign: &str) -> Parsed<Vec<String>> {
    let mut path = vec![cursor.string("a text in quotation marks")?];
    // `>>` goes on with the next event.
    while !(sign == ">" && cursor.clone().eat(">>")) && cursor.eat(sign) {
        path.push(cursor.string("a text in quotation marks")?);
    }
    Ok(path)
}

pub(crate) fn write_path(f: &mut fmt::Formatter<'_>, path: &[String], sign: &str) -> fmt::Result {
    let parts: Vec<String> = path.iter().map(|part| quoted(part)).collect();
    f.write_str(&parts.join(&format!(" {sign} ")))
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("*"),
            Self::Focus => f.write_str("focus"),
            Self::Point(x, y) => write!(f, "at ({x} {y})"),
            Self::Widget(description) => description.fmt(f),
        }
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sign = "";
        if !self.path.is_empty() {
            write_path(f, &self.path, "/")?;
            sign = " & ";
        }
        match &self.id {
            Some(Id::Number(id)) => write!(f, "{sign}id {id}")?,
            Some(Id::Name(name)) => write!(f, "{sign}id {}", quoted(name))?,
            None => {}
        }
        sign = if self.id.is_some() { " & " } else { sign };
        if let Some(class) = &self.class {
            write!(f, "{sign}class {}", quoted(class))?;
            sign = " & ";
        }
        if let Some(role) = self.role {
            write!(f, "{sign}role {}", role.name())?;
        }
        if let Some(nth) = self.nth {
            write!(f, " nth {nth}")?;
        }
        match &self.within {
            Some(within) => write!(f, " in {within}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Parsed<Target> {
        let mut cursor = Cursor::new(text);
        let target = Target::parse(&mut cursor)?;
        if cursor.is_at_end() { Ok(target) } else { cursor.fail() }
    }

    #[test]
    fn targets_are_read_as_they_are_written() {
        for text in [
            "*",
            "focus",
            "at (30 -5)",
            "\"OK\"",
            "\"Options\" / \"General\" / \"OK\"",
            "id 102",
            "id \"okButton\" & class \"Button\" & role button nth 2 in \"Add item\" & role dialog",
            "class \"Edit\" nth 3 in class \"#32770\" in \"Main\"",
        ] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn complaints_say_what_was_expected() {
        let complaint = |text: &str| parse(text).unwrap_err().to_string();
        assert!(
            complaint("role knob").starts_with("line 1, column 6: expected `window`, `dialog`, "),
            "{}",
            complaint("role knob")
        );
        assert_eq!(
            complaint("id 1 & id 2"),
            "line 1, column 8: a widget is described by one name, id, class and role each"
        );
        assert_eq!(complaint("\"OK\" nth 0"), "line 1, column 10: the first is nth 1");
        assert!(complaint("17").contains("expected a target"));
    }
}
