/* What comes from outside while nobody touches the program: files that the shell drops, a text of an input method.
 *
 * --outside FILE names a file that is not there yet. A thread waits for it, takes it away and does what its line says (UTF-8):
 *   drop PATH|PATH...   WM_DROPFILES to the window under the pointer, as the shell posts it
 *   compose TEXT        the input method of the focused window has composed this text
 */
#include "gallery.h"

#include <imm.h>
#include <shlobj.h>

static const WCHAR *order_file;

static HWND accepting_window_at(POINT point)
{
    HWND window = WindowFromPoint(point);
    while (window != NULL && !(GetWindowLongPtrW(window, GWL_EXSTYLE) & WS_EX_ACCEPTFILES)) {
        window = GetAncestor(window, GA_PARENT);
    }
    return window;
}

/* Names between bars; each ends in a zero, and one more zero ends the list. */
static void drop(const WCHAR *names)
{
    SIZE_T units = (SIZE_T)lstrlenW(names) + 2, i;
    HGLOBAL memory = GlobalAlloc(GHND, sizeof(DROPFILES) + units * sizeof(WCHAR));
    DROPFILES *head = memory == NULL ? NULL : GlobalLock(memory);
    HWND target;
    WCHAR *list;
    if (head == NULL) {
        return;
    }
    GetCursorPos(&head->pt);
    target = accepting_window_at(head->pt);
    ScreenToClient(target, &head->pt);
    head->pFiles = sizeof(*head);
    head->fWide = TRUE;
    list = (WCHAR *)(head + 1);
    lstrcpyW(list, names);
    for (i = 0; i < units; i++) {
        if (list[i] == L'|') {
            list[i] = 0;
        }
    }
    GlobalUnlock(memory);
    if (target == NULL || !PostMessageW(target, WM_DROPFILES, (WPARAM)memory, 0)) {
        GlobalFree(memory);
    }
}

void compose(WCHAR *text)
{
    HWND focus = GetFocus();
    HIMC context = ImmGetContext(focus);
    if (context == NULL) {
        note(L"OUTSIDE no input method");
    } else {
        ImmSetCompositionStringW(context, SCS_SETSTR, text, (DWORD)lstrlenW(text) * sizeof(WCHAR), NULL, 0);
        ImmNotifyIME(context, NI_COMPOSITIONSTR, CPS_COMPLETE, 0);
        ImmReleaseContext(focus, context);
    }
    HeapFree(GetProcessHeap(), 0, text);
}

static void obey(const char *order)
{
    WCHAR line[1024];
    if (MultiByteToWideChar(CP_UTF8, 0, order, -1, line, COUNT(line)) == 0) {
        return;
    }
    if (CompareStringOrdinal(line, 5, L"drop ", 5, FALSE) == CSTR_EQUAL) {
        drop(line + 5);
    } else if (CompareStringOrdinal(line, 8, L"compose ", 8, FALSE) == CSTR_EQUAL) {
        /* An input method works on the thread of the window. */
        SIZE_T size = ((SIZE_T)lstrlenW(line + 8) + 1) * sizeof(WCHAR);
        WCHAR *text = HeapAlloc(GetProcessHeap(), 0, size);
        CopyMemory(text, line + 8, size);
        PostMessageW(main_window, WM_COMPOSE, 0, (LPARAM)text);
    }
}

static DWORD WINAPI wait_for_orders(void *unused)
{
    (void)unused;
    while (order_file != NULL) {
        HANDLE file = CreateFileW(order_file, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, OPEN_EXISTING, 0, NULL);
        if (file != INVALID_HANDLE_VALUE) {
            char order[1024];
            DWORD size = 0;
            ReadFile(file, order, sizeof(order) - 1, &size, NULL);
            CloseHandle(file);
            order[size] = 0;
            DeleteFileW(order_file);
            obey(order);
        }
        Sleep(20);
    }
    return 0;
}

void take_orders(const WCHAR *file)
{
    HANDLE thread;
    order_file = file;
    /* It ends with the program. */
    thread = CreateThread(NULL, 0, wait_for_orders, NULL, 0, NULL);
    if (thread != NULL) {
        CloseHandle(thread);
    }
}
