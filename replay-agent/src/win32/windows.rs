//! Windows as a whole: focus, activation, place, resolution.
#![expect(unsafe_code, reason = "foreign calls")]

use crate::win32::menus::is_in_menu;
use crate::win32::process::{Function, function, process_id};
use message_log::Point;
use replay_link::Window;
use win32_vocabulary::styles::CS_DBLCLKS;
use win32_vocabulary::windows::{
    DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2, DPI_AWARENESS_PER_MONITOR_AWARE,
};
use windows::Win32::Foundation::{HWND, POINT, RECT};
use windows::Win32::Graphics::Gdi::{ClientToScreen, InvalidateRect};
use windows::Win32::UI::Input::KeyboardAndMouse::{GetActiveWindow, GetFocus, SetActiveWindow, SetFocus};
use windows::Win32::UI::WindowsAndMessaging::{
    BringWindowToTop, GCL_STYLE, GetClassLongW, GetClientRect, GetForegroundWindow, SWP_NOACTIVATE,
    SWP_NOOWNERZORDER, SWP_NOZORDER, SetForegroundWindow, SetWindowPos,
};
use windows::core::{s, w};

/// Makes the top-level window of a control the active one of its thread, as a click into it would.
pub(crate) fn activate(window: Window) {
    if is_in_menu() {
        return;
    }
    let root = window.root();
    // SAFETY: GetActiveWindow has no preconditions.
    let active = unsafe { GetActiveWindow() };
    if active != root.handle() && root.is_shown() {
        // SAFETY: an invalid HWND is refused.
        let _ = unsafe { SetActiveWindow(root.handle()) };
    }
}

pub(crate) fn focus(window: Window) {
    if is_in_menu() {
        return;
    }
    activate(window);
    if focused() != Some(window) {
        // SAFETY: an invalid HWND is refused.
        let _ = unsafe { SetFocus(Some(window.handle())) };
    }
}

/// The window of the calling thread that has the focus.
pub(crate) fn focused() -> Option<Window> {
    // SAFETY: GetFocus has no preconditions.
    let focused = unsafe { GetFocus() };
    (!focused.is_invalid()).then(|| Window(focused.0.addr() as u64))
}

/// Takes the focus from every window of the calling thread.
pub(crate) fn blur() {
    // SAFETY: SetFocus takes null for no window.
    let _ = unsafe { SetFocus(None) };
}

/// Whether a window of this process is the foreground window.
pub(crate) fn is_foreground() -> bool {
    // SAFETY: GetForegroundWindow has no preconditions.
    let front = unsafe { GetForegroundWindow() };
    Window(front.0.expose_provenance() as u64).thread_and_process().1 == process_id()
}

/// Brings another program's window to the foreground, which only the foreground process may do.
pub(crate) fn bring_to_front(window: Window) {
    // SAFETY: an invalid HWND is refused.
    let _ = unsafe { SetForegroundWindow(window.handle()) };
}

/// Brings the top-level window of a control to the front, as far as Windows allows it.
pub(crate) fn bring_root_to_front(window: Window) {
    activate(window);
    bring_to_front(window.root());
    // SAFETY: an invalid HWND is refused.
    let _ = unsafe { BringWindowToTop(window.root().handle()) };
}

/// Whether windows of its class get double clicks.
pub(crate) fn takes_double_clicks(window: Window) -> bool {
    // SAFETY: an invalid HWND returns 0.
    let style = unsafe { GetClassLongW(window.handle(), GCL_STYLE) };
    style & CS_DBLCLKS != 0
}

/// Width and height of a window's client area.
pub(crate) fn client_size(window: Window) -> Option<(i32, i32)> {
    let mut rect = RECT::default();
    // SAFETY: the rectangle is a local. An invalid HWND is refused.
    unsafe { GetClientRect(window.handle(), &raw mut rect) }.ok()?;
    Some((rect.right, rect.bottom))
}

/// A point of the client area on the screen.
pub(crate) fn to_screen(window: Window, point: Point) -> Point {
    let mut point = POINT { x: point.x, y: point.y };
    // SAFETY: the point is a local. An invalid HWND is refused.
    let _ = unsafe { ClientToScreen(window.handle(), &raw mut point) };
    Point { x: point.x, y: point.y }
}

pub(crate) fn place(window: Window, [left, top, right, bottom]: [i32; 4]) {
    let flags = SWP_NOACTIVATE | SWP_NOZORDER | SWP_NOOWNERZORDER;
    let (width, height) = (right - left, bottom - top);
    // SAFETY: an invalid HWND is refused.
    let _ = unsafe { SetWindowPos(window.handle(), None, left, top, width, height, flags) };
}

pub(crate) fn repaint(window: Window) {
    // SAFETY: an invalid HWND is refused.
    let _ = unsafe { InvalidateRect(Some(window.handle()), None, true) };
}

/// The resolution per inch of a window that adapts itself to its screen, and whether its children get
/// messages when it changes (awareness version 2).
pub(crate) fn dpi(window: Window) -> Option<(u32, bool)> {
    type OfWindow = unsafe extern "system" fn(HWND) -> isize;
    type Awareness = unsafe extern "system" fn(isize) -> i32;
    type Equal = unsafe extern "system" fn(isize, isize) -> i32;
    let user = |name| function(w!("user32.dll"), name);
    let (dpi, context) = (user(s!("GetDpiForWindow"))?, user(s!("GetWindowDpiAwarenessContext"))?);
    let awareness = user(s!("GetAwarenessFromDpiAwarenessContext"))?;
    let equal = user(s!("AreDpiAwarenessContextsEqual"))?;
    // SAFETY: GetDpiForWindow takes a window and returns a UINT, which fits.
    let dpi = unsafe { std::mem::transmute::<Function, OfWindow>(dpi) };
    // SAFETY: GetWindowDpiAwarenessContext takes a window and returns a handle.
    let context = unsafe { std::mem::transmute::<Function, OfWindow>(context) };
    // SAFETY: GetAwarenessFromDpiAwarenessContext takes a handle and returns an enumeration.
    let awareness = unsafe { std::mem::transmute::<Function, Awareness>(awareness) };
    // SAFETY: AreDpiAwarenessContextsEqual takes two handles and returns a BOOL.
    let equal = unsafe { std::mem::transmute::<Function, Equal>(equal) };
    // SAFETY: an invalid HWND returns no context.
    let context = unsafe { context(window.handle()) };
    // SAFETY: an invalid context returns an invalid awareness.
    if unsafe { awareness(context) } != DPI_AWARENESS_PER_MONITOR_AWARE {
        return None;
    }
    // SAFETY: an invalid HWND returns 0.
    let value = unsafe { dpi(window.handle()) } as u32;
    let version_2 = DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2;
    // SAFETY: the function compares two values that need not be valid.
    Some((value, unsafe { equal(context, version_2) } != 0))
}
