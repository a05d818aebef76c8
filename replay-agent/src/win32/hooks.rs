//! Hooks: on the messages that a thread takes, and on the creation of windows.
#![expect(unsafe_code, reason = "foreign calls")]

use crate::win32::process::process_id;
use replay_link::Window;
use windows::Win32::Foundation::{HINSTANCE, HWND, LPARAM, LRESULT, WPARAM};
use windows::Win32::System::LibraryLoader::{
    GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_PIN, GetModuleHandleExW,
};
use windows::Win32::UI::Accessibility::{HWINEVENTHOOK, SetWinEventHook, UnhookWinEvent};
use windows::Win32::UI::WindowsAndMessaging::{
    CallNextHookEx, EVENT_OBJECT_CREATE, HHOOK, MSG, PM_REMOVE, SetWindowsHookExW, UnhookWindowsHookEx,
    WH_GETMESSAGE, WINEVENT_INCONTEXT,
};
use windows::core::PCWSTR;

/// What a message hook does.
pub(crate) trait OnMessage {
    /// A thread looks at a message of its queue, and takes it if `is_removed`. Changes to the
    /// message reach its loop.
    fn on_message(message: &mut MSG, is_removed: bool);
}

/// A hook on the messages that one thread takes, removed when dropped.
pub(crate) struct MessageHook(Option<HHOOK>);

// SAFETY: a hook handle is a number; only the agent's own thread sets and removes hooks.
unsafe impl Send for MessageHook {}

impl MessageHook {
    pub(crate) fn set<H: OnMessage>(thread: u32) -> Self {
        // SAFETY: the procedure has the type of a WH_GETMESSAGE hook, and `pin` keeps this module loaded.
        Self(unsafe { SetWindowsHookExW(WH_GETMESSAGE, Some(get_message::<H>), None, thread) }.ok())
    }
}

impl Drop for MessageHook {
    fn drop(&mut self) {
        if let Some(hook) = self.0 {
            // SAFETY: `set` returned the hook, and it is removed once.
            let _ = unsafe { UnhookWindowsHookEx(hook) };
        }
    }
}

unsafe extern "system" fn get_message<H: OnMessage>(code: i32, wparam: WPARAM, lparam: LPARAM) -> LRESULT {
    if code >= 0 {
        // SAFETY: WH_GETMESSAGE passes a pointer to a MSG that is valid until the hook returns.
        let message = unsafe { &mut *std::ptr::with_exposed_provenance_mut::<MSG>(lparam.0.cast_unsigned()) };
        H::on_message(message, wparam.0 & PM_REMOVE.0 as usize != 0);
    }
    // SAFETY: these are the arguments that Windows passed.
    unsafe { CallNextHookEx(None, code, wparam, lparam) }
}

/// What a creation hook does, on the thread that creates the window.
pub(crate) trait OnCreation {
    fn on_creation(window: Window);
}

/// A hook on the creation of windows of this process, removed when dropped.
pub(crate) struct CreationHook(HWINEVENTHOOK);

impl CreationHook {
    pub(crate) fn set<H: OnCreation>() -> Option<Self> {
        let (event, process) = (EVENT_OBJECT_CREATE, process_id());
        // SAFETY: the procedure lies in the module given, which `pin` keeps loaded.
        let hook = unsafe {
            SetWinEventHook(event, event, Some(pin()?), Some(created::<H>), process, 0, WINEVENT_INCONTEXT)
        };
        (!hook.is_invalid()).then_some(Self(hook))
    }
}

impl Drop for CreationHook {
    fn drop(&mut self) {
        // SAFETY: `set` returned the hook on this thread, and it is removed once.
        let _ = unsafe { UnhookWinEvent(self.0) };
    }
}

unsafe extern "system" fn created<H: OnCreation>(
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
        H::on_creation(Window(window.0.expose_provenance() as u64));
    }
}

/// Keeps this module loaded to the end of the process, since Windows may call its procedures at any time.
pub(crate) fn pin() -> Option<windows::Win32::Foundation::HMODULE> {
    let mut module = Default::default();
    let flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN;
    let address = PCWSTR((pin as fn() -> _) as *const u16);
    // SAFETY: with this flag the function takes an address inside a module, and `module` is a local.
    unsafe { GetModuleHandleExW(flags, address, &raw mut module) }.ok()?;
    Some(module)
}

/// This module, pinned.
pub(crate) fn instance() -> HINSTANCE {
    HINSTANCE(pin().map_or(std::ptr::null_mut(), |module| module.0))
}
