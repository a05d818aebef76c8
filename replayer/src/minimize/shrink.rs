//! Which steps can be left out: delta debugging over the steps of a recording.
//!
//! Larger pieces are tried first, then smaller ones, until no single step can go. What cannot be done without
//! a step goes with it: without the step that opens a dialog, nobody can do anything in it. So most
//! candidates are turned away before anything is replayed.

use std::collections::{HashMap, HashSet};
use steps::{EffectKind, Plan};

/// Numbers of steps, in order.
pub(super) type Steps = Vec<usize>;

/// Keeps of `all` what `fails` needs, and always the last. `fails` is asked about several candidates at once,
/// at most `width`, and answers with the place of the first that still fails, or none; or stops everything
/// with none inside.
pub(super) fn shrink(
    plan: &Plan,
    all: Steps,
    width: usize,
    mut fails: impl FnMut(&[Steps]) -> Option<Option<usize>>,
) -> Steps {
    let mut kept = all;
    let mut size = kept.len().div_ceil(2).max(1);
    loop {
        let mut has_shrunk = false;
        // From the end, where fewer other steps hang on each.
        let mut end = kept.len().saturating_sub(1);
        while end > 0 {
            let pieces = (0..width).map_while(|n| end.checked_sub(n * size).filter(|end| *end > 0));
            let candidates: Vec<(usize, Steps)> = pieces
                .filter_map(|end| Some((end, without(plan, &kept, end.saturating_sub(size)..end)?)))
                .collect();
            let steps: Vec<Steps> = candidates.iter().map(|(_, steps)| steps.clone()).collect();
            let Some(found) = (if steps.is_empty() { Some(None) } else { fails(&steps) }) else {
                return kept;
            };
            match found {
                Some(found) => {
                    let (at, steps) = &candidates[found];
                    let left = kept[..at.saturating_sub(size)].iter().filter(|step| steps.contains(step));
                    end = left.count();
                    kept = steps.clone();
                    has_shrunk = true;
                }
                None => end = end.saturating_sub(size * width),
            }
        }
        match size {
            1 if !has_shrunk => return kept,
            1 => {}
            _ => size = size.div_ceil(2),
        }
    }
}

/// The steps without some of them, and without those that cannot be done then; none if the
/// last is among these.
fn without(plan: &Plan, kept: &[usize], gone: std::ops::Range<usize>) -> Option<Steps> {
    let last = *kept.last()?;
    let wanted = kept.iter().enumerate().filter(|(i, _)| !gone.contains(i)).map(|(_, &step)| step);
    let steps = possible(plan, wanted);
    (steps.last() == Some(&last)).then_some(steps)
}

/// Those of some steps whose windows are there, and not behind a box that only a step that is missing closes.
fn possible(plan: &Plan, steps: impl Iterator<Item = usize>) -> Steps {
    let mut born: HashMap<u64, usize> = HashMap::new();
    for step in &plan.steps {
        for effect in step.effects.iter().filter(|effect| effect.what == EffectKind::Created) {
            born.insert(effect.window.window_id, step.number);
        }
    }
    let (mut done, mut disabled) = (HashSet::new(), HashSet::new());
    let mut possible = Vec::new();
    for number in steps {
        let Some(step) = plan.steps.get(number - 1) else { continue };
        let ancestry = &step.target.ancestry;
        let is_there =
            ancestry.iter().all(|window| born.get(&window.window_id).is_none_or(|by| done.contains(by)));
        if !is_there || ancestry.iter().any(|window| disabled.contains(&window.window_id)) {
            continue;
        }
        for effect in &step.effects {
            match effect.what {
                EffectKind::Disabled => drop(disabled.insert(effect.window.window_id)),
                EffectKind::Enabled => drop(disabled.remove(&effect.window.window_id)),
                _ => {}
            }
        }
        done.insert(number);
        possible.push(number);
    }
    possible
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording_file::read;
    use replay_engine::oracle::FileMap;
    use std::path::Path;

    fn recorded(name: &str) -> Plan {
        let steps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/recordings/steps");
        read(&steps.join(format!("{name}.dashcam")), &FileMap(Vec::new())).unwrap().plan
    }

    /// Shrinks a recording for which only some steps matter; what is left, and how many
    /// candidates were asked for.
    fn shrunk(plan: &Plan, needed: &[usize], width: usize) -> (Steps, usize) {
        let all: Steps = (1..=*needed.last().unwrap()).collect();
        let mut asked = 0;
        let left = shrink(plan, all, width, |candidates| {
            assert!(candidates.len() <= width);
            asked += candidates.len();
            Some(candidates.iter().position(|steps| needed.iter().all(|step| steps.contains(step))))
        });
        (left, asked)
    }

    #[test]
    fn what_is_needed_is_left_whatever_the_width() {
        let plan = recorded("invoice-crash");
        let alone: Steps = (1..=plan.steps.len()).collect();
        assert_eq!(possible(&plan, alone.iter().copied()), alone, "everything happened");
        for width in [1, 2, 4] {
            let last = plan.steps.len();
            let (left, asked) = shrunk(&plan, &[last], width);
            assert!(left.ends_with(&[last]) && left.len() < 6, "{left:?}");
            assert!(asked < 60, "{asked}");
            for &step in &left[..left.len() - 1] {
                let fewer = left.iter().copied().filter(|&other| other != step);
                assert_ne!(possible(&plan, fewer).last(), Some(&last), "step {step} could go: {left:?}");
            }
        }
    }

    #[test]
    fn nothing_is_done_in_a_dialog_that_was_not_opened() {
        let plan = recorded("dialogs");
        let inside = |step: &&steps::Step| step.target.window.is_dialog;
        let first = plan.steps.iter().find(inside).unwrap().number;
        let rest = (1..=plan.steps.len()).filter(|&step| step != first - 1);
        assert!(!possible(&plan, rest).contains(&first), "{first}");
    }

    #[test]
    fn a_budget_that_is_spent_ends_it() {
        let plan = recorded("invoice-crash");
        let all: Steps = (1..=plan.steps.len()).collect();
        assert_eq!(shrink(&plan, all.clone(), 2, |_| None), all);
    }
}
