/* WM_COMMAND in words: who, what, and the state after it.
 *
 * Focus and repaint notifications are left out: they follow from others and differ between input and replay.
 */
#include "gallery.h"

#define TEXT_SIZE 400

static void note_with_text(UINT id, const WCHAR *code, HWND control)
{
    WCHAR text[TEXT_SIZE];
    GetWindowTextW(control, text, COUNT(text));
    note(L"WM_COMMAND %u %s text=\"%s\"", id, code, text);
}

/* A secret is told by its length and a hash: a test can compare, a log holds nothing. */
static void note_secret(UINT id, const WCHAR *code, HWND control)
{
    WCHAR text[TEXT_SIZE];
    int length = GetWindowTextW(control, text, COUNT(text));
    DWORD hash = 2166136261u;
    int i;
    for (i = 0; i < length; i++) {
        hash = (hash ^ text[i]) * 16777619u;
    }
    SecureZeroMemory(text, sizeof(text));
    note(L"WM_COMMAND %u %s length=%d hash=%08lx", id, code, length, hash);
}

static void note_button(UINT id, UINT code, HWND control)
{
    DWORD type = (DWORD)GetWindowLongPtrW(control, GWL_STYLE) & BS_TYPEMASK;
    const WCHAR *name = code == BN_DBLCLK ? L"BN_DBLCLK" : L"BN_CLICKED";
    if (code != BN_CLICKED && code != BN_DBLCLK) {
        return;
    }
    switch (type) {
    case BS_CHECKBOX:
    case BS_AUTOCHECKBOX:
    case BS_3STATE:
    case BS_AUTO3STATE:
    case BS_RADIOBUTTON:
    case BS_AUTORADIOBUTTON:
        note(L"WM_COMMAND %u %s checked=%d", id, name, Button_GetCheck(control));
        break;
    default:
        note(L"WM_COMMAND %u %s", id, name);
    }
}

static void note_edit(UINT id, UINT code, HWND control)
{
    switch (code) {
    case EN_CHANGE:
        if (GetWindowLongPtrW(control, GWL_STYLE) & ES_PASSWORD) {
            note_secret(id, L"EN_CHANGE", control);
        } else {
            note_with_text(id, L"EN_CHANGE", control);
        }
        break;
    case EN_MAXTEXT:
        note(L"WM_COMMAND %u EN_MAXTEXT", id);
        break;
    }
}

static void note_list_box(UINT id, UINT code, HWND control)
{
    DWORD style = (DWORD)GetWindowLongPtrW(control, GWL_STYLE);
    BOOL has_strings = !(style & (LBS_OWNERDRAWFIXED | LBS_OWNERDRAWVARIABLE)) || (style & LBS_HASSTRINGS);
    const WCHAR *name = code == LBN_DBLCLK ? L"LBN_DBLCLK" : L"LBN_SELCHANGE";
    int item = ListBox_GetCurSel(control);
    if (code == LBN_SELCANCEL) {
        note(L"WM_COMMAND %u LBN_SELCANCEL", id);
    } else if (code != LBN_SELCHANGE && code != LBN_DBLCLK) {
        return;
    } else if (style & (LBS_MULTIPLESEL | LBS_EXTENDEDSEL)) {
        int items[64], i, length = 0;
        int count = ListBox_GetSelItems(control, COUNT(items), items);
        WCHAR text[TEXT_SIZE] = L"";
        for (i = 0; i < count; i++) {
            length += wsprintfW(text + length, i == 0 ? L"%d" : L",%d", items[i]);
        }
        note(L"WM_COMMAND %u %s items=%s", id, name, text);
    } else if (!has_strings || item < 0) {
        note(L"WM_COMMAND %u %s item=%d", id, name, item);
    } else {
        WCHAR text[TEXT_SIZE] = L"";
        if (ListBox_GetTextLen(control, item) < COUNT(text)) {
            ListBox_GetText(control, item, text);
        }
        note(L"WM_COMMAND %u %s item=%d text=\"%s\"", id, name, item, text);
    }
}

static void get_combo_text(HWND control, BOOL extended, int item, WCHAR *text)
{
    text[0] = 0;
    if (extended) {
        COMBOBOXEXITEMW found = { 0 };
        found.mask = CBEIF_TEXT;
        found.iItem = item;
        found.pszText = text;
        found.cchTextMax = TEXT_SIZE;
        SendMessageW(control, CBEM_GETITEMW, 0, (LPARAM)&found);
    } else if (ComboBox_GetLBTextLen(control, item) < TEXT_SIZE) {
        ComboBox_GetLBText(control, item, text);
    }
}

static void note_combo(UINT id, UINT code, HWND control, BOOL extended)
{
    static const struct {
        UINT code;
        const WCHAR *name;
    } names[] = {
        { CBN_DROPDOWN, L"CBN_DROPDOWN" },
        { CBN_CLOSEUP, L"CBN_CLOSEUP" },
        { CBN_SELENDOK, L"CBN_SELENDOK" },
        { CBN_SELENDCANCEL, L"CBN_SELENDCANCEL" },
        { CBN_DBLCLK, L"CBN_DBLCLK" },
    };
    int item = ComboBox_GetCurSel(control), i;
    WCHAR text[TEXT_SIZE];
    if (code == CBN_SELCHANGE) {
        get_combo_text(control, extended, item, text);
        note(L"WM_COMMAND %u CBN_SELCHANGE item=%d text=\"%s\"", id, item, text);
    } else if (code == CBN_EDITCHANGE) {
        note_with_text(id, L"CBN_EDITCHANGE", control);
    }
    for (i = 0; i < COUNT(names); i++) {
        if (names[i].code == code) {
            note(L"WM_COMMAND %u %s", id, names[i].name);
        }
    }
}

static void note_tool_bar(UINT id, HWND control)
{
    BYTE style = 0;
    TBBUTTONINFOW button = { 0 };
    button.cbSize = sizeof(button);
    button.dwMask = TBIF_STYLE;
    if (SendMessageW(control, TB_GETBUTTONINFOW, id, (LPARAM)&button) >= 0) {
        style = button.fsStyle;
    }
    if (style & BTNS_CHECK) {
        note(L"WM_COMMAND %u tool bar checked=%d", id, (int)SendMessageW(control, TB_ISBUTTONCHECKED, id, 0));
    } else {
        note(L"WM_COMMAND %u tool bar", id);
    }
}

void note_command(WPARAM wparam, LPARAM lparam)
{
    UINT id = LOWORD(wparam), code = HIWORD(wparam);
    HWND control = (HWND)lparam;
    WCHAR class_name[64] = L"";
    if (control == NULL) {
        /* Enter and Esc without a button of theirs look like a menu. */
        BOOL dialog_key = id == IDOK || id == IDCANCEL;
        note(L"WM_COMMAND %u %s", id, code == 1 ? L"accelerator" : dialog_key ? L"dialog key" : L"menu");
        return;
    }
    GetClassNameW(control, class_name, COUNT(class_name));
    if (lstrcmpiW(class_name, L"Button") == 0) {
        note_button(id, code, control);
    } else if (lstrcmpiW(class_name, L"Edit") == 0 || lstrcmpiW(class_name, L"RICHEDIT50W") == 0) {
        note_edit(id, code, control);
    } else if (lstrcmpiW(class_name, L"ListBox") == 0) {
        note_list_box(id, code, control);
    } else if (lstrcmpiW(class_name, L"ComboBox") == 0) {
        note_combo(id, code, control, FALSE);
    } else if (lstrcmpiW(class_name, WC_COMBOBOXEXW) == 0) {
        note_combo(id, code, control, TRUE);
    } else if (lstrcmpiW(class_name, TOOLBARCLASSNAMEW) == 0) {
        note_tool_bar(id, control);
    } else if (lstrcmpiW(class_name, L"Static") == 0) {
        if (code == STN_CLICKED || code == STN_DBLCLK) {
            note(L"WM_COMMAND %u %s", id, code == STN_CLICKED ? L"STN_CLICKED" : L"STN_DBLCLK");
        }
    }
}
