//! Writes a log, line by line.

use super::ROOT;
use super::event::{write_event, write_head};
use super::lines::Lines;
use crate::frame::MAX_RECORD_BYTES;
use crate::{Event, SegmentHead};
use std::io::{self, Write};

/// Appends the lines of one event, each with a line feed: the content of a segment, and what a host that
/// mixes the log into its own trace writes after `UL:`.
pub fn encode(event: &Event, out: &mut Vec<u8>) {
    write_event(&mut Lines::new(out), event);
}

/// Writes one segment. A segment that is unfinished because its process died is still a log.
#[derive(Debug)]
pub struct LogWriter<W: Write> {
    out: W,
    line: Vec<u8>,
    written: u64,
}

impl<W: Write> LogWriter<W> {
    /// Writes the XML declaration and the head of the segment.
    pub fn begin(mut out: W, head: &SegmentHead) -> io::Result<Self> {
        let mut line = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_vec();
        write_head(&mut Lines::new(&mut line), head);
        out.write_all(&line)?;
        let written = line.len() as u64;
        Ok(Self { out, line, written })
    }

    /// Writes an event. An event with a record longer than [`MAX_RECORD_BYTES`] is refused as invalid input.
    pub fn write(&mut self, event: &Event) -> io::Result<()> {
        self.line.clear();
        encode(event, &mut self.line);
        // What no reader accepts must not be written. A line is a record; a keyframe has many.
        if self.line.len() > MAX_RECORD_BYTES
            && self.line.split(|&b| b == b'\n').any(|line| line.len() > MAX_RECORD_BYTES)
        {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a record longer than a record may be"));
        }
        self.written += self.line.len() as u64;
        self.out.write_all(&self.line)
    }

    /// The number of bytes written so far.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Closes the root element, which makes the segment well-formed.
    pub fn finish(mut self) -> io::Result<W> {
        writeln!(self.out, "</{ROOT}>")?;
        self.out.flush()?;
        Ok(self.out)
    }
}
