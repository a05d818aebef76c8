//! Walks that go where none has been: through all states, all transitions or all pairs of them, always to the
//! nearest one that is left.
//!
//! Whether that is possible at all is found out first. A final state ends a walk, so several may be needed.

use super::walk::{Walk, choose};
use super::{Machine, State};
use fastrand::Rng;
use std::collections::{BTreeSet, HashMap, VecDeque};

/// What is to be covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// Every state.
    States,
    /// Every transition.
    Transitions,
    /// Every two transitions that can follow each other.
    Pairs,
}

/// What is covered: a state, a transition, or two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Item {
    State(usize),
    Transition(usize),
    Pair(usize, usize),
}

/// Walks and what they cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walks {
    /// In the order in which they were found.
    pub walks: Vec<Walk>,
    /// How much there is, and how much of it was reached: always all.
    pub coverage: Coverage,
}

/// So many of so many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Covered.
    pub covered: usize,
    /// All that can be reached.
    pub all: usize,
}

/// Covers the goal with walks of at most `length` transitions beyond what leads to something new. The error
/// names what cannot be reached.
pub fn cover(machine: &Machine, goal: Goal, length: usize, rng: &mut Rng) -> Result<Walks, String> {
    let initial: Vec<usize> =
        (0..machine.states.len()).filter(|&state| machine.states[state].is_initial).collect();
    let distances = machine.distances();
    let mut open = items(machine, goal);
    let all = open.len();
    let search = Search { machine, goal };
    let reached = machine.reached();
    if let Some(item) =
        open.iter().find(|item| !search.is_reachable(&reached, **item) || !search.can_end(**item, &distances))
    {
        return Err(format!(
            "the walk would never end: {} cannot be reached on a way to a final state",
            search.name(*item)
        ));
    }
    let mut walks = Vec::new();
    while !open.is_empty() {
        let start = *initial
            .iter()
            .min_by_key(|&&start| {
                search.nearest(start, None, &open, &distances, rng).map_or(usize::MAX, |way| way.len())
            })
            .ok_or("there is no initial state")?;
        let mut walk = Walk { start, transitions: Vec::new() };
        let mut state = start;
        open.remove(&Item::State(start));
        while let Some(way) = search.nearest(state, walk.transitions.last().copied(), &open, &distances, rng)
        {
            if !walk.transitions.is_empty() && walk.transitions.len() + way.len() > length {
                break;
            }
            for taken in way {
                take(machine, &mut walk, &mut open, taken);
                state = machine.transitions[taken].to;
            }
        }
        while !machine.states[state].is_final {
            let nearer: Vec<usize> = machine
                .leaving(state)
                .filter(|&it| distances[machine.transitions[it].to] < distances[state])
                .collect();
            let taken = choose(machine, &nearer, rng).ok_or("there is no way to a final state")?;
            take(machine, &mut walk, &mut open, taken);
            state = machine.transitions[taken].to;
        }
        walks.push(walk);
    }
    Ok(Walks { walks, coverage: Coverage { covered: all - open.len(), all } })
}

fn take(machine: &Machine, walk: &mut Walk, open: &mut BTreeSet<Item>, taken: usize) {
    open.remove(&Item::Transition(taken));
    open.remove(&Item::State(machine.transitions[taken].to));
    if let Some(&last) = walk.transitions.last() {
        open.remove(&Item::Pair(last, taken));
    }
    walk.transitions.push(taken);
}

fn items(machine: &Machine, goal: Goal) -> BTreeSet<Item> {
    // What leaves a final state is never walked.
    let walked: Vec<usize> = (0..machine.transitions.len())
        .filter(|&it| !machine.states[machine.transitions[it].from].is_final)
        .collect();
    match goal {
        Goal::States => (0..machine.states.len()).map(Item::State).collect(),
        Goal::Transitions => walked.into_iter().map(Item::Transition).collect(),
        Goal::Pairs => {
            let follow = |a: usize, b: usize| machine.transitions[a].to == machine.transitions[b].from;
            let pairs = walked
                .iter()
                .flat_map(|&a| walked.iter().filter(move |&&b| follow(a, b)).map(move |&b| Item::Pair(a, b)));
            pairs.collect()
        }
    }
}

struct Search<'a> {
    machine: &'a Machine,
    goal: Goal,
}

impl Search<'_> {
    /// Whether some walk gets to it: no walk goes on from a final state.
    fn is_reachable(&self, reached: &[bool], item: Item) -> bool {
        match item {
            Item::State(state) => reached[state],
            Item::Transition(it) | Item::Pair(it, _) => reached[self.machine.transitions[it].from],
        }
    }

    fn can_end(&self, item: Item, distances: &[Option<usize>]) -> bool {
        let at = match item {
            Item::State(state) => state,
            Item::Transition(it) | Item::Pair(_, it) => self.machine.transitions[it].to,
        };
        distances[at].is_some()
    }

    /// The shortest way to something open, from which a final state can still be reached.
    fn nearest(
        &self,
        state: usize,
        last: Option<usize>,
        open: &BTreeSet<Item>,
        distances: &[Option<usize>],
        rng: &mut Rng,
    ) -> Option<Vec<usize>> {
        // Pairs depend on the transition before, the others on the state alone.
        let key = |state: usize, last: Option<usize>| match self.goal {
            Goal::Pairs => last.unwrap_or(usize::MAX),
            _ => state,
        };
        let mut came_by: HashMap<usize, (usize, Option<usize>)> =
            HashMap::from([(key(state, last), (usize::MAX, None))]);
        let mut queue = VecDeque::from([(state, last)]);
        while let Some((state, last)) = queue.pop_front() {
            if self.machine.states[state].is_final {
                continue;
            }
            let mut leaving: Vec<usize> = self.machine.leaving(state).collect();
            rng.shuffle(&mut leaving);
            for it in leaving {
                let to = self.machine.transitions[it].to;
                let is_new = match self.goal {
                    Goal::States => open.contains(&Item::State(to)),
                    Goal::Transitions => open.contains(&Item::Transition(it)),
                    Goal::Pairs => last.is_some_and(|last| open.contains(&Item::Pair(last, it))),
                };
                if is_new && distances[to].is_some() {
                    return Some(way(&came_by, key(state, last), it));
                }
                if let std::collections::hash_map::Entry::Vacant(entry) = came_by.entry(key(to, Some(it))) {
                    entry.insert((key(state, last), Some(it)));
                    queue.push_back((to, Some(it)));
                }
            }
        }
        None
    }

    fn name(&self, item: Item) -> String {
        let state = |state: usize| -> &State { &self.machine.states[state] };
        let transition = |it: usize| {
            let it = &self.machine.transitions[it];
            format!(
                "the transition from {} to {} (line {})",
                state(it.from).name,
                state(it.to).name,
                it.at.line
            )
        };
        match item {
            Item::State(it) => format!("the state {} (line {})", state(it).name, state(it).at.line),
            Item::Transition(it) => transition(it),
            Item::Pair(a, b) => format!("{} after {}", transition(b), transition(a)),
        }
    }
}

/// Back along the ways that were found, with the last transition at the end.
fn way(came_by: &HashMap<usize, (usize, Option<usize>)>, mut at: usize, last: usize) -> Vec<usize> {
    let mut way = vec![last];
    while let Some((before, Some(transition))) = came_by.get(&at) {
        way.push(*transition);
        at = *before;
    }
    way.reverse();
    way
}
