//! What the benchmark counts: the time in callbacks, and allocations.

use crate::system::win32;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

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
static TEXT_SAFE: AtomicU32 = AtomicU32::new(0);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

/// Called at every allocation of the recorder's.
pub(crate) fn count_allocation() {
    if win32::current_thread_id() == TEXT_SAFE.load(Ordering::Relaxed) {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
    }
}

/// Whether the hooks of this process are to have empty bodies: `DASHCAM_BENCH_EMPTY`, looked at when the
/// DLL is asked first.
fn is_empty() -> bool {
    static EMPTY: OnceLock<bool> = OnceLock::new();
    *EMPTY.get_or_init(|| std::env::var_os("DASHCAM_BENCH_EMPTY").is_some())
}

/// How many allocations the calling thread has made since the first time this was asked there.
pub(crate) fn allocations() -> u64 {
    TEXT_SAFE.store(win32::current_thread_id(), Ordering::Relaxed);
    ALLOCATIONS.load(Ordering::Relaxed)
}
