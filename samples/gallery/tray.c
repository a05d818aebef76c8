/* An icon beside the clock: its menu tells by WM_COMMAND, as most do. A hidden window owns it. */
#include "gallery.h"

#include <shellapi.h>

#define WM_APP_ICON (WM_APP + 3)

static HWND tray;

static void change(HWND window, DWORD how)
{
    NOTIFYICONDATAW icon = { 0 };
    icon.cbSize = sizeof(icon);
    icon.hWnd = window;
    icon.uID = 1;
    icon.uFlags = NIF_MESSAGE | NIF_ICON | NIF_TIP;
    icon.uCallbackMessage = WM_APP_ICON;
    icon.hIcon = LoadIconW(NULL, IDI_INFORMATION);
    lstrcpynW(icon.szTip, L"Gallery", COUNT(icon.szTip));
    note(L"TRAY %s", Shell_NotifyIconW(how, &icon) ? how == NIM_ADD ? L"added" : L"removed" : L"refused");
}

static void open_menu(HWND window)
{
    HMENU bar = LoadMenuW(instance, MAKEINTRESOURCEW(IDR_TRAY_MENU));
    POINT point;
    GetCursorPos(&point);
    /* As the documentation of TrackPopupMenu asks for: otherwise a click elsewhere does not close it. */
    SetForegroundWindow(window);
    TrackPopupMenu(GetSubMenu(bar, 0), TPM_RIGHTBUTTON, point.x, point.y, 0, window, NULL);
    PostMessageW(window, WM_NULL, 0, 0);
    DestroyMenu(bar);
}

static LRESULT CALLBACK tray_proc(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_APP_ICON:
        if (lparam == WM_RBUTTONUP) {
            open_menu(window);
        }
        return 0;
    case WM_COMMAND:
        note_message(window, message, wparam, lparam);
        if (LOWORD(wparam) == IDM_TRAY_REMOVE) {
            DestroyWindow(window);
        }
        return 0;
    case WM_DESTROY:
        change(window, NIM_DELETE);
        tray = NULL;
        return 0;
    }
    return DefWindowProcW(window, message, wparam, lparam);
}

void open_tray_icon(void)
{
    WNDCLASSEXW class = { 0 };
    if (tray != NULL) {
        return;
    }
    class.cbSize = sizeof(class);
    class.lpfnWndProc = tray_proc;
    class.hInstance = instance;
    class.lpszClassName = L"GalleryTray";
    RegisterClassExW(&class);
    tray = CreateWindowExW(0, L"GalleryTray", L"Gallery icon", WS_POPUP, 0, 0, 0, 0, NULL, NULL, instance, NULL);
    change(tray, NIM_ADD);
}
