/* Dialogs of the program's own: modal, modal from modal, modeless. */
#include "gallery.h"

static HWND modeless_dialog;

static INT_PTR end(HWND dialog, const WCHAR *name, WPARAM wparam)
{
    note(L"DIALOG %s result=%d", name, (int)LOWORD(wparam));
    EndDialog(dialog, LOWORD(wparam));
    return TRUE;
}

static INT_PTR CALLBACK nested_proc(HWND dialog, UINT message, WPARAM wparam, LPARAM lparam)
{
    static const WCHAR *const colours[] = { L"Red", L"Green", L"Blue" };
    HWND list = GetDlgItem(dialog, IDC_NESTED_LIST);
    int i;
    note_message(dialog, message, wparam, lparam);
    switch (message) {
    case WM_INITDIALOG:
        note(L"DIALOG nested opened");
        for (i = 0; i < COUNT(colours); i++) {
            ListBox_AddString(list, colours[i]);
        }
        return TRUE;
    case WM_COMMAND:
        switch (LOWORD(wparam)) {
        case IDC_NESTED_BOX:
            i = MessageBoxW(dialog, L"A box from a dialog from a dialog.", L"Third level", MB_OKCANCEL);
            note(L"BOX result=%d", i);
            return TRUE;
        case IDOK:
        case IDCANCEL:
            return end(dialog, L"nested", wparam);
        }
    }
    return FALSE;
}

static INT_PTR CALLBACK modal_proc(HWND dialog, UINT message, WPARAM wparam, LPARAM lparam)
{
    note_message(dialog, message, wparam, lparam);
    switch (message) {
    case WM_INITDIALOG:
        note(L"DIALOG modal opened");
        return TRUE;
    case WM_COMMAND:
        switch (LOWORD(wparam)) {
        case IDC_MODAL_NESTED:
            DialogBoxParamW(instance, MAKEINTRESOURCEW(IDD_NESTED), dialog, nested_proc, 0);
            return TRUE;
        case IDOK:
        case IDCANCEL:
            return end(dialog, L"modal", wparam);
        }
    }
    return FALSE;
}

void open_modal(HWND owner)
{
    DialogBoxParamW(instance, MAKEINTRESOURCEW(IDD_MODAL), owner, modal_proc, 0);
}

static INT_PTR CALLBACK about_proc(HWND dialog, UINT message, WPARAM wparam, LPARAM lparam)
{
    note_message(dialog, message, wparam, lparam);
    switch (message) {
    case WM_INITDIALOG:
        note(L"DIALOG about opened");
        return TRUE;
    case WM_COMMAND:
        if (LOWORD(wparam) == IDOK || LOWORD(wparam) == IDCANCEL) {
            return end(dialog, L"about", wparam);
        }
    }
    return FALSE;
}

void open_about(HWND owner)
{
    DialogBoxParamW(instance, MAKEINTRESOURCEW(IDD_ABOUT), owner, about_proc, 0);
}

static INT_PTR CALLBACK modeless_proc(HWND dialog, UINT message, WPARAM wparam, LPARAM lparam)
{
    note_message(dialog, message, wparam, lparam);
    switch (message) {
    case WM_INITDIALOG:
        note(L"DIALOG modeless opened");
        return TRUE;
    case WM_COMMAND:
        if (LOWORD(wparam) == IDCANCEL) {
            note(L"DIALOG modeless closed");
            DestroyWindow(dialog);
        }
        return TRUE;
    case WM_DESTROY:
        remove_modeless(dialog);
        modeless_dialog = NULL;
        return TRUE;
    }
    return FALSE;
}

void open_modeless(HWND owner)
{
    if (modeless_dialog == NULL) {
        modeless_dialog = CreateDialogParamW(instance, MAKEINTRESOURCEW(IDD_MODELESS), owner, modeless_proc, 0);
        add_modeless(modeless_dialog);
    }
    ShowWindow(modeless_dialog, SW_SHOW);
    SetForegroundWindow(modeless_dialog);
}
