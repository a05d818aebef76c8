//! Whether a machine can be walked: SMID's checks, each complaint with the state and its line.

use super::{Machine, State};
use crate::text::{Complaint, Position};

/// Everything that is wrong, in the order of the file. No complaint: every walk can be continued
/// to a final state.
pub fn check(machine: &Machine) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let start = Position { line: 1, column: 1 };
    let mut missing = |is: fn(&State) -> bool, what: &str| {
        if !machine.states.iter().any(is) {
            complaints.push(Complaint {
                at: start,
                message: format!("there is no {what} state: name it with `{what}`"),
            });
        }
    };
    missing(|state| state.is_initial, "initial");
    missing(|state| state.is_final, "final");
    let (reached, distances) = (machine.reached(), machine.distances());
    for (number, state) in machine.states.iter().enumerate() {
        complaints.extend(about(machine, number, state, reached[number], distances[number].is_some()));
    }
    complaints.sort_by_key(|complaint| complaint.at);
    complaints
}

fn about(machine: &Machine, number: usize, state: &State, is_reached: bool, can_end: bool) -> Vec<Complaint> {
    let complaint =
        |at, message: String| Complaint { at, message: format!("state `{}` {message}", state.name) };
    let mut complaints = Vec::new();
    let mut hooks = |hooks: &[super::Hook], kind: &str| {
        if let [first, second, ..] = hooks {
            complaints.push(complaint(
                second.at,
                format!("has a second {kind} hook; the first is on line {}", first.at.line),
            ));
        }
    };
    hooks(&state.pre, "pre");
    hooks(&state.post, "post");
    if state.is_only_mentioned {
        complaints.push(complaint(state.at, "is unknown: no transition begins or ends there".into()));
        return complaints;
    }
    let has_way_out = machine.transitions.iter().any(|transition| transition.from == number);
    let has_way_in =
        machine.transitions.iter().any(|transition| transition.to == number && transition.from != number);
    if !state.is_final && !has_way_out {
        complaints.push(complaint(state.at, "is stuck: no transition leaves it".into()));
    } else if !can_end && machine.states.iter().any(|state| state.is_final) {
        complaints.push(complaint(state.at, "has no way to a final state".into()));
    }
    if !state.is_initial && !has_way_in {
        complaints
            .push(complaint(state.at, "has no way in: no transition from another state ends there".into()));
    } else if !is_reached && machine.states.iter().any(|state| state.is_initial) {
        complaints.push(complaint(state.at, "is not reached from any initial state".into()));
    }
    complaints
}
