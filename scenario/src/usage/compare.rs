//! How the use of one version differs from that of another.

use super::Model;
use std::collections::BTreeMap;

/// What is different.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Comparison {
    /// Features, those whose share changed most first. Shares are of all steps, from 0 to 1.
    pub features: Vec<Change>,
    /// The same for two steps in a row.
    pub transitions: Vec<Change>,
    /// How different the use of features is: 0 for the same, 1 for nothing in common (Jensen and
    /// Shannon, in bits).
    pub divergence: f64,
    /// The same for two steps in a row.
    pub transition_divergence: f64,
}

/// A share that has changed.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Change {
    /// In words.
    pub label: String,
    /// In the first.
    pub before: f64,
    /// In the second.
    pub after: f64,
}

/// Compares the use of two versions; features are the same if they are called and identified the same.
pub fn compare(first: &Model, second: &Model) -> Comparison {
    let (features, divergence) = changes(&counts(first, 1), &counts(second, 1));
    let (transitions, transition_divergence) = changes(&counts(first, 2), &counts(second, 2));
    Comparison { features, transitions, divergence, transition_divergence }
}

fn counts(model: &Model, length: usize) -> BTreeMap<String, (String, usize)> {
    let mut counts: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for steps in model.sequences() {
        for row in steps.windows(length) {
            let features = row.iter().map(|&step| &model.features[step as usize]);
            let key = |feature: &super::Feature| {
                format!("{} @ {}", feature.event, model.windows[feature.window as usize])
            };
            let name: Vec<String> = features.clone().map(key).collect();
            let label: Vec<&str> = features.map(|feature| feature.label.as_str()).collect();
            counts.entry(name.join(" > ")).or_insert_with(|| (label.join(" → "), 0)).1 += 1;
        }
    }
    counts
}

fn changes(
    first: &BTreeMap<String, (String, usize)>,
    second: &BTreeMap<String, (String, usize)>,
) -> (Vec<Change>, f64) {
    let total = |counts: &BTreeMap<String, (String, usize)>| {
        counts.values().map(|(_, n)| *n).sum::<usize>().max(1) as f64
    };
    let (totals, keys) = (
        (total(first), total(second)),
        first.keys().chain(second.keys().filter(|key| !first.contains_key(*key))),
    );
    let mut divergence = 0.0;
    let mut changes: Vec<Change> = keys
        .map(|key| {
            let share = |counts: &BTreeMap<String, (String, usize)>, total: f64| {
                counts.get(key).map_or(0.0, |(_, n)| *n as f64 / total)
            };
            let (before, after) = (share(first, totals.0), share(second, totals.1));
            let middle = (before + after) / 2.0;
            let part = |share: f64| if share > 0.0 { share * (share / middle).log2() / 2.0 } else { 0.0 };
            divergence += part(before) + part(after);
            let label = first
                .get(key)
                .or_else(|| second.get(key))
                .map(|(label, _)| label.clone())
                .unwrap_or_default();
            Change { label, before, after }
        })
        .collect();
    changes.sort_by(|a, b| {
        (b.after - b.before).abs().total_cmp(&(a.after - a.before).abs()).then_with(|| a.label.cmp(&b.label))
    });
    (changes, divergence)
}
