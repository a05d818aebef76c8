/* The smallest host: a window with an edit and a button, recorded by dashcam.dll. What a program needs for that stands
 * between the two rulers; everything else is the program itself. */
#ifndef UNICODE
#define UNICODE
#endif
#include <windows.h>
#include "dashcam.h"

/* ---- integration: 15 lines ------------------------------------------------------------------------------------- */
static HMODULE dashcam;
static void start_recording(void) {
    dashcam = LoadLibraryW(L"dashcam.dll");
    dashcam_status(__cdecl * start)(const dashcam_config *) =
        dashcam ? (void *)GetProcAddress(dashcam, "dashcam_start") : NULL;
    if (!start || start(NULL) != DASHCAM_OK)
        OutputDebugStringW(L"this session is not recorded\n"); /* and the program goes on */
}
static void stop_recording(void) {
    dashcam_status(__cdecl * stop)(void) = dashcam ? (void *)GetProcAddress(dashcam, "dashcam_stop") : NULL;
    if (stop)
        stop();
}
/* ---------------------------------------------------------------------------------------------------------------- */

enum { ID_EDIT = 1001, ID_BUTTON = 1002 };

static LRESULT CALLBACK procedure(HWND window, UINT message, WPARAM wparam, LPARAM lparam) {
    switch (message) {
    case WM_COMMAND:
        if (LOWORD(wparam) == ID_BUTTON)
            SetWindowTextW(window, L"Greeted");
        return 0;
    case WM_DESTROY:
        PostQuitMessage(0);
        return 0;
    }
    return DefWindowProcW(window, message, wparam, lparam);
}

int WINAPI WinMain(HINSTANCE instance, HINSTANCE before, LPSTR line, int show) {
    (void)before, (void)line;
    start_recording();
    WNDCLASSW class = {.lpfnWndProc = procedure, .hInstance = instance, .lpszClassName = L"DashcamMinimal"};
    class.hCursor = LoadCursor(NULL, IDC_ARROW);
    class.hbrBackground = (HBRUSH)(COLOR_BTNFACE + 1);
    RegisterClassW(&class);
    HWND window = CreateWindowW(L"DashcamMinimal", L"Minimal", WS_OVERLAPPEDWINDOW, 60, 60, 360, 160, NULL, NULL, instance, NULL);
    CreateWindowW(L"EDIT", L"", WS_CHILD | WS_VISIBLE | WS_BORDER | WS_TABSTOP | ES_AUTOHSCROLL, 16, 16, 300, 24, window, (HMENU)ID_EDIT, instance, NULL);
    CreateWindowW(L"BUTTON", L"&Greet", WS_CHILD | WS_VISIBLE | WS_TABSTOP, 16, 56, 100, 28, window, (HMENU)ID_BUTTON, instance, NULL);
    ShowWindow(window, show);
    MSG message;
    while (GetMessageW(&message, NULL, 0, 0) > 0) {
        if (!IsDialogMessageW(window, &message)) {
            TranslateMessage(&message);
            DispatchMessageW(&message);
        }
    }
    stop_recording();
    return (int)message.wParam;
}
