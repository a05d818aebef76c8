//! Buttons and the wheel, and the parts of a window that `WM_NCHITTEST` tells apart.

names! {
    u32;
    MK_LBUTTON = 0x0001, MK_RBUTTON = 0x0002, MK_SHIFT = 0x0004, MK_CONTROL = 0x0008, MK_MBUTTON = 0x0010,
    MK_XBUTTON1 = 0x0020, MK_XBUTTON2 = 0x0040,
    XBUTTON1 = 0x0001, XBUTTON2 = 0x0002,
    WHEEL_DELTA = 0x0078,
}

names! {
    table NAMES;
    i32;
    HTERROR = -2, HTTRANSPARENT = -1, HTNOWHERE = 0, HTCLIENT = 1, HTCAPTION = 2, HTSYSMENU = 3,
    HTGROWBOX = 4, HTMENU = 5, HTHSCROLL = 6, HTVSCROLL = 7, HTMINBUTTON = 8, HTMAXBUTTON = 9, HTLEFT = 10,
    HTRIGHT = 11, HTTOP = 12, HTTOPLEFT = 13, HTTOPRIGHT = 14, HTBOTTOM = 15, HTBOTTOMLEFT = 16,
    HTBOTTOMRIGHT = 17, HTBORDER = 18, HTOBJECT = 19, HTCLOSE = 20, HTHELP = 21,
}

/// The name of a part of a window.
pub fn hit_test_name(part: i32) -> Option<&'static str> {
    NAMES.iter().find(|&&(known, _)| known == part).map(|&(_, name)| name)
}
