//! A log, whatever it was sent as: files in, events and damage out.
//!
//! The parts may be segments in any order, one text file, a host's trace, an exported file, rings, or a
//! mixture. Segments are put in order by what they say of themselves; rings come last, since they hold
//! what was not written as XML yet. Where the parts come from is the caller's business.

use crate::archive::{self, Inflated};
use crate::frame::is_trace;
use crate::order::Order;
use crate::reader::{Entry, Reader};
use crate::ring::{RingHeader, recover};
use crate::xml::FORMAT_VERSION;
use crate::{Damage, DamageKind, Error, Event, Place, SegmentHead};
use std::collections::{HashMap, VecDeque};
use std::io::{self, Cursor, Read, Seek};

/// Enough of a file to know what it is and to find its head.
const PEEK: u64 = 64 << 10;
/// A ring file larger than this is none.
const MAX_RING_FILE: u64 = 512 << 20;

/// A file that can be read from any place.
pub trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

type Opened<'a> = Box<dyn ReadSeek + 'a>;

/// One file of a log.
pub struct Part<'a> {
    name: String,
    open: Box<dyn Fn() -> io::Result<Opened<'a>> + 'a>,
}

impl<'a> Part<'a> {
    /// A file that is opened when its turn comes. The name is used in messages, and for files that do
    /// not say where they belong.
    pub fn new<F: ReadSeek + 'a>(name: impl Into<String>, open: impl Fn() -> io::Result<F> + 'a) -> Self {
        Self { name: name.into(), open: Box::new(move || Ok(Box::new(open()?))) }
    }

    /// A file in memory.
    pub fn from_bytes(name: impl Into<String>, bytes: &'a [u8]) -> Self {
        Self::new(name, move || Ok(Cursor::new(bytes)))
    }

    fn open(&self) -> Result<Opened<'a>, Error> {
        (self.open)().map_err(|source| Error::Io { name: self.name.clone(), source })
    }

    fn read(&self, limit: u64) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let read = self.open()?.take(limit).read_to_end(&mut bytes);
        read.map_err(|source| Error::Io { name: self.name.clone(), source })?;
        Ok(bytes)
    }
}

/// What a part is, by its first bytes.
enum Form {
    Text { head: SegmentHead, in_trace: bool },
    Ring(RingHeader),
    Archive,
}

/// Reads a log from beginning to end.
pub struct Log<'a> {
    sessions: VecDeque<Session<'a>>,
    current: Option<Reading<'a>>,
    order: Order,
    ready: VecDeque<Entry>,
    done: bool,
}

/// The parts of one session, in order.
struct Session<'a> {
    name: String,
    wall: String,
    text: VecDeque<(Part<'a>, Form)>,
    rings: Vec<Part<'a>>,
}

/// The session being read.
struct Reading<'a> {
    text: VecDeque<(Part<'a>, Form)>,
    rings: Vec<Part<'a>>,
    file: Option<Box<dyn Iterator<Item = Result<Entry, Error>> + 'a>>,
    /// Recovered from the rings once all text has been read.
    recovered: VecDeque<Entry>,
}

impl<'a> Log<'a> {
    /// Looks at the beginning of every part and puts them in order. A part in a newer format is refused.
    pub fn open(mut parts: Vec<Part<'a>>) -> Result<Self, Error> {
        parts.sort_by(|a, b| a.name.cmp(&b.name));
        let mut sessions: Vec<Session<'a>> = Vec::new();
        let mut last_head = SegmentHead::default();
        for part in parts {
            let form = identify(&part, &last_head)?;
            let (name, wall) = match &form {
                Form::Text { head, .. } => {
                    last_head = head.clone();
                    (head.session.clone(), head.wall.clone())
                }
                Form::Ring(header) => (header.session.clone(), String::new()),
                Form::Archive => (String::new(), String::new()),
            };
            let index = sessions.iter().position(|s| s.name == name).unwrap_or_else(|| {
                let empty = Session { name, wall: String::new(), text: VecDeque::new(), rings: Vec::new() };
                sessions.push(empty);
                sessions.len() - 1
            });
            let session = &mut sessions[index];
            if session.wall.is_empty() || (!wall.is_empty() && wall < session.wall) {
                session.wall = wall;
            }
            match form {
                Form::Ring(_) => session.rings.push(part),
                form => session.text.push_back((part, form)),
            }
        }
        for session in &mut sessions {
            session.text.make_contiguous().sort_by_key(|(_, form)| match form {
                Form::Text { head, .. } => head.number,
                _ => 0,
            });
        }
        sessions.sort_by(|a, b| a.wall.cmp(&b.wall));
        Ok(Self {
            sessions: sessions.into(),
            current: None,
            order: Order::default(),
            ready: VecDeque::new(),
            done: false,
        })
    }

    /// A log of one file in memory.
    pub fn from_bytes(name: &str, bytes: &'a [u8]) -> Result<Self, Error> {
        Self::open(vec![Part::from_bytes(name, bytes)])
    }

    /// The names of the sessions, oldest first; an exported file and a log of another maker have none.
    pub fn sessions(&self) -> Vec<String> {
        self.sessions.iter().map(|session| session.name.clone()).collect()
    }

    /// Leaves all other sessions out.
    #[must_use]
    pub fn only(mut self, session: &str) -> Self {
        self.sessions.retain(|s| s.name == session);
        self
    }

    /// Leaves all but the newest session out.
    #[must_use]
    pub fn newest(mut self) -> Self {
        let keep = self.sessions.len().saturating_sub(1);
        self.sessions.drain(..keep);
        self
    }

    /// Every event and every damage, each in its order. For logs that fit in memory.
    pub fn read_all(self) -> Result<(Vec<Event>, Vec<Damage>), Error> {
        let (mut events, mut damage) = (Vec::new(), Vec::new());
        for entry in self {
            match entry? {
                Entry::Segment(_) => {}
                Entry::Event(event) => events.push(event),
                Entry::Damage(found) => damage.push(found),
            }
        }
        Ok((events, damage))
    }

    /// The next entry of the files, before order is looked at.
    fn advance(&mut self) -> Result<Option<Raw>, Error> {
        loop {
            let Some(reading) = &mut self.current else {
                let Some(session) = self.sessions.pop_front() else { return Ok(None) };
                let Session { name, text, rings, .. } = session;
                if text.is_empty() {
                    // Only rings are left: their name is all the head there is.
                    let head =
                        SegmentHead { version: FORMAT_VERSION, session: name, ..SegmentHead::default() };
                    self.ready.push_back(Entry::Segment(head));
                }
                self.current = Some(Reading { text, rings, file: None, recovered: VecDeque::new() });
                continue;
            };
            if let Some(file) = &mut reading.file {
                match file.next() {
                    Some(entry) => return Ok(Some(Raw { entry: entry?, from_ring: false })),
                    None => reading.file = None,
                }
            } else if let Some((part, form)) = reading.text.pop_front() {
                reading.file = Some(open_text(&part, &form)?);
            } else if let Some(entry) = reading.recovered.pop_front() {
                return Ok(Some(Raw { entry, from_ring: true }));
            } else if reading.rings.is_empty() {
                self.current = None;
            } else {
                reading.recovered = recover_rings(&std::mem::take(&mut reading.rings))?.into();
            }
        }
    }

    fn sort(&mut self, Raw { entry, from_ring }: Raw) {
        let mut damage = Vec::new();
        let news = match &entry {
            Entry::Segment(head) => {
                self.order.segment(head, &mut damage);
                true
            }
            Entry::Event(event) => self.order.event(event, from_ring, &mut damage),
            Entry::Damage(_) => true,
        };
        self.report(damage);
        if news {
            self.ready.push_back(entry);
        }
    }

    /// Order is a matter of the log as a whole, so the place is the log and not a byte.
    fn report(&mut self, damage: Vec<DamageKind>) {
        let place = Place { name: "the log".into(), offset: 0, line: 0 };
        let damage = damage.into_iter().map(|kind| Entry::Damage(Damage { place: place.clone(), kind }));
        self.ready.extend(damage);
    }
}

struct Raw {
    entry: Entry,
    from_ring: bool,
}

impl Iterator for Log<'_> {
    type Item = Result<Entry, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.done {
            match self.advance() {
                Ok(Some(raw)) => self.sort(raw),
                Ok(None) => {
                    self.done = true;
                    let mut damage = Vec::new();
                    self.order.flush(&mut damage);
                    self.report(damage);
                }
                Err(error) => {
                    self.done = true;
                    return Some(Err(error));
                }
            }
        }
        self.ready.pop_front().map(Ok)
    }
}

fn identify(part: &Part<'_>, before: &SegmentHead) -> Result<Form, Error> {
    let bytes = part.read(PEEK)?;
    if archive::is_archive(&bytes) {
        return Ok(Form::Archive);
    }
    if let Some(version) = RingHeader::version(&bytes) {
        let (header, bad) = RingHeader::decode(&bytes);
        if version > FORMAT_VERSION && bad.is_none() {
            return Err(Error::NewerVersion {
                name: part.name.clone(),
                found: version,
                known: FORMAT_VERSION,
            });
        }
        return Ok(Form::Ring(header));
    }
    let io_error = |source| Error::Io { name: part.name.clone(), source };
    let in_trace = is_trace(part.open()?).map_err(io_error)?;
    // The head is the first record, if it is there at all.
    for entry in Reader::new(&part.name, bytes.as_slice(), in_trace)? {
        match entry? {
            Entry::Segment(head) => return Ok(Form::Text { head, in_trace }),
            Entry::Event(_) => break,
            Entry::Damage(_) => {}
        }
    }
    // A segment that has lost its head stands behind its neighbour by name.
    Ok(Form::Text { head: before.clone(), in_trace })
}

fn open_text<'a>(
    part: &Part<'a>,
    form: &Form,
) -> Result<Box<dyn Iterator<Item = Result<Entry, Error>> + 'a>, Error> {
    Ok(match form {
        Form::Archive => Box::new(Inflated::open(&part.name, part.open()?)?),
        Form::Text { in_trace, .. } => Box::new(Reader::new(&part.name, part.open()?, *in_trace)?),
        Form::Ring(_) => Box::new(std::iter::empty()),
    })
}

/// What the rings of a session still hold, all threads in the order of time.
fn recover_rings(parts: &[Part<'_>]) -> Result<Vec<Entry>, Error> {
    let mut threads: HashMap<u32, VecDeque<Event>> = HashMap::new();
    let mut entries = Vec::new();
    for part in parts {
        let (header, events, damage) = recover(&part.name, &part.read(MAX_RING_FILE)?);
        entries.extend(damage.into_iter().map(Entry::Damage));
        for event in events {
            let thread = event.stamp.map_or(header.thread, |stamp| stamp.thread);
            threads.entry(thread).or_default().push_back(event);
        }
    }
    // Within a thread the sequence decides; between threads, time.
    let time = |queue: &VecDeque<Event>| queue.front().and_then(|e| e.stamp).map(|s| (s.time, s.thread));
    while let Some(thread) = threads.values_mut().filter(|q| !q.is_empty()).min_by_key(|q| time(q)) {
        entries.extend(thread.pop_front().map(Entry::Event));
    }
    Ok(entries)
}
