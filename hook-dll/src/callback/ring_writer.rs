//! Records into the ring of a thread, with their sequence numbers, and the gaps between them.
#![expect(unsafe_code, reason = "a crash is noted in the memory of a thread that may be another")]

use crate::callback::thread_state::{Counters, Idle, ThreadState};
use crate::callback::workspace::Workspace;
use crate::shared::ring::Ring;
use crate::system::thread_block;
use message_log::{Key, Message, Payload, RECORD_HEADER, Record, RecordKind};
use std::sync::atomic::Ordering;

/// Seals a record whose payload of `len` bytes is in `scratch`, and pushes it; false if there is no room.
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

/// Counts a message that the budget sheds. It uses up a sequence number, and the next record states it.
pub(crate) fn shed_one(state: &ThreadState) {
    Counters::add(&state.sequence);
    Counters::add(&state.shed);
    Counters::add(&state.counters.shed);
}

/// Counts a message without room in the ring. It uses up a sequence number, and the next record
/// with room states it.
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
    let is_written = push(state, ring, scratch, (RecordKind::Gap, tick), Message::default(), len);
    if is_written {
        state.forget_missing();
    }
    is_written
}

/// Writes a note of the host into the calling thread's own ring, where it survives the process. False when
/// this thread is not recorded.
pub(crate) fn note(kind: RecordKind, fill: impl FnOnce(&mut Payload<'_>)) -> bool {
    let Some(state) = ThreadState::current() else { return false };
    let mut is_written = false;
    state.with_workspace(|ring, workspace| is_written = write_note(&state, ring, workspace, kind, fill));
    is_written
}

/// Writes the note of a crash.
///
/// # Safety
/// As [`ThreadState::with_memory_of_crash`].
pub(crate) unsafe fn note_of_crash(state: &ThreadState, fill: impl FnOnce(&mut Payload<'_>)) -> bool {
    let mut is_written = false;
    let write = |ring: &Ring, workspace: &mut Workspace| {
        is_written = write_note(state, ring, workspace, RecordKind::Crash, fill);
    };
    // SAFETY: the caller vouches for the state.
    unsafe { state.with_memory_of_crash(write) };
    is_written
}

/// Writes a note into the ring of a thread that is switched off.
pub(crate) fn note_in_idle(idle: &mut Idle, kind: RecordKind, fill: impl FnOnce(&mut Payload<'_>)) -> bool {
    let (state, mut is_written) = (idle.state(), false);
    idle.with_memory(|ring, workspace| is_written = write_note(state, ring, workspace, kind, fill));
    is_written
}

fn write_note(
    state: &ThreadState,
    ring: &Ring,
    workspace: &mut Workspace,
    kind: RecordKind,
    fill: impl FnOnce(&mut Payload<'_>),
) -> bool {
    let tick = thread_block::ticks();
    let scratch = &mut workspace.scratch;
    if !close_gap(state, ring, scratch, tick) {
        return false;
    }
    let mut payload = Payload::new(&mut scratch[RECORD_HEADER..]);
    fill(&mut payload);
    let len = payload.len();
    push(state, ring, scratch, (kind, tick), Message::default(), len)
}
