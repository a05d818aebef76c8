/* GallerySplitter: two edits and a bar between them that the pointer moves. The program has one. */
#include "gallery.h"

#define BAR 6

static int bar_left = 100;

static void arrange(HWND splitter)
{
    RECT client;
    GetClientRect(splitter, &client);
    MoveWindow(GetDlgItem(splitter, IDC_SPLITTER_LEFT), 0, 0, bar_left, client.bottom, TRUE);
    MoveWindow(GetDlgItem(splitter, IDC_SPLITTER_RIGHT), bar_left + BAR, 0, client.right - bar_left - BAR,
        client.bottom, TRUE);
}

static void create_side(HWND splitter, int id, const WCHAR *text)
{
    HWND edit = CreateWindowExW(WS_EX_CLIENTEDGE, L"Edit", text,
        WS_CHILD | WS_VISIBLE | WS_TABSTOP | ES_MULTILINE | ES_AUTOVSCROLL, 0, 0, 0, 0, splitter, (HMENU)(INT_PTR)id,
        instance, NULL);
    SendMessageW(edit, WM_SETFONT, (WPARAM)GetStockObject(DEFAULT_GUI_FONT), FALSE);
}

static void move_bar(HWND splitter, int x)
{
    RECT client;
    GetClientRect(splitter, &client);
    x -= BAR / 2;
    bar_left = x < 20 ? 20 : x > client.right - BAR - 20 ? client.right - BAR - 20 : x;
    arrange(splitter);
}

static LRESULT CALLBACK splitter_proc(HWND splitter, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_CREATE:
        create_side(splitter, IDC_SPLITTER_LEFT, L"Left side");
        create_side(splitter, IDC_SPLITTER_RIGHT, L"Right side");
        return 0;
    case WM_SIZE:
        arrange(splitter);
        return 0;
    case WM_LBUTTONDOWN:
        SetCapture(splitter);
        return 0;
    case WM_MOUSEMOVE:
        if (GetCapture() == splitter) {
            move_bar(splitter, GET_X_LPARAM(lparam));
        }
        return 0;
    case WM_LBUTTONUP:
        if (GetCapture() == splitter) {
            move_bar(splitter, GET_X_LPARAM(lparam));
            ReleaseCapture();
            note(L"SPLIT %d at=%d", GetDlgCtrlID(splitter), bar_left);
        }
        return 0;
    case WM_CLOSE:
        /* Esc in a multi-line edit of a dialog closes the edit's parent, which is not the dialog here. */
        return 0;
    case WM_COMMAND:
        note_message(splitter, message, wparam, lparam);
        return 0;
    }
    return DefWindowProcW(splitter, message, wparam, lparam);
}

BOOL register_splitter(void)
{
    WNDCLASSEXW class = { 0 };
    class.cbSize = sizeof(class);
    class.lpfnWndProc = splitter_proc;
    class.hInstance = instance;
    class.hCursor = LoadCursorW(NULL, IDC_SIZEWE);
    class.hbrBackground = (HBRUSH)(COLOR_BTNSHADOW + 1);
    class.lpszClassName = L"GallerySplitter";
    return RegisterClassExW(&class) != 0;
}
