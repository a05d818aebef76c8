//! What a person expects of a window after a step, beside what the recording shows.

use super::WindowPath;
use crate::driver::{Answer, Driver, Question};
use regex::Regex;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use win32_vocabulary::exceptions::FIRST_EXCEPTION;
use window_tree::Tree;

/// `[[expect_window]]` of a script.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// The step after which it is expected, as `dashcam show` numbers them; without it, after the last.
    pub after_step: Option<usize>,
    /// The window.
    pub window: WindowPath,
    /// What is expected of the window.
    #[serde(flatten)]
    pub wanted: Wanted,
}

/// What is expected of it; without anything, that it exists.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Wanted {
    /// Whether it exists.
    pub exists: Option<bool>,
    /// Its text.
    pub text: Option<String>,
    /// A pattern that its text matches.
    #[serde(default, deserialize_with = "regex")]
    pub text_matches: Option<Regex>,
    /// Whether it is checked.
    pub checked: Option<bool>,
    /// Whether it is enabled.
    pub enabled: Option<bool>,
    /// Whether it is visible.
    pub visible: Option<bool>,
    /// Of items.
    pub count: Option<usize>,
}

/// `[expect_crash]` of a script: the application must end there, in the recording or not.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrashExpected {
    /// The step in which the application must crash.
    pub after_step: usize,
    /// The exception; any without it.
    pub code: Option<u32>,
}

fn regex<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Regex>, D::Error> {
    let text = String::deserialize(from)?;
    Regex::new(&text).map(Some).map_err(|error| serde::de::Error::custom(format!("no pattern: {error}")))
}

impl Expectation {
    /// In words.
    pub fn describe(&self) -> String {
        let Wanted { exists, text, text_matches, checked, enabled, visible, count } = &self.wanted;
        let mut words = Vec::new();
        let mut either = |is: &Option<bool>, yes: &str, no: &str| {
            words.extend(is.map(|is| if is { yes.to_owned() } else { no.to_owned() }));
        };
        either(exists, "exists", "does not exist");
        either(enabled, "is enabled", "is disabled");
        either(visible, "is visible", "is hidden");
        either(checked, "is checked", "is not checked");
        words.extend(text.as_ref().map(|text| format!("has the text “{text}”")));
        words.extend(text_matches.as_ref().map(|text| format!("has a text that matches “{text}”")));
        words.extend(count.map(|count| format!("has {count} items")));
        if words.is_empty() {
            words.push("exists".into());
        }
        format!("{} {}", self.window, words.join(" and "))
    }

    /// What is otherwise; none if all is as expected.
    pub fn miss(&self, tree: &Tree, driver: &mut dyn Driver) -> Option<String> {
        let found = self.window.find(tree);
        let shown: Vec<u64> = found.iter().copied().filter(|&hwnd| is_shown(tree, hwnd)).collect();
        let meant = if shown.is_empty() && self.wanted.visible.is_some() { &found } else { &shown };
        match (self.wanted.exists, &meant[..]) {
            (Some(false), []) => None,
            (Some(false), _) => Some("it exists".into()),
            (_, []) => Some("it does not exist".into()),
            (_, [hwnd]) => self.wanted.miss(tree, *hwnd, driver),
            (_, several) if self.wanted.is_of_one() => {
                Some(format!("{} windows are meant: name it more exactly", several.len()))
            }
            _ => None,
        }
    }
}

impl Wanted {
    /// Whether it asks more than whether there is such a window.
    fn is_of_one(&self) -> bool {
        let Self { exists: _, text, text_matches, checked, enabled, visible, count } = self;
        text.is_some()
            || text_matches.is_some()
            || count.is_some()
            || [checked, enabled, visible].into_iter().any(Option::is_some)
    }

    fn miss(&self, tree: &Tree, hwnd: u64, driver: &mut dyn Driver) -> Option<String> {
        let node = tree.get(hwnd)?;
        let facts: BTreeMap<String, String> = match driver.ask(hwnd, &Question::Facts) {
            Ok(Answer::Facts(facts)) => facts.into_iter().collect(),
            _ => BTreeMap::new(),
        };
        let name = || node.name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = facts.get("text").cloned().unwrap_or_else(name);
        let plain = text.replace("\r\n", "\n");
        if self.text.as_ref().is_some_and(|wanted| wanted.replace("\r\n", "\n") != plain)
            || self.text_matches.as_ref().is_some_and(|wanted| !wanted.is_match(&plain))
        {
            return Some(format!("it has the text “{text}”"));
        }
        let state = |is: Option<bool>, wanted: Option<bool>, words: [&str; 2]| {
            let is = is?;
            wanted.filter(|wanted| *wanted != is).map(|_| format!("it is {}", words[usize::from(is)]))
        };
        state(Some(crate::live_windows::is_enabled(tree, hwnd)), self.enabled, ["disabled", "enabled"])
            .or_else(|| state(Some(is_shown(tree, hwnd)), self.visible, ["hidden", "visible"]))
            .or_else(|| {
                let wanted = self.checked?;
                match facts.get("checked").map(String::as_str) {
                    None => Some("it has no check mark".into()),
                    Some(state) => (wanted != (state == "1")).then(|| format!("its check state is {state}")),
                }
            })
            .or_else(|| {
                let wanted = self.count?;
                match facts.get("count") {
                    None => Some("it has no items".into()),
                    Some(count) => (*count != wanted.to_string()).then(|| format!("it has {count} items")),
                }
            })
    }
}

fn is_shown(tree: &Tree, hwnd: u64) -> bool {
    crate::live_windows::is_visible(tree, hwnd)
}

impl CrashExpected {
    /// In words.
    pub fn describe(&self) -> String {
        let code = self.code.map(|code| format!(" with {code:#010X}")).unwrap_or_default();
        format!("the application crashes after step {}{code}", self.after_step)
    }

    /// Whether an end with this code is the expected one.
    pub fn is(&self, step: usize, code: u32) -> bool {
        self.after_step == step && self.code.map_or(code >= FIRST_EXCEPTION, |expected| expected == code)
    }
}
