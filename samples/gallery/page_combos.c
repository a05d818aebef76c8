/* Page "combos": combo boxes of every kind. */
#include "gallery.h"

static const WCHAR *const METALS[] = { L"Iron", L"Copper", L"Zinc", L"Silver", L"Gold", L"Tin" };

static HIMAGELIST images;

static void fill(HWND combo, int selected)
{
    int i;
    for (i = 0; i < COUNT(METALS); i++) {
        ComboBox_AddString(combo, METALS[i]);
    }
    ComboBox_SetCurSel(combo, selected);
}

static void fill_long(HWND combo)
{
    WCHAR text[40];
    int i;
    for (i = 1; i <= 200; i++) {
        wsprintfW(text, L"Entry %03d", i);
        ComboBox_AddString(combo, text);
    }
    ComboBox_SetCurSel(combo, 99);
}

static void fill_extended(HWND combo)
{
    int i;
    SendMessageW(combo, CBEM_SETIMAGELIST, 0, (LPARAM)images);
    for (i = 0; i < COUNT(METALS); i++) {
        COMBOBOXEXITEMW item = { 0 };
        item.mask = CBEIF_TEXT | CBEIF_IMAGE | CBEIF_SELECTEDIMAGE | CBEIF_INDENT;
        item.iItem = -1;
        item.pszText = (WCHAR *)METALS[i];
        item.iImage = item.iSelectedImage = i % IMAGE_COUNT;
        item.iIndent = i % 3;
        SendMessageW(combo, CBEM_INSERTITEMW, 0, (LPARAM)&item);
    }
    SendMessageW(combo, CB_SETCURSEL, 1, 0);
}

static void prepare(HWND page)
{
    images = create_images(16);
    fill(GetDlgItem(page, IDC_COMBO_SIMPLE), 3);
    fill(GetDlgItem(page, IDC_COMBO_DROP_DOWN), -1);
    fill(GetDlgItem(page, IDC_COMBO_LIST), 0);
    fill(GetDlgItem(page, IDC_COMBO_SORTED), 0);
    fill(GetDlgItem(page, IDC_COMBO_OWNER_DRAWN), 2);
    fill(GetDlgItem(page, IDC_COMBO_DISABLED), 4);
    fill_long(GetDlgItem(page, IDC_COMBO_LONG));
    fill_extended(GetDlgItem(page, IDC_COMBO_EX));
    fill_extended(GetDlgItem(page, IDC_COMBO_EX_LIST));
}

static void draw(const DRAWITEMSTRUCT *item)
{
    BOOL selected = (item->itemState & ODS_SELECTED) != 0;
    RECT area = item->rcItem;
    WCHAR text[60] = L"";
    FillRect(item->hDC, &area, GetSysColorBrush(selected ? COLOR_HIGHLIGHT : COLOR_WINDOW));
    if (item->itemID == (UINT)-1) {
        return;
    }
    ComboBox_GetLBText(item->hwndItem, (int)item->itemID, text);
    area.left += 2;
    area.right = area.left + (area.bottom - area.top);
    InflateRect(&area, -1, -1);
    draw_swatch(item->hDC, &area, (int)item->itemID);
    area.left = area.right + 6;
    area.right = item->rcItem.right;
    SetBkMode(item->hDC, TRANSPARENT);
    SetTextColor(item->hDC, GetSysColor(selected ? COLOR_HIGHLIGHTTEXT : COLOR_WINDOWTEXT));
    DrawTextW(item->hDC, text, -1, &area, DT_SINGLELINE | DT_VCENTER);
}

INT_PTR CALLBACK combos_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    (void)wparam;
    switch (message) {
    case WM_INITDIALOG:
        prepare(page);
        return FALSE;
    case WM_MEASUREITEM:
        ((MEASUREITEMSTRUCT *)lparam)->itemHeight = 18;
        return TRUE;
    case WM_DRAWITEM:
        draw((const DRAWITEMSTRUCT *)lparam);
        return TRUE;
    case WM_DESTROY:
        ImageList_Destroy(images);
        return FALSE;
    }
    return FALSE;
}
