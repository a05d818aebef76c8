//! How the state of an application differs from the one it should have.

use super::{Rule, Rules, State, WindowPath};
use crate::expect::is_transient;
use crate::live_windows::{LiveWindows, Lookup};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use window_tree::{Node, Tree};

/// One property that is otherwise. A window that is missing or too much has the property `exists`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The window.
    pub window: WindowPath,
    /// The property that differs.
    pub property: String,
    /// The expected value; none if the window or property should not exist.
    pub expected: Option<String>,
    /// The actual value; none if the window or property does not exist.
    pub actual: Option<String>,
}

impl Difference {
    /// The rule that makes it count no longer.
    pub fn rule(&self) -> Rule {
        let property = if self.property == "exists" { "*".into() } else { self.property.clone() };
        Rule { window: self.window.clone(), property }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = |value: &Option<String>| match value {
            Some(value) => format!("“{}”", shortened(value)),
            None => "none".into(),
        };
        match (self.property.as_str(), &self.actual) {
            ("exists", None) => write!(f, "- {}", self.window),
            ("exists", Some(_)) => write!(f, "+ {}", self.window),
            _ => {
                let (expected, actual) = (told(&self.expected), told(&self.actual));
                write!(f, "~ {}: {} {expected} → {actual}", self.window, self.property)
            }
        }
    }
}

/// A value fit for one line.
fn shortened(value: &str) -> String {
    const MOST: usize = 200;
    let line = value.replace(['\n', '\r'], "⏎").replace('\t', "⇥");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// What is otherwise in `actual`; `matcher` remembers which window is which from one comparison to the next.
/// A window that is missing or too much tells for all below it, and what nobody sees, or comes and goes by
/// itself, does not count.
pub fn compare(
    expected: &State,
    actual: &State,
    matcher: &mut LiveWindows,
    rules: &Rules,
) -> Vec<Difference> {
    let (was, is) = (expected.tree(), actual.tree());
    matcher.set(actual.keyframe());
    let mut pairs: BTreeMap<u64, u64> = BTreeMap::new();
    let mut taken: BTreeSet<u64> = BTreeSet::new();
    let mut missing: BTreeSet<u64> = BTreeSet::new();
    let mut found = Vec::new();
    for (_, node) in was.walk() {
        let live = match matcher.find(&was, node.hwnd) {
            Lookup::Found(live, _) if taken.insert(live) => Some(live),
            _ => None,
        };
        match live {
            Some(live) => drop(pairs.insert(node.hwnd, live)),
            None => {
                missing.insert(node.hwnd);
                let is_told = !missing.contains(&node.parent()) && is_seen(&was, node);
                if is_told && !rules.ignores(&was, node.hwnd, "exists") {
                    found.push(exists(&was, node, true));
                }
            }
        }
    }
    for (&expected_window, &live) in &pairs {
        let (Some(should), Some(has)) = (expected.get(expected_window), actual.get(live)) else { continue };
        if should.properties == has.properties || !is.get(live).is_some_and(|node| is_seen(&is, node)) {
            continue;
        }
        let is_named = |node: &Node| is_same_name(node, &pairs, &was, &is);
        for property in should.properties.keys().chain(has.properties.keys()).collect::<BTreeSet<_>>() {
            let (expected, actual) = (should.get(property), has.get(property));
            if expected != actual && !rules.ignore((&was, expected_window), (&is, live), property) {
                found.push(Difference {
                    window: WindowPath::of(&is, live, is_named),
                    property: property.clone(),
                    expected: expected.map(Into::into),
                    actual: actual.map(Into::into),
                });
            }
        }
    }
    for (_, node) in is.walk() {
        let is_new = !taken.contains(&node.hwnd) && (node.parent() == 0 || taken.contains(&node.parent()));
        if is_new && is_seen(&is, node) && !rules.ignores(&is, node.hwnd, "exists") {
            found.push(exists(&is, node, false));
        }
    }
    found
}

fn exists(tree: &Tree, node: &Node, is_missing: bool) -> Difference {
    let told = |is: bool| is.then(|| "true".to_owned());
    Difference {
        window: WindowPath::of(tree, node.hwnd, |_| true),
        property: "exists".into(),
        expected: told(is_missing),
        actual: told(!is_missing),
    }
}

/// A name that is another one in the other run names nothing.
fn is_same_name(node: &Node, pairs: &BTreeMap<u64, u64>, was: &Tree, is: &Tree) -> bool {
    let mut both = pairs.iter().filter(|(_, live)| **live == node.hwnd);
    both.any(|(should, live)| {
        let name = |tree: &Tree, hwnd: u64| tree.get(hwnd).and_then(|node| node.name().cloned());
        name(was, *should) == name(is, *live)
    })
}

/// Whether a person could see it: it and all above it are visible, and it does not come and go by itself.
fn is_seen(tree: &Tree, node: &Node) -> bool {
    let class = node.class().map(|class| class.to_string_lossy().into_owned()).unwrap_or_default();
    // A hidden child is told by its property; a hidden top-level window is a toolkit's helper.
    let is_shown = tree.top_level(node.hwnd).is_none_or(|top| top.visible() != Some(false));
    is_shown && !is_transient(&class)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::state::tests::window;

    fn calculator() -> State {
        State {
            windows: vec![
                window(1, 0, "Frame", "Calculator"),
                window(2, 1, "Edit", "5").with("id", "10"),
                window(3, 1, "Button", "OK").with("id", "1").with("checked", "0"),
                window(4, 0, "Helper", "").with("visible", "false"),
            ],
        }
    }

    fn told(expected: &State, actual: &State, rules: &Rules) -> Vec<String> {
        compare(expected, actual, &mut LiveWindows::default(), rules)
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn the_same_state_has_no_differences_whatever_the_births() {
        let mut other = calculator();
        for window in &mut other.windows {
            window.window += 100;
            window.parent += if window.parent == 0 { 0 } else { 100 };
        }
        assert_eq!(told(&calculator(), &other, &Rules::default()), [""; 0]);
    }

    #[test]
    fn every_property_counts_unless_a_rule_says_otherwise() {
        let mut other = calculator();
        other.windows[1] = other.windows[1].clone().with("text", "6").with("rect", "1x1 at 0,0");
        other.windows[2] = other.windows[2].clone().with("checked", "1");
        assert_eq!(
            told(&calculator(), &other, &Rules::default()),
            [
                "~ Frame \"Calculator\" > Edit id 10: rect none → “1x1 at 0,0”",
                "~ Frame \"Calculator\" > Edit id 10: text “5” → “6”",
                "~ Frame \"Calculator\" > Button id 1: checked “0” → “1”",
            ]
        );
        let all = compare(&calculator(), &other, &mut LiveWindows::default(), &Rules::default());
        let rules = Rules(all.iter().map(Difference::rule).collect());
        assert_eq!(told(&calculator(), &other, &rules), [""; 0], "the rules it proposes are enough");
    }

    #[test]
    fn windows_come_and_go() {
        let mut other = calculator();
        other.windows.remove(2);
        other.windows.retain(|window| window.window != 4);
        other.windows.push(window(9, 0, "#32770", "Thank you"));
        other.windows.push(window(10, 9, "Button", "OK"));
        assert_eq!(
            told(&calculator(), &other, &Rules::default()),
            ["- Frame \"Calculator\" > Button id 1", "+ #32770 \"Thank you\""]
        );
    }

    #[test]
    fn a_title_with_a_clock_is_one_rule_that_does_not_name_the_time() {
        let mut other = calculator();
        other.windows[0] = other.windows[0].clone().with("text", "12:01");
        let all = compare(&calculator(), &other, &mut LiveWindows::default(), &Rules::default());
        assert_eq!(all[0].rule(), Rule { window: "frame".parse().unwrap(), property: "text".into() });
    }
}
