/* GalleryDock: a pane with an edit and a button that floats in a frame of its own and comes back. By its button, or by the
 * pointer: dragged out by its grip, and the frame's title bar dragged over the dock. Either way it gets another parent. The
 * program has one.
 */
#include "gallery.h"

#define GRIP 10

static HWND dock, pane, floating;

static void fit(HWND parent)
{
    RECT client;
    GetClientRect(parent, &client);
    MoveWindow(pane, 0, 0, client.right, client.bottom, TRUE);
}

static void float_at(POINT corner)
{
    RECT area;
    GetWindowRect(pane, &area);
    AdjustWindowRectEx(&area, WS_POPUP | WS_CAPTION | WS_THICKFRAME, FALSE, WS_EX_TOOLWINDOW);
    floating = CreateWindowExW(WS_EX_TOOLWINDOW, L"GalleryFloating", L"Floating pane",
        WS_POPUP | WS_CAPTION | WS_THICKFRAME, corner.x, corner.y, area.right - area.left, area.bottom - area.top,
        GetAncestor(dock, GA_ROOT), NULL, instance, NULL);
    SetParent(pane, floating);
    fit(floating);
    ShowWindow(floating, SW_SHOW);
    add_modeless(floating);
    note(L"DOCK floating");
}

static void come_back(void)
{
    HWND frame = floating;
    floating = NULL;
    SetParent(pane, dock);
    fit(dock);
    remove_modeless(frame);
    DestroyWindow(frame);
    note(L"DOCK docked");
}

static void toggle(void)
{
    POINT corner = { 760, 400 };
    if (floating != NULL) {
        come_back();
    } else {
        float_at(corner);
    }
}

static BOOL is_over_dock(POINT point)
{
    RECT area;
    GetWindowRect(dock, &area);
    return PtInRect(&area, point);
}

static LRESULT CALLBACK floating_proc(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    RECT area;
    POINT corner;
    switch (message) {
    case WM_SIZE:
        if (window == floating) {
            fit(window);
        }
        return 0;
    case WM_EXITSIZEMOVE:
        GetWindowRect(window, &area);
        corner.x = area.left;
        corner.y = area.top;
        if (is_over_dock(corner)) {
            come_back();
        }
        return 0;
    case WM_CLOSE:
        come_back();
        return 0;
    }
    return DefWindowProcW(window, message, wparam, lparam);
}

static void create_part(HWND parent, DWORD extended, const WCHAR *class_name, const WCHAR *text, DWORD style, int top, int id)
{
    HWND part = CreateWindowExW(extended, class_name, text, WS_CHILD | WS_VISIBLE | WS_TABSTOP | style, 20, top, 150, 24,
        parent, (HMENU)(INT_PTR)id, instance, NULL);
    SendMessageW(part, WM_SETFONT, (WPARAM)GetStockObject(DEFAULT_GUI_FONT), FALSE);
}

static LRESULT CALLBACK pane_proc(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    POINT point = { GET_X_LPARAM(lparam), GET_Y_LPARAM(lparam) };
    switch (message) {
    case WM_CREATE:
        create_part(window, WS_EX_CLIENTEDGE, L"Edit", NULL, ES_AUTOHSCROLL, 8, IDC_DOCK_EDIT);
        create_part(window, 0, L"Button", L"Float or dock", BS_PUSHBUTTON, 38, IDC_DOCK_FLOAT);
        return 0;
    case WM_COMMAND:
        note_message(window, message, wparam, lparam);
        if (LOWORD(wparam) == IDC_DOCK_FLOAT && HIWORD(wparam) == BN_CLICKED) {
            toggle();
        }
        return 0;
    case WM_LBUTTONDOWN:
        if (point.x < GRIP && floating == NULL) {
            SetCapture(window);
        }
        return 0;
    case WM_LBUTTONUP:
        if (GetCapture() == window) {
            ReleaseCapture();
            ClientToScreen(window, &point);
            if (!is_over_dock(point)) {
                float_at(point);
            }
        }
        return 0;
    }
    return DefWindowProcW(window, message, wparam, lparam);
}

static LRESULT CALLBACK dock_proc(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_CREATE:
        dock = window;
        pane = CreateWindowExW(WS_EX_CONTROLPARENT, L"GalleryPane", NULL, WS_CHILD | WS_VISIBLE | WS_CLIPCHILDREN, 0, 0, 0,
            0, window, (HMENU)(INT_PTR)IDC_DOCK_PANE, instance, NULL);
        return 0;
    case WM_SIZE:
        if (floating == NULL) {
            fit(window);
        }
        return 0;
    }
    return DefWindowProcW(window, message, wparam, lparam);
}

BOOL register_dock(void)
{
    WNDCLASSEXW class = { 0 };
    class.cbSize = sizeof(class);
    class.hInstance = instance;
    class.hCursor = LoadCursorW(NULL, IDC_ARROW);
    class.hbrBackground = (HBRUSH)(COLOR_BTNFACE + 1);
    class.lpfnWndProc = dock_proc;
    class.lpszClassName = L"GalleryDock";
    RegisterClassExW(&class);
    class.lpfnWndProc = pane_proc;
    class.lpszClassName = L"GalleryPane";
    RegisterClassExW(&class);
    class.lpfnWndProc = floating_proc;
    class.lpszClassName = L"GalleryFloating";
    return RegisterClassExW(&class) != 0;
}
