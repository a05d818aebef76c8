/* Standard controls and a dialog with room to spare: a click on the background, a label or the empty area of
 * a list does nothing that anyone would miss. The button at the end is what counts.
 */
#include "truth.h"

enum { ID_LIST_VIEW = 101, ID_LIST_BOX, ID_TREE, ID_LABEL, ID_OPEN, ID_DONE };

static void fill(HWND view, HWND box, HWND tree)
{
    const WCHAR *names[MAX_NAMES];
    Options all = options;
    options.removed = FALSE;
    int count = item_names(names);
    options = all;
    for (int i = 0; i < count && i < 3; i++) {
        LVITEMW item = {.mask = LVIF_TEXT, .iItem = i, .pszText = (WCHAR *)names[i]};
        TVINSERTSTRUCTW leaf = {.hInsertAfter = TVI_LAST,
            .item = {.mask = TVIF_TEXT, .pszText = (WCHAR *)names[i]}};
        SendMessageW(view, LVM_INSERTITEMW, 0, (LPARAM)&item);
        SendMessageW(box, LB_ADDSTRING, 0, (LPARAM)names[i]);
        SendMessageW(tree, TVM_INSERTITEMW, 0, (LPARAM)&leaf);
    }
}

static void create(HWND frame)
{
    DWORD common = WS_BORDER | WS_TABSTOP;
    LVCOLUMNW column = {.mask = LVCF_TEXT | LVCF_WIDTH, .pszText = L"Name", .cx = 80};
    HWND view = NULL;
    if (!options.removed) {
        view = control(frame, WC_LISTVIEWW, L"", LVS_REPORT | LVS_SINGLESEL | common, ID_LIST_VIEW, 10, 10,
            140, 200);
        SendMessageW(view, LVM_INSERTCOLUMNW, 0, (LPARAM)&column);
    }
    HWND box = control(frame, L"LISTBOX", L"", LBS_NOTIFY | LBS_NOINTEGRALHEIGHT | common, ID_LIST_BOX, 160,
        10, 140, 200);
    HWND tree = control(frame, WC_TREEVIEWW, L"", TVS_HASLINES | common, ID_TREE, 310, 10, 140, 200);
    control(frame, L"BUTTON", L"&Open", WS_TABSTOP, ID_OPEN, 10, 230, 80, 24);
    control(frame, L"BUTTON", L"&Done", WS_TABSTOP, ID_DONE, 100, 230, 80, 24);
    fill(view, box, tree);
}

static INT_PTR CALLBACK on_dialog(HWND dialog, UINT message, WPARAM wparam, LPARAM lparam)
{
    (void)lparam;
    switch (message) {
    case WM_INITDIALOG:
        control(dialog, L"STATIC", L"A label", 0, ID_LABEL, 10, 10, 140, 20);
        control(dialog, L"BUTTON", L"OK", WS_TABSTOP | BS_DEFPUSHBUTTON, IDOK, 10, 44, 80, 24);
        return TRUE;
    case WM_COMMAND:
        if (LOWORD(wparam) == IDOK || LOWORD(wparam) == IDCANCEL) {
            EndDialog(dialog, LOWORD(wparam));
        }
        return TRUE;
    }
    return FALSE;
}

LRESULT CALLBACK on_harmless(HWND frame, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_CREATE:
        create(frame);
        return 0;
    case WM_COMMAND:
        if (wparam == MAKEWPARAM(ID_DONE, BN_CLICKED)) {
            outcome(L"DONE");
        } else if (wparam == MAKEWPARAM(ID_OPEN, BN_CLICKED)) {
            open_dialog(frame, L"Empty", on_dialog);
        }
        return 0;
    }
    return DefWindowProcW(frame, message, wparam, lparam);
}
