//! Pictures of windows, taken inside the application on the window's own thread: nothing needs to be on the
//! screen or in front.
#![expect(unsafe_code, reason = "the fenced calls of drawing")]

use replay_link::{Picture, Window};
use windows::Win32::Foundation::{HWND, RECT};
use windows::Win32::Graphics::Gdi::{
    BI_RGB, BITMAPINFO, BITMAPINFOHEADER, BitBlt, CreateCompatibleDC, CreateDIBSection, DIB_RGB_COLORS,
    DeleteDC, DeleteObject, GdiFlush, GetWindowDC, HBITMAP, HDC, HGDIOBJ, ReleaseDC, SRCCOPY, SelectObject,
};
use windows::Win32::Storage::Xps::{PRINT_WINDOW_FLAGS, PrintWindow};
use windows::Win32::UI::WindowsAndMessaging::GetWindowRect;

/// Bytes of a picture; a larger one is made smaller by whole numbers.
const MAX_BYTES: usize = 12 << 20;
/// A window larger than any screen is not drawn.
const MAX_SIDE: i32 = 16_384;

/// What a window of the calling thread looks like.
pub(crate) fn take(window: Window) -> Option<Picture> {
    let handle = window.handle();
    let mut rect = RECT::default();
    // SAFETY: the rectangle is ours; a handle that is none gives an error.
    unsafe { GetWindowRect(handle, &raw mut rect) }.ok()?;
    let (width, height) = (rect.right.checked_sub(rect.left)?, rect.bottom.checked_sub(rect.top)?);
    if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
        return None;
    }
    let (drawn, copied) = (Canvas::new(width, height)?, Canvas::new(width, height)?);
    drawn.print(handle);
    copied.copy(handle);
    // Not every window draws all of itself when asked to (under Wine none draws its children), and what a
    // graphics card draws is in no copy.
    Some(if copied.details() > drawn.details() { copied.picture() } else { drawn.picture() })
}

/// A bitmap in memory to draw into, freed when dropped.
struct Canvas {
    dc: HDC,
    bitmap: HBITMAP,
    before: HGDIOBJ,
    dots: *const u32,
    width: i32,
    height: i32,
}

impl Canvas {
    fn new(width: i32, height: i32) -> Option<Self> {
        let head = BITMAPINFOHEADER {
            biSize: size_of::<BITMAPINFOHEADER>() as u32,
            biWidth: width,
            // From the top.
            biHeight: -height,
            biPlanes: 1,
            biBitCount: 32,
            biCompression: BI_RGB.0,
            ..Default::default()
        };
        let info = BITMAPINFO { bmiHeader: head, ..Default::default() };
        let mut dots = std::ptr::null_mut();
        // SAFETY: no preconditions.
        let dc = unsafe { CreateCompatibleDC(None) };
        // SAFETY: the description is complete, and the place for the address is ours.
        let bitmap =
            unsafe { CreateDIBSection(Some(dc), &raw const info, DIB_RGB_COLORS, &raw mut dots, None, 0) };
        match bitmap {
            Ok(bitmap) if !dots.is_null() => {
                // SAFETY: both were made above.
                let before = unsafe { SelectObject(dc, bitmap.into()) };
                Some(Self { dc, bitmap, before, dots: dots.cast(), width, height })
            }
            _ => {
                // SAFETY: made above.
                let _ = unsafe { DeleteDC(dc) };
                None
            }
        }
    }

    /// Lets the window draw itself.
    fn print(&self, window: HWND) {
        /// PW_RENDERFULLCONTENT: with what the composition has.
        const FULL: PRINT_WINDOW_FLAGS = PRINT_WINDOW_FLAGS(2);
        // SAFETY: the device context is ours; a handle that is none gives false.
        let _ = unsafe { PrintWindow(window, self.dc, FULL) };
    }

    /// Copies what was drawn last.
    fn copy(&self, window: HWND) {
        // SAFETY: a handle that is none gives a null context, from which nothing is copied.
        let from = unsafe { GetWindowDC(Some(window)) };
        // SAFETY: both contexts are valid or null.
        let _ = unsafe { BitBlt(self.dc, 0, 0, self.width, self.height, Some(from), 0, 0, SRCCOPY) };
        // SAFETY: taken above.
        unsafe { ReleaseDC(Some(window), from) };
    }

    fn dots(&self) -> &[u32] {
        // SAFETY: no preconditions; what was drawn is in the memory afterwards.
        let _ = unsafe { GdiFlush() };
        let count = self.width.unsigned_abs() as usize * self.height.unsigned_abs() as usize;
        // SAFETY: the section has 32 bits for each dot and lives as long as the canvas; nobody draws
        // while it is read.
        unsafe { std::slice::from_raw_parts(self.dots, count) }
    }

    /// How much there is to be seen: dots that differ from their neighbour.
    fn details(&self) -> usize {
        self.dots().windows(2).filter(|pair| (pair[0] ^ pair[1]) & 0x00FF_FFFF != 0).count()
    }

    /// As it is, or so much smaller that it fits.
    fn picture(&self) -> Picture {
        let (width, height) = (self.width.unsigned_abs() as usize, self.height.unsigned_abs() as usize);
        let part =
            (1..).find(|part| width.div_ceil(*part) * height.div_ceil(*part) * 3 <= MAX_BYTES).unwrap_or(1);
        let rows = self.dots().chunks_exact(width).step_by(part);
        let dots = rows.flat_map(|row| row.iter().step_by(part));
        let rgb: Vec<u8> = dots.flat_map(|dot| [(dot >> 16) as u8, (dot >> 8) as u8, *dot as u8]).collect();
        Picture { width: width.div_ceil(part) as u32, height: height.div_ceil(part) as u32, rgb }
    }
}

impl Drop for Canvas {
    fn drop(&mut self) {
        // SAFETY: the context is ours, and the object was in it before.
        unsafe { SelectObject(self.dc, self.before) };
        // SAFETY: made by us, and in no context any more.
        let _ = unsafe { DeleteObject(self.bitmap.into()) };
        // SAFETY: made by us.
        let _ = unsafe { DeleteDC(self.dc) };
    }
}
