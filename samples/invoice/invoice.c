/* A small invoice program with a planted crash, to be recorded and replayed. README.md tells its switches. */
#include "invoice.h"

HINSTANCE instance;
HWND main_window;

static int run_messages(void)
{
    HACCEL accelerators = LoadAcceleratorsW(instance, MAKEINTRESOURCEW(IDR_ACCELERATORS));
    MSG message;
    while (GetMessageW(&message, NULL, 0, 0) > 0) {
        if (TranslateAcceleratorW(main_window, accelerators, &message)) {
            continue;
        }
        TranslateMessage(&message);
        DispatchMessageW(&message);
    }
    return (int)message.wParam;
}

int WINAPI WinMain(HINSTANCE self, HINSTANCE previous, LPSTR line, int show)
{
    INITCOMMONCONTROLSEX classes = { sizeof(classes), ICC_WIN95_CLASSES | ICC_DATE_CLASSES | ICC_STANDARD_CLASSES };
    int code;
    (void)previous;
    (void)line;
    instance = self;
    if (!read_switches(&code)) {
        return code;
    }
    InitCommonControlsEx(&classes);
    if (!register_frame()) {
        return 3;
    }
    open_journal(switches.journal);
    note(L"START");
    new_document();
    if (create_frame() == NULL) {
        return 3;
    }
    ShowWindow(main_window, show == SW_HIDE ? SW_SHOWNORMAL : show);
    UpdateWindow(main_window);
    if (switches.file != NULL) {
        open_file(switches.file);
    }
    code = run_messages();
    note(L"END");
    close_journal();
    return code;
}
