//! One text file as a stream of entries and damage, in the order of the file.
//!
//! Joins keyframes with their windows. Knows nothing about other files, duplicates or the order of records:
//! see `order.rs`.

use crate::frame::{FrameKind, Framer, MAX_RECORD_BYTES};
use crate::xml::{self, Element, FORMAT_VERSION, WrittenRecord};
use crate::{Damage, DamageKind, Error, Event, Kind, Params, Place, SegmentHead};
use std::collections::{HashSet, VecDeque};
use std::io::Read;

/// The most windows of a keyframe that are kept in memory; no session has more.
const MAX_KEYFRAME_WINDOWS: usize = 100_000;
/// The most bytes that the windows of a keyframe may take in the file.
const MAX_KEYFRAME_BYTES: usize = 64 << 20;
/// Unknown and invalid names are reported once each, up to this number.
const MAX_UNKNOWN_NAMES: usize = 256;

/// An entry of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A segment begins.
    Segment(SegmentHead),
    /// A recorded event.
    Event(Event),
    /// A defect of the log.
    Damage(Damage),
}

pub(crate) struct Reader<R> {
    name: String,
    framer: Framer<R>,
    ready: VecDeque<Entry>,
    keyframe: Option<OpenKeyframe>,
    unknown: HashSet<String>,
    found_record: bool,
    reported_bad_text: bool,
    done: bool,
}

struct OpenKeyframe {
    event: Event,
    windows: Vec<Params>,
    expected: usize,
    place: Place,
    bytes: usize,
}

impl<R: Read> Reader<R> {
    pub(crate) fn new(name: &str, reader: R, in_trace: bool) -> Result<Self, Error> {
        let framer = Framer::new(reader, in_trace).map_err(|cause| Error::Io { name: name.into(), cause })?;
        Ok(Self {
            name: name.into(),
            framer,
            ready: VecDeque::new(),
            keyframe: None,
            unknown: HashSet::new(),
            found_record: false,
            reported_bad_text: false,
            done: false,
        })
    }

    /// The underlying stream.
    pub(crate) fn input(&mut self) -> &mut R {
        self.framer.input()
    }

    /// Reads on; returns an event at once if nothing is queued before it.
    fn read(&mut self) -> Result<Option<Entry>, Error> {
        match self.framer.line() {
            Some(line) => match read_line(self.framer.bytes(&line.bytes)) {
                Some((written, damage)) => {
                    self.framer.pass_line(&line);
                    let place =
                        |name: &str| Place { name: name.into(), offset: line.offset, line: line.line };
                    self.take(written, line.bytes.len(), place, damage)
                }
                None => self.read_frame(),
            },
            None => self.read_frame(),
        }
    }

    /// Reads the next part of the stream, in whatever state it is.
    fn read_frame(&mut self) -> Result<Option<Entry>, Error> {
        let frame = self.framer.next().map_err(|cause| Error::Io { name: self.name.clone(), cause })?;
        let Some(frame) = frame else {
            self.finish();
            return Ok(None);
        };
        let place = |name: &str| Place { name: name.into(), offset: frame.offset, line: frame.line };
        let kind = match frame.kind {
            FrameKind::Record { bytes, ended } => {
                let mut damage = Vec::new();
                let bytes = self.framer.bytes(&bytes);
                let len = bytes.len();
                let written = match std::str::from_utf8(bytes) {
                    Ok(raw) => read_record(raw, ended, &mut damage),
                    Err(_) => {
                        damage.push(DamageKind::BadText { encoding: "UTF-8" });
                        read_record(&String::from_utf8_lossy(bytes), ended, &mut damage)
                    }
                };
                return self.take(written, len, place, damage);
            }
            FrameKind::Junk(bytes) => DamageKind::Junk { bytes },
            FrameKind::TooLong => DamageKind::TooLong { limit: MAX_RECORD_BYTES },
            FrameKind::Cut(element) => DamageKind::Cut { element },
        };
        // The keyframe stays open: the unreadable record may have been one of its windows.
        self.ready.push_back(Entry::Damage(Damage { place: place(&self.name), kind }));
        Ok(None)
    }

    /// Takes a record; computes its place only if something is wrong or incomplete.
    fn take(
        &mut self,
        written: Option<WrittenRecord>,
        len: usize,
        place: impl Fn(&str) -> Place,
        damage: Vec<DamageKind>,
    ) -> Result<Option<Entry>, Error> {
        if !matches!(written, Some(WrittenRecord::Window(_)) | None) {
            self.close_keyframe();
        }
        for kind in damage {
            self.report(place(&self.name), kind);
        }
        let Some(written) = written else { return Ok(None) };
        self.found_record = true;
        match written {
            WrittenRecord::Head(head) if head.version > FORMAT_VERSION => {
                return Err(Error::NewerVersion {
                    name: self.name.clone(),
                    found: head.version,
                    known: FORMAT_VERSION,
                });
            }
            WrittenRecord::Head(head) => self.ready.push_back(Entry::Segment(head)),
            WrittenRecord::Event(event) if self.ready.is_empty() => return Ok(Some(Entry::Event(event))),
            WrittenRecord::Event(event) => self.ready.push_back(Entry::Event(event)),
            WrittenRecord::Keyframe(event, expected) => {
                let place = place(&self.name);
                self.keyframe = Some(OpenKeyframe { event, windows: Vec::new(), expected, place, bytes: 0 });
                self.close_full_keyframe();
            }
            WrittenRecord::Window(window) => match &mut self.keyframe {
                Some(open)
                    if open.windows.len() < MAX_KEYFRAME_WINDOWS && open.bytes < MAX_KEYFRAME_BYTES =>
                {
                    open.bytes += len;
                    open.windows.push(window);
                    self.close_full_keyframe();
                }
                _ => {
                    let reason = "it belongs to no keyframe".into();
                    self.report(
                        place(&self.name),
                        DamageKind::Unreadable { element: xml::WINDOW.into(), reason },
                    );
                }
            },
        }
        Ok(None)
    }

    fn report(&mut self, place: Place, kind: DamageKind) {
        if let DamageKind::UnknownParam { name } | DamageKind::WrongType { name } = &kind
            && (self.unknown.len() >= MAX_UNKNOWN_NAMES || !self.unknown.insert(name.clone()))
        {
            return;
        }
        self.ready.push_back(Entry::Damage(Damage { place, kind }));
    }

    fn close_full_keyframe(&mut self) {
        if self.keyframe.as_ref().is_some_and(|open| open.windows.len() == open.expected) {
            self.close_keyframe();
        }
    }

    fn close_keyframe(&mut self) {
        let Some(OpenKeyframe { mut event, windows, expected, place, .. }) = self.keyframe.take() else {
            return;
        };
        let found = windows.len();
        if let Kind::Keyframe(keyframe) = &mut event.kind {
            keyframe.windows = windows;
            keyframe.complete &= found == expected;
        }
        if found != expected {
            self.report(place.clone(), DamageKind::ShortKeyframe { found, expected });
        }
        self.ready.push_back(Entry::Event(event));
    }

    fn finish(&mut self) {
        self.close_keyframe();
        let place = Place { name: self.name.clone(), offset: 0, line: 0 };
        if self.framer.bad_text() && !self.reported_bad_text {
            self.reported_bad_text = true;
            self.report(place.clone(), DamageKind::BadText { encoding: "UTF-16" });
        }
        if !self.found_record {
            self.report(place.clone(), DamageKind::NotALog);
        }
        self.done = true;
    }
}

/// A line that is a record exactly as we write it, and the damage in its content.
fn read_line(line: &[u8]) -> Option<(Option<WrittenRecord>, Vec<DamageKind>)> {
    if let Some(event) = xml::read_message(line) {
        return Some((Some(WrittenRecord::Event(event)), Vec::new()));
    }
    let raw = std::str::from_utf8(line).ok()?;
    let mut element = Element::default();
    if !element.take_line(raw) {
        return None;
    }
    let mut damage = Vec::new();
    Some((xml::read(&element, &mut damage), damage))
}

fn read_record(raw: &str, ended: bool, damage: &mut Vec<DamageKind>) -> Option<WrittenRecord> {
    let name = || raw[1..].chars().take_while(char::is_ascii_alphanumeric).take(40).collect();
    let element = match Element::parse(raw) {
        Ok(element) => element,
        Err(reason) => {
            damage.push(DamageKind::Unreadable { element: name(), reason });
            return None;
        }
    };
    if !ended {
        damage.push(DamageKind::MissingEnd { element: name() });
    }
    xml::read(&element, damage)
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Entry, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(entry) = self.ready.pop_front() {
                return Some(Ok(entry));
            }
            if self.done {
                return None;
            }
            match self.read() {
                Ok(None) => {}
                Ok(Some(entry)) => return Some(Ok(entry)),
                Err(error) => {
                    self.done = true;
                    return Some(Err(error));
                }
            }
        }
    }
}
