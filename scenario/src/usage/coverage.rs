//! How much of the use a suite covers: what is used often weighs much, what nobody does weighs nothing.

use std::collections::{BTreeMap, BTreeSet};

/// A part of the use.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Share {
    /// How many steps in a row are looked at: 1 for features, 2 for transitions, and so on.
    pub length: usize,
    /// How many different ones are covered.
    pub covered: usize,
    /// Of how many.
    pub all: usize,
    /// The part of all use that they are, from 0 to 1.
    pub weight: f64,
    /// The most used one that is not covered.
    pub missing: Option<Vec<u32>>,
}

/// What a suite covers of the use, for rows of one to `longest` steps.
pub fn coverage(usage: &[Vec<u32>], suite: &[Vec<Option<u32>>], longest: usize) -> Vec<Share> {
    (1..=longest)
        .map(|length| {
            let mut weights: BTreeMap<&[u32], usize> = BTreeMap::new();
            usage
                .iter()
                .flat_map(|steps| steps.windows(length))
                .for_each(|row| *weights.entry(row).or_default() += 1);
            let rows = suite.iter().flat_map(|steps| steps.windows(length));
            let covered: BTreeSet<Vec<u32>> = rows.filter_map(|row| row.iter().copied().collect()).collect();
            let total: usize = weights.values().sum();
            let reached = weights.iter().filter(|(row, _)| covered.contains(**row));
            let (count, weight) =
                reached.fold((0, 0), |(count, weight), (_, times)| (count + 1, weight + times));
            let missing =
                weights.iter().filter(|(row, _)| !covered.contains(**row)).max_by_key(|(_, times)| **times);
            Share {
                length,
                covered: count,
                all: weights.len(),
                weight: if total == 0 { 0.0 } else { weight as f64 / total as f64 },
                missing: missing.map(|(row, _)| row.to_vec()),
            }
        })
        .collect()
}
