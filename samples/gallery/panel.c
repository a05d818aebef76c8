/* GalleryPanel: a plain area with a text. It takes dropped files; a context menu is its parent's affair. */
#include "gallery.h"

#include <shellapi.h>

static void take_files(HWND panel, HDROP drop)
{
    UINT i, count = DragQueryFileW(drop, 0xFFFFFFFF, NULL, 0);
    for (i = 0; i < count; i++) {
        WCHAR path[MAX_PATH] = L"";
        DragQueryFileW(drop, i, path, COUNT(path));
        note(L"WM_DROPFILES %d file=\"%s\"", GetDlgCtrlID(panel), path);
    }
    DragFinish(drop);
}

static void paint(HWND panel)
{
    PAINTSTRUCT paint;
    RECT client;
    WCHAR text[100];
    HDC dc = BeginPaint(panel, &paint);
    HGDIOBJ before = SelectObject(dc, (HGDIOBJ)SendMessageW(GetParent(panel), WM_GETFONT, 0, 0));
    GetClientRect(panel, &client);
    GetWindowTextW(panel, text, COUNT(text));
    SetBkMode(dc, TRANSPARENT);
    DrawTextW(dc, text, -1, &client, DT_CENTER | DT_VCENTER | DT_SINGLELINE);
    SelectObject(dc, before);
    EndPaint(panel, &paint);
}

static LRESULT CALLBACK panel_proc(HWND panel, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_PAINT:
        paint(panel);
        return 0;
    case WM_DROPFILES:
        take_files(panel, (HDROP)wparam);
        return 0;
    }
    return DefWindowProcW(panel, message, wparam, lparam);
}

BOOL register_panel(void)
{
    WNDCLASSEXW class = { 0 };
    class.cbSize = sizeof(class);
    class.lpfnWndProc = panel_proc;
    class.hInstance = instance;
    class.hCursor = LoadCursorW(NULL, IDC_ARROW);
    class.hbrBackground = (HBRUSH)(COLOR_WINDOW + 1);
    class.lpszClassName = L"GalleryPanel";
    return RegisterClassExW(&class) != 0;
}
