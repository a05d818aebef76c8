/* Page "windows": one button for each further top-level window. */
#include "gallery.h"

INT_PTR CALLBACK windows_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    HWND owner = GetAncestor(page, GA_ROOT);
    (void)lparam;
    if (message != WM_COMMAND || HIWORD(wparam) != BN_CLICKED) {
        return FALSE;
    }
    switch (LOWORD(wparam)) {
    case IDC_OPEN_MDI:
        open_mdi(owner);
        break;
    case IDC_OPEN_SECOND:
        open_second_thread();
        break;
    case IDC_OPEN_LATE:
        open_late_window();
        break;
    case IDC_OPEN_ANSI:
        open_ansi_window(owner);
        break;
    case IDC_OPEN_TIMED:
        open_timed_window(owner);
        break;
    case IDC_OPEN_CLOCK:
        open_clock(owner);
        break;
    case IDC_OPEN_TWIN:
        open_twin(owner);
        break;
    case IDC_OPEN_TRAY:
        open_tray_icon();
        break;
    case IDC_OPEN_SPLASH:
        open_splash(owner);
        break;
    }
    return TRUE;
}
