//! The Win32 calls, as small safe functions. A window may disappear between two calls; its
//! values are empty then.
#![expect(unsafe_code, reason = "the probe's only file that calls Win32")]

use std::ffi::c_void;

use harness::protocol::{Button, Rect, Window};
use win32_vocabulary::keys::{VK_DELETE, VK_DOWN, VK_INSERT, VK_PRIOR};
use win32_vocabulary::mouse::WHEEL_DELTA;
use windows::Win32::Foundation::{CloseHandle, HANDLE, HWND, LPARAM, RECT, WPARAM};
use windows::Win32::System::JobObjects::{AssignProcessToJobObject, CreateJobObjectW, TerminateJobObject};
use windows::Win32::UI::Input::KeyboardAndMouse::{
    GetAsyncKeyState, INPUT, INPUT_0, INPUT_KEYBOARD, INPUT_MOUSE, IsWindowEnabled, KEYBD_EVENT_FLAGS,
    KEYBDINPUT, KEYEVENTF_EXTENDEDKEY, KEYEVENTF_KEYUP, KEYEVENTF_UNICODE, MAPVK_VK_TO_VSC,
    MOUSE_EVENT_FLAGS, MOUSEEVENTF_ABSOLUTE, MOUSEEVENTF_HWHEEL, MOUSEEVENTF_LEFTDOWN, MOUSEEVENTF_LEFTUP,
    MOUSEEVENTF_MIDDLEDOWN, MOUSEEVENTF_MIDDLEUP, MOUSEEVENTF_MOVE, MOUSEEVENTF_RIGHTDOWN,
    MOUSEEVENTF_RIGHTUP, MOUSEEVENTF_WHEEL, MOUSEEVENTF_XDOWN, MOUSEEVENTF_XUP, MOUSEINPUT, MapVirtualKeyW,
    SendInput, VIRTUAL_KEY, VkKeyScanW,
};
use windows::Win32::UI::WindowsAndMessaging::{
    EnumChildWindows, EnumWindows, GA_PARENT, GW_OWNER, GWL_STYLE, GetAncestor, GetClassNameW,
    GetDesktopWindow, GetDlgCtrlID, GetForegroundWindow, GetSystemMetrics, GetWindow, GetWindowLongW,
    GetWindowRect, GetWindowThreadProcessId, InternalGetWindowText, IsWindow, IsWindowVisible,
    SEND_MESSAGE_TIMEOUT_FLAGS, SM_CXSCREEN, SM_CYSCREEN, SMTO_ABORTIFHUNG, SendMessageTimeoutW, WM_GETTEXT,
    WM_GETTEXTLENGTH, WS_CHILD,
};
use windows::core::BOOL;

/// All top-level windows, topmost first.
pub(crate) fn top_level_windows() -> Vec<Window> {
    let mut found: Vec<HWND> = Vec::new();
    let list = LPARAM(&raw mut found as isize);
    // SAFETY: `collect` gets `list` back while the call runs, and `found` outlives the call.
    // The call fails only when `collect` stops it, which it never does.
    let _ = unsafe { EnumWindows(Some(collect), list) };
    found.into_iter().map(describe).collect()
}

/// All descendants of a window.
pub(crate) fn descendants(hwnd: u64) -> Vec<Window> {
    let mut found: Vec<HWND> = Vec::new();
    let list = LPARAM(&raw mut found as isize);
    // SAFETY: `collect` gets `list` back while the call runs, and `found` outlives the call. Its
    // result means nothing.
    let _ = unsafe { EnumChildWindows(Some(handle(hwnd)), Some(collect), list) };
    found.into_iter().map(describe).collect()
}

/// Adds a window to the list that `list` points to, and asks for the next one.
extern "system" fn collect(hwnd: HWND, list: LPARAM) -> BOOL {
    let list = list.0 as *mut Vec<HWND>;
    // SAFETY: both callers pass a list that lives until their enumeration returns, and nobody else
    // uses it meanwhile.
    let list = unsafe { &mut *list };
    list.push(hwnd);
    true.into()
}

fn describe(hwnd: HWND) -> Window {
    let child = is_child(hwnd);
    Window {
        hwnd: number(hwnd),
        class: class(hwnd),
        title: title(hwnd),
        pid: process(hwnd),
        rect: rect(hwnd),
        visible: is_visible(hwnd),
        enabled: is_enabled(hwnd),
        owner: if child { 0 } else { owner(hwnd) },
        parent: if child { parent(hwnd) } else { 0 },
        // Of a top-level window this would be its menu.
        id: if child { control_id(hwnd) } else { 0 },
    }
}

/// The text that the window returns for WM_GETTEXT. Gives up if the window does not answer for 5 s.
pub(crate) fn text(hwnd: u64) -> Result<String, String> {
    let hwnd = handle(hwnd);
    if !exists(hwnd) {
        return Err(format!("there is no window {:#x}", number(hwnd)));
    }
    let length = ask(hwnd, WM_GETTEXTLENGTH, WPARAM(0), LPARAM(0))?;
    let mut buffer = vec![0u16; length + 1];
    let copied = ask(hwnd, WM_GETTEXT, WPARAM(buffer.len()), LPARAM(buffer.as_mut_ptr() as isize))?;
    Ok(String::from_utf16_lossy(&buffer[..copied.min(length)]))
}

/// The foreground window, 0 for none.
pub(crate) fn foreground() -> u64 {
    // SAFETY: the call has no arguments.
    number(unsafe { GetForegroundWindow() })
}

/// One press or release of a key.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stroke {
    MoveTo {
        x: i32,
        y: i32,
    },
    Button {
        button: Button,
        down: bool,
    },
    Wheel {
        notches: i32,
    },
    WheelSideways {
        notches: i32,
    },
    Key {
        key: u16,
        down: bool,
    },
    /// A character that no key gives.
    Character {
        unit: u16,
        down: bool,
    },
}

/// Sends real input, all or nothing.
pub(crate) fn send(strokes: &[Stroke]) -> Result<(), String> {
    let inputs: Vec<INPUT> = strokes.iter().map(|&stroke| input(stroke)).collect();
    if inputs.is_empty() {
        return Ok(());
    }
    // SAFETY: the slice gives pointer and count, the size is that of its elements.
    let sent = unsafe { SendInput(&inputs, size_of::<INPUT>() as i32) };
    if sent as usize == inputs.len() {
        Ok(())
    } else {
        Err(format!("only {sent} of {} inputs sent", inputs.len()))
    }
}

/// The key that gives a character, and whether shift is needed. None if the keyboard needs more
/// than shift for it.
pub(crate) fn key_of_character(unit: u16) -> Option<(u16, bool)> {
    // SAFETY: the call gets only numbers and no pointer.
    let found = unsafe { VkKeyScanW(unit) };
    let [key, modifiers] = found.to_le_bytes();
    match modifiers {
        0 => Some((u16::from(key), false)),
        1 => Some((u16::from(key), true)),
        _ => None,
    }
}

/// Whether the system considers this key pressed.
pub(crate) fn is_down(key: u16) -> bool {
    // SAFETY: the call gets only numbers and no pointer.
    let state = unsafe { GetAsyncKeyState(i32::from(key)) };
    state < 0
}

fn input(stroke: Stroke) -> INPUT {
    match stroke {
        Stroke::MoveTo { x, y } => {
            // Absolute coordinates run from 0 to 65535 over the primary screen.
            let scale = |pixel: i32, metric| (pixel * 65536 + 32768) / screen(metric).max(1);
            let flags = MOUSEEVENTF_MOVE | MOUSEEVENTF_ABSOLUTE;
            mouse(MOUSEINPUT {
                dx: scale(x, SM_CXSCREEN),
                dy: scale(y, SM_CYSCREEN),
                dwFlags: flags,
                ..MOUSEINPUT::default()
            })
        }
        Stroke::Button { button, down } => {
            let further = match button {
                Button::Back => 1,
                Button::Forward => 2,
                _ => 0,
            };
            let flags = button_flags(button, down);
            mouse(MOUSEINPUT { mouseData: further, dwFlags: flags, ..MOUSEINPUT::default() })
        }
        Stroke::Wheel { notches } => wheel(notches, MOUSEEVENTF_WHEEL),
        Stroke::WheelSideways { notches } => wheel(notches, MOUSEEVENTF_HWHEEL),
        Stroke::Key { key, down } => {
            // SAFETY: the call gets only numbers and no pointer.
            let scan = unsafe { MapVirtualKeyW(u32::from(key), MAPVK_VK_TO_VSC) };
            let extended = if matches!(u32::from(key), VK_PRIOR..=VK_DOWN | VK_INSERT | VK_DELETE) {
                KEYEVENTF_EXTENDEDKEY
            } else {
                KEYBD_EVENT_FLAGS(0)
            };
            keyboard(KEYBDINPUT {
                wVk: VIRTUAL_KEY(key),
                wScan: scan as u16,
                dwFlags: extended | direction(down),
                ..KEYBDINPUT::default()
            })
        }
        Stroke::Character { unit, down } => keyboard(KEYBDINPUT {
            wScan: unit,
            dwFlags: KEYEVENTF_UNICODE | direction(down),
            ..KEYBDINPUT::default()
        }),
    }
}

fn mouse(mi: MOUSEINPUT) -> INPUT {
    INPUT { r#type: INPUT_MOUSE, Anonymous: INPUT_0 { mi } }
}

fn keyboard(ki: KEYBDINPUT) -> INPUT {
    INPUT { r#type: INPUT_KEYBOARD, Anonymous: INPUT_0 { ki } }
}

fn direction(down: bool) -> KEYBD_EVENT_FLAGS {
    if down { KEYBD_EVENT_FLAGS(0) } else { KEYEVENTF_KEYUP }
}

fn wheel(notches: i32, flags: MOUSE_EVENT_FLAGS) -> INPUT {
    let data = (notches * WHEEL_DELTA.cast_signed()).cast_unsigned();
    mouse(MOUSEINPUT { mouseData: data, dwFlags: flags, ..MOUSEINPUT::default() })
}

fn button_flags(button: Button, down: bool) -> MOUSE_EVENT_FLAGS {
    match (button, down) {
        (Button::Left, true) => MOUSEEVENTF_LEFTDOWN,
        (Button::Left, false) => MOUSEEVENTF_LEFTUP,
        (Button::Middle, true) => MOUSEEVENTF_MIDDLEDOWN,
        (Button::Middle, false) => MOUSEEVENTF_MIDDLEUP,
        (Button::Right, true) => MOUSEEVENTF_RIGHTDOWN,
        (Button::Right, false) => MOUSEEVENTF_RIGHTUP,
        (Button::Back | Button::Forward, true) => MOUSEEVENTF_XDOWN,
        (Button::Back | Button::Forward, false) => MOUSEEVENTF_XUP,
    }
}

fn screen(metric: windows::Win32::UI::WindowsAndMessaging::SYSTEM_METRICS_INDEX) -> i32 {
    // SAFETY: the call gets only numbers and no pointer.
    unsafe { GetSystemMetrics(metric) }
}

fn handle(number: u64) -> HWND {
    HWND(number as usize as *mut c_void)
}

fn number(hwnd: HWND) -> u64 {
    hwnd.0 as usize as u64
}

fn exists(hwnd: HWND) -> bool {
    // SAFETY: any value is allowed as a handle; an invalid one returns 0.
    unsafe { IsWindow(Some(hwnd)) }.as_bool()
}

fn class(hwnd: HWND) -> String {
    let mut buffer = [0; 256];
    // SAFETY: the slice gives pointer and size; an invalid handle is an error, not a fault.
    let length = unsafe { GetClassNameW(hwnd, &mut buffer) };
    String::from_utf16_lossy(&buffer[..length.max(0) as usize])
}

/// The text that the system keeps. Unlike GetWindowText it never waits for another program.
fn title(hwnd: HWND) -> String {
    let mut buffer = [0; 512];
    // SAFETY: the slice gives pointer and size; an invalid handle is an error, not a fault.
    let length = unsafe { InternalGetWindowText(hwnd, &mut buffer) };
    String::from_utf16_lossy(&buffer[..length.max(0) as usize])
}

fn process(hwnd: HWND) -> u32 {
    let mut pid = 0;
    // SAFETY: `pid` outlives the call; an invalid handle is an error, not a fault.
    unsafe { GetWindowThreadProcessId(hwnd, Some(&raw mut pid)) };
    pid
}

fn rect(hwnd: HWND) -> Rect {
    let mut rect = RECT::default();
    // SAFETY: `rect` outlives the call; an invalid handle is an error, not a fault, and leaves it empty.
    let _ = unsafe { GetWindowRect(hwnd, &raw mut rect) };
    Rect { left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom }
}

fn is_visible(hwnd: HWND) -> bool {
    // SAFETY: any value is allowed as a handle; an invalid one returns 0.
    unsafe { IsWindowVisible(hwnd) }.as_bool()
}

fn is_enabled(hwnd: HWND) -> bool {
    // SAFETY: any value is allowed as a handle; an invalid one returns 0.
    unsafe { IsWindowEnabled(hwnd) }.as_bool()
}

fn is_child(hwnd: HWND) -> bool {
    // SAFETY: any value is allowed as a handle; an invalid one returns 0.
    let style = unsafe { GetWindowLongW(hwnd, GWL_STYLE) };
    style.cast_unsigned() & WS_CHILD.0 != 0
}

fn owner(hwnd: HWND) -> u64 {
    // SAFETY: any value is allowed as a handle; an invalid one gives an error, which means no owner.
    unsafe { GetWindow(hwnd, GW_OWNER) }.map_or(0, number)
}

fn parent(hwnd: HWND) -> u64 {
    // SAFETY: any value is allowed as a handle; an invalid one returns 0.
    let parent = unsafe { GetAncestor(hwnd, GA_PARENT) };
    // SAFETY: the call has no arguments.
    let desktop = unsafe { GetDesktopWindow() };
    if parent == desktop { 0 } else { number(parent) }
}

fn control_id(hwnd: HWND) -> i32 {
    // SAFETY: any value is allowed as a handle; an invalid one returns 0.
    unsafe { GetDlgCtrlID(hwnd) }
}

/// Sends one of the text messages, whose buffers the system carries between processes.
fn ask(hwnd: HWND, message: u32, wparam: WPARAM, lparam: LPARAM) -> Result<usize, String> {
    const PATIENCE: u32 = 5000;
    let flags: SEND_MESSAGE_TIMEOUT_FLAGS = SMTO_ABORTIFHUNG;
    let mut answer = 0;
    // SAFETY: `answer` outlives the call. `text` gives WM_GETTEXT a buffer with its true size that outlives
    // the call; after a time-out the system drops the late answer.
    let done =
        unsafe { SendMessageTimeoutW(hwnd, message, wparam, lparam, flags, PATIENCE, Some(&raw mut answer)) };
    if done.0 == 0 {
        return Err(format!(
            "window {:#x} did not answer: {}",
            number(hwnd),
            windows::core::Error::from_thread()
        ));
    }
    Ok(answer)
}

/// A program and everything it starts.
#[derive(Debug)]
pub(crate) struct Job(HANDLE);

impl Job {
    /// None if the system refuses; the program itself can still be ended.
    pub(crate) fn of(child: &std::process::Child) -> Option<Self> {
        // SAFETY: no preconditions.
        let job = Self(unsafe { CreateJobObjectW(None, None) }.ok()?);
        let process = HANDLE(std::os::windows::io::AsRawHandle::as_raw_handle(child));
        // SAFETY: both handles are open.
        unsafe { AssignProcessToJobObject(job.0, process) }.ok()?;
        Some(job)
    }

    pub(crate) fn end(&self) {
        // SAFETY: the handle is open as long as `self`.
        let _ = unsafe { TerminateJobObject(self.0, 1) };
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        // SAFETY: created by `of` and closed once.
        let _ = unsafe { CloseHandle(self.0) };
    }
}
