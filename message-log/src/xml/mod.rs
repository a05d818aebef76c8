//! The log as XML: one record, one line, writer and reader side by side.
//!
//! `escape.rs` knows how a text survives an attribute, `element.rs` and `lines.rs` how names and values
//! stand in a line, `event.rs` which names and values an event has; `canonical.rs` reads a message that stands just as we write it. Framing and recovery are not here but in
//! `frame.rs` and `reader.rs`: this module sees one whole record at a time.

mod canonical;
mod element;
mod escape;
mod event;
mod lines;
mod writer;

pub(crate) use canonical::read_message;
pub(crate) use element::{Element, MAX_PARAMS};
pub(crate) use event::{Written, read};
pub use writer::{LogWriter, encode};

/// The version of the format that is written, and the newest that is read.
pub const FORMAT_VERSION: u32 = 2;

/// What a host's own trace puts before each line of the log.
pub const TRACE_PREFIX: &str = "UL:";

/// The root element; its opening tag is the first record of a segment.
pub(crate) const ROOT: &str = "dashcam";
/// The paper's element for a message.
pub(crate) const MESSAGE: &str = "msg";
pub(crate) const PARAM: &str = "param";
pub(crate) const KEYFRAME: &str = "keyframe";
pub(crate) const WINDOW: &str = "window";
/// The attribute that names the facts whose texts are escaped.
pub(crate) const ESCAPED: &str = "escaped";

/// Every element that begins a record.
pub(crate) const RECORDS: [&str; 13] = [
    ROOT,
    MESSAGE,
    KEYFRAME,
    WINDOW,
    "session",
    "thread",
    "mark",
    "act",
    "gap",
    "crash",
    "hang",
    "recording",
    "statistics",
];
