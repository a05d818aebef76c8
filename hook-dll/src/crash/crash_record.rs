//! The record of a crash, in the ring of the thread that crashed, so that it survives without
//! any other thread.
//!
//! The exception filter (`unhandled_filter.rs`) or a host's own handler (`dashcam_note_crash`) writes it; a
//! crash that both report is recorded once. A thread that is not recorded, or that crashed in the middle of a
//! record, uses a ring kept for this (`SPARE`). After a stack overflow the recorder thread does the work,
//! because the crashed thread has no stack left. Nothing here uses the heap, and every wait has an end.
#![expect(unsafe_code, reason = "writes into the memory of a crashed thread or of the ring kept for crashes")]

use crate::callback::ring_writer::note_of_crash;
use crate::callback::thread_state::ThreadState;
use crate::crash::exception::Crash;
use crate::crash::handover;
use crate::crash::stack_walk::{self, Frame};
use crate::system::threads;
use message_log::Key;
use ringbuf::traits::Observer;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use windows::Win32::Foundation::EXCEPTION_STACK_OVERFLOW;
use windows::Win32::System::Diagnostics::Debug::EXCEPTION_POINTERS;

const LINGER_MILLIS: u32 = 500;

/// Why a crash was not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoteError {
    /// The pointers lead nowhere.
    NoException,
    /// Nothing is being recorded.
    NotRecording,
}

/// Records an exception of the calling thread, once.
pub(crate) fn note(pointers: *const EXCEPTION_POINTERS) -> Result<(), NoteError> {
    let crash = Crash::read(pointers).ok_or(NoteError::NoException)?;
    let is_overflow = crash.code == EXCEPTION_STACK_OVERFLOW.0.cast_unsigned();
    let is_noted = if is_overflow {
        handover::give(&crash).unwrap_or_else(|| write(&crash, None))
    } else {
        walk(&crash)
    };
    if !is_noted {
        return Err(NoteError::NotRecording);
    }
    let _lock = CrashLock::wait();
    places(crash.thread).for_each(linger);
    Ok(())
}

/// Gives the recorder thread a moment to empty a ring that lies in memory, which dies with the process. The
/// thread waits outside of the ring, so that the recorder thread can free it.
fn linger(state: &ThreadState) {
    for _ in 0..LINGER_MILLIS {
        let mut is_safe = true;
        // SAFETY: `note` runs on the crashed thread, whose own state and the spare are all that
        // `places` returns.
        unsafe { state.with_memory_of_crash(|ring, _| is_safe = ring.is_in_file() || ring.is_empty()) };
        if is_safe {
            break;
        }
        threads::sleep_millis(1);
    }
}

/// Records the crash of a thread without stack. The recorder thread calls this regularly.
pub(crate) fn take_over() {
    handover::take(walk);
}

/// A function of its own, so that a thread with an overflowed stack does not need the room for
/// a whole CONTEXT.
#[inline(never)]
fn walk(crash: &Crash) -> bool {
    write(crash, stack_walk::first_own(crash.context))
}

#[inline(never)]
fn write(crash: &Crash, frame: Option<Frame>) -> bool {
    let _lock = CrashLock::wait();
    places(crash.thread).any(|state| {
        let is_noted = LAST_CRASH.is(crash, state) || write_to(state, crash, frame.as_ref());
        if is_noted {
            LAST_CRASH.set(crash, state);
        }
        is_noted
    })
}

fn write_to(state: &ThreadState, crash: &Crash, frame: Option<&Frame>) -> bool {
    // SAFETY: `places` returns the state of the crashed thread, which either is the caller or waits in
    // `handover::give`, and the spare, which belongs to no thread.
    unsafe {
        note_of_crash(state, |payload| {
            payload.number(Key::ThreadId, u64::from(crash.thread));
            payload.number(Key::CrashCode, u64::from(crash.code));
            payload.number(Key::CrashAddress, crash.address as u64);
            if let Some(frame) = frame {
                payload.wide(Key::CrashModule, frame.module.name());
                payload.number(Key::CrashOffset, frame.offset);
                if let Some(build) = stack_walk::build(frame) {
                    payload.number(Key::CrashBuild, build);
                }
            }
        })
    }
}

/// Where a crash of this thread can be recorded, the best place first.
fn places(thread: u32) -> impl Iterator<Item = &'static ThreadState> {
    let own = ThreadState::of(thread).filter(|state| !state.is_busy());
    // SAFETY: null, or the pointer `set_spare` made from a reference to a state, which is never freed.
    let spare = unsafe { SPARE.load(Ordering::Acquire).as_ref() };
    own.into_iter().chain(spare)
}

/// The state for crashes of threads that have none; null when nothing is recorded.
static SPARE: AtomicPtr<ThreadState> = AtomicPtr::new(std::ptr::null_mut());

/// Sets the state for crashes of threads that are not recorded, or removes it.
pub(crate) fn set_spare(spare: Option<&'static ThreadState>) {
    let spare = spare.map_or(std::ptr::null_mut(), |state| std::ptr::from_ref(state).cast_mut());
    SPARE.store(spare, Ordering::Release);
}

/// The crash recorded last. The next one is the same while its ring has no newer record: the thread
/// has not continued.
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

/// Forgets it: another session begins.
pub(crate) fn forget_last() {
    LAST_CRASH.thread.store(0, Ordering::Relaxed);
}

/// One crash at a time. After a second others proceed as well, because a thread that hangs in
/// here is lost anyway.
struct CrashLock;

static TAKEN: AtomicBool = AtomicBool::new(false);

impl CrashLock {
    fn wait() -> Self {
        for _ in 0..1000 {
            if !TAKEN.swap(true, Ordering::Acquire) {
                break;
            }
            threads::sleep_millis(1);
        }
        Self
    }
}

impl Drop for CrashLock {
    fn drop(&mut self) {
        TAKEN.store(false, Ordering::Release);
    }
}
