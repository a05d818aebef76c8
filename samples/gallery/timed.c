/* Windows that follow the clock: one comes and goes by itself, one carries the time and a temporary path in its title, one is a splash screen. */
#include "gallery.h"

#define APPEAR_AFTER 1000 /* milliseconds */
#define VANISH_AFTER 2000
#define SPLASH_TIME 2500

static HWND timed_window, clock_window;

static LRESULT CALLBACK timed_proc(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_CREATE:
        SetTimer(window, 1, APPEAR_AFTER, NULL);
        return 0;
    case WM_TIMER:
        KillTimer(window, wparam);
        if (wparam == 1) {
            note(L"TIMED appeared");
            ShowWindow(window, SW_SHOWNOACTIVATE);
            SetTimer(window, 2, VANISH_AFTER, NULL);
        } else {
            DestroyWindow(window);
        }
        return 0;
    case WM_DESTROY:
        note(L"TIMED vanished");
        timed_window = NULL;
        return 0;
    }
    return DefWindowProcW(window, message, wparam, lparam);
}

static LRESULT CALLBACK splash_proc(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_CREATE:
        SetTimer(window, 1, SPLASH_TIME, NULL);
        return 0;
    case WM_LBUTTONDOWN:
        note(L"SPLASH clicked");
        DestroyWindow(window);
        return 0;
    case WM_TIMER:
        DestroyWindow(window);
        return 0;
    case WM_DESTROY:
        note(L"SPLASH gone");
        return 0;
    }
    return DefWindowProcW(window, message, wparam, lparam);
}

static void show_time(HWND window)
{
    SYSTEMTIME now;
    WCHAR title[100];
    GetLocalTime(&now);
    wsprintfW(title, L"Clock %02d:%02d:%02d - C:\\Temp\\gal%lx.tmp", now.wHour, now.wMinute, now.wSecond,
        GetCurrentProcessId() * 0x9E3779B9u);
    SetWindowTextW(window, title);
}

static LRESULT CALLBACK clock_proc(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_CREATE:
        CreateWindowExW(0, L"Button", L"Close", WS_CHILD | WS_VISIBLE, 20, 15, 100, 26, window,
            (HMENU)(INT_PTR)IDC_CLOCK_CLOSE, instance, NULL);
        show_time(window);
        SetTimer(window, 1, 500, NULL);
        note(L"CLOCK opened");
        return 0;
    case WM_TIMER:
        show_time(window);
        return 0;
    case WM_COMMAND:
        note_message(window, message, wparam, lparam);
        DestroyWindow(window);
        return 0;
    case WM_DESTROY:
        note(L"CLOCK closed");
        clock_window = NULL;
        return 0;
    }
    return DefWindowProcW(window, message, wparam, lparam);
}

static HWND create(HWND owner, const WCHAR *class_name, WNDPROC proc, DWORD style, int left, int top)
{
    HWND window;
    WNDCLASSEXW class = { 0 };
    class.cbSize = sizeof(class);
    class.lpfnWndProc = proc;
    class.hInstance = instance;
    class.hCursor = LoadCursorW(NULL, IDC_ARROW);
    class.hbrBackground = (HBRUSH)(COLOR_BTNFACE + 1);
    class.lpszClassName = class_name;
    RegisterClassExW(&class);
    window = CreateWindowExW(0, class_name, L"Here for a moment", style, left, top, 260, 90, owner,
        NULL, instance, NULL);
    keep_on_screen(window);
    return window;
}

void open_timed_window(HWND owner)
{
    if (timed_window == NULL) {
        timed_window = create(owner, L"GalleryTimed", timed_proc, WS_POPUPWINDOW | WS_CAPTION, 1010, 300);
    }
}

void open_clock(HWND owner)
{
    if (clock_window == NULL) {
        clock_window = create(owner, L"GalleryClock", clock_proc, WS_POPUPWINDOW | WS_CAPTION, 1010, 420);
    }
    ShowWindow(clock_window, SW_SHOW);
}

void open_splash(HWND owner)
{
    HWND splash = create(owner, L"GallerySplash", splash_proc, WS_POPUP | WS_BORDER, 400, 300);
    ShowWindow(splash, SW_SHOWNOACTIVATE);
}
