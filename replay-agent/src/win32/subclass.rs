//! A procedure of the agent's in front of a window's own, which sees the window's commands and notifications.
#![expect(unsafe_code, reason = "foreign calls")]

use replay_link::{Notice, Window};
use windows::Win32::Foundation::{HWND, LPARAM, LRESULT, WPARAM};
use windows::Win32::UI::Controls::NMHDR;
use windows::Win32::UI::WindowsAndMessaging::{
    CallWindowProcA, CallWindowProcW, DefWindowProcW, GWLP_WNDPROC, IsWindowUnicode, WM_COMMAND,
    WM_NCDESTROY, WM_NOTIFY, WNDPROC,
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

/// What the procedure in front does, on the window's thread.
pub(crate) trait Watcher {
    fn on_notice(notice: Notice);
    fn on_destroyed(window: Window);
    /// The window's own procedure.
    fn own_procedure(window: Window) -> Option<Procedure>;
}

/// A window's procedure, as Windows calls it.
#[derive(Clone, Copy)]
pub(crate) struct Procedure {
    address: isize,
    is_unicode: bool,
}

impl Procedure {
    pub(crate) fn of(window: Window) -> Self {
        // SAFETY: an invalid HWND returns false.
        let is_unicode = unsafe { IsWindowUnicode(window.handle()) }.as_bool();
        // A window talks ANSI or Unicode for its whole life.
        let address = if is_unicode {
            // SAFETY: an invalid HWND returns 0.
            unsafe { get_long_w(window.handle(), GWLP_WNDPROC) }
        } else {
            // SAFETY: an invalid HWND returns 0.
            unsafe { get_long_a(window.handle(), GWLP_WNDPROC) }
        };
        Self { address: address as isize, is_unicode }
    }

    /// Sets the procedure and returns the address that was there before; 0 on failure.
    fn set(self, window: Window) -> isize {
        let before = if self.is_unicode {
            // SAFETY: the address is of the window's own procedure or of `watch`, which the pinned
            // module keeps loaded.
            unsafe { set_long_w(window.handle(), GWLP_WNDPROC, self.address as _) }
        } else {
            // SAFETY: as above.
            unsafe { set_long_a(window.handle(), GWLP_WNDPROC, self.address as _) }
        };
        before as isize
    }
}

fn watch_address<W: Watcher>() -> isize {
    (watch::<W> as *const ()).expose_provenance().cast_signed()
}

/// Puts the watching procedure in front of a window's own.
pub(crate) fn put_in_front<W: Watcher>(window: Window) -> bool {
    let own = Procedure::of(window);
    own.address != 0 && Procedure { address: watch_address::<W>(), ..own }.set(window) != 0
}

/// Whether the watching procedure is the first.
pub(crate) fn is_in_front<W: Watcher>(window: Window) -> bool {
    Procedure::of(window).address == watch_address::<W>()
}

/// Gives a window its own procedure back; false if another one stands before the watching one.
pub(crate) fn take_out<W: Watcher>(window: Window, own: Procedure) -> bool {
    window.thread_and_process().0 == 0 || is_in_front::<W>(window) && own.set(window) != 0
}

unsafe extern "system" fn watch<W: Watcher>(
    hwnd: HWND,
    message: u32,
    wparam: WPARAM,
    lparam: LPARAM,
) -> LRESULT {
    let window = Window(hwnd.0.addr() as u64);
    let (low, high) = ((wparam.0 & 0xFFFF) as u32, (wparam.0 >> 16 & 0xFFFF) as i32);
    if message == WM_COMMAND {
        let source = lparam.0.cast_unsigned() as u64;
        W::on_notice(Notice { window: window.0, source, id: low, code: high, is_notify: false });
    } else if message == WM_NOTIFY && lparam.0 != 0 {
        let header = std::ptr::with_exposed_provenance::<NMHDR>(lparam.0.cast_unsigned());
        // SAFETY: WM_NOTIFY passes a pointer to an NMHDR that its sender keeps valid until the
        // procedure returns.
        let header = unsafe { &*header };
        let (source, code) = (header.hwndFrom.0.addr() as u64, header.code.cast_signed());
        W::on_notice(Notice { window: window.0, source, id: wparam.0 as u32, code, is_notify: true });
    }
    let own = W::own_procedure(window);
    if message == WM_NCDESTROY {
        W::on_destroyed(window);
    }
    let Some(Procedure { address, is_unicode }) = own else {
        // SAFETY: these are the arguments that Windows passed.
        return unsafe { DefWindowProcW(hwnd, message, wparam, lparam) };
    };
    let pointer = std::ptr::with_exposed_provenance::<()>(address.cast_unsigned());
    // SAFETY: Windows returned the address as this window's procedure.
    let own = unsafe { std::mem::transmute::<*const (), WNDPROC>(pointer) };
    if is_unicode {
        // SAFETY: these are the arguments that Windows passed.
        unsafe { CallWindowProcW(own, hwnd, message, wparam, lparam) }
    } else {
        // SAFETY: as above.
        unsafe { CallWindowProcA(own, hwnd, message, wparam, lparam) }
    }
}
