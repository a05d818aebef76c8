/* Which messages to a parent are worth a line. */
#include "gallery.h"

void note_message(HWND parent, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_COMMAND:
        note_command(wparam, lparam);
        break;
    case WM_NOTIFY:
        note_notification((const NMHDR *)lparam);
        break;
    case WM_HSCROLL:
    case WM_VSCROLL:
        note_scroll(parent, message, wparam, (HWND)lparam);
        break;
    }
}
