//! The note of a crash, in the ring of the thread that crashed, so that it needs no other thread to survive.
//!
//! Written by our filter for unhandled exceptions, which passes on to the one that was there before, or by a host's own
//! handler; a crash both tell of is one. A thread that is not recorded, or that crashed amid a record, uses a ring kept for
//! this (`SPARE`). After a stack overflow the recorder's thread does the work, since there is no stack left for it. No heap is
//! used, and every wait has an end.
#![expect(unsafe_code, reason = "an exception filter is called by the system with pointers it keeps valid")]

use crate::frames::{self, Frame};
use crate::thread::ThreadState;
use crate::{callback, guarded, win32};
use message_log::{Key, RecordKind};
use ringbuf::traits::Observer;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use windows::Win32::Foundation::EXCEPTION_STACK_OVERFLOW;
use windows::Win32::System::Diagnostics::Debug::{
    CONTEXT, EXCEPTION_CONTINUE_SEARCH, EXCEPTION_POINTERS, SetUnhandledExceptionFilter,
};

const LINGER_MILLIS: u32 = 500;

/// Why a crash was not noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The pointers lead nowhere.
    NoException,
    /// Nothing is being recorded.
    NotRecording,
}

/// An exception, as far as it is noted.
struct Crash {
    thread: u32,
    code: u32,
    address: usize,
    context: *const CONTEXT,
}

impl Crash {
    fn read(pointers: *const EXCEPTION_POINTERS) -> Option<Self> {
        let pointers = guarded::read(pointers)?;
        let record = guarded::read(pointers.ExceptionRecord.cast_const())?;
        Some(Self {
            thread: win32::current_thread_id(),
            code: record.ExceptionCode.0.cast_unsigned(),
            address: record.ExceptionAddress.addr(),
            context: pointers.ContextRecord,
        })
    }
}

/// Notes an exception of the calling thread, once.
pub(crate) fn note(pointers: *const EXCEPTION_POINTERS) -> Result<(), Refusal> {
    let crash = Crash::read(pointers).ok_or(Refusal::NoException)?;
    let is_overflow = crash.code == EXCEPTION_STACK_OVERFLOW.0.cast_unsigned();
    let noted = if is_overflow {
        handover::give(&crash).unwrap_or_else(|| write(&crash, None))
    } else {
        walk(&crash)
    };
    if !noted {
        return Err(Refusal::NotRecording);
    }
    let _turn = Turn::wait();
    places(crash.thread).for_each(linger);
    Ok(())
}

/// A ring in memory dies with the process: the recorder's thread gets a moment to empty it.
fn linger(state: &ThreadState) {
    state.with_memory(|memory| {
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
    write(crash, frames::first_own(crash.context))
}

#[inline(never)]
fn write(crash: &Crash, frame: Option<Frame>) -> bool {
    let _turn = Turn::wait();
    places(crash.thread).any(|state| {
        let is_again = LAST.is(crash, state);
        let noted = is_again
            || callback::note_in(state, RecordKind::Crash, |payload| {
                payload.number(Key::ThreadId, u64::from(crash.thread));
                payload.number(Key::CrashCode, u64::from(crash.code));
                payload.number(Key::CrashAddress, crash.address as u64);
                if let Some(frame) = &frame {
                    payload.wide(Key::CrashModule, frame.module.name());
                    payload.number(Key::CrashOffset, frame.offset);
                    if let Some(build) = frames::build(frame) {
                        payload.number(Key::CrashBuild, build);
                    }
                }
            });
        if noted {
            LAST.set(crash, state);
        }
        noted
    })
}

/// Where a crash of this thread can be noted, the best place first.
fn places(thread: u32) -> impl Iterator<Item = &'static ThreadState> {
    let own = ThreadState::of(thread).filter(|state| !state.is_inside());
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

/// The crash noted last. It is the same as long as its ring has got nothing new since: the thread has not gone on.
struct Last {
    thread: AtomicU32,
    code: AtomicU32,
    address: AtomicUsize,
    sequence: AtomicU64,
}

static LAST: Last = Last {
    thread: AtomicU32::new(0),
    code: AtomicU32::new(0),
    address: AtomicUsize::new(0),
    sequence: AtomicU64::new(0),
};

impl Last {
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

    /// Another session begins.
    fn forget(&self) {
        self.thread.store(0, Ordering::Relaxed);
    }
}

/// One crash at a time; after a while anyone's, since a thread that hangs in here is lost anyway.
struct Turn;

static TAKEN: AtomicBool = AtomicBool::new(false);

impl Turn {
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

impl Drop for Turn {
    fn drop(&mut self) {
        TAKEN.store(false, Ordering::Release);
    }
}

/// From a thread without stack to the recorder's.
mod handover {
    use super::{AtomicPtr, AtomicU32, Crash, Ordering, win32};

    static CRASH: AtomicPtr<Crash> = AtomicPtr::new(std::ptr::null_mut());
    static STAGE: AtomicU32 = AtomicU32::new(IDLE);
    /// The recorder's thread, 0 when there is none to wait for.
    static TAKER: AtomicU32 = AtomicU32::new(0);

    const IDLE: u32 = 0;
    const CLAIMED: u32 = 1;
    const OFFERED: u32 = 2;
    const TAKEN: u32 = 3;
    const NOTED: u32 = 4;
    const REFUSED: u32 = 5;
    const WAIT_MILLIS: u32 = 2000;

    pub(super) fn set_taker(thread: u32) {
        TAKER.store(thread, Ordering::Release);
    }

    /// Whether it was noted; none when nobody takes it.
    pub(super) fn give(crash: &Crash) -> Option<bool> {
        let taker = TAKER.load(Ordering::Acquire);
        if taker == 0 || taker == crash.thread || !change(IDLE, CLAIMED) {
            return None;
        }
        CRASH.store(std::ptr::from_ref(crash).cast_mut(), Ordering::Release);
        STAGE.store(OFFERED, Ordering::Release);
        let mut answer = wait();
        if answer.is_none() && change(OFFERED, IDLE) {
            return None;
        }
        while answer.is_none() {
            // Taken at the last moment: `crash` must stay until it is done with.
            answer = wait();
        }
        STAGE.store(IDLE, Ordering::Release);
        answer
    }

    fn wait() -> Option<bool> {
        for _ in 0..WAIT_MILLIS {
            match STAGE.load(Ordering::Acquire) {
                NOTED => return Some(true),
                REFUSED => return Some(false),
                _ => win32::sleep_millis(1),
            }
        }
        None
    }

    pub(super) fn take(note: fn(&Crash) -> bool) {
        if change(OFFERED, TAKEN) {
            // SAFETY: its thread waits for the answer, and keeps it until then.
            let crash = unsafe { CRASH.load(Ordering::Acquire).as_ref() };
            let stage = if crash.is_some_and(note) { NOTED } else { REFUSED };
            STAGE.store(stage, Ordering::Release);
        }
    }

    fn change(from: u32, to: u32) -> bool {
        STAGE.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}

/// The filter that was there before ours, as an address; 0 for none.
static BEFORE: AtomicUsize = AtomicUsize::new(0);
/// What lies below us in the chain of a host that kept our filter beyond a stop.
static BELOW: AtomicUsize = AtomicUsize::new(0);
/// Whether somebody may still call our filter although it is not the system's.
static IS_KEPT: AtomicBool = AtomicBool::new(false);
/// The thread inside our filter.
static INSIDE: AtomicU32 = AtomicU32::new(0);

/// Our filter in its place, until dropped. Lives on the recorder's thread.
pub(crate) struct Filter;

impl Filter {
    pub(crate) fn install() -> Self {
        LAST.forget();
        handover::set_taker(win32::current_thread_id());
        // SAFETY: the filter lies in this pinned module.
        let before = address_of(unsafe { SetUnhandledExceptionFilter(Some(on_unhandled)) });
        if before != address_of(Some(on_unhandled)) {
            BEFORE.store(before, Ordering::Release);
            if !IS_KEPT.load(Ordering::Acquire) {
                BELOW.store(before, Ordering::Release);
            }
        }
        Self
    }
}

impl Drop for Filter {
    fn drop(&mut self) {
        handover::set_taker(0);
        // SAFETY: what `install` found there, of which the host takes care.
        let ours = address_of(unsafe { SetUnhandledExceptionFilter(filter_at(&BEFORE)) });
        if ours != address_of(Some(on_unhandled)) {
            // Somebody came after us, and may call us: we stay in their chain.
            IS_KEPT.store(true, Ordering::Release);
            let theirs = AtomicUsize::new(ours);
            // SAFETY: it was there a moment ago.
            unsafe { SetUnhandledExceptionFilter(filter_at(&theirs)) };
        }
    }
}

type Unhandled = unsafe extern "system" fn(*const EXCEPTION_POINTERS) -> i32;

fn address_of(filter: Option<Unhandled>) -> usize {
    filter.map_or(0, |filter| (filter as *const ()).expose_provenance())
}

fn filter_at(address: &AtomicUsize) -> Option<Unhandled> {
    let pointer = std::ptr::with_exposed_provenance::<()>(address.load(Ordering::Acquire));
    // SAFETY: a filter as the system gave it, or null, which is none.
    unsafe { std::mem::transmute(pointer) }
}

/// Notes, and answers as the filter before us does.
unsafe extern "system" fn on_unhandled(pointers: *const EXCEPTION_POINTERS) -> i32 {
    let thread = win32::current_thread_id();
    // A filter above us that passes on to us, while we pass on to it.
    let is_again = INSIDE.swap(thread, Ordering::AcqRel) == thread;
    if !is_again {
        let _ = catch_unwind(AssertUnwindSafe(|| note(pointers)));
    }
    let next = filter_at(if is_again { &BELOW } else { &BEFORE });
    // SAFETY: the host's filter, called as the system would.
    let answer = next.map_or(EXCEPTION_CONTINUE_SEARCH, |next| unsafe { next(pointers) });
    INSIDE.store(0, Ordering::Release);
    answer
}
