//! The filter for unhandled exceptions. It records a crash and returns what the previous filter returns.
#![expect(unsafe_code, reason = "Windows calls exception filters with pointers that it keeps valid")]

use crate::crash::{crash_record, handover};
use crate::system::threads;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use windows::Win32::System::Diagnostics::Debug::{
    EXCEPTION_CONTINUE_SEARCH, EXCEPTION_POINTERS, SetUnhandledExceptionFilter,
};

/// The address of the filter that was installed before this one; 0 for none.
static BEFORE: AtomicUsize = AtomicUsize::new(0);
/// The filter to call for a host that kept this one in its chain after a stop.
static BELOW: AtomicUsize = AtomicUsize::new(0);
/// Whether somebody may still call this filter although it is not installed.
static IS_KEPT: AtomicBool = AtomicBool::new(false);
/// The thread inside this filter.
static INSIDE: AtomicU32 = AtomicU32::new(0);

/// Keeps the filter installed until dropped. Lives on the recorder thread.
pub(crate) struct UnhandledFilter;

impl UnhandledFilter {
    pub(crate) fn install() -> Self {
        crash_record::forget_last();
        handover::set_taker(threads::current_thread_id());
        // SAFETY: the filter lies in this module, which `pin_module` keeps loaded.
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
        // SAFETY: Windows returned this filter to `install`; its module belongs to the host, which
        // must keep it loaded.
        let ours = address_of(unsafe { SetUnhandledExceptionFilter(filter_at(&BEFORE)) });
        if ours != address_of(Some(on_unhandled)) {
            // Somebody installed a filter later and may call this one, which stays in their chain.
            IS_KEPT.store(true, Ordering::Release);
            let theirs = AtomicUsize::new(ours);
            // SAFETY: Windows returned this filter a moment ago.
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
    // SAFETY: Windows returned the address for a filter of this type; null is None.
    unsafe { std::mem::transmute(pointer) }
}

/// Records the crash and returns what the previous filter returns.
unsafe extern "system" fn on_unhandled(pointers: *const EXCEPTION_POINTERS) -> i32 {
    let thread = threads::current_thread_id();
    // A filter that calls this one, while this one calls it.
    let is_repeated = INSIDE.swap(thread, Ordering::AcqRel) == thread;
    if !is_repeated {
        let _ = catch_unwind(AssertUnwindSafe(|| crash_record::note(pointers)));
    }
    let next = filter_at(if is_repeated { &BELOW } else { &BEFORE });
    // SAFETY: the host's filter, called with the pointers that Windows passed.
    let answer = next.map_or(EXCEPTION_CONTINUE_SEARCH, |next| unsafe { next(pointers) });
    INSIDE.store(0, Ordering::Release);
    answer
}
