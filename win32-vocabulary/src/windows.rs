//! Places, indices and handles of windows.

names! {
    u32;
    SWP_NOSIZE = 0x0001, SWP_NOMOVE = 0x0002, SWP_NOZORDER = 0x0004, SWP_NOACTIVATE = 0x0010,
    SWP_SHOWWINDOW = 0x0040, SWP_HIDEWINDOW = 0x0080, SWP_NOOWNERZORDER = 0x0200,
}

names! {
    i32;
    GWL_ID = -12, GWL_STYLE = -16, GWL_EXSTYLE = -20,
}

/// `HWND_MESSAGE`, the parent of message-only windows, as Windows writes it into a handle.
pub const HWND_MESSAGE: isize = -3;

/// `DPI_AWARENESS_PER_MONITOR_AWARE`: windows that adapt themselves to the resolution of their screen.
pub const DPI_AWARENESS_PER_MONITOR_AWARE: i32 = 2;

/// `DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2`, as Windows writes it into a handle.
pub const DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2: isize = -4;
