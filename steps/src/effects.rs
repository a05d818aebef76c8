//! What followed from a step: windows that came, went or changed, and commands that were sent.
//!
//! Of a window that came with everything below it, one effect tells; what came and went within the
//! step tells nothing.

use super::place::Sketch;
use message_log::Value;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use window_tree::{Change, ChangeKind, Property, Tree};

/// More effects than these of one step say nothing more.
const MAX_EFFECTS: usize = 10_000;

/// One thing that followed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effect {
    /// What happened to it.
    #[serde(flatten)]
    pub what: EffectKind,
    /// The window; for a command the one that got it.
    pub window: Sketch,
}

/// What happened to a window.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "effect", rename_all = "snake_case")]
pub enum EffectKind {
    /// It was created.
    Created,
    /// It was destroyed.
    Destroyed,
    /// Its title changed.
    Renamed {
        /// The title before, if it had one.
        from: Option<String>,
        /// The text afterwards.
        to: String,
    },
    /// The text of an edit or combo box.
    Text {
        /// The text afterwards.
        to: String,
    },
    /// It was enabled.
    Enabled,
    /// It was disabled.
    Disabled,
    /// It was shown.
    Shown,
    /// It was hidden.
    Hidden,
    /// A command or notification: id, source and code.
    Command {
        /// The command id.
        command: u64,
        /// The control that sent it; 0 for a menu or an accelerator.
        source: u64,
        /// The notification code.
        code: i64,
    },
}

/// Effects being gathered.
#[derive(Debug, Clone, Default)]
pub(crate) struct Effects {
    windows: BTreeMap<(u64, u64), Delta>,
    commands: Vec<Effect>,
}

#[derive(Debug, Clone, Default)]
struct Delta {
    born: bool,
    died: bool,
    sketch: Sketch,
    parent: u64,
    name: Option<(Option<String>, String)>,
    text: Option<String>,
    enabled: Option<(Option<bool>, bool)>,
    visible: Option<(Option<bool>, bool)>,
}

impl Effects {
    /// Takes changes of the tree. `ending` is the window whose end the event tells, as it was before,
    /// with its parent.
    pub(crate) fn take(&mut self, changes: &[Change], tree: &Tree, ending: Option<&(Sketch, u64)>) {
        for Change { hwnd, window_id, what } in changes {
            if self.windows.len() >= MAX_EFFECTS && !self.windows.contains_key(&(*window_id, *hwnd)) {
                return;
            }
            let is_of_interest = match what {
                ChangeKind::Created | ChangeKind::Destroyed => true,
                ChangeKind::Set { property, .. } => matches!(
                    property,
                    Property::Name | Property::OwnText | Property::Enabled | Property::Visible
                ),
            };
            if !is_of_interest {
                continue;
            }
            let delta = self.windows.entry((*window_id, *hwnd)).or_default();
            if let Some(node) = tree.get(*hwnd) {
                (delta.sketch, delta.parent) = (Sketch::of(node), node.parent());
            } else if let Some((sketch, parent)) = ending.filter(|(sketch, _)| sketch.hwnd == *hwnd) {
                (delta.sketch, delta.parent) = (sketch.clone(), *parent);
            } else if let Some((above, _)) = ending {
                // It went with the window above it.
                delta.parent = above.hwnd;
            }
            (delta.sketch.hwnd, delta.sketch.window_id) = (*hwnd, *window_id);
            delta.note(what);
        }
    }

    /// A command or notification was sent.
    pub(crate) fn command(&mut self, to: Sketch, command: u64, source: u64, code: i64) {
        self.add(Effect { what: EffectKind::Command { command, source, code }, window: to });
    }

    /// The same command again and again is told once.
    fn add(&mut self, effect: Effect) {
        /// Typing brings two notifications for each letter.
        const RECENT: usize = 16;
        let is_new = !self.commands.iter().rev().take(RECENT).any(|before| *before == effect);
        if is_new && self.commands.len() < MAX_EFFECTS {
            self.commands.push(effect);
        }
    }

    /// Whether nothing followed.
    pub(crate) fn is_empty(&self) -> bool {
        self.windows.is_empty() && self.commands.is_empty()
    }

    /// Everything that is left when the step is over; windows by their birth, then commands.
    pub(crate) fn finish(self, tree: &Tree) -> Vec<Effect> {
        let born: HashSet<u64> =
            self.windows.values().filter(|d| d.born && !d.died).map(|d| d.sketch.hwnd).collect();
        let died: HashSet<u64> = self.windows.values().filter(|d| d.died).map(|d| d.sketch.hwnd).collect();
        // Of a window that came, its class and name as they are now.
        let now: HashMap<u64, Sketch> =
            born.iter().filter_map(|hwnd| Some((*hwnd, Sketch::of(tree.get(*hwnd)?)))).collect();
        let mut effects = Vec::new();
        for delta in self.windows.into_values() {
            let mut put = |what| effects.push(Effect { what, window: delta.sketch.clone() });
            match (delta.born, delta.died) {
                (true, true) => {}
                (true, false) if born.contains(&delta.parent) => {}
                (true, false) => {
                    let window = now.get(&delta.sketch.hwnd).unwrap_or(&delta.sketch).clone();
                    effects.push(Effect { what: EffectKind::Created, window });
                }
                (false, true) if died.contains(&delta.parent) => {}
                (false, true) => put(EffectKind::Destroyed),
                (false, false) => {
                    if let Some((from, to)) =
                        delta.name.clone().filter(|(from, to)| from.as_ref() != Some(to))
                    {
                        put(EffectKind::Renamed { from, to });
                    }
                    if let Some(to) = delta.text.clone() {
                        put(EffectKind::Text { to });
                    }
                    if let Some((_, to)) = delta.enabled.filter(|(from, to)| *from != Some(*to)) {
                        put(if to { EffectKind::Enabled } else { EffectKind::Disabled });
                    }
                    if let Some((_, to)) = delta.visible.filter(|(from, to)| *from != Some(*to)) {
                        put(if to { EffectKind::Shown } else { EffectKind::Hidden });
                    }
                }
            }
        }
        effects.extend(self.commands);
        effects
    }

    /// Adds what followed later.
    pub(crate) fn extend(&mut self, later: Effects) {
        for (key, next) in later.windows {
            let delta = self.windows.entry(key).or_default();
            delta.born |= next.born;
            delta.died |= next.died;
            (delta.sketch, delta.parent) = (next.sketch, next.parent);
            delta.name = merge(delta.name.take(), next.name);
            delta.text = next.text.or(delta.text.take());
            delta.enabled = merge(delta.enabled, next.enabled);
            delta.visible = merge(delta.visible, next.visible);
        }
        later.commands.into_iter().for_each(|effect| self.add(effect));
    }
}

/// From the first value to the last.
fn merge<A, B>(first: Option<(A, B)>, last: Option<(A, B)>) -> Option<(A, B)> {
    match (first, last) {
        (Some((from, _)), Some((_, to))) => Some((from, to)),
        (first, last) => first.or(last),
    }
}

impl Delta {
    fn note(&mut self, what: &ChangeKind) {
        let text = |value: Option<&Value>| match value {
            Some(Value::Text(text)) => Some(text.to_string_lossy().into_owned()),
            _ => None,
        };
        let flag = |value: Option<&Value>| match value {
            Some(Value::Flag(flag)) => Some(*flag),
            _ => None,
        };
        match what {
            ChangeKind::Created => (self.born, self.died) = (true, false),
            ChangeKind::Destroyed => self.died = true,
            ChangeKind::Set { property, old, new } => {
                let (old, new) = (old.as_ref(), new.as_ref());
                match property {
                    Property::Name => {
                        let to = text(new).unwrap_or_default();
                        self.name = merge(self.name.take(), Some((text(old), to)));
                    }
                    Property::OwnText => self.text = text(new),
                    Property::Enabled => {
                        self.enabled = merge(self.enabled, flag(new).map(|to| (flag(old), to)));
                    }
                    Property::Visible => {
                        self.visible = merge(self.visible, flag(new).map(|to| (flag(old), to)));
                    }
                    _ => {}
                }
            }
        }
    }
}
