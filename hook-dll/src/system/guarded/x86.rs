//! Copies by the vectored handler or, before that is installed, through Windows.

use super::vectored;
use std::ffi::c_void;
use windows::Win32::System::Diagnostics::Debug::ReadProcessMemory;
use windows::Win32::System::Threading::GetCurrentProcess;

/// # Safety
/// As `guarded::copy`.
pub(super) unsafe fn copy(to: *mut u8, from: *const u8, len: usize) -> bool {
    if vectored::is_ready() {
        // SAFETY: the caller vouches for the destination, and the handler is installed.
        return unsafe { vectored::copy(to, from, len) };
    }
    // SAFETY: GetCurrentProcess has no preconditions.
    let process = unsafe { GetCurrentProcess() };
    // SAFETY: the caller vouches for the destination; ReadProcessMemory returns an error where either
    // side would fault.
    unsafe { ReadProcessMemory(process, from.cast(), to.cast(), len, None) }.is_ok()
}

/// # Safety
/// As `guarded::copy_record`.
pub(super) unsafe fn copy_record(
    to: *mut u8,
    from: *const u8,
    len: usize,
    next: usize,
    index: *mut usize,
) -> bool {
    // SAFETY: the caller vouches for this destination.
    let is_copied = unsafe { copy(to, from, len) };
    // SAFETY: the caller vouches for this one too.
    is_copied && unsafe { store(index, next) }
}

/// # Safety
/// None: it leaves all to the copy piece by piece.
pub(super) unsafe fn begin_text(_: *mut u8, _: *const u8, _: usize) -> (usize, bool) {
    (0, false)
}

/// # Safety
/// As `guarded::store`.
pub(super) unsafe fn store(to: *mut usize, value: usize) -> bool {
    if vectored::is_ready() {
        // SAFETY: the caller vouches for the destination, and the handler is installed.
        return unsafe { vectored::store(to, value) };
    }
    // SAFETY: the caller vouches for the destination; the source is a local.
    unsafe { copy(to.cast(), (&raw const value).cast(), size_of::<usize>()) }
}

/// # Safety
/// As `guarded::call`.
pub(super) unsafe fn call(function: unsafe extern "C" fn(*mut c_void), argument: *mut c_void) -> bool {
    // SAFETY: the caller vouches for the function.
    unsafe { vectored::call(function, argument) }
}
