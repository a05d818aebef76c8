//! `dashcam tree`: the windows of a log at a moment.

use crate::log_files;
use crate::log_files::NO_LOG;
use crate::output::{colour, say};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use steps::Planner;
use window_tree::{Line, Node, Rebuild, Tree, lines};

const BOLD: &str = "\u{1b}[1m";
const DIM: &str = "\u{1b}[2m";
const PLAIN: &str = "\u{1b}[0m";

/// Which moment of a log is meant.
#[derive(Clone, Copy)]
pub(crate) enum Moment {
    /// After so many steps.
    Step(usize),
    /// After so many events.
    Event(u64),
    End,
}

pub(crate) fn run(path: &Path, moment: Moment, json: bool) -> anyhow::Result<ExitCode> {
    let at = match moment {
        Moment::Step(number) => Some(events_after(path, number)?),
        Moment::Event(number) => Some(number),
        Moment::End => None,
    };
    let (tree, events) = tree_at(path, at)?;
    if let Moment::Event(at) = moment
        && at > events
    {
        anyhow::bail!("there is no event {at}: the log has {events}, and --event takes 0 to {events}");
    }
    if json {
        let windows: Vec<Value> = tree.children(0).map(|node| window(&tree, node, 0)).collect();
        say(&serde_json::to_string_pretty(&json!({ "events": events, "windows": windows }))?)?;
    } else if tree.is_empty() {
        say("no windows")?;
    } else {
        say(text(&tree, colour()).trim_end())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// How many events of the newest session come before the step behind this one.
fn events_after(path: &Path, step: usize) -> anyhow::Result<u64> {
    let mut planner = Planner::default();
    for entry in log_files::open(path)?.newest() {
        planner.take(&entry?);
    }
    let plan = planner.finish();
    let count = plan.steps.len();
    if step > count {
        anyhow::bail!("the log has {count} steps: --at takes 0 to {count}");
    }
    Ok(plan.events_after(step))
}

/// The tree of the newest session after its first `at` events, and how many those are.
fn tree_at(path: &Path, at: Option<u64>) -> anyhow::Result<(Tree, u64)> {
    let mut rebuild = Rebuild::new();
    let mut is_log = false;
    for entry in log_files::open(path)?.newest() {
        let entry = entry?;
        is_log |= !matches!(entry, message_log::Entry::Damage(_));
        if at.is_some_and(|at| rebuild.events() >= at) {
            break;
        }
        rebuild.take(&entry);
    }
    if !is_log {
        anyhow::bail!("{} {NO_LOG}", path.display());
    }
    let events = rebuild.events();
    Ok((rebuild.finish(), events))
}

/// One line per window, with its handle.
fn text(tree: &Tree, colour: bool) -> String {
    let paint = |code: &str, text: &str| {
        if colour && !text.is_empty() { format!("{code}{text}{PLAIN}") } else { text.into() }
    };
    let mut out = String::new();
    for Line { hwnd, depth, class, name, rest } in lines(tree) {
        let words = [class, paint(BOLD, &name), paint(DIM, &rest), paint(DIM, &format!("{hwnd:#x}"))];
        let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let _ = writeln!(out, "{}{}", "  ".repeat(depth.min(64)), words.join(" "));
    }
    out
}

/// A window with everything below it; deeper than a screen can show, it is cut.
fn window(tree: &Tree, node: &Node, depth: usize) -> Value {
    let text = |text: Option<&message_log::Text>| text.map(ToString::to_string);
    let children: Vec<Value> = if depth < window_tree::MAX_DEPTH {
        tree.children(node.hwnd).map(|child| window(tree, child, depth + 1)).collect()
    } else {
        Vec::new()
    };
    json!({
        "hwnd": node.hwnd,
        "birth": node.window_id,
        "class": text(node.class()),
        "name": text(node.name()),
        "own_text": text(node.own_text()),
        "resource_id": node.resource_id(),
        "control_name": text(node.control_name()),
        "modal": tree.is_modal(node.hwnd),
        "style": node.style(),
        "extended_style": node.ex_style(),
        "visible": node.visible(),
        "enabled": node.enabled(),
        "rect": node.rect().map(|r| [r.left, r.top, r.right, r.bottom]),
        "owner": node.owner(),
        "thread": node.thread(),
        "masked": node.is_masked(),
        "outside": node.is_outside,
        "placeholder": !node.is_known,
        "children": children,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use message_log::Log;

    #[test]
    fn a_pipe_gets_no_colour_and_a_terminal_the_same_words() {
        let log = include_bytes!("../../tests/golden/session.xml");
        let mut rebuild = Rebuild::new();
        for entry in Log::from_bytes("session.xml", log).unwrap() {
            rebuild.take(&entry.unwrap());
        }
        let tree = rebuild.finish();
        let (plain, coloured) = (text(&tree, false), text(&tree, true));
        assert!(plain.contains("\n  Button \"&Add item…\" id 31067"), "{plain}");
        assert!(!plain.contains('\u{1b}') && coloured.contains(BOLD));
        let stripped = [BOLD, DIM, PLAIN].iter().fold(coloured, |text, code| text.replace(code, ""));
        assert_eq!(stripped, plain);
    }

    #[test]
    fn at_counts_events() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/session.xml");
        let windows = |at| {
            let (tree, events) = tree_at(Path::new(path), at).unwrap();
            (tree.len(), events)
        };
        assert_eq!(windows(Some(0)), (0, 0));
        assert_eq!(windows(Some(3)), (3, 3), "the keyframe is the third event");
        let (all, events) = windows(None);
        assert!(all > 3 && events > 10, "{all} windows after {events} events");
        assert_eq!(windows(Some(u64::MAX)), (all, events));
    }
}
