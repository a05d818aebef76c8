//! The text of traces and of sets of traces.

use crate::event::Event;
use crate::text::{Cursor, Parsed};
use crate::trace::Trace;

/// One event, or several in parentheses.
pub(crate) fn single(cursor: &mut Cursor<'_>) -> Parsed<Trace> {
    match Event::parse_if(cursor)? {
        Some(event) => Ok(event.into()),
        None => cursor.fail(),
    }
}
