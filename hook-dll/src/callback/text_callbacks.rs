//! Which trees and headers ask the host for the texts of their items (LPSTR_TEXTCALLBACK): reading such a
//! text would run its code.
//!
//! These controls cannot say so themselves, so each is watched from its creation on, and the text of one that
//! was not is left out.

use crate::shared::controls::Kind;
use crate::shared::window_set::WindowSet;
use crate::system::guarded;
use crate::system::win32::Window;
use windows::Win32::UI::Controls::{HDITEMW, TVINSERTSTRUCTW, TVITEMW};

/// What stands for a text that the host is asked for.
pub(crate) const TEXT_CALLBACK: usize = usize::MAX;

/// Trees and headers born under our eyes that have no text to be asked for.
static TEXT_SAFE: WindowSet = WindowSet::new();

/// A control is born.
pub(crate) fn on_created(hwnd: usize, kind: Kind) {
    if matches!(kind, Kind::TreeView | Kind::Header) {
        TEXT_SAFE.insert(hwnd);
    }
}

/// Whether reading the texts of a tree or header cannot call the host.
pub(crate) fn is_text_safe(window: Window) -> bool {
    TEXT_SAFE.contains(window.0)
}

/// A window is gone.
pub(crate) fn forget(hwnd: usize) {
    TEXT_SAFE.remove(hwnd);
}

/// An item is put into a tree or header: whether its text will be asked for.
pub(crate) fn on_item_text(hwnd: usize, message: u32, lparam: usize) {
    const TVM_SETITEM: [u32; 2] = [0x110D, 0x113F];
    const TVM_INSERTITEM: [u32; 2] = [0x1100, 0x1132];
    const TEXT: u32 = 1;
    const HDI_TEXT: u32 = 2;
    if !TEXT_SAFE.contains(hwnd) {
        return;
    }
    let at = std::ptr::with_exposed_provenance::<u8>(lparam);
    let (asks, text) = if TVM_INSERTITEM.contains(&message) {
        // Both members of the union begin alike.
        let item = guarded::read(
            at.wrapping_add(std::mem::offset_of!(TVINSERTSTRUCTW, Anonymous)).cast::<TVITEMW>(),
        );
        item.map_or((false, 0), |item| (item.mask.0 & TEXT != 0, item.pszText.0.addr()))
    } else if TVM_SETITEM.contains(&message) {
        let item = guarded::read(at.cast::<TVITEMW>());
        item.map_or((false, 0), |item| (item.mask.0 & TEXT != 0, item.pszText.0.addr()))
    } else {
        let item = guarded::read(at.cast::<HDITEMW>());
        item.map_or((false, 0), |item| (item.mask.0 & HDI_TEXT != 0, item.pszText.0.addr()))
    };
    if asks && text == TEXT_CALLBACK {
        TEXT_SAFE.remove(hwnd);
    }
}
