//! From the entries of a log to the tree at each of them: sessions, gaps and events, in order.

use crate::{Change, Tree};
use message_log::Entry;

/// The tree of a log that is being read.
#[derive(Debug, Clone, Default)]
pub struct Rebuild {
    tree: Tree,
    session: Option<String>,
    events: u64,
}

impl Rebuild {
    /// The tree before the first entry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next entry of a log and returns the changes in the tree.
    pub fn take(&mut self, entry: &Entry) -> Vec<Change> {
        match entry {
            Entry::Event(event) => {
                self.events += 1;
                return self.tree.apply(event);
            }
            Entry::Segment(head) if self.session.as_ref() != Some(&head.session) => {
                // Another run of the program has other windows, but the account of the fidelity continues.
                let mut fidelity = std::mem::take(&mut self.tree).into_fidelity();
                fidelity.forget();
                self.tree = Tree::with_fidelity(fidelity);
                self.session = Some(head.session.clone());
            }
            Entry::Damage(damage) if damage.is_loss() => self.tree.note_gap(),
            _ => {}
        }
        Vec::new()
    }

    /// The tree after the entries taken so far.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The number of events taken so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Ends the log: returns the tree with its fidelity completed.
    pub fn finish(mut self) -> Tree {
        self.tree.fidelity.finish();
        self.tree
    }
}
