/* Two combo boxes as in a font dialog: a choice in Font refills Script, and the program sends itself Script's
 * CBN_SELCHANGE while it still handles that of Font.
 */
#include "truth.h"

enum { ID_FONT = 101, ID_SCRIPT, ID_APPLY };

static const struct {
    const WCHAR *name, *scripts[3];
} fonts[] = {
    {L"Aardvark", {L"Western", L"Runic", NULL}},
    {L"Arial", {L"Western", L"Greek", L"Hebrew"}},
    {L"Courier", {L"Western", L"Cyrillic", NULL}},
    {L"Times", {L"Western", L"Turkish", L"Baltic"}},
};

static HWND font, script;

static void selected(HWND combo, WCHAR *text)
{
    int index = (int)SendMessageW(combo, CB_GETCURSEL, 0, 0);
    *text = 0;
    if (index != CB_ERR) {
        SendMessageW(combo, CB_GETLBTEXT, index, (LPARAM)text);
    }
}

static void refill(HWND frame)
{
    int index = (int)SendMessageW(font, CB_GETCURSEL, 0, 0);
    int which = index == CB_ERR ? -1 : (int)SendMessageW(font, CB_GETITEMDATA, index, 0);
    SendMessageW(script, CB_RESETCONTENT, 0, 0);
    for (int i = 0; which >= 0 && i < 3 && fonts[which].scripts[i] != NULL; i++) {
        SendMessageW(script, CB_ADDSTRING, 0, (LPARAM)fonts[which].scripts[i]);
    }
    SendMessageW(script, CB_SETCURSEL, 0, 0);
    SendMessageW(frame, WM_COMMAND, MAKEWPARAM(ID_SCRIPT, CBN_SELCHANGE), (LPARAM)script);
}

static void create(HWND frame)
{
    control(frame, L"STATIC", L"&Font:", 0, -1, 10, 10, 120, 16);
    font = control(frame, L"COMBOBOX", L"", CBS_SIMPLE | CBS_DISABLENOSCROLL | WS_VSCROLL | WS_TABSTOP,
        ID_FONT, 10, 28, 160, 120);
    control(frame, L"STATIC", L"Sc&ript:", 0, -1, 190, 10, 120, 16);
    script = control(frame, L"COMBOBOX", L"", CBS_DROPDOWNLIST | WS_TABSTOP, ID_SCRIPT, 190, 28, 160, 120);
    control(frame, L"BUTTON", L"&Apply", WS_TABSTOP, ID_APPLY, 10, 170, 80, 24);
    for (int i = options.more ? 0 : 1; i < 4; i++) {
        if (!options.removed || i != 2) {
            LRESULT at = SendMessageW(font, CB_ADDSTRING, 0, (LPARAM)fonts[i].name);
            SendMessageW(font, CB_SETITEMDATA, at, i);
        }
    }
    SendMessageW(font, CB_SETCURSEL, 0, 0);
    refill(frame);
}

LRESULT CALLBACK on_fonts(HWND frame, UINT message, WPARAM wparam, LPARAM lparam)
{
    WCHAR name[32], of[32];
    switch (message) {
    case WM_CREATE:
        create(frame);
        return 0;
    case WM_COMMAND:
        if (wparam == MAKEWPARAM(ID_FONT, CBN_SELCHANGE)) {
            refill(frame);
        } else if (wparam == MAKEWPARAM(ID_APPLY, BN_CLICKED)) {
            selected(font, name);
            selected(script, of);
            outcome(L"FONT %s, %s", name, of);
        }
        return 0;
    }
    return DefWindowProcW(frame, message, wparam, lparam);
}
