/* An owner-drawn list box without LBS_HASSTRINGS: only the program knows the name of an item. */
#include "truth.h"

enum { ID_LIST = 101, ID_USE };

static HWND list;

static void draw(const DRAWITEMSTRUCT *item)
{
    BOOL is_selected = (item->itemState & ODS_SELECTED) != 0;
    if (item->itemID == (UINT)-1) {
        return;
    }
    const WCHAR *name = (const WCHAR *)item->itemData;
    FillRect(item->hDC, &item->rcItem, GetSysColorBrush(is_selected ? COLOR_HIGHLIGHT : COLOR_WINDOW));
    SetBkMode(item->hDC, TRANSPARENT);
    SetTextColor(item->hDC, GetSysColor(is_selected ? COLOR_HIGHLIGHTTEXT : COLOR_WINDOWTEXT));
    TextOutW(item->hDC, item->rcItem.left + 4, item->rcItem.top + 2, name, lstrlenW(name));
}

static void use(void)
{
    int index = (int)SendMessageW(list, LB_GETCURSEL, 0, 0);
    if (index != LB_ERR) {
        outcome(L"USE %s", (const WCHAR *)SendMessageW(list, LB_GETITEMDATA, index, 0));
    }
}

LRESULT CALLBACK on_drawn(HWND frame, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_CREATE: {
        const WCHAR *names[MAX_NAMES];
        int count = item_names(names);
        control(frame, L"BUTTON", L"&Use", WS_TABSTOP, ID_USE, 10, 10, 80, 24);
        list = control(frame, L"LISTBOX", L"",
            LBS_OWNERDRAWFIXED | LBS_NOTIFY | LBS_NOINTEGRALHEIGHT | WS_BORDER | WS_TABSTOP, ID_LIST, 10, 44,
            300, 200);
        for (int i = 0; i < count; i++) {
            SendMessageW(list, LB_ADDSTRING, 0, (LPARAM)names[i]);
        }
        return 0;
    }
    case WM_SIZE:
        MoveWindow(list, 10, 44, max(LOWORD(lparam) - 20, 0), max(HIWORD(lparam) - 54, 0), TRUE);
        return 0;
    case WM_MEASUREITEM:
        ((MEASUREITEMSTRUCT *)lparam)->itemHeight = 20;
        return TRUE;
    case WM_DRAWITEM:
        draw((const DRAWITEMSTRUCT *)lparam);
        return TRUE;
    case WM_COMMAND:
        if (LOWORD(wparam) == ID_USE && HIWORD(wparam) == BN_CLICKED) {
            use();
        }
        return 0;
    }
    return DefWindowProcW(frame, message, wparam, lparam);
}
