//! Rings side by side: their records in the order of time.
//!
//! Each thread has a ring of its own, and a log is read from the beginning to the end: what one thread did before another must
//! stand before it.

use message_log::Record;

/// What was taken from one ring.
pub(crate) struct Taken<'a> {
    /// From its oldest record on.
    pub(crate) bytes: &'a [u8],
    /// Whether the ring has no more.
    pub(crate) is_all: bool,
    /// How many of the bytes need not be looked at again.
    pub(crate) done: usize,
    next: Option<(Record<'a>, usize)>,
}

impl<'a> Taken<'a> {
    pub(crate) fn new(bytes: &'a [u8], is_all: bool) -> Self {
        let mut taken = Self { bytes, is_all, done: 0, next: None };
        taken.step();
        taken
    }

    /// Looks at the next record. What is none was written over by somebody: it is passed by, and the numbers that follow tell
    /// that something is missing. Only the last of a piece may be cut, and is whole in the next piece.
    fn step(&mut self) {
        self.next = Record::decode(&self.bytes[self.done..]).ok();
        if self.next.is_none() && (self.is_all || self.done == 0) {
            self.done = self.bytes.len();
        }
    }

    /// Whether records wait in the ring that may be older than those of others.
    fn is_cut(&self) -> bool {
        self.next.is_none() && !self.is_all
    }
}

/// Hands over the records up to a moment, oldest first; stops early where a ring has more than was taken from it.
pub(crate) fn merge<'a>(rings: &mut [Taken<'a>], until: u64, mut put: impl FnMut(Record<'a>)) {
    while !rings.iter().any(Taken::is_cut) {
        let tick = |ring: &Taken<'_>| ring.next.as_ref().map_or(u64::MAX, |(record, _)| record.tick);
        let Some(oldest) = rings.iter_mut().min_by_key(|ring| tick(ring)) else { return };
        let Some((record, size)) = oldest.next.take_if(|(record, _)| record.tick <= until) else { return };
        oldest.done += size;
        put(record);
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

    fn merged(rings: &mut [Taken<'_>], until: u64) -> Vec<(u32, u64)> {
        let mut all = Vec::new();
        merge(rings, until, |record| all.push((record.thread, record.tick)));
        all
    }

    #[test]
    fn threads_are_told_in_the_order_of_time() {
        let (first, second) = (ring(1, &[10, 40]), ring(2, &[20, 30, 50]));
        let mut rings = [Taken::new(&first, true), Taken::new(&second, true)];
        assert_eq!(merged(&mut rings, 100), [(1, 10), (2, 20), (2, 30), (1, 40), (2, 50)]);
        assert_eq!([rings[0].done, rings[1].done], [first.len(), second.len()]);
    }

    #[test]
    fn what_is_newer_than_the_moment_waits() {
        let bytes = ring(1, &[10, 40]);
        let mut rings = [Taken::new(&bytes, true)];
        assert_eq!(merged(&mut rings, 39), [(1, 10)]);
        assert_eq!(rings[0].done, bytes.len() / 2);
    }

    #[test]
    fn a_ring_with_more_than_was_taken_keeps_the_others_waiting() {
        let (first, second) = (ring(1, &[10, 20, 30]), ring(2, &[15, 25, 35]));
        let two_and_a_half = first.len() * 5 / 6;
        let mut rings = [Taken::new(&first[..two_and_a_half], false), Taken::new(&second, true)];
        assert_eq!(merged(&mut rings, 100), [(1, 10), (2, 15), (1, 20)]);
        assert_eq!([rings[0].done, rings[1].done], [first.len() / 3 * 2, second.len() / 3]);
    }

    #[test]
    fn what_is_no_record_is_passed_by() {
        let good = ring(2, &[10]);
        for is_all in [true, false] {
            let mut rings = [Taken::new(&[7; 500], is_all), Taken::new(&good, true)];
            merged(&mut rings, 100);
            assert_eq!(rings[0].done, 500);
        }
        let mut half_good = ring(1, &[10]);
        half_good.extend([7; 500]);
        let mut rings = [Taken::new(&half_good, true)];
        assert_eq!(merged(&mut rings, 100), [(1, 10)]);
        assert_eq!(rings[0].done, half_good.len());
    }
}
