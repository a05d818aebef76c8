//! Context-tree weighting (Willems, Shtarkov and Tjalkens): no single length of context, but all of them at
//! once, each weighted by how well it has explained what was seen. For an alphabet of any size, each node
//! estimates with a share of 1/size for what it has not seen.

use super::contexts::Contexts;

/// What each node of the tree has made of the training data.
#[derive(Debug)]
pub(super) struct Weights {
    /// The logarithm of what the node's own estimate gave to all it saw.
    estimate: Vec<f64>,
    /// The logarithm of its weighted probability.
    weighted: Vec<f64>,
    /// The sum of those of its children.
    children: Vec<f64>,
}

impl Weights {
    /// Weighs the nodes, the deepest first.
    pub(super) fn of(contexts: &Contexts) -> Self {
        let count = contexts.nodes.len();
        let mut it =
            Self { estimate: vec![0.0; count], weighted: vec![0.0; count], children: vec![0.0; count] };
        let alpha = share(contexts);
        // Children come after their parents.
        for at in (0..count).rev() {
            let node = &contexts.nodes[at];
            let seen: f64 = node.next.values().map(|&count| rising(alpha, count)).sum();
            it.estimate[at] = seen - rising(1.0, node.total);
            it.children[at] = node.before.values().map(|&child| it.weighted[child]).sum();
            it.weighted[at] = mixed(it.estimate[at], it.children[at], node.before.is_empty());
        }
        it
    }

    /// The probability of each symbol and, last, of one that is unknown.
    pub(super) fn distribution(&self, contexts: &Contexts, history: &[u32]) -> Vec<f64> {
        let path = contexts.path(history);
        let alpha = share(contexts);
        let is_new = path.len() <= contexts.depth(history);
        let base = |symbol: u32| {
            let mut below: Option<(f64, f64)> = None;
            for (at, &node) in path.iter().enumerate().rev() {
                let counts = &contexts.nodes[node];
                let seen = counts.next.get(&symbol).copied().unwrap_or(0);
                let estimate = self.estimate[node] + (f64::from(seen) + alpha).ln()
                    - (f64::from(counts.total) + 1.0).ln();
                let is_last = at + 1 == path.len();
                let children = match below {
                    Some((before, after)) => self.children[node] - before + after,
                    // A context never seen has seen nothing yet: its first symbol is as likely as any.
                    None if is_new && is_last => self.children[node] + alpha.ln(),
                    None => self.children[node],
                };
                let is_leaf = is_last && !is_new;
                below = Some((self.weighted[node], mixed(estimate, children, is_leaf)));
            }
            below.map_or(0.0, |(_, after)| after)
        };
        let mut shares: Vec<f64> =
            (0..=contexts.alphabet as u32).map(|symbol| (base(symbol) - self.weighted[0]).exp()).collect();
        // What rounding has left.
        let sum: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);
        shares
    }
}

/// What a node gives to a symbol it has never seen, when it has seen nothing; one more symbol stands for all
/// that is unknown.
fn share(contexts: &Contexts) -> f64 {
    1.0 / (contexts.alphabet as f64 + 1.0)
}

/// The logarithm of a (a + 1) … (a + n − 1).
fn rising(a: f64, n: u32) -> f64 {
    (0..n).map(|at| (a + f64::from(at)).ln()).sum()
}

/// Half of the one and half of the other; a leaf has only itself.
fn mixed(estimate: f64, children: f64, is_leaf: bool) -> f64 {
    if is_leaf {
        return estimate;
    }
    let (high, low) = if estimate > children { (estimate, children) } else { (children, estimate) };
    high + (low - high).exp().ln_1p() - std::f64::consts::LN_2
}
