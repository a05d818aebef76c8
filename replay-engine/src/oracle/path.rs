//! A window in words: `InvoiceFrame > SysListView32 id 1001`, from an outer window to the one that is meant.
//!
//! A level has a class, a name in quotes, an id and a place among those alike, each only where it is needed:
//! `#32770 "Add item" > Button id 1`, `* "Total" #2`. Levels between may be left out. Classes are compared
//! without the parts that change from run to run.

use message_log::Text;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use steps::clean;
use window_tree::{Id, Node, Sketch, Tree, stable_class};

/// A window, from an outer one to the one that is meant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct WindowPath {
    levels: Vec<Level>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Level {
    /// None is any.
    class: Option<Class>,
    name: Option<String>,
    id: Option<i64>,
    /// The designer's name of a WinForms control.
    control: Option<String>,
    /// Among siblings that are alike, from 1.
    place: Option<usize>,
}

/// A class without what changes from run to run, as it was written; Windows does not tell upper
/// from lower case.
#[derive(Debug, Clone)]
struct Class(String);

impl Class {
    fn normal(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

impl PartialEq for Class {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Class {}

impl PartialOrd for Class {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Class {
    fn cmp(&self, other: &Self) -> Ordering {
        self.normal().cmp(&other.normal())
    }
}

impl WindowPath {
    /// The path of a window in its tree. `is_named` says whether a window's name may be used: some change
    /// from run to run.
    pub fn of(tree: &Tree, hwnd: u64, is_named: impl Fn(&Node) -> bool) -> Self {
        let level = |node: &&Node| {
            let sketch = Sketch::of(node);
            let class = node.class().map(stable_class).filter(|class| !class.is_empty()).map(Class);
            let mut level = Level { class, ..Level::default() };
            match sketch.id {
                Some(Id::Number(id)) => level.id = Some(id),
                Some(Id::Name(name)) => level.control = Some(name),
                None => level.name = Some(sketch.name).filter(|name| !name.is_empty() && is_named(node)),
            }
            let alike: Vec<u64> = by_age(tree, node.parent())
                .into_iter()
                .filter(|sibling| level.fits(sibling))
                .map(|sibling| sibling.hwnd)
                .collect();
            let place = alike.iter().position(|&sibling| sibling == node.hwnd);
            level.place = place.filter(|_| alike.len() > 1).map(|place| place + 1);
            level
        };
        Self { levels: tree.ancestry(hwnd).iter().map(level).collect() }
    }

    /// Whatever the outermost window is called.
    pub fn without_title(&self) -> Self {
        let mut levels = self.levels.clone();
        if let [outer, _, ..] = levels.as_mut_slice() {
            outer.name = None;
        }
        Self { levels }
    }

    /// Whether it means this window.
    pub fn is(&self, tree: &Tree, hwnd: u64) -> bool {
        let ancestry = tree.ancestry(hwnd);
        let mut above = ancestry.iter().rev();
        let Some((last, outer)) = self.levels.split_last() else { return false };
        if !above.next().is_some_and(|node| last.is(tree, node)) {
            return false;
        }
        outer.iter().rev().all(|level| above.any(|node| level.is(tree, node)))
    }

    /// Every window it means.
    pub fn find(&self, tree: &Tree) -> Vec<u64> {
        tree.walk().map(|(_, node)| node.hwnd).filter(|&hwnd| self.is(tree, hwnd)).collect()
    }
}

/// The windows of one parent in the order they were made.
fn by_age(tree: &Tree, parent: u64) -> Vec<&Node> {
    let mut siblings: Vec<&Node> = tree.children(parent).collect();
    siblings.sort_by_key(|node| node.window_id);
    siblings
}

impl Level {
    /// But for its place.
    fn fits(&self, node: &Node) -> bool {
        let sketch = Sketch::of(node);
        // What an edit holds is no name, but a person may mean it. A label may be named as `dashcam show`
        // does: without its mnemonic.
        let name = || node.name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        self.class.as_ref().is_none_or(|class| class.normal() == sketch.class)
            && self.name.as_ref().is_none_or(|wanted| *wanted == name() || *wanted == clean(&name()))
            && self.id.is_none_or(|id| node.parent() != 0 && node.resource_id() == Some(id))
            && self.control.as_ref().is_none_or(|wanted| sketch.id == Some(Id::Name(wanted.clone())))
    }

    fn is(&self, tree: &Tree, node: &Node) -> bool {
        self.fits(node)
            && self.place.is_none_or(|place| {
                let alike = by_age(tree, node.parent()).into_iter().filter(|sibling| self.fits(sibling));
                alike.enumerate().any(|(at, sibling)| at + 1 == place && sibling.hwnd == node.hwnd)
            })
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.class.as_ref().map_or("*", |class| &class.0))?;
        if let Some(name) = &self.name {
            write!(f, " \"{}\"", name.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n"))?;
        }
        if let Some(id) = self.id {
            write!(f, " id {id}")?;
        }
        if let Some(control) = &self.control {
            write!(f, " control {control}")?;
        }
        self.place.map_or(Ok(()), |place| write!(f, " #{place}"))
    }
}

impl fmt::Display for WindowPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let levels: Vec<String> = self.levels.iter().map(ToString::to_string).collect();
        f.write_str(&levels.join(" > "))
    }
}

impl FromStr for WindowPath {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut levels = vec![Level::default()];
        let mut rest = text.trim();
        if rest.is_empty() {
            return Err("a window is named by its class, its name in quotes or its id".into());
        }
        while !rest.is_empty() {
            let level = levels.last_mut().expect("there is always one");
            rest = if let Some(after) = rest.strip_prefix('"') {
                let (name, after) = quoted(after)?;
                level.name = Some(name);
                after
            } else if let Some(after) = rest.strip_prefix("> ") {
                levels.push(Level::default());
                after
            } else {
                let (word, after) = word(rest);
                match word {
                    "*" => after,
                    "id" | "control" => {
                        let (value, after) = self::word(after.trim_start());
                        if word == "id" {
                            let id = value.parse().map_err(|_| format!("`id {value}` has no number"))?;
                            level.id = Some(id);
                        } else {
                            level.control = Some(value.to_owned());
                        }
                        after
                    }
                    _ => match word.strip_prefix('#').and_then(|place| place.parse().ok()) {
                        // The class of dialogs is a number sign and a number, and comes first.
                        Some(place) if *level != Level::default() => {
                            level.place = Some(place);
                            after
                        }
                        _ => {
                            let class =
                                level.class.take().map_or_else(|| word.into(), |c| format!("{} {word}", c.0));
                            level.class = Some(Class(stable_class(&Text::from(class.as_str()))));
                            after
                        }
                    },
                }
            };
            rest = rest.trim_start();
        }
        if levels.contains(&Level::default()) && text != "*" {
            return Err(format!("`{text}` has an empty level"));
        }
        Ok(Self { levels })
    }
}

fn word(text: &str) -> (&str, &str) {
    text.split_at(text.find([' ', '"']).unwrap_or(text.len()))
}

fn quoted(text: &str) -> Result<(String, &str), String> {
    let (mut name, mut chars) = (String::new(), text.char_indices());
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((name, &text[at + 1..])),
            '\\' => match chars.next() {
                Some((_, 'n')) => name.push('\n'),
                Some((_, c)) => name.push(c),
                None => break,
            },
            c => name.push(c),
        }
    }
    Err("a name has no closing quote".into())
}

impl From<WindowPath> for String {
    fn from(path: WindowPath) -> Self {
        path.to_string()
    }
}

impl TryFrom<String> for WindowPath {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::state::tests::{State, tree, window};

    fn dialog() -> State {
        State {
            windows: vec![
                window(1, 0, "InvoiceFrame", "Untitled - Invoice"),
                window(2, 1, "SysListView32", "").with("id", "1001"),
                window(3, 0, "#32770", "Add item"),
                window(4, 3, "Static", "Total:"),
                window(5, 3, "Static", "Total:"),
                window(6, 3, "Edit", "").with("id", "7"),
                window(7, 3, "Button", "&Keep..."),
            ],
        }
    }

    #[test]
    fn a_window_is_named_by_what_tells_it_apart() {
        let tree = tree(&dialog());
        let path = |hwnd| WindowPath::of(&tree, hwnd, |_| true).to_string();
        assert_eq!(path(2), r#"InvoiceFrame "Untitled - Invoice" > SysListView32 id 1001"#);
        assert_eq!(path(5), r##"#32770 "Add item" > Static "Total:" #2"##);
        assert_eq!(path(6), r##"#32770 "Add item" > Edit id 7"##);
        for hwnd in 1..=7 {
            let parsed: WindowPath = path(hwnd).parse().unwrap();
            assert_eq!(parsed.find(&tree), [hwnd], "{parsed}");
        }
        let unnamed = WindowPath::of(&tree, 2, |_| false).to_string();
        assert_eq!(unnamed, "InvoiceFrame > SysListView32 id 1001");
    }

    #[test]
    fn a_person_may_say_less() {
        let tree = tree(&dialog());
        let found = |path: &str| path.parse::<WindowPath>().unwrap().find(&tree);
        assert_eq!(found("SysListView32"), [2]);
        assert_eq!(found("\"Add item\" > * id 7"), [6]);
        assert_eq!(found("#32770 > Static #1"), [4]);
        assert_eq!(found("Static"), [4, 5]);
        assert_eq!(found("Button \"Keep\""), [7]);
        assert_eq!(found("Button \"&Keep...\""), [7]);
        assert_eq!(found("InvoiceFrame > Edit"), [0; 0]);
    }

    #[test]
    fn nonsense_is_refused_in_a_sentence() {
        for (text, wrong) in [
            ("", "a window is named"),
            ("Button \"OK", "no closing quote"),
            ("Button id x", "no number"),
            ("Button >  > Edit", "an empty level"),
        ] {
            let error = text.parse::<WindowPath>().unwrap_err();
            assert!(error.contains(wrong), "{text}: {error}");
        }
    }
}
