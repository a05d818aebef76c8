//! The differences between two trees: the changes that would turn the first into the second.

use crate::{Change, ChangeKind, Node, Property, Tree};
use message_log::Value;
use std::collections::HashSet;

/// The changes between two moments of one session; two windows are the same if handle and window id are
/// equal.
pub fn diff(before: &Tree, after: &Tree) -> Vec<Change> {
    diff_pairs(before, after, |node| {
        let same =
            |other: &&Node| other.window_id == node.window_id || other.window_id == 0 || node.window_id == 0;
        after.get(node.hwnd).filter(same).map(|other| other.hwnd)
    })
}

/// The changes between any two trees; `pair` finds a window of the first tree in the second. Removed windows
/// have their handles in the first tree, all others those in the second. Handles as values are equal if they
/// refer to the same window.
pub fn diff_pairs(before: &Tree, after: &Tree, pair: impl Fn(&Node) -> Option<u64>) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut paired = HashSet::new();
    for (_, old) in before.walk() {
        let found = pair(old).and_then(|hwnd| after.get(hwnd));
        match found.filter(|new| paired.insert(new.hwnd)) {
            Some(new) => compare(before, old, new, &pair, &mut changes),
            None => {
                changes.push(Change {
                    hwnd: old.hwnd,
                    window_id: old.window_id,
                    what: ChangeKind::Destroyed,
                });
            }
        }
    }
    let born = after.walk().map(|(_, node)| node).filter(|node| !paired.contains(&node.hwnd));
    changes.extend(born.map(|node| Change {
        hwnd: node.hwnd,
        window_id: node.window_id,
        what: ChangeKind::Created,
    }));
    changes
}

fn compare(
    before: &Tree,
    old: &Node,
    new: &Node,
    pair: &impl Fn(&Node) -> Option<u64>,
    changes: &mut Vec<Change>,
) {
    for property in Property::ALL {
        let (mut was, is) = (old.get(property), new.get(property));
        if let (Property::Parent | Property::Owner, Some(Value::Unsigned(hwnd))) = (property, &was)
            && let Some(other) = before.get(*hwnd).and_then(pair)
        {
            was = Some(Value::Unsigned(other));
        }
        if was != is {
            let what = ChangeKind::Set { property, old: was, new: is };
            changes.push(Change { hwnd: new.hwnd, window_id: new.window_id, what });
        }
    }
}
