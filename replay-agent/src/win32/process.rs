//! The process, its threads and its modules.
#![expect(unsafe_code, reason = "foreign calls")]

use std::sync::LazyLock;
use std::time::Duration;
use windows::Win32::Foundation::{CloseHandle, FILETIME};
use windows::Win32::System::LibraryLoader::{GetModuleHandleW, GetProcAddress};
use windows::Win32::System::Threading::{
    GetCurrentProcessId, GetCurrentThreadId, GetThreadTimes, OpenThread, THREAD_QUERY_LIMITED_INFORMATION,
    THREAD_SYNCHRONIZE, WaitForSingleObject,
};
use windows::core::{PCSTR, PCWSTR, s, w};

/// A function of a module, before it gets its true type.
pub(crate) type Function = unsafe extern "system" fn() -> isize;

pub(crate) fn process_id() -> u32 {
    // SAFETY: GetCurrentProcessId has no preconditions.
    unsafe { GetCurrentProcessId() }
}

pub(crate) fn thread_id() -> u32 {
    // SAFETY: GetCurrentThreadId has no preconditions.
    unsafe { GetCurrentThreadId() }
}

/// Whether a thread still runs.
pub(crate) fn is_running(thread: u32) -> bool {
    // SAFETY: OpenThread refuses an id that belongs to no thread.
    let Ok(handle) = (unsafe { OpenThread(THREAD_SYNCHRONIZE, false, thread) }) else { return false };
    // SAFETY: the handle was opened above and is closed below.
    let waited = unsafe { WaitForSingleObject(handle, 0) };
    // SAFETY: the handle was opened above and is closed once.
    let _ = unsafe { CloseHandle(handle) };
    waited.0 != 0
}

/// The processor time a thread has used so far; zero if it is gone.
pub(crate) fn processor_time(thread: u32) -> Duration {
    // SAFETY: OpenThread refuses an id that belongs to no thread.
    let Ok(handle) = (unsafe { OpenThread(THREAD_QUERY_LIMITED_INFORMATION, false, thread) }) else {
        return Duration::ZERO;
    };
    let [mut created, mut exited, mut kernel, mut user] = [FILETIME::default(); 4];
    // SAFETY: the handle is open, and the four times are locals.
    let result =
        unsafe { GetThreadTimes(handle, &raw mut created, &raw mut exited, &raw mut kernel, &raw mut user) };
    // SAFETY: the handle was opened above and is closed once.
    let _ = unsafe { CloseHandle(handle) };
    // A FILETIME counts tenths of a microsecond.
    let micros = |time: FILETIME| (u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime)) / 10;
    Duration::from_micros(if result.is_ok() { micros(kernel) + micros(user) } else { 0 })
}

/// A function of a loaded module, if both exist: the recorder need not be loaded, and the first versions of
/// Windows 10 lack some functions.
pub(crate) fn function(module: PCWSTR, name: PCSTR) -> Option<Function> {
    // SAFETY: the callers pass literals that end in a zero.
    let module = unsafe { GetModuleHandleW(module) }.ok()?;
    // SAFETY: the callers ask for modules that stay loaded: the recorder pins itself, and
    // system modules stay.
    unsafe { GetProcAddress(module, name) }
}

/// Whether this is Wine, which differs from the documentation in a few things.
pub(crate) fn is_wine() -> bool {
    static IS_WINE: LazyLock<bool> =
        LazyLock::new(|| function(w!("ntdll.dll"), s!("wine_get_version")).is_some());
    *IS_WINE
}
