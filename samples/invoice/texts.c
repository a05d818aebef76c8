/* Texts, menus and dialogs in the language of the command line, whatever the system's language is. */
#include "invoice.h"

#define STRINGS_PER_BLOCK 16
#define KEPT_TEXTS 8

static const void *find(LPCWSTR type, int id)
{
    HRSRC found = FindResourceExW(instance, type, MAKEINTRESOURCEW(id), switches.language);
    return found != NULL ? LockResource(LoadResource(instance, found)) : NULL;
}

const WCHAR *text(int id)
{
    static WCHAR kept[KEPT_TEXTS][256];
    static int next;
    WCHAR *buffer = kept[next++ % KEPT_TEXTS];
    /* A block is sixteen strings, each behind its length. */
    const WCHAR *string = find(RT_STRING, id / STRINGS_PER_BLOCK + 1);
    int i;
    buffer[0] = 0;
    if (string != NULL) {
        for (i = 0; i < id % STRINGS_PER_BLOCK; i++) {
            string += 1 + *string;
        }
        StringCchCopyNW(buffer, COUNT(kept[0]), string + 1, *string);
    }
    return buffer;
}

HMENU load_menu(int id)
{
    return LoadMenuIndirectW(find(RT_MENU, id));
}

const DLGTEMPLATE *dialog_template(int id)
{
    return find(RT_DIALOG, id);
}

INT_PTR run_dialog(int id, HWND owner, DLGPROC proc, LPARAM value)
{
    return DialogBoxIndirectParamW(instance, dialog_template(id), owner, proc, value);
}

static HHOOK box_hook;

static void set_button(HWND box, int button, int text_id)
{
    HWND window = GetDlgItem(box, button);
    if (window != NULL) {
        SetWindowTextW(window, text(text_id));
    }
}

/* The system's message boxes speak the system's language. */
static LRESULT CALLBACK translate_box(int code, WPARAM wparam, LPARAM lparam)
{
    if (code == HCBT_ACTIVATE) {
        HWND box = (HWND)wparam;
        set_button(box, IDYES, IDS_YES);
        set_button(box, IDNO, IDS_NO);
        set_button(box, IDCANCEL, IDS_CANCEL);
        UnhookWindowsHookEx(box_hook);
        box_hook = NULL;
    }
    return CallNextHookEx(NULL, code, wparam, lparam);
}

int ask(HWND owner, int text_id, const WCHAR *name, UINT flags)
{
    WCHAR question[256 + MAX_PATH];
    int answer;
    StringCchPrintfW(question, COUNT(question), text(text_id), name);
    if ((flags & MB_TYPEMASK) != MB_OK) {
        box_hook = SetWindowsHookExW(WH_CBT, translate_box, NULL, GetCurrentThreadId());
    }
    note(L"BOX %d opened", text_id);
    answer = MessageBoxW(owner, question, text(IDS_PROGRAM), flags);
    note(L"BOX %d result=%d", text_id, answer);
    return answer;
}
