//! Whether a step had its effects: what the recording shows of it, held against the live windows, by matching
//! instead of handles.

use crate::commands::Commands;
use crate::driver::{Answer, Driver, Question};
use crate::evidence::Compared;
use crate::expect;
use crate::live_windows::{LiveWindows, Lookup, is_visible};
use crate::miss::{Comparison, Miss};
use crate::opened::{self, Renamings};
use crate::oracle::Rules;
use crate::text::{describe_window, same_text, text_of};
use std::collections::{BTreeMap, BTreeSet};
use steps::{Action, Effect, EffectKind, Step};
use window_tree::{Change, ChangeKind, Node, Property, Tree, diff_pairs};

/// What is expected of a step, with what was before it.
pub(crate) struct Expected<'a> {
    step: &'a Step,
    effects: Vec<(&'a Effect, Before)>,
    /// The live top-level windows before the step.
    tops: BTreeSet<(u64, u64)>,
    /// The commands it brings.
    pub commands: Commands,
    /// Whether a text that the step changes may become any other: what is volatile is not known yet while a
    /// baseline is captured, and what it should be is in the baseline once there is one.
    pub takes_any_text: bool,
    /// What has another name in this run.
    renamings: Renamings,
}

/// The live window of an effect before the step.
struct Before {
    window: Option<(u64, u64)>,
    text: Option<String>,
}

/// More differences say nothing more.
const MAX_DIFFERENCES: usize = 20;

impl<'a> Expected<'a> {
    /// Before the step.
    pub(crate) fn of(
        step: &'a Step,
        recorded: &Tree,
        live_windows: &mut LiveWindows,
        driver: &mut dyn Driver,
        rules: &Rules,
    ) -> Self {
        let counts =
            |effect: &&Effect| !rules.ignores(recorded, effect.window.hwnd, expect::property(effect));
        let effects = step.effects.iter().filter(|effect| expect::is_expected(effect)).filter(counts);
        let before = |effect: &'a Effect| {
            let is_new = effect.what == EffectKind::Created;
            let hwnd = if is_new { None } else { live_windows.find(recorded, effect.window.hwnd).hwnd() };
            let node = hwnd.and_then(|hwnd| live_windows.tree().get(hwnd));
            let text = match &effect.what {
                EffectKind::Renamed { .. } => node.map(name),
                EffectKind::Text { .. } => hwnd.and_then(|hwnd| text_of(driver, hwnd)),
                _ => None,
            };
            (effect, Before { window: node.map(|node| (node.hwnd, node.window_id)), text })
        };
        let effects = effects.map(before).collect();
        let tops = live_windows.tree().children(0).map(|node| (node.hwnd, node.window_id)).collect();
        let opens = |effect: &Effect| matches!(effect.what, EffectKind::Created | EffectKind::Shown);
        let renamings = match step.effects.iter().any(opens) {
            true => Renamings::of(recorded, live_windows),
            false => Renamings::default(),
        };
        Self { step, effects, tops, commands: Commands::default(), takes_any_text: false, renamings }
    }

    /// After the step: all that is not as it was recorded, and what the rest shows. `was` and `after` are the
    /// recorded windows before and after it.
    pub(crate) fn compare(
        &self,
        (was, after): (&Tree, &Tree),
        live_windows: &mut LiveWindows,
        driver: &mut dyn Driver,
        rules: &Rules,
    ) -> (Vec<Miss>, Compared) {
        let (mut misses, mut compared) = self.commands.compare(driver);
        for (effect, before) in &self.effects {
            let found = match compare(effect, before, (was, after), live_windows, driver, self.takes_any_text)
            {
                Comparison::Same(_) if self.opens(effect, after) => {
                    let texts = opened::Texts { recorded: after, renamings: &self.renamings, rules };
                    texts.compare(effect.window.hwnd, live_windows, driver)
                }
                found => found,
            };
            match found {
                Comparison::Skipped => {}
                Comparison::Same(shown) => {
                    compared.window |= shown.window;
                    compared.opened |= shown.opened;
                }
                Comparison::Different(miss) => {
                    // A rule may name the live window, which has another name or another place
                    // among those alike.
                    let live = live_windows.find(after, effect.window.hwnd).hwnd();
                    let property = expect::property(effect);
                    if live.is_none_or(|live| !rules.ignores(live_windows.tree(), live, property)) {
                        misses.push(miss);
                    }
                }
            }
        }
        match self.check_state(was, live_windows, driver) {
            Comparison::Skipped => {}
            Comparison::Same(shown) => compared.state |= shown.state,
            Comparison::Different(miss) => misses.push(miss),
        }
        misses.extend(unexpected_modals(after, live_windows, |node| {
            !self.tops.contains(&(node.hwnd, node.window_id))
        }));
        (misses, compared)
    }

    /// Whether a window opens whose texts are compared: a new one, or a hidden one that is shown now.
    fn opens(&self, effect: &Effect, after: &Tree) -> bool {
        let is_top = || after.get(effect.window.hwnd).is_some_and(|node| node.parent() == 0);
        !self.takes_any_text
            && match effect.what {
                EffectKind::Created => true,
                EffectKind::Shown => is_top(),
                _ => false,
            }
    }

    /// Whether a check box has the state it was given.
    fn check_state(&self, was: &Tree, live_windows: &mut LiveWindows, driver: &mut dyn Driver) -> Comparison {
        let Action::SetCheck { state, .. } = self.step.action else { return Comparison::Skipped };
        let hwnd = live_windows.find(was, self.step.target.hwnd()).hwnd();
        match hwnd.map(|hwnd| (hwnd, driver.ask(hwnd, &Question::Checked))) {
            Some((hwnd, Ok(Answer::Number(now)))) if now.cast_unsigned() != state => {
                let name = describe_window(live_windows.tree(), hwnd);
                Comparison::Different(Miss {
                    expected: format!("{name} has check state {state}"),
                    actual: format!("it has {now}"),
                })
            }
            Some((_, Ok(Answer::Number(_)))) => {
                Comparison::Same(Compared { state: true, ..Compared::default() })
            }
            _ => Comparison::Skipped,
        }
    }
}

/// Modal windows that are not recorded.
pub(crate) fn unexpected_modals(
    recorded: &Tree,
    live_windows: &mut LiveWindows,
    is_asked: impl Fn(&Node) -> bool,
) -> Vec<Miss> {
    let tree = live_windows.tree();
    let is_box = |node: &&Node| is_asked(node) && is_visible(tree, node.hwnd) && tree.is_modal(node.hwnd);
    let boxes: Vec<u64> = tree.children(0).filter(is_box).map(|node| node.hwnd).collect();
    if boxes.is_empty() {
        return Vec::new();
    }
    let tops = recorded.children(0).map(|node| node.hwnd);
    let known: BTreeSet<u64> = tops.filter_map(|hwnd| live_windows.find(recorded, hwnd).hwnd()).collect();
    let miss = |hwnd| Miss {
        expected: "no other modal window".into(),
        actual: format!("{} appeared", describe_window(live_windows.tree(), hwnd)),
    };
    boxes.into_iter().filter(|hwnd| !known.contains(hwnd)).map(miss).collect()
}

/// Holds one effect against the live windows.
fn compare(
    effect: &Effect,
    before: &Before,
    (was, after): (&Tree, &Tree),
    live_windows: &mut LiveWindows,
    driver: &mut dyn Driver,
    takes_any_text: bool,
) -> Comparison {
    let Some(expected) = expect::describe(effect) else { return Comparison::Skipped };
    let different = |actual: String| Comparison::Different(Miss { expected: expected.clone(), actual });
    let same = || Comparison::Same(Compared { window: true, ..Compared::default() });
    let recorded = effect.window.hwnd;
    // Helpers that nobody sees are the toolkit's, and may come and go at other times.
    let seen_in = if effect.what == EffectKind::Destroyed { was } else { after };
    let is_hidden = |node: &Node| node.parent() == 0 && node.visible() == Some(false);
    let is_life = matches!(effect.what, EffectKind::Created | EffectKind::Destroyed);
    if is_life && seen_in.get(recorded).is_some_and(is_hidden) {
        return Comparison::Skipped;
    }
    if effect.what == EffectKind::Destroyed {
        let Some((hwnd, window_id)) = before.window else { return Comparison::Skipped };
        let is_there = live_windows.tree().get(hwnd).is_some_and(|node| node.window_id == window_id);
        return match is_there {
            true => different(format!("{} is still there", describe_window(live_windows.tree(), hwnd))),
            false => same(),
        };
    }
    let hwnd = match live_windows.find(after, recorded) {
        Lookup::Found(hwnd, _) => hwnd,
        Lookup::NotFound(decision) => return different(format!("{decision}").trim_end().into()),
        // Not there at the end of the step, or hardly known: nothing to compare.
        Lookup::NotRecorded => return Comparison::Skipped,
    };
    let tree = live_windows.tree();
    let Some(node) = tree.get(hwnd) else { return Comparison::Skipped };
    let state = |is: Option<bool>, should: bool, words: [&str; 2]| match is {
        None => Comparison::Skipped,
        Some(is) if is == should => same(),
        Some(_) => different(format!("it is {}", words[usize::from(should)])),
    };
    // A text that was another one before, and now is another one again, is let pass: it shows nothing.
    let text = |from: Option<&str>, to: &str, now: &str, actual: String| {
        let is_other = match (takes_any_text, &before.text) {
            (true, Some(before)) => !same_text(to, now) && before == now,
            (_, before) => is_other_text(from, to, before.as_deref(), now),
        };
        match is_other {
            true => different(actual),
            false if !same_text(to, now) => Comparison::Skipped,
            false => same(),
        }
    };
    match &effect.what {
        EffectKind::Created if is_visible(after, recorded) && !is_visible(tree, hwnd) => {
            different("it is hidden".into())
        }
        EffectKind::Created => same(),
        EffectKind::Enabled => state(node.enabled(), true, ["enabled", "disabled"]),
        EffectKind::Disabled => state(node.enabled(), false, ["enabled", "disabled"]),
        EffectKind::Shown => state(node.visible(), true, ["shown", "hidden"]),
        EffectKind::Hidden => state(node.visible(), false, ["shown", "hidden"]),
        EffectKind::Renamed { from, to } => {
            let now = name(node);
            text(from.as_deref(), to, &now, format!("it is called “{now}”"))
        }
        EffectKind::Text { to } => {
            let Some(now) = text_of(driver, hwnd) else { return Comparison::Skipped };
            let from = was.get(recorded).and_then(|node| node.own_text()).map(ToString::to_string);
            text(from.as_deref(), to, &now, format!("it has the text “{now}”"))
        }
        EffectKind::Destroyed | EffectKind::Command { .. } => Comparison::Skipped,
    }
}

/// Whether a text is another one than it should be. Where it was another one before too (another language,
/// another document), it must have changed.
fn is_other_text(from: Option<&str>, to: &str, before: Option<&str>, now: &str) -> bool {
    if same_text(to, now) {
        return false;
    }
    let was_same = match (from, before) {
        (Some(from), Some(before)) => same_text(from, before),
        _ => false,
    };
    was_same || before.is_some_and(|before| before == now && from.is_some_and(|from| from != to))
}

fn name(node: &Node) -> String {
    node.name().map(ToString::to_string).unwrap_or_default()
}

/// How the live windows differ from the recorded ones; of windows that came or went together, the highest.
pub(crate) fn differences(recorded: &Tree, live_windows: &mut LiveWindows) -> Vec<String> {
    let mut pairs: BTreeMap<u64, u64> = BTreeMap::new();
    let mut is_vague = false;
    for (_, node) in recorded.walk() {
        match live_windows.find(recorded, node.hwnd) {
            Lookup::Found(hwnd, _) => drop(pairs.insert(node.hwnd, hwnd)),
            Lookup::NotFound(_) => {}
            // Where the log does not tell all windows, those that are more may be these.
            Lookup::NotRecorded => is_vague = true,
        }
    }
    let live = live_windows.tree();
    let changes = diff_pairs(recorded, live, |node| pairs.get(&node.hwnd).copied());
    let of = |wanted: ChangeKind| {
        changes.iter().filter(move |c| c.what == wanted).map(|c| c.hwnd).collect::<BTreeSet<u64>>()
    };
    let (gone, new) = (of(ChangeKind::Destroyed), of(ChangeKind::Created));
    let told = |Change { hwnd, what, .. }: &Change| match what {
        ChangeKind::Destroyed => {
            let node = recorded.get(*hwnd)?;
            let is_told = node.is_known && !gone.contains(&node.parent()) && is_visible(recorded, *hwnd);
            is_told.then(|| format!("- {}", describe_window(recorded, *hwnd)))
        }
        ChangeKind::Created => {
            let parent = live.get(*hwnd)?.parent();
            let is_new = !new.contains(&parent) && (parent == 0 || !is_vague);
            (is_new && is_visible(live, *hwnd)).then(|| format!("+ {}", describe_window(live, *hwnd)))
        }
        ChangeKind::Set { property, old, new } => {
            let is_told = matches!(property, Property::Visible | Property::Enabled | Property::Name);
            let is_known = old.is_some() && new.is_some();
            let change = Change { hwnd: *hwnd, window_id: 0, what: what.clone() }.to_string();
            let change = change.split_once(' ').map_or("", |(_, change)| change);
            (is_told && is_known).then(|| format!("~ {}: {change}", describe_window(live, *hwnd)))
        }
    };
    changes.iter().filter_map(told).take(MAX_DIFFERENCES).collect()
}
