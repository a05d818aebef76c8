/* Page "list-views": report views whose items the control keeps, asks for one by one, or does not have at all. */
#include "gallery.h"

#define VIRTUAL_COUNT 100000

struct row {
    const WCHAR *name;
    int size;
    const WCHAR *kind;
};

static const struct row ROWS[] = {
    { L"Readme", 12, L"Text" },      { L"Budget", 340, L"Table" },  { L"Holiday", 2048, L"Picture" },
    { L"Letter", 25, L"Text" },      { L"Archive", 9000, L"Zip" },  { L"Notes", 3, L"Text" },
    { L"Portrait", 1500, L"Picture" }, { L"Taxes", 410, L"Table" }, { L"Zebra", 777, L"Picture" },
    { L"Backup", 64000, L"Zip" },
};

static int sorted_column = -1;
static BOOL descending;

static void add_columns(HWND view)
{
    static const WCHAR *const titles[] = { L"Name", L"Size", L"Kind" };
    static const int widths[] = { 110, 60, 80 };
    int i;
    for (i = 0; i < COUNT(titles); i++) {
        LVCOLUMNW column = { 0 };
        column.mask = LVCF_TEXT | LVCF_WIDTH | LVCF_FMT | LVCF_SUBITEM;
        column.fmt = i == 1 ? LVCFMT_RIGHT : LVCFMT_LEFT;
        column.cx = widths[i];
        column.pszText = (WCHAR *)titles[i];
        column.iSubItem = i;
        SendMessageW(view, LVM_INSERTCOLUMNW, (WPARAM)i, (LPARAM)&column);
    }
}

static void set_text(HWND view, int row, int column, const WCHAR *text)
{
    LVITEMW item = { 0 };
    item.mask = LVIF_TEXT;
    item.iItem = row;
    item.iSubItem = column;
    item.pszText = (WCHAR *)text;
    SendMessageW(view, column == 0 ? LVM_INSERTITEMW : LVM_SETITEMW, 0, (LPARAM)&item);
}

static void fill(HWND view)
{
    WCHAR size[20];
    int i;
    add_columns(view);
    for (i = 0; i < COUNT(ROWS); i++) {
        wsprintfW(size, L"%d", ROWS[i].size);
        set_text(view, i, 0, ROWS[i].name);
        set_text(view, i, 1, size);
        set_text(view, i, 2, ROWS[i].kind);
    }
}

static void fill_callback(HWND view)
{
    int i, column;
    add_columns(view);
    for (i = 0; i < COUNT(ROWS); i++) {
        for (column = 0; column < 3; column++) {
            set_text(view, i, column, LPSTR_TEXTCALLBACKW);
        }
    }
}

static void prepare(HWND page)
{
    HWND report = GetDlgItem(page, IDC_LV_REPORT), virtual = GetDlgItem(page, IDC_LV_VIRTUAL);
    HWND full_row = GetDlgItem(page, IDC_LV_FULL_ROW);
    ListView_SetExtendedListViewStyle(report, LVS_EX_CHECKBOXES | LVS_EX_HEADERDRAGDROP);
    fill(report);
    ListView_SetCheckState(report, 1, TRUE);
    ListView_SetExtendedListViewStyle(full_row, LVS_EX_FULLROWSELECT | LVS_EX_GRIDLINES);
    fill(full_row);
    fill_callback(GetDlgItem(page, IDC_LV_CALLBACK));
    add_columns(virtual);
    ListView_SetItemCount(virtual, VIRTUAL_COUNT);
}

static void give_text(NMLVDISPINFOW *request)
{
    LVITEMW *item = &request->item;
    const struct row *row = &ROWS[item->iItem % COUNT(ROWS)];
    if (!(item->mask & LVIF_TEXT) || item->cchTextMax < 40) {
        return;
    }
    if (item->iSubItem == 1) {
        wsprintfW(item->pszText, L"%d", row->size);
    } else if (item->iSubItem == 2) {
        lstrcpynW(item->pszText, row->kind, item->cchTextMax);
    } else if (request->hdr.idFrom == IDC_LV_VIRTUAL) {
        wsprintfW(item->pszText, L"Row %d", item->iItem);
    } else {
        wsprintfW(item->pszText, L"Asked %s", row->name);
    }
}

static int CALLBACK compare(LPARAM first, LPARAM second, LPARAM parameter)
{
    HWND view = (HWND)parameter;
    WCHAR one[100] = L"", other[100] = L"";
    int order;
    ListView_GetItemText(view, (int)first, sorted_column, one, COUNT(one));
    ListView_GetItemText(view, (int)second, sorted_column, other, COUNT(other));
    if (sorted_column == 1 && lstrlenW(one) != lstrlenW(other)) {
        order = lstrlenW(one) - lstrlenW(other);
    } else {
        order = lstrcmpiW(one, other);
    }
    return descending ? -order : order;
}

static void sort(HWND view, int column)
{
    HWND header = ListView_GetHeader(view);
    int i;
    descending = column == sorted_column && !descending;
    sorted_column = column;
    begin_quiet();
    ListView_SortItemsEx(view, compare, (LPARAM)view);
    end_quiet();
    for (i = 0; i < 3; i++) {
        HDITEMW item = { 0 };
        item.mask = HDI_FORMAT;
        SendMessageW(header, HDM_GETITEMW, (WPARAM)i, (LPARAM)&item);
        item.fmt &= ~(HDF_SORTUP | HDF_SORTDOWN);
        if (i == column) {
            item.fmt |= descending ? HDF_SORTDOWN : HDF_SORTUP;
        }
        SendMessageW(header, HDM_SETITEMW, (WPARAM)i, (LPARAM)&item);
    }
}

INT_PTR CALLBACK list_views_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    const NMHDR *header = (const NMHDR *)lparam;
    (void)wparam;
    switch (message) {
    case WM_INITDIALOG:
        prepare(page);
        return FALSE;
    case WM_NOTIFY:
        switch (header->code) {
        case LVN_GETDISPINFOW:
            give_text((NMLVDISPINFOW *)lparam);
            return TRUE;
        case LVN_COLUMNCLICK:
            if (header->idFrom == IDC_LV_REPORT) {
                sort(header->hwndFrom, ((const NMLISTVIEW *)lparam)->iSubItem);
            }
            return TRUE;
        case LVN_KEYDOWN:
            if (header->idFrom == IDC_LV_REPORT && ((const NMLVKEYDOWN *)lparam)->wVKey == VK_F2) {
                SendMessageW(header->hwndFrom, LVM_EDITLABELW,
                    (WPARAM)ListView_GetNextItem(header->hwndFrom, -1, LVNI_FOCUSED), 0);
            }
            return FALSE;
        case LVN_ENDLABELEDITW:
            SetWindowLongPtrW(page, DWLP_MSGRESULT, ((const NMLVDISPINFOW *)lparam)->item.pszText != NULL);
            return TRUE;
        }
        return FALSE;
    }
    return FALSE;
}
