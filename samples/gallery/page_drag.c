/* Page "drag": drag inside a list, between two lists by own code and by OLE, of a splitter, and files from elsewhere. */
#include "gallery.h"

#include <shellapi.h>

static UINT drag_list_message;
static HWND drag_source; /* the list view being dragged from, while a drag lasts */
static int dragged_item;

static void fill_view(HWND view, const WCHAR *word, int count)
{
    LVCOLUMNW column = { 0 };
    int i;
    column.mask = LVCF_TEXT | LVCF_WIDTH;
    column.cx = 150;
    column.pszText = (WCHAR *)word;
    SendMessageW(view, LVM_INSERTCOLUMNW, 0, (LPARAM)&column);
    for (i = 0; i < count; i++) {
        LVITEMW item = { 0 };
        WCHAR text[40];
        wsprintfW(text, L"%s %d", word, i + 1);
        item.mask = LVIF_TEXT;
        item.iItem = i;
        item.pszText = text;
        SendMessageW(view, LVM_INSERTITEMW, 0, (LPARAM)&item);
    }
}

static void prepare(HWND page)
{
    static const WCHAR *const words[] = { L"Alpha", L"Beta", L"Gamma", L"Delta", L"Epsilon", L"Zeta" };
    HWND list = GetDlgItem(page, IDC_DRAG_LIST);
    int i;
    for (i = 0; i < COUNT(words); i++) {
        ListBox_AddString(list, words[i]);
    }
    MakeDragList(list);
    drag_list_message = RegisterWindowMessageW(DRAGLISTMSGSTRING);
    fill_view(GetDlgItem(page, IDC_DRAG_LEFT), L"Left", 5);
    fill_view(GetDlgItem(page, IDC_DRAG_RIGHT), L"Right", 3);
    DragAcceptFiles(GetDlgItem(page, IDC_DROP_TARGET), TRUE);
    fill_view(GetDlgItem(page, IDC_OLE_SOURCE), L"Text", 4);
    accept_ole_drops(GetDlgItem(page, IDC_OLE_TARGET));
}

static void move_inside(HWND list, int from, int to)
{
    WCHAR text[60];
    if (to < 0 || to == from) {
        return;
    }
    ListBox_GetText(list, from, text);
    ListBox_DeleteString(list, from);
    ListBox_InsertString(list, to, text);
    ListBox_SetCurSel(list, to);
    note(L"MOVED %d text=\"%s\" from=%d to=%d", GetDlgCtrlID(list), text, from, to);
}

static LRESULT on_drag_list(HWND page, const DRAGLISTINFO *info)
{
    int target = LBItemFromPt(info->hWnd, info->ptCursor, TRUE);
    switch (info->uNotification) {
    case DL_BEGINDRAG:
        dragged_item = target;
        note(L"DRAG begins");
        return target >= 0;
    case DL_DRAGGING:
        DrawInsert(page, info->hWnd, target);
        return target >= 0 ? DL_MOVECURSOR : DL_STOPCURSOR;
    case DL_DROPPED:
        DrawInsert(page, info->hWnd, -1);
        move_inside(info->hWnd, dragged_item, target);
        return 0;
    case DL_CANCELDRAG:
        DrawInsert(page, info->hWnd, -1);
        return 0;
    }
    return 0;
}

/* A drag between the list views: the page has the pointer until the button is released. */
static void begin_drag(HWND page, const NMLISTVIEW *view)
{
    drag_source = view->hdr.hwndFrom;
    dragged_item = view->iItem;
    SetCapture(page);
    SetCursor(LoadCursorW(NULL, IDC_SIZEALL));
    note(L"DRAG begins");
}

static void end_drag(HWND page, POINT point)
{
    HWND source = drag_source, target;
    WCHAR text[60] = L"";
    LVITEMW item = { 0 };
    drag_source = NULL;
    ReleaseCapture();
    target = ChildWindowFromPoint(page, point);
    if (target == source || (target != GetDlgItem(page, IDC_DRAG_LEFT) && target != GetDlgItem(page, IDC_DRAG_RIGHT))) {
        note(L"DRAG cancelled");
        return;
    }
    ListView_GetItemText(source, dragged_item, 0, text, COUNT(text));
    item.mask = LVIF_TEXT;
    item.iItem = ListView_GetItemCount(target);
    item.pszText = text;
    begin_quiet();
    SendMessageW(target, LVM_INSERTITEMW, 0, (LPARAM)&item);
    ListView_DeleteItem(source, dragged_item);
    end_quiet();
    note(L"DRAGGED text=\"%s\" from=%d to=%d", text, GetDlgCtrlID(source), GetDlgCtrlID(target));
}

INT_PTR CALLBACK drag_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    if (message == drag_list_message && message != 0) {
        SetWindowLongPtrW(page, DWLP_MSGRESULT, on_drag_list(page, (const DRAGLISTINFO *)lparam));
        return TRUE;
    }
    (void)wparam;
    switch (message) {
    case WM_INITDIALOG:
        prepare(page);
        return FALSE;
    case WM_NOTIFY:
        if (((const NMHDR *)lparam)->code == LVN_BEGINDRAG) {
            const NMLISTVIEW *view = (const NMLISTVIEW *)lparam;
            if (view->hdr.idFrom == IDC_OLE_SOURCE) {
                drag_by_ole(view->hdr.hwndFrom, view->iItem);
            } else {
                begin_drag(page, view);
            }
            return TRUE;
        }
        return FALSE;
    case WM_LBUTTONUP:
        if (drag_source != NULL) {
            POINT point = { GET_X_LPARAM(lparam), GET_Y_LPARAM(lparam) };
            end_drag(page, point);
        }
        return TRUE;
    case WM_CAPTURECHANGED:
        drag_source = NULL;
        return TRUE;
    case WM_DESTROY:
        refuse_ole_drops();
        return FALSE;
    }
    return FALSE;
}
