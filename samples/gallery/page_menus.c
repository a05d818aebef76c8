/* Page "menus": pop-up menus that tell by command, by return value, or by return value alone. */
#include "gallery.h"

static void open_menu(HWND page, POINT point, UINT flags)
{
    HMENU bar = LoadMenuW(instance, MAKEINTRESOURCEW(IDR_CONTEXT_MENU));
    UINT chosen = (UINT)TrackPopupMenu(GetSubMenu(bar, 0), flags, point.x, point.y, 0, page, NULL);
    if (flags & TPM_RETURNCMD) {
        note(L"TrackPopupMenu returned %u", chosen);
    }
    DestroyMenu(bar);
}

static BOOL on_context_menu(HWND page, HWND panel, LPARAM position)
{
    POINT point = { GET_X_LPARAM(position), GET_Y_LPARAM(position) };
    int id = GetDlgCtrlID(panel);
    if (point.x == -1 && point.y == -1) {
        /* By keyboard there is no point. */
        RECT area;
        GetWindowRect(panel, &area);
        point.x = area.left + 10;
        point.y = area.top + 10;
    }
    switch (id) {
    case IDC_PANEL_COMMAND:
        note(L"WM_CONTEXTMENU %d", id);
        open_menu(page, point, 0);
        return TRUE;
    case IDC_PANEL_RETURN:
        note(L"WM_CONTEXTMENU %d", id);
        open_menu(page, point, TPM_RETURNCMD | TPM_RIGHTBUTTON);
        return TRUE;
    case IDC_PANEL_QUIET:
        note(L"WM_CONTEXTMENU %d", id);
        open_menu(page, point, TPM_RETURNCMD | TPM_NONOTIFY);
        return TRUE;
    }
    return FALSE;
}

INT_PTR CALLBACK menus_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_CONTEXTMENU:
        return on_context_menu(page, (HWND)wparam, lparam);
    case WM_COMMAND:
        if (LOWORD(wparam) == IDC_MENU_BUTTON && HIWORD(wparam) == BN_CLICKED) {
            RECT area;
            POINT corner;
            GetWindowRect((HWND)lparam, &area);
            corner.x = area.left;
            corner.y = area.bottom;
            open_menu(page, corner, 0);
        }
        return TRUE;
    }
    return FALSE;
}
