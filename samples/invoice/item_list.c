/* The list of items: a row each, in the invoice's order. */
#include "invoice.h"

/* Widths in pixels at 96 dpi; the description gets what is left. */
static const struct {
    int title, width, alignment;
} COLUMNS[COLUMN_COUNT] = {
    [COLUMN_DESCRIPTION] = { IDS_COLUMN_DESCRIPTION, 140, LVCFMT_LEFT },
    [COLUMN_QUANTITY] = { IDS_COLUMN_QUANTITY, 70, LVCFMT_RIGHT },
    [COLUMN_PRICE] = { IDS_COLUMN_PRICE, 100, LVCFMT_RIGHT },
    [COLUMN_VAT] = { IDS_COLUMN_VAT, 60, LVCFMT_RIGHT },
    [COLUMN_GIFT] = { IDS_COLUMN_GIFT, 80, LVCFMT_LEFT },
    [COLUMN_DELIVERY] = { IDS_COLUMN_DELIVERY, 85, LVCFMT_LEFT },
    [COLUMN_TOTAL] = { IDS_COLUMN_TOTAL, 115, LVCFMT_RIGHT },
};

HWND create_item_list(HWND frame)
{
    int i;
    HWND list = CreateWindowExW(WS_EX_CLIENTEDGE, WC_LISTVIEWW, NULL,
        WS_CHILD | WS_VISIBLE | WS_TABSTOP | LVS_REPORT | LVS_SINGLESEL | LVS_SHOWSELALWAYS, 0, 0, 0, 0, frame,
        (HMENU)(INT_PTR)IDC_ITEMS, instance, NULL);
    ListView_SetExtendedListViewStyle(list, LVS_EX_FULLROWSELECT | LVS_EX_GRIDLINES);
    for (i = 0; i < COLUMN_COUNT; i++) {
        LVCOLUMNW column = { 0 };
        column.mask = LVCF_TEXT | LVCF_WIDTH | LVCF_FMT;
        column.pszText = (WCHAR *)text(COLUMNS[i].title);
        column.cx = scaled(COLUMNS[i].width);
        column.fmt = COLUMNS[i].alignment;
        SendMessageW(list, LVM_INSERTCOLUMNW, (WPARAM)i, (LPARAM)&column);
    }
    return list;
}

void fit_columns(HWND list)
{
    RECT client;
    int i, left, least = scaled(COLUMNS[COLUMN_DESCRIPTION].width);
    GetClientRect(list, &client);
    left = client.right;
    for (i = 1; i < COLUMN_COUNT; i++) {
        left -= scaled(COLUMNS[i].width);
    }
    ListView_SetColumnWidth(list, COLUMN_DESCRIPTION, left > least ? left : least);
}

static void set_cell(HWND list, int row, int column, const WCHAR *words)
{
    LVITEMW cell = { 0 };
    cell.iSubItem = column;
    cell.pszText = (WCHAR *)words;
    SendMessageW(list, LVM_SETITEMTEXTW, (WPARAM)row, (LPARAM)&cell);
}

static void show_row(HWND list, int row)
{
    const struct item *item = item_at(row);
    WCHAR words[AMOUNT_SIZE];
    set_cell(list, row, COLUMN_DESCRIPTION, item->description);
    StringCchPrintfW(words, COUNT(words), L"%d", item->quantity);
    set_cell(list, row, COLUMN_QUANTITY, words);
    format_amount(words, item->price, FALSE);
    set_cell(list, row, COLUMN_PRICE, words);
    StringCchPrintfW(words, COUNT(words), L"%d %%", VAT_RATES[item->vat]);
    set_cell(list, row, COLUMN_VAT, words);
    set_cell(list, row, COLUMN_GIFT, item->gift ? text(IDS_WRAPPED) : L"");
    StringCchPrintfW(words, COUNT(words), L"%04d-%02d-%02d", item->year, item->month, item->day);
    set_cell(list, row, COLUMN_DELIVERY, words);
    format_amount(words, line_total(item), TRUE);
    set_cell(list, row, COLUMN_TOTAL, words);
}

static void insert_row(HWND list, int row)
{
    LVITEMW item = { 0 };
    item.mask = LVIF_TEXT;
    item.iItem = row;
    item.pszText = (WCHAR *)L"";
    SendMessageW(list, LVM_INSERTITEMW, 0, (LPARAM)&item);
}

void show_items(HWND list, int selected)
{
    int row, count = ListView_GetItemCount(list);
    SendMessageW(list, WM_SETREDRAW, FALSE, 0);
    for (; count < document.count; count++) {
        insert_row(list, count);
    }
    while (count > document.count) {
        ListView_DeleteItem(list, --count);
    }
    for (row = 0; row < document.count; row++) {
        show_row(list, row);
    }
    if (selected != selected_row(list)) {
        ListView_SetItemState(list, -1, 0, LVIS_SELECTED | LVIS_FOCUSED);
        if (selected >= 0) {
            ListView_SetItemState(list, selected, LVIS_SELECTED | LVIS_FOCUSED, LVIS_SELECTED | LVIS_FOCUSED);
        }
    }
    SendMessageW(list, WM_SETREDRAW, TRUE, 0);
    if (selected >= 0) {
        ListView_EnsureVisible(list, selected, FALSE);
    }
    fit_columns(list);
}

int selected_row(HWND list)
{
    return ListView_GetNextItem(list, -1, LVNI_SELECTED);
}
