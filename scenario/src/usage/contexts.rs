//! How often what came after which context: a tree whose way down is the context, the latest step first.

use std::collections::BTreeMap;

/// A symbol: a feature, the end of a session, or something unknown.
pub(super) type Symbol = u32;

/// A place in the tree.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    /// What came next, and how often.
    pub(super) next: BTreeMap<Symbol, u32>,
    pub(super) total: u32,
    /// One step further back.
    pub(super) before: BTreeMap<Symbol, usize>,
}

/// Counts of all contexts up to a length.
#[derive(Debug, Clone)]
pub(super) struct Contexts {
    pub(super) nodes: Vec<Node>,
    pub(super) order: usize,
    /// Features and the end; what is unknown is not counted.
    pub(super) alphabet: usize,
}

impl Contexts {
    /// Counts sequences of features; each ends with the symbol `alphabet - 1`. Before its first step there is
    /// that symbol too.
    pub(super) fn of(sequences: &[Vec<u32>], features: usize, order: usize) -> Self {
        let mut it = Self { nodes: vec![Node::default()], order, alphabet: features + 1 };
        for sequence in sequences {
            for at in 0..=sequence.len() {
                let symbol = sequence.get(at).copied().unwrap_or(it.end());
                it.count(&sequence[..at], symbol);
            }
        }
        it
    }

    /// The end of a session, which is also what is before its beginning.
    pub(super) fn end(&self) -> Symbol {
        self.alphabet as Symbol - 1
    }

    fn count(&mut self, history: &[Symbol], symbol: Symbol) {
        let mut at = 0;
        for depth in 0..=self.order {
            let node = &mut self.nodes[at];
            *node.next.entry(symbol).or_default() += 1;
            node.total += 1;
            if depth == self.order {
                break;
            }
            let Some(key) = self.key(history, depth) else { break };
            at = match self.nodes[at].before.get(&key) {
                Some(&child) => child,
                None => {
                    self.nodes.push(Node::default());
                    let child = self.nodes.len() - 1;
                    self.nodes[at].before.insert(key, child);
                    child
                }
            };
        }
    }

    /// The symbol so many steps back. Before the beginning is the end, once.
    fn key(&self, history: &[Symbol], depth: usize) -> Option<Symbol> {
        match history.len().checked_sub(depth + 1) {
            Some(at) => Some(history[at]),
            None => (history.len() == depth).then_some(self.end()),
        }
    }

    /// The nodes of a context, the empty one first, as far as it is known.
    pub(super) fn path(&self, history: &[Symbol]) -> Vec<usize> {
        let mut path = vec![0];
        for depth in 0..self.order {
            let node = &self.nodes[path[depth]];
            match self.key(history, depth).and_then(|key| node.before.get(&key)) {
                Some(&child) => path.push(child),
                None => break,
            }
        }
        path
    }

    /// How long a context is at the most, at this point of a session: its beginning counts as one step.
    pub(super) fn depth(&self, history: &[Symbol]) -> usize {
        self.order.min(history.len() + 1)
    }
}
