//! The one place of the agent that calls Windows for the rest.
#![expect(unsafe_code, reason = "the fenced module of foreign calls")]

use crate::threads::{self, Left};
use crate::{hand, watch};
use replay_link::{Notice, Window, top_level_windows};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use windows::Win32::Foundation::{
    CloseHandle, FILETIME, HINSTANCE, HWND, LPARAM, LRESULT, POINT, RECT, WPARAM,
};
use windows::Win32::Graphics::Gdi::{ClientToScreen, InvalidateRect};
use windows::Win32::System::LibraryLoader::{
    GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_PIN, GetModuleHandleExW,
    GetModuleHandleW, GetProcAddress,
};
use windows::Win32::System::Memory::{GHND, GlobalAlloc, GlobalLock, GlobalUnlock};
use windows::Win32::System::Threading::{
    CreateMutexW, GetCurrentProcessId, GetCurrentThreadId, GetThreadTimes, OpenThread, ReleaseMutex,
    THREAD_QUERY_LIMITED_INFORMATION, THREAD_SYNCHRONIZE, WaitForSingleObject,
};
use windows::Win32::UI::Accessibility::{HWINEVENTHOOK, SetWinEventHook, UnhookWinEvent};
use windows::Win32::UI::Controls::{NMHDR, SetScrollInfo};
use windows::Win32::UI::Input::KeyboardAndMouse::{
    GetActiveWindow, GetDoubleClickTime, GetFocus, GetKeyboardState, INPUT, INPUT_0, INPUT_MOUSE,
    MAPVK_VK_TO_VSC, MOUSE_EVENT_FLAGS, MOUSEEVENTF_ABSOLUTE, MOUSEEVENTF_LEFTDOWN, MOUSEEVENTF_LEFTUP,
    MOUSEEVENTF_MOVE, MOUSEEVENTF_VIRTUALDESK, MOUSEINPUT, MapVirtualKeyW, SendInput, SetActiveWindow,
    SetFocus, SetKeyboardState, VkKeyScanW,
};
use windows::Win32::UI::WindowsAndMessaging::{
    BringWindowToTop, GetCursorPos, GetForegroundWindow, GetMessageExtraInfo, GetSystemMetrics, MF_HILITE,
    SM_CXDOUBLECLK, SM_CXVIRTUALSCREEN, SM_CYVIRTUALSCREEN, SM_XVIRTUALSCREEN, SM_YVIRTUALSCREEN,
    SetForegroundWindow, WindowFromPoint,
};
use windows::Win32::UI::WindowsAndMessaging::{
    CallNextHookEx, CreateWindowExW, DefWindowProcW, DispatchMessageW, EVENT_OBJECT_CREATE, GetClassLongW,
    GetMenu, GetMenuItemCount, GetMenuItemID, GetMenuState, GetMenuStringW, GetQueueStatus, GetScrollInfo,
    GetSubMenu, HHOOK, HMENU, HWND_MESSAGE, MF_BYPOSITION, MF_CHECKED, MF_DISABLED, MF_GRAYED, MSG,
    PM_REMOVE, PeekMessageW, PostMessageW, PostThreadMessageW, QS_ALLINPUT, QS_PAINT, QS_TIMER,
    RegisterClassW, RegisterWindowMessageW, SB_CTL, SB_HORZ, SB_VERT, SCROLLINFO, SIF_POS, SIF_RANGE,
    SWP_NOACTIVATE, SWP_NOOWNERZORDER, SWP_NOZORDER, SendMessageW, SetWindowPos, SetWindowsHookExW,
    UnhookWindowsHookEx, WH_GETMESSAGE, WINDOW_EX_STYLE, WINDOW_STYLE, WINEVENT_INCONTEXT, WM_APP, WM_NULL,
    WNDCLASSW,
};
use windows::Win32::UI::WindowsAndMessaging::{
    CallWindowProcA, CallWindowProcW, GWLP_WNDPROC, GetClientRect, IsWindowUnicode, WM_COMMAND, WM_NCDESTROY,
    WM_NOTIFY, WNDPROC,
};
use windows::Win32::UI::WindowsAndMessaging::{
    GCL_STYLE, GUI_INMENUMODE, GUI_POPUPMENUMODE, GUITHREADINFO, GetGUIThreadInfo, SCROLLBAR_CONSTANTS,
};
#[cfg(target_pointer_width = "32")]
use windows::Win32::UI::WindowsAndMessaging::{
    GetWindowLongA as get_long_a, GetWindowLongW as get_long_w, SetWindowLongA as set_long_a,
    SetWindowLongW as set_long_w,
};
#[cfg(target_pointer_width = "64")]
use windows::Win32::UI::WindowsAndMessaging::{
    GetWindowLongPtrA as get_long_a, GetWindowLongPtrW as get_long_w, SetWindowLongPtrA as set_long_a,
    SetWindowLongPtrW as set_long_w,
};
use windows::core::{PCSTR, PCWSTR, s, w};

const WM_JOB: u32 = WM_APP + 1;
const WM_RESTORE_KEYS: u32 = WM_APP + 2;
const WM_RELEASE_KEYS: u32 = WM_APP + 3;
const WM_TURN_KEY: u32 = WM_RELEASE_KEYS + 1;
const CLASS: PCWSTR = w!("DashcamAgent");

/// The message that makes a thread call our hook.
// SAFETY: the name is a text that ends in a zero.
static WAKE: LazyLock<u32> = LazyLock::new(|| unsafe { RegisterWindowMessageW(w!("DashcamAgentWake")) });
// SAFETY: the name ends in a zero.
static CARRY: LazyLock<u32> = LazyLock::new(|| unsafe { RegisterWindowMessageW(w!("DashcamAgentCarry")) });

pub(crate) fn process_id() -> u32 {
    // SAFETY: no preconditions.
    unsafe { GetCurrentProcessId() }
}

pub(crate) fn thread_id() -> u32 {
    // SAFETY: no preconditions.
    unsafe { GetCurrentThreadId() }
}

/// Whether a thread still runs.
pub(crate) fn is_thread(thread: u32) -> bool {
    // SAFETY: no preconditions.
    let Ok(handle) = (unsafe { OpenThread(THREAD_SYNCHRONIZE, false, thread) }) else { return false };
    // SAFETY: the handle is open.
    let waited = unsafe { WaitForSingleObject(handle, 0) };
    // SAFETY: opened above.
    let _ = unsafe { CloseHandle(handle) };
    waited.0 != 0
}

/// What a thread has had of the processor so far; nothing if it is gone.
pub(crate) fn processor_time(thread: u32) -> Duration {
    // SAFETY: no preconditions.
    let Ok(handle) = (unsafe { OpenThread(THREAD_QUERY_LIMITED_INFORMATION, false, thread) }) else {
        return Duration::ZERO;
    };
    let [mut began, mut ended, mut kernel, mut user] = [FILETIME::default(); 4];
    // SAFETY: the handle is open, the times are ours.
    let told =
        unsafe { GetThreadTimes(handle, &raw mut began, &raw mut ended, &raw mut kernel, &raw mut user) };
    // SAFETY: opened above.
    let _ = unsafe { CloseHandle(handle) };
    // In tenths of a microsecond.
    let time = |it: FILETIME| (u64::from(it.dwHighDateTime) << 32 | u64::from(it.dwLowDateTime)) / 10;
    Duration::from_micros(if told.is_ok() { time(kernel) + time(user) } else { 0 })
}

/// A hook on the messages of one thread, removed when dropped.
pub(crate) struct Hook(Option<HHOOK>);

// SAFETY: set and removed by the agent's own thread alone.
unsafe impl Send for Hook {}

impl Hook {
    pub(crate) fn set(thread: u32) -> Self {
        // SAFETY: the procedure is ours, and the module stays.
        Self(unsafe { SetWindowsHookExW(WH_GETMESSAGE, Some(on_message), None, thread) }.ok())
    }
}

impl Drop for Hook {
    fn drop(&mut self) {
        if let Some(hook) = self.0 {
            // SAFETY: set by us, on this thread.
            let _ = unsafe { UnhookWindowsHookEx(hook) };
        }
    }
}

unsafe extern "system" fn on_message(code: i32, wparam: WPARAM, lparam: LPARAM) -> LRESULT {
    if code >= 0 {
        // SAFETY: Windows hands a message over.
        let message = unsafe { &mut *std::ptr::with_exposed_provenance_mut::<MSG>(lparam.0.cast_unsigned()) };
        if message.hwnd.is_invalid() && message.message == *WAKE {
            message.message = WM_NULL;
            threads::install();
        }
        if message.message == *CARRY && wparam.0 & PM_REMOVE.0 as usize != 0 {
            turn_over(message);
        }
        // Looked at without being taken, a message comes again.
        if wparam.0 & PM_REMOVE.0 as usize != 0 {
            hand::note(message);
        }
    }
    // SAFETY: the arguments are those we were given.
    unsafe { CallNextHookEx(None, code, wparam, lparam) }
}

/// A message to a window of the application that carries one of ours: it becomes that one, and the loop that
/// took it dispatches it.
fn turn_over(message: &mut MSG) {
    let number = (message.wParam.0 & 0xFFFF) as u32;
    match threads::agent_window_of(thread_id()).filter(|_| number != 0) {
        Some(agent) => {
            message.hwnd = agent.handle();
            message.wParam = WPARAM(message.wParam.0 >> 16);
            message.message = number;
        }
        None => {
            message.message = WM_NULL;
            threads::probed(message.lParam.0);
        }
    }
}

/// Asks whether the thread of a window takes messages to it.
pub(crate) fn probe(window: Window, number: isize) {
    post(window, *CARRY, 0, number);
}

/// Takes back what was posted to the calling thread's window of ours before it was known that nobody takes
/// it, and what should have woken it.
pub(crate) fn take_back_own() {
    const OF_NO_WINDOW: HWND = HWND(std::ptr::without_provenance_mut(usize::MAX));
    let agent = threads::agent_window_of(thread_id()).map(Window::handle);
    let mut message = MSG::default();
    for (window, first, last) in [(agent, WM_JOB, WM_TURN_KEY), (Some(OF_NO_WINDOW), *WAKE, *WAKE)] {
        let Some(window) = window else { continue };
        // SAFETY: the structure is ours to write to.
        while unsafe { PeekMessageW(&raw mut message, Some(window), first, last, PM_REMOVE) }.as_bool() {
            // SAFETY: it was taken from the queue just now. A job that was taken is not done again.
            unsafe { DispatchMessageW(&raw const message) };
        }
    }
}

/// Makes a thread look for messages, so that our hook is called.
pub(crate) fn wake(thread: u32) {
    // SAFETY: no preconditions.
    let _ = unsafe { PostThreadMessageW(thread, *WAKE, WPARAM(0), LPARAM(0)) };
}

/// Tells of the birth of windows of this process, on the thread that makes them; removed when dropped.
pub(crate) struct BirthHook(HWINEVENTHOOK);

impl BirthHook {
    pub(crate) fn new() -> Option<Self> {
        let mut module = Default::default();
        let flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN;
        let address = PCWSTR((create_agent_window as fn() -> _) as *const u16);
        // SAFETY: an address of this module, and a place of ours for the answer.
        unsafe { GetModuleHandleExW(flags, address, &raw mut module) }.ok()?;
        let (event, process) = (EVENT_OBJECT_CREATE, process_id());
        // SAFETY: the procedure lies in the module given, which stays.
        let hook = unsafe {
            SetWinEventHook(event, event, Some(module), Some(born), process, 0, WINEVENT_INCONTEXT)
        };
        (!hook.is_invalid()).then_some(Self(hook))
    }
}

impl Drop for BirthHook {
    fn drop(&mut self) {
        // SAFETY: set by `new` on this thread and removed once.
        let _ = unsafe { UnhookWinEvent(self.0) };
    }
}

unsafe extern "system" fn born(
    _: HWINEVENTHOOK,
    _: u32,
    window: HWND,
    object: i32,
    child: i32,
    _: u32,
    _: u32,
) {
    // The window itself, no part of it.
    if object == 0 && child == 0 {
        crate::births::note(Window(window.0.expose_provenance() as u64));
    }
}

/// A function of a module that is there, if it has one of this name: the recorder need not be inside, and the
/// first versions of Windows 10 lack some.
fn function(module: PCWSTR, name: PCSTR) -> Option<unsafe extern "system" fn() -> isize> {
    // SAFETY: the name ends in a zero.
    let module = unsafe { GetModuleHandleW(module) }.ok()?;
    // SAFETY: the module is not unloaded: the recorder stays to the end, and so does what every program has.
    unsafe { GetProcAddress(module, name) }
}

/// Tells the recorder, if one is inside, that what follows on this thread is done for the user.
pub(crate) fn tell_recorder(window: Window, act: &str) {
    type Tell = unsafe extern "C" fn(usize, *const u16) -> i32;
    // Asked once where there is none: Wine looks through folders for a module that is not there, which takes
    // longer than most acts.
    static IS_MISSING: AtomicBool = AtomicBool::new(false);
    if IS_MISSING.load(Ordering::Relaxed) {
        return;
    }
    let Some(tell) = function(w!("dashcam.dll"), s!("dashcam_act")) else {
        return IS_MISSING.store(true, Ordering::Relaxed);
    };
    // SAFETY: it is what the recorder exports under this name.
    let tell: Tell = unsafe { std::mem::transmute(tell) };
    let act: Vec<u16> = act.encode_utf16().chain([0]).collect();
    // SAFETY: the text ends in a zero and outlives the call.
    unsafe { tell(window.0 as usize, act.as_ptr()) };
}

/// The resolution per inch of a window.
#[derive(Clone, Copy)]
pub(crate) struct Dpi {
    pub(crate) value: u32,
    /// Whether children are told when it changes (version 2 of awareness).
    pub(crate) tells_children: bool,
}

/// The resolution of a window that adapts itself to that of its screen.
pub(crate) fn dpi(window: Window) -> Option<Dpi> {
    type OfWindow = unsafe extern "system" fn(HWND) -> isize;
    type Awareness = unsafe extern "system" fn(isize) -> i32;
    type Equal = unsafe extern "system" fn(isize, isize) -> i32;
    const PER_MONITOR: i32 = 2;
    const PER_MONITOR_V2: isize = -4;
    let user = |name| function(w!("user32.dll"), name);
    let (dpi, context) = (user(s!("GetDpiForWindow"))?, user(s!("GetWindowDpiAwarenessContext"))?);
    let awareness = user(s!("GetAwarenessFromDpiAwarenessContext"))?;
    let equal = user(s!("AreDpiAwarenessContextsEqual"))?;
    // SAFETY: documented so.
    let dpi: OfWindow = unsafe { std::mem::transmute(dpi) };
    // SAFETY: documented so.
    let context: OfWindow = unsafe { std::mem::transmute(context) };
    // SAFETY: documented so.
    let awareness: Awareness = unsafe { std::mem::transmute(awareness) };
    // SAFETY: documented so.
    let equal: Equal = unsafe { std::mem::transmute(equal) };
    // SAFETY: a window that is gone has no context.
    let context = unsafe { context(window.handle()) };
    // SAFETY: no preconditions.
    if unsafe { awareness(context) } != PER_MONITOR {
        return None;
    }
    // SAFETY: no preconditions.
    let value = unsafe { dpi(window.handle()) } as u32;
    // SAFETY: no preconditions.
    Some(Dpi { value, tells_children: unsafe { equal(context, PER_MONITOR_V2) } != 0 })
}

/// No window of this thread has the focus.
pub(crate) fn blur() {
    // SAFETY: no preconditions.
    let _ = unsafe { SetFocus(None) };
}

/// Whether the user sees a window of this program in front of all others.
pub(crate) fn is_foreground() -> bool {
    // SAFETY: no preconditions.
    let front = unsafe { GetForegroundWindow() };
    Window(front.0.expose_provenance() as u64).thread_and_process().1 == process_id()
}

/// Another program's window comes to the front: only who is there may say so.
pub(crate) fn leave(to: Window) {
    // SAFETY: no preconditions.
    let _ = unsafe { SetForegroundWindow(to.handle()) };
}

/// A message-only window of ours on the calling thread.
pub(crate) fn create_agent_window() -> Option<Window> {
    static MODULE: LazyLock<usize> = LazyLock::new(|| {
        let mut module = Default::default();
        let flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN;
        let address = PCWSTR((create_agent_window as fn() -> _) as *const u16);
        // The module stays to the end: windows of ours have their procedure in it.
        // SAFETY: an address of this module, and a place of ours for the answer.
        let _ = unsafe { GetModuleHandleExW(flags, address, &raw mut module) };
        let class = WNDCLASSW {
            lpfnWndProc: Some(procedure),
            hInstance: HINSTANCE(module.0),
            lpszClassName: CLASS,
            ..Default::default()
        };
        // SAFETY: the class is complete, and its procedure stays.
        unsafe { RegisterClassW(&raw const class) };
        module.0.expose_provenance()
    });
    let module = HINSTANCE(std::ptr::with_exposed_provenance_mut(*MODULE));
    // SAFETY: the class was registered above.
    let window = unsafe {
        CreateWindowExW(
            WINDOW_EX_STYLE(0),
            CLASS,
            CLASS,
            WINDOW_STYLE(0),
            0,
            0,
            0,
            0,
            Some(HWND_MESSAGE),
            None,
            Some(module),
            None,
        )
    };
    window.ok().map(|window| Window(window.0.addr() as u64))
}

unsafe extern "system" fn procedure(window: HWND, message: u32, wparam: WPARAM, lparam: LPARAM) -> LRESULT {
    match message {
        WM_JOB => threads::take(lparam.0),
        WM_RESTORE_KEYS => crate::keys::restore(),
        WM_RELEASE_KEYS => crate::keys::release(),
        WM_TURN_KEY => crate::keys::turned(wparam.0, lparam.0 != 0),
        // SAFETY: the arguments are those we were given.
        _ => return unsafe { DefWindowProcW(window, message, wparam, lparam) },
    }
    LRESULT(0)
}

/// A window's procedure, as it is called.
#[derive(Clone, Copy)]
pub(crate) struct Procedure {
    address: isize,
    is_unicode: bool,
}

impl Procedure {
    pub(crate) fn of(window: Window) -> Self {
        // SAFETY: a handle that is none gives false.
        let is_unicode = unsafe { IsWindowUnicode(window.handle()) }.as_bool();
        // A window talks ANSI or Unicode, and goes on to.
        let address = if is_unicode {
            // SAFETY: a handle that is none gives zero.
            unsafe { get_long_w(window.handle(), GWLP_WNDPROC) }
        } else {
            // SAFETY: as above.
            unsafe { get_long_a(window.handle(), GWLP_WNDPROC) }
        };
        Self { address: address as isize, is_unicode }
    }

    /// The address that was there before; zero if it cannot be set.
    fn set(self, window: Window) -> isize {
        let before = if self.is_unicode {
            // SAFETY: the address is a procedure's that stays.
            unsafe { set_long_w(window.handle(), GWLP_WNDPROC, self.address as _) }
        } else {
            // SAFETY: as above.
            unsafe { set_long_a(window.handle(), GWLP_WNDPROC, self.address as _) }
        };
        before as isize
    }
}

fn watching_address() -> isize {
    (watching as *const ()).expose_provenance().cast_signed()
}

/// Puts our procedure in front of a window's own.
pub(crate) fn put_in_front(window: Window) -> bool {
    let own = Procedure::of(window);
    own.address != 0 && Procedure { address: watching_address(), ..own }.set(window) != 0
}

/// Whether our procedure is the first.
pub(crate) fn is_in_front(window: Window) -> bool {
    Procedure::of(window).address == watching_address()
}

/// Gives a window its own procedure back; false if another one stands before ours.
pub(crate) fn take_out(window: Window, own: Procedure) -> bool {
    window.thread_and_process().0 == 0 || is_in_front(window) && own.set(window) != 0
}

/// Looks at commands and notifications on their way to a window.
unsafe extern "system" fn watching(hwnd: HWND, message: u32, wparam: WPARAM, lparam: LPARAM) -> LRESULT {
    let window = Window(hwnd.0.addr() as u64);
    let (low, high) = ((wparam.0 & 0xFFFF) as u32, (wparam.0 >> 16 & 0xFFFF) as i32);
    if message == WM_COMMAND {
        let source = lparam.0.cast_unsigned() as u64;
        watch::note(Notice { window: window.0, source, id: low, code: high, is_notify: false });
    } else if message == WM_NOTIFY && lparam.0 != 0 {
        let header = std::ptr::with_exposed_provenance::<NMHDR>(lparam.0.cast_unsigned());
        // SAFETY: the contract of WM_NOTIFY: a header that stays until we return.
        let header = unsafe { &*header };
        let (source, code) = (header.hwndFrom.0.addr() as u64, header.code.cast_signed());
        watch::note(Notice { window: window.0, source, id: wparam.0 as u32, code, is_notify: true });
    }
    let own = watch::procedure_of(window);
    if message == WM_NCDESTROY {
        watch::forget(window);
    }
    let Some(Procedure { address, is_unicode }) = own else {
        // SAFETY: the arguments are those we were given.
        return unsafe { DefWindowProcW(hwnd, message, wparam, lparam) };
    };
    let pointer = std::ptr::with_exposed_provenance::<()>(address.cast_unsigned());
    // SAFETY: what the system gave as this window's procedure.
    let own = unsafe { std::mem::transmute::<*const (), WNDPROC>(pointer) };
    if is_unicode {
        // SAFETY: the arguments are those we were given.
        unsafe { CallWindowProcW(own, hwnd, message, wparam, lparam) }
    } else {
        // SAFETY: as above.
        unsafe { CallWindowProcA(own, hwnd, message, wparam, lparam) }
    }
}

/// Width and height of a window's client area.
pub(crate) fn client_size(window: Window) -> Option<(i32, i32)> {
    let mut rect = RECT::default();
    // SAFETY: the rectangle is ours.
    unsafe { GetClientRect(window.handle(), &raw mut rect) }.ok()?;
    Some((rect.right, rect.bottom))
}

pub(crate) fn post_job(agent: Window, pointer: isize) -> bool {
    post_own(agent, WM_JOB, 0, pointer)
}

/// Posts one of our messages to a window of ours.
fn post_own(agent: Window, message: u32, wparam: usize, lparam: isize) -> bool {
    match threads::carrier_of(agent.thread_and_process().0) {
        Some(carrier) => post(carrier, *CARRY, message as usize | wparam << 16, lparam),
        None => post(agent, message, wparam, lparam),
    }
}

/// Restores the keys of the calling thread, behind what is posted by now.
pub(crate) fn post_restore_keys() {
    post_to_agent(WM_RESTORE_KEYS, 0, 0);
}

/// Releases a key on the calling thread, when what is posted by now was taken and a character was made of it.
pub(crate) fn post_release_keys() {
    post_to_agent(WM_RELEASE_KEYS, 0, 0);
}

/// Turns a key of the calling thread down or up, behind what is posted by now.
pub(crate) fn post_turn_key(key: usize, down: bool) {
    post_to_agent(WM_TURN_KEY, key, isize::from(down));
}

fn post_to_agent(message: u32, wparam: usize, lparam: isize) {
    if let Some(agent) = threads::agent_window_of(thread_id()) {
        post_own(agent, message, wparam, lparam);
    }
}

/// What is left to do on the calling thread; timers do not count.
pub(crate) fn work_left() -> Left {
    // SAFETY: no preconditions.
    let status = unsafe { GetQueueStatus(QS_ALLINPUT) } >> 16 & !QS_TIMER.0;
    match status {
        0 => Left::Nothing,
        status if status == QS_PAINT.0 => Left::Paint,
        _ => Left::Work,
    }
}

/// Sends a message to a window of the calling thread.
pub(crate) fn send(window: Window, message: u32, wparam: usize, lparam: isize) -> isize {
    // SAFETY: the callers pass what the message's documentation asks for; a window that is gone gives 0.
    unsafe { SendMessageW(window.handle(), message, Some(WPARAM(wparam)), Some(LPARAM(lparam))) }.0
}

/// The same with a structure of ours.
pub(crate) fn send_with<T>(window: Window, message: u32, wparam: usize, structure: &mut T) -> isize {
    send(window, message, wparam, std::ptr::from_mut(structure).expose_provenance().cast_signed())
}

/// The same with a text.
pub(crate) fn send_text(window: Window, message: u32, wparam: usize, text: &str) -> isize {
    let text: Vec<u16> = text.encode_utf16().chain([0]).collect();
    send(window, message, wparam, text.as_ptr().expose_provenance().cast_signed())
}

pub(crate) fn post(window: Window, message: u32, wparam: usize, lparam: isize) -> bool {
    // SAFETY: only messages without pointers are posted, and jobs to windows of ours.
    unsafe { PostMessageW(Some(window.handle()), message, WPARAM(wparam), LPARAM(lparam)) }.is_ok()
}

/// Whether a menu of the calling thread is open: it takes all keys and closes when another
/// window becomes active.
fn is_in_menu() -> bool {
    let mut info = GUITHREADINFO { cbSize: size_of::<GUITHREADINFO>() as u32, ..Default::default() };
    // SAFETY: the structure is ours, and its size is set.
    let asked = unsafe { GetGUIThreadInfo(thread_id(), &raw mut info) };
    asked.is_ok() && info.flags.0 & (GUI_INMENUMODE | GUI_POPUPMENUMODE).0 != 0
}

/// Makes the window of a control the active one of its thread, as a click into it would.
pub(crate) fn activate(window: Window) {
    if is_in_menu() {
        return;
    }
    let root = window.root();
    // SAFETY: no preconditions.
    let active = unsafe { GetActiveWindow() };
    if active != root.handle() && root.is_shown() {
        // SAFETY: no preconditions.
        let _ = unsafe { SetActiveWindow(root.handle()) };
    }
}

/// The handle of the window of this thread that has the focus; 0 for none.
pub(crate) fn focused() -> usize {
    // SAFETY: no preconditions.
    unsafe { GetFocus() }.0.addr()
}

pub(crate) fn focus(window: Window) {
    if is_in_menu() {
        return;
    }
    activate(window);
    // SAFETY: no preconditions.
    let focused = unsafe { GetFocus() };
    if focused != window.handle() {
        // SAFETY: no preconditions.
        let _ = unsafe { SetFocus(Some(window.handle())) };
    }
}

pub(crate) fn keyboard() -> [u8; 256] {
    let mut keys = [0; 256];
    // SAFETY: the array is ours and as large as documented.
    let _ = unsafe { GetKeyboardState(&mut keys) };
    keys
}

pub(crate) fn set_keyboard(keys: &[u8; 256]) {
    // SAFETY: as above.
    let _ = unsafe { SetKeyboardState(keys) };
}

/// The key of a character and the modifiers that go with it, if the keyboard has one.
pub(crate) fn key_of(unit: u16) -> Option<(u32, u8)> {
    // SAFETY: no preconditions.
    let found = unsafe { VkKeyScanW(unit) };
    (found != -1).then_some((u32::from(found as u8), (found >> 8) as u8))
}

pub(crate) fn scan_code(key: u32) -> u32 {
    // SAFETY: no preconditions.
    unsafe { MapVirtualKeyW(key, MAPVK_VK_TO_VSC) }
}

/// Whether windows of its class are told of double clicks.
pub(crate) fn takes_double_clicks(window: Window) -> bool {
    const CS_DBLCLKS: u32 = 8;
    // SAFETY: a handle that is none gives zero.
    let style = unsafe { GetClassLongW(window.handle(), GCL_STYLE) };
    style & CS_DBLCLKS != 0
}

pub(crate) fn place(window: Window, [left, top, right, bottom]: [i32; 4]) {
    let flags = SWP_NOACTIVATE | SWP_NOZORDER | SWP_NOOWNERZORDER;
    let (width, height) = (right - left, bottom - top);
    // SAFETY: no preconditions.
    let _ = unsafe { SetWindowPos(window.handle(), None, left, top, width, height, flags) };
}

pub(crate) fn set_scroll_position(window: Window, bar: i32, position: i32) {
    let info = SCROLLINFO {
        cbSize: size_of::<SCROLLINFO>() as u32,
        fMask: SIF_POS,
        nPos: position,
        ..Default::default()
    };
    // SAFETY: the structure is complete.
    unsafe { SetScrollInfo(window.handle(), SCROLLBAR_CONSTANTS(bar), &raw const info, true) };
}

/// Least, most and position of a scroll bar: the control itself, or the window's own, the vertical one first.
pub(crate) fn scroll_info(window: Window, is_control: bool) -> Option<(i32, i32, i32)> {
    const WS_VSCROLL: u32 = 0x0020_0000;
    const WS_HSCROLL: u32 = 0x0010_0000;
    let bar = match window.style() {
        _ if is_control => SB_CTL,
        style if style & WS_VSCROLL != 0 => SB_VERT,
        style if style & WS_HSCROLL != 0 => SB_HORZ,
        _ => return None,
    };
    let mut info = SCROLLINFO {
        cbSize: size_of::<SCROLLINFO>() as u32,
        fMask: SIF_POS | SIF_RANGE,
        ..Default::default()
    };
    // SAFETY: the structure is ours and says its size.
    let told = unsafe { GetScrollInfo(window.handle(), bar, &raw mut info) };
    told.is_ok().then_some((info.nMin, info.nMax, info.nPos))
}

pub(crate) fn repaint(window: Window) {
    // SAFETY: no preconditions.
    let _ = unsafe { InvalidateRect(Some(window.handle()), None, true) };
}

/// A menu of this process.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Menu(HMENU);

// SAFETY: a handle that any thread may ask about.
unsafe impl Send for Menu {}

/// The menus that are open on the calling thread, from the first to the innermost, each with the window
/// that takes the keys.
pub(crate) fn open_menu() -> Vec<(Window, Menu)> {
    const MN_GETHMENU: u32 = 0x01E1;
    let mut info = GUITHREADINFO { cbSize: size_of::<GUITHREADINFO>() as u32, ..Default::default() };
    // SAFETY: the structure is ours, and its size is set.
    if unsafe { GetGUIThreadInfo(thread_id(), &raw mut info) }.is_err() {
        return Vec::new();
    }
    let owner = Window(info.hwndMenuOwner.0.addr() as u64);
    let shown = top_level_windows(process_id()).into_iter().filter(|window| {
        window.is_shown()
            && window.thread_and_process().0 == thread_id()
            && window.class().to_string_lossy() == "#32768"
    });
    let menu = |window: Window| {
        HMENU(std::ptr::without_provenance_mut(send(window, MN_GETHMENU, 0, 0).cast_unsigned()))
    };
    // Topmost first, and the innermost is on top.
    let mut open: Vec<(Window, Menu)> = shown.map(|window| (owner, Menu(menu(window)))).collect();
    open.retain(|(_, menu)| !menu.0.is_invalid());
    open.reverse();
    open
}

/// The menu bar that the keyboard of the calling thread is in, with its window.
pub(crate) fn entered_bar() -> Option<(Window, Menu)> {
    let mut info = GUITHREADINFO { cbSize: size_of::<GUITHREADINFO>() as u32, ..Default::default() };
    // SAFETY: the structure is ours, and its size is set.
    unsafe { GetGUIThreadInfo(thread_id(), &raw mut info) }.ok()?;
    let owner = Window(info.hwndMenuOwner.0.addr() as u64);
    let bar = Menu::of(owner)?;
    (0..bar.len()).any(|position| bar.is_highlighted(position)).then_some((owner, bar))
}

/// The right to use the pointer of this machine, given back when dropped.
pub(crate) struct Lease(windows::Win32::Foundation::HANDLE);

impl Lease {
    /// None if another replay does not give it back in time.
    pub(crate) fn take(patience: Duration) -> Option<Self> {
        // SAFETY: the name is a text that ends in a zero.
        let handle = unsafe { CreateMutexW(None, false, w!("Local\\DashcamPointer")) }.ok()?;
        let lease = Self(handle);
        // SAFETY: the handle is open.
        let waited = unsafe { WaitForSingleObject(handle, patience.as_millis() as u32) };
        // Abandoned by a replay that was ended counts as given back.
        matches!(waited.0, 0 | 0x80).then_some(lease)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // SAFETY: taken by this thread; otherwise it refuses.
        let _ = unsafe { ReleaseMutex(self.0) };
        // SAFETY: opened by us.
        let _ = unsafe { CloseHandle(self.0) };
    }
}

/// What the left button does where the pointer goes to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Button {
    Rest,
    Down,
    Up,
}

/// As an input, in parts of the whole desktop: SetCursorPos would be told to nobody, and late under
/// Wine. The place and the button are one input: between two, an older place could come back from the
/// display's own events.
pub(crate) fn pointer_to(POINT { x, y }: POINT, button: Button) {
    const PARTS: i64 = 65536;
    // SAFETY: no preconditions.
    let metric = |which| i64::from(unsafe { GetSystemMetrics(which) });
    let part =
        |at: i32, from: i64, size: i64| (((i64::from(at) - from) * PARTS + PARTS / 2) / size.max(1)) as i32;
    let dx = part(x, metric(SM_XVIRTUALSCREEN), metric(SM_CXVIRTUALSCREEN));
    let dy = part(y, metric(SM_YVIRTUALSCREEN), metric(SM_CYVIRTUALSCREEN));
    let button = match button {
        Button::Rest => MOUSE_EVENT_FLAGS(0),
        Button::Down => MOUSEEVENTF_LEFTDOWN,
        Button::Up => MOUSEEVENTF_LEFTUP,
    };
    let flags = MOUSEEVENTF_MOVE | MOUSEEVENTF_ABSOLUTE | MOUSEEVENTF_VIRTUALDESK | button;
    let mi = MOUSEINPUT { dx, dy, dwFlags: flags, dwExtraInfo: OWN_INPUT, ..Default::default() };
    let input = INPUT { r#type: INPUT_MOUSE, Anonymous: INPUT_0 { mi } };
    // SAFETY: the input is complete, its size goes along.
    unsafe { SendInput(&[input], size_of::<INPUT>() as i32) };
}

/// Goes along with our inputs, and tells them from those of the display.
const OWN_INPUT: usize = 0xDA5C;

/// Whether the message that the calling thread has just taken is an input of ours.
pub(crate) fn is_own_input() -> bool {
    // SAFETY: no preconditions.
    unsafe { GetMessageExtraInfo() }.0.cast_unsigned() == OWN_INPUT
}

/// Whether this is Wine, where a few things differ from the documentation.
pub(crate) fn is_wine() -> bool {
    static IS_WINE: LazyLock<bool> =
        LazyLock::new(|| function(w!("ntdll.dll"), s!("wine_get_version")).is_some());
    *IS_WINE
}

/// Where the pointer is.
pub(crate) fn pointer_at() -> POINT {
    let mut point = POINT::default();
    // SAFETY: the point is ours.
    let _ = unsafe { GetCursorPos(&raw mut point) };
    point
}

/// How long the second click of a double click may take.
pub(crate) fn double_click_time() -> Duration {
    // SAFETY: no preconditions.
    Duration::from_millis(u64::from(unsafe { GetDoubleClickTime() }))
}

/// Farther to the side than this a second click is no part of a double click.
pub(crate) fn double_click_width() -> i32 {
    // SAFETY: no preconditions.
    unsafe { GetSystemMetrics(SM_CXDOUBLECLK) }
}

/// The window that lies at a point of the screen.
pub(crate) fn window_at(point: POINT) -> Window {
    // SAFETY: no preconditions.
    let window = unsafe { WindowFromPoint(point) };
    Window(window.0.addr() as u64)
}

/// Brings the top-level window of a window to the front, as far as the system lets us.
pub(crate) fn to_front(window: Window) {
    activate(window);
    // SAFETY: no preconditions.
    let _ = unsafe { SetForegroundWindow(window.root().handle()) };
    // SAFETY: no preconditions.
    let _ = unsafe { BringWindowToTop(window.root().handle()) };
}

/// A point of the client area on the screen.
pub(crate) fn on_screen(window: Window, mut point: POINT) -> POINT {
    // SAFETY: the point is ours.
    let _ = unsafe { ClientToScreen(window.handle(), &raw mut point) };
    point
}

/// The text a control keeps.
pub(crate) fn text_of(window: Window) -> String {
    const WM_GETTEXT: u32 = 0x000D;
    const WM_GETTEXTLENGTH: u32 = 0x000E;
    let len = usize::try_from(send(window, WM_GETTEXTLENGTH, 0, 0)).unwrap_or(0);
    let mut units = vec![0u16; len + 1];
    let at = units.as_mut_ptr().expose_provenance().cast_signed();
    let len = usize::try_from(send(window, WM_GETTEXT, units.len(), at)).unwrap_or(0);
    String::from_utf16_lossy(&units[..len.min(units.len())])
}

/// A list of files as WM_DROPFILES takes it; the receiver frees it.
pub(crate) fn file_list(files: &[String], (x, y): (i32, i32)) -> Option<usize> {
    // DROPFILES: where the names begin, the point, whether that is outside the client area, whether the
    // names are UTF-16.
    const HEAD: u32 = 20;
    let mut bytes: Vec<u8> =
        [HEAD, x.cast_unsigned(), y.cast_unsigned(), 0, 1].iter().flat_map(|n| n.to_le_bytes()).collect();
    for file in files {
        bytes.extend(file.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
    }
    bytes.extend([0, 0]);
    // SAFETY: no preconditions.
    let memory = unsafe { GlobalAlloc(GHND, bytes.len()) }.ok()?;
    // SAFETY: the memory was allocated above.
    let at = unsafe { GlobalLock(memory) }.cast::<u8>();
    if at.is_null() {
        return None;
    }
    // SAFETY: as many bytes were allocated, and they are ours.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), at, bytes.len()) };
    // SAFETY: locked above.
    let _ = unsafe { GlobalUnlock(memory) };
    Some(memory.0.addr())
}

impl Menu {
    /// The menu bar of a window.
    pub(crate) fn of(window: Window) -> Option<Self> {
        // A child has no menu, and its id there.
        if window.parent().is_some() {
            return None;
        }
        // SAFETY: a handle that is none gives null.
        let menu = unsafe { GetMenu(window.handle()) };
        (!menu.is_invalid()).then_some(Self(menu))
    }

    pub(crate) fn handle(self) -> usize {
        self.0.0.addr()
    }

    pub(crate) fn len(self) -> i32 {
        // SAFETY: a handle that is none gives -1.
        unsafe { GetMenuItemCount(Some(self.0)) }
    }

    pub(crate) fn command(self, position: i32) -> u32 {
        // SAFETY: a position that is none gives all ones.
        unsafe { GetMenuItemID(self.0, position) }
    }

    pub(crate) fn sub_menu(self, position: i32) -> Option<Self> {
        // SAFETY: a position that is none gives null.
        let menu = unsafe { GetSubMenu(self.0, position) };
        (!menu.is_invalid()).then_some(Self(menu))
    }

    pub(crate) fn is_highlighted(self, position: i32) -> bool {
        // SAFETY: a position that is none gives all ones.
        let state = unsafe { GetMenuState(self.0, position.cast_unsigned(), MF_BYPOSITION) };
        state != u32::MAX && state & MF_HILITE.0 != 0
    }

    /// The text of an item; empty for a line.
    pub(crate) fn label(self, position: i32) -> String {
        let mut units = [0u16; 512];
        // SAFETY: the array is ours, its length goes along.
        let len =
            unsafe { GetMenuStringW(self.0, position.cast_unsigned(), Some(&mut units), MF_BYPOSITION) };
        String::from_utf16_lossy(&units[..usize::try_from(len).unwrap_or(0).min(units.len())])
    }

    pub(crate) fn is_checked(self, position: i32) -> bool {
        // SAFETY: a menu that is none gives -1.
        let state = unsafe { GetMenuState(self.0, position.cast_unsigned(), MF_BYPOSITION) };
        state != u32::MAX && state & MF_CHECKED.0 != 0
    }

    /// What stands there, up to the key behind the tab.
    pub(crate) fn text(self, position: i32) -> String {
        self.label(position).split('\t').next().unwrap_or_default().to_owned()
    }

    pub(crate) fn is_disabled(self, position: i32) -> bool {
        // SAFETY: a position that is none gives all ones.
        let state = unsafe { GetMenuState(self.0, position.cast_unsigned(), MF_BYPOSITION) };
        state != u32::MAX && state & (MF_DISABLED | MF_GRAYED).0 != 0
    }
}

/// The low and the high half of a word, as messages carry them.
pub(crate) fn pair(low: i32, high: i32) -> isize {
    let word = u32::from(low as u16) | u32::from(high as u16) << 16;
    word.cast_signed() as isize
}

/// The middle of a rectangle.
pub(crate) fn middle(rect: RECT) -> POINT {
    POINT { x: i32::midpoint(rect.left, rect.right), y: i32::midpoint(rect.top, rect.bottom) }
}
