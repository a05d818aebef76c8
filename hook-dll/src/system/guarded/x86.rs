//! By the vectored handler, and until that is there by asking the system.

use super::vectored;
use std::ffi::c_void;
use windows::Win32::System::Diagnostics::Debug::ReadProcessMemory;
use windows::Win32::System::Threading::GetCurrentProcess;

pub(super) unsafe fn copy(to: *mut u8, from: *const u8, len: usize) -> bool {
    if vectored::is_ready() {
        return vectored::copy(to, from, len);
    }
    // SAFETY: the call has no preconditions.
    let process = unsafe { GetCurrentProcess() };
    // SAFETY: the system checks both sides and answers with an error instead of a fault.
    unsafe { ReadProcessMemory(process, from.cast(), to.cast(), len, None) }.is_ok()
}

pub(super) unsafe fn copy_record(
    to: *mut u8,
    from: *const u8,
    len: usize,
    next: usize,
    index: *mut usize,
) -> bool {
    // SAFETY: passed on.
    unsafe { copy(to, from, len) && store(index, next) }
}

pub(super) unsafe fn begin_text(_: *mut u8, _: *const u8, _: usize) -> (usize, bool) {
    (0, false)
}

pub(super) unsafe fn store(to: *mut usize, value: usize) -> bool {
    if vectored::is_ready() {
        return vectored::store(to, value);
    }
    // SAFETY: the system checks where it is to go.
    unsafe { copy(to.cast(), (&raw const value).cast(), size_of::<usize>()) }
}

pub(super) unsafe fn call(function: unsafe extern "C" fn(*mut c_void), argument: *mut c_void) -> bool {
    vectored::call(function, argument)
}
