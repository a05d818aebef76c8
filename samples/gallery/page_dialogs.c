/* Page "dialogs": one button for each kind of dialog. */
#include "gallery.h"

static void open(HWND page, int id)
{
    HWND owner = GetAncestor(page, GA_ROOT);
    switch (id) {
    case IDC_OPEN_MODAL:
        open_modal(owner);
        break;
    case IDC_OPEN_MODELESS:
        open_modeless(owner);
        break;
    case IDC_OPEN_SHEET:
        open_property_sheet(owner);
        break;
    case IDC_OPEN_WIZARD:
        open_wizard(owner);
        break;
    case IDC_OPEN_TASK_DIALOG:
        open_task_dialog(owner);
        break;
    case IDC_OPEN_BOX:
        open_message_box(owner, ComboBox_GetCurSel(GetDlgItem(page, IDC_BOX_KIND)),
            ComboBox_GetCurSel(GetDlgItem(page, IDC_BOX_ICON)));
        break;
    case IDC_OPEN_FILE:
    case IDC_OPEN_SAVE:
        open_file_dialog(owner, id == IDC_OPEN_SAVE);
        break;
    case IDC_OPEN_COLOUR:
        open_colour_dialog(owner);
        break;
    case IDC_OPEN_FONT:
        open_font_dialog(owner);
        break;
    case IDC_OPEN_PRINT:
        open_print_dialog(owner);
        break;
    case IDC_OPEN_PAGE_SETUP:
        open_page_setup_dialog(owner);
        break;
    case IDC_OPEN_FIND:
    case IDC_OPEN_REPLACE:
        open_find_dialog(owner, id == IDC_OPEN_REPLACE);
        break;
    case IDC_OPEN_FOLDER:
        open_folder_dialog(owner);
        break;
    }
}

INT_PTR CALLBACK dialogs_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    (void)lparam;
    switch (message) {
    case WM_INITDIALOG:
        fill_message_box_kinds(GetDlgItem(page, IDC_BOX_KIND), GetDlgItem(page, IDC_BOX_ICON));
        return FALSE;
    case WM_COMMAND:
        if (HIWORD(wparam) == BN_CLICKED) {
            open(page, LOWORD(wparam));
        }
        return TRUE;
    }
    return FALSE;
}
