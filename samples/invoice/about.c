/* The About box. */
#include "invoice.h"

static INT_PTR CALLBACK about_dialog(HWND dialog, UINT message, WPARAM wparam, LPARAM lparam)
{
    (void)lparam;
    switch (message) {
    case WM_INITDIALOG:
        SendDlgItemMessageW(dialog, IDC_ABOUT_ICON, STM_SETICON, (WPARAM)LoadIconW(NULL, IDI_INFORMATION), 0);
        return TRUE;
    case WM_COMMAND:
        if (LOWORD(wparam) == IDOK || LOWORD(wparam) == IDCANCEL) {
            EndDialog(dialog, LOWORD(wparam));
        }
        return TRUE;
    }
    return FALSE;
}

void open_about(HWND owner)
{
    INT_PTR result;
    note(L"DIALOG about opened");
    result = run_dialog(IDD_ABOUT, owner, about_dialog, 0);
    note(L"DIALOG about result=%d", (int)result);
}
