//! The callback's bodies, exported for the benchmark alone: without the chain of hooks around them.
#![expect(unsafe_code, reason = "exported functions take raw pointers")]

use crate::callback::hook_procedures;
use crate::system::measurement;
use windows::Win32::UI::WindowsAndMessaging::{CWPSTRUCT, MSG};

/// The body of the hook on posted messages.
///
/// # Safety
/// `message` points to a message.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn dashcam_bench_posted(message: *const MSG) {
    // SAFETY: the caller's promise.
    hook_procedures::observe_posted(unsafe { &*message });
}

/// The body of the hook on sent messages.
///
/// # Safety
/// `message` points to a message.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn dashcam_bench_sent(message: *const CWPSTRUCT) {
    // SAFETY: the caller's promise.
    hook_procedures::observe_sent(unsafe { &*message });
}

/// How often the recorder has allocated memory on the calling thread since the first time this was asked
/// here.
#[unsafe(no_mangle)]
pub extern "system" fn dashcam_bench_allocations() -> u64 {
    measurement::allocations()
}

/// Allocates once, as a callback never does: for the benchmark to see that it is counted.
#[unsafe(no_mangle)]
pub extern "system" fn dashcam_bench_allocate() {
    drop(std::hint::black_box(Box::new(7u64)));
}

/// An empty body: what a call costs.
#[unsafe(no_mangle)]
pub extern "system" fn dashcam_bench_empty(message: *const MSG) {
    std::hint::black_box(message);
}
