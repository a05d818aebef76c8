/* A property sheet and a wizard: the same pages in another frame. */
#include "gallery.h"

static void fill(HWND page)
{
    HWND colours = GetDlgItem(page, IDC_SHEET_COLOUR), paths = GetDlgItem(page, IDC_SHEET_PATHS);
    begin_quiet();
    if (colours != NULL) {
        ComboBox_AddString(colours, L"Red");
        ComboBox_AddString(colours, L"Green");
        ComboBox_SetCurSel(colours, 0);
    }
    if (paths != NULL) {
        ListBox_AddString(paths, L"one\\way");
        ListBox_AddString(paths, L"another\\way");
    }
    SetDlgItemTextW(page, IDC_SHEET_NAME, L"Nameless");
    end_quiet();
}

static BOOL is_change(WPARAM wparam)
{
    int id = LOWORD(wparam), code = HIWORD(wparam);
    switch (id) {
    case IDC_SHEET_NAME:
    case IDC_SHEET_PATH:
        return code == EN_CHANGE;
    case IDC_SHEET_VISIBLE:
        return code == BN_CLICKED;
    case IDC_SHEET_COLOUR:
        return code == CBN_SELCHANGE;
    }
    return FALSE;
}

static INT_PTR CALLBACK sheet_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    int template_id = (int)GetWindowLongPtrW(page, DWLP_USER);
    const NMHDR *header = (const NMHDR *)lparam;
    note_message(page, message, wparam, lparam);
    switch (message) {
    case WM_INITDIALOG:
        SetWindowLongPtrW(page, DWLP_USER, (LONG_PTR)((const PROPSHEETPAGEW *)lparam)->lParam);
        fill(page);
        return TRUE;
    case WM_COMMAND:
        if (is_change(wparam)) {
            PropSheet_Changed(GetParent(page), page);
        }
        return TRUE;
    case WM_NOTIFY:
        if (header->code == PSN_SETACTIVE) {
            note(L"PSN_SETACTIVE %d", template_id);
        } else if (header->code == PSN_APPLY) {
            note(L"PSN_APPLY %d", template_id);
        } else if (header->code == PSN_RESET) {
            note(L"PSN_RESET %d", template_id);
        }
        return FALSE;
    }
    return FALSE;
}

static void set_buttons(HWND page, int template_id)
{
    HWND wizard = GetParent(page);
    BOOL agreed = IsDlgButtonChecked(page, IDC_WIZARD_AGREE) == BST_CHECKED;
    switch (template_id) {
    case IDD_WIZARD_START:
        PropSheet_SetWizButtons(wizard, agreed ? PSWIZB_NEXT : 0);
        break;
    case IDD_WIZARD_CHOICE:
        PropSheet_SetWizButtons(wizard, PSWIZB_BACK | PSWIZB_NEXT);
        break;
    case IDD_WIZARD_END:
        PropSheet_SetWizButtons(wizard, PSWIZB_BACK | PSWIZB_FINISH);
        break;
    }
}

static INT_PTR CALLBACK wizard_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    int template_id = (int)GetWindowLongPtrW(page, DWLP_USER);
    const NMHDR *header = (const NMHDR *)lparam;
    note_message(page, message, wparam, lparam);
    switch (message) {
    case WM_INITDIALOG:
        SetWindowLongPtrW(page, DWLP_USER, (LONG_PTR)((const PROPSHEETPAGEW *)lparam)->lParam);
        CheckDlgButton(page, IDC_WIZARD_SMALL, BST_CHECKED);
        return TRUE;
    case WM_COMMAND:
        if (LOWORD(wparam) == IDC_WIZARD_AGREE) {
            set_buttons(page, template_id);
        }
        return TRUE;
    case WM_NOTIFY:
        if (header->code == PSN_SETACTIVE) {
            note(L"PSN_SETACTIVE %d", template_id);
            set_buttons(page, template_id);
        } else if (header->code == PSN_WIZNEXT) {
            note(L"PSN_WIZNEXT %d", template_id);
        } else if (header->code == PSN_WIZBACK) {
            note(L"PSN_WIZBACK %d", template_id);
        } else if (header->code == PSN_WIZFINISH) {
            note(L"PSN_WIZFINISH %d", template_id);
        } else if (header->code == PSN_RESET) {
            note(L"PSN_RESET %d", template_id);
        }
        return FALSE;
    }
    return FALSE;
}

static int open(HWND owner, const WCHAR *title, const int *templates, int count, DLGPROC proc, DWORD flags)
{
    PROPSHEETPAGEW pages[3];
    PROPSHEETHEADERW sheet = { 0 };
    int i;
    ZeroMemory(pages, sizeof(pages));
    for (i = 0; i < count; i++) {
        pages[i].dwSize = sizeof(pages[i]);
        pages[i].hInstance = instance;
        pages[i].pszTemplate = MAKEINTRESOURCEW(templates[i]);
        pages[i].pfnDlgProc = proc;
        pages[i].lParam = templates[i];
    }
    sheet.dwSize = sizeof(sheet);
    sheet.dwFlags = PSH_PROPSHEETPAGE | flags;
    sheet.hwndParent = owner;
    sheet.hInstance = instance;
    sheet.pszCaption = title;
    sheet.nPages = (UINT)count;
    sheet.ppsp = pages;
    return (int)PropertySheetW(&sheet);
}

void open_property_sheet(HWND owner)
{
    static const int templates[] = { IDD_SHEET_GENERAL, IDD_SHEET_COLOURS, IDD_SHEET_PATHS };
    int result;
    note(L"DIALOG sheet opened");
    result = open(owner, L"Properties", templates, COUNT(templates), sheet_page, 0);
    note(L"DIALOG sheet result=%d", result);
}

void open_wizard(HWND owner)
{
    static const int templates[] = { IDD_WIZARD_START, IDD_WIZARD_CHOICE, IDD_WIZARD_END };
    int result;
    note(L"DIALOG wizard opened");
    result = open(owner, L"Wizard", templates, COUNT(templates), wizard_page, PSH_WIZARD);
    note(L"DIALOG wizard result=%d", result);
}
