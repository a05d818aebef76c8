//! One difference between what a step should bring and what it brought.

/// A difference between the recording and the replay.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Miss {
    /// What was expected, in words.
    pub expected: String,
    /// What is there instead, in words.
    pub actual: String,
}
