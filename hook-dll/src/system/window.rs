//! Windows and their classes, asked only in ways that send them no message.
//!
//! What would send one (GetWindowText of another thread's edit, SendMessage) is not offered at all. The calls
//! that the callback makes take no lock that other threads hold for long.
#![expect(unsafe_code, reason = "calls Windows")]

use crate::system::menu::Menu;
use crate::system::process::current_process_id;
use win32_vocabulary::styles::{WS_CHILD, WS_EX_TRANSPARENT, WS_VISIBLE};
use windows::Win32::Foundation::{HWND, LPARAM, POINT, RECT};
use windows::Win32::Graphics::Gdi::{ClientToScreen, MapWindowPoints, ScreenToClient};
use windows::Win32::UI::WindowsAndMessaging::{
    EnumChildWindows, EnumWindows, GA_PARENT, GA_ROOT, GCL_CBWNDEXTRA, GCLP_WNDPROC, GCW_ATOM, GW_HWNDNEXT,
    GW_OWNER, GWL_EXSTYLE, GWL_ID, GWL_STYLE, GetAncestor, GetClassInfoExW, GetClassLongW, GetClassNameW,
    GetClientRect, GetDesktopWindow, GetMenu, GetScrollInfo, GetTopWindow, GetWindow, GetWindowLongW,
    GetWindowRect, GetWindowThreadProcessId, InternalGetWindowText, IsHungAppWindow, IsWindowUnicode,
    RealGetWindowClassW, SB_HORZ, SB_VERT, SCROLLINFO, SIF_POS, SIF_TRACKPOS, WNDCLASSEXW,
};
use windows::core::{BOOL, PCWSTR};

/// A window.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Window(pub(crate) usize);

impl Window {
    pub(crate) fn handle(self) -> HWND {
        HWND(std::ptr::without_provenance_mut(self.0))
    }

    fn from(handle: HWND) -> Self {
        Self(handle.0.addr())
    }

    /// The thread and the process that own it; zeros if it does not exist.
    pub(crate) fn thread_and_process(self) -> (u32, u32) {
        let mut process = 0;
        // SAFETY: GetWindowThreadProcessId accepts any handle and returns 0 for an invalid one.
        let thread = unsafe { GetWindowThreadProcessId(self.handle(), Some(&raw mut process)) };
        (thread, process)
    }

    pub(crate) fn class(self, buffer: &mut [u16; 256]) -> &[u16] {
        // SAFETY: GetClassNameW writes to the local buffer alone, whose length it gets.
        let len = unsafe { GetClassNameW(self.handle(), buffer) };
        &buffer[..usize::try_from(len).unwrap_or(0).min(256)]
    }

    /// The class of Windows that the window's class derives from, or that class itself. Wine returns
    /// the class itself.
    pub(crate) fn real_class(self, buffer: &mut [u16; 256]) -> &[u16] {
        // SAFETY: RealGetWindowClassW writes to the local buffer alone, whose length it gets.
        let len = unsafe { RealGetWindowClassW(self.handle(), buffer) };
        &buffer[..usize::try_from(len).unwrap_or(0).min(256)]
    }

    /// The text that Windows keeps; edits and combo boxes keep their own.
    pub(crate) fn text(self) -> Vec<u16> {
        let mut buffer = vec![0; 4096];
        // SAFETY: InternalGetWindowText writes to the local buffer alone, whose length it gets.
        let len = unsafe { InternalGetWindowText(self.handle(), &mut buffer) };
        buffer.truncate(usize::try_from(len).unwrap_or(0));
        buffer
    }

    pub(crate) fn style(self) -> u32 {
        // SAFETY: GetWindowLongW accepts any handle and returns 0 for an invalid one.
        unsafe { GetWindowLongW(self.handle(), GWL_STYLE) }.cast_unsigned()
    }

    pub(crate) fn ex_style(self) -> u32 {
        // SAFETY: GetWindowLongW accepts any handle and returns 0 for an invalid one.
        unsafe { GetWindowLongW(self.handle(), GWL_EXSTYLE) }.cast_unsigned()
    }

    /// The control id; none for a top-level window, which has a menu in its place.
    pub(crate) fn control_id(self) -> Option<i32> {
        (self.style() & WS_CHILD != 0).then(|| self.id())
    }

    pub(crate) fn id(self) -> i32 {
        // SAFETY: GetWindowLongW accepts any handle and returns 0 for an invalid one.
        unsafe { GetWindowLongW(self.handle(), GWL_ID) }
    }

    /// The parent; none for a top-level window.
    pub(crate) fn parent(self) -> Option<Self> {
        // SAFETY: GetAncestor accepts any handle and returns NULL for an invalid one.
        let parent = unsafe { GetAncestor(self.handle(), GA_PARENT) };
        // SAFETY: GetDesktopWindow has no preconditions.
        let desktop = unsafe { GetDesktopWindow() };
        (!parent.is_invalid() && parent != desktop).then(|| Self::from(parent))
    }

    /// The top-level window that contains it, or itself; none if it does not exist.
    pub(crate) fn root(self) -> Option<Self> {
        // SAFETY: GetAncestor accepts any handle and returns NULL for an invalid one.
        let root = unsafe { GetAncestor(self.handle(), GA_ROOT) };
        (!root.is_invalid()).then(|| Self::from(root))
    }

    pub(crate) fn owner(self) -> Option<Self> {
        // SAFETY: GetWindow accepts any handle and fails for an invalid one.
        unsafe { GetWindow(self.handle(), GW_OWNER) }.ok().filter(|owner| !owner.is_invalid()).map(Self::from)
    }

    /// The outer rectangle in the parent's client coordinates, of a top-level window on the screen; none if
    /// it does not exist.
    pub(crate) fn place(self) -> Option<RECT> {
        let mut rect = RECT::default();
        // SAFETY: GetWindowRect accepts any handle and writes to the local rectangle alone.
        unsafe { GetWindowRect(self.handle(), &raw mut rect) }.ok()?;
        let Some(parent) = self.parent() else { return Some(rect) };
        let mut corners = [POINT { x: rect.left, y: rect.top }, POINT { x: rect.right, y: rect.bottom }];
        // SAFETY: MapWindowPoints writes to the local points alone, whose number it gets.
        unsafe { MapWindowPoints(None, Some(parent.handle()), &mut corners) };
        let [a, b] = corners;
        // In a mirrored window left and right are swapped.
        Some(RECT { left: a.x.min(b.x), top: a.y, right: a.x.max(b.x), bottom: b.y })
    }

    /// A point of the screen in the window's client coordinates.
    pub(crate) fn to_client(self, x: i32, y: i32) -> Option<(i32, i32)> {
        let mut point = POINT { x, y };
        // SAFETY: ScreenToClient accepts any handle and writes to the local point alone.
        unsafe { ScreenToClient(self.handle(), &raw mut point) }.as_bool().then_some((point.x, point.y))
    }

    /// A point in client coordinates that lies outside the client area, on the screen.
    pub(crate) fn beyond_client(self, x: i32, y: i32) -> Option<(i32, i32)> {
        let mut client = RECT::default();
        // SAFETY: GetClientRect accepts any handle and writes to the local rectangle alone.
        unsafe { GetClientRect(self.handle(), &raw mut client) }.ok()?;
        if has(client, x, y) {
            return None;
        }
        let mut point = POINT { x, y };
        // SAFETY: ClientToScreen accepts any handle and writes to the local point alone.
        unsafe { ClientToScreen(self.handle(), &raw mut point) }.as_bool().then_some((point.x, point.y))
    }

    /// The window procedure of its class, as Unicode code and as ANSI code sees it.
    pub(crate) fn class_procedures(self) -> (usize, usize) {
        // On x86 only the function for 32-bit numbers exists.
        #[cfg(target_pointer_width = "32")]
        use windows::Win32::UI::WindowsAndMessaging::{
            GetClassLongA as GetClassLongPtrA, GetClassLongW as GetClassLongPtrW,
        };
        #[cfg(target_pointer_width = "64")]
        use windows::Win32::UI::WindowsAndMessaging::{GetClassLongPtrA, GetClassLongPtrW};
        // SAFETY: GetClassLongPtrW accepts any handle and returns 0 for an invalid one.
        let wide = unsafe { GetClassLongPtrW(self.handle(), GCLP_WNDPROC) };
        // SAFETY: GetClassLongPtrA accepts any handle and returns 0 for an invalid one.
        let narrow = unsafe { GetClassLongPtrA(self.handle(), GCLP_WNDPROC) };
        (wide as usize, narrow as usize)
    }

    /// The atom of its class.
    pub(crate) fn class_atom(self) -> u16 {
        // SAFETY: GetClassLongW accepts any handle and returns 0 for an invalid one.
        unsafe { GetClassLongW(self.handle(), GCW_ATOM) as u16 }
    }

    /// How many extra bytes its class has for each window.
    pub(crate) fn class_extra(self) -> i32 {
        // SAFETY: GetClassLongW accepts any handle and returns 0 for an invalid one.
        unsafe { GetClassLongW(self.handle(), GCL_CBWNDEXTRA) }.cast_signed()
    }

    /// Position and tracking position of its own scroll bar.
    pub(crate) fn scroll_position(self, horizontal: bool) -> Option<(i32, i32)> {
        let mut info = SCROLLINFO {
            cbSize: size_of::<SCROLLINFO>() as u32,
            fMask: SIF_POS | SIF_TRACKPOS,
            ..Default::default()
        };
        let bar = if horizontal { SB_HORZ } else { SB_VERT };
        // SAFETY: GetScrollInfo writes to the local structure alone, which states its size.
        unsafe { GetScrollInfo(self.handle(), bar, &raw mut info) }.ok()?;
        Some((info.nPos, info.nTrackPos))
    }

    /// The menu bar.
    pub(crate) fn menu(self) -> Option<Menu> {
        // SAFETY: GetMenu accepts any handle and returns NULL for an invalid one.
        let menu = unsafe { GetMenu(self.handle()) };
        (!menu.is_invalid()).then(|| Menu(menu.0.addr()))
    }

    pub(crate) fn is_unicode(self) -> bool {
        // SAFETY: IsWindowUnicode accepts any handle and returns FALSE for an invalid one.
        unsafe { IsWindowUnicode(self.handle()) }.as_bool()
    }

    /// Whether its thread has taken no message for five seconds.
    pub(crate) fn is_hung(self) -> bool {
        // SAFETY: IsHungAppWindow accepts any handle and returns FALSE for an invalid one.
        unsafe { IsHungAppWindow(self.handle()) }.as_bool()
    }

    /// All windows inside it, parents before children.
    pub(crate) fn descendants(self) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        let context = LPARAM((&raw mut found).expose_provenance().cast_signed());
        // SAFETY: EnumChildWindows calls `collect` on this thread alone and before it returns; the vector is
        // not used meanwhile.
        let _ = unsafe { EnumChildWindows(Some(self.handle()), Some(collect), context) };
        found
    }
}

fn has(rect: RECT, x: i32, y: i32) -> bool {
    (rect.left..rect.right).contains(&x) && (rect.top..rect.bottom).contains(&y)
}

/// The topmost visible window of this process at a point of the screen. Unlike WindowFromPoint this sends no
/// message. Windows that let the pointer through, such as the image of a dragged item, do not count; neither
/// do windows of other programs, some of which have the style of a visible window and cannot be seen.
pub(crate) fn top_level_at(x: i32, y: i32) -> Option<Window> {
    /// The order may change during the walk.
    const MOST: usize = 4096;
    let own = current_process_id();
    // SAFETY: GetTopWindow has no preconditions.
    let mut next = unsafe { GetTopWindow(None) };
    for _ in 0..MOST {
        let window = Window::from(next.ok().filter(|window| !window.is_invalid())?);
        let mut rect = RECT::default();
        let is_there = window.style() & WS_VISIBLE != 0
            && window.thread_and_process().1 == own
            && window.ex_style() & WS_EX_TRANSPARENT == 0
            // SAFETY: GetWindowRect accepts any handle and writes to the local rectangle alone.
            && unsafe { GetWindowRect(window.handle(), &raw mut rect) }.is_ok();
        if is_there && has(rect, x, y) {
            return Some(window);
        }
        // SAFETY: GetWindow accepts any handle and fails for an invalid one.
        next = unsafe { GetWindow(window.handle(), GW_HWNDNEXT) };
    }
    None
}

/// The top-level windows of this process.
pub(crate) fn top_level_windows() -> Vec<Window> {
    let mut found: Vec<Window> = Vec::new();
    let context = LPARAM((&raw mut found).expose_provenance().cast_signed());
    // SAFETY: EnumWindows calls `collect` on this thread alone and before it returns; the vector is not used
    // meanwhile.
    let _ = unsafe { EnumWindows(Some(collect), context) };
    let own = current_process_id();
    found.retain(|window| window.thread_and_process().1 == own);
    found
}

unsafe extern "system" fn collect(handle: HWND, context: LPARAM) -> BOOL {
    // SAFETY: `context` is the address of the vector of the function that enumerates, which runs on this
    // thread and does not use it meanwhile.
    let found =
        unsafe { &mut *std::ptr::with_exposed_provenance_mut::<Vec<Window>>(context.0.cast_unsigned()) };
    found.push(Window::from(handle));
    true.into()
}

/// The window procedure and the number of extra bytes of the class that has this name on the calling thread.
pub(crate) fn class_by_name(name: PCWSTR) -> Option<(usize, i32)> {
    let mut class = WNDCLASSEXW { cbSize: size_of::<WNDCLASSEXW>() as u32, ..Default::default() };
    // SAFETY: GetClassInfoExW writes to the local structure alone, which states its size.
    unsafe { GetClassInfoExW(None, name, &raw mut class) }.ok()?;
    Some((class.lpfnWndProc.map_or(0, |procedure| procedure as *const () as usize), class.cbWndExtra))
}
