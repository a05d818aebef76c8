//! Where things go: nodes in layers from top to bottom, an edge's label in a layer of its own between them,
//! crossings and detours kept few.
//!
//! The way of Sugiyama: edges against the current are turned around, long ones pass through a slot in each
//! layer, slots are ordered by where their neighbours are and then moved towards them.

use super::{Graph, Kind};

const CHAR: f64 = 7.2;
const SMALL_CHAR: f64 = 6.0;
const LINE: f64 = 14.0;
const GAP: f64 = 26.0;

/// A place in a layer.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    /// Its middle.
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    layer: usize,
}

/// A picture's geometry.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// The first ones are the nodes, in their order.
    pub(super) slots: Vec<Slot>,
    /// For each edge the slots it passes, from source to destination; empty for one that returns to its node.
    pub(super) ways: Vec<Vec<usize>>,
    /// For each edge the slot of its label.
    pub(super) labels: Vec<Option<usize>>,
    pub(super) width: f64,
    pub(super) height: f64,
}

pub(super) fn lay_out(graph: &Graph) -> Layout {
    let ranks = ranks(graph);
    let mut layout = Layout::default();
    for (node, rank) in graph.nodes.iter().zip(&ranks) {
        let note = node.note.as_ref().map_or(0.0, |note| note.chars().count() as f64 * SMALL_CHAR);
        let width = (node.label.chars().count() as f64 * CHAR).max(note) + 28.0;
        let height = if node.note.is_some() { 46.0 } else { 34.0 };
        layout.slots.push(Slot { x: 0.0, y: 0.0, width, height, layer: rank * 2 });
    }
    for edge in &graph.edges {
        let (way, label) = layout.way(edge.from, edge.to, &edge.shown());
        layout.ways.push(way);
        layout.labels.push(label);
    }
    let mut layers = layout.layers();
    layout.order(&mut layers, graph);
    layout.place(&layers, graph);
    layout
}

/// The layer of each node: one below the lowest node that leads to it. Edges back to a node on the way
/// here do not count.
fn ranks(graph: &Graph) -> Vec<usize> {
    let count = graph.nodes.len();
    let mut forward: Vec<Vec<usize>> = vec![Vec::new(); count];
    let (mut state, mut order) = (vec![0_u8; count], Vec::new());
    let starts = (0..count).filter(|&n| graph.nodes[n].kind == Kind::First).chain(0..count);
    for start in starts {
        let mut stack = vec![(start, 0)];
        if state[start] != 0 {
            continue;
        }
        state[start] = 1;
        while let Some((node, next)) = stack.pop() {
            let Some(edge) = graph.edges.iter().filter(|edge| edge.from == node).nth(next) else {
                state[node] = 2;
                order.push(node);
                continue;
            };
            stack.push((node, next + 1));
            if state[edge.to] != 1 {
                forward[node].push(edge.to);
            }
            if state[edge.to] == 0 {
                state[edge.to] = 1;
                stack.push((edge.to, 0));
            }
        }
    }
    let mut ranks = vec![0; count];
    for &node in order.iter().rev() {
        for &to in &forward[node] {
            ranks[to] = ranks[to].max(ranks[node] + 1);
        }
    }
    ranks
}

impl Layout {
    /// The slots an edge needs between its nodes.
    fn way(&mut self, from: usize, to: usize, labels: &[String]) -> (Vec<usize>, Option<usize>) {
        if from == to {
            // Room for the loop beside the node.
            let width =
                labels.iter().map(|label| label.chars().count()).max().unwrap_or(0) as f64 * SMALL_CHAR;
            let height = labels.len() as f64 * LINE;
            let slot = Slot {
                x: 0.0,
                y: 0.0,
                width: width + 34.0,
                height: height.max(30.0),
                layer: self.slots[from].layer,
            };
            self.slots.push(slot);
            return (Vec::new(), Some(self.slots.len() - 1));
        }
        let (top, bottom) = (self.slots[from].layer, self.slots[to].layer);
        let is_down = top < bottom;
        let between: Vec<usize> = match top == bottom {
            true => vec![top + 1],
            false => (top.min(bottom) + 1..top.max(bottom)).collect(),
        };
        let label_at = between[between.len() / 2];
        let (mut way, mut label) = (vec![from], None);
        let layers: Vec<usize> =
            if is_down || top == bottom { between } else { between.into_iter().rev().collect() };
        for layer in layers {
            let is_label = layer == label_at && !labels.is_empty();
            let longest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0) as f64;
            let (width, height) = if is_label {
                (longest * SMALL_CHAR + 10.0, labels.len() as f64 * LINE + 6.0)
            } else {
                (6.0, 4.0)
            };
            self.slots.push(Slot { x: 0.0, y: 0.0, width, height, layer });
            let slot = self.slots.len() - 1;
            way.push(slot);
            if is_label {
                label = Some(slot);
            }
        }
        way.push(to);
        (way, label)
    }

    fn layers(&self) -> Vec<Vec<usize>> {
        let count = self.slots.iter().map(|slot| slot.layer + 1).max().unwrap_or(0);
        let mut layers = vec![Vec::new(); count];
        for (number, slot) in self.slots.iter().enumerate() {
            layers[slot.layer].push(number);
        }
        layers
    }

    /// For each slot, those it is joined with in the layers above and below; a loop's room stays
    /// beside its node.
    fn neighbours(&self) -> Vec<Vec<usize>> {
        let mut neighbours = vec![Vec::new(); self.slots.len()];
        for way in &self.ways {
            for pair in way.windows(2) {
                neighbours[pair[0]].push(pair[1]);
                neighbours[pair[1]].push(pair[0]);
            }
        }
        neighbours
    }

    fn order(&self, layers: &mut [Vec<usize>], graph: &Graph) {
        let neighbours = self.neighbours();
        let loops = self.loops(graph);
        let mut place = vec![0.0_f64; self.slots.len()];
        let number = |layer: &[usize], place: &mut Vec<f64>| {
            let middle = layer.len() as f64 / 2.0;
            layer.iter().enumerate().for_each(|(at, &slot)| place[slot] = at as f64 - middle);
        };
        layers.iter().for_each(|layer| number(layer, &mut place));
        for sweep in 0..24 {
            let indices: Vec<usize> =
                if sweep % 2 == 0 { (0..layers.len()).collect() } else { (0..layers.len()).rev().collect() };
            for index in indices {
                let towards = |slot: usize| {
                    let near = neighbours[slot].iter().filter(|&&other| {
                        let other = self.slots[other].layer;
                        if sweep % 2 == 0 { other < index } else { other > index }
                    });
                    let (sum, count) =
                        near.fold((0.0, 0), |(sum, count), &other| (sum + place[other], count + 1));
                    if count == 0 { place[slot] } else { sum / f64::from(count) }
                };
                let mut keyed: Vec<(f64, usize)> = layers[index]
                    .iter()
                    .map(|&slot| match loops[slot] {
                        Some(node) => (towards(node) + 1e-6, slot),
                        None => (towards(slot), slot),
                    })
                    .collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
                layers[index] = keyed.into_iter().map(|(_, slot)| slot).collect();
                number(&layers[index], &mut place);
            }
        }
        // A loop's room stands right of its node.
        for layer in layers {
            let nodes: Vec<usize> = layer.iter().copied().filter(|&slot| loops[slot].is_none()).collect();
            *layer = nodes
                .into_iter()
                .flat_map(|slot| {
                    let of_it = (0..loops.len()).filter(|&it| loops[it] == Some(slot)).collect::<Vec<_>>();
                    std::iter::once(slot).chain(of_it)
                })
                .collect();
        }
    }

    fn place(&mut self, layers: &[Vec<usize>], graph: &Graph) {
        let loops = self.loops(graph);
        let mut y = 20.0;
        for layer in layers {
            let height = layer.iter().map(|&slot| self.slots[slot].height).fold(4.0, f64::max);
            layer.iter().for_each(|&slot| self.slots[slot].y = y + height / 2.0);
            y += height + 16.0;
            let mut x = 0.0;
            for &slot in layer {
                self.slots[slot].x = x + self.slots[slot].width / 2.0;
                x += self.slots[slot].width + self.gap(slot, &loops);
            }
        }
        let neighbours = self.neighbours();
        for sweep in 0..60 {
            for layer in layers {
                self.pull(layer, &neighbours, &loops, sweep % 2 == 0);
            }
        }
        let left = self.slots.iter().map(|slot| slot.x - slot.width / 2.0).fold(f64::INFINITY, f64::min);
        let left = if left.is_finite() { left } else { 0.0 };
        self.slots.iter_mut().for_each(|slot| slot.x += 20.0 - left);
        self.width = self.slots.iter().map(|slot| slot.x + slot.width / 2.0).fold(0.0, f64::max) + 20.0;
        self.height = y + 4.0;
    }

    /// For each slot the node whose loop it is.
    fn loops(&self, graph: &Graph) -> Vec<Option<usize>> {
        let mut loops = vec![None; self.slots.len()];
        for (edge, label) in graph.edges.iter().zip(&self.labels) {
            if let (true, Some(slot)) = (edge.from == edge.to, label) {
                loops[*slot] = Some(edge.from);
            }
        }
        loops
    }

    fn gap(&self, slot: usize, loops: &[Option<usize>]) -> f64 {
        let has_loop = loops.contains(&Some(slot));
        if has_loop { 0.0 } else { GAP }
    }

    /// Moves the slots of a layer towards their neighbours, from one side, without touching each other.
    fn pull(
        &mut self,
        layer: &[usize],
        neighbours: &[Vec<usize>],
        loops: &[Option<usize>],
        is_from_left: bool,
    ) {
        let wanted = |it: &Self, slot: usize| {
            let near = &neighbours[slot];
            match near.len() {
                0 => it.slots[slot].x,
                // An edge that passes through is straight before a node is in the middle.
                _ => {
                    let pull = |other: &usize| if it.slots[*other].width < 8.0 { 3.0 } else { 1.0 };
                    let sum: f64 = near.iter().map(|other| it.slots[*other].x * pull(other)).sum();
                    sum / near.iter().map(pull).sum::<f64>()
                }
            }
        };
        let distance =
            |it: &Self, a: usize, b: usize| (it.slots[a].width + it.slots[b].width) / 2.0 + it.gap(a, loops);
        let mut xs: Vec<f64> = layer.iter().map(|&slot| wanted(self, slot)).collect();
        for at in 0..layer.len() {
            if loops[layer[at]].is_some() && at > 0 {
                xs[at] = xs[at - 1] + distance(self, layer[at - 1], layer[at]);
            }
        }
        if is_from_left {
            for at in 1..layer.len() {
                xs[at] = xs[at].max(xs[at - 1] + distance(self, layer[at - 1], layer[at]));
            }
        } else {
            for at in (1..layer.len()).rev() {
                xs[at - 1] = xs[at - 1].min(xs[at] - distance(self, layer[at - 1], layer[at]));
            }
        }
        // Half of the way, so that pulls from both sides meet in the middle.
        for (&slot, x) in layer.iter().zip(xs) {
            self.slots[slot].x = (self.slots[slot].x + x) / 2.0;
        }
        for pair in layer.windows(2) {
            let least = self.slots[pair[0]].x + distance(self, pair[0], pair[1]);
            self.slots[pair[1]].x = self.slots[pair[1]].x.max(least);
        }
    }
}
