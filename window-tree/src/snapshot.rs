//! The live windows, prepared for the search: the children of each parent, with what identifies them.

use crate::sketch::{Id, Sketch};
use crate::{Node, Tree};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A live tree, indexed on demand. Created once per look at the program, searched once per step.
#[derive(Debug, Clone)]
pub struct Snapshot<'a> {
    tree: &'a Tree,
    children: RefCell<HashMap<u64, Rc<Siblings>>>,
}

/// The children of one window in the order of creation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Siblings {
    pub(crate) windows: Vec<Sketch>,
    by_id: HashMap<Id, Vec<usize>>,
    by_name: HashMap<String, Vec<usize>>,
    by_class: HashMap<String, Vec<usize>>,
}

impl<'a> Snapshot<'a> {
    /// The snapshot of a tree.
    pub fn of(tree: &'a Tree) -> Self {
        Self { tree, children: RefCell::default() }
    }

    /// The children of a window; the top-level windows for 0.
    pub(crate) fn children(&self, parent: u64) -> Rc<Siblings> {
        let mut children = self.children.borrow_mut();
        let index = || {
            let seen = |node: &&Node| Sketch::is_visible_to_matching(node);
            Rc::new(Siblings::new(self.tree.children(parent).filter(seen).map(Sketch::of).collect()))
        };
        Rc::clone(children.entry(parent).or_insert_with(index))
    }
}

impl Siblings {
    fn new(windows: Vec<Sketch>) -> Self {
        let (mut by_id, mut by_name) = (HashMap::<_, Vec<_>>::new(), HashMap::<_, Vec<_>>::new());
        let mut by_class = HashMap::<String, Vec<usize>>::new();
        for (i, window) in windows.iter().enumerate() {
            if let Some(id) = &window.id {
                by_id.entry(id.clone()).or_default().push(i);
            }
            if !window.name.is_empty() {
                by_name.entry(window.name.clone()).or_default().push(i);
            }
            match by_class.get_mut(&window.class) {
                Some(places) => places.push(i),
                None => {
                    by_class.insert(window.class.clone(), vec![i]);
                }
            }
        }
        Self { windows, by_id, by_name, by_class }
    }

    pub(crate) fn with_id(&self, id: Option<&Id>) -> &[usize] {
        id.and_then(|id| self.by_id.get(id)).map_or(&[], Vec::as_slice)
    }

    /// Whether there is a window with this id and class.
    pub(crate) fn has(&self, wanted: &Sketch) -> bool {
        self.with_id(wanted.id.as_ref()).iter().any(|&i| self.windows[i].class == wanted.class)
    }

    pub(crate) fn with_name(&self, name: &str) -> &[usize] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn with_class(&self, class: &str) -> &[usize] {
        if class.is_empty() { &[] } else { self.by_class.get(class).map_or(&[], Vec::as_slice) }
    }
}
