//! What the benchmark counts: the time in callbacks, and allocations.

use crate::system::thread_block;
use crate::system::threads;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

static TICKS: AtomicU64 = AtomicU64::new(0);

/// Runs a body and adds its time to the sum. With empty hooks it does nothing.
pub(crate) fn time(body: impl FnOnce()) {
    if is_empty() {
        return;
    }
    let begin = thread_block::ticks();
    body();
    TICKS.fetch_add(thread_block::ticks().wrapping_sub(begin), Ordering::Relaxed);
}

/// The sum so far, in ticks.
pub(crate) fn ticks() -> u64 {
    TICKS.load(Ordering::Relaxed)
}

/// The thread whose allocations are counted, and their number.
static TEXT_SAFE: AtomicU32 = AtomicU32::new(0);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

/// Called for every allocation of the recorder.
pub(crate) fn count_allocation() {
    if threads::current_thread_id() == TEXT_SAFE.load(Ordering::Relaxed) {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
    }
}

/// Whether the hooks of this process have empty bodies: `DASHCAM_BENCH_EMPTY`, read once.
fn is_empty() -> bool {
    static EMPTY: OnceLock<bool> = OnceLock::new();
    *EMPTY.get_or_init(|| std::env::var_os("DASHCAM_BENCH_EMPTY").is_some())
}

/// How many allocations the calling thread has made since the first call on it.
pub(crate) fn allocations() -> u64 {
    TEXT_SAFE.store(threads::current_thread_id(), Ordering::Relaxed);
    ALLOCATIONS.load(Ordering::Relaxed)
}
