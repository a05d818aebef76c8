/* Page "menus": pop-up menus that tell by command, by return value, or by return value alone, and one that is about an item. */
#include "gallery.h"

/* The menu whose commands are known, as toolkits have it that make a new menu for each time. */
static HMENU transient;

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

/* The command is taken before the menu is forgotten; later nobody would know what it means. */
static void open_transient_menu(HWND page, POINT point)
{
    MSG message;
    transient = CreatePopupMenu();
    AppendMenuW(transient, MF_STRING, IDM_CONTEXT_ALPHA, L"&Alpha");
    AppendMenuW(transient, MF_STRING, IDM_CONTEXT_BETA, L"&Beta");
    TrackPopupMenu(transient, TPM_RIGHTBUTTON | TPM_RECURSE, point.x, point.y, 0, page, NULL);
    while (PeekMessageW(&message, NULL, WM_COMMAND, WM_COMMAND, PM_REMOVE)) {
        DispatchMessageW(&message);
    }
    DestroyMenu(transient);
    transient = NULL;
}

static void fill_list(HWND list)
{
    static const WCHAR *const words[] = { L"Lamp", L"Chair", L"Table" };
    int i;
    for (i = 0; i < COUNT(words); i++) {
        LVITEMW item = { 0 };
        item.mask = LVIF_TEXT;
        item.iItem = i;
        item.pszText = (WCHAR *)words[i];
        SendMessageW(list, LVM_INSERTITEMW, 0, (LPARAM)&item);
    }
}

static void note_transient(HWND page, UINT id)
{
    WCHAR text[60] = L"";
    HWND list = GetDlgItem(page, IDC_MENU_LIST);
    ListView_GetItemText(list, ListView_GetNextItem(list, -1, LVNI_SELECTED), 0, text, COUNT(text));
    note(L"MENU %s text=\"%s\"", id == IDM_CONTEXT_ALPHA ? L"alpha" : L"beta", text);
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
    case IDC_PANEL_TRANSIENT:
    case IDC_MENU_LIST:
        note(L"WM_CONTEXTMENU %d", id);
        open_transient_menu(page, point);
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
    case WM_INITDIALOG:
        fill_list(GetDlgItem(page, IDC_MENU_LIST));
        return FALSE;
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
        } else if (lparam == 0 && HIWORD(wparam) == 0 && transient != NULL) {
            note_transient(page, LOWORD(wparam));
        }
        return TRUE;
    }
    return FALSE;
}
