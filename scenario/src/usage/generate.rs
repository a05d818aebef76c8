//! Sessions that follow from the use: they begin at the program's start, only do what was seen to follow, and
//! only in windows that were open then.

use super::{Kind, Model, Predictor, Session};
use crate::event::{Action, Event};
use crate::trace::Trace;
use fastrand::Rng;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// How the next step is chosen among those that are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Each as likely as any other.
    Random,
    /// As likely as the model says.
    Probable,
    /// What covers most of the use that is not covered yet.
    Greedy,
}

/// A session.
#[derive(Debug, Clone, PartialEq)]
pub struct Generated {
    /// Features, by their places.
    pub steps: Vec<u32>,
    /// Whether it ends where users ended, and not because it is long enough.
    pub is_ended: bool,
}

/// What can follow what, and which windows took input then.
#[derive(Debug)]
pub struct Executability {
    /// What was seen after a feature, or at the start, with how often.
    next: HashMap<Option<u32>, BTreeMap<u32, usize>>,
    /// Where a feature was used: its session, and the place behind it. None is the start.
    behind: HashMap<Option<u32>, Vec<(usize, usize)>>,
    sessions: Vec<Session>,
    windows: Vec<u32>,
    end: u32,
}

impl Executability {
    /// Learns from a model; only sessions that begin at the program's start say what is possible there.
    pub fn of(model: &Model) -> Self {
        let model = model.executable();
        let mut it = Self {
            next: HashMap::new(),
            behind: HashMap::new(),
            sessions: model.sessions.clone(),
            windows: model.features.iter().map(|feature| feature.window).collect(),
            end: model.features.len() as u32,
        };
        for (number, session) in model.sessions.iter().enumerate() {
            for at in 0..=session.steps.len() {
                let last = at.checked_sub(1).map(|at| session.steps[at].feature);
                if last.is_none() && !session.is_whole {
                    continue;
                }
                let symbol = session.steps.get(at).map_or(it.end, |step| step.feature);
                *it.next.entry(last).or_default().entry(symbol).or_default() += 1;
                if at < session.steps.len() {
                    it.behind.entry(last).or_default().push((number, at));
                }
            }
        }
        it
    }

    /// What may come next: seen after the last step, in a window that took input then. With how
    /// often it was seen.
    pub fn allowed(&self, history: &[u32]) -> Vec<(u32, usize)> {
        let open = self.open(history);
        let can = |feature: u32| feature == self.end || open.contains(&self.windows[feature as usize]);
        self.seen_after(history).filter(|(feature, _)| can(*feature)).collect()
    }

    /// What was seen after the last step, in whatever window, with how often.
    pub(super) fn seen_after(&self, history: &[u32]) -> impl Iterator<Item = (u32, usize)> + '_ {
        let next = self.next.get(&history.last().copied()).into_iter().flatten();
        next.map(|(&feature, &count)| (feature, count))
    }

    /// The symbol that ends a session.
    pub(super) fn end(&self) -> u32 {
        self.end
    }

    /// The windows that took input after the same steps, as many of them as ever came in this order: each
    /// time these came.
    fn open(&self, history: &[u32]) -> HashSet<u32> {
        let places = self.behind.get(&history.last().copied()).map_or(&[][..], Vec::as_slice);
        let in_common = |&(session, at): &(usize, usize)| {
            let steps = &self.sessions[session].steps[..at];
            let same =
                steps.iter().rev().zip(history.iter().rev()).take_while(|(a, b)| a.feature == **b).count();
            // The start of the program is a step that both have.
            let is_start = same == at && same == history.len() && self.sessions[session].is_whole;
            same + usize::from(is_start)
        };
        let longest = places.iter().map(in_common).max().unwrap_or(0);
        let mut like = places.iter().filter(|place| in_common(place) == longest);
        let windows = |&(session, at): &(usize, usize)| {
            self.sessions[session].steps[at].open.iter().copied().collect::<HashSet<u32>>()
        };
        let Some(first) = like.next() else { return HashSet::new() };
        like.fold(windows(first), |open, place| &open & &windows(place))
    }

    /// Whether a session does only what is allowed.
    pub fn allows(&self, steps: &[u32]) -> bool {
        (0..steps.len()).all(|at| self.allowed(&steps[..at]).iter().any(|(feature, _)| *feature == steps[at]))
    }
}

/// Makes so many sessions of at most so many steps. None if no log tells how a session begins.
pub fn generate(
    model: &Model,
    kind: Kind,
    way: Way,
    number: usize,
    length: usize,
    rng: &mut Rng,
) -> Vec<Generated> {
    let (can, predictor) = (Executability::of(model), Predictor::of(&model.executable(), kind));
    let mut covered = BTreeSet::new();
    let session = |covered: &mut BTreeSet<(Option<u32>, u32)>, rng: &mut Rng| {
        let (mut steps, mut is_ended) = (Vec::new(), false);
        while steps.len() < length && !is_ended {
            let allowed = can.allowed(&steps);
            let last = steps.last().copied();
            let chosen = match way {
                Way::Random => rng.choice(&allowed).map(|(feature, _)| *feature),
                Way::Probable => draw(&allowed, &predictor.distribution(&steps), rng),
                Way::Greedy => greedy(&can, &steps, &allowed, covered, length, rng),
            };
            match chosen {
                Some(feature) if feature == can.end => is_ended = true,
                Some(feature) => {
                    covered.insert((last, feature));
                    steps.push(feature);
                }
                None => break,
            }
        }
        Generated { steps, is_ended }
    };
    (0..number).map(|_| session(&mut covered, rng)).filter(|session| !session.steps.is_empty()).collect()
}

/// One of them, as likely as the model says among these.
pub(super) fn draw(allowed: &[(u32, usize)], shares: &[f64], rng: &mut Rng) -> Option<u32> {
    let share = |feature: u32| shares.get(feature as usize).copied().unwrap_or(0.0);
    let total: f64 = allowed.iter().map(|(feature, _)| share(*feature)).sum();
    let mut left = rng.f64() * total;
    for (feature, _) in allowed.iter().filter(|(feature, _)| share(*feature) > 0.0) {
        left -= share(*feature);
        if left <= 0.0 {
            return Some(*feature);
        }
    }
    allowed.last().map(|(feature, _)| *feature)
}

/// The first step on the way to the most use that is not covered, each further step counting for less.
fn greedy(
    can: &Executability,
    steps: &[u32],
    allowed: &[(u32, usize)],
    covered: &BTreeSet<(Option<u32>, u32)>,
    length: usize,
    rng: &mut Rng,
) -> Option<u32> {
    const DEPTH: usize = 4;
    let depth = DEPTH.min(length.saturating_sub(steps.len()));
    let best = allowed.iter().filter(|(feature, _)| *feature != can.end).map(|&(feature, count)| {
        let mut ahead = steps.to_vec();
        (gain(can, &mut ahead, feature, count, covered, depth), feature)
    });
    let best = best.max_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((gain, feature)) if gain > 0.0 => Some(feature),
        // Nothing new is near: on, as users would go.
        _ => {
            let total: usize = allowed.iter().map(|(_, count)| count).sum();
            let mut left = if total == 0 { return None } else { rng.usize(..total) };
            allowed.iter().find_map(|&(feature, count)| {
                let is_it = left < count;
                left = left.saturating_sub(count);
                is_it.then_some(feature)
            })
        }
    }
}

fn gain(
    can: &Executability,
    steps: &mut Vec<u32>,
    feature: u32,
    count: usize,
    covered: &BTreeSet<(Option<u32>, u32)>,
    depth: usize,
) -> f64 {
    let own = if covered.contains(&(steps.last().copied(), feature)) { 0.0 } else { count as f64 };
    if depth <= 1 {
        return own;
    }
    steps.push(feature);
    let next = can.allowed(steps);
    let ahead = next
        .iter()
        .filter(|(next, _)| *next != can.end)
        .map(|&(next, count)| gain(can, steps, next, count, covered, depth - 1))
        .fold(0.0, f64::max);
    steps.pop();
    own + 0.7 * ahead
}

/// All sessions of exactly so many steps, and whether there are more than `most`.
pub fn every(model: &Model, length: usize, most: usize) -> (Vec<Generated>, bool) {
    let can = Executability::of(model);
    let (mut found, mut open) = (Vec::new(), vec![Vec::new()]);
    while let Some(steps) = open.pop() {
        if steps.len() == length {
            if found.len() == most {
                return (found, true);
            }
            found.push(Generated { steps, is_ended: false });
            continue;
        }
        for (feature, _) in can.allowed(&steps).into_iter().rev().filter(|(feature, _)| *feature != can.end) {
            let mut longer = steps.clone();
            longer.push(feature);
            open.push(longer);
        }
    }
    (found, false)
}

impl Generated {
    /// As a trace, with texts and items as users gave them. An item that users made by typing it is taken
    /// only if it was typed; else any item will do.
    pub fn trace(&self, model: &Model, rng: &mut Rng) -> Trace {
        let typed = |event: &Event| match &event.action {
            Action::Type(text) => Some(text.clone()),
            _ => None,
        };
        let made: HashSet<String> =
            model.features.iter().flat_map(|feature| feature.examples.iter().filter_map(typed)).collect();
        let mut here: HashSet<String> = HashSet::new();
        let events = self.steps.iter().map(|&step| {
            let feature = &model.features[step as usize];
            let is_there = |event: &&Event| match &event.action {
                Action::Select(path) => path.iter().all(|text| !made.contains(text) || here.contains(text)),
                _ => true,
            };
            let possible: Vec<&Event> = feature.examples.iter().filter(is_there).collect();
            let event = rng.choice(&possible).map_or(&feature.event, |event| *event).clone();
            here.extend(typed(&event));
            Trace::from(event)
        });
        Trace::sequence(events.collect::<Vec<_>>())
    }
}
