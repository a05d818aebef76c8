//! The levels of comparison as an option of the command line.

use replay_engine::Level;

/// How much of the windows is compared after each step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum LevelArgument {
    /// What the step changed.
    #[default]
    Changed,
    /// Besides, every window and property that the recording ever touched.
    Relevant,
    /// Besides, every property that can be read, as in a baseline.
    Complete,
}

impl From<LevelArgument> for Level {
    fn from(argument: LevelArgument) -> Self {
        match argument {
            LevelArgument::Changed => Self::Changed,
            LevelArgument::Relevant => Self::Relevant,
            LevelArgument::Complete => Self::Complete,
        }
    }
}
