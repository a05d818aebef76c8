//! Flags of menus and of `WM_MENUSELECT`.

names! {
    u32;
    MF_STRING = 0x0000, MF_GRAYED = 0x0001, MF_DISABLED = 0x0002, MF_CHECKED = 0x0008, MF_POPUP = 0x0010,
    MF_HILITE = 0x0080, MF_OWNERDRAW = 0x0100, MF_BYPOSITION = 0x0400, MF_SEPARATOR = 0x0800,
    MF_SYSMENU = 0x2000, MF_MOUSESELECT = 0x8000,
}

/// The flags of the `WM_MENUSELECT` that reports a closed menu.
pub const MENU_CLOSED: u32 = 0xFFFF;
