//! The live windows, and which recorded window is which of them.
//!
//! A window that was found once is known from then on, whatever it is called later: recorded and live windows
//! are linked by handle and birth. All others are looked for by matching. Nothing is taken on a guess.

use message_log::{Event, Key, Keyframe, Kind, Stamp};
use std::collections::HashMap;
use steps::control_of;
use window_tree::{Decision, Node, Outcome, Sketch, Snapshot, Target, Tree, locate};

/// A handle and its birth: one window and no other.
type Window = (u64, u64);

/// The live windows as they were at the last look.
#[derive(Debug, Default)]
pub struct LiveWindows {
    frame: Keyframe,
    tree: Tree,
    links: HashMap<Window, Link>,
}

/// The live counterpart of a recorded window.
#[derive(Debug, Clone, Copy)]
struct Link {
    window: Window,
    /// Whether only its order told it from its equals.
    by_order: bool,
}

/// The result of looking for the live counterpart of a recorded window.
#[derive(Debug)]
pub enum Lookup {
    /// The live window's handle, with the decision unless the window was known before.
    Found(u64, Option<Decision>),
    /// No live window matches, or several match equally well.
    NotFound(Decision),
    /// The log does not describe the recorded window.
    NotRecorded,
}

impl Lookup {
    /// The live window's handle, if it was found.
    pub fn hwnd(&self) -> Option<u64> {
        match self {
            Self::Found(hwnd, _) => Some(*hwnd),
            _ => None,
        }
    }
}

impl LiveWindows {
    /// The windows now.
    pub fn set(&mut self, frame: Keyframe) {
        self.tree = tree_of(frame.clone());
        self.frame = frame;
    }

    /// The live windows as they were last seen.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Finds a window of the recorded tree, and remembers it.
    pub fn find(&mut self, recorded: &Tree, hwnd: u64) -> Lookup {
        if let Some(live) = self.known(recorded, hwnd) {
            return Lookup::Found(live, None);
        }
        let Some(target) = Target::of(recorded, hwnd) else { return Lookup::NotRecorded };
        let mut decision = locate(&target, &Snapshot::of(&self.tree));
        let top = recorded.top_level(hwnd).and_then(|top| self.known(recorded, top.hwnd));
        if let Some(top) = top {
            let is_inside = |hwnd: u64| self.tree.top_level(hwnd).is_some_and(|it| it.hwnd == top);
            match decision.found() {
                Some(found) if !is_inside(found.hwnd) => {
                    decision.outcome = Outcome::Absent { reason: "it is only in another window".into() };
                }
                Some(_) => {}
                // Its window is known, however many look like it and whatever it is called now.
                None => {
                    let only = self.only(top);
                    let now = only.get(top).map(Sketch::of);
                    decision = locate(&alone(target, now), &Snapshot::of(&only));
                }
            }
        }
        match decision.found() {
            Some(found) => {
                self.link(recorded, hwnd, found.hwnd, found.by_order);
                // Those above it were found on the way.
                let (was, is) = (recorded.top_level(hwnd), self.tree.top_level(found.hwnd));
                if let Some((was, is)) = was.map(|node| node.hwnd).zip(is.map(|node| node.hwnd)) {
                    self.link(recorded, was, is, was == hwnd && found.by_order);
                }
                Lookup::Found(found.hwnd, Some(decision))
            }
            None => Lookup::NotFound(decision),
        }
    }

    /// The live window a recorded one was found to be, if it is still there.
    fn known(&self, recorded: &Tree, hwnd: u64) -> Option<u64> {
        let window_id = recorded.get(hwnd)?.window_id;
        let (live, window_id) = self.links.get(&(hwnd, window_id))?.window;
        self.tree.get(live).filter(|node| node.window_id == window_id).map(|node| node.hwnd)
    }

    fn link(&mut self, recorded: &Tree, hwnd: u64, live: u64, by_order: bool) {
        if let (Some(was), Some(is)) = (recorded.get(hwnd), self.tree.get(live)) {
            let window = (live, is.window_id);
            self.links.insert((hwnd, was.window_id), Link { window, by_order });
        }
    }

    /// Whether only its order told the live counterpart of a recorded window from its equals.
    pub fn is_by_order(&self, recorded: &Tree, hwnd: u64) -> bool {
        // The fields of an IP address or the edit of a combo box have no other order.
        let parent = recorded.get(hwnd).and_then(|node| recorded.get(node.parent()));
        if parent.is_some_and(|parent| !control_of(parent).is_area()) {
            return false;
        }
        let window = recorded.get(hwnd).map(|node| (hwnd, node.window_id));
        window.and_then(|window| self.links.get(&window)).is_some_and(|link| link.by_order)
    }

    /// The live windows without all other top-level windows.
    fn only(&self, top: u64) -> Tree {
        let is_inside = |hwnd: u64| self.tree.top_level(hwnd).is_some_and(|it| it.hwnd == top);
        let windows = self.frame.windows.iter();
        let windows =
            windows.filter(|it| it.unsigned(Key::WindowHwnd).is_some_and(is_inside)).cloned().collect();
        tree_of(Keyframe { windows, ..Keyframe { of_thread: None, windows: Vec::new(), complete: true } })
    }

    /// Whether the window around a recorded one is in another language now: most of what has a name in there
    /// has another one.
    pub fn is_translated(&mut self, recorded: &Tree, hwnd: u64) -> bool {
        let Some(top) = recorded.top_level(hwnd) else { return false };
        let name = |node: &Node| {
            let name = node.name().map(ToString::to_string).unwrap_or_default();
            name.chars().any(char::is_alphabetic).then_some(name)
        };
        let is_inside = |node: &&Node| recorded.top_level(node.hwnd).is_some_and(|it| it.hwnd == top.hwnd);
        let named = recorded.walk().map(|(_, node)| node).filter(is_inside);
        let named: Vec<(u64, String)> = named.filter_map(|node| Some((node.hwnd, name(node)?))).collect();
        let (mut same, mut other) = (0, 0);
        for (hwnd, was) in named {
            let live = self.find(recorded, hwnd).hwnd();
            match live.and_then(|live| self.tree.get(live)).and_then(name) {
                Some(is) if is == was => same += 1,
                Some(_) => other += 1,
                None => {}
            }
        }
        other > same
    }

    /// Why a user could not act on a window now, where he could at the time: it is disabled or hidden, or a
    /// window above it is.
    pub fn unavailable(&self, recorded: &Tree, was: u64, is: u64) -> Option<&'static str> {
        if is_enabled(recorded, was) && !is_enabled(&self.tree, is) {
            return Some("disabled");
        }
        (is_visible(recorded, was) && !is_visible(&self.tree, is)).then_some("hidden")
    }
}

/// A target whose top-level window has no siblings and is called as it is now.
fn alone(mut target: Target, now: Option<Sketch>) -> Target {
    if let Some(top) = target.levels.first_mut() {
        top.sketch = now.unwrap_or_else(|| top.sketch.clone());
        top.siblings = vec![top.sketch.clone()];
        (top.place, top.alike) = (0, vec![true]);
    }
    Target { owner: None, ..target }
}

/// The windows of a snapshot as a tree.
pub fn tree_of(frame: Keyframe) -> Tree {
    let mut tree = Tree::new();
    let frame = Keyframe { of_thread: None, complete: true, ..frame };
    tree.apply(&Event::new(Stamp { sequence: 1, time: 0, thread: 0 }, Kind::Keyframe(frame)));
    tree
}

/// Whether a window and all above it are enabled, as far as is known.
pub(crate) fn is_enabled(tree: &Tree, hwnd: u64) -> bool {
    tree.ancestry(hwnd).iter().all(|node| node.enabled() != Some(false))
}

/// Whether a window and all above it are visible, as far as is known.
pub(crate) fn is_visible(tree: &Tree, hwnd: u64) -> bool {
    tree.ancestry(hwnd).iter().all(|node| node.visible() != Some(false))
}
