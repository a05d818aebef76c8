//! A model as a graph: the most used features, and how likely each follows another.

use super::{Kind as ModelKind, Model, Predictor};
use crate::graph::{Edge, Graph, Kind, Node, shorten};

/// Ways that are less likely are left out.
const LEAST: f64 = 0.04;

/// The picture of a first-order chain of the `most` most used features.
pub fn picture(model: &Model, most: usize) -> Graph {
    let mut counts = vec![0_usize; model.features.len()];
    model.sequences().iter().flatten().for_each(|&step| counts[step as usize] += 1);
    let mut shown: Vec<usize> = (0..counts.len()).collect();
    shown.sort_by_key(|&feature| std::cmp::Reverse(counts[feature]));
    shown.truncate(most);
    let chain = Predictor::of(model, ModelKind::Chain(1));
    let plain = |label: &str, kind| Node { label: label.into(), kind, note: None };
    let mut nodes = vec![plain("start", Kind::First)];
    for &feature in &shown {
        let label = shorten(&model.features[feature].label, 46);
        nodes.push(Node { label, kind: Kind::Inner, note: Some(format!("{} ×", counts[feature])) });
    }
    nodes.push(plain("end", Kind::Last));
    let end = nodes.len() - 1;
    let mut edges = Vec::new();
    let mut join = |from: usize, history: &[u32]| {
        let shares = chain.distribution(history);
        let targets = shown
            .iter()
            .enumerate()
            .map(|(at, &feature)| (at + 1, feature))
            .chain([(end, chain.end() as usize)]);
        for (to, symbol) in targets.filter(|(_, symbol)| shares[*symbol] >= LEAST) {
            let share = shares[symbol];
            edges.push(Edge { from, to, labels: vec![format!("{:.0} %", share * 100.0)], weight: share });
        }
    };
    join(0, &[]);
    for (at, &feature) in shown.iter().enumerate() {
        join(at + 1, &[feature as u32]);
    }
    Graph { nodes, edges }
}
