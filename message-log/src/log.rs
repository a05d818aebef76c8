//! A log, in whatever form it was sent: files in, events and damage out.
//!
//! The parts may be segments in any order, one text file, a host's trace, an exported file, rings, or a
//! mixture, of one session or of several. What they say about themselves determines their order; rings come
//! last, since they hold what was not yet written as XML. The caller decides where the parts come from.

use crate::identify::{Form, IdentifiedPart, identify};
use crate::order::Order;
use crate::reader::{Entry, Reader};
use crate::ring::{RingHeader, recover};
use crate::xml::FORMAT_VERSION;
use crate::{Damage, DamageKind, Error, Event, Place, SegmentHead};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::io::{self, Cursor, Read, Seek};
use std::iter::Peekable;

/// A larger file is not a ring.
const MAX_RING_FILE: u64 = 512 << 20;

/// A file with random access.
pub trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

/// An opened file of a log.
pub(crate) type OpenFile<'a> = Box<dyn ReadSeek + 'a>;
type Entries<'a> = Box<dyn Iterator<Item = Result<Entry, Error>> + 'a>;

/// One file of a log.
pub struct Part<'a> {
    pub(crate) name: String,
    open: Box<dyn Fn() -> io::Result<OpenFile<'a>> + 'a>,
}

impl<'a> Part<'a> {
    /// A file that is opened when it is needed, possibly several times. Messages use its name, and the folder
    /// in it determines the session of a file that does not state its own.
    pub fn new<F: ReadSeek + 'a>(name: impl Into<String>, open: impl Fn() -> io::Result<F> + 'a) -> Self {
        Self { name: name.into(), open: Box::new(move || Ok(Box::new(open()?))) }
    }

    /// A file in memory.
    pub fn from_bytes(name: impl Into<String>, bytes: &'a [u8]) -> Self {
        Self::new(name, move || Ok(Cursor::new(bytes)))
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn open(&self) -> Result<OpenFile<'a>, Error> {
        (self.open)().map_err(|cause| Error::Io { name: self.name.clone(), cause })
    }

    pub(crate) fn read(&self, limit: u64) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let read = self.open()?.take(limit).read_to_end(&mut bytes);
        read.map_err(|cause| Error::Io { name: self.name.clone(), cause })?;
        Ok(bytes)
    }

    /// The path without the file's own name.
    fn folder(&self) -> &str {
        self.name.rfind(['/', '\\']).map_or("", |end| &self.name[..end])
    }
}

/// Reads a log from beginning to end.
pub struct Log<'a> {
    sessions: VecDeque<Session<'a>>,
    current: Option<Session<'a>>,
    file: Option<Peekable<Entries<'a>>>,
    /// Events recovered from the rings after all text of a session was read.
    recovered: VecDeque<Entry>,
    /// Whether the text ends inside a message that the rings may still have whole.
    cut: Option<Damage>,
    /// The file being read, for reports about the order.
    place: Place,
    order: Order,
    /// The only session that was requested, and whether the current one is it.
    only: Option<String>,
    is_wanted: bool,
    ready: VecDeque<Entry>,
    done: bool,
}

/// The parts of one session, in order.
struct Session<'a> {
    name: String,
    /// Its start in microseconds since 1970; unknown in logs of other makers.
    started: Option<i64>,
    text: VecDeque<IdentifiedPart<'a>>,
    rings: Vec<Part<'a>>,
    /// Further sessions that begin inside its files.
    inside: Vec<(String, Option<i64>)>,
}

impl<'a> Log<'a> {
    /// Examines every part and puts them in order. A part in a newer format is refused. So is a single part
    /// that cannot be read; among several, that is damage.
    pub fn open(mut parts: Vec<Part<'a>>) -> Result<Self, Error> {
        parts.sort_by(|a, b| a.name.cmp(&b.name));
        let is_single = parts.len() == 1;
        let mut ready = VecDeque::new();
        let mut identified = Vec::new();
        for part in parts {
            match identify(part) {
                Ok(part) => identified.push(part),
                Err(Error::Io { name, cause }) if !is_single => {
                    let place = Place { name, ..Place::default() };
                    ready.push_back(Entry::Damage(unreadable(place, &cause)));
                }
                Err(error) => return Err(error),
            }
        }
        adopt_orphans(&mut identified);
        Ok(Self {
            sessions: group(identified).into(),
            current: None,
            file: None,
            recovered: VecDeque::new(),
            cut: None,
            place: Place::default(),
            order: Order::default(),
            only: None,
            is_wanted: true,
            ready,
            done: false,
        })
    }

    /// A log that is one file in memory.
    pub fn from_bytes(name: &str, bytes: &'a [u8]) -> Result<Self, Error> {
        Self::open(vec![Part::from_bytes(name, bytes)])
    }

    /// The names of the sessions, oldest first; a log of another maker has an empty name.
    pub fn sessions(&self) -> Vec<String> {
        let mut names: Vec<_> = self.sessions.iter().flat_map(Session::all).collect();
        names.sort_by_key(|(_, started)| *started);
        names.into_iter().map(|(name, _)| name.to_string()).collect()
    }

    /// Leaves out all other sessions.
    #[must_use]
    pub fn only(mut self, session: &str) -> Self {
        self.sessions.retain(|s| s.all().any(|(name, _)| name == session));
        self.only = Some(session.into());
        self
    }

    /// Leaves out all sessions but the newest.
    #[must_use]
    pub fn newest(self) -> Self {
        match self.sessions().pop() {
            Some(session) => self.only(&session),
            None => self,
        }
    }

    /// Every event and all damage, each in order. For logs that fit in memory.
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

    /// The next entry of the files, before the order is checked, and whether it comes from a ring.
    fn advance(&mut self) -> Result<Option<(Entry, bool)>, Error> {
        loop {
            if let Some(file) = &mut self.file {
                match file.next() {
                    Some(Ok(Entry::Damage(damage)))
                        if file.peek().is_none()
                            && self.current.as_ref().is_some_and(|session| session.may_have(&damage)) =>
                    {
                        self.cut = Some(damage);
                    }
                    Some(entry) => return Ok(Some((entry?, false))),
                    None => self.file = None,
                }
            } else if let Some(entry) = self.recovered.pop_front() {
                return Ok(Some((entry, true)));
            } else if let Some(session) = &mut self.current {
                if let Some(part) = session.text.pop_front() {
                    self.place = Place { name: part.part.name.clone(), ..Place::default() };
                    match open_text(part) {
                        Ok(file) => self.file = Some(file.peekable()),
                        // The file existed a moment ago: a recorder that is still running deletes old
                        // segments.
                        Err(Error::Io { cause, .. }) if cause.kind() == io::ErrorKind::NotFound => {
                            return Ok(Some((Entry::Damage(unreadable(self.place.clone(), &cause)), false)));
                        }
                        Err(error) => return Err(error),
                    }
                } else if session.rings.is_empty() {
                    self.current = None;
                } else {
                    self.place = Place { name: session.rings[0].name.clone(), ..Place::default() };
                    self.recovered = recover_rings(&std::mem::take(&mut session.rings))?.into();
                    let is_whole = self.recovered.iter().all(|entry| match entry {
                        Entry::Damage(damage) => !damage.is_loss(),
                        _ => true,
                    });
                    let has_more = self.recovered.iter().any(|entry| match entry {
                        Entry::Event(event) => !self.order.has_read(event),
                        _ => false,
                    });
                    let cut = self.cut.take().filter(|_| !(is_whole && has_more));
                    cut.into_iter().for_each(|cut| self.recovered.push_front(Entry::Damage(cut)));
                }
            } else {
                let Some(session) = self.sessions.pop_front() else { return Ok(None) };
                self.flush_order();
                self.order = Order::default();
                self.is_wanted = self.only.as_ref().is_none_or(|only| *only == session.name);
                // Only rings are left: their name is all that is known of the head.
                let head = SegmentHead {
                    version: FORMAT_VERSION,
                    session: session.name.clone(),
                    ..SegmentHead::default()
                };
                let has_text = !session.text.is_empty();
                self.current = Some(session);
                if !has_text {
                    return Ok(Some((Entry::Segment(head), true)));
                }
            }
        }
    }

    /// Checks the order; returns an entry at once if nothing has to be reported before it.
    fn sort(&mut self, entry: Entry, from_ring: bool) -> Option<Entry> {
        let mut damage = Vec::new();
        let news = match &entry {
            Entry::Segment(head) => {
                self.is_wanted = self.only.as_ref().is_none_or(|only| *only == head.session);
                self.order.segment(head, &mut damage);
                true
            }
            Entry::Event(event) => self.order.event(event, from_ring, &mut damage),
            Entry::Damage(_) => true,
        };
        if !self.is_wanted {
            return None;
        }
        if damage.is_empty() {
            return news.then_some(entry);
        }
        self.report(damage);
        if news {
            self.ready.push_back(entry);
        }
        None
    }

    fn flush_order(&mut self) {
        let mut damage = Vec::new();
        self.order.flush(&mut damage);
        self.report(damage);
    }

    /// Order concerns several records, so the place is the file, and the text names thread and number.
    fn report(&mut self, damage: Vec<DamageKind>) {
        let place = &self.place;
        self.ready
            .extend(damage.into_iter().map(|kind| Entry::Damage(Damage { place: place.clone(), kind })));
    }
}

impl Iterator for Log<'_> {
    type Item = Result<Entry, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.done {
            match self.advance() {
                Ok(Some((entry, from_ring))) => {
                    if let Some(entry) = self.sort(entry, from_ring) {
                        return Some(Ok(entry));
                    }
                }
                Ok(None) => {
                    self.done = true;
                    self.flush_order();
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

impl Session<'_> {
    /// Whether the rings may still hold a record that was truncated when the process died: a ring frees a
    /// message only after the write is complete. The recorder's own records were in no ring.
    fn may_have(&self, damage: &Damage) -> bool {
        let DamageKind::Cut { element } = &damage.kind else { return false };
        let is_of_a_thread =
            ["msg", "mark", "act", "gap", "crash"].iter().any(|it| it.starts_with(element.as_str()));
        self.text.is_empty() && !self.rings.is_empty() && is_of_a_thread
    }

    /// Its own name and start, and those of sessions inside its files.
    fn all(&self) -> impl Iterator<Item = (&str, Option<i64>)> {
        let inside = self.inside.iter().map(|(name, started)| (name.as_str(), *started));
        std::iter::once((self.name.as_str(), self.started)).chain(inside)
    }
}

/// Files that do not state their session belong to a session of the same folder: that of the previous file by
/// name, or else of the next.
fn adopt_orphans(parts: &mut [IdentifiedPart<'_>]) {
    let known: Vec<Option<(String, u64)>> =
        parts.iter().map(|part| part.session().map(|s| (s.into(), part.number()))).collect();
    for i in 0..parts.len() {
        if known[i].is_some() {
            continue;
        }
        let near = |j: &usize| known[*j].is_some() && parts[*j].part.folder() == parts[i].part.folder();
        let neighbour = (0..i).rev().find(near).or_else(|| (i + 1..parts.len()).find(near));
        if let Some((session, number)) = neighbour.and_then(|j| known[j].clone()) {
            parts[i].adopt(session, number);
        }
    }
}

fn group(parts: Vec<IdentifiedPart<'_>>) -> Vec<Session<'_>> {
    let mut sessions: Vec<Session<'_>> = Vec::new();
    let mut index_of: HashMap<String, usize> = HashMap::new();
    for part in parts {
        let name = part.session().unwrap_or_default().to_string();
        // A ring stores only the beginning of a long name.
        let key = RingHeader::session_name(&name).to_string();
        let index = *index_of.entry(key).or_insert_with(|| {
            let (text, rings, inside) = (VecDeque::new(), Vec::new(), Vec::new());
            sessions.push(Session { name: name.clone(), started: None, text, rings, inside });
            sessions.len() - 1
        });
        let session = &mut sessions[index];
        if name.len() > session.name.len() {
            session.name = name;
        }
        session.started = session.started.into_iter().chain(part.started()).min();
        match part.form {
            Form::Ring(_) => session.rings.push(part.part),
            _ => {
                session.inside.extend(part.further_sessions());
                session.text.push_back(part);
            }
        }
    }
    for session in &mut sessions {
        session.text.make_contiguous().sort_by_key(IdentifiedPart::number);
    }
    sessions.sort_by_key(|session| session.started);
    sessions
}

fn unreadable(place: Place, cause: &io::Error) -> Damage {
    Damage { place, kind: DamageKind::UnreadableFile { reason: cause.to_string() } }
}

fn open_text(part: IdentifiedPart<'_>) -> Result<Entries<'_>, Error> {
    let file = part.part.open()?;
    Ok(match part.form {
        Form::Archive(_) => Box::new(crate::archive::InflatedStream::open(&part.part.name, file)?),
        Form::Text { in_trace, .. } => Box::new(Reader::new(&part.part.name, file, in_trace)?),
        Form::Ring(_) => Box::new(std::iter::empty()),
    })
}

/// What the rings of a session still hold, all threads in order of time.
fn recover_rings(parts: &[Part<'_>]) -> Result<Vec<Entry>, Error> {
    let mut threads: HashMap<u32, VecDeque<Event>> = HashMap::new();
    let mut entries = Vec::new();
    for part in parts {
        let (_, events, damage) = recover(&part.name, &part.read(MAX_RING_FILE)?);
        entries.extend(damage.into_iter().map(Entry::Damage));
        for event in events {
            let thread = event.stamp.map_or(0, |stamp| stamp.thread);
            threads.entry(thread).or_default().push_back(event);
        }
    }
    // Within a thread the sequence decides, between threads the time.
    let time = |queue: &VecDeque<Event>| queue.front().and_then(|event| event.stamp).map(|stamp| stamp.time);
    let mut next: BinaryHeap<_> =
        threads.iter().map(|(&thread, queue)| Reverse((time(queue), thread))).collect();
    while let Some(Reverse((_, thread))) = next.pop() {
        let Some(queue) = threads.get_mut(&thread) else { continue };
        entries.extend(queue.pop_front().map(Entry::Event));
        if !queue.is_empty() {
            next.push(Reverse((time(queue), thread)));
        }
    }
    Ok(entries)
}
