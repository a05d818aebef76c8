/* GalleryScroller: a window with its own two scroll bars over a picture larger than itself. */
#include "gallery.h"

#define EXTENT 600
#define CELL 50

static void set_bars(HWND window)
{
    SCROLLINFO info = { sizeof(info), SIF_RANGE | SIF_PAGE, 0, EXTENT - 1, 0, 0, 0 };
    RECT client;
    GetClientRect(window, &client);
    info.nPage = (UINT)client.right;
    SetScrollInfo(window, SB_HORZ, &info, TRUE);
    info.nPage = (UINT)client.bottom;
    SetScrollInfo(window, SB_VERT, &info, TRUE);
}

static void scroll(HWND window, int bar, UINT code)
{
    SCROLLINFO info = { sizeof(info), SIF_ALL, 0, 0, 0, 0, 0 };
    GetScrollInfo(window, bar, &info);
    switch (code) {
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
    case SB_THUMBTRACK:
    case SB_THUMBPOSITION:
        info.nPos = info.nTrackPos;
        break;
    default:
        return;
    }
    info.fMask = SIF_POS;
    SetScrollInfo(window, bar, &info, TRUE);
    InvalidateRect(window, NULL, TRUE);
}

static void paint(HWND window)
{
    PAINTSTRUCT paint;
    HDC dc = BeginPaint(window, &paint);
    int x, y;
    SetViewportOrgEx(dc, -GetScrollPos(window, SB_HORZ), -GetScrollPos(window, SB_VERT), NULL);
    for (y = 0; y < EXTENT / CELL; y++) {
        for (x = 0; x < EXTENT / CELL; x++) {
            RECT cell = { 0, 0, 0, 0 };
            SetRect(&cell, x * CELL + 4, y * CELL + 4, (x + 1) * CELL - 4, (y + 1) * CELL - 4);
            draw_swatch(dc, &cell, x + y * 3);
        }
    }
    EndPaint(window, &paint);
}

static LRESULT CALLBACK scroller_proc(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_SIZE:
        set_bars(window);
        return 0;
    case WM_HSCROLL:
    case WM_VSCROLL:
        scroll(window, message == WM_HSCROLL ? SB_HORZ : SB_VERT, LOWORD(wparam));
        note_scroll(window, message, wparam, NULL);
        return 0;
    case WM_MOUSEWHEEL:
        SendMessageW(window, WM_VSCROLL, GET_WHEEL_DELTA_WPARAM(wparam) > 0 ? SB_LINEUP : SB_LINEDOWN, 0);
        return 0;
    case WM_LBUTTONDOWN:
        SetFocus(window);
        return 0;
    case WM_PAINT:
        paint(window);
        return 0;
    }
    return DefWindowProcW(window, message, wparam, lparam);
}

BOOL register_scroller(void)
{
    WNDCLASSEXW class = { 0 };
    class.cbSize = sizeof(class);
    class.lpfnWndProc = scroller_proc;
    class.hInstance = instance;
    class.hCursor = LoadCursorW(NULL, IDC_ARROW);
    class.hbrBackground = (HBRUSH)(COLOR_WINDOW + 1);
    class.lpszClassName = L"GalleryScroller";
    return RegisterClassExW(&class) != 0;
}
