//! The bodies of the hook procedures, exported for the benchmark alone, without the chain of hooks.
#![expect(unsafe_code, reason = "exported functions take raw pointers")]

use crate::callback::hook_procedures;
use crate::system::measurement;
use windows::Win32::UI::WindowsAndMessaging::{CWPSTRUCT, MSG};

/// The body of the hook on posted messages.
///
/// # Safety
/// `message` points to a valid message that nobody changes meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn dashcam_bench_posted(message: *const MSG) {
    // SAFETY: the caller promises a valid message.
    hook_procedures::observe_posted(unsafe { &*message });
}

/// The body of the hook on sent messages.
///
/// # Safety
/// `message` points to a valid message that nobody changes meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn dashcam_bench_sent(message: *const CWPSTRUCT) {
    // SAFETY: the caller promises a valid message.
    hook_procedures::observe_sent(unsafe { &*message });
}

/// How often the recorder has allocated memory on the calling thread since the first call on it.
#[unsafe(no_mangle)]
pub extern "system" fn dashcam_bench_allocations() -> u64 {
    measurement::allocations()
}

/// Allocates once, which callbacks never do, so that the benchmark sees that allocations are counted.
#[unsafe(no_mangle)]
pub extern "system" fn dashcam_bench_allocate() {
    drop(std::hint::black_box(Box::new(7u64)));
}

/// An empty body: the cost of a call.
#[unsafe(no_mangle)]
pub extern "system" fn dashcam_bench_empty(message: *const MSG) {
    std::hint::black_box(message);
}
