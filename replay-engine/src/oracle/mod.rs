//! What is compared beyond a step's own effects: all that the recording touched, a complete baseline, and
//! what a person expects.
//!
//! | question | file |
//! |---|---|
//! | which window is meant, in words? | `path.rs` |
//! | what is the whole state of an application? | `state.rs` |
//! | how do two states differ? | `compare.rs` |
//! | which differences do not count? | `rules.rs` |
//! | how is a baseline kept? | `baseline.rs` |
//! | what did the recording ever touch? | `relevant.rs` |
//! | what does a person expect? | `expectation.rs` |
//! | which files does the replay use instead of the recorded ones? | `map_file.rs` |

mod baseline;
mod compare;
mod expectation;
mod map_file;
mod path;
mod relevant;
mod rules;
mod state;

pub use baseline::Baseline;
pub use compare::{Difference, compare};
pub use expectation::{CrashExpected, Expectation};
pub use map_file::FileMap;
pub use path::WindowPath;
pub use relevant::Touched;
pub use rules::{Rule, Rules};
pub use state::{State, WindowState};

/// After which steps more than their effects is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Every {
    /// After every n-th step, and after the last.
    Steps(usize),
    /// After the last one only.
    Last,
}

impl Default for Every {
    fn default() -> Self {
        Self::Steps(1)
    }
}

impl Every {
    /// Whether the comparison is due after this step.
    pub fn is_due(self, step: usize, is_last: bool) -> bool {
        is_last || matches!(self, Self::Steps(every) if step.is_multiple_of(every.max(1)))
    }
}

impl std::str::FromStr for Every {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "last" => Ok(Self::Last),
            number => match number.parse() {
                Ok(steps @ 1..) => Ok(Self::Steps(steps)),
                _ => Err("a number of steps from 1, or `last`".into()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_step_is_always_compared() {
        let due = |every: &str| {
            let every: Every = every.parse().unwrap();
            (1..=7).filter(|&step| every.is_due(step, step == 7)).collect::<Vec<_>>()
        };
        assert_eq!(due("1"), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(due("3"), [3, 6, 7]);
        assert_eq!(due("last"), [7]);
        for bad in ["0", "-1", "", "first"] {
            assert!(bad.parse::<Every>().is_err(), "{bad}");
        }
    }
}
