//! The whole state of an application at a moment: every window with every property that can be read.

use crate::driver::{Answer, Driver, Question};
use message_log::{Event, Key, Keyframe, Kind, Params, Rect, Stamp, Value};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use win32_vocabulary::styles::{BS_DEFPUSHBUTTON, BS_TYPEMASK, WS_DISABLED, WS_VISIBLE};
use window_tree::{Node, Tree};

/// Every window, parents before children. Windows are named by their births: handles are others in every run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The windows, parents before children.
    pub windows: Vec<WindowState>,
}

/// A window with all that can be read of it, each property as a text: `class`, `text`, `id`, `style`,
/// `ex_style`, `rect`, `enabled`, `visible`, and what its kind of control has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowState {
    /// The window's number within its session.
    pub window: u64,
    /// 0 for a top-level window.
    #[serde(default)]
    pub parent: u64,
    /// The owner; 0 for none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub owner: u64,
    /// The name the system keeps, where the window tells another text of itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Every other property by name.
    #[serde(flatten)]
    pub properties: BTreeMap<String, String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl State {
    /// The state of the application whose windows these are, asked through the agent.
    pub fn of(tree: &Tree, driver: &mut dyn Driver) -> Self {
        let births: HashMap<u64, u64> = tree.walk().map(|(_, node)| (node.hwnd, node.window_id)).collect();
        let window_id = |hwnd: u64| births.get(&hwnd).copied().unwrap_or_default();
        let mut windows = Vec::new();
        for (_, node) in tree.walk() {
            let facts = match driver.ask(node.hwnd, &Question::Facts) {
                Ok(Answer::Facts(facts)) => facts,
                _ => Vec::new(),
            };
            let (parent, owner) = (window_id(node.parent()), window_id(node.owner()));
            windows.push(WindowState { parent, owner, ..WindowState::of(node, facts) });
        }
        windows.sort_by_key(|state| state.window);
        Self { windows }
    }

    /// The same as a keyframe shows it, for matching.
    pub fn keyframe(&self) -> Keyframe {
        let windows = self.windows.iter().map(WindowState::params).collect();
        Keyframe { of_thread: None, windows, complete: true }
    }

    /// The same as a tree.
    pub fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        let frame = Kind::Keyframe(self.keyframe());
        tree.apply(&Event::new(Stamp { sequence: 1, time: 0, thread: 0 }, frame));
        tree
    }

    /// The window with this number.
    pub fn get(&self, window: u64) -> Option<&WindowState> {
        self.windows.iter().find(|state| state.window == window)
    }
}

impl WindowState {
    fn of(node: &Node, facts: Vec<(String, String)>) -> Self {
        let mut properties: BTreeMap<String, String> = facts.into_iter().collect();
        let mut tell = |property: &str, value: Option<String>| {
            properties.extend(value.map(|value| (property.to_owned(), value)));
        };
        let class = node.class().map(|class| class.to_string_lossy().into_owned());
        let is_button = class.as_deref().is_some_and(|class| class.eq_ignore_ascii_case("button"));
        let style = node.style().map(|style| match style as u32 {
            // The default button follows the focus.
            style if is_button && style & BS_TYPEMASK == BS_DEFPUSHBUTTON => style & !BS_TYPEMASK,
            style => style,
        });
        // Visibility and enabling are properties of their own.
        let style = style.map(|style| style & !(WS_VISIBLE | WS_DISABLED));
        tell("class", class);
        tell("id", node.resource_id().filter(|_| node.parent() != 0).map(|id| id.to_string()));
        tell("style", style.map(|style| format!("{style:#010x}")));
        tell("ex_style", node.ex_style().map(|style| format!("{style:#010x}")));
        tell("visible", node.visible().map(|is| is.to_string()));
        tell("enabled", node.enabled().map(|is| is.to_string()));
        tell("rect", node.rect().map(|rect| place(rect, node.parent() == 0)));
        let name = node.name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = properties.entry("text".into()).or_insert_with(|| name.clone());
        let name = (*text != name).then_some(name);
        Self { window: node.window_id, name, properties, ..Self::default() }
    }

    /// The name the system keeps.
    fn name(&self) -> &str {
        self.name.as_deref().or(self.get("text")).unwrap_or_default()
    }

    /// The value of a property.
    pub fn get(&self, property: &str) -> Option<&str> {
        self.properties.get(property).map(String::as_str)
    }

    fn params(&self) -> Params {
        let flag = |property| Value::Flag(self.get(property) == Some("true"));
        let number = |property| {
            let text = self.get(property)?;
            text.strip_prefix("0x").map_or_else(|| text.parse().ok(), |hex| i64::from_str_radix(hex, 16).ok())
        };
        let mut params = Params::new()
            .with_number(Key::WindowHwnd, self.window.cast_signed())
            .with_number(Key::WindowId, self.window.cast_signed())
            .with_number(Key::WindowParent, self.parent.cast_signed())
            .with_text(Key::WindowClass, self.get("class").unwrap_or_default())
            .with(Key::WindowVisible, flag("visible"))
            .with(Key::WindowEnabled, flag("enabled"))
            .with_text(Key::WindowName, self.name());
        for (property, key) in
            [("id", Key::WindowResourceId), ("style", Key::WindowStyle), ("ex_style", Key::WindowExStyle)]
        {
            if let Some(number) = number(property) {
                params = params.with_number(key, number);
            }
        }
        if self.owner != 0 {
            params = params.with_number(Key::WindowOwner, self.owner.cast_signed());
        }
        params
    }
}

/// Left, top, width and height in the parent. Where a top-level window lies is the desktop's business: only
/// its size is told.
fn place(rect: Rect, is_top: bool) -> String {
    let (width, height) = (rect.right.wrapping_sub(rect.left), rect.bottom.wrapping_sub(rect.top));
    if is_top {
        format!("{width}x{height}")
    } else {
        format!("{width}x{height} at {},{}", rect.left, rect.top)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    pub(crate) use super::*;

    pub(crate) fn window(number: u64, parent: u64, class: &str, text: &str) -> WindowState {
        let state = WindowState { window: number, parent, ..WindowState::default() };
        state.with("class", class).with("text", text).with("visible", "true").with("enabled", "true")
    }

    pub(crate) fn tree(state: &State) -> Tree {
        state.tree()
    }

    impl WindowState {
        pub(crate) fn with(mut self, property: &str, value: &str) -> Self {
            self.properties.insert(property.into(), value.into());
            self
        }
    }

    #[test]
    fn a_state_is_the_same_after_writing_and_reading() {
        let state = State {
            windows: vec![
                window(1, 0, "Frame", "a").with("style", "0x14cf0000").with("items", "x\ny"),
                WindowState { name: Some("n".into()), ..window(2, 1, "Edit", "t").with("id", "7") },
            ],
        };
        let json = serde_json::to_string(&state).unwrap();
        assert_eq!(serde_json::from_str::<State>(&json).unwrap(), state);
        let tree = state.tree();
        assert_eq!(tree.get(2).unwrap().name().unwrap().to_string_lossy(), "n");
        assert_eq!(tree.get(1).unwrap().style(), Some(0x14cf_0000));
    }

    #[test]
    fn a_top_level_window_may_lie_anywhere() {
        let rect = Rect { left: 10, top: 20, right: 110, bottom: 70 };
        assert_eq!(place(rect, true), "100x50");
        assert_eq!(place(rect, false), "100x50 at 10,20");
    }
}
