//! The real pointer of the machine.
#![expect(unsafe_code, reason = "foreign calls")]

use crate::win32::messages::extra_info;
use message_log::Point;
use replay_link::Window;
use std::time::Duration;
use windows::Win32::Foundation::{CloseHandle, HANDLE, POINT, WAIT_ABANDONED, WAIT_OBJECT_0};
use windows::Win32::System::Threading::{CreateMutexW, ReleaseMutex, WaitForSingleObject};
use windows::Win32::UI::Input::KeyboardAndMouse::{
    GetDoubleClickTime, INPUT, INPUT_0, INPUT_MOUSE, MOUSE_EVENT_FLAGS, MOUSEEVENTF_ABSOLUTE,
    MOUSEEVENTF_LEFTDOWN, MOUSEEVENTF_LEFTUP, MOUSEEVENTF_MOVE, MOUSEEVENTF_VIRTUALDESK, MOUSEINPUT,
    SendInput,
};
use windows::Win32::UI::WindowsAndMessaging::{
    GetCursorPos, GetSystemMetrics, SM_CXDOUBLECLK, SM_CXVIRTUALSCREEN, SM_CYVIRTUALSCREEN,
    SM_XVIRTUALSCREEN, SM_YVIRTUALSCREEN, WindowFromPoint,
};
use windows::core::w;

/// Goes along with the agent's inputs and tells them from those of the display.
const OWN_INPUT: usize = 0xDA5C;

/// The right to use the pointer of this machine, given back when dropped.
pub(crate) struct Lease(HANDLE);

impl Lease {
    /// None if another replay does not give it back in time.
    pub(crate) fn take(patience: Duration) -> Option<Self> {
        // SAFETY: the name is a literal that ends in a zero.
        let handle = unsafe { CreateMutexW(None, false, w!("Local\\DashcamPointer")) }.ok()?;
        let lease = Self(handle);
        // SAFETY: the handle is open, and `lease` keeps it so.
        let waited = unsafe { WaitForSingleObject(handle, patience.as_millis() as u32) };
        // A replay that was ended abandons its lease, which counts as given back.
        matches!(waited, WAIT_OBJECT_0 | WAIT_ABANDONED).then_some(lease)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // SAFETY: ReleaseMutex refuses a mutex that this thread does not own.
        let _ = unsafe { ReleaseMutex(self.0) };
        // SAFETY: `take` opened the handle, and it is closed once.
        let _ = unsafe { CloseHandle(self.0) };
    }
}

/// What the left button does where the pointer goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeftButton {
    Unchanged,
    Press,
    Release,
}

fn metric(which: windows::Win32::UI::WindowsAndMessaging::SYSTEM_METRICS_INDEX) -> i32 {
    // SAFETY: GetSystemMetrics has no preconditions.
    unsafe { GetSystemMetrics(which) }
}

/// Moves the pointer by an input: nobody would hear of SetCursorPos, and under Wine late. Place and button
/// are one input, since between two the display's own events could bring an older place back.
pub(crate) fn move_to(Point { x, y }: Point, button: LeftButton) {
    const PARTS: i64 = 65536;
    let part = |at: i32, from: i32, size: i32| {
        (((i64::from(at) - i64::from(from)) * PARTS + PARTS / 2) / i64::from(size).max(1)) as i32
    };
    let dx = part(x, metric(SM_XVIRTUALSCREEN), metric(SM_CXVIRTUALSCREEN));
    let dy = part(y, metric(SM_YVIRTUALSCREEN), metric(SM_CYVIRTUALSCREEN));
    let button = match button {
        LeftButton::Unchanged => MOUSE_EVENT_FLAGS(0),
        LeftButton::Press => MOUSEEVENTF_LEFTDOWN,
        LeftButton::Release => MOUSEEVENTF_LEFTUP,
    };
    let flags = MOUSEEVENTF_MOVE | MOUSEEVENTF_ABSOLUTE | MOUSEEVENTF_VIRTUALDESK | button;
    let mi = MOUSEINPUT { dx, dy, dwFlags: flags, dwExtraInfo: OWN_INPUT, ..Default::default() };
    let input = INPUT { r#type: INPUT_MOUSE, Anonymous: INPUT_0 { mi } };
    // SAFETY: the input is complete, and its size goes along.
    unsafe { SendInput(&[input], size_of::<INPUT>() as i32) };
}

/// Whether the message that the calling thread has just taken comes from an input of the agent's.
pub(crate) fn is_own_input() -> bool {
    extra_info() == OWN_INPUT
}

/// Where the pointer is.
pub(crate) fn position() -> Point {
    let mut point = POINT::default();
    // SAFETY: the point is a local.
    let _ = unsafe { GetCursorPos(&raw mut point) };
    Point { x: point.x, y: point.y }
}

/// How long the second click of a double click may take.
pub(crate) fn double_click_time() -> Duration {
    // SAFETY: GetDoubleClickTime has no preconditions.
    Duration::from_millis(u64::from(unsafe { GetDoubleClickTime() }))
}

/// Farther to the side than this a second click is no part of a double click.
pub(crate) fn double_click_width() -> i32 {
    metric(SM_CXDOUBLECLK)
}

/// The window at a point of the screen.
pub(crate) fn window_at(point: Point) -> Window {
    // SAFETY: WindowFromPoint has no preconditions.
    let window = unsafe { WindowFromPoint(POINT { x: point.x, y: point.y }) };
    Window(window.0.addr() as u64)
}
