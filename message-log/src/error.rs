//! Why a log cannot be read at all. Everything less is damage.

use std::io;

/// A refusal.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file could not be read.
    #[error("cannot read {name}: {cause}")]
    Io {
        /// Which part of the log.
        name: String,
        /// What the system said.
        cause: io::Error,
    },
    /// A later format.
    #[error(
        "{name} is written in format version {found}, this program reads up to version {known}: use a newer dashcam"
    )]
    NewerVersion {
        /// Which part of the log.
        name: String,
        /// Its version.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// An exported file that is no harmless exported file.
    #[error("{name} is refused: {reason}")]
    Refused {
        /// Which part of the log.
        name: String,
        /// Why.
        reason: String,
    },
    /// An export asked of a log without a session.
    #[error("there is no session to export")]
    NoSession,
    /// The output could not be written.
    #[error("cannot write the export: {0}")]
    Write(io::Error),
}
