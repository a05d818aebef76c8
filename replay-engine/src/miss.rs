//! The result of comparing one thing that a step should bring.

use crate::evidence::Compared;

/// A difference between the recording and the replay.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Miss {
    /// What was expected, in words.
    pub expected: String,
    /// What is there instead, in words.
    pub actual: String,
}

/// The result of one comparison.
#[derive(Debug, PartialEq)]
pub(crate) enum Comparison {
    /// It could not be compared.
    Skipped,
    /// It is as recorded.
    Same(Compared),
    /// It is not.
    Different(Miss),
}
