//! What is wrong with a log, and where. Damage is data: reading goes on behind it.

use std::fmt;

/// Where in a log.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Place {
    /// Which file.
    pub name: String,
    /// Byte offset: in the file, or in its UTF-8 form where the file is UTF-16.
    pub offset: u64,
    /// Line from 1; 0 where there are no lines.
    pub line: u64,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// Where it begins.
    pub place: Place,
    /// What it is.
    pub kind: DamageKind,
}

/// What can be wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DamageKind {
    /// Bytes between records that are none.
    #[error("{bytes} unreadable bytes")]
    Junk {
        /// How many.
        bytes: u64,
    },
    /// The log ends inside a record.
    #[error("cut inside {}", record_of(element))]
    Cut {
        /// The element, as far as it is there; empty where the file has none.
        element: String,
    },
    /// A record that ends where the next begins.
    #[error("a <{element}> without its end")]
    MissingEnd {
        /// The element.
        element: String,
    },
    /// A record that no one should write.
    #[error("a record longer than {limit} bytes")]
    TooLong {
        /// The most one record may take.
        limit: usize,
    },
    /// A record that is not XML, or lacks what it must have.
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
    /// Bytes that are no text; replaced.
    #[error("text that is not valid {encoding}")]
    BadText {
        /// What it should have been.
        encoding: &'static str,
    },
    /// A keyframe with fewer windows than it says.
    #[error("a keyframe with {found} of {expected} windows")]
    ShortKeyframe {
        /// As read.
        found: usize,
        /// As stated.
        expected: usize,
    },
    /// A segment read before.
    #[error("segment {number} once more")]
    DuplicateSegment {
        /// Its number.
        number: u64,
    },
    /// A segment that comes too late.
    #[error("segment {number} out of order")]
    SegmentOutOfOrder {
        /// Its number.
        number: u64,
    },
    /// Segments that are not there: rotated away, or lost.
    #[error("segments {first} to {last} are gone")]
    SegmentsGone {
        /// The first.
        first: u64,
        /// The last.
        last: u64,
    },
    /// Records read before; left out.
    #[error("{count} records of thread {thread} once more, from {first} on")]
    DuplicateRecords {
        /// Their thread.
        thread: u32,
        /// The first one's sequence number.
        first: u64,
        /// How many.
        count: u64,
    },
    /// Records that come too late.
    #[error("{count} records of thread {thread} out of order, from {first} on")]
    RecordsOutOfOrder {
        /// Their thread.
        thread: u32,
        /// The first one's sequence number.
        first: u64,
        /// How many.
        count: u64,
    },
    /// Records that no gap explains.
    #[error("records {first} to {last} of thread {thread} are missing")]
    RecordsMissing {
        /// Their thread.
        thread: u32,
        /// The first.
        first: u64,
        /// The last.
        last: u64,
    },
    /// A thread's time that goes back.
    #[error("the time of thread {thread} goes back by {micros} µs at record {sequence}")]
    TimeBackwards {
        /// The thread.
        thread: u32,
        /// The record's sequence number.
        sequence: u64,
        /// How far.
        micros: u64,
    },
    /// Bytes of a ring that are no record.
    #[error("{bytes} bytes of the ring hold no intact record")]
    RingBytes {
        /// How many.
        bytes: u64,
    },
    /// A ring file whose header cannot be trusted.
    #[error("the ring's header is damaged: {reason}")]
    RingHeader {
        /// Why.
        reason: &'static str,
    },
    /// A file among others that cannot be opened or read.
    #[error("it cannot be read: {reason}")]
    UnreadableFile {
        /// What the system said.
        reason: String,
    },
    /// Nothing in the file is a log.
    #[error("nothing in it is a log")]
    NotALog,
    /// An exported file with more in it than a log.
    #[error("an entry that does not belong here: {name}")]
    ForeignEntry {
        /// Its name.
        name: String,
    },
    /// An exported file that cannot be unpacked to its end.
    #[error("the exported file is damaged: {reason}")]
    Archive {
        /// Why.
        reason: String,
    },
}

impl Damage {
    /// True when records that once existed are not in what was read.
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
