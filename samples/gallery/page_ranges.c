/* Page "ranges": whatever stands somewhere between two numbers. */
#include "gallery.h"

static void prepare_bar(HWND bar)
{
    SCROLLINFO info = { sizeof(info), SIF_ALL, 0, 1000, 100, 200, 0 };
    SetScrollInfo(bar, SB_CTL, &info, TRUE);
}

static void prepare(HWND page)
{
    SendDlgItemMessageW(page, IDC_TRACK_HORIZONTAL, TBM_SETRANGE, TRUE, MAKELPARAM(0, 100));
    SendDlgItemMessageW(page, IDC_TRACK_HORIZONTAL, TBM_SETTICFREQ, 10, 0);
    SendDlgItemMessageW(page, IDC_TRACK_HORIZONTAL, TBM_SETPOS, TRUE, 30);
    SendDlgItemMessageW(page, IDC_TRACK_VERTICAL, TBM_SETRANGE, TRUE, MAKELPARAM(-50, 50));
    SendDlgItemMessageW(page, IDC_TRACK_VERTICAL, TBM_SETTICFREQ, 25, 0);
    SendDlgItemMessageW(page, IDC_TRACK_VERTICAL, TBM_SETPOS, TRUE, 0);
    SendDlgItemMessageW(page, IDC_TRACK_RANGE, TBM_SETRANGE, TRUE, MAKELPARAM(0, 20));
    SendDlgItemMessageW(page, IDC_TRACK_RANGE, TBM_SETSEL, TRUE, MAKELPARAM(5, 12));
    prepare_bar(GetDlgItem(page, IDC_SCROLL_HORIZONTAL));
    prepare_bar(GetDlgItem(page, IDC_SCROLL_VERTICAL));
    SendDlgItemMessageW(page, IDC_UPDOWN_BUDDY, UDM_SETRANGE32, 0, 100);
    SendDlgItemMessageW(page, IDC_UPDOWN_BUDDY, UDM_SETPOS32, 0, 42);
    SendDlgItemMessageW(page, IDC_UPDOWN_ALONE, UDM_SETRANGE32, 0, 10);
    SendDlgItemMessageW(page, IDC_UPDOWN_HORIZONTAL, UDM_SETRANGE32, (WPARAM)-5, 5);
    SendDlgItemMessageW(page, IDC_PROGRESS, PBM_SETPOS, 30, 0);
    SendDlgItemMessageW(page, IDC_PROGRESS_SMOOTH, PBM_SETPOS, 70, 0);
    SendDlgItemMessageW(page, IDC_PROGRESS_VERTICAL, PBM_SETPOS, 50, 0);
}

/* The horizontal bar trusts SIF_TRACKPOS, the vertical one the sixteen bits of the message. */
static void scroll(HWND bar, WPARAM wparam)
{
    SCROLLINFO info = { sizeof(info), SIF_ALL, 0, 0, 0, 0, 0 };
    int last;
    GetScrollInfo(bar, SB_CTL, &info);
    last = info.nMax - (int)info.nPage + 1;
    switch (LOWORD(wparam)) {
    case SB_LINEUP:
        info.nPos -= 10;
        break;
    case SB_LINEDOWN:
        info.nPos += 10;
        break;
    case SB_PAGEUP:
        info.nPos -= (int)info.nPage;
        break;
    case SB_PAGEDOWN:
        info.nPos += (int)info.nPage;
        break;
    case SB_TOP:
        info.nPos = info.nMin;
        break;
    case SB_BOTTOM:
        info.nPos = last;
        break;
    case SB_THUMBTRACK:
    case SB_THUMBPOSITION:
        info.nPos = GetDlgCtrlID(bar) == IDC_SCROLL_HORIZONTAL ? info.nTrackPos : (int)HIWORD(wparam);
        break;
    default:
        return;
    }
    info.nPos = info.nPos < info.nMin ? info.nMin : info.nPos > last ? last : info.nPos;
    info.fMask = SIF_POS;
    SetScrollInfo(bar, SB_CTL, &info, TRUE);
}

static void on_scroll(HWND page, WPARAM wparam, HWND control)
{
    switch (GetDlgCtrlID(control)) {
    case IDC_SCROLL_HORIZONTAL:
    case IDC_SCROLL_VERTICAL:
        scroll(control, wparam);
        break;
    case IDC_TRACK_HORIZONTAL:
        SendDlgItemMessageW(page, IDC_PROGRESS, PBM_SETPOS, (WPARAM)SendMessageW(control, TBM_GETPOS, 0, 0), 0);
        break;
    case IDC_UPDOWN_ALONE:
        SetDlgItemInt(page, IDC_UPDOWN_VALUE, (UINT)(short)HIWORD(wparam), TRUE);
        break;
    }
}

INT_PTR CALLBACK ranges_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_INITDIALOG:
        prepare(page);
        return FALSE;
    case WM_HSCROLL:
    case WM_VSCROLL:
        on_scroll(page, wparam, (HWND)lparam);
        return TRUE;
    }
    return FALSE;
}
