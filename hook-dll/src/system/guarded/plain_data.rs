//! Types of which any bytes are a value.

use windows::Win32::Foundation::{POINT, RECT};
use windows::Win32::System::Diagnostics::Debug::{
    CONTEXT, EXCEPTION_POINTERS, EXCEPTION_RECORD, IMAGE_RUNTIME_FUNCTION_ENTRY,
};
use windows::Win32::UI::Controls::{
    COMBOBOXINFO, HDITEMW, LVITEMW, NMDATETIMECHANGE, NMHDR, NMHEADERW, NMIPADDRESS, NMITEMACTIVATE, NMLINK,
    NMLISTVIEW, NMLVDISPINFOW, NMLVODSTATECHANGE, NMMOUSE, NMSELCHANGE, NMTOOLBARW, NMTREEVIEWW,
    NMTVDISPINFOW, NMUPDOWN, TBBUTTON, TCITEMW, TVHITTESTINFO, TVITEMW,
};
use windows::Win32::UI::WindowsAndMessaging::{CREATESTRUCTW, SCROLLINFO, STYLESTRUCT, WINDOWPOS};

/// A type that may be made of whatever bytes a host, a control or a crashed program left in memory.
///
/// # Safety
/// Every combination of initialised bytes is a value of the type. That holds for numbers, for raw
/// pointers, and for structures and arrays of such types; not for `bool`, references, function pointers
/// and enums of Rust.
pub(crate) unsafe trait PlainData: Copy {}

macro_rules! plain_data {
    ($reason:literal: $($type:ty),+ $(,)?) => {
        $(
            #[doc = $reason]
            // SAFETY: made of numbers, raw pointers, and structures and arrays of them alone, as the
            // line above says.
            unsafe impl PlainData for $type {}
        )+
    };
}

plain_data!("A number.": u8, u16, i32, u32, u64, usize);

// SAFETY: each element may be made of any bytes.
unsafe impl<T: PlainData, const N: usize> PlainData for [T; N] {}

plain_data!("A structure of the Windows SDK that is made of numbers and raw pointers.":
    COMBOBOXINFO, CONTEXT, CREATESTRUCTW, EXCEPTION_POINTERS, EXCEPTION_RECORD, HDITEMW,
    IMAGE_RUNTIME_FUNCTION_ENTRY, LVITEMW, NMDATETIMECHANGE, NMHDR, NMHEADERW, NMIPADDRESS, NMITEMACTIVATE,
    NMLINK, NMLISTVIEW, NMLVDISPINFOW, NMLVODSTATECHANGE, NMMOUSE, NMSELCHANGE, NMTOOLBARW, NMTREEVIEWW,
    NMTVDISPINFOW, NMUPDOWN, POINT, RECT, SCROLLINFO, STYLESTRUCT, TBBUTTON, TCITEMW, TVHITTESTINFO, TVITEMW,
    WINDOWPOS,
);
