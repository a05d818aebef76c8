//! Rings side by side: their records in the order of time.
//!
//! Each thread has a ring of its own, and a log is read from the beginning to the end: what one thread did
//! before another must stand before it.

use crate::shared::limits::MAX_RECORD;
use message_log::{Record, RecordError};

/// What was taken from one ring.
pub(crate) struct PendingRecords<'a> {
    /// From its oldest record on.
    pub(crate) bytes: &'a [u8],
    /// Whether the ring has no more.
    pub(crate) is_all: bool,
    /// How many of the bytes need not be looked at again.
    pub(crate) done: usize,
    next: Option<(Record<'a>, usize)>,
}

impl<'a> PendingRecords<'a> {
    pub(crate) fn new(bytes: &'a [u8], is_all: bool) -> Self {
        let mut taken = Self { bytes, is_all, done: 0, next: None };
        taken.step();
        taken
    }

    /// Looks at the next record. What is none was written over by somebody: it is passed by up to the next
    /// that is, and the numbers that follow tell that something is missing. Only the last of a piece may be
    /// cut, and is whole in the next piece.
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

    /// Whether records wait in the ring that may be older than those of others.
    fn is_cut(&self) -> bool {
        self.next.is_none() && !self.is_all
    }
}

/// Up to which moment records are handed over, in ticks of the processor.
#[derive(Clone, Copy)]
pub(crate) struct Cutoff {
    pub(crate) tick: u64,
    /// What is newer by so much cannot be: the counter began anew while the machine slept, and what was
    /// recorded before must not wait until it has come so far again.
    pub(crate) second: u64,
}

impl Cutoff {
    fn is_behind(self, tick: u64) -> bool {
        tick <= self.tick || tick - self.tick > self.second
    }
}

/// Hands over the records up to a moment, oldest first, as long as `put` wants more; stops early where a ring
/// has more than was taken from it.
pub(crate) fn merge<'a>(
    rings: &mut [PendingRecords<'a>],
    until: Cutoff,
    mut put: impl FnMut(Record<'a>) -> bool,
) {
    let mut is_relevant = true;
    while is_relevant && !rings.iter().any(PendingRecords::is_cut) {
        let next = |ring: &PendingRecords<'_>| ring.next.as_ref().map(|(record, _)| record.tick);
        let due = rings.iter_mut().filter(|ring| next(ring).is_some_and(|tick| until.is_behind(tick)));
        let Some(oldest) = due.min_by_key(|ring| next(ring)) else { return };
        let Some((record, size)) = oldest.next.take() else { return };
        oldest.done += size;
        is_relevant = put(record);
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
    fn threads_are_told_in_the_order_of_time() {
        let (first, second) = (ring(1, &[10, 40]), ring(2, &[20, 30, 50]));
        let mut rings = [PendingRecords::new(&first, true), PendingRecords::new(&second, true)];
        assert_eq!(merged(&mut rings, 100), [(1, 10), (2, 20), (2, 30), (1, 40), (2, 50)]);
        assert_eq!([rings[0].done, rings[1].done], [first.len(), second.len()]);
    }

    #[test]
    fn what_is_newer_than_the_moment_waits() {
        let bytes = ring(1, &[10, 40]);
        let mut rings = [PendingRecords::new(&bytes, true)];
        assert_eq!(merged(&mut rings, 39), [(1, 10)]);
        assert_eq!(rings[0].done, bytes.len() / 2);
    }

    #[test]
    fn a_ring_with_more_than_was_taken_keeps_the_others_waiting() {
        let (first, second) = (ring(1, &[10, 20, 30]), ring(2, &[15, 25, 35]));
        let two_and_a_half = first.len() * 5 / 6;
        let mut rings =
            [PendingRecords::new(&first[..two_and_a_half], false), PendingRecords::new(&second, true)];
        assert_eq!(merged(&mut rings, 100), [(1, 10), (2, 15), (1, 20)]);
        assert_eq!([rings[0].done, rings[1].done], [first.len() / 3 * 2, second.len() / 3]);
    }

    #[test]
    fn nobody_is_given_more_than_he_wants() {
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
    fn a_counter_that_begins_anew_keeps_nothing_waiting() {
        let (asleep, awake) = (ring(1, &[5000, 5010]), ring(2, &[4990, 3, 7]));
        let mut rings = [PendingRecords::new(&asleep, true), PendingRecords::new(&awake, true)];
        let all = merged(&mut rings, 10);
        assert_eq!(all.len(), 5, "{all:?}");
        assert_eq!([rings[0].done, rings[1].done], [asleep.len(), awake.len()]);
    }

    #[test]
    fn what_is_no_record_is_passed_by() {
        let good = ring(2, &[10]);
        for (junk, is_all) in [(500, true), (MAX_RECORD + 504, false)] {
            let junk = vec![7; junk];
            let mut rings = [PendingRecords::new(&junk, is_all), PendingRecords::new(&good, true)];
            merged(&mut rings, 100);
            // What is too short for a record may be the beginning of one.
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
    fn a_length_that_was_written_over_costs_its_own_record() {
        let mut bytes = ring(1, &[10, 20, 30]);
        // It says that it is longer than any, and that its payload is.
        let at = bytes.len() / 3;
        bytes[at..at + 4].copy_from_slice(&(RECORD_HEADER as u32 + (1 << 20)).to_le_bytes());
        bytes[at + 68..at + 72].copy_from_slice(&(1u32 << 20).to_le_bytes());
        let mut rings = [PendingRecords::new(&bytes, true)];
        assert_eq!(merged(&mut rings, 100), [(1, 10), (1, 30)]);
    }
}
