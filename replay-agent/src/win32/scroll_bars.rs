//! Scroll bars: controls, and the bars that are part of a window.
#![expect(unsafe_code, reason = "foreign calls")]

use replay_link::Window;
use win32_vocabulary::styles::{WS_HSCROLL, WS_VSCROLL};
use windows::Win32::UI::Controls::SetScrollInfo;
use windows::Win32::UI::WindowsAndMessaging::{
    GetScrollInfo, SB_CTL, SB_HORZ, SB_VERT, SCROLLBAR_CONSTANTS, SCROLLINFO, SIF_POS, SIF_RANGE,
};

pub(crate) fn set_position(window: Window, bar: i32, position: i32) {
    let info = SCROLLINFO {
        cbSize: size_of::<SCROLLINFO>() as u32,
        fMask: SIF_POS,
        nPos: position,
        ..Default::default()
    };
    // SAFETY: the structure says its size. An invalid HWND is refused.
    unsafe { SetScrollInfo(window.handle(), SCROLLBAR_CONSTANTS(bar), &raw const info, true) };
}

/// Least, most and position of a scroll bar: the control itself, or the window's own bar, the
/// vertical one first.
pub(crate) fn info(window: Window, is_control: bool) -> Option<(i32, i32, i32)> {
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
    // SAFETY: the structure is a local that says its size. An invalid HWND is refused.
    let result = unsafe { GetScrollInfo(window.handle(), bar, &raw mut info) };
    result.is_ok().then_some((info.nMin, info.nMax, info.nPos))
}
