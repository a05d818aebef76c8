//! A keyframe among the messages: first compared with the tree, then applied to it.
//!
//! It reports what messages do not (SetParent, a new id), removes windows whose end was not recorded, and
//! starts the tree of a log whose beginning is missing. A keyframe of one thread concerns only the windows of
//! that thread; an incomplete one removes nothing.

use crate::class::keeps_own_text;
use crate::node::plain_style;
use crate::{Change, ChangeKind, Node, Property, Tree};
use message_log::{Key, Keyframe, Params, Value};
use std::collections::HashSet;

/// Properties that both messages and keyframes report.
pub const COMPARED: [Property; 11] = [
    Property::Parent,
    Property::Owner,
    Property::Class,
    Property::Name,
    Property::ResourceId,
    Property::Style,
    Property::ExStyle,
    Property::Rect,
    Property::Visible,
    Property::Enabled,
    Property::Thread,
];

/// Properties that may change without a message. Only these are taken from a keyframe of moved windows; the
/// others are left to messages, and to whole keyframes as a check. A rectangle depends on the parent.
const SILENT: [Property; 4] = [Property::Parent, Property::Owner, Property::ResourceId, Property::Rect];

/// A window of a keyframe.
struct Shown<'a> {
    hwnd: u64,
    window_id: u64,
    params: &'a Params,
    /// Whether messages should have reported it.
    is_reported: bool,
}

/// Which windows a keyframe contains.
#[derive(Clone, Copy, PartialEq)]
enum Scope {
    All,
    Thread,
    /// Those that moved, or the rest of a damaged log.
    Some,
}

impl Tree {
    pub(crate) fn apply_keyframe(&mut self, keyframe: &Keyframe, time: u64) {
        // An incomplete keyframe is not a picture of the whole: with it the recorder reports what no message
        // does, SetParent and new ids.
        let is_compared = keyframe.complete
            && match keyframe.of_thread {
                Some(thread) => self.known_threads.contains(&thread),
                None => !self.known_threads.is_empty(),
            };
        if is_compared {
            self.fidelity.begin(time);
        }
        let scope = match (keyframe.complete, keyframe.of_thread) {
            (false, _) => Scope::Some,
            (true, Some(_)) => Scope::Thread,
            (true, None) => Scope::All,
        };
        let mut seen = HashSet::with_capacity(keyframe.windows.len());
        let mut shown = Vec::with_capacity(keyframe.windows.len());
        for params in &keyframe.windows {
            let number = |key| params.unsigned(key).unwrap_or(0);
            let thread = u32::try_from(number(Key::WindowThread)).unwrap_or(0);
            let is_reported = is_compared && self.known_threads.contains(&thread);
            let window = Shown {
                hwnd: number(Key::WindowHwnd),
                window_id: number(Key::WindowId),
                params,
                is_reported,
            };
            // Each window is in a keyframe only once.
            if seen.insert(window.hwnd) {
                shown.extend(self.admit(window, time));
            }
        }
        for window in &shown {
            self.believe(window, scope, time);
        }
        if keyframe.complete {
            self.end_unseen(keyframe.of_thread, &seen, time);
        }
        if keyframe.complete {
            let is_met = |thread: &&u32| keyframe.of_thread.is_none_or(|of| of == **thread);
            self.known_threads.extend(self.hooked_threads.iter().filter(is_met));
            self.is_whole |= keyframe.of_thread.is_none();
        }
    }

    /// Ensures that a window of the keyframe is in the tree; `None` if it is about to be destroyed, or if
    /// there are too many windows.
    fn admit<'a>(&mut self, mut window: Shown<'a>, time: u64) -> Option<Shown<'a>> {
        let Shown { hwnd, window_id, .. } = window;
        let known = self.get(hwnd).map(|node| (node.window_id, node.is_known));
        let is_same = matches!(known, Some((old, true)) if old == 0 || window_id == 0 || old == window_id);
        if window.is_reported {
            let class = window.params.text(Key::WindowClass).map(ToString::to_string).unwrap_or_default();
            let change = (!is_same).then_some(Change { hwnd, window_id, what: ChangeKind::Created });
            if !self.fidelity.exists(time, &class, change) {
                return None;
            }
            // A window that no message reported is one difference, whatever its properties.
            window.is_reported = is_same;
        }
        match known {
            Some((old, _)) if old != 0 && window_id != 0 && old != window_id => self.remove(hwnd),
            Some((0, _)) if window_id != 0 => self.set_window_id(hwnd, window_id),
            _ => {}
        }
        (self.get(hwnd).is_some() || self.insert(hwnd, window_id)).then_some(window)
    }

    fn believe(&mut self, window: &Shown<'_>, scope: Scope, time: u64) {
        let Shown { hwnd, params, is_reported, .. } = *window;
        let parent = params.unsigned(Key::WindowParent).unwrap_or(0);
        // A window that moved below a window of another kind, such as the parent of message-only windows, is
        // outside the tree.
        let is_outside =
            scope == Scope::Some && parent != 0 && self.get(parent).is_none_or(|node| node.is_outside);
        let is_known = |node: &Node| node.is_known && self.known_threads.contains(&node.thread());
        let only_silent = scope == Scope::Some && self.get(hwnd).is_some_and(is_known);
        if let Some(node) = self.node_mut(hwnd) {
            node.is_known = true;
        }
        self.set_outside(hwnd, is_outside);
        let class = params.text(Key::WindowClass);
        let shown_class = class.map(ToString::to_string).unwrap_or_default();
        // A window that was created as a child and is none now (the list of a combo box) has no id any more.
        if parent == 0 && params.get(Key::WindowResourceId).is_none() {
            self.set(hwnd, Property::ResourceId, None);
        }
        for property in Property::ALL {
            if only_silent && !SILENT.contains(&property) {
                continue;
            }
            let Some(value) = value_in(params, property) else { continue };
            let Some(node) = self.get(hwnd) else { return };
            let is_kept = property != Property::Name || !class.is_some_and(keeps_own_text);
            if is_reported && is_kept && COMPARED.contains(&property) {
                let what = ChangeKind::Set { property, old: node.get(property), new: Some(value.clone()) };
                let change = Change { hwnd, window_id: node.window_id, what };
                if !self.fidelity.compare(time, &shown_class, change) {
                    continue;
                }
            }
            match (property, &value) {
                (Property::Parent, Value::Unsigned(parent)) => {
                    // The parent may belong to a thread that is not hooked yet.
                    if *parent != 0 && self.get(*parent).is_none() && scope == Scope::Thread {
                        self.insert(*parent, 0);
                    }
                    self.set_parent(hwnd, *parent);
                }
                _ => self.set(hwnd, property, Some(value)),
            }
        }
    }

    /// Removes windows that should be in the keyframe but are not.
    fn end_unseen(&mut self, of_thread: Option<u32>, seen: &HashSet<u64>, time: u64) {
        let listed = self.listed(of_thread).filter(|hwnd| !seen.contains(hwnd));
        let mut unseen: Vec<(u64, u64)> =
            listed.filter_map(|hwnd| self.get(hwnd)).map(|node| (node.window_id, node.hwnd)).collect();
        unseen.sort_unstable();
        for (window_id, hwnd) in unseen {
            let Some(node) = self.get(hwnd) else { continue };
            let class = node.class().map(ToString::to_string).unwrap_or_default();
            // No message said that a placeholder is a window of this program.
            let is_reported = node.is_known && self.known_threads.contains(&node.thread());
            if !is_reported
                || self.fidelity.exists(
                    time,
                    &class,
                    Some(Change { hwnd, window_id, what: ChangeKind::Destroyed }),
                )
            {
                self.remove(hwnd);
            }
        }
    }
}

/// The value of a property in a keyframe; `None` if there is none.
fn value_in(params: &Params, property: Property) -> Option<Value> {
    let value = params.get(property.key()?).cloned();
    match (property, value) {
        (Property::Owner, None) => Some(Value::Unsigned(0)),
        (Property::Style, Some(Value::Unsigned(style))) => Some(Value::Unsigned(plain_style(style))),
        (_, value) => value,
    }
}
