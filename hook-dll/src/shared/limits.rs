//! The sizes that a callback keeps to and the recorder thread relies on.

use message_log::RECORD_HEADER;

/// The longest text recorded whole, in bytes of UTF-16.
#[cfg(windows)]
pub(crate) const MAX_TEXT: usize = 60 << 10;
/// The most bytes of a record: 68 KiB of texts and facts.
pub(crate) const MAX_RECORD: usize = RECORD_HEADER + (68 << 10);
