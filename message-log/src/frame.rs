//! Splits a stream of text into records, whatever state the stream is in.
//!
//! A record begins with `<name` and ends with its end tag. A raw `<` cannot occur inside an attribute, so the
//! next one is always a place to resume. In a host's own trace, lines without `UL:` are replaced with spaces,
//! which preserves every offset and line number. Memory is bounded by [`MAX_RECORD_BYTES`], time by the
//! length of the stream. This module does not decide what a record means.

use crate::decode::Source;
use crate::xml::{PARAM, RECORDS, ROOT, TRACE_PREFIX};
use memchr::{memchr, memchr_iter, memchr2, memchr3, memmem};
use std::io::{self, Read};
use std::ops::Range;

/// The longest record, in bytes.
pub const MAX_RECORD_BYTES: usize = 32 << 20;
const CHUNK: usize = 256 << 10;
/// Enough bytes to distinguish any tag from any other.
const LOOKAHEAD: usize = 64;
/// The most spaces between `UL:` and the record.
const MAX_INDENT: usize = 1024;
/// The longest comment that is skipped as a whole.
const MAX_COMMENT: usize = 1 << 20;

/// A part of the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) kind: FrameKind,
    /// The place where it begins.
    pub(crate) offset: u64,
    pub(crate) line: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FrameKind {
    /// A record; [`Framer::bytes`] has its bytes.
    Record {
        /// Its range in the buffer, valid until the next call.
        bytes: Range<usize>,
        /// False if it ends where the next one begins.
        ended: bool,
    },
    /// This many bytes belong to no record.
    Junk(u64),
    /// A record longer than the limit.
    TooLong,
    /// The stream ends inside a record with this name, or with a name that begins like this.
    Cut(String),
}

/// A line that may be a whole record.
#[derive(Debug)]
pub(crate) struct Line {
    /// Its range in the buffer, valid until the next call.
    pub(crate) bytes: Range<usize>,
    pub(crate) offset: u64,
    pub(crate) line: u64,
}

pub(crate) struct Framer<R> {
    source: Source<R>,
    buffer: Vec<u8>,
    /// The buffer has been returned up to here.
    at: usize,
    /// The buffer may be read up to here; an undecided line of a trace follows.
    ready: usize,
    ended: bool,
    /// The offset of the first byte of the buffer, and the line of `at`.
    base: u64,
    line: u64,
    trace: Option<Trace>,
    junk: Option<Junk>,
    /// No comment ends before this offset: searched for once, and not again for every `<!--`.
    no_comment_end: u64,
}

/// Whether the stream is a host's own trace.
#[derive(Default)]
struct Trace {
    /// Whether the line that contains `ready` is one of ours.
    ours: bool,
}

struct Junk {
    bytes: u64,
    offset: u64,
    line: u64,
}

/// What a `<` begins.
enum Begins {
    /// A record of this many bytes, and whether it has an end tag.
    Record { len: usize, ended: bool },
    /// A record of this many bytes that is truncated because another file was appended to it.
    Cut(usize),
    /// Something well-formed that is not a record.
    Skip(usize),
    /// Junk of this many bytes.
    Junk(usize),
    /// Undecided: more of the stream is needed.
    Unknown,
}

impl<R: Read> Framer<R> {
    /// With `in_trace`, the log follows `UL:` in lines of a host's trace.
    pub(crate) fn new(reader: R, in_trace: bool) -> io::Result<Self> {
        let trace = in_trace.then(Trace::default);
        Ok(Self {
            source: Source::new(reader)?,
            buffer: Vec::new(),
            at: 0,
            ready: 0,
            ended: false,
            base: 0,
            line: 1,
            trace,
            junk: None,
            no_comment_end: 0,
        })
    }

    /// The underlying stream.
    pub(crate) fn input(&mut self) -> &mut R {
        &mut self.source.inner
    }

    /// Whether the stream contained bytes that are invalid in its encoding.
    pub(crate) fn bad_text(&self) -> bool {
        self.source.bad_text
    }

    /// The bytes of the most recent record.
    pub(crate) fn bytes(&self, range: &Range<usize>) -> &[u8] {
        &self.buffer[range.clone()]
    }

    /// The next part of the stream; `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Frame>> {
        loop {
            let Some(found) = memchr(b'<', &self.buffer[self.at..self.ready]) else {
                self.pass_text(self.ready - self.at);
                if self.fill()? {
                    continue;
                }
                return Ok(self.take_junk());
            };
            self.pass_text(found);
            match self.classify() {
                Begins::Unknown if !self.ended => {
                    if self.ready - self.at > MAX_RECORD_BYTES {
                        return Ok(Some(self.refuse(FrameKind::TooLong, 1)));
                    }
                    self.fill()?;
                }
                Begins::Unknown => return Ok(Some(self.refuse_truncated(self.ready - self.at))),
                Begins::Cut(len) => return Ok(Some(self.refuse_truncated(len))),
                Begins::Junk(len) => self.pass_junk(len),
                Begins::Skip(len) => self.pass(len),
                Begins::Record { .. } if self.junk.is_some() => return Ok(self.take_junk()),
                Begins::Record { len, ended } => {
                    let bytes = self.at..self.at + len;
                    let frame = self.frame(FrameKind::Record { bytes, ended });
                    self.pass(len);
                    return Ok(Some(frame));
                }
            }
        }
    }

    /// The next line, if it may be a whole record as we write it. Either [`Framer::pass_line`] passes it, or
    /// [`Framer::next`] frames it as if it had not been looked at.
    pub(crate) fn line(&self) -> Option<Line> {
        let rest = &self.buffer[self.at..self.ready];
        let space = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
        let is_tag = self.junk.is_none() && rest.get(space) == Some(&b'<');
        let len = if is_tag { memchr(b'\n', &rest[space..])? } else { return None };
        let begin = self.at + space;
        let line = self.line + memchr_iter(b'\n', &rest[..space]).count() as u64;
        Some(Line { bytes: begin..begin + len, offset: self.base + begin as u64, line })
    }

    pub(crate) fn pass_line(&mut self, line: &Line) {
        self.at = line.bytes.end + 1;
        self.line = line.line + 1;
    }

    fn frame(&self, kind: FrameKind) -> Frame {
        Frame { kind, offset: self.base + self.at as u64, line: self.line }
    }

    fn refuse_truncated(&mut self, len: usize) -> Frame {
        let name = name_at(&self.buffer[self.at + 1..self.at + len]);
        let kind = FrameKind::Cut(String::from_utf8_lossy(name).into_owned());
        self.refuse(kind, len)
    }

    /// Gives up on the record that begins here, after reporting what came before it.
    fn refuse(&mut self, kind: FrameKind, len: usize) -> Frame {
        if let Some(junk) = self.take_junk() {
            return junk;
        }
        let frame = self.frame(kind);
        self.pass(len);
        frame
    }

    fn take_junk(&mut self) -> Option<Frame> {
        self.junk.take().map(|junk| Frame {
            kind: FrameKind::Junk(junk.bytes),
            offset: junk.offset,
            line: junk.line,
        })
    }

    fn pass(&mut self, len: usize) {
        self.line += memchr_iter(b'\n', &self.buffer[self.at..self.at + len]).count() as u64;
        self.at += len;
    }

    /// Passes what is between records; white space and byte-order marks are not junk.
    fn pass_text(&mut self, len: usize) {
        let mut text = self.buffer[self.at..self.at + len].trim_ascii_start();
        while let Some(rest) = text.strip_prefix(b"\xEF\xBB\xBF") {
            text = rest.trim_ascii_start();
        }
        let junk = text.len();
        self.pass(len - junk);
        if junk > 0 {
            self.pass_junk(junk);
        }
    }

    fn pass_junk(&mut self, len: usize) {
        let (offset, line) = (self.base + self.at as u64, self.line);
        self.junk.get_or_insert(Junk { bytes: 0, offset, line }).bytes += len as u64;
        self.pass(len);
    }

    /// What the `<` at the current place begins.
    fn classify(&mut self) -> Begins {
        let rest = &self.buffer[self.at..self.ready];
        if rest.len() < LOOKAHEAD && !self.ended {
            return Begins::Unknown;
        }
        if rest.starts_with(b"<?") {
            let within = &rest[..rest.len().min(1 << 10)];
            return match memmem::find(within, b"?>") {
                Some(end) => Begins::Skip(end + 2),
                None if within.len() < 1 << 10 && !self.ended => Begins::Unknown,
                None => Begins::Junk(1),
            };
        }
        if rest.starts_with(b"<!--") {
            let begin = self.base + self.at as u64;
            let within = &rest[..rest.len().min(MAX_COMMENT)];
            if begin + within.len() as u64 <= self.no_comment_end {
                return Begins::Junk(4);
            }
            return match memmem::find(within, b"-->") {
                Some(end) => Begins::Skip(end + 3),
                None if within.len() < MAX_COMMENT && !self.ended => Begins::Unknown,
                None => {
                    self.no_comment_end = begin + within.len() as u64;
                    Begins::Junk(4)
                }
            };
        }
        if let Some(name) = rest.strip_prefix(b"</") {
            return match end_tag(name, ROOT.as_bytes()) {
                Some(len) => Begins::Skip(2 + len),
                None => Begins::Junk(2),
            };
        }
        let name = name_at(&rest[1..]);
        // Truncated inside the name.
        if self.ended
            && rest.len() == 1 + name.len()
            && RECORDS.iter().any(|it| it.as_bytes().starts_with(name))
        {
            return Begins::Unknown;
        }
        if name.is_empty() || name == PARAM.as_bytes() {
            return Begins::Junk(1);
        }
        match measure(rest, name, self.ended) {
            // Only our own records are worth keeping if they are incomplete.
            Begins::Record { ended: false, .. } | Begins::Cut(_) if !is_ours(name) => {
                Begins::Junk(1 + name.len())
            }
            Begins::Unknown if self.ended && !is_ours(name) => Begins::Junk(1 + name.len()),
            begins => begins,
        }
    }

    /// Reads more; returns false at the end of the stream.
    fn fill(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        self.buffer.drain(..self.at);
        self.base += self.at as u64;
        self.ready -= self.at;
        self.at = 0;
        // Doubles the buffer, so that a long record is scanned only a few times.
        let want = self.buffer.len().clamp(CHUNK, MAX_RECORD_BYTES);
        self.ended = !self.source.fill(&mut self.buffer, want)?;
        match self.trace {
            None => self.ready = self.buffer.len(),
            Some(_) => self.clear_foreign(),
        }
        Ok(true)
    }

    /// Replaces what is not ours with spaces, from `ready` up to the last decided line.
    fn clear_foreign(&mut self) {
        let Some(trace) = &mut self.trace else { return };
        while self.ready < self.buffer.len() {
            let line_end = memchr(b'\n', &self.buffer[self.ready..]).map(|i| self.ready + i);
            let end = line_end.unwrap_or(self.buffer.len());
            let line = &mut self.buffer[self.ready..end];
            // A log without `UL:` that was appended to the trace.
            if !trace.ours && line.starts_with(b"<dashcam version=") {
                self.trace = None;
                self.ready = self.buffer.len();
                return;
            }
            if !trace.ours {
                let known = match find_trace_line(line) {
                    Some(ours) => {
                        trace.ours = true;
                        ours
                    }
                    None if line_end.is_some() || self.ended => line.len(),
                    // The prefix may be split here.
                    None => line.len().saturating_sub(MAX_INDENT + LOOKAHEAD),
                };
                line[..known].fill(b' ');
                if !trace.ours && line_end.is_none() {
                    self.ready += known;
                    return;
                }
            }
            trace.ours &= line_end.is_none();
            self.ready = line_end.map_or(end, |i| i + 1);
        }
    }
}

/// Whether the log follows `UL:` in lines of a host's trace. Only a file that does not begin as a log is read
/// to find out.
pub(crate) fn is_trace(reader: impl Read) -> io::Result<bool> {
    let mut source = Source::new(reader)?;
    let mut text = Vec::new();
    let mut more = source.fill(&mut text, CHUNK)?;
    if begins_as_log(&text) {
        return Ok(false);
    }
    while more {
        if find_trace_line(&text).is_some() {
            return Ok(true);
        }
        // The prefix may be split here.
        text.drain(..text.len().saturating_sub(MAX_INDENT + LOOKAHEAD));
        more = source.fill(&mut text, CHUNK)?;
    }
    Ok(find_trace_line(&text).is_some())
}

/// Calls back with the opening tag of every segment in a text. Tags are short; text that only resembles one
/// is passed too.
pub(crate) fn scan_heads(reader: impl Read, mut found: impl FnMut(&[u8])) -> io::Result<()> {
    const TAG: &[u8] = b"<dashcam ";
    const MAX_TAG: usize = 8 << 10;
    let mut source = Source::new(reader)?;
    let mut text = Vec::new();
    let mut more = true;
    while more {
        more = source.fill(&mut text, CHUNK)?;
        let mut at = 0;
        while let Some(start) = memmem::find(&text[at..], TAG).map(|i| at + i) {
            let rest = &text[start..text.len().min(start + MAX_TAG)];
            match memchr(b'>', rest) {
                Some(end) => found(&rest[..=end]),
                // The tag may continue after what has been read.
                None if rest.len() < MAX_TAG && more => break,
                None => {}
            }
            at = start + TAG.len();
        }
        let unfinished =
            memmem::find(&text[at..], TAG).map_or(text.len().saturating_sub(TAG.len()).max(at), |i| at + i);
        text.drain(..unfinished);
    }
    Ok(())
}

/// Whether the first element is one of ours; a declaration may precede it.
fn begins_as_log(text: &[u8]) -> bool {
    let mut rest = text.trim_ascii_start();
    while rest.starts_with(b"<?") {
        let Some(end) = memmem::find(rest, b"?>") else { return false };
        rest = rest[end + 2..].trim_ascii_start();
    }
    let Some(tag) = rest.strip_prefix(b"<") else { return false };
    let name = name_at(tag);
    // A host may well write `<thread 12>` at the beginning of its lines.
    let ours: [&[u8]; 5] = [b" version=", b" type=", b" seq=", b" window.", b"><param "];
    is_ours(name) && ours.iter().any(|next| tag[name.len()..].starts_with(next))
}

/// The offset of an element that follows `UL:`.
fn find_trace_line(bytes: &[u8]) -> Option<usize> {
    memmem::find_iter(bytes, TRACE_PREFIX).map(|i| i + TRACE_PREFIX.len()).find(|&i| {
        let rest = bytes[i..].trim_ascii_start();
        rest.starts_with(b"<") && bytes[i..].len() - rest.len() <= MAX_INDENT
    })
}

fn name_at(bytes: &[u8]) -> &[u8] {
    let len = bytes
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b':'))
        .count();
    &bytes[..len.min(LOOKAHEAD)]
}

fn is_ours(name: &[u8]) -> bool {
    RECORDS.iter().any(|record| record.as_bytes() == name)
}

/// The length of the element that begins here; `Unknown` if the stream is too short to decide.
fn measure(bytes: &[u8], name: &[u8], ended: bool) -> Begins {
    let tag = match tag_end(bytes) {
        Tag::Ends(end) => end,
        Tag::Broken(next) => return Begins::Junk(next),
        Tag::Unknown => return Begins::Unknown,
    };
    if bytes[..tag].ends_with(b"/>") || name == ROOT.as_bytes() {
        return Begins::Record { len: tag, ended: true };
    }
    let mut at = tag;
    while let Some(found) = memchr(b'<', &bytes[at..]) {
        at += found;
        let rest = &bytes[at..];
        if rest.len() < LOOKAHEAD + 3 && !ended {
            break;
        }
        if rest.starts_with(b"<!--") {
            match memmem::find(&rest[..rest.len().min(MAX_COMMENT)], b"-->") {
                Some(end) => at += end + 3,
                None if rest.len() < MAX_COMMENT => break,
                None => return Begins::Record { len: at, ended: false },
            }
            continue;
        }
        // This tag may be truncated itself.
        let tag = tag_end(rest);
        if let Tag::Unknown = tag {
            break;
        }
        if let Some(end) = rest.strip_prefix(b"</") {
            if let Some(len) = end_tag(end, PARAM.as_bytes()) {
                at += 2 + len;
                continue;
            }
            return match end_tag(end, name) {
                Some(len) => Begins::Record { len: at + 2 + len, ended: true },
                None => Begins::Record { len: at, ended: false },
            };
        }
        match (name_at(&rest[1..]), tag) {
            (next, Tag::Ends(end)) if next == PARAM.as_bytes() => at += end,
            (next, Tag::Broken(end)) if next == PARAM.as_bytes() => {
                return Begins::Record { len: at + end, ended: false };
            }
            (next, _) if next == ROOT.as_bytes() || rest.starts_with(b"<?") => return Begins::Cut(at),
            _ => return Begins::Record { len: at, ended: false },
        }
    }
    Begins::Unknown
}

/// After `</`: the length of the rest of the end tag, if it belongs to this element.
fn end_tag(bytes: &[u8], name: &[u8]) -> Option<usize> {
    let rest = bytes.strip_prefix(name)?;
    let space = rest.iter().take_while(|b| b.is_ascii_whitespace()).take(LOOKAHEAD).count();
    rest[space..].starts_with(b">").then_some(name.len() + space + 1)
}

enum Tag {
    /// The tag ends; the offset after its `>`.
    Ends(usize),
    /// A `<` comes first.
    Broken(usize),
    Unknown,
}

fn tag_end(bytes: &[u8]) -> Tag {
    let Some(found) = memchr2(b'<', b'>', &bytes[1..]) else { return Tag::Unknown };
    let inside = &bytes[1..1 + found];
    // The usual case: all values are in double quotes and contain nothing special.
    if bytes[1 + found] == b'>'
        && memchr_iter(b'"', inside).count().is_multiple_of(2)
        && memchr(b'\'', inside).is_none()
    {
        return Tag::Ends(found + 2);
    }
    tag_end_by_quotes(bytes)
}

/// The same, quote by quote: inside quotes of one kind, the other kind and `>` are part of the value.
fn tag_end_by_quotes(bytes: &[u8]) -> Tag {
    let next = memchr(b'<', &bytes[1..]).map(|i| i + 1);
    let tag = &bytes[..next.unwrap_or(bytes.len())];
    let unended = next.map_or(Tag::Unknown, Tag::Broken);
    let mut at = 1;
    while let Some(found) = memchr3(b'"', b'\'', b'>', &tag[at..]) {
        at += found;
        if tag[at] == b'>' {
            return Tag::Ends(at + 1);
        }
        match memchr(tag[at], &tag[at + 1..]) {
            Some(len) => at += len + 2,
            None => return unended,
        }
    }
    unended
}
