//! Records into the ring of a thread, with their sequence numbers, and the gaps between them.

use crate::callback::thread_state::{Counters, ThreadState, Workspace};
use crate::shared::ring::Ring;
use crate::system::win32;
use message_log::{Key, Message, Payload, RECORD_HEADER, Record, RecordKind};
use std::sync::atomic::Ordering;

/// Seals a record whose payload, so long, is there, and pushes it; false if it found no room.
#[inline(always)]
pub(crate) fn push(
    state: &ThreadState,
    ring: &Ring,
    scratch: &mut [u8],
    (kind, tick): (RecordKind, u64),
    message: Message,
    len: usize,
) -> bool {
    let sequence = state.sequence.load(Ordering::Relaxed);
    let record = Record { kind, thread: state.number(), sequence, tick, message, payload: &[] };
    let Some(size) = record.seal(len, scratch) else { return false };
    let is_written = ring.push(&scratch[..size]);
    if is_written {
        state.sequence.store(sequence + 1, Ordering::Relaxed);
    }
    is_written
}

/// A message that the budget left out: its number is used up, and the next record states it.
pub(crate) fn shed_one(state: &ThreadState) {
    Counters::add(&state.sequence);
    Counters::add(&state.shed);
    Counters::add(&state.counters.shed);
}

/// A message that found no room: its number is used up, and the next record that finds room states it.
pub(crate) fn drop_one(state: &ThreadState) {
    Counters::add(&state.sequence);
    Counters::add(&state.lost);
    Counters::add(&state.counters.dropped);
}

/// States what is missing before anything else is written; false while there is no room for that either.
#[cold]
pub(crate) fn close_gap(state: &ThreadState, ring: &Ring, scratch: &mut [u8], tick: u64) -> bool {
    let (lost, shed) = state.missing();
    if lost + shed == 0 {
        return true;
    }
    let mut payload = Payload::new(&mut scratch[RECORD_HEADER..]);
    if lost > 0 {
        payload.number(Key::GapDropped, lost);
    }
    if shed > 0 {
        payload.number(Key::GapShed, shed);
    }
    let len = payload.len();
    let written = push(state, ring, scratch, (RecordKind::Gap, tick), Message::default(), len);
    if written {
        state.forget_missing();
    }
    written
}

/// A note of the host or of a crash, in the calling thread's own ring, where it survives the process. False
/// when this thread is not recorded.
pub(crate) fn note(kind: RecordKind, fill: impl FnOnce(&mut Payload<'_>)) -> bool {
    ThreadState::current().is_some_and(|state| note_in(state, kind, fill))
}

/// The same in another ring, whose own thread cannot write just now.
pub(crate) fn note_in(state: &ThreadState, kind: RecordKind, fill: impl FnOnce(&mut Payload<'_>)) -> bool {
    let mut written = false;
    state.with_workspace(|workspace| {
        let tick = win32::ticks();
        if !close_gap(state, &workspace.ring, &mut workspace.scratch, tick) {
            return;
        }
        let mut payload = Payload::new(&mut workspace.scratch[RECORD_HEADER..]);
        fill(&mut payload);
        let len = payload.len();
        let Workspace { ring, scratch, .. } = workspace;
        written = push(state, ring, scratch, (kind, tick), Message::default(), len);
    });
    written
}
