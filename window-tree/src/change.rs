//! Changes of the tree, as data.

use crate::Property;
use message_log::Value;
use std::fmt;

/// One change of one window.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The window's handle.
    pub hwnd: u64,
    /// The window id.
    pub window_id: u64,
    /// The kind of change.
    pub what: ChangeKind,
}

/// A kind of change.
#[derive(Debug, Clone, PartialEq)]
pub enum ChangeKind {
    /// The window was added.
    Created,
    /// The window was removed.
    Destroyed,
    /// A property has another value.
    Set {
        /// The property.
        property: Property,
        /// The previous value, if it was known.
        old: Option<Value>,
        /// The new value.
        new: Option<Value>,
    },
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.hwnd)?;
        match &self.what {
            ChangeKind::Created => f.write_str(" is there"),
            ChangeKind::Destroyed => f.write_str(" is gone"),
            ChangeKind::Set { property, old, new } => {
                write!(f, " {}: {} → {}", property.name(), shown(old.as_ref()), shown(new.as_ref()))
            }
        }
    }
}

/// A value as a person reads it.
pub(crate) fn shown(value: Option<&Value>) -> String {
    match value {
        None => "unknown".into(),
        Some(Value::Unsigned(n)) => format!("{n:#x}"),
        Some(Value::Signed(n)) => n.to_string(),
        Some(Value::Text(text)) => format!("{:?}", text.to_string_lossy()),
        Some(Value::Flag(flag)) => flag.to_string(),
        Some(Value::Point(p)) => format!("{},{}", p.x, p.y),
        Some(Value::Rect(r)) => format!("{},{},{},{}", r.left, r.top, r.right, r.bottom),
    }
}
