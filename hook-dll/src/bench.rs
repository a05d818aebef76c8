//! The callback's bodies, exported for the benchmark alone: without the chain of hooks around them.
#![expect(unsafe_code, reason = "exported functions take raw pointers")]

use crate::callback;
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

/// An empty body: what a call costs.
#[unsafe(no_mangle)]
pub extern "system" fn dashcam_bench_empty(message: *const MSG) {
    std::hint::black_box(message);
}
