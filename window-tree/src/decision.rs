//! Where a recorded window is now, and why: made to be printed.

use crate::score::DOUBTFUL;
use crate::sketch::Sketch;
use std::fmt;

/// The end of a search, with every step on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Where the window is.
    pub outcome: Outcome,
    /// What was looked at on each level, the top-level window first.
    pub steps: Vec<Step>,
}

/// Where a window is.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It was found.
    Match(Match),
    /// Several windows are as good as each other; acting on one of them would be a guess.
    Ambiguous {
        /// Their handles.
        candidates: Vec<u64>,
    },
    /// It is not there, or cannot be told from its neighbours.
    Absent {
        /// Why, in a sentence without its dot.
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
    /// How many points it is ahead of the next; 0 where the order among equals decided.
    pub margin: u8,
    /// The lowest score on the way to it, itself included; a level where nothing else could be meant counts as 3.
    pub weakest: u8,
    /// Whether only the order of creation told it, or a window above it, from its equals.
    pub by_order: bool,
}

impl Match {
    /// Whether a score on the way is below 3: to be told to the user.
    pub fn is_doubtful(self) -> bool {
        self.weakest < DOUBTFUL
    }
}

/// One level of the search.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What was looked for.
    pub wanted: Sketch,
    /// What came into question, the best first; only the first ones.
    pub candidates: Vec<Candidate>,
    /// How many came into question in all.
    pub total: usize,
    /// How it was decided, in words.
    pub because: String,
}

/// A window that came into question.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// What it is.
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
