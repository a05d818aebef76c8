//! Each record once, in its order: what a reader of several files must check.
//!
//! A record is known by session, thread and sequence number. One that was read before is left out,
//! one that comes too late is kept and told, and a jump in the numbers that no gap record explains is
//! told too. Memory grows with threads and with holes in the numbering, and both are bounded.

use crate::{DamageKind, Event, Key, Kind, SegmentHead};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Holes remembered per thread; beyond, the oldest are forgotten.
const MAX_RUNS: usize = 4096;
const MAX_THREADS: usize = 65_536;
const MAX_SEGMENTS: usize = 65_536;

#[derive(Default)]
pub(crate) struct Order {
    session: Option<String>,
    segments: HashSet<u64>,
    last_segment: Option<u64>,
    threads: HashMap<u32, Thread>,
    repeated: Option<Repeated>,
}

#[derive(Default)]
struct Thread {
    /// Numbers read, as runs: first to last.
    seen: BTreeMap<u64, u64>,
    /// The number that comes next, unless something was cut away here.
    expected: Option<u64>,
    time: u64,
}

/// Records left out, told together.
struct Repeated {
    thread: u32,
    first: u64,
    count: u64,
}

impl Order {
    /// A segment begins.
    pub(crate) fn segment(&mut self, head: &SegmentHead, damage: &mut Vec<DamageKind>) {
        self.flush(damage);
        // What stands before the first head has lost its own, which may well have been of this session.
        if self.session.as_ref().is_some_and(|session| *session != head.session) {
            *self = Self::default();
        }
        self.session = Some(head.session.clone());
        if self.segments.len() >= MAX_SEGMENTS {
            self.segments.clear();
        }
        let number = head.number;
        let expected = self.last_segment.map_or(number, |last| last.saturating_add(1));
        if !self.segments.insert(number) {
            damage.push(DamageKind::DuplicateSegment { number });
        } else if number < expected {
            damage.push(DamageKind::SegmentOutOfOrder { number });
        } else if number > expected {
            damage.push(DamageKind::SegmentsGone { first: expected, last: number - 1 });
        }
        if number != expected {
            self.forgive();
        }
        self.last_segment = Some(self.last_segment.map_or(number, |last| last.max(number)));
    }

    /// An event: whether it is news. Records of a ring may have been written as XML already, which is
    /// as it should be; a second copy in XML is damage.
    pub(crate) fn event(&mut self, event: &Event, from_ring: bool, damage: &mut Vec<DamageKind>) -> bool {
        let Some(stamp) = event.stamp else {
            // A gap without a number stands for segments that were not exported.
            if event.kind == Kind::Gap {
                self.forgive();
            }
            return true;
        };
        if self.threads.len() >= MAX_THREADS && !self.threads.contains_key(&stamp.thread) {
            return true;
        }
        let thread = self.threads.entry(stamp.thread).or_default();
        if thread.contains(stamp.sequence) {
            if !from_ring {
                self.repeat(stamp.thread, stamp.sequence, damage);
            }
            return false;
        }
        let mut wrong = Vec::new();
        if let Some(expected) = thread.expected {
            let stated = if event.kind == Kind::Gap {
                [Key::GapDropped, Key::GapShed].iter().filter_map(|&key| event.params.unsigned(key)).sum()
            } else {
                0u64
            };
            if stamp.sequence < expected {
                wrong.push(DamageKind::RecordOutOfOrder { thread: stamp.thread, sequence: stamp.sequence });
            } else if stamp.sequence - expected > stated {
                let last = stamp.sequence - 1 - stated;
                wrong.push(DamageKind::RecordsMissing { thread: stamp.thread, first: expected, last });
            }
        }
        if stamp.time < thread.time {
            wrong.push(DamageKind::TimeBackwards { thread: stamp.thread, micros: thread.time - stamp.time });
        }
        thread.insert(stamp.sequence);
        thread.expected = Some(thread.expected.unwrap_or_default().max(stamp.sequence.saturating_add(1)));
        thread.time = stamp.time;
        self.flush(damage);
        damage.append(&mut wrong);
        true
    }

    /// Tells of records left out so far.
    pub(crate) fn flush(&mut self, damage: &mut Vec<DamageKind>) {
        if let Some(Repeated { thread, first, count }) = self.repeated.take() {
            damage.push(DamageKind::DuplicateRecords { thread, first, count });
        }
    }

    fn repeat(&mut self, thread: u32, sequence: u64, damage: &mut Vec<DamageKind>) {
        match &mut self.repeated {
            Some(run) if run.thread == thread => run.count += 1,
            _ => {
                self.flush(damage);
                self.repeated = Some(Repeated { thread, first: sequence, count: 1 });
            }
        }
    }

    /// Here something is missing as everyone knows: any number may come next.
    fn forgive(&mut self) {
        for thread in self.threads.values_mut() {
            thread.expected = None;
            thread.time = 0;
        }
    }
}

impl Thread {
    fn contains(&self, number: u64) -> bool {
        self.seen.range(..=number).next_back().is_some_and(|(_, &last)| number <= last)
    }

    fn insert(&mut self, number: u64) {
        let mut first = number;
        let mut last = number;
        if let Some((&start, &end)) = self.seen.range(..number).next_back()
            && end.checked_add(1) == Some(number)
        {
            first = start;
        }
        if let Some(next) = number.checked_add(1)
            && let Some(end) = self.seen.remove(&next)
        {
            last = end;
        }
        self.seen.insert(first, last);
        if self.seen.len() > MAX_RUNS {
            self.seen.pop_first();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stamp;

    #[track_caller]
    fn check(numbers: &[u64], delivered: &[u64], expected: &[DamageKind]) {
        let mut order = Order::default();
        let mut damage = Vec::new();
        let news: Vec<_> = numbers
            .iter()
            .copied()
            .filter(|&sequence| {
                let event = Event::new(Stamp { sequence, time: sequence, thread: 1 }, Kind::Mark);
                order.event(&event, false, &mut damage)
            })
            .collect();
        order.flush(&mut damage);
        damage.retain(|kind| !matches!(kind, DamageKind::TimeBackwards { .. }));
        assert_eq!(news, delivered);
        assert_eq!(damage, expected);
    }

    #[test]
    fn every_record_once_and_everything_odd_is_told() {
        check(&[5, 6, 7], &[5, 6, 7], &[]);
        check(
            &[1, 2, 1, 2, 3],
            &[1, 2, 3],
            &[DamageKind::DuplicateRecords { thread: 1, first: 1, count: 2 }],
        );
        check(&[1, 4], &[1, 4], &[DamageKind::RecordsMissing { thread: 1, first: 2, last: 3 }]);
        check(
            &[1, 3, 2, 4],
            &[1, 3, 2, 4],
            &[
                DamageKind::RecordsMissing { thread: 1, first: 2, last: 2 },
                DamageKind::RecordOutOfOrder { thread: 1, sequence: 2 },
            ],
        );
        check(
            &[u64::MAX, u64::MAX - 1, u64::MAX],
            &[u64::MAX, u64::MAX - 1],
            &[
                DamageKind::RecordOutOfOrder { thread: 1, sequence: u64::MAX - 1 },
                DamageKind::DuplicateRecords { thread: 1, first: u64::MAX, count: 1 },
            ],
        );
    }

    #[test]
    fn a_gap_that_states_what_is_missing_is_no_damage() {
        let mut order = Order::default();
        let mut damage = Vec::new();
        let mark = |sequence| Event::new(Stamp { sequence, time: 0, thread: 1 }, Kind::Mark);
        let gap = |sequence, dropped| {
            Event::new(Stamp { sequence, time: 0, thread: 1 }, Kind::Gap)
                .with_number(Key::GapDropped, dropped)
        };
        for event in [mark(1), gap(7, 5), mark(8), gap(12, 1)] {
            assert!(order.event(&event, false, &mut damage));
        }
        assert_eq!(damage, [DamageKind::RecordsMissing { thread: 1, first: 9, last: 10 }]);
    }

    #[test]
    fn memory_stays_bounded_with_a_hole_after_every_record() {
        let mut thread = Thread::default();
        (0..MAX_RUNS as u64 * 4).for_each(|n| thread.insert(n * 2));
        assert_eq!(thread.seen.len(), MAX_RUNS);
    }
}
