//! The tree itself: which windows exist, which is below which, and queries.
//!
//! A window is found by its handle, which is unique among existing windows. A change costs the same in a tree
//! of any size. Whatever the events say, the tree remains a tree: no cycles, bounded in size and depth, every
//! child known to its parent. `apply.rs` and `keyframe.rs` interpret events.

use crate::fidelity::Fidelity;
use crate::node::Children;
use crate::{Change, ChangeKind, Node, Property};
use message_log::{Text, Value};
use std::collections::{HashMap, HashSet};

/// More windows than a Windows desktop can have (65,536 handles); a malicious log names millions.
pub const MAX_WINDOWS: usize = 131_072;
/// How many UTF-16 units of a text are kept.
const MAX_TEXT: usize = 4095;
/// Deeper than Windows allows windows to be nested.
pub const MAX_DEPTH: usize = 128;

/// The windows of a program, as far as its log has reported them.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    nodes: HashMap<u64, Node>,
    top: Children,
    /// The windows that a keyframe lists (all that are not outside), by thread; 0 if the thread is unknown.
    listed: HashMap<u32, HashSet<u64>>,
    arrivals: u64,
    /// Whether a complete keyframe has come, and no gap since: then an unknown window is not one of this
    /// program's.
    pub(crate) is_whole: bool,
    /// Threads with a working hook: they have delivered a message.
    pub(crate) hooked_threads: HashSet<u32>,
    /// Those of them whose windows are all known, because a keyframe has come since. A hook takes a moment to
    /// start working.
    pub(crate) known_threads: HashSet<u32>,
    /// Children that were reported before their parents: the parent, the child.
    pub(crate) orphans: Vec<(u64, u64)>,
    pub(crate) fidelity: Fidelity,
    /// The changes of the event that is being applied.
    pub(crate) changes: Vec<Change>,
}

impl Tree {
    /// An empty tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// The existing window with this handle.
    pub fn get(&self, hwnd: u64) -> Option<&Node> {
        self.nodes.get(&hwnd)
    }

    /// The number of windows.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no windows.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The children of a window in the order of creation; the top-level windows for 0.
    pub fn children(&self, hwnd: u64) -> impl DoubleEndedIterator<Item = &Node> + ExactSizeIterator {
        static NONE: Children = Children::new();
        let children =
            if hwnd == 0 { &self.top } else { self.get(hwnd).map_or(&NONE, |node| &node.children) };
        children.values().map(|hwnd| &self.nodes[hwnd])
    }

    /// The index of a window among its siblings in the order of creation.
    pub fn place(&self, hwnd: u64) -> Option<usize> {
        let node = self.get(hwnd)?;
        self.children(node.parent).position(|sibling| sibling.hwnd == hwnd)
    }

    /// A window and all windows above it, the top-level window first; empty if it does not exist.
    pub fn ancestry(&self, hwnd: u64) -> Vec<&Node> {
        let mut path: Vec<_> = std::iter::successors(self.get(hwnd), |node| self.get(node.parent)).collect();
        path.reverse();
        path
    }

    /// The top-level window that contains a window.
    pub fn top_level(&self, hwnd: u64) -> Option<&Node> {
        self.ancestry(hwnd).into_iter().next()
    }

    /// Whether a window is modal: its owner is disabled and it is not, or the log says so.
    pub fn is_modal(&self, hwnd: u64) -> bool {
        let Some(node) = self.get(hwnd) else { return false };
        let is_above = || {
            let owner = self.get(node.owner());
            node.parent == 0
                && node.enabled() != Some(false)
                && owner.is_some_and(|owner| owner.enabled() == Some(false))
        };
        node.stated_modal().unwrap_or_else(is_above)
    }

    /// Every window with its depth (0 at the top), parents before children, siblings in the order of
    /// creation.
    pub fn walk(&self) -> impl Iterator<Item = (usize, &Node)> {
        let mut levels = vec![self.top.values()];
        std::iter::from_fn(move || {
            loop {
                let depth = levels.len().checked_sub(1)?;
                match levels[depth].next() {
                    Some(hwnd) => {
                        let node = &self.nodes[hwnd];
                        levels.push(node.children.values());
                        return Some((depth, node));
                    }
                    None => levels.truncate(depth),
                }
            }
        })
    }

    /// How well the messages have agreed with the keyframes so far.
    pub fn fidelity(&self) -> &Fidelity {
        &self.fidelity
    }

    pub(crate) fn with_fidelity(fidelity: Fidelity) -> Self {
        Self { fidelity, ..Self::default() }
    }

    pub(crate) fn into_fidelity(self) -> Fidelity {
        self.fidelity
    }

    pub(crate) fn node_mut(&mut self, hwnd: u64) -> Option<&mut Node> {
        self.nodes.get_mut(&hwnd)
    }

    /// Adds a window at the top. Returns false if there are too many.
    pub(crate) fn insert(&mut self, hwnd: u64, window_id: u64) -> bool {
        if hwnd == 0 || self.nodes.len() >= MAX_WINDOWS || self.nodes.contains_key(&hwnd) {
            return false;
        }
        self.arrivals += 1;
        let node = Node::new(hwnd, window_id, self.arrivals);
        self.top.insert(node.order(), hwnd);
        self.nodes.insert(hwnd, node);
        self.list(hwnd, 0);
        self.changes.push(Change { hwnd, window_id, what: ChangeKind::Created });
        true
    }

    /// Removes a window and everything below it.
    pub(crate) fn remove(&mut self, hwnd: u64) {
        let Some(node) = self.get(hwnd) else { return };
        let (parent, order) = (node.parent, node.order());
        self.children_mut(parent).remove(&order);
        let mut doomed = vec![hwnd];
        while let Some(hwnd) = doomed.pop() {
            if let Some(node) = self.nodes.remove(&hwnd) {
                self.unlist(hwnd, node.thread());
                doomed.extend(node.children.into_values());
                self.changes.push(Change { hwnd, window_id: node.window_id, what: ChangeKind::Destroyed });
            }
        }
    }

    /// Sets the window id of a window that was added without one, and moves it to its place among its
    /// siblings.
    pub(crate) fn set_window_id(&mut self, hwnd: u64, window_id: u64) {
        let Some(node) = self.nodes.get_mut(&hwnd) else { return };
        let (parent, old) = (node.parent, node.order());
        node.window_id = window_id;
        let new = node.order();
        let siblings = self.children_mut(parent);
        siblings.remove(&old);
        siblings.insert(new, hwnd);
    }

    /// Moves a window below another one; to the top if the tree would get a cycle or become too deep.
    pub(crate) fn set_parent(&mut self, hwnd: u64, parent: u64) {
        let parent = if self.may_be_below(hwnd, parent) { parent } else { 0 };
        let Some(node) = self.nodes.get_mut(&hwnd) else { return };
        let (old, window_id, order) = (node.parent, node.window_id, node.order());
        if old == parent {
            return;
        }
        node.parent = parent;
        self.children_mut(old).remove(&order);
        self.children_mut(parent).insert(order, hwnd);
        let [old, new] = [old, parent].map(|hwnd| Some(Value::Unsigned(hwnd)));
        self.changes.push(Change {
            hwnd,
            window_id,
            what: ChangeKind::Set { property: Property::Parent, old, new },
        });
    }

    /// Sets any other property.
    pub(crate) fn set(&mut self, hwnd: u64, property: Property, value: Option<Value>) {
        let value = value.map(bounded);
        let Some(node) = self.nodes.get_mut(&hwnd) else { return };
        if node.peek(property) == value.as_ref() {
            return;
        }
        let before = node.thread();
        let old = node.put(property, value.clone());
        let (window_id, now, is_outside) = (node.window_id, node.thread(), node.is_outside);
        if before != now && !is_outside {
            self.unlist(hwnd, before);
            self.list(hwnd, now);
        }
        self.changes.push(Change { hwnd, window_id, what: ChangeKind::Set { property, old, new: value } });
    }

    /// Sets whether a window is outside the program's windows.
    pub(crate) fn set_outside(&mut self, hwnd: u64, is_outside: bool) {
        let Some(node) = self.nodes.get_mut(&hwnd) else { return };
        let (thread, was) = (node.thread(), std::mem::replace(&mut node.is_outside, is_outside));
        match (was, is_outside) {
            (false, true) => self.unlist(hwnd, thread),
            (true, false) => self.list(hwnd, thread),
            _ => {}
        }
    }

    /// The windows that a keyframe of one thread, or of all threads, should have.
    pub(crate) fn listed(&self, of_thread: Option<u32>) -> impl Iterator<Item = u64> {
        let all = of_thread.is_none().then(|| self.listed.values().flatten());
        let some = of_thread.and_then(|thread| self.listed.get(&thread)).map(|windows| windows.iter());
        all.into_iter().flatten().chain(some.into_iter().flatten()).copied()
    }

    fn list(&mut self, hwnd: u64, thread: u32) {
        self.listed.entry(thread).or_default().insert(hwnd);
    }

    fn unlist(&mut self, hwnd: u64, thread: u32) {
        if let Some(windows) = self.listed.get_mut(&thread) {
            windows.remove(&hwnd);
            if windows.is_empty() {
                self.listed.remove(&thread);
            }
        }
    }

    fn may_be_below(&self, hwnd: u64, parent: u64) -> bool {
        let mut above = parent;
        for _ in 0..MAX_DEPTH {
            match self.get(above) {
                Some(node) if node.hwnd != hwnd => above = node.parent,
                Some(_) => return false,
                // The top, or a missing parent.
                None => return above == 0,
            }
        }
        false
    }

    fn children_mut(&mut self, hwnd: u64) -> &mut Children {
        match self.nodes.get_mut(&hwnd) {
            Some(node) => &mut node.children,
            None => &mut self.top,
        }
    }

    /// Checks the invariants; returns a violation in words. For tests.
    #[doc(hidden)]
    pub fn check_consistency(&self) -> Result<(), String> {
        let walked = self.walk().count();
        if walked != self.nodes.len() {
            return Err(format!("{walked} windows are reached, {} are there", self.nodes.len()));
        }
        if walked > MAX_WINDOWS {
            return Err(format!("{walked} windows"));
        }
        let listed: usize = self.listed.values().map(HashSet::len).sum();
        if listed != self.nodes.values().filter(|node| !node.is_outside).count() {
            return Err(format!("{listed} windows are listed"));
        }
        for (hwnd, node) in &self.nodes {
            let is_listed = self.listed.get(&node.thread()).is_some_and(|windows| windows.contains(hwnd));
            if is_listed == node.is_outside {
                return Err(format!("{hwnd:#x} is listed wrongly"));
            }
            let siblings =
                if node.parent == 0 { Some(&self.top) } else { self.get(node.parent).map(|p| &p.children) };
            if *hwnd != node.hwnd || siblings.and_then(|s| s.get(&node.order())) != Some(hwnd) {
                return Err(format!("{hwnd:#x} is not where it belongs"));
            }
        }
        Ok(())
    }
}

/// A text of bounded length. Keyframes cut texts at the same length, and a malicious log has texts of
/// megabytes.
fn bounded(value: Value) -> Value {
    match value {
        Value::Text(text) if text.to_string_lossy().len() > MAX_TEXT => {
            Value::Text(Text::from_wide(text.to_wide().into_iter().take(MAX_TEXT)))
        }
        other => other,
    }
}
