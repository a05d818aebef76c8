//! A machine as a graph: transitions between the same states are one edge, with what is done on each.

use super::{Act, Button, Machine, Place, Probability, Transition};
use crate::event::{Action, Direction};
use crate::graph::{Edge, Graph, Kind, Node};
use std::collections::BTreeMap;

/// The picture of a machine.
pub fn picture(machine: &Machine) -> Graph {
    let nodes = machine.states.iter().map(|state| Node {
        label: state.name.clone(),
        kind: match (state.is_initial, state.is_final) {
            (true, _) => Kind::First,
            (_, true) => Kind::Last,
            _ => Kind::Inner,
        },
        note: None,
    });
    let mut between: BTreeMap<(usize, usize), Vec<&Transition>> = BTreeMap::new();
    for transition in &machine.transitions {
        between.entry((transition.from, transition.to)).or_default().push(transition);
    }
    let edges = between.into_iter().map(|((from, to), transitions)| {
        let mut labels: Vec<String> = transitions.iter().map(|it| label(it)).collect();
        labels.dedup();
        let weight =
            transitions.iter().map(|it| it.probability).max().map_or(1.0, |probability| match probability {
                Probability::Low => 0.4,
                Probability::Medium => 0.7,
                Probability::High => 1.0,
            });
        Edge { from, to, labels, weight }
    });
    Graph { nodes: nodes.collect(), edges: edges.collect() }
}

fn label(transition: &Transition) -> String {
    let acts: Vec<String> = transition.acts.iter().map(act).collect();
    acts.join(", ")
}

fn act(act: &Act) -> String {
    let times = |times: u32| if times > 1 { format!(" ×{times}") } else { String::new() };
    match act {
        Act::Keys(keys) => {
            let names = keys.iter().map(|key| match key {
                Action::Keys(name) | Action::Type(name) => name.clone(),
                other => format!("{other:?}"),
            });
            format!("[{}]", names.collect::<Vec<_>>().join(" "))
        }
        Act::Text { file: Some(file), .. } => format!("a line of {file}"),
        Act::Text { text, .. } => format!("“{text}”"),
        Act::Move(Place::Area { region: Some(region), .. }) => format!("to {region}"),
        Act::Move(Place::Area { area: [x, y, ..], .. }) => format!("to ({x}, {y})"),
        Act::Move(Place::Widget(target)) => format!("to {target}"),
        Act::MoveBy(x, y) => format!("by ({x}, {y})"),
        Act::Click(n, Button::Left) => format!("click{}", times(*n)),
        Act::Click(n, Button::Right) => format!("right-click{}", times(*n)),
        Act::Scroll(n, Direction::Up) => format!("scroll up{}", times(*n)),
        Act::Scroll(n, Direction::Down) => format!("scroll down{}", times(*n)),
        Act::Shell(command) => format!("$ {command}"),
        Act::Window(title) => format!("window “{title}”"),
        Act::Do(trace) => trace.to_string(),
    }
}
