//! The log as XML: one record, one line, writer and reader side by side.
//!
//! | question | file |
//! |---|---|
//! | which names and values has an event? | `event.rs` |
//! | how are names and values written into a line, and read from it? | `lines.rs`, `element.rs` |
//! | how does any text fit into an attribute? | `escape.rs` |
//! | how is a message read that is exactly as we write it? | `message_line.rs` |
//!
//! Framing and recovery are in `frame.rs` and `reader.rs`: this module sees one whole record at a time.
//!
//! Three parsers read a record; each leaves what it does not understand to the next: `message_line.rs`
//! (messages as we write them), `ElementLine` in `element.rs` (other records as we write them) and quick-xml
//! (any XML). `docs/decisions/0010-three-parsers-for-a-record.md` has the reason.

mod element;
mod escape;
mod event;
mod lines;
mod message_line;
mod writer;

pub(crate) use element::{Element, MAX_PARAMS};
pub(crate) use event::{WrittenRecord, read};
pub(crate) use message_line::read_message;
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
