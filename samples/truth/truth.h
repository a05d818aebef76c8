/* Programs that write what they did into a file, so that a test can compare the outcome of a replay with that
 * of the recording without trusting the replay's verdict. They know nothing of the recorder.
 *
 *   truth KIND [options]
 *
 *   callback      a list view of LPSTR_TEXTCALLBACK items, with commands on the selected one (lists.c)
 *   virtual       the same as a virtual list (LVS_OWNERDATA)
 *   drawn         an owner-drawn list box without strings (drawn.c)
 *   canvas        a window that draws itself; clicks and drags place shapes on a centred page (canvas.c)
 *   hook          a shortcut handled in a WH_KEYBOARD hook that consumes the key (keys.c)
 *   message-hook  a shortcut handled in a WH_GETMESSAGE hook that consumes the message
 *   fonts         a combo box that refills another and sends its CBN_SELCHANGE (fonts.c)
 *   ends          menu commands that end the process without a word (ends.c)
 *   harmless      standard controls with empty areas, where a click does nothing (harmless.c)
 *
 *   --journal FILE   the outcome, a line for each thing done, UTF-8
 *   --more           one more item, before the others; the canvas has a ruler at its left edge
 *   --removed        the target is missing: the item "gamma.log", the page, the shortcut, the font, the
 *                    fault, or the list
 *   --reversed       items in the opposite order
 *   --size W,H       size of the client area instead of 480,360
 *   --fixed          the window keeps its size, whoever asks
 *   --covered        another child window lies over the right half of the canvas
 *   --marked         the title gets a star when something has changed
 *   --undo           a button Undo beside the canvas is disabled until something has changed
 *   --status         a line below the list says how many items are selected
 */
#ifndef TRUTH_H
#define TRUTH_H

#define UNICODE
#include <windows.h>
#include <commctrl.h>

typedef struct {
    BOOL more, removed, reversed, fixed, covered, marked, undo, status;
    SIZE client;
} Options;

extern Options options;

/* Writes a line of the outcome. It is in the file when this returns. */
void outcome(const WCHAR *format, ...);

/* Creates a child window. */
HWND control(HWND parent, const WCHAR *class, const WCHAR *text, DWORD style, int id, int x, int y, int width,
    int height);

/* Runs a modal dialog without controls; they are for WM_INITDIALOG to create. */
void open_dialog(HWND owner, const WCHAR *title, DLGPROC procedure);

#define MAX_NAMES 8

/* The names of the items as the options order them. Returns how many there are. */
int item_names(const WCHAR *names[MAX_NAMES]);

/* The procedure of the frame for one kind; it handles what it needs and passes the rest to DefWindowProc. */
LRESULT CALLBACK on_callback_list(HWND frame, UINT message, WPARAM wparam, LPARAM lparam);
LRESULT CALLBACK on_virtual_list(HWND frame, UINT message, WPARAM wparam, LPARAM lparam);
LRESULT CALLBACK on_drawn(HWND frame, UINT message, WPARAM wparam, LPARAM lparam);
LRESULT CALLBACK on_canvas_frame(HWND frame, UINT message, WPARAM wparam, LPARAM lparam);
LRESULT CALLBACK on_hook(HWND frame, UINT message, WPARAM wparam, LPARAM lparam);
LRESULT CALLBACK on_message_hook(HWND frame, UINT message, WPARAM wparam, LPARAM lparam);
LRESULT CALLBACK on_fonts(HWND frame, UINT message, WPARAM wparam, LPARAM lparam);
LRESULT CALLBACK on_ends(HWND frame, UINT message, WPARAM wparam, LPARAM lparam);
LRESULT CALLBACK on_harmless(HWND frame, UINT message, WPARAM wparam, LPARAM lparam);

#endif
