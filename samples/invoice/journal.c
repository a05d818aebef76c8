/* What the program did, for tests: UTF-8, one line each, written at once, so that it is there after a crash too. */
#include "invoice.h"

#include <stdarg.h>

#define LINE_SIZE 1024

static HANDLE journal = INVALID_HANDLE_VALUE;

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

/* One line stays one line. */
static void replace_controls(WCHAR *line)
{
    for (; *line != 0; line++) {
        if (*line < L' ') {
            *line = L' ';
        }
    }
}

void note(const WCHAR *format, ...)
{
    WCHAR line[LINE_SIZE];
    char bytes[3 * LINE_SIZE + 1];
    DWORD written;
    int length;
    va_list args;
    if (journal == INVALID_HANDLE_VALUE) {
        return;
    }
    va_start(args, format);
    StringCchVPrintfW(line, COUNT(line), format, args);
    va_end(args);
    replace_controls(line);
    length = WideCharToMultiByte(CP_UTF8, 0, line, -1, bytes, (int)sizeof(bytes), NULL, NULL);
    if (length > 0) {
        /* The zero at the end becomes the end of the line. */
        bytes[length - 1] = '\n';
        WriteFile(journal, bytes, (DWORD)length, &written, NULL);
    }
}
