//! What a file is, which session it belongs to and which place it has there, before it is read.

use crate::archive::{self, InflatedStream};
use crate::frame::{is_trace, scan_heads};
use crate::log::Part;
use crate::reader::{Entry, Reader};
use crate::ring::RingHeader;
use crate::{Error, RING_DATA_OFFSET, RING_VERSION, SegmentHead};
use chrono::DateTime;

/// The most sessions that are searched for in one file; a concatenation has a handful.
const MAX_SESSIONS: usize = 1000;

/// The kind of a part.
pub(crate) enum Form {
    /// XML, possibly among lines of a host's trace.
    Text {
        /// The heads inside, one per session; none if they are lost or never existed.
        heads: Vec<SegmentHead>,
        in_trace: bool,
    },
    /// A ring, and its header if it can be trusted.
    Ring(Option<RingHeader>),
    /// An exported file, and the head in it.
    Archive(Option<SegmentHead>),
}

/// A part and what is known about it.
pub(crate) struct IdentifiedPart<'a> {
    pub(crate) part: Part<'a>,
    pub(crate) form: Form,
    /// Session and segment of a neighbouring file, if the file does not say itself.
    adopted: Option<(String, u64)>,
}

impl IdentifiedPart<'_> {
    /// The name of its session.
    pub(crate) fn session(&self) -> Option<&str> {
        match (&self.form, &self.adopted) {
            (Form::Ring(Some(header)), _) => Some(&header.session),
            (_, Some((session, _))) => Some(session),
            _ => self.head().map(|head| head.session.as_str()),
        }
    }

    /// The number of its segment.
    pub(crate) fn number(&self) -> u64 {
        match (self.head(), &self.adopted) {
            (Some(head), _) => head.number,
            (None, Some((_, number))) => *number,
            (None, None) => 0,
        }
    }

    /// The start of its session, as far as the file says.
    pub(crate) fn started(&self) -> Option<i64> {
        match &self.form {
            Form::Ring(header) => header.as_ref().map(|header| header.started),
            _ => self.head().and_then(started),
        }
    }

    /// Sessions that begin after the first one inside the same file.
    pub(crate) fn further_sessions(&self) -> Vec<(String, Option<i64>)> {
        match &self.form {
            Form::Text { heads, .. } => {
                heads.iter().skip(1).map(|head| (head.session.clone(), started(head))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Assigns it to the session of a neighbour.
    pub(crate) fn adopt(&mut self, session: String, number: u64) {
        self.adopted = Some((session, number));
    }

    fn head(&self) -> Option<&SegmentHead> {
        match &self.form {
            Form::Text { heads, .. } => heads.first(),
            Form::Archive(head) => head.as_ref(),
            Form::Ring(_) => None,
        }
    }
}

/// The start of the session in microseconds since 1970: the wall-clock time of the segment minus its offset
/// in the session.
fn started(head: &SegmentHead) -> Option<i64> {
    let begin = DateTime::parse_from_rfc3339(&head.wall).ok()?.timestamp_micros();
    Some(begin.saturating_sub(i64::try_from(head.time).unwrap_or(i64::MAX)))
}

/// Examines a file. A newer format is refused.
pub(crate) fn identify(part: Part<'_>) -> Result<IdentifiedPart<'_>, Error> {
    let form = find_form(&part)?;
    Ok(IdentifiedPart { part, form, adopted: None })
}

fn find_form(part: &Part<'_>) -> Result<Form, Error> {
    let bytes = part.read(RING_DATA_OFFSET as u64)?;
    if archive::is_archive(&bytes) {
        let mut entries = InflatedStream::open(&part.name, part.open()?)?;
        return Ok(Form::Archive(first_head(&mut entries)?));
    }
    let is_called_ring = part.name.to_ascii_lowercase().ends_with(".ring");
    if RingHeader::version(&bytes).is_some() || is_called_ring {
        let (header, bad) = RingHeader::decode(&bytes);
        let version = RingHeader::version(&bytes).unwrap_or_default();
        if version > RING_VERSION && bad.is_none() {
            return Err(Error::NewerVersion { name: part.name.clone(), found: version, known: RING_VERSION });
        }
        return Ok(Form::Ring(bad.is_none().then_some(header)));
    }
    find_heads(part)
}

/// The heads inside a text, the first one of each session.
fn find_heads(part: &Part<'_>) -> Result<Form, Error> {
    let io_error = |cause| Error::Io { name: part.name.clone(), cause };
    let in_trace = is_trace(part.open()?).map_err(io_error)?;
    let mut heads: Vec<SegmentHead> = Vec::new();
    let mut newer = None;
    scan_heads(part.open()?, |tag| {
        // Each tag is parsed like a small file.
        let read = Reader::new(&part.name, tag, false).and_then(|mut reader| first_head(&mut reader));
        match read {
            Ok(Some(head))
                if heads.len() < MAX_SESSIONS && heads.iter().all(|h| h.session != head.session) =>
            {
                heads.push(head);
            }
            // A newer format after an older one is reported when it is read.
            Err(error) if heads.is_empty() => newer = Some(error),
            _ => {}
        }
    })
    .map_err(io_error)?;
    match newer {
        Some(error) => Err(error),
        None => Ok(Form::Text { heads, in_trace }),
    }
}

fn first_head(entries: &mut dyn Iterator<Item = Result<Entry, Error>>) -> Result<Option<SegmentHead>, Error> {
    for entry in entries {
        match entry? {
            Entry::Segment(head) => return Ok(Some(head)),
            Entry::Event(_) => break,
            Entry::Damage(_) => {}
        }
    }
    Ok(None)
}
