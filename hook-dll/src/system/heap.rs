//! The recorder's memory: a heap of its own, with patience.
//!
//! A host that writes beyond its blocks ruins what lies beside them on the heap of the process; what
//! callbacks need must not lie there, since they go on recording until the process is gone.
//!
//! A host that has used up all memory must go on. Callbacks allocate nothing. The recorder's own thread does,
//! and Rust ends the process when that fails: so it waits in the allocation until there is memory again,
//! while callbacks fill the rings and count what finds no room. Functions of the interface ask first whether
//! there is memory for them, and answer with a status if there is none.
#![expect(unsafe_code, reason = "an allocator is unsafe by nature")]

use crate::system::win32;
use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use windows::Win32::Foundation::HANDLE;
use windows::Win32::System::Memory::{
    HEAP_FLAGS, HEAP_NONE, HEAP_ZERO_MEMORY, HeapAlloc, HeapCreate, HeapDestroy, HeapFree,
};

#[global_allocator]
static HEAP: WaitingHeap = WaitingHeap;

/// The recorder's thread; 0 when there is none.
static WORKER: AtomicU32 = AtomicU32::new(0);
const WAIT_MILLIS: u32 = 20;
/// More than any function of the interface needs at once.
const ENOUGH: usize = 256 << 10;

/// From now on the calling thread waits for memory.
pub(crate) fn wait_here() {
    WORKER.store(win32::current_thread_id(), Ordering::Release);
}

/// Whether the calling thread is the recorder's: a host's sink, which calls us.
pub(crate) fn is_own_thread() -> bool {
    win32::current_thread_id() == WORKER.load(Ordering::Acquire)
}

/// Whether there is memory for a function of the interface.
pub(crate) fn has_room() -> bool {
    Vec::<u8>::new().try_reserve_exact(ENOUGH).is_ok()
}

struct WaitingHeap;

impl WaitingHeap {
    fn retry(allocate: impl Fn() -> *mut u8) -> *mut u8 {
        loop {
            let memory = allocate();
            if !memory.is_null() || !is_own_thread() {
                return memory;
            }
            win32::sleep_millis(WAIT_MILLIS);
        }
    }
}

/// Made at the first allocation, and there as long as the process.
static OWN: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// What the system's heaps align to.
const ALIGNED: usize = 2 * size_of::<usize>();

fn own_heap() -> HANDLE {
    let heap = OWN.load(Ordering::Acquire);
    if !heap.is_null() {
        return HANDLE(heap);
    }
    // SAFETY: no preconditions.
    let Ok(new) = (unsafe { HeapCreate(HEAP_NONE, 0, 0) }) else { return HANDLE::default() };
    match OWN.compare_exchange(null_mut(), new.0, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => new,
        Err(first) => {
            // SAFETY: nobody else has seen it.
            let _ = unsafe { HeapDestroy(new) };
            HANDLE(first)
        }
    }
}

/// Memory of the own heap. Where more alignment is wanted than heaps have, the block's begin
/// stands before it.
fn allocate(layout: Layout, flags: HEAP_FLAGS) -> *mut u8 {
    #[cfg(feature = "bench")]
    crate::system::measurement::count_allocation();
    let heap = own_heap();
    let extra = if layout.align() > ALIGNED { layout.align() } else { 0 };
    if heap.is_invalid() {
        return null_mut();
    }
    // SAFETY: the heap is ours and never destroyed.
    let block = unsafe { HeapAlloc(heap, flags, layout.size() + extra) }.cast::<u8>();
    if block.is_null() || extra == 0 {
        return block;
    }
    let memory = block.wrapping_add(extra - block.addr() % extra);
    // SAFETY: at least `ALIGNED` bytes of the block lie before it, and it is aligned to more than a pointer.
    unsafe { memory.cast::<*mut u8>().wrapping_sub(1).write(block) };
    memory
}

// When the process is ending, a thread that held the heap's lock may be gone: then nothing is taken from it
// and nothing given back.
// SAFETY: blocks of the system's heaps are what the layout asks for; a null is passed on or asked for again.
unsafe impl GlobalAlloc for WaitingHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if win32::is_exiting() {
            // SAFETY: the caller's promise.
            return unsafe { System.alloc(layout) };
        }
        Self::retry(|| allocate(layout, HEAP_NONE))
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if win32::is_exiting() {
            // SAFETY: the caller's promise.
            return unsafe { System.alloc_zeroed(layout) };
        }
        Self::retry(|| allocate(layout, HEAP_ZERO_MEMORY))
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if win32::is_exiting() {
            return;
        }
        let block = match layout.align() > ALIGNED {
            // SAFETY: `allocate` has put it there.
            true => unsafe { memory.cast::<*mut u8>().wrapping_sub(1).read() },
            false => memory,
        };
        // SAFETY: the caller's promise; the block is the own heap's, since nothing is given back that was
        // taken at the end.
        let _ = unsafe { HeapFree(own_heap(), HEAP_NONE, Some(block.cast_const().cast())) };
    }
}
