//! A trace: what is done, and what has to be true on the way. `language.rs` reads it,
//! `interpreter.rs` executes it.

use crate::event::Event;
use crate::property::Property;
use std::fmt;

/// What is done, in order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Trace {
    /// Nothing.
    Unit,
    /// One thing.
    Event(Event),
    /// One after the other; never nested, see [`Trace::then`].
    Sequence(Vec<Trace>),
    /// This has to be true now.
    Assert(Property),
    /// If something in it cannot be done, the rest of it is left out.
    Try(Box<Trace>),
    /// Only if this is true now.
    When(Property, Box<Trace>),
}

impl Trace {
    /// This and then another. Sequences are joined, so that their nesting says nothing.
    pub fn then(self, next: Self) -> Self {
        let mut parts = self.into_parts();
        parts.extend(next.into_parts());
        Self::Sequence(parts)
    }

    /// One after the other.
    pub fn sequence(traces: impl IntoIterator<Item = Self>) -> Self {
        let mut parts: Vec<Self> = traces.into_iter().flat_map(Self::into_parts).collect();
        match parts.len() {
            0 => Self::Unit,
            1 => parts.swap_remove(0),
            _ => Self::Sequence(parts),
        }
    }

    fn into_parts(self) -> Vec<Self> {
        match self {
            Self::Sequence(parts) => parts,
            one => vec![one],
        }
    }

    /// The parts of a sequence, or itself.
    pub fn parts(&self) -> &[Self] {
        match self {
            Self::Sequence(parts) => parts,
            one => std::slice::from_ref(one),
        }
    }

    /// All events in it, whether they would be executed or not.
    pub fn events(&self) -> Vec<&Event> {
        match self {
            Self::Unit | Self::Assert(_) => Vec::new(),
            Self::Event(event) => vec![event],
            Self::Sequence(parts) => parts.iter().flat_map(Self::events).collect(),
            Self::Try(inner) | Self::When(_, inner) => inner.events(),
        }
    }

    /// All properties in it.
    pub fn properties(&self) -> Vec<&Property> {
        match self {
            Self::Unit | Self::Event(_) => Vec::new(),
            Self::Assert(property) => vec![property],
            Self::Sequence(parts) => parts.iter().flat_map(Self::properties).collect(),
            Self::Try(inner) => inner.properties(),
            Self::When(property, inner) => std::iter::once(property).chain(inner.properties()).collect(),
        }
    }

    /// As a file: one part of the sequence on each line.
    pub fn to_file(&self) -> String {
        let lines: Vec<String> = self.parts().iter().map(ToString::to_string).collect();
        lines.join("\n>> ") + "\n"
    }
}

impl From<Event> for Trace {
    fn from(event: Event) -> Self {
        Self::Event(event)
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unit => f.write_str("unit"),
            Self::Event(event) => event.fmt(f),
            Self::Sequence(parts) => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                f.write_str(&parts.join(" >> "))
            }
            Self::Assert(property) => write!(f, "assert {property}"),
            Self::Try(inner) => write!(f, "({inner})?"),
            Self::When(property, inner) => write!(f, "when {property} then ({inner})"),
        }
    }
}
