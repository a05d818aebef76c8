//! Merges the records of all rings in the order of time.
//!
//! Each thread has a ring of its own, and a log is read from the beginning to the end: what one thread did
//! earlier than another must come first.

use crate::shared::limits::MAX_RECORD;
use message_log::{Record, RecordError};

/// The records read from one ring.
pub(crate) struct PendingRecords<'a> {
    /// The bytes from its oldest record on.
    pub(crate) bytes: &'a [u8],
    /// Whether the ring has no more bytes.
    pub(crate) is_all: bool,
    /// How many of the bytes are done.
    pub(crate) done: usize,
    next: Option<(Record<'a>, usize)>,
}

impl<'a> PendingRecords<'a> {
    pub(crate) fn new(bytes: &'a [u8], is_all: bool) -> Self {
        let mut pending = Self { bytes, is_all, done: 0, next: None };
        pending.step();
        pending
    }

    /// Decodes the next record. Bytes that are no record were overwritten: they are skipped up to
    /// the next record, whose sequence number shows that something is missing. Only the last record may be
    /// truncated; the next piece of the ring has it whole.
    fn step(&mut self) {
        while self.done < self.bytes.len() {
            let rest = &self.bytes[self.done..];
            match Record::decode(rest) {
                Ok(found) => {
                    self.next = Some(found);
                    return;
                }
                Err(RecordError::Cut) if !self.is_all && rest.len() < MAX_RECORD => return,
                Err(_) => self.done = (self.done + 8).min(self.bytes.len()),
            }
        }
    }

    /// Whether the ring may have more records that are older than those of others.
    fn is_incomplete(&self) -> bool {
        self.next.is_none() && !self.is_all
    }
}

/// Up to which time records are passed on, in ticks.
#[derive(Clone, Copy)]
pub(crate) struct Cutoff {
    pub(crate) tick: u64,
    /// A record that is newer by more than this comes from before a restart of the counter, while the machine
    /// slept. It must not wait until the counter has reached its tick again.
    pub(crate) second: u64,
}

impl Cutoff {
    fn is_behind(self, tick: u64) -> bool {
        tick <= self.tick || tick - self.tick > self.second
    }
}

/// Passes records up to a time on to `put`, oldest first, until `put` returns false. Stops when a ring may
/// have older records than those that were read.
pub(crate) fn merge<'a>(
    rings: &mut [PendingRecords<'a>],
    until: Cutoff,
    mut put: impl FnMut(Record<'a>) -> bool,
) {
    let mut wants_more = true;
    while wants_more && !rings.iter().any(PendingRecords::is_incomplete) {
        let next = |ring: &PendingRecords<'_>| ring.next.as_ref().map(|(record, _)| record.tick);
        let due = rings.iter_mut().filter(|ring| next(ring).is_some_and(|tick| until.is_behind(tick)));
        let Some(oldest) = due.min_by_key(|ring| next(ring)) else { return };
        let Some((record, size)) = oldest.next.take() else { return };
        oldest.done += size;
        wants_more = put(record);
        oldest.step();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use message_log::{Message, RECORD_HEADER, RecordKind};

    /// Records of a thread, with these ticks.
    fn ring(thread: u32, ticks: &[u64]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (&tick, sequence) in ticks.iter().zip(1..) {
            let record = Record {
                kind: RecordKind::Message,
                thread,
                sequence,
                tick,
                message: Message::default(),
                payload: &[],
            };
            let mut buffer = vec![0; RECORD_HEADER];
            record.encode(&mut buffer);
            bytes.extend(buffer);
        }
        bytes
    }

    fn merged(rings: &mut [PendingRecords<'_>], until: u64) -> Vec<(u32, u64)> {
        let mut all = Vec::new();
        merge(rings, Cutoff { tick: until, second: 1000 }, |record| {
            all.push((record.thread, record.tick));
            true
        });
        all
    }

    #[test]
    fn threads_are_merged_in_the_order_of_time() {
        let (first, second) = (ring(1, &[10, 40]), ring(2, &[20, 30, 50]));
        let mut rings = [PendingRecords::new(&first, true), PendingRecords::new(&second, true)];
        assert_eq!(merged(&mut rings, 100), [(1, 10), (2, 20), (2, 30), (1, 40), (2, 50)]);
        assert_eq!([rings[0].done, rings[1].done], [first.len(), second.len()]);
    }

    #[test]
    fn newer_records_wait() {
        let bytes = ring(1, &[10, 40]);
        let mut rings = [PendingRecords::new(&bytes, true)];
        assert_eq!(merged(&mut rings, 39), [(1, 10)]);
        assert_eq!(rings[0].done, bytes.len() / 2);
    }

    #[test]
    fn a_ring_that_was_read_in_part_keeps_the_others_waiting() {
        let (first, second) = (ring(1, &[10, 20, 30]), ring(2, &[15, 25, 35]));
        let two_and_a_half = first.len() * 5 / 6;
        let mut rings =
            [PendingRecords::new(&first[..two_and_a_half], false), PendingRecords::new(&second, true)];
        assert_eq!(merged(&mut rings, 100), [(1, 10), (2, 15), (1, 20)]);
        assert_eq!([rings[0].done, rings[1].done], [first.len() / 3 * 2, second.len() / 3]);
    }

    #[test]
    fn nothing_follows_when_put_returns_false() {
        let (first, second) = (ring(1, &[10, 40]), ring(2, &[20, 30, 50]));
        let mut rings = [PendingRecords::new(&first, true), PendingRecords::new(&second, true)];
        let mut count = 0;
        merge(&mut rings, Cutoff { tick: 100, second: 1000 }, |_| {
            count += 1;
            count < 3
        });
        assert_eq!([rings[0].done, rings[1].done], [first.len() / 2, second.len() / 3 * 2]);
    }

    #[test]
    fn after_a_restart_of_the_counter_nothing_waits() {
        let (asleep, awake) = (ring(1, &[5000, 5010]), ring(2, &[4990, 3, 7]));
        let mut rings = [PendingRecords::new(&asleep, true), PendingRecords::new(&awake, true)];
        let all = merged(&mut rings, 10);
        assert_eq!(all.len(), 5, "{all:?}");
        assert_eq!([rings[0].done, rings[1].done], [asleep.len(), awake.len()]);
    }

    #[test]
    fn bytes_that_are_no_record_are_skipped() {
        let good = ring(2, &[10]);
        for (junk, is_all) in [(500, true), (MAX_RECORD + 504, false)] {
            let junk = vec![7; junk];
            let mut rings = [PendingRecords::new(&junk, is_all), PendingRecords::new(&good, true)];
            merged(&mut rings, 100);
            // Too few bytes for a record may be the beginning of one.
            let left = junk.len() - rings[0].done;
            assert!(if is_all { left == 0 } else { left < RECORD_HEADER }, "{left}");
        }
        let mut half_good = ring(1, &[10]);
        half_good.extend([7; 504]);
        half_good.extend(ring(1, &[20]));
        let mut rings = [PendingRecords::new(&half_good, true)];
        assert_eq!(merged(&mut rings, 100), [(1, 10), (1, 20)], "what follows is there");
        assert_eq!(rings[0].done, half_good.len());
    }

    #[test]
    fn an_overwritten_length_costs_its_own_record() {
        let mut bytes = ring(1, &[10, 20, 30]);
        // Record and payload claim to be longer than any can be.
        let at = bytes.len() / 3;
        bytes[at..at + 4].copy_from_slice(&(RECORD_HEADER as u32 + (1 << 20)).to_le_bytes());
        bytes[at + 68..at + 72].copy_from_slice(&(1u32 << 20).to_le_bytes());
        let mut rings = [PendingRecords::new(&bytes, true)];
        assert_eq!(merged(&mut rings, 100), [(1, 10), (1, 30)]);
    }
}
