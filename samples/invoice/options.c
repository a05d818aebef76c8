/* The options: a property sheet of three pages. Each page that was seen goes into the invoice with OK and Apply. */
#include "invoice.h"

#include <prsht.h>

#define ID_APPLY_NOW 0x3021 /* the sheet's own number for its Apply button */

/* What the pages have in hand. */
static struct options draft;

static void fill_customer(HWND page)
{
    SendDlgItemMessageW(page, IDC_CUSTOMER, EM_LIMITTEXT, TEXT_SIZE - 1, 0);
    SetDlgItemTextW(page, IDC_CUSTOMER, draft.customer);
    CheckDlgButton(page, IDC_DISCOUNT, draft.discount ? BST_CHECKED : BST_UNCHECKED);
    SendDlgItemMessageW(page, IDC_PERCENT, EM_LIMITTEXT, 2, 0);
    SendDlgItemMessageW(page, IDC_PERCENT_SPIN, UDM_SETRANGE32, 1, 50);
    SendDlgItemMessageW(page, IDC_PERCENT_SPIN, UDM_SETPOS32, 0, draft.percent);
}

static void enable_percent(HWND page)
{
    BOOL on = IsDlgButtonChecked(page, IDC_DISCOUNT) == BST_CHECKED;
    EnableWindow(GetDlgItem(page, IDC_PERCENT_LABEL), on);
    EnableWindow(GetDlgItem(page, IDC_PERCENT), on);
    EnableWindow(GetDlgItem(page, IDC_PERCENT_SPIN), on);
}

static BOOL read_customer(HWND page)
{
    BOOL is_number;
    int percent = (int)GetDlgItemInt(page, IDC_PERCENT, &is_number, FALSE);
    if (!is_number || percent < 1 || percent > 50) {
        ask(GetParent(page), IDS_BAD_PERCENT, L"", MB_OK | MB_ICONWARNING);
        return FALSE;
    }
    if (!has_fault(FAULT_OPTIONS_LOST)) {
        ZeroMemory(draft.customer, sizeof(draft.customer));
        GetDlgItemTextW(page, IDC_CUSTOMER, draft.customer, COUNT(draft.customer));
    }
    draft.discount = IsDlgButtonChecked(page, IDC_DISCOUNT) == BST_CHECKED;
    draft.percent = percent;
    return TRUE;
}

/* Which of the radio buttons is on, counted from 0. */
static int chosen(HWND page, int first, int count)
{
    int i = 0;
    while (i < count - 1 && !IsDlgButtonChecked(page, first + i)) {
        i++;
    }
    return i;
}

static void fill_money(HWND page)
{
    HWND currency = GetDlgItem(page, IDC_CURRENCY);
    int i;
    for (i = 0; i < CURRENCY_COUNT; i++) {
        ComboBox_AddString(currency, CURRENCIES[i]);
    }
    ComboBox_SetCurSel(currency, draft.currency);
    CheckRadioButton(page, IDC_ROUND_CENT, IDC_ROUND_WHOLE, IDC_ROUND_CENT + draft.rounding);
}

static BOOL read_money(HWND page)
{
    draft.currency = ComboBox_GetCurSel(GetDlgItem(page, IDC_CURRENCY));
    draft.rounding = chosen(page, IDC_ROUND_CENT, ROUND_COUNT);
    return TRUE;
}

static void fill_numbers(HWND page)
{
    CheckRadioButton(page, IDC_NUMBERS_POINT, IDC_NUMBERS_PLAIN, IDC_NUMBERS_POINT + draft.numbers);
    CheckDlgButton(page, IDC_SHOW_CURRENCY, draft.show_currency ? BST_CHECKED : BST_UNCHECKED);
}

static BOOL read_numbers(HWND page)
{
    draft.numbers = chosen(page, IDC_NUMBERS_POINT, NUMBERS_COUNT);
    draft.show_currency = IsDlgButtonChecked(page, IDC_SHOW_CURRENCY) == BST_CHECKED;
    return TRUE;
}

static const struct {
    int template_id;
    void (*fill)(HWND page);
    BOOL (*read)(HWND page);
} PAGES[] = {
    { IDD_CUSTOMER, fill_customer, read_customer },
    { IDD_MONEY, fill_money, read_money },
    { IDD_NUMBERS, fill_numbers, read_numbers },
};

static BOOL is_change(WPARAM wparam)
{
    switch (LOWORD(wparam)) {
    case IDC_CUSTOMER:
    case IDC_PERCENT:
        return HIWORD(wparam) == EN_CHANGE;
    case IDC_CURRENCY:
        return HIWORD(wparam) == CBN_SELCHANGE;
    }
    return HIWORD(wparam) == BN_CLICKED;
}

static void apply(HWND page, int index)
{
    BOOL well = PAGES[index].read(page);
    note(L"OPTIONS page=%d applied=%d", index, well);
    SetWindowLongPtrW(page, DWLP_MSGRESULT, well ? PSNRET_NOERROR : PSNRET_INVALID_NOCHANGEPAGE);
    if (well) {
        set_options(&draft);
        note(L"OPTIONS customer=\"%s\" discount=%d percent=%d currency=%s rounding=%d numbers=%d show-currency=%d",
            draft.customer, draft.discount, draft.percent, CURRENCIES[draft.currency], draft.rounding, draft.numbers,
            draft.show_currency);
        refresh(KEEP_SELECTION);
    }
}

static INT_PTR CALLBACK options_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    int index = (int)GetWindowLongPtrW(page, DWLP_USER);
    switch (message) {
    case WM_INITDIALOG:
        index = (int)((const PROPSHEETPAGEW *)lparam)->lParam;
        PAGES[index].fill(page);
        enable_percent(page);
        /* Notifications come only from here on to a page that knows itself. */
        SetWindowLongPtrW(page, DWLP_USER, index);
        return TRUE;
    case WM_COMMAND:
        if (is_change(wparam)) {
            enable_percent(page);
            PropSheet_Changed(GetParent(page), page);
        }
        return TRUE;
    case WM_NOTIFY:
        if (((const NMHDR *)lparam)->code == PSN_APPLY) {
            apply(page, index);
            return TRUE;
        }
        return FALSE;
    }
    return FALSE;
}

static int CALLBACK translate_sheet(HWND sheet, UINT message, LPARAM lparam)
{
    (void)lparam;
    if (message == PSCB_INITIALIZED) {
        SetDlgItemTextW(sheet, IDOK, text(IDS_OK));
        SetDlgItemTextW(sheet, IDCANCEL, text(IDS_CANCEL));
        SetDlgItemTextW(sheet, ID_APPLY_NOW, text(IDS_APPLY));
    }
    return 0;
}

void open_options(HWND owner)
{
    PROPSHEETPAGEW pages[COUNT(PAGES)];
    PROPSHEETHEADERW sheet = { 0 };
    int i, result;
    ZeroMemory(pages, sizeof(pages));
    for (i = 0; i < COUNT(PAGES); i++) {
        pages[i].dwSize = sizeof(pages[i]);
        pages[i].dwFlags = PSP_DLGINDIRECT;
        pages[i].hInstance = instance;
        pages[i].pResource = dialog_template(PAGES[i].template_id);
        pages[i].pfnDlgProc = options_page;
        pages[i].lParam = i;
    }
    sheet.dwSize = sizeof(sheet);
    sheet.dwFlags = PSH_PROPSHEETPAGE | PSH_USECALLBACK | PSH_NOCONTEXTHELP;
    sheet.hwndParent = owner;
    sheet.hInstance = instance;
    sheet.pszCaption = text(IDS_OPTIONS_TITLE);
    sheet.nPages = COUNT(pages);
    sheet.ppsp = pages;
    sheet.pfnCallback = translate_sheet;
    draft = document.options;
    note(L"DIALOG options opened");
    result = (int)PropertySheetW(&sheet);
    note(L"DIALOG options result=%d", result);
}
