//! Pictures of state machines and usage models: DOT for Graphviz, and SVG without it.

mod layout;
mod svg;

use crate::text::quoted;
use std::fmt::Write as _;

/// Nodes and what leads from one to another.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Graph {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// At most one for each two nodes and direction.
    pub edges: Vec<Edge>,
}

/// A node.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What stands in it.
    pub label: String,
    /// Where in a session it is.
    pub kind: Kind,
    /// A second line, smaller.
    pub note: Option<String>,
}

/// Where in a session a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A session begins here.
    First,
    /// It goes on.
    Inner,
    /// It ends here.
    Last,
}

/// What leads from one node to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// The place of its source among the nodes.
    pub from: usize,
    /// The place of its destination.
    pub to: usize,
    /// Lines beside it.
    pub labels: Vec<String>,
    /// How thick it is, from 0 to 1.
    pub weight: f64,
}

/// More lines beside an edge are counted, not shown.
const MAX_LABELS: usize = 4;
const MAX_LABEL: usize = 44;

impl Edge {
    /// What is shown of its labels.
    fn shown(&self) -> Vec<String> {
        let more = self.labels.len().saturating_sub(MAX_LABELS);
        let take = if more > 0 { MAX_LABELS - 1 } else { MAX_LABELS };
        let mut shown: Vec<String> =
            self.labels.iter().take(take).map(|label| shorten(label, MAX_LABEL)).collect();
        if more > 0 {
            shown.push(format!("… and {} more", self.labels.len() - take));
        }
        shown
    }
}

pub(crate) fn shorten(text: &str, max: usize) -> String {
    let text = text.replace(['\n', '\r', '\t'], " ");
    if text.chars().count() <= max {
        return text;
    }
    text.chars().take(max - 1).chain(['…']).collect()
}

impl Graph {
    /// For Graphviz.
    pub fn to_dot(&self) -> String {
        let mut dot = String::from(
            "digraph {\n  node [shape=box, style=\"rounded,filled\", fillcolor=\"#eef2f7\", fontname=\"sans-serif\"];\n",
        );
        dot.push_str("  edge [fontname=\"sans-serif\", fontsize=10];\n");
        for (number, node) in self.nodes.iter().enumerate() {
            let fill = match node.kind {
                Kind::First => ", fillcolor=\"#d8f0dd\"",
                Kind::Inner => "",
                Kind::Last => ", fillcolor=\"#f9dcd9\"",
            };
            let label = node.note.iter().fold(node.label.clone(), |label, note| format!("{label}\n{note}"));
            let _ = writeln!(dot, "  n{number} [label={}{fill}];", quoted(&label));
        }
        for edge in &self.edges {
            let label = quoted(&edge.shown().join("\n"));
            let width = 0.5 + 2.5 * edge.weight;
            let _ = writeln!(dot, "  n{} -> n{} [label={label}, penwidth={width:.1}];", edge.from, edge.to);
        }
        dot + "}\n"
    }

    /// A picture that needs no other program.
    pub fn to_svg(&self) -> String {
        svg::draw(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(label: &str, kind: Kind) -> Node {
        Node { label: label.into(), kind, note: None }
    }

    #[test]
    fn names_with_quotes_and_angles_stay_names() {
        let graph = Graph {
            nodes: vec![node("a \"b\" <c> & d", Kind::First), node("e", Kind::Last)],
            edges: vec![
                Edge { from: 0, to: 1, labels: (0..9).map(|n| format!("<{n}>")).collect(), weight: 1.0 },
                Edge { from: 1, to: 0, labels: vec![], weight: 0.1 },
                Edge { from: 0, to: 0, labels: vec!["again".into()], weight: 0.1 },
            ],
        };
        assert!(graph.to_dot().contains(r#"n0 [label="a \"b\" <c> & d""#));
        assert!(graph.to_dot().contains("… and 6 more"));
        let svg = graph.to_svg();
        assert!(svg.contains("a &quot;b&quot; &lt;c&gt; &amp; d") && !svg.contains("<c>"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert!(Graph::default().to_svg().starts_with("<svg"));
    }
}
