//! From statements to states and transitions: sources are spelt out, files become one transition for each of
//! their lines, regions are looked up.

use super::syntax::{Destination, Name, Sources, Statement, Written, statements};
use super::{Act, Hook, Machine, Place, Probability, State, Transition};
use crate::target::Target;
use crate::text::{Complaint, Position};
use std::collections::{HashMap, HashSet};

/// More transitions than these are a mistake.
const MAX_TRANSITIONS: usize = 100_000;

/// Reads the file of a `line` action; the error says why it cannot.
pub type Files<'a> = dyn FnMut(&str) -> Result<String, String> + 'a;

/// Reads a state machine. `files` reads the files it names.
pub fn read(text: &str, files: &mut Files<'_>) -> Result<Machine, Complaint> {
    let statements = statements(text)?;
    let mut expansion =
        Expansion { machine: Machine::default(), numbers: HashMap::new(), regions: HashMap::new(), files };
    expansion.name_states(&statements);
    expansion.regions(&statements)?;
    for statement in &statements {
        if let Statement::Transition { sources, acts, destination, at } = statement {
            expansion.transition(sources, acts, destination, *at)?;
        }
    }
    let mut seen = HashSet::new();
    expansion
        .machine
        .transitions
        .retain(|it| seen.insert(format!("{} {} {:?} {:?}", it.from, it.to, it.acts, it.probability)));
    Ok(expansion.machine)
}

struct Expansion<'a, 'b> {
    machine: Machine,
    numbers: HashMap<String, usize>,
    regions: HashMap<String, [i32; 4]>,
    files: &'a mut Files<'b>,
}

impl Expansion<'_, '_> {
    fn state(&mut self, name: &Name) -> &mut State {
        let states = &mut self.machine.states;
        let number = *self.numbers.entry(name.text.clone()).or_insert_with(|| {
            states.push(State {
                name: name.text.clone(),
                at: name.at,
                is_only_mentioned: true,
                ..State::default()
            });
            states.len() - 1
        });
        &mut states[number]
    }

    fn name_states(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Initial(names) => names.iter().for_each(|name| self.state(name).is_initial = true),
                Statement::Final(names) => names.iter().for_each(|name| self.state(name).is_final = true),
                Statement::Region { .. } => {}
                Statement::Transition { sources, destination, .. } => {
                    let is_hook = matches!(destination, Destination::Pre | Destination::Post);
                    match sources {
                        Sources::These(names) if !is_hook => {
                            names.iter().for_each(|name| self.state(name).is_only_mentioned = false);
                        }
                        Sources::These(names) | Sources::AllExcept(names) => names.iter().for_each(|name| {
                            self.state(name);
                        }),
                    }
                    if let Destination::State(name) = destination {
                        self.state(name).is_only_mentioned = false;
                    }
                }
            }
        }
        for state in &mut self.machine.states {
            state.is_only_mentioned &= !state.is_initial && !state.is_final;
        }
    }

    fn regions(&mut self, statements: &[Statement]) -> Result<(), Complaint> {
        for statement in statements {
            let Statement::Region { name, area } = statement else { continue };
            if self.regions.insert(name.text.clone(), *area).is_some() {
                return Err(Complaint {
                    at: name.at,
                    message: format!("the region `{}` is declared twice", name.text),
                });
            }
        }
        Ok(())
    }

    fn transition(
        &mut self,
        sources: &Sources,
        written: &[Written],
        destination: &Destination,
        at: Position,
    ) -> Result<(), Complaint> {
        let alternatives = self.alternatives(written)?;
        let probability = written.iter().rev().find_map(|written| match written {
            Written::Probability(probability) => Some(*probability),
            _ => None,
        });
        let probability = probability.unwrap_or(Probability::Medium);
        let sources: Vec<usize> = match sources {
            Sources::These(names) => names.iter().map(|name| self.numbers[&name.text]).collect(),
            Sources::AllExcept(names) => {
                let is_meant = |state: &State| {
                    !state.is_final
                        && !state.is_only_mentioned
                        && !names.iter().any(|name| name.text == state.name)
                };
                (0..self.machine.states.len())
                    .filter(|&number| is_meant(&self.machine.states[number]))
                    .collect()
            }
        };
        for from in sources {
            let to = match destination {
                Destination::State(name) => self.numbers[&name.text],
                Destination::Stay => from,
                Destination::Pre => {
                    self.machine.states[from].pre.push(Hook { at, alternatives: alternatives.clone() });
                    continue;
                }
                Destination::Post => {
                    self.machine.states[from].post.push(Hook { at, alternatives: alternatives.clone() });
                    continue;
                }
            };
            if self.machine.transitions.len() + alternatives.len() > MAX_TRANSITIONS {
                return Err(Complaint { at, message: format!("more than {MAX_TRANSITIONS} transitions") });
            }
            self.machine.transitions.extend(alternatives.iter().map(|acts| Transition {
                from,
                to,
                acts: acts.clone(),
                probability,
                at,
            }));
        }
        Ok(())
    }

    /// The acts of a transition, once for each combination of lines.
    fn alternatives(&mut self, written: &[Written]) -> Result<Vec<Vec<Act>>, Complaint> {
        let mut alternatives = vec![Vec::new()];
        for written in written {
            match written {
                Written::Act(act) => alternatives.iter_mut().for_each(|acts| acts.push(act.clone())),
                Written::Probability(_) => {}
                Written::MoveTo(name) => {
                    let place = match self.regions.get(&name.text) {
                        Some(&area) => Place::Area { region: Some(name.text.clone()), area },
                        None if name.text == "focus" => Place::Widget(Target::Focus),
                        None => {
                            let message = format!("there is no region `{}`", name.text);
                            return Err(Complaint { at: name.at, message });
                        }
                    };
                    alternatives.iter_mut().for_each(|acts| acts.push(Act::Move(place.clone())));
                }
                Written::Line(file) => {
                    let wrong = |message: String| Complaint { at: file.at, message };
                    let text = (self.files)(&file.text)
                        .map_err(|why| wrong(format!("the file “{}” cannot be read: {why}", file.text)))?;
                    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
                    if lines.is_empty() {
                        return Err(wrong(format!("the file “{}” has no lines", file.text)));
                    }
                    if lines.len() * alternatives.len() > MAX_TRANSITIONS {
                        return Err(wrong(format!("more than {MAX_TRANSITIONS} transitions")));
                    }
                    let with = |acts: &Vec<Act>, line: &str| {
                        let act = Act::Text { text: line.into(), file: Some(file.text.clone()) };
                        acts.iter().cloned().chain([act]).collect()
                    };
                    alternatives = alternatives
                        .iter()
                        .flat_map(|acts| lines.iter().map(move |line| with(acts, line)))
                        .collect();
                }
            }
        }
        Ok(alternatives)
    }
}
