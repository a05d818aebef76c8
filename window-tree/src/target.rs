//! The target of a search: a recorded window and all windows above it, each with its siblings.

use crate::class::normal_class;
use crate::sketch::{Id, Sketch};
use crate::{MAX_DEPTH, Node, Tree};
use std::borrow::Cow;
use std::collections::HashSet;

/// How many owners of owners are followed.
const MAX_OWNERS: usize = 8;

/// How many controls with an id suffice to distinguish a dialog from another.
const FEWEST: usize = 2;

/// A recorded window, with everything that helps to find it in another run. Created from the recorded tree at
/// the moment of the step, and independent of it afterwards.
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
    /// All children of its parent in the order of creation, itself included.
    pub siblings: Vec<Sketch>,
    /// Its own index among them.
    pub place: usize,
    /// Its children: they identify a dialog or page whose title does not.
    pub contents: Vec<Sketch>,
    /// The siblings whose contents are similar to its own.
    pub alike: Vec<bool>,
}

impl Target {
    /// The target for the window with this handle in a recorded tree; `None` if it is not there, only its
    /// handle is known, or it is deeper than Windows allows.
    pub fn of(tree: &Tree, hwnd: u64) -> Option<Self> {
        Self::with_owners(tree, hwnd, MAX_OWNERS)
    }

    fn with_owners(tree: &Tree, hwnd: u64, owners: usize) -> Option<Self> {
        let path = tree.ancestry(hwnd);
        if path.len() > MAX_DEPTH {
            return None;
        }
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
        let contents: Vec<Sketch> = tree.children(node.hwnd).filter(seen).map(Sketch::of).collect();
        let is_alike = |other: &Sketch| {
            let inside: HashSet<_> = tree.children(other.hwnd).filter(seen).filter_map(key_of).collect();
            let has = |it: &Sketch| {
                it.id.clone().is_some_and(|id| inside.contains(&(id, it.class.as_str().into())))
            };
            are_alike(&contents, has)
        };
        // For top-level windows, only those of the same class are ever compared.
        let is_kind = |other: &Sketch| node.parent() != 0 || other.class == sketch.class;
        let alike = siblings.iter().map(|other| is_kind(other) && is_alike(other)).collect();
        Some(Self { sketch, siblings, place, contents, alike })
    }
}

fn key_of(node: &Node) -> Option<(Id, Cow<'_, str>)> {
    Some((Id::of(node)?, normal_class(node.class()?)))
}

/// Whether two windows contain the same controls: at least half of those with an id, by id and class. True if
/// there are too few to decide.
pub(crate) fn are_alike(wanted: &[Sketch], has: impl Fn(&Sketch) -> bool) -> bool {
    let wanted = wanted.iter().filter(|it| it.id.is_some());
    let (all, there) = wanted.fold((0, 0), |(all, there), it| (all + 1, there + usize::from(has(it))));
    all < FEWEST || there * 2 >= all
}

/// Whether it contains enough controls with an id to be identified by them.
pub(crate) fn has_telling_contents(level: &Level) -> bool {
    level.contents.iter().filter(|it| it.id.is_some()).count() >= FEWEST
}
