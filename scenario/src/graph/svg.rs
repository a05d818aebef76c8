//! A graph as SVG: a picture for pages and reports, in light and dark.

use super::layout::{Layout, Slot, lay_out};
use super::{Graph, Kind};
use std::fmt::Write as _;

const STYLE: &str = "svg{font-family:system-ui,'Segoe UI','Liberation Sans',sans-serif}.bg{fill:#fff}\
.n rect{fill:#eef2f7;stroke:#7a8ba3;stroke-width:1.2}.first rect{fill:#d8f0dd;stroke:#4c9a5f}.last rect{fill:#f9dcd9;stroke:#c0665c}\
.n text{font-size:13px;fill:#1b2a3d;text-anchor:middle}.n .note{font-size:10.5px;fill:#5d6d82}\
.e{fill:none;stroke:#7a8ba3;stroke-linecap:round}.l{font-size:11px;fill:#3c4b5f;text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}\
.l.side{text-anchor:start}marker path{fill:#7a8ba3}\
@media(prefers-color-scheme:dark){.bg{fill:#14191f}.n rect{fill:#232c37;stroke:#64748b}.first rect{fill:#1d3a26;stroke:#4c9a5f}.last rect{fill:#43211f;stroke:#c0665c}\
.n text{fill:#e4e9f0}.n .note{fill:#9aa8ba}.l{fill:#b9c4d2;stroke:#14191f}}";

pub(super) fn draw(graph: &Graph) -> String {
    let layout = lay_out(graph);
    let (width, height) = (layout.width.max(40.0), layout.height.max(40.0));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\">\n<style>{STYLE}</style>\n\
         <defs><marker id=\"a\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto-start-reverse\">\
         <path d=\"M0 1 10 5 0 9z\"/></marker></defs>\n<rect class=\"bg\" width=\"100%\" height=\"100%\"/>\n"
    );
    for number in 0..graph.edges.len() {
        edge(graph, &layout, number, &mut svg);
    }
    for (node, slot) in graph.nodes.iter().zip(&layout.slots) {
        let class = match node.kind {
            Kind::First => "n first",
            Kind::Inner => "n",
            Kind::Last => "n last",
        };
        let Slot { x, y, width, height, .. } = slot;
        let _ = writeln!(
            svg,
            "<g class=\"{class}\"><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"9\"/>",
            x - width / 2.0,
            y - height / 2.0
        );
        let base = if node.note.is_some() { y - 3.0 } else { y + 4.5 };
        let _ = write!(svg, "<text x=\"{x:.1}\" y=\"{base:.1}\">{}</text>", escape(&node.label));
        if let Some(note) = &node.note {
            let _ = write!(
                svg,
                "<text class=\"note\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
                y + 13.0,
                escape(note)
            );
        }
        svg.push_str("</g>\n");
    }
    svg + "</svg>\n"
}

fn edge(graph: &Graph, layout: &Layout, number: usize, svg: &mut String) {
    let edge = &graph.edges[number];
    let (way, labels) = (&layout.ways[number], edge.shown());
    let stroke = 0.6 + 1.6 * edge.weight.clamp(0.0, 1.0);
    if way.is_empty() {
        let node = &layout.slots[edge.from];
        let (x, y) = (node.x + node.width / 2.0, node.y);
        let _ = writeln!(
            svg,
            "<path class=\"e\" stroke-width=\"{stroke:.1}\" marker-end=\"url(#a)\" d=\"M{x:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {x:.1} {:.1}\"/>",
            y - 8.0,
            x + 26.0,
            y - 20.0,
            x + 26.0,
            y + 20.0,
            y + 8.0
        );
        let top = y - (labels.len() as f64 - 1.0) * 7.0 + 4.0;
        for (line, label) in labels.iter().enumerate() {
            let y = top + line as f64 * 14.0;
            let _ = writeln!(
                svg,
                "<text class=\"l side\" x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
                x + 24.0,
                escape(label)
            );
        }
        return;
    }
    let points = points(layout, way);
    let mut path = format!("M{:.1} {:.1}", points[0].0, points[0].1);
    // Straight away from the nodes, and smooth in between.
    let slope = |at: usize| match at {
        0 => (0.0, (points[1].1 - points[0].1) * 1.2),
        last if last + 1 == points.len() => (0.0, (points[last].1 - points[last - 1].1) * 1.2),
        at => ((points[at + 1].0 - points[at - 1].0) / 2.0, (points[at + 1].1 - points[at - 1].1) / 2.0),
    };
    for at in 1..points.len() {
        let ((x1, y1), (x2, y2)) = (points[at - 1], points[at]);
        let ((dx1, dy1), (dx2, dy2)) = (slope(at - 1), slope(at));
        let (x3, y3, x4, y4) = (x1 + dx1 / 3.0, y1 + dy1 / 3.0, x2 - dx2 / 3.0, y2 - dy2 / 3.0);
        let _ = write!(path, "C{x3:.1} {y3:.1} {x4:.1} {y4:.1} {x2:.1} {y2:.1}");
    }
    let _ =
        writeln!(svg, "<path class=\"e\" stroke-width=\"{stroke:.1}\" marker-end=\"url(#a)\" d=\"{path}\"/>");
    if let Some(slot) = layout.labels[number].map(|slot| &layout.slots[slot]) {
        let top = slot.y - (labels.len() as f64 - 1.0) * 7.0 + 4.0;
        for (line, label) in labels.iter().enumerate() {
            let y = top + line as f64 * 14.0;
            let _ =
                writeln!(svg, "<text class=\"l\" x=\"{:.1}\" y=\"{y:.1}\">{}</text>", slot.x, escape(label));
        }
    }
}

/// Where an edge passes: from the border of its source to that of its destination.
fn points(layout: &Layout, way: &[usize]) -> Vec<(f64, f64)> {
    let slot = |at: usize| &layout.slots[way[at]];
    let mut points: Vec<(f64, f64)> = (0..way.len()).map(|at| (slot(at).x, slot(at).y)).collect();
    let last = way.len() - 1;
    for (end, near) in [(0, 1), (last, last - 1)] {
        let node = slot(end);
        let side = if slot(near).y > node.y { 1.0 } else { -1.0 };
        points[end].1 = node.y + side * node.height / 2.0;
        // Edges spread along the side they leave from.
        let room = node.width / 2.0 - 14.0;
        points[end].0 = node.x + ((slot(near).x - node.x) * 0.35).clamp(-room, room);
    }
    points
}

fn escape(text: &str) -> String {
    let shown: String = text.chars().filter(|c| !c.is_control()).collect();
    shown.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
