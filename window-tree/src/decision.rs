//! Where a recorded window is now, and why, in a form that can be printed.

use crate::score::DOUBTFUL;
use crate::sketch::Sketch;
use std::fmt;

/// The result of a search, with all its steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Where the window is.
    pub outcome: Outcome,
    /// The steps of the search, one per level, the top-level window first.
    pub steps: Vec<Step>,
}

/// Where a window is.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The window was found.
    Match(Match),
    /// Several windows match equally well; to act on one of them would be a guess.
    Ambiguous {
        /// Their handles.
        candidates: Vec<u64>,
    },
    /// It does not exist, or cannot be distinguished from its neighbours.
    Absent {
        /// Why: a sentence without its full stop.
        reason: String,
    },
}

/// A window that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    /// Its handle.
    pub hwnd: u64,
    /// Its score in the paper's table.
    pub score: u8,
    /// By how many points it is ahead of the next candidate; 0 if the order of creation decided.
    pub margin: u8,
    /// The lowest score on the way to it, itself included; a level with no alternative counts as 3.
    pub weakest: u8,
    /// Whether only the order of creation told it, or a window above it, from its equals.
    pub by_order: bool,
}

impl Match {
    /// Whether a score on the way is below 3, which the user must be warned about.
    pub fn is_doubtful(self) -> bool {
        self.weakest < DOUBTFUL
    }
}

/// One level of the search.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The window that was searched for.
    pub wanted: Sketch,
    /// The best candidates, the best first.
    pub candidates: Vec<Candidate>,
    /// The number of candidates.
    pub total: usize,
    /// How the level was decided, in words.
    pub because: String,
}

/// A candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The window.
    pub sketch: Sketch,
    /// Its score in the paper's table.
    pub score: u8,
}

impl Decision {
    /// The match, if there is one.
    pub fn found(&self) -> Option<Match> {
        match self.outcome {
            Outcome::Match(found) => Some(found),
            _ => None,
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.outcome {
            Outcome::Match(found) => {
                write!(f, "match {:#x}: score {}, margin {}", found.hwnd, found.score, found.margin)?;
                if found.is_doubtful() {
                    write!(f, ", doubtful: a score on the way is {}", found.weakest)?;
                }
                writeln!(f)?;
            }
            Outcome::Ambiguous { candidates } => {
                let handles: Vec<String> = candidates.iter().map(|hwnd| format!("{hwnd:#x}")).collect();
                writeln!(f, "ambiguous: {}", handles.join(", "))?;
            }
            Outcome::Absent { reason } => writeln!(f, "absent: {reason}")?,
        }
        for Step { wanted, candidates, total, because } in &self.steps {
            writeln!(f, "  {wanted}: {because}")?;
            for Candidate { sketch, score } in candidates {
                writeln!(f, "    {score} {:#x} {sketch}", sketch.hwnd)?;
            }
            if *total > candidates.len() {
                writeln!(f, "    and {} more", total - candidates.len())?;
            }
        }
        Ok(())
    }
}
