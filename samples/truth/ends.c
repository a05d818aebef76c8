/* Commands that end the process without WM_QUIT and without an exception that a filter is sure to see. */
#include "truth.h"

#include <stdlib.h>

/* What the compiler intrinsic __fastfail is: no handler of the process is asked. */
static void fast_fail(void)
{
    __asm__ volatile("int $0x29" : : "c"(FAST_FAIL_FATAL_APP_EXIT));
}

enum { ID_ABORT = 301, ID_EXIT, ID_FAST_FAIL, ID_NOTHING, ID_MORE };

static void end(int id)
{
    static const WCHAR *const names[] = {L"ABORT", L"EXIT", L"FAST FAIL", L"NOTHING", L"MORE"};
    outcome(L"%s", names[id - ID_ABORT]);
    if (options.removed) {
        outcome(L"STILL HERE");
        return;
    }
    switch (id) {
    case ID_ABORT:
        /* Without it the run-time library shows a box first. */
        _set_error_mode(_OUT_TO_STDERR);
        abort();
    case ID_EXIT:
        _exit(3);
    case ID_FAST_FAIL:
        fast_fail();
    }
}

LRESULT CALLBACK on_ends(HWND frame, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_CREATE: {
        HMENU bar = CreateMenu(), menu = CreatePopupMenu();
        if (options.more) {
            AppendMenuW(menu, MF_STRING, ID_MORE, L"&More");
        }
        AppendMenuW(menu, MF_STRING, ID_NOTHING, L"&Nothing");
        AppendMenuW(menu, MF_STRING, ID_ABORT, L"&Abort");
        AppendMenuW(menu, MF_STRING, ID_EXIT, L"E&xit at once");
        AppendMenuW(menu, MF_STRING, ID_FAST_FAIL, L"&Fast fail");
        AppendMenuW(bar, MF_POPUP, (UINT_PTR)menu, L"&End");
        SetMenu(frame, bar);
        return 0;
    }
    case WM_COMMAND:
        if (lparam == 0 && LOWORD(wparam) >= ID_ABORT && LOWORD(wparam) <= ID_MORE) {
            end(LOWORD(wparam));
        }
        return 0;
    }
    return DefWindowProcW(frame, message, wparam, lparam);
}
