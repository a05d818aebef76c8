//! Scroll bars and sliders: requests in wParam's low word, kinds of bars, members of `SCROLLINFO`.

names! {
    u32;
    SB_LINEUP = 0x0, SB_LINEDOWN = 0x1, SB_PAGEUP = 0x2, SB_PAGEDOWN = 0x3, SB_THUMBPOSITION = 0x4,
    SB_THUMBTRACK = 0x5, SB_TOP = 0x6, SB_BOTTOM = 0x7, SB_ENDSCROLL = 0x8,
    SB_HORZ = 0x0, SB_VERT = 0x1, SB_CTL = 0x2,
    SIF_RANGE = 0x1, SIF_PAGE = 0x2, SIF_POS = 0x4, SIF_TRACKPOS = 0x10,
    TB_LINEUP = 0x0, TB_LINEDOWN = 0x1, TB_PAGEUP = 0x2, TB_PAGEDOWN = 0x3, TB_THUMBPOSITION = 0x4,
    TB_THUMBTRACK = 0x5, TB_TOP = 0x6, TB_BOTTOM = 0x7, TB_ENDTRACK = 0x8,
}
