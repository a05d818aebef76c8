/* What happened, line by line: on the screen in the event list, for tests in the journal.
 *
 * The journal is UTF-8, one line per event, written at once: a test reads it while the program runs and after it
 * was killed.
 */
#include "gallery.h"

#include <stdarg.h>

#define LINE_SIZE 1025 /* wvsprintf writes no more */
#define KEPT_LINES 1000

static HANDLE journal = INVALID_HANDLE_VALUE;
static HWND event_list;
static DWORD list_thread;
static int quiet;

void open_journal(const WCHAR *path)
{
    if (path != NULL) {
        journal = CreateFileW(path, FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_ALWAYS,
            FILE_ATTRIBUTE_NORMAL, NULL);
    }
}

void close_journal(void)
{
    if (journal != INVALID_HANDLE_VALUE) {
        CloseHandle(journal);
        journal = INVALID_HANDLE_VALUE;
    }
}

void set_event_list(HWND list)
{
    event_list = list;
    list_thread = GetCurrentThreadId();
}

void begin_quiet(void)
{
    quiet++;
}

void end_quiet(void)
{
    quiet--;
}

/* One line stays one line. */
static void replace_controls(WCHAR *line)
{
    for (; *line != 0; line++) {
        if (*line < L' ') {
            *line = *line == L'\n' ? 0x2424 : L' ';
        }
    }
}

static void write_journal(const WCHAR *line)
{
    char bytes[3 * LINE_SIZE + 1];
    DWORD written;
    int length = WideCharToMultiByte(CP_UTF8, 0, line, -1, bytes, (int)sizeof(bytes), NULL, NULL);
    if (journal != INVALID_HANDLE_VALUE && length > 0) {
        /* The zero at the end becomes the end of the line. One write with append access stays in one piece. */
        bytes[length - 1] = '\n';
        WriteFile(journal, bytes, (DWORD)length, &written, NULL);
    }
}

static void show(const WCHAR *line)
{
    int count = event_list != NULL ? ListBox_GetCount(event_list) : 0;
    if (event_list == NULL) {
        return;
    }
    if (count >= KEPT_LINES) {
        ListBox_DeleteString(event_list, 0);
        count--;
    }
    ListBox_AddString(event_list, line);
    ListBox_SetTopIndex(event_list, count);
}

static void hand_over(const WCHAR *line)
{
    size_t size = (lstrlenW(line) + 1) * sizeof(WCHAR);
    WCHAR *copy = HeapAlloc(GetProcessHeap(), 0, size);
    if (copy != NULL) {
        CopyMemory(copy, line, size);
        if (!PostMessageW(main_window, WM_APP_EVENT, 0, (LPARAM)copy)) {
            HeapFree(GetProcessHeap(), 0, copy);
        }
    }
}

void take_event(LPARAM text)
{
    show((const WCHAR *)text);
    HeapFree(GetProcessHeap(), 0, (void *)text);
}

void note_quietly(const WCHAR *format, ...)
{
    WCHAR line[LINE_SIZE];
    va_list args;
    va_start(args, format);
    wvsprintfW(line, format, args);
    va_end(args);
    replace_controls(line);
    write_journal(line);
}

void note(const WCHAR *format, ...)
{
    WCHAR line[LINE_SIZE];
    va_list args;
    BOOL own_thread = GetCurrentThreadId() == list_thread;
    if (own_thread && quiet > 0) {
        return;
    }
    va_start(args, format);
    wvsprintfW(line, format, args);
    va_end(args);
    replace_controls(line);
    write_journal(line);
    if (own_thread) {
        show(line);
    } else if (list_thread != 0) {
        hand_over(line);
    }
}
