//! What is wrong with a log, and where. Damage is data: reading continues after it.

use std::fmt;

/// A place in a log.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Place {
    /// The file.
    pub name: String,
    /// Byte offset: in the file, or in its UTF-8 form where the file is UTF-16.
    pub offset: u64,
    /// The line, from 1; 0 if the file has no lines.
    pub line: u64,
}

/// One defect of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// Where it begins.
    pub place: Place,
    /// What it is.
    pub kind: DamageKind,
}

/// A kind of damage.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DamageKind {
    /// Bytes between records that belong to no record.
    #[error("{bytes} unreadable bytes")]
    Junk {
        /// How many.
        bytes: u64,
    },
    /// The log ends inside a record.
    #[error("truncated inside {}", record_of(element))]
    Cut {
        /// The element's name, as far as it was written; empty if the file has none.
        element: String,
    },
    /// A record without an end tag: the next record begins.
    #[error("a <{element}> without an end tag")]
    MissingEnd {
        /// The element.
        element: String,
    },
    /// A record longer than any that is written.
    #[error("a record longer than {limit} bytes")]
    TooLong {
        /// The length limit of a record.
        limit: usize,
    },
    /// A record that is not XML, or lacks a mandatory attribute.
    #[error("an unreadable <{element}>: {reason}")]
    Unreadable {
        /// The element.
        element: String,
        /// Why.
        reason: String,
    },
    /// A record of a kind this version does not know.
    #[error("an unknown <{element}>")]
    UnknownElement {
        /// The element.
        element: String,
    },
    /// A fact this version does not know; kept as text.
    #[error("an unknown fact \"{name}\"")]
    UnknownParam {
        /// Its name.
        name: String,
    },
    /// A fact whose value is not of its type; kept as text.
    #[error("\"{name}\" has a value of the wrong type")]
    WrongType {
        /// Its name.
        name: String,
    },
    /// Bytes that are not valid text; they are replaced.
    #[error("text that is not valid {encoding}")]
    BadText {
        /// The expected encoding.
        encoding: &'static str,
    },
    /// A keyframe with fewer windows than it states.
    #[error("a keyframe with {found} of {expected} windows")]
    ShortKeyframe {
        /// The number of windows read.
        found: usize,
        /// The number of windows stated.
        expected: usize,
    },
    /// A segment that was read before.
    #[error("segment {number} is a duplicate")]
    DuplicateSegment {
        /// Its number.
        number: u64,
    },
    /// A segment that comes after a later one.
    #[error("segment {number} out of order")]
    SegmentOutOfOrder {
        /// Its number.
        number: u64,
    },
    /// Missing segments: deleted by rotation, or lost.
    #[error("segments {first} to {last} are gone")]
    SegmentsGone {
        /// The first.
        first: u64,
        /// The last.
        last: u64,
    },
    /// Records that were read before; they are left out.
    #[error("{count} duplicate records of thread {thread}, from {first} on")]
    DuplicateRecords {
        /// Their thread.
        thread: u32,
        /// The sequence number of the first one.
        first: u64,
        /// How many.
        count: u64,
    },
    /// Records that come after later ones.
    #[error("{count} records of thread {thread} out of order, from {first} on")]
    RecordsOutOfOrder {
        /// Their thread.
        thread: u32,
        /// The sequence number of the first one.
        first: u64,
        /// How many.
        count: u64,
    },
    /// Missing records that no gap explains.
    #[error("records {first} to {last} of thread {thread} are missing")]
    RecordsMissing {
        /// Their thread.
        thread: u32,
        /// The first.
        first: u64,
        /// The last.
        last: u64,
    },
    /// Time that goes backwards within a thread.
    #[error("the time of thread {thread} goes back by {micros} µs at record {sequence}")]
    TimeBackwards {
        /// The thread.
        thread: u32,
        /// The record's sequence number.
        sequence: u64,
        /// By how much.
        micros: u64,
    },
    /// Bytes of a ring that are not a record.
    #[error("{bytes} bytes of the ring hold no intact record")]
    RingBytes {
        /// How many.
        bytes: u64,
    },
    /// A ring file with an untrustworthy header.
    #[error("the ring's header is damaged: {reason}")]
    RingHeader {
        /// Why.
        reason: &'static str,
    },
    /// A file of the log that cannot be opened or read.
    #[error("the file cannot be read: {reason}")]
    UnreadableFile {
        /// The system's message.
        reason: String,
    },
    /// A file that contains nothing of a log.
    #[error("the file contains nothing of a log")]
    NotALog,
    /// An exported file with an entry that is neither log nor manifest.
    #[error("an unexpected entry: {name}")]
    ForeignEntry {
        /// Its name.
        name: String,
    },
    /// An exported file that cannot be unpacked completely.
    #[error("the exported file is damaged: {reason}")]
    Archive {
        /// Why.
        reason: String,
    },
}

impl Damage {
    /// Whether records that once existed are missing from what was read.
    pub fn is_loss(&self) -> bool {
        !matches!(
            self.kind,
            DamageKind::UnknownParam { .. }
                | DamageKind::WrongType { .. }
                | DamageKind::DuplicateSegment { .. }
                | DamageKind::DuplicateRecords { .. }
                | DamageKind::SegmentOutOfOrder { .. }
                | DamageKind::RecordsOutOfOrder { .. }
                | DamageKind::TimeBackwards { .. }
                | DamageKind::ForeignEntry { .. }
                | DamageKind::MissingEnd { .. }
        )
    }
}

fn record_of(element: &str) -> String {
    if element.is_empty() { "a record".into() } else { format!("a <{element}>") }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.offset) {
            (0, 0) => f.write_str(&self.name),
            (0, offset) => write!(f, "{}, byte {offset}", self.name),
            (line, offset) => write!(f, "{}, line {line}, byte {offset}", self.name),
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.kind)
    }
}
