//! State machines in the language of SMID (Khazem and Tautschnig): which interactions are sensible in which
//! state of a program.
//!
//! | question | file |
//! |---|---|
//! | how is one written? | `syntax.rs` |
//! | which states and transitions does that come to? | `expand.rs` |
//! | is it sound? | `check.rs` |
//! | how does one walk through it? | `walk.rs`, `cover.rs` |
//! | what does a walk do to the program? | `session.rs` |
//! | how does it look? | `picture.rs` |

mod check;
mod cover;
mod expand;
mod picture;
mod session;
mod syntax;
mod walk;

pub use check::check;
pub use cover::{Coverage, Goal, Walks, cover};
pub use expand::{Files, read};
pub use picture::picture;
pub use session::session;
pub use walk::{Walk, walk};

use crate::event::{Action, Direction};
use crate::target::Target;
use crate::text::Position;
use crate::trace::Trace;

/// A state machine.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Machine {
    /// In the order in which they are named.
    pub states: Vec<State>,
    /// One for each source, destination and line of a file.
    pub transitions: Vec<Transition>,
}

/// A state of the program.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct State {
    /// Its name.
    pub name: String,
    /// Where it is named first.
    pub at: Position,
    /// Whether a walk may begin here.
    pub is_initial: bool,
    /// Whether a walk ends here.
    pub is_final: bool,
    /// What is done when it is entered.
    pub pre: Vec<Hook>,
    /// What is done when it is left.
    pub post: Vec<Hook>,
    /// Whether it is named only where it cannot be meant: in `all-except`, or before a hook.
    pub is_only_mentioned: bool,
}

/// What is done whenever a state is entered or left: one of these.
#[derive(Debug, Clone, PartialEq)]
pub struct Hook {
    /// Where it is written.
    pub at: Position,
    /// One for each line of a file.
    pub alternatives: Vec<Vec<Act>>,
}

/// A way from a state to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Transition {
    /// The place of its source among the states.
    pub from: usize,
    /// The place of its destination.
    pub to: usize,
    /// What is done.
    pub acts: Vec<Act>,
    /// How likely it is.
    pub probability: Probability,
    /// Where it is written.
    pub at: Position,
}

/// How likely a transition is, compared with others from the same state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "their names say it")]
pub enum Probability {
    Low,
    #[default]
    Medium,
    High,
}

/// What is done on the way.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// Keys, one after the other: typed or pressed.
    Keys(Vec<Action>),
    /// A text is typed, perhaps from a file.
    Text {
        /// The text.
        text: String,
        /// The file it is a line of.
        file: Option<String>,
    },
    /// The pointer goes somewhere.
    Move(Place),
    /// The pointer goes so far.
    MoveBy(i32, i32),
    /// So many clicks where the pointer is.
    Click(u32, Button),
    /// So far, where the pointer is.
    Scroll(u32, Direction),
    /// A command of the shell.
    Shell(String),
    /// The window with this title is the one from now on.
    Window(String),
    /// Something of the language of traces.
    Do(Trace),
}

/// A button of the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "their names say it")]
pub enum Button {
    Left,
    Right,
}

/// Where the pointer goes.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// Anywhere in a box, corners included.
    Area {
        /// The region's name.
        region: Option<String>,
        /// Left, top, right, bottom.
        area: [i32; 4],
    },
    /// A widget.
    Widget(Target),
}

impl Machine {
    /// The transitions that leave a state.
    pub fn leaving(&self, state: usize) -> impl Iterator<Item = usize> {
        (0..self.transitions.len()).filter(move |&transition| self.transitions[transition].from == state)
    }

    /// For each state, how many transitions it is to the nearest final one; none if there is no way.
    pub(crate) fn distances(&self) -> Vec<Option<usize>> {
        let mut distances: Vec<Option<usize>> =
            self.states.iter().map(|state| state.is_final.then_some(0)).collect();
        for distance in 0..self.states.len() {
            for transition in &self.transitions {
                if distances[transition.to] == Some(distance) && distances[transition.from].is_none() {
                    distances[transition.from] = Some(distance + 1);
                }
            }
        }
        distances
    }

    /// Which states a walk can get to; it ends in a final one.
    pub(crate) fn reached(&self) -> Vec<bool> {
        let mut reached: Vec<bool> = self.states.iter().map(|state| state.is_initial).collect();
        let mut open: Vec<usize> = (0..reached.len()).filter(|&state| reached[state]).collect();
        while let Some(state) = open.pop() {
            for transition in self.leaving(state).filter(|_| !self.states[state].is_final) {
                let to = self.transitions[transition].to;
                if !std::mem::replace(&mut reached[to], true) {
                    open.push(to);
                }
            }
        }
        reached
    }
}
