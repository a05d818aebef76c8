//! A random walk, as SMID takes it: from an initial state along transitions that lead to no final one, and
//! then the nearest way to one.

use super::{Machine, Probability, Transition};
use fastrand::Rng;

/// A walk from an initial to a final state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk {
    /// The state it begins in.
    pub start: usize,
    /// The places of its transitions.
    pub transitions: Vec<usize>,
}

/// Walks so many transitions and then on to a final state. The machine has to be free of complaints; `None`
/// if it is not and the walk gets stuck.
pub fn walk(machine: &Machine, length: usize, rng: &mut Rng) -> Option<Walk> {
    let initial: Vec<usize> =
        (0..machine.states.len()).filter(|&state| machine.states[state].is_initial).collect();
    let start = *rng.choice(&initial)?;
    let mut walk = Walk { start, transitions: Vec::new() };
    let mut state = start;
    let distances = machine.distances();
    let ends = |transition: &Transition| machine.states[transition.to].is_final;
    while !machine.states[state].is_final {
        let leaving: Vec<usize> = machine.leaving(state).collect();
        let (last, others): (Vec<usize>, Vec<usize>) =
            leaving.iter().partition(|&&it| ends(&machine.transitions[it]));
        let from = match walk.transitions.len() >= length {
            true if !last.is_empty() => last,
            // SMID wanders on until it meets a final state; the nearest way is a way it could have wandered.
            true => leaving
                .into_iter()
                .filter(|&it| distances[machine.transitions[it].to] < distances[state])
                .collect(),
            false if others.is_empty() => last,
            false => others,
        };
        let taken = choose(machine, &from, rng)?;
        walk.transitions.push(taken);
        state = machine.transitions[taken].to;
    }
    Some(walk)
}

/// Draws from the lowest non-empty group; each higher one replaces the choice with 19 in 20.
/// Uniform inside a group.
pub(super) fn choose(machine: &Machine, from: &[usize], rng: &mut Rng) -> Option<usize> {
    let mut chosen = None;
    for group in [Probability::Low, Probability::Medium, Probability::High] {
        let of_group: Vec<usize> =
            from.iter().copied().filter(|&it| machine.transitions[it].probability == group).collect();
        if !of_group.is_empty() && (chosen.is_none() || rng.u8(..20) != 0) {
            chosen = Some(of_group);
        }
    }
    rng.choice(&chosen?).copied()
}
