/* Habits of WinForms that a replay has to meet: what it draws itself acts only with the pointer above it, a choice counts when the edit still holds the old text, a click on
 * a column counts when the header lets go of the pointer, menus are windows of its own, and a tree has no selection until the user makes one. */
#define UNICODE
#include "habits.h"
#include <commctrl.h>

static HWND main_window, link, combo, list, tree;
static WNDPROC list_procedure;
static BOOL is_hovered, is_clicked;
static int selections;

static void say(const wchar_t *what) {
    wchar_t text[64];
    wsprintfW(text, L"Foreign, %s", what);
    SetWindowTextW(main_window, text);
}

static LRESULT CALLBACK on_link(HWND hwnd, UINT message, WPARAM wparam, LPARAM lparam) {
    if (message == WM_MOUSEMOVE)
        is_hovered = TRUE;
    if (message == WM_LBUTTONDOWN && is_hovered) {
        say(L"linked");
        SetFocus(main_window);
    }
    return DefWindowProcW(hwnd, message, wparam, lparam);
}

static LRESULT CALLBACK on_popup(HWND hwnd, UINT message, WPARAM wparam, LPARAM lparam) {
    if (message == WM_MOUSEACTIVATE)
        return MA_NOACTIVATE;
    if (message == WM_LBUTTONDOWN) {
        say(L"chosen");
        DestroyWindow(hwnd);
        return 0;
    }
    return DefWindowProcW(hwnd, message, wparam, lparam);
}

static LRESULT CALLBACK on_list(HWND hwnd, UINT message, WPARAM wparam, LPARAM lparam) {
    if (message == WM_NOTIFY && ((NMHDR *)lparam)->code == (UINT)NM_RELEASEDCAPTURE && is_clicked) {
        is_clicked = FALSE;
        say(L"sorted");
    }
    if (message == WM_CONTEXTMENU) {
        HWND popup = CreateWindowExW(WS_EX_TOOLWINDOW | WS_EX_TOPMOST, L"ForeignPopup", L"", WS_POPUP | WS_BORDER,
                                     (short)LOWORD(lparam), (short)HIWORD(lparam), 90, 40, main_window, NULL, NULL, NULL);
        ShowWindow(popup, SW_SHOWNOACTIVATE);
        return 0;
    }
    return CallWindowProcW(list_procedure, hwnd, message, wparam, lparam);
}

static HWND control(const wchar_t *class, const wchar_t *name, DWORD style, int id, int y, int height) {
    return CreateWindowExW(0, class, name, WS_CHILD | WS_VISIBLE | WS_BORDER | style, 10, y, 200, height, main_window,
                           (HMENU)(INT_PTR)id, NULL, NULL);
}

void add_habits(HWND on) {
    main_window = on;
    WNDCLASSW drawn = {.lpfnWndProc = on_link, .lpszClassName = L"ForeignLink", .hbrBackground = (HBRUSH)(COLOR_WINDOW + 1)};
    WNDCLASSW popup = {.lpfnWndProc = on_popup, .lpszClassName = L"ForeignPopup", .hbrBackground = (HBRUSH)(COLOR_MENU + 1)};
    RegisterClassW(&drawn);
    RegisterClassW(&popup);
    link = control(L"ForeignLink", L"More", 0, 970, 10, 30);
    combo = control(L"COMBOBOX", L"", CBS_DROPDOWN | WS_TABSTOP, 971, 50, 200);
    SendMessageW(combo, CB_ADDSTRING, 0, (LPARAM)L"red");
    SendMessageW(combo, CB_ADDSTRING, 0, (LPARAM)L"green");
    list = control(L"SysListView32", L"", LVS_REPORT | LVS_SHOWSELALWAYS | WS_TABSTOP, 972, 90, 120);
    LVCOLUMNW column = {.mask = LVCF_TEXT | LVCF_WIDTH, .cx = 150, .pszText = L"Name"};
    SendMessageW(list, LVM_INSERTCOLUMNW, 0, (LPARAM)&column);
    for (int i = 0; i < 2; i++) {
        LVITEMW item = {.mask = LVIF_TEXT, .iItem = i, .pszText = i ? L"Second" : L"First"};
        SendMessageW(list, LVM_INSERTITEMW, 0, (LPARAM)&item);
    }
    list_procedure = (WNDPROC)SetWindowLongPtrW(list, GWLP_WNDPROC, (LONG_PTR)on_list);
    tree = control(L"SysTreeView32", L"", TVS_HASLINES | TVS_HASBUTTONS | TVS_LINESATROOT | WS_TABSTOP, 973, 220, 120);
    TVINSERTSTRUCTW item = {.hInsertAfter = TVI_LAST, .item = {.mask = TVIF_TEXT, .pszText = L"Root"}};
    item.hParent = (HTREEITEM)SendMessageW(tree, TVM_INSERTITEMW, 0, (LPARAM)&item);
    item.item.pszText = L"Leaf";
    SendMessageW(tree, TVM_INSERTITEMW, 0, (LPARAM)&item);
}

void habit_of_command(WPARAM wparam, LPARAM lparam) {
    if (!combo || (HWND)lparam != combo || HIWORD(wparam) != CBN_SELCHANGE)
        return;
    wchar_t wanted[32] = L"", held[32] = L"";
    SendMessageW(combo, CB_GETLBTEXT, SendMessageW(combo, CB_GETCURSEL, 0, 0), (LPARAM)wanted);
    GetWindowTextW(combo, held, 32);
    if (lstrcmpW(wanted, held))
        say(wanted);
}

void habit_of_notification(const NMHDR *header) {
    if (list && header->hwndFrom == list && header->code == (UINT)LVN_COLUMNCLICK)
        is_clicked = TRUE;
    if (!tree || header->hwndFrom != tree)
        return;
    if (header->code == (UINT)TVN_SELCHANGEDW)
        say(++selections == 1 ? L"selected once" : L"selected again");
    if (header->code == (UINT)TVN_ITEMEXPANDEDW)
        say(selections ? L"opened, selected" : L"opened");
}
