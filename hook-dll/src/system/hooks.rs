//! Message hooks and the hook on the creation of windows.
#![expect(unsafe_code, reason = "calls Windows")]

use crate::system::process::{current_process_id, is_wine, pin_module};
use crate::system::threads::current_thread_id;
use windows::Win32::Foundation::{LPARAM, LRESULT, WPARAM};
use windows::Win32::System::LibraryLoader::{GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GetModuleHandleExW};
use windows::Win32::UI::Accessibility::{HWINEVENTHOOK, SetWinEventHook, UnhookWinEvent, WINEVENTPROC};
use windows::Win32::UI::WindowsAndMessaging::{
    CallNextHookEx, EVENT_OBJECT_CREATE, HHOOK, HOOKPROC, SetWindowsHookExW, UnhookWindowsHookEx,
    WH_CALLWNDPROC, WH_GETMESSAGE, WINEVENT_INCONTEXT,
};
use windows::core::PCWSTR;

/// Makes the calling thread see hooks that another thread has set on it. Wine's threads cache which
/// hooks exist until they take the next message or set or remove a hook themselves; so this sets
/// `own` and removes it.
pub(crate) fn refresh_hook_cache(own: HOOKPROC) {
    if is_wine() {
        drop(MessageHook::on_sent(own, current_thread_id()));
    }
}

/// A message hook, removed when dropped. On Windows only the thread that set it may remove it.
pub(crate) struct MessageHook(HHOOK);

impl MessageHook {
    pub(crate) fn on_posted(procedure: HOOKPROC, thread: u32) -> Option<Self> {
        // SAFETY: the procedure lies in this module, which `pin_module` keeps loaded.
        unsafe { SetWindowsHookExW(WH_GETMESSAGE, procedure, None, thread) }.ok().map(Self)
    }

    pub(crate) fn on_sent(procedure: HOOKPROC, thread: u32) -> Option<Self> {
        // SAFETY: the procedure lies in this module, which `pin_module` keeps loaded.
        unsafe { SetWindowsHookExW(WH_CALLWNDPROC, procedure, None, thread) }.ok().map(Self)
    }
}

impl Drop for MessageHook {
    fn drop(&mut self) {
        // SAFETY: a constructor set the hook, and it is removed nowhere else.
        let _ = unsafe { UnhookWindowsHookEx(self.0) };
    }
}

#[inline]
pub(crate) fn call_next(code: i32, wparam: WPARAM, lparam: LPARAM) -> LRESULT {
    // SAFETY: the caller passes on the parameters that Windows gave to the hook procedure.
    unsafe { CallNextHookEx(None, code, wparam, lparam) }
}

/// A hook on the creation of windows in this process, called on the creating thread. Removed when dropped.
pub(crate) struct CreationHook(HWINEVENTHOOK);

impl CreationHook {
    pub(crate) fn new(procedure: WINEVENTPROC) -> Option<Self> {
        let mut module = Default::default();
        let inside = PCWSTR((pin_module as fn() -> bool as *const ()).cast());
        // SAFETY: GetModuleHandleExW takes the address of a function of this module.
        unsafe { GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, inside, &raw mut module) }
            .ok()?;
        let (event, process) = (EVENT_OBJECT_CREATE, current_process_id());
        // SAFETY: the procedure lies in the module passed, which `pin_module` keeps loaded.
        let hook =
            unsafe { SetWinEventHook(event, event, Some(module), procedure, process, 0, WINEVENT_INCONTEXT) };
        (!hook.is_invalid()).then_some(Self(hook))
    }
}

impl Drop for CreationHook {
    fn drop(&mut self) {
        // SAFETY: `new` set the hook on this thread, and it is removed nowhere else.
        let _ = unsafe { UnhookWinEvent(self.0) };
    }
}
