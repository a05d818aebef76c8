//! The recorder's memory: the system's heap, with patience.
//!
//! A host that has used up all memory must go on. Callbacks allocate nothing. The recorder's own thread does, and Rust ends the process
//! when that fails: so it waits in the allocation until there is memory again, while callbacks fill the rings and count what
//! finds no room. Functions of the interface ask first whether there is memory for them, and answer with a status if there is none.
#![expect(unsafe_code, reason = "an allocator is unsafe by nature")]

use crate::win32;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU32, Ordering};

#[global_allocator]
static HEAP: Patient = Patient;

/// The recorder's thread; 0 when there is none.
static WORKER: AtomicU32 = AtomicU32::new(0);
const WAIT_MILLIS: u32 = 20;
/// More than any function of the interface needs at once.
const ENOUGH: usize = 256 << 10;

/// From now on the calling thread waits for memory.
pub(crate) fn wait_here() {
    WORKER.store(win32::current_thread_id(), Ordering::Release);
}

/// Whether there is memory for a function of the interface.
pub(crate) fn is_there() -> bool {
    Vec::<u8>::new().try_reserve_exact(ENOUGH).is_ok()
}

struct Patient;

impl Patient {
    fn try_until_there(allocate: impl Fn() -> *mut u8) -> *mut u8 {
        loop {
            let memory = allocate();
            if !memory.is_null() || win32::current_thread_id() != WORKER.load(Ordering::Acquire) {
                return memory;
            }
            win32::sleep_millis(WAIT_MILLIS);
        }
    }
}

// SAFETY: the system's allocator does the work; a null is passed on or asked for again.
unsafe impl GlobalAlloc for Patient {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        Self::try_until_there(|| unsafe { System.alloc(layout) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise; all memory is the system's.
        unsafe { System.dealloc(memory, layout) };
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        Self::try_until_there(|| unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise; a failed attempt leaves the old memory as it was.
        Self::try_until_there(|| unsafe { System.realloc(memory, layout, size) })
    }
}
