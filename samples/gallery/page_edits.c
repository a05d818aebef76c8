/* Page "edits": fields with their labels, rich text, a field without a label. */
#include "gallery.h"

#include <richedit.h>

static void prepare(HWND page)
{
    SetDlgItemTextW(page, IDC_CITY, L"Tromso");
    SetDlgItemTextW(page, IDC_READ_ONLY, L"Nobody can change this");
    SetDlgItemTextW(page, IDC_NOTES, L"First line\r\nSecond line");
    SendDlgItemMessageW(page, IDC_LIMITED, EM_LIMITTEXT, 5, 0);
    SetDlgItemTextW(page, IDC_RICH, L"Rich text.");
    /* A rich edit tells its parent nothing unless asked to. */
    SendDlgItemMessageW(page, IDC_RICH, EM_SETEVENTMASK, 0, ENM_CHANGE);
}

static void show_password(HWND page)
{
    BOOL shown = IsDlgButtonChecked(page, IDC_SHOW_PASSWORD) == BST_CHECKED;
    SendDlgItemMessageW(page, IDC_PASSWORD, EM_SETPASSWORDCHAR, shown ? 0 : L'*', 0);
    InvalidateRect(GetDlgItem(page, IDC_PASSWORD), NULL, TRUE);
}

INT_PTR CALLBACK edits_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    (void)lparam;
    switch (message) {
    case WM_INITDIALOG:
        prepare(page);
        return FALSE;
    case WM_COMMAND:
        if (LOWORD(wparam) == IDC_SHOW_PASSWORD && HIWORD(wparam) == BN_CLICKED) {
            show_password(page);
        }
        return TRUE;
    }
    return FALSE;
}
