//! Which differences do not count: volatile properties, by window and name.

use super::WindowPath;
use serde::{Deserialize, Serialize};
use window_tree::Tree;

/// A property that is another one in every run: a clock, a temporary path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The windows that the rule covers.
    pub window: WindowPath,
    /// As a baseline calls it; `*` is all of them, and the windows below too.
    pub property: String,
}

/// What is ignored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules(pub Vec<Rule>);

impl Rules {
    /// Whether a property does not count of a window that is the first in one tree and the second in the
    /// other. A rule may name either: the two may have other names, and other places among those alike.
    pub fn ignore(&self, was: (&Tree, u64), is: (&Tree, u64), property: &str) -> bool {
        self.ignores(was.0, was.1, property) || self.ignores(is.0, is.1, property)
    }

    /// Whether a property of a window does not count.
    pub fn ignores(&self, tree: &Tree, hwnd: u64, property: &str) -> bool {
        self.0.iter().any(|rule| match rule.property.as_str() {
            "*" => tree.ancestry(hwnd).iter().any(|node| rule.window.is(tree, node.hwnd)),
            name => name == property && rule.window.is(tree, hwnd),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::state::tests::{State, window};

    #[test]
    fn a_rule_is_for_one_window_and_one_property_unless_it_says_all() {
        let windows =
            vec![window(1, 0, "Frame", "12:00"), window(2, 1, "Clock", "12:00"), window(3, 2, "Static", "")];
        let tree = State { windows }.tree();
        let rules = |property: &str| {
            Rules(vec![Rule { window: "Frame > Clock".parse().unwrap(), property: property.into() }])
        };
        let ignored = |rules: &Rules, property| -> Vec<u64> {
            (1..=3).filter(|&hwnd| rules.ignores(&tree, hwnd, property)).collect()
        };
        assert_eq!(ignored(&rules("text"), "text"), [2]);
        assert_eq!(ignored(&rules("text"), "rect"), [0; 0]);
        assert_eq!(ignored(&rules("*"), "rect"), [2, 3]);
    }

    /// A rule is written as the window is called live; the same window may have another place among those
    /// alike in a recording.
    #[test]
    fn a_rule_may_name_the_recorded_window_or_the_live_one() {
        let box_of = |first: &str, second: &str| {
            let windows = vec![
                window(1, 0, "#32770", "Notepad"),
                window(2, 1, "Static", first),
                window(3, 1, "Static", second),
            ];
            State { windows }.tree()
        };
        let (recorded, live) = (box_of("File 'Untitled'", ""), box_of("", "File 'a.txt'"));
        let window: WindowPath = "#32770 > Static #2".parse().unwrap();
        let rules = Rules(vec![Rule { window, property: "text".into() }]);
        assert!(!rules.ignores(&recorded, 2, "text"));
        assert!(rules.ignore((&recorded, 2), (&live, 3), "text"));
        assert!(!rules.ignore((&recorded, 2), (&live, 3), "rect"));
    }
}
