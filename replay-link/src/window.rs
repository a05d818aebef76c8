//! A window of any process, asked by calls that send no message.
#![cfg_attr(windows, expect(unsafe_code, reason = "foreign calls"))]

/// A window of any process. The answers of a window that is gone are empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Window(pub u64);

#[cfg(windows)]
pub use asking::top_level_windows;

#[cfg(windows)]
mod asking {
    use super::Window;
    use message_log::{Rect, Text};
    use win32_vocabulary::styles::WS_DISABLED;
    use windows::Win32::Foundation::{HWND, LPARAM, POINT, RECT};
    use windows::Win32::Graphics::Gdi::MapWindowPoints;
    use windows::Win32::UI::WindowsAndMessaging::{
        EnumChildWindows, EnumWindows, GA_PARENT, GA_ROOT, GW_OWNER, GWL_EXSTYLE, GWL_ID, GWL_STYLE,
        GetAncestor, GetClassNameW, GetDesktopWindow, GetWindow, GetWindowLongW, GetWindowRect,
        GetWindowThreadProcessId, InternalGetWindowText, IsWindowUnicode, IsWindowVisible,
    };
    use windows::core::BOOL;

    impl Window {
        /// The handle as Windows' functions take it.
        pub fn handle(self) -> HWND {
            HWND(std::ptr::without_provenance_mut(self.0 as usize))
        }

        fn of(handle: HWND) -> Self {
            Self(handle.0.addr() as u64)
        }

        /// Thread and process that own it; zeros if it is gone.
        pub fn thread_and_process(self) -> (u32, u32) {
            let mut process = 0;
            // SAFETY: an invalid HWND returns 0.
            let thread = unsafe { GetWindowThreadProcessId(self.handle(), Some(&raw mut process)) };
            (thread, process)
        }

        /// The class name.
        pub fn class(self) -> Text {
            let mut buffer = [0; 256];
            // SAFETY: the buffer is a local, and its length goes along. An invalid HWND returns 0.
            let len = unsafe { GetClassNameW(self.handle(), &mut buffer) };
            Text::from_wide(buffer[..usize::try_from(len).unwrap_or(0).min(256)].iter().copied())
        }

        /// The text that Windows keeps for it.
        pub(crate) fn text(self) -> Text {
            let mut buffer = [0; 4096];
            // SAFETY: the buffer is a local, and its length goes along. An invalid HWND returns 0.
            let len = unsafe { InternalGetWindowText(self.handle(), &mut buffer) };
            Text::from_wide(buffer[..usize::try_from(len).unwrap_or(0).min(4096)].iter().copied())
        }

        /// The style bits.
        pub fn style(self) -> u32 {
            // SAFETY: an invalid HWND returns 0.
            unsafe { GetWindowLongW(self.handle(), GWL_STYLE) }.cast_unsigned()
        }

        /// The extended style bits.
        pub fn ex_style(self) -> u32 {
            // SAFETY: an invalid HWND returns 0.
            unsafe { GetWindowLongW(self.handle(), GWL_EXSTYLE) }.cast_unsigned()
        }

        /// The id of a child.
        pub fn id(self) -> i32 {
            // SAFETY: an invalid HWND returns 0.
            unsafe { GetWindowLongW(self.handle(), GWL_ID) }
        }

        /// Whether it talks Unicode.
        pub(crate) fn is_unicode(self) -> bool {
            // SAFETY: an invalid HWND returns false.
            unsafe { IsWindowUnicode(self.handle()) }.as_bool()
        }

        /// The parent; none for a top-level window.
        pub fn parent(self) -> Option<Self> {
            // SAFETY: an invalid HWND returns null.
            let parent = unsafe { GetAncestor(self.handle(), GA_PARENT) };
            // SAFETY: GetDesktopWindow has no preconditions.
            let desktop = unsafe { GetDesktopWindow() };
            (!parent.is_invalid() && parent != desktop).then(|| Self::of(parent))
        }

        /// The top-level window it is in.
        pub fn root(self) -> Self {
            // SAFETY: an invalid HWND returns null.
            Self::of(unsafe { GetAncestor(self.handle(), GA_ROOT) })
        }

        /// The owner of a top-level window.
        pub fn owner(self) -> Option<Self> {
            // SAFETY: an invalid HWND gives an error.
            let owner = unsafe { GetWindow(self.handle(), GW_OWNER) }.ok()?;
            (!owner.is_invalid()).then(|| Self::of(owner))
        }

        /// Whether it and all windows it is in are shown.
        pub fn is_shown(self) -> bool {
            // SAFETY: an invalid HWND returns false.
            unsafe { IsWindowVisible(self.handle()) }.as_bool()
        }

        /// Whether it and all windows it is in take input.
        pub fn takes_input(self) -> bool {
            std::iter::successors(Some(self), |window| window.parent())
                .all(|window| window.style() & WS_DISABLED == 0)
        }

        /// The outer rectangle in the parent's client coordinates; on the screen for a top-level window.
        pub fn place(self, parent: Option<Self>) -> Rect {
            let mut rect = RECT::default();
            // SAFETY: the rectangle is a local. An invalid HWND is refused.
            let _ = unsafe { GetWindowRect(self.handle(), &raw mut rect) };
            let mut corners = [POINT { x: rect.left, y: rect.top }, POINT { x: rect.right, y: rect.bottom }];
            if let Some(parent) = parent {
                // SAFETY: the points are locals, and their number goes along.
                unsafe { MapWindowPoints(None, Some(parent.handle()), &mut corners) };
            }
            let [a, b] = corners;
            // In a mirrored window left is right.
            Rect { left: a.x.min(b.x), top: a.y, right: a.x.max(b.x), bottom: b.y }
        }

        /// All windows below it, parents before children.
        pub fn descendants(self) -> Vec<Self> {
            let mut found: Vec<Self> = Vec::new();
            let context = LPARAM((&raw mut found).expose_provenance().cast_signed());
            // SAFETY: the vector outlives the enumeration, which calls `collect` on this thread.
            let _ = unsafe { EnumChildWindows(Some(self.handle()), Some(collect), context) };
            found
        }
    }

    /// The top-level windows of a process, topmost first.
    pub fn top_level_windows(process: u32) -> Vec<Window> {
        let mut found: Vec<Window> = Vec::new();
        let context = LPARAM((&raw mut found).expose_provenance().cast_signed());
        // SAFETY: the vector outlives the enumeration, which calls `collect` on this thread.
        let _ = unsafe { EnumWindows(Some(collect), context) };
        found.retain(|window| window.thread_and_process().1 == process);
        found
    }

    unsafe extern "system" fn collect(handle: HWND, context: LPARAM) -> BOOL {
        let found = std::ptr::with_exposed_provenance_mut::<Vec<Window>>(context.0.cast_unsigned());
        // SAFETY: the context is the vector of the function that enumerates, on this thread.
        let found = unsafe { &mut *found };
        found.push(Window::of(handle));
        true.into()
    }
}
