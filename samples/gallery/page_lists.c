/* Page "lists": list boxes of every kind, with and without strings. */
#include "gallery.h"

static void fill(HWND list, const WCHAR *word, int count)
{
    WCHAR text[60];
    int i;
    for (i = 1; i <= count; i++) {
        wsprintfW(text, items == ITEMS_RENAMED ? L"Another %s %d" : L"%s %d", word, items == ITEMS_REVERSED ? count + 1 - i : i);
        ListBox_AddString(list, text);
    }
}

static void prepare(HWND page)
{
    HWND no_strings = GetDlgItem(page, IDC_LIST_NO_STRINGS);
    int i;
    fill(GetDlgItem(page, IDC_LIST_SINGLE), L"Single", 30);
    ListBox_SetCurSel(GetDlgItem(page, IDC_LIST_SINGLE), 2);
    fill(GetDlgItem(page, IDC_LIST_MULTIPLE), L"Multiple", 12);
    ListBox_SetSel(GetDlgItem(page, IDC_LIST_MULTIPLE), TRUE, 1);
    ListBox_SetSel(GetDlgItem(page, IDC_LIST_MULTIPLE), TRUE, 4);
    fill(GetDlgItem(page, IDC_LIST_EXTENDED), L"Extended", 12);
    fill(GetDlgItem(page, IDC_LIST_VARIABLE), L"Variable", 10);
    fill(GetDlgItem(page, IDC_LIST_COLUMNS), L"Cell", 120);
    ListBox_SetColumnWidth(GetDlgItem(page, IDC_LIST_COLUMNS), 70);
    /* The items are numbers; added in disorder, WM_COMPAREITEM sorts them. */
    for (i = 0; i < 8; i++) {
        ListBox_AddString(no_strings, (const WCHAR *)(INT_PTR)((i * 5 + 3) % 8 + 1));
    }
}

static void get_text(const DRAWITEMSTRUCT *item, WCHAR *text)
{
    if (item->CtlID == IDC_LIST_NO_STRINGS) {
        wsprintfW(text, L"Number %d", (int)item->itemData);
    } else {
        ListBox_GetText(item->hwndItem, (int)item->itemID, text);
    }
}

static void draw(const DRAWITEMSTRUCT *item)
{
    BOOL selected = (item->itemState & ODS_SELECTED) != 0;
    RECT area = item->rcItem;
    WCHAR text[60];
    FillRect(item->hDC, &area, GetSysColorBrush(selected ? COLOR_HIGHLIGHT : COLOR_WINDOW));
    if (item->itemID != (UINT)-1) {
        get_text(item, text);
        InflateRect(&area, -3, -2);
        area.right = area.left + 10;
        draw_swatch(item->hDC, &area, (int)item->itemID);
        area.left = area.right + 5;
        area.right = item->rcItem.right;
        SetBkMode(item->hDC, TRANSPARENT);
        SetTextColor(item->hDC, GetSysColor(selected ? COLOR_HIGHLIGHTTEXT : COLOR_WINDOWTEXT));
        DrawTextW(item->hDC, text, -1, &area, DT_SINGLELINE | DT_VCENTER);
    }
    if (item->itemState & ODS_FOCUS) {
        DrawFocusRect(item->hDC, &item->rcItem);
    }
}

static void add_item(HWND list)
{
    WCHAR text[60];
    wsprintfW(text, L"Added %d", ListBox_GetCount(list) + 1);
    ListBox_SetCurSel(list, ListBox_AddString(list, text));
}

static void remove_item(HWND list)
{
    int item = ListBox_GetCurSel(list);
    if (item >= 0) {
        ListBox_DeleteString(list, item);
    }
}

INT_PTR CALLBACK lists_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_INITDIALOG:
        prepare(page);
        return FALSE;
    case WM_MEASUREITEM: {
        MEASUREITEMSTRUCT *item = (MEASUREITEMSTRUCT *)lparam;
        item->itemHeight = item->CtlID == IDC_LIST_VARIABLE ? 16 + 8 * (item->itemID % 3) : 16;
        return TRUE;
    }
    case WM_COMPAREITEM: {
        const COMPAREITEMSTRUCT *items = (const COMPAREITEMSTRUCT *)lparam;
        return items->itemData1 < items->itemData2 ? -1 : items->itemData1 > items->itemData2;
    }
    case WM_DRAWITEM:
        draw((const DRAWITEMSTRUCT *)lparam);
        return TRUE;
    case WM_COMMAND:
        if (LOWORD(wparam) == IDC_LIST_ADD && HIWORD(wparam) == BN_CLICKED) {
            add_item(GetDlgItem(page, IDC_LIST_SINGLE));
        } else if (LOWORD(wparam) == IDC_LIST_REMOVE && HIWORD(wparam) == BN_CLICKED) {
            remove_item(GetDlgItem(page, IDC_LIST_SINGLE));
        }
        return TRUE;
    }
    return FALSE;
}
