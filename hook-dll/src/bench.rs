//! The callback's bodies, exported for the benchmark alone: without the chain of hooks around them.
#![expect(unsafe_code, reason = "exported functions take raw pointers")]

use crate::{callback, win32};
use std::sync::atomic::{AtomicU64, Ordering};
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

/// Adds the time that a body takes to the sum of all.
pub(crate) fn time(body: impl FnOnce()) {
    let begin = win32::ticks();
    body();
    TICKS.fetch_add(win32::ticks().wrapping_sub(begin), Ordering::Relaxed);
}

/// The sum so far, in ticks.
pub(crate) fn ticks() -> u64 {
    TICKS.load(Ordering::Relaxed)
}

/// An empty body: what a call costs.
#[unsafe(no_mangle)]
pub extern "system" fn dashcam_bench_empty(message: *const MSG) {
    std::hint::black_box(message);
}
