//! Writing a log, a line at a time.

use super::ROOT;
use super::event::{write_event, write_head};
use super::lines::Lines;
use crate::{Event, SegmentHead};
use std::io::{self, Write};

/// Appends the lines of one event, each ending in a line feed: what a segment holds, and what a host
/// that mixes the log into its own trace puts behind `UL:`.
pub fn encode(event: &Event, out: &mut Vec<u8>) {
    write_event(&mut Lines::new(out), event);
}

/// Writes one segment. A segment that is not finished, because its process died, is still a log.
#[derive(Debug)]
pub struct LogWriter<W: Write> {
    out: W,
    line: Vec<u8>,
}

impl<W: Write> LogWriter<W> {
    /// Writes the XML declaration and the segment's head.
    pub fn begin(mut out: W, head: &SegmentHead) -> io::Result<Self> {
        let mut line = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_vec();
        write_head(&mut Lines::new(&mut line), head);
        out.write_all(&line)?;
        Ok(Self { out, line })
    }

    /// Writes an event.
    pub fn write(&mut self, event: &Event) -> io::Result<()> {
        self.line.clear();
        encode(event, &mut self.line);
        self.out.write_all(&self.line)
    }

    /// Closes the root element, which makes the segment well-formed.
    pub fn finish(mut self) -> io::Result<W> {
        writeln!(self.out, "</{ROOT}>")?;
        self.out.flush()?;
        Ok(self.out)
    }
}
