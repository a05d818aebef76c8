/* Windows that nothing tells apart but the order of their birth: same class, same title, same control. */
#include "gallery.h"

static int count;

static LRESULT CALLBACK twin_proc(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_CREATE:
        SetWindowLongPtrW(window, GWLP_USERDATA, ++count);
        CreateWindowExW(0, L"Button", L"Press", WS_CHILD | WS_VISIBLE, 20, 15, 100, 26, window,
            (HMENU)(INT_PTR)IDC_TWIN_BUTTON, instance, NULL);
        note(L"TWIN %d opened", count);
        return 0;
    case WM_COMMAND:
        note(L"TWIN %d pressed", (int)GetWindowLongPtrW(window, GWLP_USERDATA));
        return 0;
    case WM_DESTROY:
        note(L"TWIN %d closed", (int)GetWindowLongPtrW(window, GWLP_USERDATA));
        return 0;
    }
    return DefWindowProcW(window, message, wparam, lparam);
}

void open_twin(HWND owner)
{
    HWND window;
    WNDCLASSEXW class = { 0 };
    class.cbSize = sizeof(class);
    class.lpfnWndProc = twin_proc;
    class.hInstance = instance;
    class.hCursor = LoadCursorW(NULL, IDC_ARROW);
    class.hbrBackground = (HBRUSH)(COLOR_BTNFACE + 1);
    class.lpszClassName = L"GalleryTwin";
    RegisterClassExW(&class);
    window = CreateWindowExW(0, L"GalleryTwin", L"Twin", WS_POPUPWINDOW | WS_CAPTION, 400 + 210 * (count % 4),
        820 + 30 * (count / 4), 200, 90, owner, NULL, instance, NULL);
    keep_on_screen(window);
    ShowWindow(window, SW_SHOW);
}
