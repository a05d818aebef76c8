//! The file that contains a ring, and the recovery of one that a crash left behind.
//!
//! One header page, then the data area. Indices are those of the `ringbuf` crate: from 0 to twice the
//! capacity, so that full and empty differ. The recorder owns the live ring; this file only reads its bytes.
//! Recovery trusts the checksums of the records, and the indices only if they are plausible.

use crate::facts::add_facts;
use crate::record::{checksum, u32_at, u64_at};
use crate::{Damage, DamageKind, Event, Place, Record, RecordError};
use std::collections::HashSet;

/// The first bytes of a ring file.
pub const RING_MAGIC: &[u8; 8] = b"DASHRING";
/// The version of rings. Up to version 2 it was that of the XML.
pub const RING_VERSION: u32 = 4;
/// The offset of the data area.
pub const RING_DATA_OFFSET: usize = 4096;
/// The most bytes of a file that recovery reads; the recorder's rings are far smaller.
const MAX_CAPACITY: u64 = 256 << 20;
const FIXED: usize = 128;
const SESSION: std::ops::Range<usize> = 56..120;

/// The content of the header. The fixed part is written once and has a checksum. Indices and counters change
/// all the time and have offsets of their own, each in its own cache line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RingHeader {
    /// The name of the session, cut to 64 bytes.
    pub session: String,
    /// The start of the session: microseconds since 1970, UTC.
    pub started: i64,
    /// The process id.
    pub process: u32,
    /// The number of the thread in the session.
    pub thread: u32,
    /// The system's thread id.
    pub thread_id: u32,
    /// The size of the data area, a multiple of 8.
    pub capacity: u64,
    /// The time stamp counter at the start of the session.
    pub tick_base: u64,
    /// Microseconds per tick, times 2^40; refined during recording.
    pub tick_scale: u64,
    /// The index at which the callback writes next.
    pub write_index: u64,
    /// The index up to which the drain has written XML.
    pub read_index: u64,
}

impl RingHeader {
    /// The offset of the tick scale, an aligned 64-bit number.
    pub const TICK_SCALE: usize = 192;
    /// The offset of the write index, an aligned 64-bit number.
    pub const WRITE_INDEX: usize = 256;
    /// The offset of the read index, an aligned 64-bit number.
    pub const READ_INDEX: usize = 320;

    /// The header page.
    pub fn encode(&self) -> Vec<u8> {
        let mut page = vec![0; RING_DATA_OFFSET];
        page[..8].copy_from_slice(RING_MAGIC);
        page[8..12].copy_from_slice(&RING_VERSION.to_le_bytes());
        page[16..24].copy_from_slice(&self.capacity.to_le_bytes());
        page[24..28].copy_from_slice(&self.process.to_le_bytes());
        page[28..32].copy_from_slice(&self.thread.to_le_bytes());
        page[32..36].copy_from_slice(&self.thread_id.to_le_bytes());
        page[40..48].copy_from_slice(&self.tick_base.to_le_bytes());
        page[48..56].copy_from_slice(&self.started.to_le_bytes());
        let name = Self::session_name(&self.session).as_bytes();
        page[SESSION.start..][..name.len()].copy_from_slice(name);
        let sum = checksum(RING_VERSION, &page[16..FIXED]);
        page[12..16].copy_from_slice(&sum.to_le_bytes());
        page[Self::TICK_SCALE..][..8].copy_from_slice(&self.tick_scale.to_le_bytes());
        page[Self::WRITE_INDEX..][..8].copy_from_slice(&self.write_index.to_le_bytes());
        page[Self::READ_INDEX..][..8].copy_from_slice(&self.read_index.to_le_bytes());
        page
    }

    /// Reads a header page, and reports what is wrong with it.
    pub fn decode(page: &[u8]) -> (Self, Option<DamageKind>) {
        let name = page.get(SESSION).unwrap_or_default();
        let name = name.split(|&b| b == 0).next().unwrap_or_default();
        let header = Self {
            session: String::from_utf8_lossy(name).into_owned(),
            started: u64_at(page, 48).cast_signed(),
            process: u32_at(page, 24),
            thread: u32_at(page, 28),
            thread_id: u32_at(page, 32),
            capacity: u64_at(page, 16),
            tick_base: u64_at(page, 40),
            tick_scale: u64_at(page, Self::TICK_SCALE),
            write_index: u64_at(page, Self::WRITE_INDEX),
            read_index: u64_at(page, Self::READ_INDEX),
        };
        let damage = if page.len() < RING_DATA_OFFSET {
            Some("it is cut")
        } else if !page.starts_with(RING_MAGIC) {
            Some("it does not begin as one")
        } else if checksum(u32_at(page, 8), &page[16..FIXED]) != u32_at(page, 12) {
            Some("its checksum is wrong")
        } else {
            None
        };
        (header, damage.map(|reason| DamageKind::RingHeader { reason }))
    }

    /// As much of a session's name as a header can hold.
    pub(crate) fn session_name(session: &str) -> &str {
        let mut end = session.len().min(SESSION.len());
        while !session.is_char_boundary(end) {
            end -= 1;
        }
        &session[..end]
    }

    /// The version that a ring file states, if it is one.
    pub fn version(bytes: &[u8]) -> Option<u32> {
        bytes.starts_with(RING_MAGIC).then(|| u32_at(bytes, 8))
    }

    /// Microseconds since the start of the session.
    pub fn time(&self, tick: u64) -> u64 {
        let micros = (u128::from(tick.saturating_sub(self.tick_base)) * u128::from(self.tick_scale)) >> 40;
        u64::try_from(micros).unwrap_or(u64::MAX)
    }
}

/// Everything in a ring file that may not be in XML yet, oldest first.
///
/// If the indices are plausible, that is what lies between them. Otherwise every intact record of the data
/// area counts; records that are in XML already have the same sequence numbers and are removed as duplicates
/// when the log is assembled.
pub fn recover(name: &str, bytes: &[u8]) -> (RingHeader, Vec<Event>, Vec<Damage>) {
    let (header, bad) = RingHeader::decode(bytes);
    let place = |offset: usize| Place { name: name.into(), offset: offset as u64, line: 0 };
    let mut damage: Vec<_> = bad.into_iter().map(|kind| Damage { place: place(0), kind }).collect();
    let area = bytes.get(RING_DATA_OFFSET..).unwrap_or_default();
    let stated = header.capacity;
    let capacity = if damage.is_empty() && stated % 8 == 0 && stated > 0 && stated <= MAX_CAPACITY {
        stated as usize
    } else {
        area.len() / 8 * 8
    };
    if area.len() < capacity {
        damage.push(Damage { place: place(bytes.len()), kind: DamageKind::Cut { element: String::new() } });
    }
    let area = &area[..area.len().min(capacity)];
    let between = occupied(&header, capacity).filter(|_| area.len() == capacity);
    let is_exact = between.is_some();
    let (start, used) = between.unwrap_or_else(|| {
        let kind = DamageKind::RingHeader { reason: "its indices make no sense" };
        damage.push(Damage { place: place(0), kind });
        // Starts at an intact record, so that the one that crosses the end is in one piece.
        (first_intact(area), area.len())
    });
    let linear: Vec<u8> = area[start..].iter().chain(&area[..start]).copied().take(used).collect();
    let mut events = scan(&header, &linear, is_exact, |at, kind| {
        let offset = RING_DATA_OFFSET + (start + at) % capacity.max(1);
        damage.push(Damage { place: place(offset), kind });
    });
    events.sort_by_key(|event| event.stamp.map(|stamp| (stamp.thread, stamp.sequence)));
    events.dedup_by_key(|event| event.stamp.map(|stamp| (stamp.thread, stamp.sequence)));
    (header, events, damage)
}

/// Start and length of the area between the indices.
fn occupied(header: &RingHeader, capacity: usize) -> Option<(usize, usize)> {
    let modulus = (capacity as u64) * 2;
    let (read, write) = (header.read_index, header.write_index);
    if capacity == 0 || read >= modulus || write >= modulus || read % 8 != 0 || write % 8 != 0 {
        return None;
    }
    let used = (write + modulus - read) % modulus;
    (used <= capacity as u64).then_some(((read % capacity as u64) as usize, used as usize))
}

/// Tries to decode a record at every possible offset. The work is bounded: false starts share a budget.
struct Search<'a> {
    bytes: &'a [u8],
    at: usize,
    budget: usize,
}

impl<'a> Search<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, budget: bytes.len().saturating_mul(16) }
    }

    /// The next intact record and its offset.
    fn next(&mut self) -> Option<(usize, Record<'a>)> {
        while self.at < self.bytes.len() && self.budget > 0 {
            let rest = &self.bytes[self.at..];
            match Record::decode(rest) {
                Ok((record, size)) => {
                    let at = self.at;
                    self.at += size;
                    return Some((at, record));
                }
                Err(error) => {
                    let summed = if error == RecordError::Damaged { u32_at(rest, 0) as usize } else { 8 };
                    self.budget = self.budget.saturating_sub(summed);
                    self.at += 8;
                }
            }
        }
        None
    }
}

fn first_intact(area: &[u8]) -> usize {
    Search::new(area).next().map_or(0, |(at, _)| at)
}

/// Every intact record, and what was lost between them. If the bytes must be exactly as written, zeros are a
/// loss too: a page that never reached the disk.
fn scan(
    header: &RingHeader,
    bytes: &[u8],
    is_exact: bool,
    mut lost: impl FnMut(usize, DamageKind),
) -> Vec<Event> {
    let mut events = Vec::new();
    let mut facts = Vec::new();
    // Each is reported once: a damaged ring has thousands of the same.
    let mut reported = HashSet::new();
    let mut search = Search::new(bytes);
    loop {
        let from = search.at;
        let found = search.next();
        let to = found.map_or(bytes.len(), |(at, _)| at);
        // Space that was never written is zero, which is no loss.
        if is_exact && to > from || bytes[from..to].iter().any(|&b| b != 0) {
            lost(from, DamageKind::RingBytes { bytes: (to - from) as u64 });
        }
        let Some((at, record)) = found else { return events };
        let mut event = record.to_event(header.time(record.tick), &mut facts);
        add_facts(&mut event);
        events.push(event);
        for kind in facts.drain(..) {
            if reported.insert(kind.to_string()) {
                lost(at, kind);
            }
        }
    }
}
