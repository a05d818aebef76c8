//! What Dashcam records and how it is written.
//!
//! Pure: no unsafe code, no Windows dependency, no clock and no thread; only `folder.rs` looks for files. The
//! recorder turns messages into [`Record`]s and those into XML. Everyone else turns whatever a customer sent
//! back into [`Event`]s with [`Log`], which never fails because of damage but reports it.
//!
//! | question | file |
//! |---|---|
//! | what is a window message called? | `message.rs` |
//! | what is a label called? | `label.rs` |
//! | what can be recorded? | `event.rs`, `param.rs`, `text.rs` |
//! | how does a callback write it? | `record.rs`, `ring.rs` |
//! | how does it look in XML? | `xml/` |
//! | how is a damaged file read? | `decode.rs`, `frame.rs`, `reader.rs`, `damage.rs` |
//! | how do many files become one log? | `folder.rs`, `identify.rs`, `order.rs`, `log.rs`, `export.rs`, `archive.rs` |
#![forbid(unsafe_code)]

mod archive;
mod damage;
mod decode;
mod error;
mod event;
mod export;
mod facts;
mod folder;
mod frame;
mod identify;
mod label;
mod log;
mod message;
mod order;
mod param;
mod reader;
mod record;
mod ring;
mod text;
mod xml;

pub use archive::{LOG_NAME, MANIFEST_NAME};
pub use damage::{Damage, DamageKind, Place};
pub use error::Error;
pub use event::{Event, Hook, Keyframe, Kind, Message, SegmentHead, Stamp};
pub use export::{Counts, Manifest};
pub use facts::add_facts;
pub use folder::{files_below, parts_below};
pub use frame::MAX_RECORD_BYTES;
pub use label::clean;
pub use log::{Log, Part, ReadSeek};
pub use message::{message_name, message_number};
pub use param::{Key, Param, Params, Point, Rect, Type, Value};
pub use reader::Entry;
pub use record::{MAX_PAYLOAD, Payload, RECORD_HEADER, Record, RecordError, RecordKind};
pub use ring::{RING_DATA_OFFSET, RING_MAGIC, RING_VERSION, RingHeader, recover};
pub use text::Text;
pub use xml::{FORMAT_VERSION, LogWriter, TRACE_PREFIX, encode};
