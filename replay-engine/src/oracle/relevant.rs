//! The level `relevant`: every window and property that the recording ever touched, as it was
//! recorded at that moment.
//!
//! A recording touches the existence, visibility and enabling of every window it knows, since it saw them
//! created, and the text of those that a step renamed, wrote to or brought about.

use super::Rules;
use crate::driver::Driver;
use crate::expect::is_transient;
use crate::live_windows::{LiveWindows, Lookup, is_visible};
use crate::text::{describe_window, same_text, text_of};
use std::collections::{HashMap, HashSet};
use steps::{Action, EffectKind, Plan, Step};
use window_tree::{Node, Tree, keeps_own_text};

/// A handle and its birth: one window and no other.
type Window = (u64, u64);

/// What the recording ever touched.
#[derive(Debug, Default)]
pub struct Touched {
    texts: HashSet<Window>,
    /// Windows that steps brought about; what is in them came with them.
    made: HashSet<Window>,
    /// What edits have held since the last step that told it.
    written: HashMap<Window, String>,
}

impl Touched {
    /// Everything that a plan touches.
    pub fn by(plan: &Plan) -> Self {
        let mut touched = Self::default();
        for effect in plan.steps.iter().flat_map(|step| &step.effects) {
            let window = (effect.window.hwnd, effect.window.window_id);
            match effect.what {
                EffectKind::Renamed { .. } | EffectKind::Text { .. } => drop(touched.texts.insert(window)),
                EffectKind::Created => drop(touched.made.insert(window)),
                _ => {}
            }
        }
        touched
    }

    /// A step is over. What the user wrote is known where the recording tells the result; then it holds until
    /// somebody writes again.
    pub fn see(&mut self, step: &Step) {
        let target = (step.target.sketch.hwnd, step.target.sketch.window_id);
        match &step.action {
            Action::Type { result: Some(text), redacted: false, .. }
            | Action::Edit { result: Some(text), .. } => {
                self.written.insert(target, text.clone());
            }
            Action::Type { .. } | Action::TypeSecret { .. } | Action::Edit { .. } => {
                self.written.remove(&target);
            }
            _ => {}
        }
        for effect in &step.effects {
            if let EffectKind::Text { to } = &effect.what {
                self.written.insert((effect.window.hwnd, effect.window.window_id), to.clone());
            }
        }
    }

    /// What is otherwise in the live windows than it was recorded.
    pub fn differences(
        &self,
        recorded: &Tree,
        live_windows: &mut LiveWindows,
        driver: &mut dyn Driver,
        rules: &Rules,
    ) -> Vec<String> {
        let mut found = Vec::new();
        let mut missing: HashSet<u64> = HashSet::new();
        for (_, node) in recorded.walk() {
            if !is_compared(recorded, node) {
                continue;
            }
            let live = match live_windows.find(recorded, node.hwnd) {
                Lookup::Found(live, _) => live,
                Lookup::NotRecorded => continue,
                Lookup::NotFound(_) => {
                    missing.insert(node.hwnd);
                    let is_told = !missing.contains(&node.parent()) && is_visible(recorded, node.hwnd);
                    if is_told && !rules.ignores(recorded, node.hwnd, "exists") {
                        found.push(format!("- {}", describe_window(recorded, node.hwnd)));
                    }
                    continue;
                }
            };
            let Some(now) = live_windows.tree().get(live) else { continue };
            let counts =
                |property| !rules.ignore((recorded, node.hwnd), (live_windows.tree(), live), property);
            let flags =
                [("visible", node.visible(), now.visible()), ("enabled", node.enabled(), now.enabled())];
            for (property, was, is) in flags {
                if let (Some(was), Some(is)) = (was, is)
                    && was != is
                    && counts(property)
                {
                    found
                        .push(format!("~ {}: {property} {was} → {is}", describe_window(recorded, node.hwnd)));
                }
            }
            if self.is_text_touched(recorded, node) && counts("text") {
                let name = now.name().map(ToString::to_string).unwrap_or_default();
                let (was, is) = match node.class().is_some_and(keeps_own_text) {
                    true => (self.written.get(&(node.hwnd, node.window_id)).cloned(), text_of(driver, live)),
                    false => (node.name().map(ToString::to_string), Some(name)),
                };
                if let (Some(was), Some(is)) = (was, is)
                    && !same_text(&was, &is)
                {
                    found.push(format!("~ {}: text “{was}” → “{is}”", describe_window(recorded, node.hwnd)));
                }
            }
        }
        found
    }

    fn is_text_touched(&self, recorded: &Tree, node: &Node) -> bool {
        let is_of = |set: &HashSet<Window>, node: &Node| set.contains(&(node.hwnd, node.window_id));
        !node.is_masked()
            && (is_of(&self.texts, node)
                || recorded.ancestry(node.hwnd).iter().any(|above| is_of(&self.made, above)))
    }
}

/// Windows of a toolkit that nobody sees, and those that come and go by themselves, are not compared.
fn is_compared(tree: &Tree, node: &Node) -> bool {
    let is_hidden_helper = tree.top_level(node.hwnd).is_some_and(|top| top.visible() == Some(false));
    let class = node.class().map(|class| class.to_string_lossy().into_owned()).unwrap_or_default();
    node.is_known && !is_hidden_helper && !is_transient(&class)
}
