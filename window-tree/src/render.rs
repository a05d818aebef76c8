//! A tree as text: one line per window, equal for equal windows, whatever their handles are.
//!
//! `Button "OK" id 1 at 10,20 80×25 disabled`; children are indented below their parent. Unknown properties
//! are left out.

use crate::{Node, Tree};
use std::fmt::Write as _;

/// Deeper windows are not indented any further.
const MAX_INDENT: usize = 64;

/// One line of the text: one window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The window's handle.
    pub hwnd: u64,
    /// 0 for a top-level window.
    pub depth: usize,
    /// The class.
    pub class: String,
    /// The name in quotes; empty if there is none.
    pub name: String,
    /// Everything else.
    pub rest: String,
}

/// The whole tree, for goldens and reports.
pub fn render(tree: &Tree) -> String {
    let mut text = String::new();
    for Line { depth, class, name, rest, .. } in lines(tree) {
        let indent = "  ".repeat(depth.min(MAX_INDENT));
        let words: Vec<&str> =
            [class.as_str(), &name, &rest].into_iter().filter(|word| !word.is_empty()).collect();
        let _ = writeln!(text, "{indent}{}", words.join(" "));
    }
    text
}

/// The lines of the text, parents before children.
pub fn lines(tree: &Tree) -> impl Iterator<Item = Line> {
    tree.walk().map(|(depth, node)| Line {
        hwnd: node.hwnd,
        depth,
        class: class_of(node),
        name: quoted_name(node),
        rest: rest_of(tree, node),
    })
}

fn class_of(node: &Node) -> String {
    node.class().map_or_else(|| "?".into(), |class| one_line(&class.to_string_lossy()))
}

/// The caption, or the last known text of an edit.
fn quoted_name(node: &Node) -> String {
    let name = [node.name(), node.own_text()].into_iter().flatten().find(|name| !name.is_empty());
    name.map(|name| format!("{:?}", name.to_string_lossy())).unwrap_or_default()
}

/// A class may contain any character; this keeps it on one line.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect()
}

fn rest_of(tree: &Tree, node: &Node) -> String {
    let mut words: Vec<String> = Vec::new();
    if let (Some(id), true) = (node.resource_id(), node.parent() != 0) {
        words.push(format!("id {id}"));
    }
    if let Some(name) = node.control_name() {
        words.push(format!("control {:?}", name.to_string_lossy()));
    }
    if let Some(r) = node.rect() {
        let (width, height) =
            (i64::from(r.right) - i64::from(r.left), i64::from(r.bottom) - i64::from(r.top));
        words.push(format!("at {},{} {width}×{height}", r.left, r.top));
    }
    if let Some(owner) = tree.get(node.owner()) {
        words.push(format!("of {}", [class_of(owner), quoted_name(owner)].join(" ").trim_end()));
    }
    let flags = [
        (tree.is_modal(node.hwnd), "modal"),
        (node.visible() == Some(false), "hidden"),
        (node.enabled() == Some(false), "disabled"),
        (node.is_masked(), "masked"),
        (node.is_outside, "outside"),
        (node.is_being_destroyed, "dying"),
        (!node.is_known, "placeholder"),
    ];
    words.extend(flags.into_iter().filter(|(is, _)| *is).map(|(_, word)| word.to_owned()));
    words.join(" ")
}
