//! Each record once, in order: what a reader of several files must check.
//!
//! Session, thread and sequence number identify a record. A record that was read before is left out; one that
//! comes too late is kept and reported; so is a jump in the numbers that no gap record explains. Memory grows
//! with the number of threads and of holes in the numbering, and both are bounded.

use crate::{DamageKind, Event, Key, Kind, SegmentHead};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashSet};

/// The most holes that are remembered; after that, the oldest of a thread are forgotten.
const MAX_RUNS: usize = 65_536;
const MAX_THREADS: usize = 65_536;
const MAX_SEGMENTS: usize = 65_536;

#[derive(Default)]
pub(crate) struct Order {
    session: Option<String>,
    segments: HashSet<u64>,
    last_segment: Option<u64>,
    threads: BTreeMap<u32, Thread>,
    /// The number of runs of all threads together.
    runs: usize,
    /// How many known cuts there were so far.
    cuts: u64,
    repeated: Option<Run>,
    late: Option<Run>,
}

#[derive(Default)]
struct Thread {
    /// The numbers read, as runs: first to last.
    seen: BTreeMap<u64, u64>,
    /// The expected next number, unless there was a cut since.
    expected: u64,
    /// The value of [`Order::cuts`] at the most recent record of the thread.
    cuts: u64,
    time: u64,
}

/// Records with the same problem, reported together.
struct Run {
    thread: u32,
    first: u64,
    count: u64,
}

impl Order {
    /// A segment begins.
    pub(crate) fn segment(&mut self, head: &SegmentHead, damage: &mut Vec<DamageKind>) {
        self.flush(damage);
        // What precedes the first head has lost its own head, which may have been of this session.
        if self.session.as_ref().is_some_and(|session| *session != head.session) {
            *self = Self::default();
        }
        self.session = Some(head.session.clone());
        if self.segments.len() >= MAX_SEGMENTS {
            self.segments.clear();
        }
        let number = head.number;
        let expected = self.last_segment.map_or(0, |last| last.saturating_add(1));
        if !self.segments.insert(number) {
            damage.push(DamageKind::DuplicateSegment { number });
        } else if number < expected {
            damage.push(DamageKind::SegmentOutOfOrder { number });
        } else if number > expected {
            damage.push(DamageKind::SegmentsGone { first: expected, last: number - 1 });
            self.cuts += 1;
        }
        self.last_segment = Some(self.last_segment.map_or(number, |last| last.max(number)));
    }

    /// Whether this very record was read before.
    pub(crate) fn has_read(&self, event: &Event) -> bool {
        event.stamp.is_some_and(|stamp| {
            self.threads.get(&stamp.thread).is_some_and(|thread| thread.contains(stamp.sequence))
        })
    }

    /// Whether an event is new. A record of a ring may have been written as XML already, which is normal; a
    /// second copy in XML is damage.
    pub(crate) fn event(&mut self, event: &Event, from_ring: bool, damage: &mut Vec<DamageKind>) -> bool {
        let Some(stamp) = event.stamp else {
            // A gap without a number stands for segments that were not exported.
            self.cuts += u64::from(event.kind == Kind::Gap);
            return true;
        };
        let number = stamp.thread;
        let is_full = self.threads.len() >= MAX_THREADS;
        let (thread, is_new) = match self.threads.entry(number) {
            Entry::Occupied(known) => (known.into_mut(), false),
            Entry::Vacant(_) if is_full => return true,
            Entry::Vacant(new) => (new.insert(Thread::default()), true),
        };
        let is_certain = !is_new && thread.cuts == self.cuts;
        thread.cuts = self.cuts;
        if thread.contains(stamp.sequence) {
            if !from_ring {
                let finished = add_to_run(&mut self.repeated, number, stamp.sequence);
                damage.extend(finished.map(Run::repeated));
            }
            return false;
        }
        let mut wrong = Vec::new();
        let is_late = !is_new && stamp.sequence < thread.expected;
        if is_certain && !is_late {
            let missing = (stamp.sequence - thread.expected).saturating_sub(stated_gap(event));
            if missing > 0 {
                let first = thread.expected;
                wrong.push(DamageKind::RecordsMissing { thread: number, first, last: first + missing - 1 });
            }
        }
        if is_certain && !is_late && stamp.time < thread.time {
            let (sequence, micros) = (stamp.sequence, thread.time - stamp.time);
            wrong.push(DamageKind::TimeBackwards { thread: number, sequence, micros });
        }
        self.runs = self.runs + 1 - thread.insert(stamp.sequence, self.runs >= MAX_RUNS);
        thread.expected = thread.expected.max(stamp.sequence.saturating_add(1));
        if !is_late {
            thread.time = stamp.time;
            self.flush(damage);
        } else {
            let finished = add_to_run(&mut self.late, number, stamp.sequence);
            damage.extend(finished.map(Run::late));
        }
        damage.append(&mut wrong);
        true
    }

    /// Reports what was held back to be reported together.
    pub(crate) fn flush(&mut self, damage: &mut Vec<DamageKind>) {
        damage.extend(self.repeated.take().map(Run::repeated));
        damage.extend(self.late.take().map(Run::late));
    }
}

/// Extends a run, or begins a new one and returns the previous one.
fn add_to_run(run: &mut Option<Run>, thread: u32, sequence: u64) -> Option<Run> {
    match run {
        Some(open) if open.thread == thread => {
            open.count += 1;
            None
        }
        _ => run.replace(Run { thread, first: sequence, count: 1 }),
    }
}

/// How many records a gap states to be missing before it.
fn stated_gap(event: &Event) -> u64 {
    if event.kind != Kind::Gap {
        return 0;
    }
    let stated = [Key::GapDropped, Key::GapShed].map(|key| event.params.unsigned(key).unwrap_or_default());
    stated[0].saturating_add(stated[1])
}

impl Run {
    fn repeated(self) -> DamageKind {
        DamageKind::DuplicateRecords { thread: self.thread, first: self.first, count: self.count }
    }

    fn late(self) -> DamageKind {
        DamageKind::RecordsOutOfOrder { thread: self.thread, first: self.first, count: self.count }
    }
}

impl Thread {
    fn contains(&self, number: u64) -> bool {
        // The usual case: the number is greater than all that were read.
        self.seen.last_key_value().is_some_and(|(_, &last)| number <= last)
            && self.seen.range(..=number).next_back().is_some_and(|(_, &last)| number <= last)
    }

    /// Adds a number. Returns by how many runs there are fewer than before, plus one. With `is_full`, the
    /// oldest run makes room.
    fn insert(&mut self, number: u64, is_full: bool) -> usize {
        if let Some(mut newest) = self.seen.last_entry()
            && newest.get().checked_add(1) == Some(number)
        {
            newest.insert(number);
            return 1;
        }
        let before = self.seen.len() + 1;
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
        if is_full && self.seen.len() > 1 {
            self.seen.pop_first();
        }
        before - self.seen.len()
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
    fn every_record_counts_once_and_anomalies_are_reported() {
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
                DamageKind::RecordsOutOfOrder { thread: 1, first: 2, count: 1 },
            ],
        );
        check(
            &[u64::MAX, u64::MAX - 1, u64::MAX],
            &[u64::MAX, u64::MAX - 1],
            &[
                DamageKind::DuplicateRecords { thread: 1, first: u64::MAX, count: 1 },
                DamageKind::RecordsOutOfOrder { thread: 1, first: u64::MAX - 1, count: 1 },
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
        let mut order = Order::default();
        let mut damage = Vec::new();
        for n in 0..MAX_RUNS as u64 * 3 {
            let stamp = Stamp { sequence: n * 2, time: n, thread: (n % 7) as u32 };
            order.event(&Event::new(stamp, Kind::Mark), false, &mut damage);
        }
        let runs: usize = order.threads.values().map(|thread| thread.seen.len()).sum();
        assert_eq!(runs, order.runs);
        assert!(runs <= MAX_RUNS + 7, "{runs} runs");
    }
}
