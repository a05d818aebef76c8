//! What people ask of usage: what is used most and never, along which paths, how long it takes, and
//! where it is given up.

use super::{Kind, Model, Predictor};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How a program is used.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Statistics {
    /// How many sessions.
    pub sessions: usize,
    /// How many steps in them.
    pub steps: usize,
    /// Features, the most used first.
    pub uses: Vec<Use>,
    /// Widgets that were there and that nobody used.
    pub never: Vec<String>,
    /// What is often done in one go, the most telling first.
    pub paths: Vec<Path>,
    /// Where users give up, the most frequent first.
    pub cancels: Vec<Cancel>,
    /// How uncertain the next step is in a first-order chain, in bits.
    pub entropy: f64,
}

/// How a feature is used.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Use {
    /// In words.
    pub label: String,
    /// How often.
    pub count: usize,
    /// In how many sessions.
    pub sessions: usize,
    /// Milliseconds until the next step, in the middle case; none if it was always the last.
    pub median: Option<u32>,
    /// In nine of ten cases at the most.
    pub ninth: Option<u32>,
}

/// Steps that are often done in a row.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Path {
    /// In words.
    pub labels: Vec<String>,
    /// How often.
    pub count: usize,
}

/// Where users give up.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Cancel {
    /// In which window.
    pub window: String,
    /// The last thing done before; none if it was the first.
    pub after: Option<String>,
    /// How often.
    pub count: usize,
    /// How many times something was done in that window and then left by any of its ways.
    pub steps: usize,
}

const MAX_PATH: usize = 6;
const MAX_PATHS: usize = 10;

/// Tells how a program is used.
pub fn statistics(model: &Model) -> Statistics {
    let sequences = model.sequences();
    Statistics {
        sessions: sequences.len(),
        steps: sequences.iter().map(Vec::len).sum(),
        uses: uses(model),
        never: never(model),
        paths: paths(model, &sequences),
        cancels: cancels(model),
        entropy: entropy(model, &sequences),
    }
}

fn uses(model: &Model) -> Vec<Use> {
    let mut times: Vec<Vec<u32>> = vec![Vec::new(); model.features.len()];
    let mut counts = vec![(0, BTreeSet::new()); model.features.len()];
    for (number, session) in model.sessions.iter().enumerate() {
        for (at, step) in session.steps.iter().enumerate() {
            let feature = step.feature as usize;
            counts[feature].0 += 1;
            counts[feature].1.insert(number);
            if at + 1 < session.steps.len() {
                times[feature].push(step.millis);
            }
        }
    }
    let mut uses: Vec<Use> = Vec::new();
    for ((feature, mut times), (count, sessions)) in model.features.iter().zip(times).zip(counts) {
        times.sort_unstable();
        let at = |tenths: usize| {
            times.get((times.len() * tenths / 10).min(times.len().saturating_sub(1))).copied()
        };
        uses.push(Use {
            label: feature.label.clone(),
            count,
            sessions: sessions.len(),
            median: at(5),
            ninth: at(9),
        });
    }
    uses.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.label.cmp(&b.label)));
    uses
}

fn never(model: &Model) -> Vec<String> {
    let used: BTreeSet<&str> = model.features.iter().map(|feature| feature.widget.as_str()).collect();
    model.offered.iter().filter(|widget| !used.contains(widget.as_str())).cloned().collect()
}

/// Rows of steps that occur more than once, longer and more frequent ones first; parts of a row that is told
/// are not told again.
fn paths(model: &Model, sequences: &[Vec<u32>]) -> Vec<Path> {
    let mut counts: HashMap<&[u32], usize> = HashMap::new();
    for sequence in sequences {
        for length in 2..=MAX_PATH {
            sequence.windows(length).for_each(|row| *counts.entry(row).or_default() += 1);
        }
    }
    let mut rows: Vec<(&[u32], usize)> = counts.into_iter().filter(|(_, count)| *count > 1).collect();
    rows.sort_by(|a, b| (b.1 * (b.0.len() - 1)).cmp(&(a.1 * (a.0.len() - 1))).then_with(|| a.0.cmp(b.0)));
    let mut told: Vec<(&[u32], usize)> = Vec::new();
    for (row, count) in rows {
        if told.len() == MAX_PATHS {
            break;
        }
        let is_part = |known: &[u32]| {
            let (long, short) = if known.len() >= row.len() { (known, row) } else { (row, known) };
            long.windows(short.len()).any(|part| part == short)
        };
        if !told.iter().any(|(known, _)| is_part(known)) {
            told.push((row, count));
        }
    }
    let label = |feature: &u32| model.features[*feature as usize].label.clone();
    told.into_iter().map(|(row, count)| Path { labels: row.iter().map(label).collect(), count }).collect()
}

fn cancels(model: &Model) -> Vec<Cancel> {
    let mut counts: BTreeMap<(u32, Option<u32>), usize> = BTreeMap::new();
    let mut steps: HashMap<u32, usize> = HashMap::new();
    for session in &model.sessions {
        for (at, step) in session.steps.iter().enumerate() {
            let feature = &model.features[step.feature as usize];
            *steps.entry(feature.window).or_default() += 1;
            if feature.is_cancel {
                let before = at.checked_sub(1).map(|before| session.steps[before].feature);
                *counts.entry((feature.window, before)).or_default() += 1;
            }
        }
    }
    let mut cancels: Vec<Cancel> = counts
        .into_iter()
        .map(|((window, before), count)| Cancel {
            window: model.windows[window as usize].clone(),
            after: before.map(|feature| model.features[feature as usize].label.clone()),
            count,
            steps: steps[&window],
        })
        .collect();
    cancels.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.window.cmp(&b.window)));
    cancels
}

/// The mean uncertainty of what comes next, over all places where users were.
fn entropy(model: &Model, sequences: &[Vec<u32>]) -> f64 {
    let chain = Predictor::of(model, Kind::Chain(1));
    let uncertainty = |history: &[u32]| -> f64 {
        let shares = chain.distribution(history);
        shares.into_iter().filter(|share| *share > 0.0).map(|share| -share * share.log2()).sum()
    };
    let start = uncertainty(&[]);
    let after: Vec<f64> = (0..model.features.len() as u32).map(|feature| uncertainty(&[feature])).collect();
    let places = sequences.iter().map(|steps| steps.len() + 1).sum::<usize>();
    let sum: f64 = sequences
        .iter()
        .map(|steps| start + steps.iter().map(|&step| after[step as usize]).sum::<f64>())
        .sum();
    if places == 0 { 0.0 } else { sum / places as f64 }
}
