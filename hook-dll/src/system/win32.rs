//! The one place that calls Windows: small safe functions, each one call.
//!
//! Nothing here sends a message to a window; what does (GetWindowText on another thread's edit, SendMessage)
//! is not offered at all. The calls the callback makes take no lock that other threads hold for long.
#![expect(unsafe_code, reason = "the fenced module of foreign calls")]

use std::ffi::c_void;
use std::os::windows::ffi::OsStrExt;
use std::os::windows::io::AsRawHandle;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use windows::Win32::Foundation::{
    CloseHandle, ERROR_ALREADY_EXISTS, FILETIME, GetLastError, HANDLE, HGLOBAL, HLOCAL, HMODULE, HWND,
    LPARAM, LRESULT, LocalFree, POINT, RECT, SetLastError, WAIT_OBJECT_0, WIN32_ERROR, WPARAM,
};
use windows::Win32::Globalization::{GetACP, GetUserDefaultLocaleName};
use windows::Win32::Graphics::Gdi::{ClientToScreen, MapWindowPoints, ScreenToClient};
use windows::Win32::Security::Authorization::{
    ConvertSidToStringSidW, ConvertStringSecurityDescriptorToSecurityDescriptorW, SDDL_REVISION_1,
};
use windows::Win32::Security::{
    GetTokenInformation, PSECURITY_DESCRIPTOR, SECURITY_ATTRIBUTES, TOKEN_QUERY, TOKEN_USER, TokenUser,
};
use windows::Win32::Storage::FileSystem::{CreateDirectoryW, GetDriveTypeW, GetVolumePathNameW};
use windows::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows::Win32::System::Environment::GetCommandLineW;
use windows::Win32::System::LibraryLoader::{
    FindResourceW, GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_PIN,
    GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT, GetModuleFileNameW, GetModuleHandleExW, GetModuleHandleW,
    GetProcAddress, LoadResource, LockResource,
};
use windows::Win32::System::Memory::{GlobalLock, GlobalSize, GlobalUnlock};
use windows::Win32::System::ProcessStatus::K32EnumProcessModules;
use windows::Win32::System::SystemInformation::{GetSystemWindowsDirectoryW, GetVersion};
use windows::Win32::System::Threading::{
    CreateMutexW, FlushProcessWriteBuffers, GetCurrentProcess, GetCurrentProcessId, GetCurrentThreadId,
    GetThreadId, GetThreadTimes, OpenProcessToken, OpenThread, QueueUserAPC, Sleep,
    THREAD_QUERY_LIMITED_INFORMATION, THREAD_SET_CONTEXT, THREAD_SYNCHRONIZE, TlsAlloc, TlsGetValue,
    TlsSetValue, WaitForSingleObject,
};
use windows::Win32::UI::Accessibility::{HWINEVENTHOOK, SetWinEventHook, UnhookWinEvent};
use windows::Win32::UI::Input::Ime::{
    GCS_RESULTSTR, ImmGetCompositionStringW, ImmGetContext, ImmReleaseContext,
};
use windows::Win32::UI::Input::KeyboardAndMouse::GetKeyState;
use windows::Win32::UI::WindowsAndMessaging::{
    CallNextHookEx, EVENT_OBJECT_CREATE, EnumChildWindows, EnumWindows, GA_PARENT, GA_ROOT, GCL_CBWNDEXTRA,
    GCLP_WNDPROC, GCW_ATOM, GW_HWNDNEXT, GW_OWNER, GWL_EXSTYLE, GWL_ID, GWL_STYLE, GetAncestor,
    GetClassInfoExW, GetClassLongW, GetClassNameW, GetClientRect, GetDesktopWindow, GetMenu,
    GetMenuItemCount, GetMenuStringW, GetMessagePos, GetScrollInfo, GetSubMenu, GetTopWindow, GetWindow,
    GetWindowLongW, GetWindowRect, GetWindowThreadProcessId, HHOOK, HMENU, HOOKPROC, InternalGetWindowText,
    IsGUIThread, IsHungAppWindow, IsWindowUnicode, MF_BYCOMMAND, MF_BYPOSITION, RealGetWindowClassW, SB_HORZ,
    SB_VERT, SCROLLINFO, SIF_POS, SIF_TRACKPOS, SetWindowsHookExW, UnhookWindowsHookEx, WH_CALLWNDPROC,
    WH_GETMESSAGE, WINEVENT_INCONTEXT, WNDCLASSEXW,
};
use windows::core::{BOOL, PCWSTR, PWSTR};

const DRIVE_FIXED: u32 = 3;
const DRIVE_RAMDISK: u32 = 6;

/// The calling thread's last error, which a guest leaves as it was.
#[inline]
pub(crate) fn last_error() -> WIN32_ERROR {
    if LAST_ERROR_IS_DIRECT.load(Ordering::Relaxed) {
        return WIN32_ERROR(block_error());
    }
    // SAFETY: no preconditions.
    unsafe { GetLastError() }
}

/// See [`last_error`].
#[inline]
pub(crate) fn set_last_error(error: WIN32_ERROR) {
    if LAST_ERROR_IS_DIRECT.load(Ordering::Relaxed) {
        return set_block_error(error.0);
    }
    // SAFETY: no preconditions.
    unsafe { SetLastError(error) }
}

static LAST_ERROR_IS_DIRECT: AtomicBool = AtomicBool::new(false);

/// The last error lies in the thread's own block. That it does is tried; otherwise the system is
/// asked each time.
pub(crate) fn try_direct_last_error() {
    let before = last_error();
    let is_direct = [0x2A51_77E1, 0].into_iter().all(|probe| {
        set_last_error(WIN32_ERROR(probe));
        block_error() == probe
    });
    LAST_ERROR_IS_DIRECT.store(is_direct, Ordering::Release);
    set_last_error(before);
}

#[inline]
fn block_error() -> u32 {
    let error: u32;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: reads four bytes of the thread's own block.
    unsafe {
        std::arch::asm!("mov {:e}, gs:[0x68]", out(reg) error, options(nostack, readonly, preserves_flags));
    }
    #[cfg(target_arch = "x86")]
    // SAFETY: as above.
    unsafe {
        std::arch::asm!("mov {:e}, fs:[0x34]", out(reg) error, options(nostack, readonly, preserves_flags));
    }
    error
}

#[inline]
fn set_block_error(error: u32) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: writes the last error, which was tried to be there.
    unsafe {
        std::arch::asm!("mov gs:[0x68], {:e}", in(reg) error, options(nostack, preserves_flags));
    }
    #[cfg(target_arch = "x86")]
    // SAFETY: as above.
    unsafe {
        std::arch::asm!("mov fs:[0x34], {:e}", in(reg) error, options(nostack, preserves_flags));
    }
}

pub(crate) fn tls_alloc() -> u32 {
    // SAFETY: no preconditions.
    unsafe { TlsAlloc() }
}

/// The value of a slot. Changes the last error.
pub(crate) fn tls_get(slot: u32) -> *mut c_void {
    // SAFETY: a slot that was never allocated gives null.
    unsafe { TlsGetValue(slot) }
}

static TLS_IS_DIRECT: AtomicBool = AtomicBool::new(false);

/// Whether slots are read without a call, and so without touching the last error.
#[inline]
pub(crate) fn tls_is_direct() -> bool {
    TLS_IS_DIRECT.load(Ordering::Relaxed)
}

/// The first 64 slots lie in the thread's own block, where compilers read them too (`TEB.TlsSlots` of
/// winternl.h). That they do is tried with this slot; otherwise the system is asked each time.
pub(crate) fn try_direct_tls(slot: u32) {
    if slot < 64 {
        let probe = std::ptr::from_ref(&TLS_IS_DIRECT).cast();
        tls_set(slot, probe);
        let is_direct = std::ptr::eq(tls_read(slot), probe);
        tls_set(slot, std::ptr::null());
        TLS_IS_DIRECT.store(is_direct && tls_read(slot).is_null(), Ordering::Release);
    }
}

/// The value of a slot, if [`tls_is_direct`].
#[inline]
pub(crate) fn tls_read(slot: u32) -> *mut c_void {
    let value: *mut c_void;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: reads eight bytes of the thread's own block, which is larger than that on every
    // version of Windows.
    unsafe {
        std::arch::asm!(
            "mov {value}, gs:[0x1480 + {slot} * 8]",
            value = out(reg) value,
            slot = in(reg) slot as usize,
            options(nostack, readonly, preserves_flags),
        );
    }
    #[cfg(target_arch = "x86")]
    // SAFETY: as above, with four bytes.
    unsafe {
        std::arch::asm!(
            "mov {value}, fs:[0xE10 + {slot} * 4]",
            value = out(reg) value,
            slot = in(reg) slot as usize,
            options(nostack, readonly, preserves_flags),
        );
    }
    value
}

pub(crate) fn tls_set(slot: u32, value: *const c_void) {
    // SAFETY: the slot is ours alone.
    let _ = unsafe { TlsSetValue(slot, Some(value)) };
}

pub(crate) fn current_thread_id() -> u32 {
    // SAFETY: no preconditions.
    unsafe { GetCurrentThreadId() }
}

pub(crate) fn current_process_id() -> u32 {
    // SAFETY: no preconditions.
    unsafe { GetCurrentProcessId() }
}

/// The upper end of the stack that the calling thread is on: a fiber has one of its own. Read where
/// the system keeps it (`NT_TIB.StackBase` of winnt.h), which is cheaper than to ask, and costs the
/// last error nothing.
#[inline]
pub(crate) fn stack_base() -> usize {
    let base: usize;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: reads eight bytes of the thread's own block.
    unsafe {
        std::arch::asm!("mov {}, gs:[0x08]", out(reg) base, options(nostack, readonly, preserves_flags));
    }
    #[cfg(target_arch = "x86")]
    // SAFETY: as above, with four bytes.
    unsafe {
        std::arch::asm!("mov {}, fs:[0x04]", out(reg) base, options(nostack, readonly, preserves_flags));
    }
    base
}

/// The lower end of the memory reserved for that stack (`TEB.DeallocationStack`).
#[inline]
pub(crate) fn stack_end() -> usize {
    let end: usize;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: reads eight bytes of the thread's own block, which is larger than that on every
    // version of Windows.
    unsafe {
        std::arch::asm!("mov {}, gs:[0x1478]", out(reg) end, options(nostack, readonly, preserves_flags));
    }
    #[cfg(target_arch = "x86")]
    // SAFETY: as above, with four bytes.
    unsafe {
        std::arch::asm!("mov {}, fs:[0xE0C]", out(reg) end, options(nostack, readonly, preserves_flags));
    }
    end
}

/// The processor's time stamp counter.
#[inline]
pub(crate) fn ticks() -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor Windows runs on has it.
    return unsafe { std::arch::x86_64::_rdtsc() };
    #[cfg(target_arch = "x86")]
    // SAFETY: every processor Windows 10 runs on has it.
    return unsafe { std::arch::x86::_rdtsc() };
}

/// Makes every processor that runs a thread of this process finish its writes: the other half of a fence that
/// a callback spares.
pub(crate) fn flush_write_buffers() {
    // SAFETY: no preconditions.
    unsafe { FlushProcessWriteBuffers() }
}

/// Keeps this module in memory to the end of the process: a callback must never return into nothing.
pub(crate) fn pin_module() -> bool {
    let mut module = Default::default();
    let flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN;
    let inside = PCWSTR((pin_module as fn() -> bool as *const ()).cast());
    // SAFETY: the address is one of this module's functions.
    unsafe { GetModuleHandleExW(flags, inside, &raw mut module) }.is_ok()
}

/// The path of the program.
pub(crate) fn program_path() -> String {
    let mut buffer = [0; 1024];
    // SAFETY: the buffer is ours, its length goes along.
    let len = unsafe { GetModuleFileNameW(None, &mut buffer) } as usize;
    String::from_utf16_lossy(&buffer[..len.min(buffer.len())])
}

/// The code page of ANSI programs.
pub(crate) fn code_page() -> u16 {
    // SAFETY: no preconditions.
    u16::try_from(unsafe { GetACP() }).unwrap_or(1252)
}

/// The whole command line.
pub(crate) fn command_line() -> String {
    // SAFETY: no preconditions.
    let line = unsafe { GetCommandLineW() };
    // SAFETY: the system keeps it, with its final zero, as long as the process lives.
    unsafe { line.to_string() }.unwrap_or_default()
}

/// Makes the calling thread one that can be hooked; its id, unless the system refuses.
pub(crate) fn make_gui_thread() -> Option<u32> {
    // SAFETY: no preconditions; no message is dispatched.
    unsafe { IsGUIThread(true) }.as_bool().then(current_thread_id)
}

/// Has a thread of this process that has not begun yet call a function before anything else;
/// false if it will not.
pub(crate) fn run_first_on(thread: u32, function: unsafe extern "system" fn(usize)) -> bool {
    // SAFETY: no preconditions.
    let Ok(thread) = (unsafe { OpenThread(THREAD_SET_CONTEXT, false, thread) }) else { return false };
    // SAFETY: the handle is open, and the function lies in this module, which is pinned.
    let is_queued = unsafe { QueueUserAPC(Some(function), thread, 0) } != 0;
    // SAFETY: the handle is ours.
    let _ = unsafe { CloseHandle(thread) };
    is_queued
}

/// Lets the calling thread know of hooks that another thread has set on it: Wine's threads keep in mind which
/// hooks there are, and learn of others only by the next message they take, or when they set or remove one
/// themselves. `own` is set and removed.
pub(crate) fn refresh_hook_cache(own: HOOKPROC) {
    if is_wine() {
        drop(MessageHook::on_sent(own, current_thread_id()));
    }
}

/// Whether this is Wine, where a few things differ from the documentation.
pub(crate) fn is_wine() -> bool {
    static IS_WINE: OnceLock<bool> = OnceLock::new();
    *IS_WINE.get_or_init(|| {
        // SAFETY: the text ends in a zero.
        let ntdll = unsafe { GetModuleHandleW(windows::core::w!("ntdll.dll")) };
        ntdll.is_ok_and(|ntdll| {
            // SAFETY: the module stays as long as the process.
            unsafe { GetProcAddress(ntdll, windows::core::s!("wine_get_version")) }.is_some()
        })
    })
}

/// Where the first frame of the calling thread's list of exception handlers lies.
#[cfg(target_arch = "x86_64")]
pub(crate) fn exception_list() -> u64 {
    let first: u64;
    // SAFETY: reads eight bytes of the thread's own block.
    unsafe {
        std::arch::asm!("mov {}, gs:[0]", out(reg) first, options(nostack, readonly, preserves_flags));
    }
    first
}

/// Whether an address lies in this module.
#[cfg(target_arch = "x86_64")]
pub(crate) fn is_own_code(address: u64) -> bool {
    module_at(address).0.module == own_module()
}

/// Where Wine's function begins that calls windows back and swallows their exceptions. Windows has one too,
/// and ends the program there.
#[cfg(target_arch = "x86_64")]
pub(crate) fn swallowing_dispatcher() -> Option<u64> {
    if !is_wine() {
        return None;
    }
    // SAFETY: the text ends in a zero.
    let ntdll = unsafe { GetModuleHandleW(windows::core::w!("ntdll.dll")) }.ok()?;
    // SAFETY: the module stays as long as the process.
    let function = unsafe { GetProcAddress(ntdll, windows::core::s!("KiUserCallbackDispatcher")) };
    function.map(|function| (function as *const ()).addr() as u64)
}

/// A whole path as the system takes it, with its final zero: one too long for it needs a prefix.
fn long_path(path: &Path) -> Vec<u16> {
    // What CreateDirectoryW takes leaves room for a file's name of old.
    const MAX: usize = 248;
    let path: Vec<u16> = path.as_os_str().encode_wide().collect();
    const STROKE: u16 = 0x5C;
    let (prefix, from) = match path.as_slice() {
        short if short.len() < MAX => ("", 0),
        // It has one: \\?\ or \\.\
        [STROKE, STROKE, 0x3F | 0x2E, ..] => ("", 0),
        [STROKE, STROKE, ..] => (r"\\?\UNC", 1),
        [_, 0x3A, ..] => (r"\\?\", 0),
        _ => ("", 0),
    };
    prefix.encode_utf16().chain(path[from..].iter().copied()).chain([0]).collect()
}

/// Whether a folder lies on a drive that is there as long as the machine is: a fixed disk or one in memory.
pub(crate) fn is_on_local_drive(folder: &Path) -> bool {
    let folder = long_path(folder);
    let mut root = [0; 1024];
    // SAFETY: the path ends in a zero, the buffer is ours.
    if unsafe { GetVolumePathNameW(PCWSTR(folder.as_ptr()), &mut root) }.is_err() {
        return false;
    }
    // SAFETY: the system ended the root in a zero.
    matches!(unsafe { GetDriveTypeW(PCWSTR(root.as_ptr())) }, DRIVE_FIXED | DRIVE_RAMDISK)
}

/// Whether the process is ending, when other threads no longer run.
pub(crate) fn is_exiting() -> bool {
    // SAFETY: no preconditions.
    unsafe { RtlDllShutdownInProgress() != 0 }
}

#[link(name = "ntdll")]
unsafe extern "system" {
    fn RtlDllShutdownInProgress() -> u8;
}

/// Lets other threads run, with next to no stack.
pub(crate) fn sleep_millis(millis: u32) {
    // SAFETY: no preconditions.
    unsafe { Sleep(millis) }
}

/// A module and its path, on the stack: for a crash there is no heap.
pub(crate) struct ModuleName {
    module: HMODULE,
    path: [u16; 260],
    end: usize,
}

impl ModuleName {
    /// Whether there is one.
    #[cfg(target_arch = "x86")]
    pub(crate) fn is_known(&self) -> bool {
        self.end > 0
    }

    /// The file's name without its folder.
    pub(crate) fn name(&self) -> &[u16] {
        let path = &self.path[..self.end];
        let start = path.iter().rposition(|&c| c == u16::from(b'\\')).map_or(0, |i| i + 1);
        &path[start..]
    }

    /// Where it lies in memory.
    pub(crate) fn base(&self) -> usize {
        self.module.0.expose_provenance()
    }

    /// Whether it is one of the application's own: its program, or neither of the Windows
    /// folder nor this DLL.
    pub(crate) fn is_applications(&self) -> bool {
        if self.end == 0 || self.module == module_of(std::ptr::null()) {
            return self.end != 0;
        }
        let mut folder = [0; 260];
        // SAFETY: the buffer is ours, its length goes along.
        let len = (unsafe { GetSystemWindowsDirectoryW(Some(&mut folder)) } as usize).min(folder.len());
        self.module != own_module() && !is_below(&folder[..len], &self.path[..self.end])
    }
}

/// Whether a path lies below a folder; letters of ASCII count as equal in both cases.
fn is_below(folder: &[u16], path: &[u16]) -> bool {
    let lower = |c: u16| if (0x41..=0x5A).contains(&c) { c + 0x20 } else { c };
    let folder = folder.strip_suffix(&[u16::from(b'\\')]).unwrap_or(folder);
    !folder.is_empty()
        && path.get(folder.len()) == Some(&u16::from(b'\\'))
        && path.iter().zip(folder).all(|(&a, &b)| lower(a) == lower(b))
}

/// The module an address lies in; the program's for null.
fn module_of(address: *const u16) -> HMODULE {
    let mut module = HMODULE::default();
    let from = if address.is_null() { 0 } else { GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS };
    let flags = from | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    // SAFETY: any address may be asked about.
    let _ = unsafe { GetModuleHandleExW(flags, PCWSTR(address), &raw mut module) };
    module
}

fn own_module() -> HMODULE {
    module_of((pin_module as fn() -> bool as *const ()).cast())
}

/// The module an address lies in, and the offset there.
pub(crate) fn module_at(address: u64) -> (ModuleName, u64) {
    let mut name = ModuleName { module: HMODULE::default(), path: [0; 260], end: 0 };
    // Null would mean the program.
    if address != 0 {
        name.module = module_of(std::ptr::without_provenance(address as usize));
    }
    if !name.module.is_invalid() {
        // SAFETY: the buffer is ours, its length goes along.
        let len = unsafe { GetModuleFileNameW(Some(name.module), &mut name.path) } as usize;
        name.end = len.min(name.path.len());
    }
    let offset = address.wrapping_sub(name.module.0.addr() as u64);
    (name, offset)
}

/// Whether the calling thread is the process's last, which then lives for it alone.
pub(crate) fn is_last_thread() -> bool {
    // SAFETY: no preconditions.
    let Ok(threads) = (unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0) }) else { return false };
    let (process, own) = (current_process_id(), current_thread_id());
    let mut entry = THREADENTRY32 { dwSize: size_of::<THREADENTRY32>() as u32, ..Default::default() };
    // SAFETY: the handle is open, and the structure is ours and says its size.
    let mut found = unsafe { Thread32First(threads, &raw mut entry) };
    let mut is_last = found.is_ok();
    while found.is_ok() && is_last {
        is_last = entry.th32OwnerProcessID != process || entry.th32ThreadID == own;
        // SAFETY: as above.
        found = unsafe { Thread32Next(threads, &raw mut entry) };
    }
    // SAFETY: opened above and closed once.
    let _ = unsafe { CloseHandle(threads) };
    is_last
}

/// The user's locale, such as `de-DE`.
pub(crate) fn locale() -> String {
    let mut buffer = [0; 85];
    // SAFETY: the buffer is ours, its length goes along.
    let len = unsafe { GetUserDefaultLocaleName(&mut buffer) };
    String::from_utf16_lossy(&buffer[..usize::try_from(len).unwrap_or(0).saturating_sub(1)])
}

/// Major, minor, build.
pub(crate) fn system_version() -> String {
    // SAFETY: no preconditions.
    let version = unsafe { GetVersion() };
    format!("{}.{}.{}", version & 0xFF, version >> 8 & 0xFF, version >> 16)
}

/// A folder that only the user may enter, and that hands this down to all in it.
pub(crate) fn create_private_folder(path: &Path) -> std::io::Result<()> {
    let rights: Vec<u16> = format!("D:P(A;OICI;FA;;;{})", user_id()?).encode_utf16().chain([0]).collect();
    let mut descriptor = PSECURITY_DESCRIPTOR::default();
    let (text, version) = (PCWSTR(rights.as_ptr()), SDDL_REVISION_1);
    // SAFETY: the text ends in a zero, and the descriptor is ours to write to.
    unsafe {
        ConvertStringSecurityDescriptorToSecurityDescriptorW(text, version, &raw mut descriptor, None)?;
    };
    let attributes = SECURITY_ATTRIBUTES {
        nLength: size_of::<SECURITY_ATTRIBUTES>() as u32,
        lpSecurityDescriptor: descriptor.0,
        bInheritHandle: false.into(),
    };
    let path = long_path(path);
    // SAFETY: the text ends in a zero; the attributes and what they point to live until the call returns.
    let made = unsafe { CreateDirectoryW(PCWSTR(path.as_ptr()), Some(&raw const attributes)) };
    // SAFETY: given by the system to be freed so, and used no more.
    unsafe { LocalFree(Some(HLOCAL(descriptor.0))) };
    Ok(made?)
}

/// The user this process runs for, as the system writes it: `S-1-5-21-…`.
fn user_id() -> std::io::Result<String> {
    let mut token = HANDLE::default();
    // SAFETY: the process's own pseudo handle.
    let process = unsafe { GetCurrentProcess() };
    // SAFETY: the token is ours to write to.
    unsafe { OpenProcessToken(process, TOKEN_QUERY, &raw mut token)? };
    // As numbers of eight bytes, so that what is read from it lies where it should.
    let mut user = [0u64; 32];
    let (mut len, room) = (0, size_of_val(&user) as u32);
    let place = Some(user.as_mut_ptr().cast());
    // SAFETY: the buffer is ours, its length goes along.
    let asked = unsafe { GetTokenInformation(token, TokenUser, place, room, &raw mut len) };
    // SAFETY: opened above and closed once.
    let _ = unsafe { CloseHandle(token) };
    asked?;
    // SAFETY: the system has filled in a TOKEN_USER.
    let sid = unsafe { (*user.as_ptr().cast::<TOKEN_USER>()).User.Sid };
    let mut text = PWSTR::null();
    // SAFETY: the id lies in the buffer, and the text is ours to write to.
    unsafe { ConvertSidToStringSidW(sid, &raw mut text)? };
    // SAFETY: the system's text ends in a zero.
    let id = unsafe { text.to_string() }.map_err(std::io::Error::other);
    // SAFETY: given by the system to be freed so, and used no more.
    unsafe { LocalFree(Some(HLOCAL(text.0.cast()))) };
    id
}

/// The right to record this process, which one recorder has, also if the DLL is loaded twice under
/// different names.
pub(crate) struct RecordingLock(HANDLE);

// SAFETY: a handle may be used from any thread.
unsafe impl Send for RecordingLock {}

impl RecordingLock {
    /// None if another has it.
    pub(crate) fn take() -> Option<Self> {
        let name = format!("Local\\dashcam-{}", current_process_id());
        let name: Vec<u16> = name.encode_utf16().chain([0]).collect();
        set_last_error(WIN32_ERROR(0));
        // SAFETY: the name ends in a zero.
        let claim = Self(unsafe { CreateMutexW(None, false, PCWSTR(name.as_ptr())) }.ok()?);
        (last_error() != ERROR_ALREADY_EXISTS).then_some(claim)
    }
}

impl Drop for RecordingLock {
    fn drop(&mut self) {
        // SAFETY: opened by `take` and closed once.
        let _ = unsafe { CloseHandle(self.0) };
    }
}

/// A thread of this process, to learn of its end.
pub(crate) struct ThreadHandle(HANDLE);

// SAFETY: a handle may be used from any thread.
unsafe impl Send for ThreadHandle {}

impl ThreadHandle {
    pub(crate) fn open(id: u32) -> Option<Self> {
        // SAFETY: no preconditions.
        unsafe { OpenThread(THREAD_SYNCHRONIZE | THREAD_QUERY_LIMITED_INFORMATION, false, id) }.ok().map(Self)
    }

    /// What tells the thread from a later one of the same id.
    pub(crate) fn identity(&self) -> ThreadIdentity {
        let mut times = [FILETIME::default(); 4];
        let [created, exited, kernel, user] = &mut times;
        // SAFETY: the handle is open as long as `self`, and the times are ours to write to.
        let _ = unsafe { GetThreadTimes(self.0, created, exited, kernel, user) };
        // SAFETY: the handle is open as long as `self`.
        let id = unsafe { GetThreadId(self.0) };
        ThreadIdentity { id, created: (times[0].dwHighDateTime, times[0].dwLowDateTime) }
    }

    pub(crate) fn has_ended(&self) -> bool {
        // SAFETY: the handle is open as long as `self`.
        unsafe { WaitForSingleObject(self.0, 0) == WAIT_OBJECT_0 }
    }
}

impl Drop for ThreadHandle {
    fn drop(&mut self) {
        // SAFETY: opened by `open` and closed once.
        let _ = unsafe { CloseHandle(self.0) };
    }
}

/// A thread, by its id and the moment of its birth: ids are used again, and a handle is one more in
/// the host's count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ThreadIdentity {
    id: u32,
    created: (u32, u32),
}

impl ThreadIdentity {
    pub(crate) fn has_ended(self) -> bool {
        ThreadHandle::open(self.id).is_none_or(|thread| thread.has_ended() || thread.identity() != self)
    }
}

/// Whether a thread ends within this time.
pub(crate) fn has_ended(thread: &JoinHandle<()>, patience: Duration) -> bool {
    let millis = u32::try_from(patience.as_millis()).unwrap_or(u32::MAX);
    // SAFETY: the handle is open as long as `thread`.
    unsafe { WaitForSingleObject(HANDLE(thread.as_raw_handle()), millis) == WAIT_OBJECT_0 }
}

/// A hook, removed when dropped. On Windows only the thread that set it may do that.
pub(crate) struct MessageHook(HHOOK);

impl MessageHook {
    pub(crate) fn on_posted(procedure: HOOKPROC, thread: u32) -> Option<Self> {
        // SAFETY: the procedure lies in this pinned module; an own-process thread takes no module handle.
        unsafe { SetWindowsHookExW(WH_GETMESSAGE, procedure, None, thread) }.ok().map(Self)
    }

    pub(crate) fn on_sent(procedure: HOOKPROC, thread: u32) -> Option<Self> {
        // SAFETY: as above.
        unsafe { SetWindowsHookExW(WH_CALLWNDPROC, procedure, None, thread) }.ok().map(Self)
    }
}

impl Drop for MessageHook {
    fn drop(&mut self) {
        // SAFETY: set by one of the constructors and removed once.
        let _ = unsafe { UnhookWindowsHookEx(self.0) };
    }
}

#[inline]
pub(crate) fn call_next(code: i32, wparam: WPARAM, lparam: LPARAM) -> LRESULT {
    // SAFETY: the parameters are those the system gave us.
    unsafe { CallNextHookEx(None, code, wparam, lparam) }
}

/// A hook on the birth of windows of this process, called on the thread that creates them;
/// removed when dropped.
pub(crate) struct CreationHook(HWINEVENTHOOK);

impl CreationHook {
    pub(crate) fn new(procedure: windows::Win32::UI::Accessibility::WINEVENTPROC) -> Option<Self> {
        let mut module = Default::default();
        let inside = PCWSTR((pin_module as fn() -> bool as *const ()).cast());
        // SAFETY: the address is one of this module's functions.
        unsafe { GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, inside, &raw mut module) }
            .ok()?;
        let (event, process) = (EVENT_OBJECT_CREATE, current_process_id());
        // SAFETY: the procedure lies in the module given.
        let hook =
            unsafe { SetWinEventHook(event, event, Some(module), procedure, process, 0, WINEVENT_INCONTEXT) };
        (!hook.is_invalid()).then_some(Self(hook))
    }
}

impl Drop for CreationHook {
    fn drop(&mut self) {
        // SAFETY: set by `new` on this thread and removed once.
        let _ = unsafe { UnhookWinEvent(self.0) };
    }
}

/// A window, asked only in ways that send it no message.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Window(pub(crate) usize);

impl Window {
    fn handle(self) -> HWND {
        HWND(std::ptr::without_provenance_mut(self.0))
    }

    fn from(handle: HWND) -> Self {
        Self(handle.0.addr())
    }

    /// Thread and process that own it; zeros if it is gone.
    pub(crate) fn thread_and_process(self) -> (u32, u32) {
        let mut process = 0;
        // SAFETY: a handle that is none gives zero.
        let thread = unsafe { GetWindowThreadProcessId(self.handle(), Some(&raw mut process)) };
        (thread, process)
    }

    pub(crate) fn class(self, buffer: &mut [u16; 256]) -> &[u16] {
        // SAFETY: the buffer is ours, its length goes along.
        let len = unsafe { GetClassNameW(self.handle(), buffer) };
        &buffer[..usize::try_from(len).unwrap_or(0).min(256)]
    }

    /// The class of the system that the window's class was made from, or that class itself. Wine does not
    /// tell them apart.
    pub(crate) fn real_class(self, buffer: &mut [u16; 256]) -> &[u16] {
        // SAFETY: the buffer is ours, its length goes along.
        let len = unsafe { RealGetWindowClassW(self.handle(), buffer) };
        &buffer[..usize::try_from(len).unwrap_or(0).min(256)]
    }

    /// The text the system keeps; edits and combo boxes keep their own.
    pub(crate) fn text(self) -> Vec<u16> {
        let mut buffer = vec![0; 4096];
        // SAFETY: the buffer is ours, its length goes along.
        let len = unsafe { InternalGetWindowText(self.handle(), &mut buffer) };
        buffer.truncate(usize::try_from(len).unwrap_or(0));
        buffer
    }

    pub(crate) fn style(self) -> u32 {
        // SAFETY: a handle that is none gives zero.
        unsafe { GetWindowLongW(self.handle(), GWL_STYLE) }.cast_unsigned()
    }

    pub(crate) fn ex_style(self) -> u32 {
        // SAFETY: a handle that is none gives zero.
        unsafe { GetWindowLongW(self.handle(), GWL_EXSTYLE) }.cast_unsigned()
    }

    /// The id of a child; a top-level window has a menu there.
    pub(crate) fn control_id(self) -> Option<i32> {
        const WS_CHILD: u32 = 0x4000_0000;
        (self.style() & WS_CHILD != 0).then(|| self.id())
    }

    pub(crate) fn id(self) -> i32 {
        // SAFETY: a handle that is none gives zero.
        unsafe { GetWindowLongW(self.handle(), GWL_ID) }
    }

    /// The parent; none for a top-level window.
    pub(crate) fn parent(self) -> Option<Self> {
        // SAFETY: a handle that is none gives null.
        let parent = unsafe { GetAncestor(self.handle(), GA_PARENT) };
        // SAFETY: no preconditions.
        let desktop = unsafe { GetDesktopWindow() };
        (!parent.is_invalid() && parent != desktop).then(|| Self::from(parent))
    }

    /// The top-level window it is in, itself if it is one; none if it is gone.
    pub(crate) fn root(self) -> Option<Self> {
        // SAFETY: a handle that is none gives null.
        let root = unsafe { GetAncestor(self.handle(), GA_ROOT) };
        (!root.is_invalid()).then(|| Self::from(root))
    }

    pub(crate) fn owner(self) -> Option<Self> {
        // SAFETY: a handle that is none gives an error.
        unsafe { GetWindow(self.handle(), GW_OWNER) }.ok().filter(|owner| !owner.is_invalid()).map(Self::from)
    }

    /// The outer rectangle in the parent's client coordinates; on the screen for a top-level window.
    /// Nothing if it is gone.
    pub(crate) fn place(self) -> Option<RECT> {
        let mut rect = RECT::default();
        // SAFETY: the rectangle is ours to write to.
        unsafe { GetWindowRect(self.handle(), &raw mut rect) }.ok()?;
        let Some(parent) = self.parent() else { return Some(rect) };
        let mut corners = [POINT { x: rect.left, y: rect.top }, POINT { x: rect.right, y: rect.bottom }];
        // SAFETY: the points are ours, their number goes along.
        unsafe { MapWindowPoints(None, Some(parent.handle()), &mut corners) };
        let [a, b] = corners;
        // In a mirrored window left is right.
        Some(RECT { left: a.x.min(b.x), top: a.y, right: a.x.max(b.x), bottom: b.y })
    }

    /// A point of the screen in the window's client coordinates.
    pub(crate) fn to_client(self, x: i32, y: i32) -> Option<(i32, i32)> {
        let mut point = POINT { x, y };
        // SAFETY: the point is ours to write to.
        unsafe { ScreenToClient(self.handle(), &raw mut point) }.as_bool().then_some((point.x, point.y))
    }

    /// A point given in client coordinates, on the screen; nothing if it lies in the client area.
    pub(crate) fn beyond_client(self, x: i32, y: i32) -> Option<(i32, i32)> {
        let mut client = RECT::default();
        // SAFETY: the rectangle is ours to write to.
        unsafe { GetClientRect(self.handle(), &raw mut client) }.ok()?;
        if has(client, x, y) {
            return None;
        }
        let mut point = POINT { x, y };
        // SAFETY: the point is ours to write to.
        unsafe { ClientToScreen(self.handle(), &raw mut point) }.as_bool().then_some((point.x, point.y))
    }

    /// The window procedure of its class, as a program of Unicode and as one of ANSI sees it.
    pub(crate) fn class_procedures(self) -> (usize, usize) {
        // On x86 there is only the function for numbers of 32 bits.
        #[cfg(target_pointer_width = "32")]
        use windows::Win32::UI::WindowsAndMessaging::{
            GetClassLongA as GetClassLongPtrA, GetClassLongW as GetClassLongPtrW,
        };
        #[cfg(target_pointer_width = "64")]
        use windows::Win32::UI::WindowsAndMessaging::{GetClassLongPtrA, GetClassLongPtrW};
        // SAFETY: a handle that is none gives zero.
        let wide = unsafe { GetClassLongPtrW(self.handle(), GCLP_WNDPROC) };
        // SAFETY: as above.
        let narrow = unsafe { GetClassLongPtrA(self.handle(), GCLP_WNDPROC) };
        (wide as usize, narrow as usize)
    }

    /// How many bytes its class keeps with every window.
    /// The number of its class.
    pub(crate) fn class_atom(self) -> u16 {
        // SAFETY: a handle that is none gives zero.
        unsafe { GetClassLongW(self.handle(), GCW_ATOM) as u16 }
    }

    pub(crate) fn class_extra(self) -> i32 {
        // SAFETY: a handle that is none gives zero.
        unsafe { GetClassLongW(self.handle(), GCL_CBWNDEXTRA) }.cast_signed()
    }

    /// Position and tracking position of its own scroll bar.
    pub(crate) fn scroll_position(self, horizontal: bool) -> Option<(i32, i32)> {
        let mut info = SCROLLINFO {
            cbSize: size_of::<SCROLLINFO>() as u32,
            fMask: SIF_POS | SIF_TRACKPOS,
            ..Default::default()
        };
        let bar = if horizontal { SB_HORZ } else { SB_VERT };
        // SAFETY: the structure is ours to write to.
        unsafe { GetScrollInfo(self.handle(), bar, &raw mut info) }.ok()?;
        Some((info.nPos, info.nTrackPos))
    }

    /// The menu bar.
    pub(crate) fn menu(self) -> Option<Menu> {
        // SAFETY: a handle that is none gives null.
        let menu = unsafe { GetMenu(self.handle()) };
        (!menu.is_invalid()).then(|| Menu(menu.0.addr()))
    }

    pub(crate) fn is_unicode(self) -> bool {
        // SAFETY: a handle that is none gives false.
        unsafe { IsWindowUnicode(self.handle()) }.as_bool()
    }

    /// Whether its thread has not looked for messages for five seconds.
    pub(crate) fn is_hung(self) -> bool {
        // SAFETY: a handle that is none gives false.
        unsafe { IsHungAppWindow(self.handle()) }.as_bool()
    }

    /// All windows below it, parents before children.
    pub(crate) fn descendants(self) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        let context = LPARAM((&raw mut found).expose_provenance().cast_signed());
        // SAFETY: the vector outlives the enumeration, which runs on this thread.
        let _ = unsafe { EnumChildWindows(Some(self.handle()), Some(collect), context) };
        found
    }
}

fn has(rect: RECT, x: i32, y: i32) -> bool {
    (rect.left..rect.right).contains(&x) && (rect.top..rect.bottom).contains(&y)
}

/// The topmost of this process's shown windows at a point of the screen. No window is asked, unlike
/// WindowFromPoint does; those that let the pointer through, such as the picture of a dragged item, do not
/// count. Of other programs' windows some are shown and cannot be seen: they are no obstacle.
pub(crate) fn top_level_at(x: i32, y: i32) -> Option<Window> {
    const WS_VISIBLE: u32 = 0x1000_0000;
    const WS_EX_TRANSPARENT: u32 = 0x20;
    /// The order may change under our eyes.
    const MOST: usize = 4096;
    let own = current_process_id();
    // SAFETY: no preconditions.
    let mut next = unsafe { GetTopWindow(None) };
    for _ in 0..MOST {
        let window = Window::from(next.ok().filter(|window| !window.is_invalid())?);
        let mut rect = RECT::default();
        let is_there = window.style() & WS_VISIBLE != 0
            && window.thread_and_process().1 == own
            && window.ex_style() & WS_EX_TRANSPARENT == 0
            // SAFETY: the rectangle is ours to write to.
            && unsafe { GetWindowRect(window.handle(), &raw mut rect) }.is_ok();
        if is_there && has(rect, x, y) {
            return Some(window);
        }
        // SAFETY: a handle that is none gives an error.
        next = unsafe { GetWindow(window.handle(), GW_HWNDNEXT) };
    }
    None
}

/// The top-level windows of this process.
pub(crate) fn top_level_windows() -> Vec<Window> {
    let mut found: Vec<Window> = Vec::new();
    let context = LPARAM((&raw mut found).expose_provenance().cast_signed());
    // SAFETY: the vector outlives the enumeration, which runs on this thread.
    let _ = unsafe { EnumWindows(Some(collect), context) };
    let own = current_process_id();
    found.retain(|window| window.thread_and_process().1 == own);
    found
}

unsafe extern "system" fn collect(handle: HWND, context: LPARAM) -> BOOL {
    // SAFETY: the context is the vector of the function that enumerates, on this very thread.
    let found =
        unsafe { &mut *std::ptr::with_exposed_provenance_mut::<Vec<Window>>(context.0.cast_unsigned()) };
    found.push(Window::from(handle));
    true.into()
}

/// A menu, asked only in ways that send no message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Menu(pub(crate) usize);

impl Menu {
    fn handle(self) -> HMENU {
        HMENU(std::ptr::without_provenance_mut(self.0))
    }

    pub(crate) fn item_count(self) -> u32 {
        // SAFETY: a handle that is none gives -1.
        u32::try_from(unsafe { GetMenuItemCount(Some(self.handle())) }).unwrap_or(0)
    }

    pub(crate) fn sub_menu(self, position: u32) -> Option<Self> {
        // SAFETY: a handle or position that is none gives null.
        let menu = unsafe { GetSubMenu(self.handle(), position.cast_signed()) };
        (!menu.is_invalid()).then(|| Self(menu.0.addr()))
    }

    /// An item's label; how many units were written.
    pub(crate) fn label(self, item: u32, by_position: bool, out: &mut [u16]) -> usize {
        let by = if by_position { MF_BYPOSITION } else { MF_BYCOMMAND };
        // SAFETY: the buffer is ours, its length goes along.
        let len = unsafe { GetMenuStringW(self.handle(), item, Some(out), by) };
        usize::try_from(len).unwrap_or(0).min(out.len())
    }
}

/// The window procedure and the extra bytes of the class that this name means on the calling thread.
pub(crate) fn class_by_name(name: PCWSTR) -> Option<(usize, i32)> {
    let mut class = WNDCLASSEXW { cbSize: size_of::<WNDCLASSEXW>() as u32, ..Default::default() };
    // SAFETY: the structure is ours to write to.
    unsafe { GetClassInfoExW(None, name, &raw mut class) }.ok()?;
    Some((class.lpfnWndProc.map_or(0, |procedure| procedure as *const () as usize), class.cbWndExtra))
}

/// Where the pointer was when the thread's last message was posted, on the screen.
pub(crate) fn message_position() -> (i32, i32) {
    // SAFETY: no preconditions.
    let position = unsafe { GetMessagePos() };
    (i32::from(position as i16), i32::from((position >> 16) as i16))
}

/// Whether a key is held, and whether a lock key is on.
pub(crate) fn key_state(key: u8) -> (bool, bool) {
    // SAFETY: no preconditions.
    let state = unsafe { GetKeyState(i32::from(key)) };
    (state < 0, state & 1 != 0)
}

/// Modules of this process: lower-case file name, first address, size.
pub(crate) fn modules() -> Vec<(String, usize, usize)> {
    // SAFETY: no preconditions.
    let process = unsafe { GetCurrentProcess() };
    let mut modules = vec![HMODULE::default(); 1024];
    let mut bytes = 0;
    let room = size_of_val(modules.as_slice()) as u32;
    // SAFETY: the buffer is ours, its length goes along.
    if !unsafe { K32EnumProcessModules(process, modules.as_mut_ptr(), room, &raw mut bytes) }.as_bool() {
        return Vec::new();
    }
    modules.truncate(bytes as usize / size_of::<HMODULE>());
    // The loader knows the name and the file's own header the size: asking the system for each takes it tens
    // of milliseconds.
    let describe = |module: HMODULE| {
        const HEADER: usize = 0x3C;
        const SIZE_OF_IMAGE: usize = 0x50;
        let mut path = [0; 1024];
        // SAFETY: the buffer is ours, its length goes along.
        let len = unsafe { GetModuleFileNameW(Some(module), &mut path) } as usize;
        let path = &path[..len.min(path.len())];
        let name = path.rsplit(|&unit| unit == u16::from(b'\\')).next().unwrap_or_default();
        let number =
            |at: usize| crate::system::guarded::read(module.0.cast::<u8>().wrapping_add(at).cast::<u32>());
        let size = number(number(HEADER)? as usize + SIZE_OF_IMAGE)?;
        Some((String::from_utf16_lossy(name).to_lowercase(), module.0.addr(), size as usize))
    };
    modules.into_iter().filter_map(describe).collect()
}

/// The version in the resources of a loaded module, such as `10.0.19041.1`.
pub(crate) fn module_version(start: usize) -> Option<String> {
    const SIGNATURE: [u8; 4] = 0xFEEF_04BDu32.to_le_bytes();
    let module = HMODULE(std::ptr::with_exposed_provenance_mut(start));
    // VS_VERSION_INFO is resource 1 of type RT_VERSION, which is 16.
    let by_number = |number: usize| PCWSTR(std::ptr::without_provenance(number));
    // SAFETY: a module without such a resource gives null.
    let found = unsafe { FindResourceW(Some(module), by_number(1), by_number(16)) };
    if found.is_invalid() {
        return None;
    }
    // SAFETY: found above.
    let loaded = unsafe { LoadResource(Some(module), found) }.ok()?;
    // SAFETY: loaded above; a resource needs no unlocking.
    let bytes = unsafe { LockResource(loaded) }.cast::<u8>().cast_const();
    // VS_FIXEDFILEINFO stands behind a short text; it begins with its signature, and the version with
    // its third number.
    let mut head = [0; 128];
    let is_read = !bytes.is_null() && crate::system::guarded::copy(bytes, head.as_mut_ptr(), head.len());
    let at = head.windows(4).position(|window| window == SIGNATURE).filter(|_| is_read)?;
    let number = |offset: usize| head.get(at + offset..)?.first_chunk().map(|b| u16::from_le_bytes(*b));
    Some(format!("{}.{}.{}.{}", number(10)?, number(8)?, number(14)?, number(12)?))
}

/// The files of a WM_DROPFILES, or as much of the list as fits: names that each end in a zero.
pub(crate) fn dropped_files(drop: usize, out: &mut [u8]) -> Option<(usize, bool)> {
    const HEADER: usize = 20;
    let memory = HGLOBAL(std::ptr::without_provenance_mut(drop));
    // SAFETY: a handle that is none gives null.
    let start = unsafe { GlobalLock(memory) }.cast::<u8>();
    if start.is_null() {
        return None;
    }
    // SAFETY: the handle is a valid one, as it could be locked.
    let size = unsafe { GlobalSize(memory) };
    let mut header = [0; HEADER];
    let read = crate::system::guarded::copy(start, header.as_mut_ptr(), HEADER);
    let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    // DROPFILES: where the names begin, a point, whether it is outside the client area, whether
    // names are UTF-16.
    let (names, wide) = (word(0) as usize, word(16) != 0);
    let len = size.saturating_sub(names).min(out.len());
    let copied = read && crate::system::guarded::copy(start.wrapping_add(names), out.as_mut_ptr(), len);
    // SAFETY: locked above.
    let _ = unsafe { GlobalUnlock(memory) };
    copied.then_some((len, wide))
}

/// The text an input method composed for a window (GCS_RESULTSTR); how many bytes were written.
pub(crate) fn composed_text(window: Window, out: &mut [u8]) -> usize {
    // SAFETY: a window without an input context gives null.
    let context = unsafe { ImmGetContext(window.handle()) };
    if context.is_invalid() {
        return 0;
    }
    let room = u32::try_from(out.len()).unwrap_or(u32::MAX);
    // SAFETY: the buffer is ours, its length goes along.
    let len =
        unsafe { ImmGetCompositionStringW(context, GCS_RESULTSTR, Some(out.as_mut_ptr().cast()), room) };
    // SAFETY: got above, and released once.
    let _ = unsafe { ImmReleaseContext(window.handle(), context) };
    usize::try_from(len).unwrap_or(0).min(out.len())
}
#[cfg(test)]
mod tests {
    use super::{is_below, long_path};
    use std::path::Path;

    #[test]
    fn only_a_path_that_is_too_long_gets_a_prefix() {
        let of = |path: &str| String::from_utf16(&long_path(Path::new(path))).unwrap();
        let long = "n".repeat(250);
        assert_eq!(of(r"C:\short"), "C:\\short\0");
        assert_eq!(of(&format!(r"C:\{long}")), format!("\\\\?\\C:\\{long}\0"));
        assert_eq!(of(&format!(r"\\server\share\{long}")), format!("\\\\?\\UNC\\server\\share\\{long}\0"));
        assert_eq!(of(&format!(r"\\?\C:\{long}")), format!("\\\\?\\C:\\{long}\0"));
    }

    #[test]
    fn a_folder_holds_what_is_below_it_and_not_its_namesakes() {
        let is = |folder: &str, path: &str| {
            let [folder, path] = [folder, path].map(|text| text.encode_utf16().collect::<Vec<_>>());
            is_below(&folder, &path)
        };
        assert!(is(r"C:\Windows", r"c:\windows\SYSTEM32\ntdll.dll") && is(r"C:\", r"C:\a.exe"));
        assert!(
            !is(r"C:\Windows", r"C:\Windows Tools\a.exe")
                && !is("", r"C:\a.exe")
                && !is(r"C:\Windows", r"C:\W")
        );
    }
}
