/* Page "menus": pop-up menus that tell by command, by return value, or by return value alone. */
#include "gallery.h"

static void open_menu(HWND page, POINT point, UINT flags, BOOL by_position)
{
    HMENU bar = LoadMenuW(instance, MAKEINTRESOURCEW(IDR_CONTEXT_MENU));
    MENUINFO info = { 0 };
    UINT chosen;
    info.cbSize = sizeof(info);
    info.fMask = MIM_STYLE;
    info.dwStyle = by_position ? MNS_NOTIFYBYPOS : 0;
    SetMenuInfo(GetSubMenu(bar, 0), &info);
    chosen = (UINT)TrackPopupMenu(GetSubMenu(bar, 0), flags, point.x, point.y, 0, page, NULL);
    if (flags & TPM_RETURNCMD) {
        note(L"TrackPopupMenu returned %u", chosen);
    }
    /* WM_MENUCOMMAND is posted, and names the menu. */
    if (by_position) {
        MSG message;
        if (PeekMessageW(&message, page, WM_MENUCOMMAND, WM_MENUCOMMAND, PM_REMOVE)) {
            DispatchMessageW(&message);
        }
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
        open_menu(page, point, 0, FALSE);
        return TRUE;
    case IDC_PANEL_RETURN:
        note(L"WM_CONTEXTMENU %d", id);
        open_menu(page, point, TPM_RETURNCMD | TPM_RIGHTBUTTON, FALSE);
        return TRUE;
    case IDC_PANEL_POSITION:
        note(L"WM_CONTEXTMENU %d", id);
        open_menu(page, point, 0, TRUE);
        return TRUE;
    case IDC_PANEL_QUIET:
        note(L"WM_CONTEXTMENU %d", id);
        open_menu(page, point, TPM_RETURNCMD | TPM_NONOTIFY, FALSE);
        return TRUE;
    }
    return FALSE;
}

INT_PTR CALLBACK menus_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_CONTEXTMENU:
        return on_context_menu(page, (HWND)wparam, lparam);
    case WM_MENUCOMMAND:
        note(L"WM_MENUCOMMAND position=%d id=%d", (int)wparam, (int)GetMenuItemID((HMENU)lparam, (int)wparam));
        return TRUE;
    case WM_COMMAND:
        if (LOWORD(wparam) == IDC_MENU_BUTTON && HIWORD(wparam) == BN_CLICKED) {
            RECT area;
            POINT corner;
            GetWindowRect((HWND)lparam, &area);
            corner.x = area.left;
            corner.y = area.bottom;
            open_menu(page, corner, 0, FALSE);
        }
        return TRUE;
    }
    return FALSE;
}
