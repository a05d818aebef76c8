//! The processor that a thread runs on.
#![expect(unsafe_code, reason = "foreign calls")]

use windows::Win32::System::Threading::{GetCurrentProcessorNumber, GetCurrentThread, SetThreadAffinityMask};

/// Keeps the calling thread on the processor it runs on.
pub(crate) fn stay_on_this_processor() {
    // SAFETY: GetCurrentProcessorNumber has no preconditions.
    let processor = unsafe { GetCurrentProcessorNumber() };
    // SAFETY: GetCurrentThread has no preconditions.
    let thread = unsafe { GetCurrentThread() };
    // SAFETY: the pseudo handle means the calling thread. A refusal costs nothing but time.
    unsafe { SetThreadAffinityMask(thread, 1usize.checked_shl(processor).unwrap_or(0)) };
}
