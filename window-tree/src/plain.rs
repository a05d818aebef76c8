//! The paper's table and nothing else, as a yardstick: attributes unchanged, all best candidates are followed
//! and the first one wins, score 0 is absent.

use crate::score::score;
use crate::{Node, Tree};

/// Finds a recorded window in a live tree as the paper's prototype does: on each level, those children of the
/// windows found before that have the highest score.
pub fn locate_plainly(recorded: &Tree, hwnd: u64, live: &Tree) -> Option<u64> {
    let mut found = vec![0];
    for wanted in recorded.ancestry(hwnd) {
        let mut best = 0;
        let mut next = Vec::new();
        for candidate in found.iter().flat_map(|&parent| live.children(parent)) {
            let points = points(wanted, candidate);
            if points > best {
                best = points;
                next.clear();
            }
            if points == best && points > 0 {
                next.push(candidate.hwnd);
            }
        }
        found = next;
    }
    found.first().copied().filter(|&hwnd| hwnd != 0)
}

fn points(wanted: &Node, candidate: &Node) -> u8 {
    let same_id = wanted.resource_id().is_some() && wanted.resource_id() == candidate.resource_id();
    let same_name = wanted.name().is_some() && wanted.name() == candidate.name();
    let same_class = wanted.class().is_some() && wanted.class() == candidate.class();
    score(same_id, same_name, same_class).points
}
