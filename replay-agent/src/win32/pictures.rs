//! Pictures of windows, taken inside the application on the window's own thread, so that the window need be
//! neither on the screen nor in front.
#![expect(unsafe_code, reason = "foreign calls")]

use replay_link::{Picture, Window};
use windows::Win32::Foundation::{HWND, RECT};
use windows::Win32::Graphics::Gdi::{
    BI_RGB, BITMAPINFO, BITMAPINFOHEADER, BitBlt, CreateCompatibleDC, CreateDIBSection, DIB_RGB_COLORS,
    DeleteDC, DeleteObject, GdiFlush, GetWindowDC, HBITMAP, HDC, HGDIOBJ, ReleaseDC, SRCCOPY, SelectObject,
};
use windows::Win32::Storage::Xps::{PRINT_WINDOW_FLAGS, PrintWindow};
use windows::Win32::UI::WindowsAndMessaging::{GetWindowRect, PW_RENDERFULLCONTENT};

/// The most bytes of a picture; a larger one is scaled down by a whole number.
const MAX_BYTES: usize = 12 << 20;
/// A window larger than any screen is not drawn.
const MAX_SIDE: i32 = 16_384;

/// A picture of a window of the calling thread.
pub(crate) fn take(window: Window) -> Option<Picture> {
    let handle = window.handle();
    let mut rect = RECT::default();
    // SAFETY: the rectangle is a local. An invalid HWND is refused.
    unsafe { GetWindowRect(handle, &raw mut rect) }.ok()?;
    let (width, height) = (rect.right.checked_sub(rect.left)?, rect.bottom.checked_sub(rect.top)?);
    if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
        return None;
    }
    let (drawn, copied) = (Canvas::new(width, height)?, Canvas::new(width, height)?);
    drawn.print(handle);
    copied.copy(handle);
    // Not every window draws all of itself on request (under Wine none draws its children), and a copy lacks
    // what a graphics card draws.
    Some(if copied.details() > drawn.details() { copied.picture() } else { drawn.picture() })
}

/// A bitmap in memory to draw into, freed when dropped.
struct Canvas {
    dc: HDC,
    bitmap: HBITMAP,
    before: HGDIOBJ,
    pixels: *const u32,
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
        let mut pixels = std::ptr::null_mut();
        // SAFETY: CreateCompatibleDC takes null for the screen.
        let dc = unsafe { CreateCompatibleDC(None) };
        // SAFETY: the description is complete, and the pointer for the address is a local.
        let bitmap =
            unsafe { CreateDIBSection(Some(dc), &raw const info, DIB_RGB_COLORS, &raw mut pixels, None, 0) };
        match bitmap {
            Ok(bitmap) if !pixels.is_null() => {
                // SAFETY: both were created above.
                let before = unsafe { SelectObject(dc, bitmap.into()) };
                Some(Self { dc, bitmap, before, pixels: pixels.cast(), width, height })
            }
            _ => {
                // SAFETY: CreateCompatibleDC returned the context above.
                let _ = unsafe { DeleteDC(dc) };
                None
            }
        }
    }

    /// Lets the window draw itself.
    fn print(&self, window: HWND) {
        // With what the desktop composition has.
        let flags = PRINT_WINDOW_FLAGS(PW_RENDERFULLCONTENT);
        // SAFETY: the canvas keeps the context alive. An invalid HWND returns false.
        let _ = unsafe { PrintWindow(window, self.dc, flags) };
    }

    /// Copies what the window has drawn last.
    fn copy(&self, window: HWND) {
        // SAFETY: an invalid HWND returns a null context.
        let from = unsafe { GetWindowDC(Some(window)) };
        // SAFETY: BitBlt refuses a null context.
        let _ = unsafe { BitBlt(self.dc, 0, 0, self.width, self.height, Some(from), 0, 0, SRCCOPY) };
        // SAFETY: GetWindowDC returned the context above.
        unsafe { ReleaseDC(Some(window), from) };
    }

    fn pixels(&self) -> &[u32] {
        // SAFETY: GdiFlush has no preconditions. Afterwards the memory has what was drawn.
        let _ = unsafe { GdiFlush() };
        let count = self.width.unsigned_abs() as usize * self.height.unsigned_abs() as usize;
        // SAFETY: the section has 32 bits per pixel and lives as long as the canvas, and nobody draws into it
        // while the slice is borrowed.
        unsafe { std::slice::from_raw_parts(self.pixels, count) }
    }

    /// How much there is to see: pixels that differ from their neighbour.
    fn details(&self) -> usize {
        self.pixels().windows(2).filter(|pair| (pair[0] ^ pair[1]) & 0x00FF_FFFF != 0).count()
    }

    /// The picture, scaled down if it is too large.
    fn picture(&self) -> Picture {
        let (width, height) = (self.width.unsigned_abs() as usize, self.height.unsigned_abs() as usize);
        let part =
            (1..).find(|part| width.div_ceil(*part) * height.div_ceil(*part) * 3 <= MAX_BYTES).unwrap_or(1);
        let rows = self.pixels().chunks_exact(width).step_by(part);
        let pixels = rows.flat_map(|row| row.iter().step_by(part));
        let rgb: Vec<u8> =
            pixels.flat_map(|pixel| [(pixel >> 16) as u8, (pixel >> 8) as u8, *pixel as u8]).collect();
        Picture { width: width.div_ceil(part) as u32, height: height.div_ceil(part) as u32, rgb }
    }
}

impl Drop for Canvas {
    fn drop(&mut self) {
        // SAFETY: the canvas owns the context, which held this object before.
        unsafe { SelectObject(self.dc, self.before) };
        // SAFETY: the canvas owns the bitmap, which is in no context any more.
        let _ = unsafe { DeleteObject(self.bitmap.into()) };
        // SAFETY: the canvas owns the context.
        let _ = unsafe { DeleteDC(self.dc) };
    }
}
