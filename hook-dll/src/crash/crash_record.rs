//! The note of a crash, in the ring of the thread that crashed, so that it needs no other thread to survive.
//!
//! Written by our filter for unhandled exceptions, which passes on to the one that was there before, or by a
//! host's own handler; a crash both tell of is one. A thread that is not recorded, or that crashed amid a
//! record, uses a ring kept for this (`SPARE`). After a stack overflow the recorder's thread does the work,
//! since there is no stack left for it. No heap is used, and every wait has an end.
#![expect(unsafe_code, reason = "reads the ring kept for crashes through a pointer that is never freed")]

use crate::callback::ring_writer::note_in;
use crate::callback::thread_state::ThreadState;
use crate::crash::exception::Crash;
use crate::crash::handover;
use crate::crash::stack_walk::{self, Frame};
use crate::system::win32;
use message_log::{Key, RecordKind};
use ringbuf::traits::Observer;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use windows::Win32::Foundation::EXCEPTION_STACK_OVERFLOW;
use windows::Win32::System::Diagnostics::Debug::EXCEPTION_POINTERS;

const LINGER_MILLIS: u32 = 500;

/// Why a crash was not noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoteError {
    /// The pointers lead nowhere.
    NoException,
    /// Nothing is being recorded.
    NotRecording,
}

/// Notes an exception of the calling thread, once.
pub(crate) fn note(pointers: *const EXCEPTION_POINTERS) -> Result<(), NoteError> {
    let crash = Crash::read(pointers).ok_or(NoteError::NoException)?;
    let is_overflow = crash.code == EXCEPTION_STACK_OVERFLOW.0.cast_unsigned();
    let noted = if is_overflow {
        handover::give(&crash).unwrap_or_else(|| write(&crash, None))
    } else {
        walk(&crash)
    };
    if !noted {
        return Err(NoteError::NotRecording);
    }
    let _turn = CrashLock::wait();
    places(crash.thread).for_each(linger);
    Ok(())
}

/// A ring in memory dies with the process: the recorder's thread gets a moment to empty it.
fn linger(state: &ThreadState) {
    state.with_workspace(|memory| {
        for _ in 0..LINGER_MILLIS {
            if memory.ring.is_in_file() || memory.ring.is_empty() {
                break;
            }
            win32::sleep_millis(1);
        }
    });
}

/// Takes a crash over from a thread without stack. Called by the recorder's thread now and then.
pub(crate) fn take_over() {
    handover::take(walk);
}

/// Kept apart, so that an overflowed stack does not need the room for a whole set of registers.
#[inline(never)]
fn walk(crash: &Crash) -> bool {
    write(crash, stack_walk::first_own(crash.context))
}

#[inline(never)]
fn write(crash: &Crash, frame: Option<Frame>) -> bool {
    let _turn = CrashLock::wait();
    places(crash.thread).any(|state| {
        let is_repeated = LAST_CRASH.is(crash, state);
        let noted = is_repeated
            || note_in(state, RecordKind::Crash, |payload| {
                payload.number(Key::ThreadId, u64::from(crash.thread));
                payload.number(Key::CrashCode, u64::from(crash.code));
                payload.number(Key::CrashAddress, crash.address as u64);
                if let Some(frame) = &frame {
                    payload.wide(Key::CrashModule, frame.module.name());
                    payload.number(Key::CrashOffset, frame.offset);
                    if let Some(build) = stack_walk::build(frame) {
                        payload.number(Key::CrashBuild, build);
                    }
                }
            });
        if noted {
            LAST_CRASH.set(crash, state);
        }
        noted
    })
}

/// Where a crash of this thread can be noted, the best place first.
fn places(thread: u32) -> impl Iterator<Item = &'static ThreadState> {
    let own = ThreadState::of(thread).filter(|state| !state.is_busy());
    // SAFETY: states are never freed.
    let spare = unsafe { SPARE.load(Ordering::Acquire).as_ref() };
    own.into_iter().chain(spare)
}

/// Where threads go that have no ring to write to; null when nothing is recorded. Written to in turns.
static SPARE: AtomicPtr<ThreadState> = AtomicPtr::new(std::ptr::null_mut());

/// Gives the place for crashes of threads that are not recorded, or takes it away.
pub(crate) fn set_spare(spare: Option<&'static ThreadState>) {
    let spare = spare.map_or(std::ptr::null_mut(), |state| std::ptr::from_ref(state).cast_mut());
    SPARE.store(spare, Ordering::Release);
}

/// The crash noted last. It is the same as long as its ring has got nothing new since: the thread
/// has not gone on.
struct LastCrash {
    thread: AtomicU32,
    code: AtomicU32,
    address: AtomicUsize,
    sequence: AtomicU64,
}

static LAST_CRASH: LastCrash = LastCrash {
    thread: AtomicU32::new(0),
    code: AtomicU32::new(0),
    address: AtomicUsize::new(0),
    sequence: AtomicU64::new(0),
};

impl LastCrash {
    fn is(&self, crash: &Crash, state: &ThreadState) -> bool {
        let order = Ordering::Relaxed;
        self.thread.load(order) == crash.thread
            && self.code.load(order) == crash.code
            && self.address.load(order) == crash.address
            && self.sequence.load(order) == state.sequence.load(order)
    }

    fn set(&self, crash: &Crash, state: &ThreadState) {
        let order = Ordering::Relaxed;
        self.thread.store(crash.thread, order);
        self.code.store(crash.code, order);
        self.address.store(crash.address, order);
        self.sequence.store(state.sequence.load(order), order);
    }
}

/// Another session begins.
pub(crate) fn forget_last() {
    LAST_CRASH.thread.store(0, Ordering::Relaxed);
}

/// One crash at a time; after a while anyone's, since a thread that hangs in here is lost anyway.
struct CrashLock;

static TAKEN: AtomicBool = AtomicBool::new(false);

impl CrashLock {
    fn wait() -> Self {
        for _ in 0..1000 {
            if !TAKEN.swap(true, Ordering::Acquire) {
                break;
            }
            win32::sleep_millis(1);
        }
        Self
    }
}

impl Drop for CrashLock {
    fn drop(&mut self) {
        TAKEN.store(false, Ordering::Release);
    }
}
