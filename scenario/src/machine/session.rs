//! What a walk does to the program, as a trace: points are drawn, the pointer is followed, hooks are put in.

use super::{Act, Button, Machine, Place, Walk};
use crate::event::{Action, Event};
use crate::target::Target;
use crate::trace::Trace;
use fastrand::Rng;

/// The trace of a walk: what is done in the state before leaving it, on the way, and on entering the next.
pub fn session(machine: &Machine, walk: &Walk, rng: &mut Rng) -> Trace {
    let mut session = Session { pointer: Target::Focus, done: Vec::new() };
    let hook = |hooks: &[super::Hook], session: &mut Session, rng: &mut Rng| {
        for acts in
            hooks.iter().filter_map(|hook| rng.choice(&hook.alternatives)).cloned().collect::<Vec<_>>()
        {
            session.acts(&acts, rng);
        }
    };
    hook(&machine.states[walk.start].pre, &mut session, rng);
    for &transition in &walk.transitions {
        let transition = &machine.transitions[transition];
        // Who stays neither leaves nor enters.
        let goes = transition.from != transition.to;
        if goes {
            hook(&machine.states[transition.from].post, &mut session, rng);
        }
        session.acts(&transition.acts, rng);
        if goes {
            hook(&machine.states[transition.to].pre, &mut session, rng);
        }
    }
    Trace::sequence(session.done)
}

struct Session {
    /// Where the pointer is.
    pointer: Target,
    done: Vec<Trace>,
}

impl Session {
    fn event(&mut self, action: Action, target: Target) {
        self.done.push(Event::new(action, target).into());
    }

    fn acts(&mut self, acts: &[Act], rng: &mut Rng) {
        for (at, act) in acts.iter().enumerate() {
            self.act(act, rng);
            // A click and the wheel bring the pointer with them.
            let is_brought = matches!(acts.get(at + 1), Some(Act::Click(..) | Act::Scroll(..)));
            if matches!(act, Act::Move(_) | Act::MoveBy(..)) && !is_brought {
                self.event(Action::Hover, self.pointer.clone());
            }
        }
    }

    fn act(&mut self, act: &Act, rng: &mut Rng) {
        match act {
            Act::Keys(keys) => keys.iter().for_each(|key| self.event(key.clone(), Target::Focus)),
            Act::Text { text, .. } => self.event(Action::Type(text.clone()), Target::Focus),
            Act::Move(Place::Area { area: [left, top, right, bottom], .. }) => {
                self.pointer = Target::Point(rng.i32(*left..=*right), rng.i32(*top..=*bottom));
            }
            Act::Move(Place::Widget(target)) => self.pointer = target.clone(),
            Act::MoveBy(x, y) => {
                self.pointer = match self.pointer {
                    Target::Point(from_x, from_y) => {
                        Target::Point(from_x.saturating_add(*x), from_y.saturating_add(*y))
                    }
                    _ => Target::Point(*x, *y),
                }
            }
            Act::Click(times, button) => {
                let mut left = *times;
                while left > 0 {
                    let (action, taken) = match button {
                        Button::Left if left > 1 => (Action::DoubleClick(Vec::new()), 2),
                        Button::Left => (Action::Click(Vec::new()), 1),
                        Button::Right => (Action::RightClick(Vec::new()), 1),
                    };
                    self.event(action, self.pointer.clone());
                    left -= taken;
                }
            }
            Act::Scroll(lines, direction) => {
                self.event(Action::Scroll(*direction, *lines), self.pointer.clone());
            }
            Act::Shell(command) => self.event(Action::Shell(command.clone()), Target::Focus),
            Act::Window(title) => self.event(Action::Switch, Target::named(title)),
            Act::Do(trace) => self.done.push(trace.clone()),
        }
    }
}
