//! Which window is meant, kept as it was at that moment: the tree goes on, a step does not.

use super::control::control_of;
use super::label;
use message_log::{Rect, Text};
use serde::{Serialize, Serializer};
use win32_vocabulary::Control;
use win32_vocabulary::styles::{WS_CAPTION, WS_CHILD};
use window_tree::{Node, Tree, normal_class};

fn control_name<S: Serializer>(control: &Control, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(control.name())
}

/// A window with all that names it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Place {
    /// The window itself.
    #[serde(flatten)]
    pub sketch: Sketch,
    /// What kind of control it is.
    #[serde(serialize_with = "control_name")]
    pub control: Control,
    /// What a person calls it: its own text, or the label before it.
    pub label: Option<String>,
    /// The kind of what it is a part of, as the edit of a combo box is; otherwise its own.
    #[serde(skip)]
    pub part_of: Control,
    /// Whether it is the only unnamed control of its kind beside its siblings.
    #[serde(skip)]
    pub is_only: bool,
    /// Its place among siblings of the same name and kind, from 1, where there are several; of one without
    /// name and id, among those of its kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ordinal: Option<usize>,
    /// The title of the MDI child it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The windows above it, the top-level window first, and itself.
    pub ancestry: Vec<Sketch>,
    /// How its top-level window is called.
    pub window: WindowName,
    /// Left, top, right and bottom.
    #[serde(skip)]
    pub rect: Option<Rect>,
    /// Whether all windows above it are known. A window made before the hooks were set is told by a
    /// keyframe a moment later.
    #[serde(skip)]
    pub is_settled: bool,
    /// Its style bits.
    #[serde(skip)]
    pub style: u32,
    /// The last text told of an edit.
    #[serde(skip)]
    pub own_text: Option<String>,
}

/// A window in short.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Sketch {
    /// The recorded window handle.
    pub hwnd: u64,
    /// The window's number within its session; handles are reused, these are not.
    #[serde(rename = "birth")]
    pub window_id: u64,
    /// The window class.
    pub class: String,
    /// The title or text.
    pub name: String,
    /// The control id.
    pub id: Option<i64>,
}

/// How a top-level window is called.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WindowName {
    /// Its title, or a description.
    pub title: String,
    /// Whether it has a title bar.
    pub has_title: bool,
    /// Whether it is a dialog: of the dialog class, or modal.
    pub is_dialog: bool,
    /// Whether it is the program's main window, which needs not be named.
    pub is_main: bool,
}

impl Place {
    /// A window of the tree. One that is not there has a handle and nothing else.
    pub fn of(tree: &Tree, hwnd: u64, window_id: u64) -> Self {
        let node = tree.get(hwnd);
        let text = |text: Option<&Text>| text.map(|text| text.to_string_lossy().into_owned());
        Self {
            sketch: node.map_or_else(|| Sketch { hwnd, window_id, ..Sketch::default() }, Sketch::of),
            control: node.map_or(Control::Other, control_of),
            label: node.and_then(|node| label::of(tree, node)),
            part_of: node.map_or(Control::Other, |node| control_of(label::whole(tree, node))),
            is_only: node.is_some_and(|node| label::is_only(tree, node)),
            ordinal: node.and_then(|node| label::ordinal(tree, node)),
            document: document(tree, hwnd),
            ancestry: tree.ancestry(hwnd).into_iter().map(Sketch::of).collect(),
            window: tree.top_level(hwnd).map_or_else(WindowName::default, |top| WindowName::of(tree, top)),
            rect: node.and_then(Node::rect),
            is_settled: node.is_some_and(|node| node.is_known)
                && tree.top_level(hwnd).is_some_and(|top| top.style().unwrap_or(0) as u32 & WS_CHILD == 0),
            style: node.and_then(Node::style).unwrap_or(0) as u32,
            own_text: node.and_then(|node| text(node.own_text())),
        }
    }

    /// Looks again at a window that was not known well enough; true if it is now.
    pub fn settle(&mut self, tree: &Tree) -> bool {
        let Sketch { hwnd, window_id, .. } = self.sketch;
        let is_same = |node: &Node| window_id == 0 || node.window_id == 0 || node.window_id == window_id;
        if !self.is_settled && tree.get(hwnd).is_some_and(is_same) {
            *self = Self::of(tree, hwnd, window_id);
        }
        self.is_settled
    }

    /// The recorded window handle.
    pub fn hwnd(&self) -> u64 {
        self.sketch.hwnd
    }

    /// Whether it is the same window, and not another with the same handle.
    pub fn is(&self, other: &Self) -> bool {
        self.sketch.hwnd == other.sketch.hwnd && self.sketch.window_id == other.sketch.window_id
    }

    /// Whether it is this window or below it.
    pub fn is_within(&self, hwnd: u64) -> bool {
        self.sketch.hwnd == hwnd || self.ancestry.iter().any(|above| above.hwnd == hwnd)
    }

    /// The id of the control that it is a part of, or its own.
    pub fn id_of_whole(&self) -> Option<i64> {
        match self.ancestry.iter().rev().nth(1) {
            Some(parent) if self.part_of != self.control => parent.id,
            _ => self.sketch.id,
        }
    }

    /// The handle of its top-level window.
    pub fn top(&self) -> u64 {
        self.ancestry.first().map_or(self.sketch.hwnd, |top| top.hwnd)
    }

    /// Width and height, where they are known.
    pub fn size(&self) -> Option<(i32, i32)> {
        self.rect.map(|r| (r.right.saturating_sub(r.left), r.bottom.saturating_sub(r.top)))
    }
}

impl Sketch {
    /// What identifies this window.
    pub fn of(node: &Node) -> Self {
        let text = |text: Option<&Text>| text.map(|text| text.to_string_lossy().into_owned());
        Self {
            hwnd: node.hwnd,
            window_id: node.window_id,
            class: text(node.class()).unwrap_or_default(),
            name: text(node.name()).filter(|name| !name.is_empty()).unwrap_or_default(),
            // The id of a top-level window is its menu.
            id: node.resource_id().filter(|_| node.parent() != 0),
        }
    }
}

impl WindowName {
    fn of(tree: &Tree, top: &Node) -> Self {
        let title = top.name().map(|name| label::one_line(&name.to_string_lossy())).unwrap_or_default();
        let class = top.class().map(|class| class.to_string_lossy().into_owned()).unwrap_or_default();
        let has_title = !title.is_empty();
        let is_dialog = class == "#32770" || tree.is_modal(top.hwnd) && owner(tree, top).is_some();
        let is_main = main_window(tree).is_some_and(|main| main.hwnd == top.hwnd);
        Self { title: if has_title { title } else { class }, has_title, is_dialog, is_main }
    }
}

/// The title of the MDI child a window is in, if it is not that child itself.
fn document(tree: &Tree, hwnd: u64) -> Option<String> {
    let ancestry = tree.ancestry(hwnd);
    let is_client = |node: &&Node| node.class().is_some_and(|class| normal_class(class) == "mdiclient");
    let child = ancestry.get(ancestry.iter().position(is_client)? + 1)?;
    let title = label::one_line(&child.name()?.to_string_lossy());
    (child.hwnd != hwnd && !title.is_empty()).then_some(title)
}

/// The program's main window: of all that have a caption and no owner to be seen, the oldest.
fn main_window(tree: &Tree) -> Option<&Node> {
    tree.children(0).find(|node| {
        // Logs of other makers know no styles.
        let has_caption = match node.style() {
            Some(style) => style as u32 & WS_CAPTION == WS_CAPTION,
            None => node.name().is_some_and(|name| !name.is_empty()),
        };
        has_caption && is_seen(node) && owner(tree, node).is_none()
    })
}

/// The owner a user sees: Delphi and Visual Basic have their windows owned by one without a size.
fn owner<'a>(tree: &'a Tree, node: &Node) -> Option<&'a Node> {
    tree.get(node.owner()).filter(|owner| is_seen(owner))
}

fn is_seen(node: &Node) -> bool {
    node.visible() != Some(false) && node.rect().is_none_or(|r| r.right > r.left && r.bottom > r.top)
}
