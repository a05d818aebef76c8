//! The recorder's own heap, whose allocations on the recorder thread wait until there is memory.
//!
//! A host that writes beyond its blocks destroys what lies next to them on the heap of the process. Callbacks
//! record until the process ends, so what they need lies elsewhere.
//!
//! A host that has used up all memory must continue. Callbacks allocate nothing. The recorder thread does,
//! and Rust ends the process when an allocation fails: so that thread waits in the allocation, while
//! callbacks fill the rings and count what they drop. Functions of the interface first check whether there is
//! memory for them, and otherwise return a status.
#![expect(unsafe_code, reason = "an allocator is unsafe by nature")]

use crate::system::process;
use crate::system::threads;
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

/// The recorder thread; 0 when there is none.
static WORKER: AtomicU32 = AtomicU32::new(0);
const WAIT_MILLIS: u32 = 20;
/// More than any function of the interface needs.
const ENOUGH: usize = 256 << 10;

/// Makes the calling thread the one that waits for memory.
pub(crate) fn wait_here() {
    WORKER.store(threads::current_thread_id(), Ordering::Release);
}

/// Whether the calling thread is the recorder thread, as in a host's sink.
pub(crate) fn is_own_thread() -> bool {
    threads::current_thread_id() == WORKER.load(Ordering::Acquire)
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
            threads::sleep_millis(WAIT_MILLIS);
        }
    }
}

/// Created at the first allocation, never destroyed.
static OWN: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// The alignment of Windows' heaps.
const ALIGNED: usize = 2 * size_of::<usize>();

fn own_heap() -> HANDLE {
    let heap = OWN.load(Ordering::Acquire);
    if !heap.is_null() {
        return HANDLE(heap);
    }
    // SAFETY: HeapCreate has no preconditions with these arguments.
    let Ok(new) = (unsafe { HeapCreate(HEAP_NONE, 0, 0) }) else { return HANDLE::default() };
    match OWN.compare_exchange(null_mut(), new.0, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => new,
        Err(first) => {
            // SAFETY: this function created the heap, and no other code knows it.
            let _ = unsafe { HeapDestroy(new) };
            HANDLE(first)
        }
    }
}

/// Allocates on the own heap. With an alignment larger than that of heaps, the address of the block
/// precedes the memory.
fn allocate(layout: Layout, flags: HEAP_FLAGS) -> *mut u8 {
    #[cfg(feature = "bench")]
    crate::system::measurement::count_allocation();
    let heap = own_heap();
    let extra = if layout.align() > ALIGNED { layout.align() } else { 0 };
    if heap.is_invalid() {
        return null_mut();
    }
    // SAFETY: `own_heap` returned a heap that is never destroyed.
    let block = unsafe { HeapAlloc(heap, flags, layout.size() + extra) }.cast::<u8>();
    if block.is_null() || extra == 0 {
        return block;
    }
    let memory = block.wrapping_add(extra - block.addr() % extra);
    // SAFETY: `memory` lies at least a pointer after the begin of the block, because `extra` and the block's
    // address are multiples of `ALIGNED`; it is aligned to more than a pointer.
    unsafe { memory.cast::<*mut u8>().wrapping_sub(1).write(block) };
    memory
}

// While the process exits, a terminated thread may hold the heap's lock: then this allocates from the process
// heap and frees nothing.
// SAFETY: HeapAlloc returns blocks of the size and alignment that `allocate` asks for, or null, which is
// returned or retried; no method unwinds.
unsafe impl GlobalAlloc for WaitingHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if process::is_exiting() {
            // SAFETY: the caller keeps the contract of GlobalAlloc, which is that of `System`.
            return unsafe { System.alloc(layout) };
        }
        Self::retry(|| allocate(layout, HEAP_NONE))
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if process::is_exiting() {
            // SAFETY: the caller keeps the contract of GlobalAlloc, which is that of `System`.
            return unsafe { System.alloc_zeroed(layout) };
        }
        Self::retry(|| allocate(layout, HEAP_ZERO_MEMORY))
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if process::is_exiting() {
            return;
        }
        let block = match layout.align() > ALIGNED {
            // SAFETY: `allocate` wrote the address there for this alignment.
            true => unsafe { memory.cast::<*mut u8>().wrapping_sub(1).read() },
            false => memory,
        };
        // SAFETY: GlobalAlloc has the caller pass memory of this allocator. It is of the own heap: what was
        // allocated while the process exits is not freed.
        let _ = unsafe { HeapFree(own_heap(), HEAP_NONE, Some(block.cast_const().cast())) };
    }
}
