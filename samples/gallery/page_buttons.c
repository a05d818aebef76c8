/* Page "buttons": every kind of button, some with more than one state to start from. */
#include "gallery.h"

static void prepare(HWND page)
{
    CheckDlgButton(page, IDC_CHECK_ON, BST_CHECKED);
    CheckDlgButton(page, IDC_CHECK_DISABLED, BST_CHECKED);
    CheckDlgButton(page, IDC_THREE_STATE_MIXED, BST_INDETERMINATE);
    CheckRadioButton(page, IDC_APPLE, IDC_PLUM, IDC_PEAR);
    SendDlgItemMessageW(page, IDC_COMMAND_LINK, BCM_SETNOTE, 0, (LPARAM)L"A note below the text");
}

static void draw(const DRAWITEMSTRUCT *item)
{
    RECT area = item->rcItem;
    BOOL pressed = (item->itemState & ODS_SELECTED) != 0;
    DrawFrameControl(item->hDC, &area, DFC_BUTTON, DFCS_BUTTONPUSH | (pressed ? DFCS_PUSHED : 0));
    InflateRect(&area, -4, -4);
    area.right = area.left + (area.bottom - area.top);
    draw_swatch(item->hDC, &area, pressed ? 1 : 3);
    area.left = area.right + 6;
    area.right = item->rcItem.right;
    SetBkMode(item->hDC, TRANSPARENT);
    DrawTextW(item->hDC, L"Owner-drawn", -1, &area, DT_SINGLELINE | DT_VCENTER);
    if (item->itemState & ODS_FOCUS) {
        area = item->rcItem;
        InflateRect(&area, -2, -2);
        DrawFocusRect(item->hDC, &area);
    }
}

static void open_split_menu(HWND page, HWND button)
{
    HMENU menu = CreatePopupMenu();
    RECT area;
    GetWindowRect(button, &area);
    AppendMenuW(menu, MF_STRING, IDM_CONTEXT_ALPHA, L"&Alpha");
    AppendMenuW(menu, MF_STRING, IDM_CONTEXT_BETA, L"&Beta");
    TrackPopupMenu(menu, 0, area.left, area.bottom, 0, page, NULL);
    DestroyMenu(menu);
}

INT_PTR CALLBACK buttons_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_INITDIALOG:
        prepare(page);
        return FALSE;
    case WM_COMMAND:
        if (LOWORD(wparam) == IDC_CHECK_MANUAL && HIWORD(wparam) == BN_CLICKED) {
            /* A check box that is not automatic: the program decides. */
            CheckDlgButton(page, IDC_CHECK_MANUAL, !IsDlgButtonChecked(page, IDC_CHECK_MANUAL));
        } else if (LOWORD(wparam) == IDC_ENABLE && HIWORD(wparam) == BN_CLICKED) {
            EnableWindow(GetDlgItem(page, IDC_DISABLED), IsDlgButtonChecked(page, IDC_ENABLE) == BST_CHECKED);
        }
        return TRUE;
    case WM_NOTIFY:
        if (((const NMHDR *)lparam)->code == BCN_DROPDOWN) {
            open_split_menu(page, ((const NMHDR *)lparam)->hwndFrom);
            return TRUE;
        }
        return FALSE;
    case WM_DRAWITEM:
        draw((const DRAWITEMSTRUCT *)lparam);
        return TRUE;
    }
    return FALSE;
}
