//! A window in the tree: its handle, and those of its properties that a message or a keyframe reported.
//!
//! A property that was never reported is absent and never guessed: a placeholder, known only from a message
//! to it, has hardly any.

use message_log::{Key, Rect, Text, Value};
use std::collections::BTreeMap;
use win32_vocabulary::styles::{WS_DISABLED, WS_VISIBLE};

/// Whether a style or other flags, in the width of a log, have one of these bits.
pub(crate) fn has(flags: u64, bits: u32) -> bool {
    flags & u64::from(bits) != 0
}

/// A style without `WS_VISIBLE` and `WS_DISABLED`, which are properties of their own.
pub(crate) fn plain_style(style: u64) -> u64 {
    style & !u64::from(WS_VISIBLE | WS_DISABLED)
}

/// A property of a window besides its handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// The parent's handle; 0 for a top-level window. Maintained by the tree itself.
    Parent,
    /// The handle of a top-level window's owner; 0 without one.
    Owner,
    /// The class name.
    Class,
    /// The caption or text that Windows keeps.
    Name,
    /// The last known text of a window that keeps its own: edits and combo boxes.
    OwnText,
    /// The control id.
    ResourceId,
    /// The designer's name of a WinForms control.
    ControlName,
    /// The style bits without WS_VISIBLE and WS_DISABLED, which are the two flags below.
    Style,
    /// The extended style bits.
    ExStyle,
    /// In the parent's client coordinates for a child, on the screen for a top-level window.
    Rect,
    /// Whether WS_VISIBLE is set; a hidden parent does not clear it.
    Visible,
    /// Whether WS_DISABLED is not set.
    Enabled,
    /// Whether the log says that the window is modal; otherwise [`crate::Tree::is_modal`] derives it.
    Modal,
    /// Whether the window procedure is a Unicode one.
    Unicode,
    /// Whether the texts of the window are private.
    Masked,
    /// The number of the window's thread in the session.
    Thread,
}

impl Property {
    /// Every property, in the order in which it is printed.
    pub const ALL: [Property; 16] = [
        Self::Parent,
        Self::Owner,
        Self::Class,
        Self::Name,
        Self::OwnText,
        Self::ResourceId,
        Self::ControlName,
        Self::Style,
        Self::ExStyle,
        Self::Rect,
        Self::Visible,
        Self::Enabled,
        Self::Modal,
        Self::Unicode,
        Self::Masked,
        Self::Thread,
    ];

    /// Its name in reports and `--json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parent => "parent",
            Self::Owner => "owner",
            Self::Class => "class",
            Self::Name => "name",
            Self::OwnText => "own text",
            Self::ResourceId => "resource id",
            Self::ControlName => "control name",
            Self::Style => "style",
            Self::ExStyle => "extended style",
            Self::Rect => "rectangle",
            Self::Visible => "visible",
            Self::Enabled => "enabled",
            Self::Modal => "modal",
            Self::Unicode => "unicode",
            Self::Masked => "masked",
            Self::Thread => "thread",
        }
    }

    /// The fact that has its value in a keyframe or a WM_CREATE.
    pub(crate) fn key(self) -> Option<Key> {
        Some(match self {
            Self::Parent => Key::WindowParent,
            Self::Owner => Key::WindowOwner,
            Self::Class => Key::WindowClass,
            Self::Name => Key::WindowName,
            Self::OwnText => return None,
            Self::ResourceId => Key::WindowResourceId,
            Self::ControlName => Key::WindowControlName,
            Self::Style => Key::WindowStyle,
            Self::ExStyle => Key::WindowExStyle,
            Self::Rect => Key::WindowRect,
            Self::Visible => Key::WindowVisible,
            Self::Enabled => Key::WindowEnabled,
            Self::Modal => Key::WindowModal,
            Self::Unicode => Key::WindowUnicode,
            Self::Masked => Key::WindowMasked,
            Self::Thread => Key::WindowThread,
        })
    }
}

/// A window.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Node {
    /// The handle, unique among existing windows.
    pub hwnd: u64,
    /// The window id, its number within the session; 0 in logs of other recorders.
    pub window_id: u64,
    /// Whether its creation was recorded or a keyframe contained it. A placeholder is known only from a
    /// message to it.
    pub is_known: bool,
    /// Whether its WM_DESTROY has passed; WM_NCDESTROY removes it.
    pub is_being_destroyed: bool,
    /// Whether it is below no window of the program: message-only, or inside another program. Such windows
    /// are in no keyframe.
    pub is_outside: bool,
    /// The handle of the parent; 0 at the top.
    pub(crate) parent: u64,
    /// Its rank among all windows in the order in which the tree met them.
    pub(crate) arrival: u64,
    pub(crate) children: Children,
    values: [Option<Value>; Property::ALL.len()],
}

/// Children in the order of creation.
pub(crate) type Children = BTreeMap<(u64, u64), u64>;

impl Node {
    pub(crate) fn new(hwnd: u64, window_id: u64, arrival: u64) -> Self {
        Self { hwnd, window_id, arrival, ..Self::default() }
    }

    /// Its place among siblings: by window id, if that is known.
    pub(crate) fn order(&self) -> (u64, u64) {
        (self.window_id, self.arrival)
    }

    /// The value of a property, if it is known.
    pub fn get(&self, property: Property) -> Option<Value> {
        match property {
            Property::Parent => Some(Value::Unsigned(self.parent)),
            _ => self.values[property as usize].clone(),
        }
    }

    /// Replaces a value and returns the previous one. A value of the wrong type is ignored.
    pub(crate) fn put(&mut self, property: Property, value: Option<Value>) -> Option<Value> {
        std::mem::replace(&mut self.values[property as usize], value)
    }

    pub(crate) fn peek(&self, property: Property) -> Option<&Value> {
        self.values[property as usize].as_ref()
    }

    fn text(&self, property: Property) -> Option<&Text> {
        match self.peek(property)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    fn flag(&self, property: Property) -> Option<bool> {
        match self.peek(property)? {
            Value::Flag(flag) => Some(*flag),
            _ => None,
        }
    }

    fn unsigned(&self, property: Property) -> Option<u64> {
        match self.peek(property)? {
            Value::Unsigned(n) => Some(*n),
            _ => None,
        }
    }

    /// The parent's handle; 0 for a top-level window.
    pub fn parent(&self) -> u64 {
        self.parent
    }

    /// The owner's handle; 0 without one.
    pub fn owner(&self) -> u64 {
        self.unsigned(Property::Owner).unwrap_or(0)
    }

    /// The class name.
    pub fn class(&self) -> Option<&Text> {
        self.text(Property::Class)
    }

    /// The caption or text that Windows keeps.
    pub fn name(&self) -> Option<&Text> {
        self.text(Property::Name)
    }

    /// The last known text of an edit or combo box.
    pub fn own_text(&self) -> Option<&Text> {
        self.text(Property::OwnText)
    }

    /// The control id as recorded; [`crate::Sketch`] decides whether it identifies anything.
    pub fn resource_id(&self) -> Option<i64> {
        match self.peek(Property::ResourceId)? {
            Value::Signed(n) => Some(*n),
            _ => None,
        }
    }

    /// The designer's name of a WinForms control.
    pub fn control_name(&self) -> Option<&Text> {
        self.text(Property::ControlName)
    }

    /// The style, with the current WS_VISIBLE and WS_DISABLED.
    pub fn style(&self) -> Option<u64> {
        let style = self.unsigned(Property::Style)?;
        let visible = if self.visible() == Some(true) { u64::from(WS_VISIBLE) } else { 0 };
        let disabled = if self.enabled() == Some(false) { u64::from(WS_DISABLED) } else { 0 };
        Some(style | visible | disabled)
    }

    /// The extended style.
    pub fn ex_style(&self) -> Option<u64> {
        self.unsigned(Property::ExStyle)
    }

    /// The rectangle; see [`Property::Rect`].
    pub fn rect(&self) -> Option<Rect> {
        match self.peek(Property::Rect)? {
            Value::Rect(rect) => Some(*rect),
            _ => None,
        }
    }

    /// Whether WS_VISIBLE is set.
    pub fn visible(&self) -> Option<bool> {
        self.flag(Property::Visible)
    }

    /// Whether WS_DISABLED is not set.
    pub fn enabled(&self) -> Option<bool> {
        self.flag(Property::Enabled)
    }

    /// Whether the log itself says that the window is modal.
    pub fn stated_modal(&self) -> Option<bool> {
        self.flag(Property::Modal)
    }

    /// Whether the texts of the window are private.
    pub fn is_masked(&self) -> bool {
        self.flag(Property::Masked) == Some(true)
    }

    /// The number of its thread in the session; 0 if unknown.
    pub fn thread(&self) -> u32 {
        self.unsigned(Property::Thread).and_then(|n| u32::try_from(n).ok()).unwrap_or(0)
    }
}
