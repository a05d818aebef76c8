//! Our filter for unhandled exceptions, which notes a crash and answers as the filter before it does.
#![expect(unsafe_code, reason = "an exception filter is called by the system with pointers it keeps valid")]

use crate::crash::{crash_record, handover};
use crate::system::win32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use windows::Win32::System::Diagnostics::Debug::{
    EXCEPTION_CONTINUE_SEARCH, EXCEPTION_POINTERS, SetUnhandledExceptionFilter,
};

/// The filter that was there before ours, as an address; 0 for none.
static BEFORE: AtomicUsize = AtomicUsize::new(0);
/// What lies below us in the chain of a host that kept our filter beyond a stop.
static BELOW: AtomicUsize = AtomicUsize::new(0);
/// Whether somebody may still call our filter although it is not the system's.
static IS_KEPT: AtomicBool = AtomicBool::new(false);
/// The thread inside our filter.
static INSIDE: AtomicU32 = AtomicU32::new(0);

/// Our filter in its place, until dropped. Lives on the recorder's thread.
pub(crate) struct UnhandledFilter;

impl UnhandledFilter {
    pub(crate) fn install() -> Self {
        crash_record::forget_last();
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

impl Drop for UnhandledFilter {
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
    let is_repeated = INSIDE.swap(thread, Ordering::AcqRel) == thread;
    if !is_repeated {
        let _ = catch_unwind(AssertUnwindSafe(|| crash_record::note(pointers)));
    }
    let next = filter_at(if is_repeated { &BELOW } else { &BEFORE });
    // SAFETY: the host's filter, called as the system would.
    let answer = next.map_or(EXCEPTION_CONTINUE_SEARCH, |next| unsafe { next(pointers) });
    INSIDE.store(0, Ordering::Release);
    answer
}
