/* A list view that holds no texts: it asks for each when it draws it. Commands are about the selected item,
 * and the outcome says by its name which one that was.
 */
#include "truth.h"

enum { ID_LIST = 101, ID_TEXT, ID_SAVE, ID_RENAME, ID_DELETE, ID_STATUS };

static struct {
    WCHAR name[32], value[32];
} items[MAX_NAMES];

static int count;
static HWND list, text, status;

static void create(HWND frame, BOOL is_virtual)
{
    const WCHAR *names[MAX_NAMES];
    DWORD style = LVS_REPORT | LVS_SINGLESEL | LVS_SHOWSELALWAYS | WS_BORDER | WS_TABSTOP;
    text = control(frame, L"EDIT", L"", WS_BORDER | WS_TABSTOP | ES_AUTOHSCROLL, ID_TEXT, 10, 10, 150, 24);
    control(frame, L"BUTTON", L"&Save to item", WS_TABSTOP, ID_SAVE, 170, 10, 100, 24);
    control(frame, L"BUTTON", L"&Rename", WS_TABSTOP, ID_RENAME, 280, 10, 80, 24);
    control(frame, L"BUTTON", L"&Delete", WS_TABSTOP, ID_DELETE, 370, 10, 80, 24);
    list = control(frame, WC_LISTVIEWW, L"", style | (is_virtual ? LVS_OWNERDATA : 0), ID_LIST, 10, 44, 300,
        200);
    if (options.status) {
        status = control(frame, L"STATIC", L"Nothing selected", 0, ID_STATUS, 10, 10, 200, 16);
    }
    for (int i = 0; i < 2; i++) {
        LVCOLUMNW column = {.mask = LVCF_TEXT | LVCF_WIDTH, .pszText = i == 0 ? L"Name" : L"Text", .cx = 140};
        SendMessageW(list, LVM_INSERTCOLUMNW, i, (LPARAM)&column);
    }
    count = item_names(names);
    for (int i = 0; i < count; i++) {
        lstrcpyW(items[i].name, names[i]);
    }
    if (is_virtual) {
        SendMessageW(list, LVM_SETITEMCOUNT, count, 0);
    }
    for (int i = 0; !is_virtual && i < count; i++) {
        LVITEMW item = {.mask = LVIF_TEXT, .iItem = i, .pszText = LPSTR_TEXTCALLBACKW};
        SendMessageW(list, LVM_INSERTITEMW, 0, (LPARAM)&item);
    }
}

static void give_text(LVITEMW *item)
{
    if ((item->mask & LVIF_TEXT) != 0 && item->iItem >= 0 && item->iItem < count) {
        lstrcpynW(item->pszText, item->iSubItem == 0 ? items[item->iItem].name : items[item->iItem].value,
            item->cchTextMax);
    }
}

static void delete(HWND frame, int index, BOOL is_virtual)
{
    WCHAR question[64];
    wsprintfW(question, L"Delete %s?", items[index].name);
    if (MessageBoxW(frame, question, L"Delete", MB_YESNO | MB_ICONQUESTION) != IDYES) {
        return;
    }
    outcome(L"DELETE %s", items[index].name);
    count--;
    for (int i = index; i < count; i++) {
        items[i] = items[i + 1];
    }
    SendMessageW(list, is_virtual ? LVM_SETITEMCOUNT : LVM_DELETEITEM, is_virtual ? count : index, 0);
}

static void command(HWND frame, int id, BOOL is_virtual)
{
    WCHAR written[32];
    int index = (int)SendMessageW(list, LVM_GETNEXTITEM, -1, LVNI_SELECTED);
    if (index < 0 || index >= count) {
        return;
    }
    GetWindowTextW(text, written, 32);
    switch (id) {
    case ID_SAVE:
        outcome(L"SAVE %s: %s", items[index].name, written);
        lstrcpyW(items[index].value, written);
        break;
    case ID_RENAME:
        outcome(L"RENAME %s: %s", items[index].name, written);
        lstrcpyW(items[index].name, written);
        break;
    case ID_DELETE:
        delete(frame, index, is_virtual);
        break;
    }
    InvalidateRect(list, NULL, TRUE);
}

static LRESULT on_list(HWND frame, UINT message, WPARAM wparam, LPARAM lparam, BOOL is_virtual)
{
    switch (message) {
    case WM_CREATE:
        create(frame, is_virtual);
        return 0;
    case WM_SIZE:
        MoveWindow(list, 10, 44, max(LOWORD(lparam) - 20, 0), max(HIWORD(lparam) - 74, 0), TRUE);
        if (status != NULL) {
            MoveWindow(status, 10, max(HIWORD(lparam) - 24, 0), 200, 16, TRUE);
        }
        return 0;
    case WM_COMMAND:
        if (HIWORD(wparam) == BN_CLICKED) {
            command(frame, LOWORD(wparam), is_virtual);
        }
        return 0;
    case WM_NOTIFY:
        if (((NMHDR *)lparam)->code == LVN_GETDISPINFOW) {
            give_text(&((NMLVDISPINFOW *)lparam)->item);
        } else if (((NMHDR *)lparam)->code == LVN_ITEMCHANGED && status != NULL) {
            BOOL is_any = SendMessageW(list, LVM_GETSELECTEDCOUNT, 0, 0) != 0;
            SetWindowTextW(status, is_any ? L"One item selected" : L"Nothing selected");
        }
        return 0;
    }
    return DefWindowProcW(frame, message, wparam, lparam);
}

LRESULT CALLBACK on_callback_list(HWND frame, UINT message, WPARAM wparam, LPARAM lparam)
{
    return on_list(frame, message, wparam, lparam, FALSE);
}

LRESULT CALLBACK on_virtual_list(HWND frame, UINT message, WPARAM wparam, LPARAM lparam)
{
    return on_list(frame, message, wparam, lparam, TRUE);
}
