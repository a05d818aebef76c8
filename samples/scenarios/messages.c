/* Messages that a recorder must see rightly, or must not be noticed by: a host that looks for the guest's traces. */
#ifndef UNICODE
#define UNICODE
#endif
#include <windows.h>
#include <commctrl.h>
#include <imm.h>
#include <shlobj.h>
#include "messages.h"

static LONG subclass_messages, questions;
static WNDPROC list_procedure;

static LRESULT CALLBACK count_messages(HWND target, UINT message, WPARAM wparam, LPARAM lparam) {
    subclass_messages++;
    return CallWindowProcW(list_procedure, target, message, wparam, lparam);
}

/* Takes everything, wild pointers too, and does nothing. */
static LRESULT CALLBACK take_all(HWND target, UINT message, WPARAM wparam, LPARAM lparam) {
    switch (message) {
    case WM_NOTIFY:
        if (lparam > 0xFFFF && ((NMHDR *)lparam)->code == TVN_GETDISPINFOW)
            questions++;
        return 0;
    case WM_SETTEXT:
    case WM_WINDOWPOSCHANGED:
    case WM_STYLECHANGED:
    case WM_DROPFILES:
    case WM_COMMAND:
        return 0;
    }
    return DefWindowProcW(target, message, wparam, lparam);
}

static HWND child(HWND parent, const wchar_t *class, DWORD style, int id) {
    return CreateWindowW(class, L"", WS_CHILD | WS_VISIBLE | style, 8, 40, 200, 80, parent, (HMENU)(INT_PTR)id,
                         GetModuleHandleW(NULL), NULL);
}

static void notify_tree(HWND parent, HWND tree, HTREEITEM item) {
    NMTREEVIEWW change = {0};
    change.hdr.hwndFrom = tree;
    change.hdr.idFrom = 1005;
    change.hdr.code = TVN_SELCHANGEDW;
    change.itemNew.hItem = item;
    SendMessageW(parent, WM_NOTIFY, 1005, (LPARAM)&change);
}

/* A list whose subclass counts, a tree whose texts would be asked for. */
static void be_asked_nothing(HWND parent) {
    HWND list = child(parent, L"ListBox", LBS_NOTIFY, 1004), tree = child(parent, WC_TREEVIEWW, 0, 1005);
    TVINSERTSTRUCTW insert = {.hParent = TVI_ROOT, .hInsertAfter = TVI_LAST};
    HTREEITEM item;
    SendMessageW(list, LB_ADDSTRING, 0, (LPARAM)L"the only entry");
    SendMessageW(list, LB_SETCURSEL, 0, 0);
    list_procedure = (WNDPROC)SetWindowLongPtrW(list, GWLP_WNDPROC, (LONG_PTR)count_messages);
    subclass_messages = 0;
    SendMessageW(parent, WM_COMMAND, MAKEWPARAM(1004, LBN_SELCHANGE), (LPARAM)list);
    tell("messages of the subclass", subclass_messages);
    insert.item.mask = TVIF_TEXT;
    insert.item.pszText = LPSTR_TEXTCALLBACKW;
    item = (HTREEITEM)SendMessageW(tree, TVM_INSERTITEMW, 0, (LPARAM)&insert);
    questions = 0;
    notify_tree(parent, tree, item);
    tell("questions of the tree", questions);
}

static void drop_files(HWND target) {
    static const wchar_t names[] = L"C:\\a b.txt\0C:\\\x00FC.doc\0";
    HGLOBAL memory = GlobalAlloc(GHND, sizeof(DROPFILES) + sizeof names);
    DROPFILES *drop = GlobalLock(memory);
    drop->pFiles = sizeof *drop;
    drop->fWide = TRUE;
    memcpy(drop + 1, names, sizeof names);
    GlobalUnlock(memory);
    SendMessageW(target, WM_DROPFILES, (WPARAM)memory, 0);
    GlobalFree(memory);
}

static void compose(HWND target) {
    HIMC context = ImmGetContext(target);
    wchar_t text[] = L"\x65E5\x672C";
    if (!context)
        return;
    ImmSetCompositionStringW(context, SCS_SETSTR, text, 2 * sizeof *text, NULL, 0);
    ImmNotifyIME(context, NI_COMPOSITIONSTR, CPS_COMPLETE, 0);
    ImmReleaseContext(target, context);
}

static void send_wild_pointers(HWND target) {
    static const LPARAM wild[] = {8, 0x7FFF1234, -1};
    static const UINT messages[] = {WM_NOTIFY, WM_SETTEXT, WM_WINDOWPOSCHANGED, WM_STYLECHANGED};
    for (int i = 0; i < 12; i++)
        if (wild[i % 3] != -1 && wild[i % 3] <= 0xFFFF)
            SendMessageW(target, messages[i / 3], 0, wild[i % 3]);
}

static void be_private(HWND parent) {
    HWND patient = child(parent, L"PatientName", 0, 1006), number = child(parent, L"Edit", 0, 1003);
    SetWindowTextW(patient, L"Order 66");
    SetFocus(number);
    PostMessageW(number, WM_CHAR, 'a', 1);
    PostMessageW(number, WM_CHAR, '7', 1);
    pump();
    SetFocus(parent);
}

void play_messages(HWND parent, HWND edit) {
    MSG message;
    wchar_t text[16];
    for (int i = 0; i < 10000; i++)
        SendMessageW(edit, WM_GETTEXT, 16, (LPARAM)text);
    PostMessageW(edit, WM_CHAR, 'p', 1);
    for (int i = 0; i < 5; i++)
        PeekMessageW(&message, NULL, 0, 0, PM_NOREMOVE);
    pump();
    be_asked_nothing(parent);
    drop_files(parent);
    compose(edit);
    pump();
    send_wild_pointers(parent);
    be_private(parent);
}

HWND open_messages(void) {
    HINSTANCE instance = GetModuleHandleW(NULL);
    WNDCLASSW all = {.lpfnWndProc = take_all, .hInstance = instance, .lpszClassName = L"TakesAll"};
    WNDCLASSW patient = {.lpfnWndProc = DefWindowProcW, .hInstance = instance, .lpszClassName = L"PatientName"};
    InitCommonControls();
    RegisterClassW(&all);
    RegisterClassW(&patient);
    return CreateWindowW(L"TakesAll", L"Messages", WS_OVERLAPPEDWINDOW | WS_VISIBLE, 60, 60, 300, 200, NULL, NULL,
                         instance, NULL);
}
