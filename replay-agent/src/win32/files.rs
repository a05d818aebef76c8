//! The list of files that WM_DROPFILES carries.
#![expect(unsafe_code, reason = "foreign calls")]

use windows::Win32::System::Memory::{GHND, GlobalAlloc, GlobalLock, GlobalUnlock};

/// A list of files in the application's memory, as the WPARAM of WM_DROPFILES; the receiver frees it.
pub(crate) fn list(files: &[String], (x, y): (i32, i32)) -> Option<usize> {
    // DROPFILES: offset of the names, the point, whether that is outside the client area, whether the
    // names are UTF-16.
    const HEADER: u32 = 20;
    let header = [HEADER, x.cast_unsigned(), y.cast_unsigned(), 0, 1];
    let mut bytes: Vec<u8> = header.iter().flat_map(|number| number.to_le_bytes()).collect();
    for file in files {
        bytes.extend(file.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
    }
    bytes.extend([0, 0]);
    // SAFETY: GlobalAlloc has no preconditions.
    let memory = unsafe { GlobalAlloc(GHND, bytes.len()) }.ok()?;
    // SAFETY: GlobalAlloc has just returned the handle.
    let at = unsafe { GlobalLock(memory) }.cast::<u8>();
    if at.is_null() {
        return None;
    }
    // SAFETY: the locked memory has as many bytes, and nobody else knows it yet.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), at, bytes.len()) };
    // SAFETY: the memory was locked above.
    let _ = unsafe { GlobalUnlock(memory) };
    Some(memory.0.addr())
}
