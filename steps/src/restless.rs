//! Windows that change by themselves: a clock in a title, a blinking lamp. What a timer does to a window
//! twice while the user does nothing, or before he does anything, it does whatever he does, and is no
//! effect of his steps.

use super::effects::{Effect, EffectKind};
use std::collections::{HashMap, HashSet};
use window_tree::{Change, ChangeKind, Property};

/// A window by handle and birth, and what of it.
type Thing = (u64, u64, Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Text,
    Enabled,
    Visible,
}

/// What changes by timer.
#[derive(Debug, Default)]
pub(crate) struct Restless {
    /// How many things the user has done.
    done: u64,
    /// After how many of them it changed last.
    changed: HashMap<Thing, u64>,
    all: HashSet<Thing>,
}

impl Restless {
    /// The user does something.
    pub(crate) fn begin(&mut self) {
        self.done += 1;
    }

    /// A timer changed something.
    pub(crate) fn take(&mut self, changes: &[Change]) {
        for Change { hwnd, window_id, what } in changes {
            let ChangeKind::Set { property, .. } = what else { continue };
            let kind = match property {
                Property::Name | Property::OwnText => Kind::Text,
                Property::Enabled => Kind::Enabled,
                Property::Visible => Kind::Visible,
                _ => continue,
            };
            let thing = (*hwnd, *window_id, kind);
            if self.done == 0 || self.changed.insert(thing, self.done) == Some(self.done) {
                self.all.insert(thing);
            }
        }
    }

    /// Whether an effect would have come by itself.
    pub(crate) fn is_of(&self, effect: &Effect) -> bool {
        let kind = match effect.what {
            EffectKind::Renamed { .. } | EffectKind::Text { .. } => Kind::Text,
            EffectKind::Enabled | EffectKind::Disabled => Kind::Enabled,
            EffectKind::Shown | EffectKind::Hidden => Kind::Visible,
            _ => return false,
        };
        self.all.contains(&(effect.window.hwnd, effect.window.window_id, kind))
    }
}
