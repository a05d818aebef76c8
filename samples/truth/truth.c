/* The frame, the options and the file with the outcome. truth.h says what there is. */
#include "truth.h"

#include <shellapi.h>
#include <stdarg.h>
#include <stdlib.h>

Options options = {.client = {480, 360}};

static HANDLE journal = INVALID_HANDLE_VALUE;
static WNDPROC handler;

static const struct {
    const WCHAR *name;
    WNDPROC handler;
} kinds[] = {
    {L"callback", on_callback_list},
    {L"virtual", on_virtual_list},
    {L"drawn", on_drawn},
    {L"canvas", on_canvas_frame},
    {L"hook", on_hook},
    {L"message-hook", on_message_hook},
    {L"fonts", on_fonts},
    {L"ends", on_ends},
    {L"harmless", on_harmless},
};

static const struct {
    const WCHAR *name;
    BOOL *is_set;
} flags[] = {
    {L"--more", &options.more},
    {L"--removed", &options.removed},
    {L"--reversed", &options.reversed},
    {L"--fixed", &options.fixed},
    {L"--covered", &options.covered},
    {L"--marked", &options.marked},
    {L"--undo", &options.undo},
    {L"--status", &options.status},
};

void outcome(const WCHAR *format, ...)
{
    WCHAR line[1025]; /* wvsprintf writes no more */
    char bytes[3 * 1025];
    DWORD written;
    va_list args;
    va_start(args, format);
    wvsprintfW(line, format, args);
    va_end(args);
    int length = WideCharToMultiByte(CP_UTF8, 0, line, -1, bytes, sizeof bytes, NULL, NULL);
    if (journal != INVALID_HANDLE_VALUE && length > 0) {
        /* The zero at the end becomes the end of the line. */
        bytes[length - 1] = '\n';
        WriteFile(journal, bytes, (DWORD)length, &written, NULL);
    }
}

HWND control(HWND parent, const WCHAR *class, const WCHAR *text, DWORD style, int id, int x, int y, int width,
    int height)
{
    return CreateWindowExW(0, class, text, WS_CHILD | WS_VISIBLE | style, x, y, width, height, parent,
        (HMENU)(INT_PTR)id, NULL, NULL);
}

void open_dialog(HWND owner, const WCHAR *title, DLGPROC procedure)
{
    struct {
        DLGTEMPLATE head;
        WORD menu, class;
        WCHAR title[16];
        DWORD alignment[4];
    } sheet = {.head = {.style = WS_POPUP | WS_CAPTION | WS_SYSMENU | DS_MODALFRAME | WS_VISIBLE,
                   .x = 40, .y = 40, .cx = 140, .cy = 80}};
    lstrcpynW(sheet.title, title, 16);
    DialogBoxIndirectParamW(NULL, &sheet.head, owner, procedure, 0);
}

int item_names(const WCHAR *names[MAX_NAMES])
{
    static const WCHAR *const all[] = {L"alpha.txt", L"beta.doc", L"gamma.log", L"delta.txt", L"epsilon.png"};
    int count = 0;
    if (options.more) {
        names[count++] = L"aaa.new";
    }
    for (int i = 0; i < 5; i++) {
        if (!options.removed || i != 2) {
            names[count++] = all[i];
        }
    }
    for (int i = 0; options.reversed && i < count / 2; i++) {
        const WCHAR *name = names[i];
        names[i] = names[count - 1 - i];
        names[count - 1 - i] = name;
    }
    return count;
}

static LRESULT CALLBACK on_frame(HWND frame, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_WINDOWPOSCHANGING:
        if (options.fixed && IsWindowVisible(frame)) {
            ((WINDOWPOS *)lparam)->flags |= SWP_NOSIZE;
        }
        break;
    case WM_DESTROY:
        outcome(L"END");
        PostQuitMessage(0);
        return 0;
    }
    return handler(frame, message, wparam, lparam);
}

/* Returns whether the command line names a kind. */
static BOOL read_arguments(void)
{
    int count;
    WCHAR **words = CommandLineToArgvW(GetCommandLineW(), &count);
    for (int i = 0; words != NULL && count > 1 && i < (int)(sizeof kinds / sizeof *kinds); i++) {
        if (lstrcmpW(words[1], kinds[i].name) == 0) {
            handler = kinds[i].handler;
        }
    }
    for (int i = 2; handler != NULL && i < count; i++) {
        const WCHAR *next = i + 1 < count ? words[i + 1] : L"";
        for (int j = 0; j < (int)(sizeof flags / sizeof *flags); j++) {
            *flags[j].is_set |= lstrcmpW(words[i], flags[j].name) == 0;
        }
        if (lstrcmpW(words[i], L"--journal") == 0) {
            journal = CreateFileW(next, FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
        }
        if (lstrcmpW(words[i], L"--size") == 0) {
            WCHAR *end;
            options.client.cx = wcstol(next, &end, 10);
            options.client.cy = *end != 0 ? wcstol(end + 1, NULL, 10) : 0;
        }
    }
    return handler != NULL;
}

int WINAPI WinMain(HINSTANCE instance, HINSTANCE before, LPSTR line, int show)
{
    INITCOMMONCONTROLSEX controls = {sizeof controls, ICC_WIN95_CLASSES};
    WNDCLASSW class = {.lpfnWndProc = on_frame, .lpszClassName = L"TruthFrame", .hInstance = instance,
        .hbrBackground = (HBRUSH)(COLOR_BTNFACE + 1), .hCursor = LoadCursor(NULL, IDC_ARROW)};
    MSG message;
    (void)before;
    (void)line;
    (void)show;
    if (!read_arguments()) {
        return 2;
    }
    InitCommonControlsEx(&controls);
    RegisterClassW(&class);
    HWND frame = CreateWindowExW(0, class.lpszClassName, L"Truth", WS_OVERLAPPEDWINDOW, 60, 60, 300, 200,
        NULL, NULL, instance, NULL);
    RECT rect = {0, 0, options.client.cx, options.client.cy};
    AdjustWindowRect(&rect, WS_OVERLAPPEDWINDOW, GetMenu(frame) != NULL);
    SetWindowPos(frame, NULL, 0, 0, rect.right - rect.left, rect.bottom - rect.top,
        SWP_NOMOVE | SWP_NOZORDER);
    ShowWindow(frame, SW_SHOW);
    outcome(L"READY");
    while (GetMessageW(&message, NULL, 0, 0) > 0) {
        if (!IsDialogMessageW(frame, &message)) {
            TranslateMessage(&message);
            DispatchMessageW(&message);
        }
    }
    return (int)message.wParam;
}
