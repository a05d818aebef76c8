//! Which trees and headers ask the host for the texts of their items (LPSTR_TEXTCALLBACK): reading such a
//! text would run code of the host.
//!
//! These controls do not report this themselves, so the recorder follows each from its creation on, and never
//! reads texts of one that existed before.

use crate::shared::window_set::WindowSet;
use crate::system::guarded;
use crate::system::window::Window;
use win32_vocabulary::Control;
use win32_vocabulary::items::{HDI_TEXT, LPSTR_TEXTCALLBACK, TVIF_TEXT};
use win32_vocabulary::messages::{TVM_INSERTITEMA, TVM_INSERTITEMW, TVM_SETITEMA, TVM_SETITEMW};
use windows::Win32::UI::Controls::{HDITEMW, TVINSERTSTRUCTW, TVITEMW};

/// Trees and headers whose items all have texts of their own, as far as the recorder saw their creation.
static TEXT_SAFE: WindowSet = WindowSet::new();

/// Called when a control is created.
pub(crate) fn on_created(hwnd: usize, control: Control) {
    if matches!(control, Control::TreeView | Control::Header) {
        TEXT_SAFE.insert(hwnd);
    }
}

/// Whether reading the texts of a tree or header cannot call the host.
pub(crate) fn is_text_safe(window: Window) -> bool {
    TEXT_SAFE.contains(window.0)
}

/// Forgets a window that is destroyed.
pub(crate) fn forget(hwnd: usize) {
    TEXT_SAFE.remove(hwnd);
}

/// Called when the text of an item of a tree or header is set.
pub(crate) fn on_item_text(hwnd: usize, message: u32, lparam: usize) {
    if !TEXT_SAFE.contains(hwnd) {
        return;
    }
    let at = std::ptr::with_exposed_provenance::<u8>(lparam);
    let tree_item = |item: TVITEMW| (item.mask.0 & TVIF_TEXT != 0, item.pszText.0.addr());
    let header_item = |item: HDITEMW| (item.mask.0 & HDI_TEXT != 0, item.pszText.0.addr());
    let text = match message {
        // Both members of the union begin alike.
        TVM_INSERTITEMA | TVM_INSERTITEMW => {
            let item = at.wrapping_add(std::mem::offset_of!(TVINSERTSTRUCTW, Anonymous));
            guarded::read(item.cast()).map(tree_item)
        }
        TVM_SETITEMA | TVM_SETITEMW => guarded::read(at.cast()).map(tree_item),
        _ => guarded::read(at.cast()).map(header_item),
    };
    if text == Some((true, LPSTR_TEXTCALLBACK)) {
        TEXT_SAFE.remove(hwnd);
    }
}
