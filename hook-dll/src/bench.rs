//! The callback's bodies, exported for the benchmark alone: without the chain of hooks around them.
#![expect(unsafe_code, reason = "exported functions take raw pointers")]

use crate::{callback, win32};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use windows::Win32::UI::WindowsAndMessaging::{CWPSTRUCT, MSG};

/// The body of the hook on posted messages.
///
/// # Safety
/// `message` points to a message.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn dashcam_bench_posted(message: *const MSG) {
    // SAFETY: the caller's promise.
    callback::see_posted(unsafe { &*message });
}

/// The body of the hook on sent messages.
///
/// # Safety
/// `message` points to a message.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn dashcam_bench_sent(message: *const CWPSTRUCT) {
    // SAFETY: the caller's promise.
    callback::see_sent(unsafe { &*message });
}

static TICKS: AtomicU64 = AtomicU64::new(0);

/// Adds the time that a body takes to the sum of all; an empty one is left out.
pub(crate) fn time(body: impl FnOnce()) {
    if is_empty() {
        return;
    }
    let begin = win32::ticks();
    body();
    TICKS.fetch_add(win32::ticks().wrapping_sub(begin), Ordering::Relaxed);
}

/// The sum so far, in ticks.
pub(crate) fn ticks() -> u64 {
    TICKS.load(Ordering::Relaxed)
}

/// The thread whose allocations are counted, and how many there were.
static WATCHED: AtomicU32 = AtomicU32::new(0);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

/// Called at every allocation of the recorder's.
pub(crate) fn count_allocation() {
    if win32::current_thread_id() == WATCHED.load(Ordering::Relaxed) {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
    }
}

/// How often the recorder has allocated memory on the calling thread since the first time this was asked here.
#[unsafe(no_mangle)]
pub extern "system" fn dashcam_bench_allocations() -> u64 {
    WATCHED.store(win32::current_thread_id(), Ordering::Relaxed);
    ALLOCATIONS.load(Ordering::Relaxed)
}

/// Allocates once, as a callback never does: for the benchmark to see that it is counted.
#[unsafe(no_mangle)]
pub extern "system" fn dashcam_bench_allocate() {
    drop(std::hint::black_box(Box::new(7u64)));
}

/// Whether the hooks of this process are to have empty bodies: `DASHCAM_BENCH_EMPTY`, looked at when the DLL is asked first.
fn is_empty() -> bool {
    static EMPTY: OnceLock<bool> = OnceLock::new();
    *EMPTY.get_or_init(|| std::env::var_os("DASHCAM_BENCH_EMPTY").is_some())
}

/// An empty body: what a call costs.
#[unsafe(no_mangle)]
pub extern "system" fn dashcam_bench_empty(message: *const MSG) {
    std::hint::black_box(message);
}
