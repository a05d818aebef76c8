/* A window of the old world: an ANSI class, ANSI controls, German texts in the code page 1252. */
#include "gallery.h"

static HWND ansi_window;

static void create_control(HWND window, const char *class_name, const char *text, DWORD style, int id, const RECT *area)
{
    HWND control = CreateWindowExA(0, class_name, text, WS_CHILD | WS_VISIBLE | style, area->left, area->top,
        area->right - area->left, area->bottom - area->top, window, (HMENU)(INT_PTR)id, instance, NULL);
    SendMessageA(control, WM_SETFONT, (WPARAM)GetStockObject(DEFAULT_GUI_FONT), FALSE);
}

static void create_controls(HWND window)
{
    static const char *const words[] = { "\xC4pfel", "\xD6l", "\xDC" "bergr\xF6\xDF" "e", "Stra\xDF" "e" };
    static const RECT label = { 10, 12, 90, 30 }, edit = { 100, 10, 300, 32 }, list = { 10, 40, 150, 130 },
                      combo = { 160, 40, 300, 160 }, check = { 160, 75, 300, 95 }, button = { 160, 105, 300, 130 };
    int i;
    create_control(window, "STATIC", "Gr\xF6\xDF" "e:", 0, IDC_ANSI_LABEL, &label);
    create_control(window, "EDIT", "f\xFCnf", WS_BORDER | WS_TABSTOP | ES_AUTOHSCROLL, IDC_ANSI_EDIT, &edit);
    create_control(window, "LISTBOX", NULL, WS_BORDER | WS_TABSTOP | WS_VSCROLL | LBS_NOTIFY, IDC_ANSI_LIST, &list);
    create_control(window, "COMBOBOX", NULL, WS_TABSTOP | CBS_DROPDOWNLIST, IDC_ANSI_COMBO, &combo);
    create_control(window, "BUTTON", "M\xF6glich", WS_TABSTOP | BS_AUTOCHECKBOX, IDC_ANSI_CHECK, &check);
    create_control(window, "BUTTON", "\xDC" "bernehmen", WS_TABSTOP, IDC_ANSI_BUTTON, &button);
    for (i = 0; i < COUNT(words); i++) {
        SendDlgItemMessageA(window, IDC_ANSI_LIST, LB_ADDSTRING, 0, (LPARAM)words[i]);
        SendDlgItemMessageA(window, IDC_ANSI_COMBO, CB_ADDSTRING, 0, (LPARAM)words[i]);
    }
}

static LRESULT CALLBACK ansi_proc(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_CREATE:
        begin_quiet();
        create_controls(window);
        end_quiet();
        note(L"ANSI opened");
        return 0;
    case WM_COMMAND:
        note_message(window, message, wparam, lparam);
        return 0;
    case WM_DESTROY:
        note(L"ANSI closed");
        remove_modeless(window);
        ansi_window = NULL;
        return 0;
    }
    return DefWindowProcA(window, message, wparam, lparam);
}

void open_ansi_window(HWND owner)
{
    if (ansi_window == NULL) {
        WNDCLASSEXA class = { 0 };
        class.cbSize = sizeof(class);
        class.lpfnWndProc = ansi_proc;
        class.hInstance = instance;
        class.hCursor = LoadCursorW(NULL, IDC_ARROW);
        class.hbrBackground = (HBRUSH)(COLOR_BTNFACE + 1);
        class.lpszClassName = "GalleryAnsi";
        RegisterClassExA(&class);
        ansi_window = CreateWindowExA(0, "GalleryAnsi", "Fenster f\xFCr \xC4ltere", WS_POPUPWINDOW | WS_CAPTION, 40, 820,
            330, 180, owner, NULL, instance, NULL);
        keep_on_screen(ansi_window);
        add_modeless(ansi_window);
    }
    ShowWindow(ansi_window, SW_SHOW);
    SetForegroundWindow(ansi_window);
}
