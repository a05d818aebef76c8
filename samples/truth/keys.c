/* A shortcut that no window gets: a hook of the program's own takes the key before the message loop has it,
 * as the char hook of wxWidgets does. Ctrl+J asks for a number in a dialog, which the hook procedure itself
 * opens; Ctrl+K copies the selected item to the outcome, and nothing on the screen shows it.
 */
#include "truth.h"

enum { ID_LIST = 101, ID_NUMBER = 201 };

static HWND window, list;
static HHOOK hook;
static BOOL is_open;

static INT_PTR CALLBACK on_dialog(HWND dialog, UINT message, WPARAM wparam, LPARAM lparam)
{
    (void)lparam;
    switch (message) {
    case WM_INITDIALOG: {
        HWND number = control(dialog, L"EDIT", L"", WS_BORDER | WS_TABSTOP, ID_NUMBER, 10, 10, 100, 24);
        control(dialog, L"BUTTON", L"OK", WS_TABSTOP | BS_DEFPUSHBUTTON, IDOK, 10, 44, 80, 24);
        SetFocus(number);
        return FALSE;
    }
    case WM_COMMAND:
        if (LOWORD(wparam) == IDOK) {
            WCHAR number[16];
            GetDlgItemTextW(dialog, ID_NUMBER, number, 16);
            outcome(L"GO TO %s", number);
        }
        if (LOWORD(wparam) == IDOK || LOWORD(wparam) == IDCANCEL) {
            EndDialog(dialog, LOWORD(wparam));
        }
        return TRUE;
    }
    return FALSE;
}

static void go_to(void)
{
    is_open = TRUE;
    open_dialog(window, L"Go to", on_dialog);
    is_open = FALSE;
}

/* Returns whether the key is a shortcut, which has had its effect then. */
static BOOL is_consumed(WPARAM key)
{
    if (is_open || options.removed || GetKeyState(VK_CONTROL) >= 0 || (key != 'J' && key != 'K')) {
        return FALSE;
    }
    if (key == 'J') {
        go_to();
    } else {
        WCHAR item[32] = L"";
        int index = (int)SendMessageW(list, LB_GETCURSEL, 0, 0);
        if (index != LB_ERR) {
            SendMessageW(list, LB_GETTEXT, index, (LPARAM)item);
        }
        outcome(L"KEEP %s", item);
    }
    return TRUE;
}

static LRESULT CALLBACK on_key(int code, WPARAM key, LPARAM flags)
{
    BOOL is_press = code == HC_ACTION && (HIWORD(flags) & KF_UP) == 0;
    return is_press && is_consumed(key) ? 1 : CallNextHookEx(hook, code, key, flags);
}

static LRESULT CALLBACK on_message(int code, WPARAM is_removed, LPARAM lparam)
{
    MSG *message = (MSG *)lparam;
    BOOL is_press = code == HC_ACTION && is_removed == PM_REMOVE && message->message == WM_KEYDOWN;
    if (is_press && is_consumed(message->wParam)) {
        message->message = WM_NULL;
    }
    return CallNextHookEx(hook, code, is_removed, lparam);
}

static LRESULT on_keys(HWND frame, UINT message, WPARAM wparam, LPARAM lparam, int kind, HOOKPROC procedure)
{
    switch (message) {
    case WM_CREATE: {
        const WCHAR *names[MAX_NAMES];
        Options all = options;
        /* The shortcut is what is removed, no item. */
        options.removed = FALSE;
        int count = item_names(names);
        options = all;
        window = frame;
        list = control(frame, L"LISTBOX", L"", LBS_NOTIFY | LBS_NOINTEGRALHEIGHT | WS_BORDER | WS_TABSTOP,
            ID_LIST, 10, 10, 300, 200);
        for (int i = 0; i < count; i++) {
            SendMessageW(list, LB_ADDSTRING, 0, (LPARAM)names[i]);
        }
        hook = SetWindowsHookExW(kind, procedure, NULL, GetCurrentThreadId());
        return 0;
    }
    case WM_SIZE:
        MoveWindow(list, 10, 10, max(LOWORD(lparam) - 20, 0), max(HIWORD(lparam) - 20, 0), TRUE);
        return 0;
    case WM_SETFOCUS:
        SetFocus(list);
        return 0;
    }
    return DefWindowProcW(frame, message, wparam, lparam);
}

LRESULT CALLBACK on_hook(HWND frame, UINT message, WPARAM wparam, LPARAM lparam)
{
    return on_keys(frame, message, wparam, lparam, WH_KEYBOARD, on_key);
}

LRESULT CALLBACK on_message_hook(HWND frame, UINT message, WPARAM wparam, LPARAM lparam)
{
    return on_keys(frame, message, wparam, lparam, WH_GETMESSAGE, on_message);
}
