/* WM_HSCROLL and WM_VSCROLL in words, of scroll bars, track bars and up-downs, and of a window's own bars. */
#include "gallery.h"

static const WCHAR *const BAR_CODES[] = {
    L"SB_LINEUP", L"SB_LINEDOWN", L"SB_PAGEUP", L"SB_PAGEDOWN", L"SB_THUMBPOSITION", L"SB_THUMBTRACK", L"SB_TOP",
    L"SB_BOTTOM", L"SB_ENDSCROLL",
};

static const WCHAR *const TRACK_CODES[] = {
    L"TB_LINEUP", L"TB_LINEDOWN", L"TB_PAGEUP", L"TB_PAGEDOWN", L"TB_THUMBPOSITION", L"TB_THUMBTRACK", L"TB_TOP",
    L"TB_BOTTOM", L"TB_ENDTRACK",
};

void note_scroll(HWND parent, UINT message, WPARAM wparam, HWND control)
{
    const WCHAR *name = message == WM_HSCROLL ? L"WM_HSCROLL" : L"WM_VSCROLL";
    UINT code = LOWORD(wparam);
    WCHAR class_name[64] = L"";
    if (code >= (UINT)COUNT(BAR_CODES)) {
        return;
    }
    if (control == NULL) {
        int bar = message == WM_HSCROLL ? SB_HORZ : SB_VERT;
        note(L"%s %d %s pos=%d", name, GetDlgCtrlID(parent), BAR_CODES[code], GetScrollPos(parent, bar));
        return;
    }
    GetClassNameW(control, class_name, COUNT(class_name));
    if (lstrcmpiW(class_name, TRACKBAR_CLASSW) == 0) {
        note(L"%s %d %s pos=%d", name, GetDlgCtrlID(control), TRACK_CODES[code],
            (int)SendMessageW(control, TBM_GETPOS, 0, 0));
    } else if (lstrcmpiW(class_name, UPDOWN_CLASSW) == 0) {
        note(L"%s %d %s pos=%d", name, GetDlgCtrlID(control), BAR_CODES[code], (short)HIWORD(wparam));
    } else {
        SCROLLINFO info = { sizeof(info), SIF_POS | SIF_TRACKPOS, 0, 0, 0, 0, 0 };
        GetScrollInfo(control, SB_CTL, &info);
        note(L"%s %d %s pos=%d", name, GetDlgCtrlID(control), BAR_CODES[code],
            code == SB_THUMBTRACK ? info.nTrackPos : info.nPos);
    }
}
