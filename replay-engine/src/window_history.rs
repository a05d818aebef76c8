//! The windows of a program moment by moment, as changes: all of them once, then only what became otherwise.
//!
//! A replay keeps its own in the saved result, the page has those of the recording too.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use steps::control_of;
use win32_vocabulary::Control;
use win32_vocabulary::styles::{WS_DISABLED, WS_VISIBLE};
use window_tree::{Node, Tree};

/// Characters of a text that are kept: more than a picture of the window shows.
const MAX_TEXT: usize = 240;

/// Styles that are properties of their own.
const FLAGS: u32 = WS_VISIBLE | WS_DISABLED;

/// What a drawing shows of a window.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WindowFacts {
    /// The window class.
    pub class: String,
    /// The kind of control.
    #[serde(with = "control_name")]
    pub control: Control,
    /// The title or text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What an edit or a combo box holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The control id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// Left and top in the parent's client area, width and height.
    pub rect: [i32; 4],
    /// The style bits without `WS_VISIBLE` and `WS_DISABLED`.
    pub style: u64,
    /// The extended style bits.
    pub ex_style: u64,
    /// Whether it is visible.
    pub visible: bool,
    /// Whether it is enabled.
    pub enabled: bool,
    /// Whether it disables its owner.
    #[serde(default, skip_serializing_if = "is_false")]
    pub modal: bool,
    /// Whether it hides what is typed into it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub masked: bool,
    /// The state of a check box or radio button, where a step told it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<u64>,
}

/// A control in JSON: by its name.
mod control_name {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::borrow::Cow;
    use win32_vocabulary::Control;

    pub(super) fn serialize<S: Serializer>(control: &Control, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(control.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Control, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        Control::from_name(&name).ok_or_else(|| D::Error::custom(format!("no control is called {name}")))
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// A window and where it belongs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowView {
    /// The parent; 0 for a top-level window.
    pub parent: u64,
    /// The owner; 0 for none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub owner: u64,
    /// What a drawing shows of it.
    #[serde(flatten)]
    pub facts: WindowFacts,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A window that came, changed or went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowChange {
    /// The window handle.
    pub hwnd: u64,
    /// As it is now; none if it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<WindowView>,
}

/// The windows as they were told last.
#[derive(Debug, Clone, Default)]
pub struct WindowHistory {
    known: HashMap<u64, (u64, WindowView)>,
    checks: HashMap<(u64, u64), u64>,
    /// The text that a step left in a field, and the one that the log had told by then.
    texts: HashMap<(u64, u64), (Option<String>, String)>,
}

impl WindowHistory {
    /// A step gave a check box or radio button this state.
    pub fn check(&mut self, tree: &Tree, hwnd: u64, state: u64) {
        let Some(node) = tree.get(hwnd) else { return };
        if control_of(node) == Control::RadioButton {
            for other in tree.children(node.parent()).filter(|it| control_of(it) == Control::RadioButton) {
                self.checks.insert((other.hwnd, other.window_id), 0);
            }
        }
        self.checks.insert((hwnd, node.window_id), state);
    }

    /// A step left this text in a field. The log tells it only with the next message of another kind, which
    /// is another step's.
    pub fn text(&mut self, tree: &Tree, hwnd: u64, text: &str) {
        let Some(node) = tree.get(hwnd) else { return };
        self.texts.insert((hwnd, node.window_id), (text_of(node.own_text()), bounded(text, MAX_TEXT)));
    }

    /// What became otherwise since the last time; parents before children.
    pub fn changes(&mut self, tree: &Tree) -> Vec<WindowChange> {
        let mut changes = Vec::new();
        let mut gone: Vec<u64> =
            self.known.keys().copied().filter(|hwnd| tree.get(*hwnd).is_none()).collect();
        gone.sort_unstable();
        for hwnd in gone {
            self.known.remove(&hwnd);
            changes.push(WindowChange { hwnd, now: None });
        }
        for (_, node) in tree.walk().filter(|(_, node)| !node.is_outside && node.is_known) {
            let check = self.checks.get(&(node.hwnd, node.window_id)).copied();
            let mut shown = WindowView::of(tree, node, check);
            if let Some((before, text)) = self.texts.get(&(node.hwnd, node.window_id))
                && *before == shown.facts.text
            {
                shown.facts.text = Some(text.clone());
            }
            match self.known.get(&node.hwnd) {
                Some((window_id, before)) if *window_id == node.window_id && *before == shown => {}
                before => {
                    // Another window with the same handle: the first one is gone.
                    if before.is_some_and(|(window_id, _)| *window_id != node.window_id) {
                        changes.push(WindowChange { hwnd: node.hwnd, now: None });
                    }
                    self.known.insert(node.hwnd, (node.window_id, shown.clone()));
                    changes.push(WindowChange { hwnd: node.hwnd, now: Some(shown) });
                }
            }
        }
        changes
    }
}

impl WindowView {
    fn of(tree: &Tree, node: &Node, check: Option<u64>) -> Self {
        let rect = node.rect().unwrap_or_default();
        let size = |from: i32, to: i32| to.saturating_sub(from).max(0);
        Self {
            parent: node.parent(),
            owner: node.owner(),
            facts: WindowFacts {
                class: text_of(node.class()).unwrap_or_default(),
                control: control_of(node),
                name: text_of(node.name()).unwrap_or_default(),
                text: text_of(node.own_text()),
                id: node.resource_id(),
                rect: [rect.left, rect.top, size(rect.left, rect.right), size(rect.top, rect.bottom)],
                style: node.style().unwrap_or(0) & !u64::from(FLAGS),
                ex_style: node.ex_style().unwrap_or(0),
                visible: node.visible() != Some(false),
                enabled: node.enabled() != Some(false),
                modal: tree.is_modal(node.hwnd),
                masked: node.is_masked(),
                check,
            },
        }
    }
}

fn text_of(text: Option<&message_log::Text>) -> Option<String> {
    text.map(|text| bounded(&text.to_string_lossy(), MAX_TEXT))
}

/// A text of at most so many characters.
pub fn bounded(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use message_log::Log;
    use window_tree::Rebuild;

    #[test]
    fn changes_alone_tell_every_moment() {
        let log = include_bytes!("../../tests/recordings/steps/dialogs.dashcam");
        let (mut rebuild, mut history) = (Rebuild::new(), WindowHistory::default());
        let mut text_of: HashMap<u64, WindowView> = HashMap::new();
        let mut changes = 0;
        for entry in Log::from_bytes("dialogs.dashcam", log).unwrap().newest() {
            rebuild.take(&entry.unwrap());
            let tree = rebuild.tree();
            for WindowChange { hwnd, now } in history.changes(tree) {
                changes += 1;
                match now {
                    Some(shown) => drop(text_of.insert(hwnd, shown)),
                    None => drop(text_of.remove(&hwnd)),
                }
            }
            let listed = tree.walk().filter(|(_, node)| !node.is_outside && node.is_known);
            let now: HashMap<u64, WindowView> =
                listed.map(|(_, node)| (node.hwnd, WindowView::of(tree, node, None))).collect();
            assert_eq!(text_of, now);
        }
        assert!(changes > 50, "{changes}");
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(bounded("Grüße", 10), "Grüße");
        assert_eq!(bounded("Grüße", 4), "Grüß…");
    }
}
