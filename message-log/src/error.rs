//! Why a log cannot be read at all. Everything less severe is damage.

use std::io;

/// A refusal to read or to export.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file could not be read.
    #[error("cannot read {name}: {cause}")]
    Io {
        /// Which part of the log.
        name: String,
        /// The system's message.
        cause: io::Error,
    },
    /// A newer format than this program knows.
    #[error(
        "{name} is written in format version {found}, this program reads up to version {known}: use a newer dashcam"
    )]
    NewerVersion {
        /// Which part of the log.
        name: String,
        /// Its version.
        found: u32,
        /// The newest version this program reads.
        known: u32,
    },
    /// An exported file that violates a limit; no export of ours does.
    #[error("{name} is refused: {reason}")]
    Refused {
        /// Which part of the log.
        name: String,
        /// Why.
        reason: String,
    },
    /// An export was requested of a log without a session.
    #[error("there is no session to export")]
    NoSession,
    /// The output could not be written.
    #[error("cannot write the export: {0}")]
    Write(io::Error),
}
