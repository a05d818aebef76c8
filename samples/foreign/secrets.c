/* Password fields of classes that are not called Edit, each holding the same planted secret beside a text that anybody may read:
 *   TMaskEdit   Delphi's, made from EDIT, with ES_PASSWORD
 *   SecretBox   an unknown class made from EDIT that only EM_GETPASSWORDCHAR gives away
 *   Vault       an unknown class that keeps its text itself and has nothing but the style
 * A button changes a label. "changed" is the same program with another secret and another label. */
#define UNICODE
#include "secrets.h"

static const wchar_t *secret;
static WNDPROC edit_procedure;

static LRESULT CALLBACK on_made_from_edit(HWND hwnd, UINT message, WPARAM wparam, LPARAM lparam) {
    return CallWindowProcW(edit_procedure, hwnd, message, wparam, lparam);
}

static LRESULT CALLBACK on_vault(HWND hwnd, UINT message, WPARAM wparam, LPARAM lparam) {
    switch (message) {
    case WM_GETTEXTLENGTH:
        return lstrlenW(secret);
    case WM_GETTEXT:
        lstrcpynW((wchar_t *)lparam, secret, (int)wparam);
        return lstrlenW((wchar_t *)lparam);
    }
    return DefWindowProcW(hwnd, message, wparam, lparam);
}

static void register_class(const wchar_t *name, WNDPROC procedure, const wchar_t *base) {
    WNDCLASSEXW class = {.cbSize = sizeof class};
    if (base) {
        GetClassInfoExW(NULL, base, &class);
        edit_procedure = class.lpfnWndProc;
    }
    class.lpfnWndProc = procedure;
    class.lpszClassName = name;
    class.hInstance = GetModuleHandleW(NULL);
    class.style &= ~CS_GLOBALCLASS;
    RegisterClassExW(&class);
}

static HWND child(HWND on, const wchar_t *class, const wchar_t *text, DWORD style, int id, int y) {
    return CreateWindowExW(0, class, text, WS_CHILD | WS_VISIBLE | style, 10, y, 200, 24, on, (HMENU)(INT_PTR)id, NULL,
                           NULL);
}

void add_secrets(HWND on, BOOL is_changed) {
    secret = is_changed ? L"QuietHarbour-changed" : L"QuietHarbour-planted";
    register_class(L"TMaskEdit", on_made_from_edit, L"EDIT");
    register_class(L"SecretBox", on_made_from_edit, L"EDIT");
    register_class(L"Vault", on_vault, NULL);
    child(on, L"BUTTON", L"&Greet", WS_TABSTOP, 980, 10);
    child(on, L"STATIC", L"nobody yet", 0, 981, 40);
    child(on, L"EDIT", L"anybody may read this", WS_BORDER, 982, 70);
    HWND mask = child(on, L"TMaskEdit", L"", WS_BORDER | ES_AUTOHSCROLL | ES_PASSWORD, 983, 100);
    HWND box = child(on, L"SecretBox", L"", WS_BORDER | ES_AUTOHSCROLL, 984, 130);
    child(on, L"Vault", L"", ES_PASSWORD, 985, 160);
    SendMessageW(box, EM_SETPASSWORDCHAR, '*', 0);
    SetWindowLongW(box, GWL_STYLE, GetWindowLongW(box, GWL_STYLE) & ~ES_PASSWORD);
    HWND both[] = {mask, box};
    for (int i = 0; i < 2; i++) {
        int len = lstrlenW(secret);
        SetWindowTextW(both[i], secret);
        SendMessageW(both[i], EM_SETSEL, len, len);
    }
}

void secrets_command(HWND on, WPARAM wparam, BOOL is_changed) {
    if (LOWORD(wparam) == 980)
        SetDlgItemTextW(on, 981, is_changed ? L"good evening" : L"good morning");
}
