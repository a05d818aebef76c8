//! The paper's table and nothing else, as a yardstick: attributes as they are, the first of the best wins, score 0 is absent.

use crate::score::score;
use crate::{Node, Tree};

/// Finds a recorded window in a live tree as the paper's prototype does.
pub fn locate_plainly(recorded: &Tree, hwnd: u64, live: &Tree) -> Option<u64> {
    let mut parent = 0;
    for wanted in recorded.ancestry(hwnd) {
        let mut best = (0, 0);
        for candidate in live.children(parent) {
            let points = points(wanted, candidate);
            if points > best.0 {
                best = (points, candidate.hwnd);
            }
        }
        if best.0 == 0 {
            return None;
        }
        parent = best.1;
    }
    (parent != 0).then_some(parent)
}

fn points(wanted: &Node, candidate: &Node) -> u8 {
    let same_id = wanted.resource_id().is_some() && wanted.resource_id() == candidate.resource_id();
    let same_name = wanted.name().is_some() && wanted.name() == candidate.name();
    let same_class = wanted.class().is_some() && wanted.class() == candidate.class();
    score(same_id, same_name, same_class).points
}
