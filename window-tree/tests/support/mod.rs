//! Hand-written trees, and trees rebuilt from others.
#![allow(dead_code, clippy::allow_attributes, reason = "each test uses its own part")]

use message_log::{Event, Key, Keyframe, Kind, Param, Params, Rect, Stamp, Text, Value};
use window_tree::Tree;

/// A tree of one keyframe.
pub(crate) fn tree_of(windows: Vec<Params>) -> Tree {
    let mut tree = Tree::new();
    let keyframe = Keyframe { of_thread: None, windows, complete: true };
    tree.apply(&Event::new(Stamp { sequence: 1, time: 0, thread: 0 }, Kind::Keyframe(keyframe)));
    tree
}

/// A tree from text: one line per window, children indented by two more spaces.
///
/// `Button "OK" id 1`, with `control "okButton"` for a WinForms name, `handle 77`, `of 3` for the owner (a
/// line number, from 1), and a `*` at the beginning of the target's line. A handle is `base` plus the line
/// number unless given.
pub(crate) fn parse(text: &str, base: u64) -> (Tree, Option<u64>) {
    let mut windows = Vec::new();
    let mut path: Vec<u64> = Vec::new();
    let mut marked = None;
    for (i, line) in text.lines().enumerate() {
        let is_marked = line.starts_with('*');
        let line = if is_marked { line.replacen('*', " ", 1) } else { line.to_owned() };
        let indent = line.len() - line.trim_start().len();
        let depth = (indent - 2) / 2;
        let (class, mut rest) = split_word(line.trim());
        let number = i as u64 + 1;
        let mut hwnd = base + number;
        path.truncate(depth);
        let parent = path.last().copied().unwrap_or(0);
        let mut window = Params::new().with_text(Key::WindowClass, class.as_str());
        let mut name = String::new();
        while !rest.is_empty() {
            let (word, after) = split_word(rest);
            if rest.starts_with('"') {
                (name, rest) = (word, after);
                continue;
            }
            let (value, after) = split_word(after);
            let parsed = || value.parse::<i64>().unwrap_or_else(|_| panic!("not a number: {line}"));
            window = match word.as_str() {
                "id" => window.with_number(Key::WindowResourceId, parsed()),
                "of" => window.with_number(Key::WindowOwner, parsed() + base.cast_signed()),
                "control" => window.with_text(Key::WindowControlName, value.as_str()),
                "shown" => window.with(Key::WindowVisible, Value::Flag(parsed() != 0)),
                "handle" => {
                    hwnd = parsed().cast_unsigned();
                    window
                }
                other => panic!("what is {other:?}? {line}"),
            };
            rest = after;
        }
        path.push(hwnd);
        marked = if is_marked { Some(hwnd) } else { marked };
        windows.push(
            window
                .with_text(Key::WindowName, name.as_str())
                .with_number(Key::WindowHwnd, hwnd.cast_signed())
                .with_number(Key::WindowId, number.cast_signed())
                .with_number(Key::WindowParent, parent.cast_signed()),
        );
    }
    (tree_of(windows), marked)
}

/// The first word, which may be quoted, and the rest.
fn split_word(text: &str) -> (String, &str) {
    let text = text.trim_start();
    let (word, rest) = match text.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').expect("a closing quote"),
        None => text.split_once(' ').unwrap_or((text, "")),
    };
    (word.to_owned(), rest.trim_start())
}

/// A window of another run, as a snapshot shows it.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    pub(crate) hwnd: u64,
    pub(crate) parent: u64,
    pub(crate) owner: u64,
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) id: i64,
    pub(crate) control: Option<String>,
    pub(crate) rect: Rect,
}

/// All windows of a tree that a snapshot shows, parents before children.
pub(crate) fn copies(tree: &Tree) -> Vec<Window> {
    let text = |text: Option<&Text>| text.map(ToString::to_string).unwrap_or_default();
    tree.walk()
        .map(|(_, node)| node)
        .filter(|node| node.is_known && !node.is_outside && node.class().is_some())
        .map(|node| Window {
            hwnd: node.hwnd,
            parent: node.parent(),
            owner: node.owner(),
            class: text(node.class()),
            name: text(node.name()),
            id: node.resource_id().unwrap_or(0),
            control: node.control_name().map(ToString::to_string),
            rect: node.rect().unwrap_or_default(),
        })
        .collect()
}

/// The tree of such windows.
pub(crate) fn tree_of_copies(copies: &[Window]) -> Tree {
    let window = |(window_id, copy): (usize, &Window)| {
        let mut params = Params::new()
            .with_number(Key::WindowHwnd, copy.hwnd.cast_signed())
            .with_number(Key::WindowId, window_id as i64 + 1)
            .with_number(Key::WindowParent, copy.parent.cast_signed())
            .with_number(Key::WindowOwner, copy.owner.cast_signed())
            .with_text(Key::WindowClass, copy.class.as_str())
            .with_text(Key::WindowName, copy.name.as_str())
            .with(Key::WindowRect, Value::Rect(copy.rect));
        if copy.parent != 0 {
            params.push(Param::Known(Key::WindowResourceId, Value::Signed(copy.id)));
        }
        match &copy.control {
            Some(name) => params.with_text(Key::WindowControlName, name.as_str()),
            None => params,
        }
    };
    tree_of(copies.iter().enumerate().map(window).collect())
}
