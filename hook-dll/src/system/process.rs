//! The process and the system it runs on.
#![expect(unsafe_code, reason = "calls Windows")]

use crate::system::thread_block::{last_error, set_last_error};
use std::sync::OnceLock;
use windows::Win32::Foundation::{CloseHandle, ERROR_ALREADY_EXISTS, HANDLE, WIN32_ERROR};
use windows::Win32::Globalization::{GetACP, GetUserDefaultLocaleName};
use windows::Win32::System::Environment::GetCommandLineW;
use windows::Win32::System::LibraryLoader::{
    GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_PIN, GetModuleFileNameW,
    GetModuleHandleExW, GetModuleHandleW, GetProcAddress,
};
use windows::Win32::System::SystemInformation::GetVersion;
use windows::Win32::System::Threading::{CreateMutexW, GetCurrentProcessId};
use windows::core::PCWSTR;

pub(crate) fn current_process_id() -> u32 {
    // SAFETY: GetCurrentProcessId has no preconditions.
    unsafe { GetCurrentProcessId() }
}

/// Keeps this module loaded until the process ends: a callback must never return into unmapped code.
pub(crate) fn pin_module() -> bool {
    let mut module = Default::default();
    let flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN;
    let inside = PCWSTR((pin_module as fn() -> bool as *const ()).cast());
    // SAFETY: GetModuleHandleExW takes the address of a function of this module.
    unsafe { GetModuleHandleExW(flags, inside, &raw mut module) }.is_ok()
}

/// The path of the program.
pub(crate) fn program_path() -> String {
    let mut buffer = [0; 1024];
    // SAFETY: GetModuleFileNameW writes to the local buffer alone, whose length it gets.
    let len = unsafe { GetModuleFileNameW(None, &mut buffer) } as usize;
    String::from_utf16_lossy(&buffer[..len.min(buffer.len())])
}

/// The code page of ANSI programs.
pub(crate) fn code_page() -> u16 {
    // SAFETY: GetACP has no preconditions.
    u16::try_from(unsafe { GetACP() }).unwrap_or(1252)
}

/// The whole command line.
pub(crate) fn command_line() -> String {
    // SAFETY: GetCommandLineW has no preconditions.
    let line = unsafe { GetCommandLineW() };
    // SAFETY: Windows keeps the command line, with its final zero, as long as the process lives.
    unsafe { line.to_string() }.unwrap_or_default()
}

/// Whether the process runs under Wine, which differs from the documentation in a few points.
pub(crate) fn is_wine() -> bool {
    static IS_WINE: OnceLock<bool> = OnceLock::new();
    *IS_WINE.get_or_init(|| {
        // SAFETY: GetModuleHandleW reads the literal up to its final zero.
        let ntdll = unsafe { GetModuleHandleW(windows::core::w!("ntdll.dll")) };
        ntdll.is_ok_and(|ntdll| {
            // SAFETY: ntdll.dll stays loaded as long as the process.
            unsafe { GetProcAddress(ntdll, windows::core::s!("wine_get_version")) }.is_some()
        })
    })
}

/// Whether the process is exiting, so that other threads no longer run.
pub(crate) fn is_exiting() -> bool {
    // SAFETY: RtlDllShutdownInProgress has no preconditions.
    unsafe { RtlDllShutdownInProgress() != 0 }
}

#[link(name = "ntdll")]
unsafe extern "system" {
    fn RtlDllShutdownInProgress() -> u8;
}

/// The user's locale, such as `de-DE`.
pub(crate) fn locale() -> String {
    let mut buffer = [0; 85];
    // SAFETY: GetUserDefaultLocaleName writes to the local buffer alone, whose length it gets.
    let len = unsafe { GetUserDefaultLocaleName(&mut buffer) };
    String::from_utf16_lossy(&buffer[..usize::try_from(len).unwrap_or(0).saturating_sub(1)])
}

/// Major, minor, build.
pub(crate) fn system_version() -> String {
    // SAFETY: GetVersion has no preconditions.
    let version = unsafe { GetVersion() };
    format!("{}.{}.{}", version & 0xFF, version >> 8 & 0xFF, version >> 16)
}

/// The right to record this process. Only one recorder has it, also if the DLL is loaded twice under
/// different names.
pub(crate) struct RecordingLock(HANDLE);

// SAFETY: Windows allows the use of a kernel handle from any thread of the process.
unsafe impl Send for RecordingLock {}

impl RecordingLock {
    /// None if another recorder has it.
    pub(crate) fn take() -> Option<Self> {
        let name = format!("Local\\dashcam-{}", current_process_id());
        let name: Vec<u16> = name.encode_utf16().chain([0]).collect();
        set_last_error(WIN32_ERROR(0));
        // SAFETY: CreateMutexW reads the name up to its final zero.
        let claim = Self(unsafe { CreateMutexW(None, false, PCWSTR(name.as_ptr())) }.ok()?);
        (last_error() != ERROR_ALREADY_EXISTS).then_some(claim)
    }
}

impl Drop for RecordingLock {
    fn drop(&mut self) {
        // SAFETY: opened by `take` and closed nowhere else.
        let _ = unsafe { CloseHandle(self.0) };
    }
}
