//! What identifies a window across runs: class, name and id, each only if it is significant.

use crate::class::{keeps_own_text, normal_class};
use crate::{Node, Property};
use message_log::Text;

/// The properties by which two windows are compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Sketch {
    /// The part of the class that stays from run to run; empty if unknown.
    pub class: String,
    /// The name; empty if there is none. The text of an edit is not a name.
    pub name: String,
    /// The id, if it is significant.
    pub id: Option<Id>,
    /// The owner's handle; 0 without one. Valid only within one tree.
    pub owner: u64,
    /// The handle. Valid only within one tree.
    pub hwnd: u64,
    /// Whether the window itself is visible, regardless of its parents.
    pub is_shown: bool,
}

/// The identity that a program gives to a control.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Id {
    /// The control id of the resources.
    Number(i64),
    /// The designer's name (WinForms), whose control ids are handles.
    Name(String),
}

impl Sketch {
    /// The sketch of a window.
    pub fn of(node: &Node) -> Self {
        let class = node.class().map(|class| normal_class(class).into_owned()).unwrap_or_default();
        let has_own_text = node.class().is_some_and(keeps_own_text);
        let name = node.name().filter(|_| !has_own_text).map(|name| name.to_string_lossy().into_owned());
        let is_shown = node.visible() != Some(false);
        let (id, name) = (Id::of(node), name.unwrap_or_default());
        Self { class, name, id, owner: node.owner(), hwnd: node.hwnd, is_shown }
    }

    /// Whether matching considers the window: placeholders and windows outside the program are in no
    /// snapshot.
    pub(crate) fn is_visible_to_matching(node: &Node) -> bool {
        !node.is_outside && node.get(Property::Class).is_some()
    }

    /// Whether the id is one that Windows gives to buttons of any dialog: IDOK to IDCONTINUE.
    pub(crate) fn has_standard_id(&self) -> bool {
        matches!(self.id, Some(Id::Number(1..=11)))
    }
}

impl Id {
    /// The id of a window, unless it is insignificant: 0, −1 (also as 16 bits), larger than 16 bits, that of
    /// a top-level window, or the handle itself.
    pub fn of(node: &Node) -> Option<Self> {
        if let Some(name) = node.control_name().filter(|name| !Text::is_empty(name)) {
            return Some(Self::Name(name.to_string_lossy().into_owned()));
        }
        let id = node.resource_id()?;
        let is_handle = id as u32 == node.hwnd as u32;
        // A command has 16 bits for the id: toolkits generate larger and negative ones, different in every
        // run.
        let is_id = node.parent() != 0 && matches!(id, 1..=0xFFFE) && !is_handle;
        is_id.then_some(Self::Number(id))
    }
}

impl std::fmt::Display for Sketch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.class.is_empty() { "?" } else { &self.class })?;
        if !self.name.is_empty() {
            write!(f, " {:?}", self.name)?;
        }
        match &self.id {
            Some(Id::Number(id)) => write!(f, " id {id}"),
            Some(Id::Name(name)) => write!(f, " control {name:?}"),
            None => Ok(()),
        }
    }
}
