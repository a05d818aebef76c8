//! The one place that calls Windows: small safe functions, each one call.
//!
//! Nothing here sends a message to a window; what does (GetWindowText on another thread's edit, SendMessage) is not
//! offered at all.
#![expect(unsafe_code, reason = "the fenced module of foreign calls")]

use std::ffi::c_void;
use windows::Win32::Foundation::{
    CloseHandle, GetLastError, HANDLE, HMODULE, HWND, LPARAM, LRESULT, POINT, RECT, SetLastError,
    WAIT_OBJECT_0, WIN32_ERROR, WPARAM,
};
use windows::Win32::Globalization::{GetACP, GetUserDefaultLocaleName};
use windows::Win32::Graphics::Gdi::MapWindowPoints;
use windows::Win32::System::Environment::GetCommandLineW;
use windows::Win32::System::LibraryLoader::{
    GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_PIN,
    GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT, GetModuleFileNameW, GetModuleHandleExW,
};
use windows::Win32::System::SystemInformation::GetVersion;
use windows::Win32::System::Threading::{
    GetCurrentProcessId, GetCurrentThreadId, GetCurrentThreadStackLimits, OpenThread, THREAD_SYNCHRONIZE,
    TlsAlloc, TlsGetValue, TlsSetValue, WaitForSingleObject,
};
use windows::Win32::UI::Accessibility::{HWINEVENTHOOK, SetWinEventHook, UnhookWinEvent};
use windows::Win32::UI::WindowsAndMessaging::{
    CallNextHookEx, EVENT_OBJECT_CREATE, EnumChildWindows, EnumWindows, GA_PARENT, GW_OWNER, GWL_EXSTYLE,
    GWL_ID, GWL_STYLE, GetAncestor, GetClassNameW, GetDesktopWindow, GetWindow, GetWindowLongW,
    GetWindowRect, GetWindowThreadProcessId, HHOOK, HOOKPROC, InternalGetWindowText, IsGUIThread,
    IsHungAppWindow, IsWindowUnicode, SetWindowsHookExW, UnhookWindowsHookEx, WH_CALLWNDPROC, WH_GETMESSAGE,
    WINEVENT_INCONTEXT,
};
use windows::core::{BOOL, PCWSTR};

/// The calling thread's last error, which a guest leaves as it was.
#[inline]
pub(crate) fn last_error() -> WIN32_ERROR {
    // SAFETY: no preconditions.
    unsafe { GetLastError() }
}

/// See [`last_error`].
#[inline]
pub(crate) fn set_last_error(error: WIN32_ERROR) {
    // SAFETY: no preconditions.
    unsafe { SetLastError(error) }
}

pub(crate) fn tls_alloc() -> u32 {
    // SAFETY: no preconditions.
    unsafe { TlsAlloc() }
}

#[inline]
pub(crate) fn tls_get(slot: u32) -> *mut c_void {
    // SAFETY: a slot that was never allocated gives null.
    unsafe { TlsGetValue(slot) }
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

/// The upper end of the calling thread's stack.
pub(crate) fn stack_base() -> usize {
    let (mut low, mut high) = (0, 0);
    // SAFETY: both are ours to write to.
    unsafe { GetCurrentThreadStackLimits(&raw mut low, &raw mut high) };
    high
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

/// Whether the process is ending, when other threads no longer run.
pub(crate) fn is_exiting() -> bool {
    // SAFETY: no preconditions.
    unsafe { RtlDllShutdownInProgress() != 0 }
}

#[link(name = "ntdll")]
unsafe extern "system" {
    fn RtlDllShutdownInProgress() -> u8;
}

/// The file name of a module, on the stack: for a crash there is no heap.
pub(crate) struct ModuleName {
    buffer: [u16; 260],
    start: usize,
    end: usize,
}

impl ModuleName {
    pub(crate) fn as_slice(&self) -> Option<&[u16]> {
        (self.start < self.end).then(|| &self.buffer[self.start..self.end])
    }
}

/// The module an address lies in, and the offset there.
pub(crate) fn module_at(address: u64) -> (ModuleName, u64) {
    let mut name = ModuleName { buffer: [0; 260], start: 0, end: 0 };
    let mut module = HMODULE::default();
    let flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    let inside = PCWSTR(std::ptr::without_provenance(address as usize));
    // SAFETY: any address may be asked about.
    if unsafe { GetModuleHandleExW(flags, inside, &raw mut module) }.is_err() {
        return (name, 0);
    }
    // SAFETY: the buffer is ours, its length goes along.
    name.end =
        (unsafe { GetModuleFileNameW(Some(module), &mut name.buffer) } as usize).min(name.buffer.len());
    let path = &name.buffer[..name.end];
    name.start = path.iter().rposition(|&c| c == u16::from(b'\\')).map_or(0, |i| i + 1);
    (name, address.wrapping_sub(module.0.addr() as u64))
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

/// A thread of this process, to learn of its end.
pub(crate) struct ThreadHandle(HANDLE);

// SAFETY: a handle may be used from any thread.
unsafe impl Send for ThreadHandle {}

impl ThreadHandle {
    pub(crate) fn open(id: u32) -> Option<Self> {
        // SAFETY: no preconditions.
        unsafe { OpenThread(THREAD_SYNCHRONIZE, false, id) }.ok().map(Self)
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

/// A hook on the birth of windows of this process, called on the thread that creates them; removed when dropped.
pub(crate) struct BirthHook(HWINEVENTHOOK);

impl BirthHook {
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

impl Drop for BirthHook {
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

    pub(crate) fn owner(self) -> Option<Self> {
        // SAFETY: a handle that is none gives an error.
        unsafe { GetWindow(self.handle(), GW_OWNER) }.ok().filter(|owner| !owner.is_invalid()).map(Self::from)
    }

    /// The outer rectangle on the screen.
    pub(crate) fn rect(self) -> RECT {
        let mut rect = RECT::default();
        // SAFETY: the rectangle is ours to write to.
        let _ = unsafe { GetWindowRect(self.handle(), &raw mut rect) };
        rect
    }

    /// The outer rectangle in the client coordinates of another window.
    pub(crate) fn rect_in(self, other: Self) -> RECT {
        let rect = self.rect();
        let mut corners = [POINT { x: rect.left, y: rect.top }, POINT { x: rect.right, y: rect.bottom }];
        // SAFETY: the points are ours, their number goes along.
        unsafe { MapWindowPoints(None, Some(other.handle()), &mut corners) };
        let [a, b] = corners;
        // In a mirrored window left is right.
        RECT { left: a.x.min(b.x), top: a.y, right: a.x.max(b.x), bottom: b.y }
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
