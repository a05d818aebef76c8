//! The sizes that a callback keeps to and the recorder thread relies on.

use message_log::RECORD_HEADER;

/// The most bytes a record has: 68 KiB of texts and facts.
pub(crate) const MAX_RECORD: usize = RECORD_HEADER + (68 << 10);
