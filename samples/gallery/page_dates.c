/* Page "dates": dates, times, hot keys and addresses. They start at a fixed day, whatever today is. */
#include "gallery.h"

static const SYSTEMTIME START = { 2024, 2, 4, 29, 12, 34, 56, 0 };

static void prepare(HWND page)
{
    static const int pickers[] = {
        IDC_DATE_SHORT, IDC_DATE_LONG, IDC_DATE_TIME, IDC_DATE_CUSTOM, IDC_DATE_OPTIONAL, IDC_DATE_UPDOWN,
    };
    SYSTEMTIME days[2];
    int i;
    for (i = 0; i < COUNT(pickers); i++) {
        SendDlgItemMessageW(page, pickers[i], DTM_SETSYSTEMTIME, GDT_VALID, (LPARAM)&START);
    }
    SendDlgItemMessageW(page, IDC_DATE_OPTIONAL, DTM_SETSYSTEMTIME, GDT_NONE, (LPARAM)&START);
    SendDlgItemMessageW(page, IDC_DATE_CUSTOM, DTM_SETFORMATW, 0, (LPARAM)L"yyyy'-'MM'-'dd HH':'mm");
    SendDlgItemMessageW(page, IDC_CALENDAR, MCM_SETCURSEL, 0, (LPARAM)&START);
    days[0] = days[1] = START;
    days[0].wDay = 12;
    days[1].wDay = 15;
    SendDlgItemMessageW(page, IDC_CALENDAR_RANGE, MCM_SETMAXSELCOUNT, 14, 0);
    SendDlgItemMessageW(page, IDC_CALENDAR_RANGE, MCM_SETSELRANGE, 0, (LPARAM)days);
    SendDlgItemMessageW(page, IDC_HOT_KEY, HKM_SETHOTKEY, MAKEWORD('K', HOTKEYF_CONTROL | HOTKEYF_ALT), 0);
    SendDlgItemMessageW(page, IDC_IP_ADDRESS, IPM_SETADDRESS, 0, MAKEIPADDRESS(192, 168, 0, 1));
}

/* These two tell their parent of a change by WM_COMMAND, with nothing in it. */
static void note_value(HWND page, int id)
{
    if (id == IDC_HOT_KEY || id == IDC_HOT_KEY_EMPTY) {
        WORD key = (WORD)SendDlgItemMessageW(page, id, HKM_GETHOTKEY, 0, 0);
        note(L"WM_COMMAND %d EN_CHANGE key=%d modifiers=%d", id, LOBYTE(key), HIBYTE(key));
    } else if (id == IDC_IP_ADDRESS) {
        DWORD address = 0;
        SendDlgItemMessageW(page, id, IPM_GETADDRESS, 0, (LPARAM)&address);
        note(L"WM_COMMAND %d EN_CHANGE address=%d.%d.%d.%d", id, (int)FIRST_IPADDRESS(address),
            (int)SECOND_IPADDRESS(address), (int)THIRD_IPADDRESS(address), (int)FOURTH_IPADDRESS(address));
    }
}

INT_PTR CALLBACK dates_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    (void)lparam;
    switch (message) {
    case WM_INITDIALOG:
        prepare(page);
        return FALSE;
    case WM_COMMAND:
        if (HIWORD(wparam) == EN_CHANGE) {
            note_value(page, LOWORD(wparam));
        }
        return TRUE;
    }
    return FALSE;
}
