//! What identifies a window across runs: class, name and id, each only where it means something.

use crate::class::{keeps_own_text, normal_class};
use crate::{Node, Property};
use message_log::Text;

/// What two windows are compared by.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Sketch {
    /// The class without what changes from run to run; empty when not known.
    pub class: String,
    /// The name; empty without one. What an edit holds is no name.
    pub name: String,
    /// The id, if it is one.
    pub id: Option<Id>,
    /// The owner's handle; 0 without one. Means something only within one tree.
    pub owner: u64,
    /// The handle. Means something only within one tree.
    pub hwnd: u64,
    /// Whether it is shown, as far as that is its own matter.
    pub is_shown: bool,
}

/// What a program calls a control.
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

    /// Whether matching sees the window at all: placeholders and windows outside the program are in no snapshot.
    pub(crate) fn is_visible_to_matching(node: &Node) -> bool {
        !node.is_outside && node.get(Property::Class).is_some()
    }

    /// Of one of the numbers that Windows gives to buttons of every dialog: IDOK to IDCONTINUE.
    pub(crate) fn has_standard_id(&self) -> bool {
        matches!(self.id, Some(Id::Number(1..=11)))
    }
}

impl Id {
    /// The id of a window, unless it is none: 0, −1 (also as 16 bits), no number of 16 bits, of a top-level window, or the handle itself.
    pub fn of(node: &Node) -> Option<Self> {
        if let Some(name) = node.control_name().filter(|name| !Text::is_empty(name)) {
            return Some(Self::Name(name.to_string_lossy().into_owned()));
        }
        let id = node.resource_id()?;
        let is_handle = id as u32 == node.hwnd as u32;
        // A command has room for 16 bits: larger and negative ones are made up by toolkits, another in every run.
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
