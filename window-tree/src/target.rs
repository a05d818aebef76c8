//! A recorded window as it is looked for: itself and all above it, each with its siblings.

use crate::sketch::Sketch;
use crate::{Node, Tree};

/// Owners of owners are followed so far.
const MAX_OWNERS: usize = 8;

/// A recorded window, with everything that helps to find it in another run. Made from the recorded tree at the moment of
/// the step, and independent of it from then on.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// From the top-level window down to the window itself; never empty.
    pub levels: Vec<Level>,
    /// The owner of its top-level window.
    pub owner: Option<Box<Target>>,
}

/// One window of the ancestry.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// The window.
    pub sketch: Sketch,
    /// All children of its parent in the order of their creation, itself included.
    pub siblings: Vec<Sketch>,
    /// Its own place among them.
    pub place: usize,
    /// The children of a top-level window: which dialog it is when its title does not tell.
    pub contents: Vec<Sketch>,
    /// For a top-level window: which of the siblings have contents like its own.
    pub alike: Vec<bool>,
}

impl Target {
    /// The window with this handle in a recorded tree; none if it is not there, or nothing but its handle is known.
    pub fn of(tree: &Tree, hwnd: u64) -> Option<Self> {
        Self::with_owners(tree, hwnd, MAX_OWNERS)
    }

    fn with_owners(tree: &Tree, hwnd: u64, owners: usize) -> Option<Self> {
        let path = tree.ancestry(hwnd);
        let top = *path.first()?;
        let levels: Option<Vec<Level>> = path.into_iter().map(|node| Level::of(tree, node)).collect();
        let owner = owners.checked_sub(1).and_then(|left| Self::with_owners(tree, top.owner(), left));
        Some(Self { levels: levels?, owner: owner.map(Box::new) })
    }
}

impl Level {
    fn of(tree: &Tree, node: &Node) -> Option<Self> {
        let seen = |node: &&Node| Sketch::is_visible_to_matching(node);
        let siblings: Vec<Sketch> = tree.children(node.parent()).filter(seen).map(Sketch::of).collect();
        let place = siblings.iter().position(|sibling| sibling.hwnd == node.hwnd)?;
        let sketch = siblings[place].clone();
        let (mut contents, mut alike) = (Vec::new(), Vec::new());
        if node.parent() == 0 {
            let contents_of = |hwnd| tree.children(hwnd).filter(seen).map(Sketch::of).collect::<Vec<_>>();
            contents = contents_of(node.hwnd);
            // Only windows of the same class are ever asked about.
            alike = siblings
                .iter()
                .map(|other| {
                    other.class == sketch.class && are_alike(&contents, contents_of(other.hwnd).iter())
                })
                .collect();
        }
        Some(Self { sketch, siblings, place, contents, alike })
    }
}

/// Whether two windows hold the same controls: at least half of those with an id, by id and class. Where there are too few to tell, yes.
pub(crate) fn are_alike<'a>(wanted: &[Sketch], found: impl Iterator<Item = &'a Sketch>) -> bool {
    let key = |sketch: &'a Sketch| sketch.id.as_ref().map(|id| (id, sketch.class.as_str()));
    let found: std::collections::HashSet<_> = found.filter_map(key).collect();
    let wanted: Vec<_> =
        wanted.iter().filter_map(|s| s.id.as_ref().map(|id| (id, s.class.as_str()))).collect();
    let there = wanted.iter().filter(|it| found.contains(*it)).count();
    wanted.len() < 2 || there * 2 >= wanted.len()
}
