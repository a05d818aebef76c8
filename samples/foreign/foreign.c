/* Programs as other toolkits make them; they know nothing of the recorder.
 *
 *   foreign NAME
 *
 *   toolkits   controls of classes made from the system's, under the names that WinForms, Delphi, Visual Basic and MFC use
 *   ansi       the same, all ANSI
 *   flood      a caption and a label that change every millisecond, from two threads
 *   many       2,000 controls
 *   brief      windows that end in their own handlers
 *   nested     modal dialogs above modal dialogs
 *   counted    a tree whose menu is about the item below the pointer, with commands counted at run time, as wxWidgets has; the caption tells which was chosen
 *   recounted  the same with one command more before them
 *   placed     a menu bar that tells places instead of commands, as native-windows-gui has; the caption tells what was chosen
 *   faulty     a button whose handler writes to nowhere, and one whose fault is repaired by the program itself
 *   habits     what WinForms makes of links, combo boxes, columns, menus and trees (habits.c)
 *   secrets    password fields of classes that are not called Edit (secrets.c); `secrets-changed` with another secret
 *   stacked    edits without ids, each laid on top of those before it, as Lazarus does; the caption tells what the first one holds
 */
#define UNICODE
#include <windows.h>
#include "habits.h"
#include "secrets.h"
#include <commctrl.h>
#include <stdio.h>
#include <stdlib.h>

#define MAIN L"Afx:0000000140000000:8:0000000000010003:0000000000000000:00000000000100A3"

static HWND window, first;
static HACCEL accelerators;

static HWND control(HWND parent, const wchar_t *class, const wchar_t *name, DWORD style, int id, int x, int y, int width,
                    int height) {
    return CreateWindowExW(0, class, name, WS_CHILD | WS_VISIBLE | style, x, y, width, height, parent,
                           (HMENU)(INT_PTR)id, NULL, NULL);
}

/* ---- classes made from the system's ---- */

static struct {
    const wchar_t *base, *name;
    WNDPROC procedure;
} made[] = {
    {L"LISTBOX", L"WindowsForms10.LISTBOX.app.0.141b42a_r6_ad1", 0},
    {L"EDIT", L"WindowsForms10.EDIT.app.0.141b42a_r6_ad1", 0},
    {L"BUTTON", L"WindowsForms10.BUTTON.app.0.141b42a_r6_ad1", 0},
    {L"COMBOBOX", L"WindowsForms10.COMBOBOX.app.0.141b42a_r6_ad1", 0},
    {L"SysListView32", L"WindowsForms10.SysListView32.app.0.141b42a_r6_ad1", 0},
    {L"SysTreeView32", L"WindowsForms10.SysTreeView32.app.0.141b42a_r6_ad1", 0},
    {L"SysTabControl32", L"WindowsForms10.SysTabControl32.app.0.141b42a_r6_ad1", 0},
    {L"LISTBOX", L"TListBox", 0},
    {L"EDIT", L"TEdit", 0},
    {L"EDIT", L"TDBEdit", 0},
    {L"EDIT", L"ThunderRT6TextBox", 0},
    {L"LISTBOX", L"ThunderRT6ListBox", 0},
    {L"COMBOBOX", L"ThunderRT6ComboBox", 0},
    {L"BUTTON", L"ThunderRT6CheckBox", 0},
};

/* One procedure for all, as toolkits have: it finds the system's by the class. */
static LRESULT CALLBACK on_made(HWND hwnd, UINT message, WPARAM wparam, LPARAM lparam) {
    wchar_t class[128];
    GetClassNameW(hwnd, class, 128);
    for (int i = 0; i < (int)(sizeof made / sizeof *made); i++)
        if (!lstrcmpiW(class, made[i].name))
            return CallWindowProcW(made[i].procedure, hwnd, message, wparam, lparam);
    return DefWindowProcW(hwnd, message, wparam, lparam);
}

static void make_classes(void) {
    for (int i = 0; i < (int)(sizeof made / sizeof *made); i++) {
        WNDCLASSEXW class = {.cbSize = sizeof class};
        GetClassInfoExW(NULL, made[i].base, &class);
        made[i].procedure = class.lpfnWndProc;
        class.lpfnWndProc = on_made;
        class.lpszClassName = made[i].name;
        class.hInstance = GetModuleHandleW(NULL);
        class.style &= ~CS_GLOBALCLASS;
        RegisterClassExW(&class);
    }
}

static void fill(HWND list, UINT message) {
    static const wchar_t *const items[] = {L"Iron", L"Copper", L"Silver", L"Gold"};
    for (int i = 0; i < 4; i++)
        SendMessageW(list, message, 0, (LPARAM)items[i]);
}

#define FORMS(name) L"WindowsForms10." name L".app.0.141b42a_r6_ad1"

static void add_toolkits(HWND on) {
    make_classes();
    fill(control(on, FORMS(L"LISTBOX"), L"", LBS_NOTIFY | WS_BORDER | WS_TABSTOP, 101, 10, 10, 150, 80), LB_ADDSTRING);
    control(on, FORMS(L"EDIT"), L"", WS_BORDER | WS_TABSTOP | ES_AUTOHSCROLL, 102, 10, 100, 150, 24);
    control(on, FORMS(L"BUTTON"), L"&Check", BS_AUTOCHECKBOX | WS_TABSTOP, 103, 10, 130, 150, 24);
    fill(control(on, FORMS(L"COMBOBOX"), L"", CBS_DROPDOWNLIST | WS_TABSTOP, 104, 10, 160, 150, 120), CB_ADDSTRING);
    HWND view = control(on, FORMS(L"SysListView32"), L"", LVS_REPORT | WS_BORDER | WS_TABSTOP, 105, 10, 190, 150, 100);
    LVCOLUMNW column = {.mask = LVCF_TEXT | LVCF_WIDTH, .pszText = L"Metal", .cx = 120};
    SendMessageW(view, LVM_INSERTCOLUMNW, 0, (LPARAM)&column);
    for (int i = 0; i < 3; i++) {
        wchar_t text[16];
        swprintf(text, 16, L"Row %d", i);
        LVITEMW item = {.mask = LVIF_TEXT, .iItem = i, .pszText = text};
        SendMessageW(view, LVM_INSERTITEMW, 0, (LPARAM)&item);
    }
    HWND tree = control(on, FORMS(L"SysTreeView32"), L"",
                        TVS_HASBUTTONS | TVS_LINESATROOT | TVS_HASLINES | WS_BORDER | WS_TABSTOP, 106, 10, 300, 150, 90);
    TVINSERTSTRUCTW root = {.hInsertAfter = TVI_LAST, .item = {.mask = TVIF_TEXT, .pszText = L"Root"}};
    HTREEITEM above = (HTREEITEM)SendMessageW(tree, TVM_INSERTITEMW, 0, (LPARAM)&root);
    TVINSERTSTRUCTW leaf = {.hParent = above, .hInsertAfter = TVI_LAST, .item = {.mask = TVIF_TEXT, .pszText = L"Leaf"}};
    SendMessageW(tree, TVM_INSERTITEMW, 0, (LPARAM)&leaf);
    HWND tab = control(on, FORMS(L"SysTabControl32"), L"", WS_TABSTOP, 107, 10, 400, 150, 60);
    for (int i = 0; i < 2; i++) {
        TCITEMW item = {.mask = TCIF_TEXT, .pszText = i ? L"Second" : L"First"};
        SendMessageW(tab, TCM_INSERTITEMW, i, (LPARAM)&item);
    }
    fill(control(on, L"TListBox", L"", LBS_NOTIFY | WS_BORDER | WS_TABSTOP, 201, 180, 10, 150, 80), LB_ADDSTRING);
    control(on, L"TEdit", L"", WS_BORDER | WS_TABSTOP | ES_AUTOHSCROLL, 202, 180, 100, 150, 24);
    control(on, L"TDBEdit", L"", WS_BORDER | WS_TABSTOP | ES_AUTOHSCROLL, 203, 180, 130, 150, 24);
    fill(control(on, L"ThunderRT6ListBox", L"", LBS_NOTIFY | WS_BORDER | WS_TABSTOP, 301, 350, 10, 150, 80), LB_ADDSTRING);
    control(on, L"ThunderRT6TextBox", L"", WS_BORDER | WS_TABSTOP | ES_AUTOHSCROLL, 302, 350, 100, 150, 24);
    control(on, L"ThunderRT6TextBox", L"", WS_BORDER | WS_TABSTOP | ES_AUTOHSCROLL | ES_PASSWORD, 303, 350, 130, 150, 24);
    fill(control(on, L"ThunderRT6ComboBox", L"", CBS_DROPDOWNLIST | WS_TABSTOP, 304, 350, 160, 150, 120), CB_ADDSTRING);
    control(on, L"ThunderRT6CheckBox", L"Check &two", BS_AUTOCHECKBOX | WS_TABSTOP, 305, 350, 190, 150, 24);
    control(on, L"EDIT", L"", WS_BORDER | WS_TABSTOP | ES_AUTOHSCROLL, 401, 350, 220, 150, 24);
    control(on, L"EDIT", L"only to be read", WS_BORDER | WS_TABSTOP | ES_READONLY, 402, 350, 250, 150, 24);
}

static void add_ansi(HWND on) {
    static const struct {
        const char *class, *name;
        DWORD style;
        int y, height;
    } all[] = {
        {"Edit", "", WS_BORDER | ES_AUTOHSCROLL, 10, 24},      {"ListBox", "", WS_BORDER | LBS_NOTIFY, 40, 80},
        {"ComboBox", "", CBS_DROPDOWN, 130, 120},              {"Button", "Pr\xFC" "fen", BS_AUTOCHECKBOX, 160, 24},
        {"Edit", "", WS_BORDER | ES_MULTILINE, 190, 60},
    };
    for (int i = 0; i < 5; i++) {
        HWND made = CreateWindowExA(0, all[i].class, all[i].name, WS_CHILD | WS_VISIBLE | WS_TABSTOP | all[i].style, 10,
                                    all[i].y, 200, all[i].height, on, (HMENU)(INT_PTR)(501 + i), NULL, NULL);
        if (i == 1 || i == 2) {
            UINT add = i == 1 ? LB_ADDSTRING : CB_ADDSTRING;
            SendMessageA(made, add, 0, (LPARAM) "K\xF6ln");
            SendMessageA(made, add, 0, (LPARAM) "D\xFCren");
        }
    }
}

/* ---- load ---- */

static HWND label;

static DWORD WINAPI flood_from_outside(void *nothing) {
    (void)nothing;
    wchar_t text[64];
    for (int i = 0; IsWindow(window); i++) {
        swprintf(text, 64, L"From outside %d", i);
        SendMessageTimeoutW(label, WM_SETTEXT, 0, (LPARAM)text, SMTO_ABORTIFHUNG, 100, NULL);
    }
    return 0;
}

static DWORD WINAPI another_thread(void *number) {
    HWND own = CreateWindowExW(0, MAIN, L"Another", WS_OVERLAPPEDWINDOW, 600, 40 + 160 * (int)(INT_PTR)number, 300, 150, NULL,
                               NULL, NULL, NULL);
    /* The main window keeps the keyboard. */
    ShowWindow(own, SW_SHOWNA);
    control(own, L"EDIT", L"", WS_BORDER, 601, 10, 10, 200, 24);
    MSG message;
    while (IsWindow(window) && GetMessageW(&message, NULL, 0, 0)) {
        TranslateMessage(&message);
        DispatchMessageW(&message);
    }
    return 0;
}

/* ---- windows that end in their own handlers ---- */

static LRESULT CALLBACK on_brief(HWND hwnd, UINT message, WPARAM wparam, LPARAM lparam) {
    switch (message) {
    case WM_CREATE:
        /* Never born: the creation is refused. */
        return lstrcmpW(((CREATESTRUCTW *)lparam)->lpszName, L"refused") ? 0 : -1;
    case WM_LBUTTONDOWN:
    case WM_CHAR:
    case WM_COMMAND:
        DestroyWindow(hwnd);
        return 0;
    case WM_SIZE:
        if (GetWindowTextLengthW(hwnd) == 5)
            DestroyWindow(hwnd);
        return 0;
    }
    return DefWindowProcW(hwnd, message, wparam, lparam);
}

static void add_brief(HWND on) {
    WNDCLASSW class = {.lpfnWndProc = on_brief, .lpszClassName = L"Brief", .hbrBackground = GetStockObject(GRAY_BRUSH)};
    RegisterClassW(&class);
    for (int i = 0; i < 200; i++) {
        control(on, L"Brief", L"refused", 0, 700, 10, 10, 50, 50);
        HWND dying = control(on, L"Brief", L"dying", 0, 701, 10, 10, 50, 50);
        if (IsWindow(dying))
            SetWindowPos(dying, NULL, 0, 0, 20 + i, 20, SWP_NOMOVE);
    }
    for (int i = 0; i < 5; i++) {
        HWND own = control(on, L"Brief", L"click me", WS_BORDER, 710 + i, 10 + 80 * i, 80, 70, 70);
        control(own, L"BUTTON", L"End", WS_TABSTOP, 1, 5, 5, 50, 24);
    }
}

/* ---- modal above modal ---- */

static INT_PTR CALLBACK on_nested(HWND dialog, UINT message, WPARAM wparam, LPARAM lparam);

static INT_PTR nested(HWND owner, int level) {
    struct {
        DLGTEMPLATE head;
        WORD menu, class;
        wchar_t title[16];
        DWORD alignment[16];
    } sheet = {.head = {.style = WS_POPUP | WS_CAPTION | WS_SYSMENU | DS_MODALFRAME | WS_VISIBLE,
                        .x = 10 * level, .y = 15 * level, .cx = 120, .cy = 60}};
    swprintf(sheet.title, 16, L"Level %d", level);
    return DialogBoxIndirectParamW(NULL, &sheet.head, owner, on_nested, level);
}

static INT_PTR CALLBACK on_nested(HWND dialog, UINT message, WPARAM wparam, LPARAM lparam) {
    switch (message) {
    case WM_INITDIALOG:
        SetWindowLongPtrW(dialog, DWLP_USER, lparam);
        control(dialog, L"BUTTON", L"&Deeper", WS_TABSTOP, 801, 10, 10, 80, 24);
        control(dialog, L"BUTTON", L"&Message", WS_TABSTOP, 802, 100, 10, 80, 24);
        control(dialog, L"EDIT", L"", WS_TABSTOP | WS_BORDER, 803, 10, 40, 100, 24);
        return TRUE;
    case WM_COMMAND:
        if (LOWORD(wparam) == 801)
            nested(dialog, (int)GetWindowLongPtrW(dialog, DWLP_USER) + 1);
        else if (LOWORD(wparam) == 802)
            MessageBoxW(dialog, L"A message box in a modal loop", L"Box", MB_YESNO);
        else if (LOWORD(wparam) <= 2)
            EndDialog(dialog, LOWORD(wparam));
        return TRUE;
    }
    return FALSE;
}

/* ---- a menu bar that tells places, not commands (native-windows-gui) ---- */

static void add_placed(HWND on) {
    HMENU bar = CreateMenu(), file = CreatePopupMenu(), view = CreatePopupMenu(), zoom = CreatePopupMenu();
    AppendMenuW(file, MF_STRING, 11, L"&New");
    AppendMenuW(view, MF_STRING, 1, L"&Status");
    AppendMenuW(zoom, MF_STRING, 12, L"&Small");
    AppendMenuW(zoom, MF_STRING, 13, L"&Large");
    AppendMenuW(view, MF_POPUP, (UINT_PTR)zoom, L"&Zoom");
    AppendMenuW(bar, MF_POPUP, (UINT_PTR)file, L"&File");
    AppendMenuW(bar, MF_POPUP, (UINT_PTR)view, L"&View");
    MENUINFO by_place = {.cbSize = sizeof by_place, .fMask = MIM_STYLE, .dwStyle = MNS_NOTIFYBYPOS};
    SetMenuInfo(bar, &by_place);
    SetMenu(on, bar);
}

static void placed(HWND on, WPARAM position, HMENU menu) {
    wchar_t text[64] = L"Foreign ";
    GetMenuStringW(menu, (UINT)position, text + 8, 50, MF_BYPOSITION);
    SetWindowTextW(on, text);
}

/* ---- commands that are counted at run time ---- */

static HWND counted;
static int counter = 0x8300, bar_counter = 300;

static void add_counted(HWND on) {
    HMENU bar = CreateMenu(), edit = CreatePopupMenu();
    AppendMenuW(edit, MF_STRING, bar_counter, L"&Rename");
    AppendMenuW(edit, MF_STRING, bar_counter - 1, L"Re&move...\tCtrl+M");
    AppendMenuW(bar, MF_POPUP, (UINT_PTR)edit, L"&Edit");
    SetMenu(on, bar);
    ACCEL keys = {FVIRTKEY | FCONTROL, 'M', bar_counter - 1};
    accelerators = CreateAcceleratorTableW(&keys, 1);
    counted = control(on, L"SysTreeView32", L"", TVS_HASLINES | WS_BORDER | WS_TABSTOP, counter--, 10, 10, 200, 200);
    for (int i = 0; i < 2; i++) {
        TVINSERTSTRUCTW item = {.hInsertAfter = TVI_LAST, .item = {.mask = TVIF_TEXT, .pszText = i ? L"Second" : L"First"}};
        SendMessageW(counted, TVM_INSERTITEMW, 0, (LPARAM)&item);
    }
}

/* What the menu is about is asked by the place of the pointer; beside the items there is none. */
static void open_menu(HWND hwnd) {
    DWORD at = GetMessagePos();
    POINT point = {(short)LOWORD(at), (short)HIWORD(at)};
    TVHITTESTINFO hit = {.pt = point};
    ScreenToClient(counted, &hit.pt);
    if (!SendMessageW(counted, TVM_HITTEST, 0, (LPARAM)&hit))
        return;
    HMENU menu = CreatePopupMenu();
    int rename = counter, remove = counter - 1;
    AppendMenuW(menu, MF_STRING, rename, L"Rename");
    AppendMenuW(menu, MF_STRING, remove, L"Remove");
    int chosen = TrackPopupMenu(menu, TPM_RETURNCMD, point.x, point.y, 0, hwnd, NULL);
    DestroyMenu(menu);
    /* A tree keeps Alt+F4 to itself. */
    SetFocus(hwnd);
    if (chosen)
        SetWindowTextW(hwnd, (chosen & 0xFFFF) == remove ? L"Foreign removed" : L"Foreign renamed");
}

/* ---- a window that asks the keyboard, in a loop that takes messages of this window only ---- */

static int is_narrow, has_secrets, has_changed_secrets;

static void ask_keys(HWND hwnd, UINT message, WPARAM key) {
    wchar_t text[64];
    if (message == WM_LBUTTONUP)
        SetWindowTextW(hwnd, GetKeyState(VK_LBUTTON) < 0 ? L"Foreign held" : L"Foreign released");
    if (message == WM_KEYDOWN && key >= 'A' && key <= 'Z') {
        int len = GetWindowTextW(hwnd, text, 60);
        text[len] = (wchar_t)(GetKeyState(VK_SHIFT) < 0 ? key : key + 32);
        text[len + 1] = 0;
        SetWindowTextW(hwnd, text);
    }
}

/* ---- the main window ---- */

static int count;

static void command(HWND hwnd, WPARAM wparam) {
    if (LOWORD(wparam) == bar_counter)
        SetWindowTextW(hwnd, L"Foreign renamed");
    if (LOWORD(wparam) == bar_counter - 1)
        SetWindowTextW(hwnd, HIWORD(wparam) ? L"Foreign removed by key" : L"Foreign removed by bar");
}

/* ---- faults in what is sent ---- */

static BOOL is_repairing;

static LONG CALLBACK repair(EXCEPTION_POINTERS *pointers) {
    (void)pointers;
    return is_repairing ? EXCEPTION_CONTINUE_EXECUTION : EXCEPTION_CONTINUE_SEARCH;
}

static void fault(HWND hwnd, int id) {
    if (id == 960) {
        volatile int *nowhere = NULL;
        *nowhere = 1;
    }
    is_repairing = TRUE;
    RaiseException(EXCEPTION_ACCESS_VIOLATION, 0, 0, NULL);
    is_repairing = FALSE;
    SetWindowTextW(hwnd, L"Foreign, repaired");
}

static LRESULT CALLBACK on_main(HWND hwnd, UINT message, WPARAM wparam, LPARAM lparam) {
    if (is_narrow)
        ask_keys(hwnd, message, wparam);
    switch (message) {
    case WM_TIMER: {
        wchar_t text[64];
        swprintf(text, 64, L"Flood %d", ++count);
        SetWindowTextW(hwnd, text);
        for (int i = 0; i < 20; i++) {
            swprintf(text, 64, L"Count %d", count * 20 + i);
            SetWindowTextW(label, text);
        }
        return 0;
    }
    case WM_NOTIFY:
        habit_of_notification((const NMHDR *)lparam);
        if (counted && ((NMHDR *)lparam)->hwndFrom == counted && ((NMHDR *)lparam)->code == NM_RCLICK) {
            open_menu(hwnd);
            return 1;
        }
        break;
    case WM_MENUCOMMAND:
        placed(hwnd, wparam, (HMENU)lparam);
        return 0;
    case WM_COMMAND:
        habit_of_command(wparam, lparam);
        if (has_secrets)
            secrets_command(hwnd, wparam, has_changed_secrets);
        if (counted && !lparam)
            command(hwnd, wparam);
        if (LOWORD(wparam) == 800)
            nested(hwnd, 1);
        if (LOWORD(wparam) == 960 || LOWORD(wparam) == 961)
            fault(hwnd, LOWORD(wparam));
        if (HIWORD(wparam) == EN_CHANGE && (HWND)lparam == first) {
            wchar_t text[64] = L"Foreign ";
            GetWindowTextW(first, text + 8, 50);
            SetWindowTextW(hwnd, text);
        }
        return 0;
    case WM_DESTROY:
        if (hwnd == window)
            PostQuitMessage(7);
        return 0;
    }
    return DefWindowProcW(hwnd, message, wparam, lparam);
}

int WINAPI WinMain(HINSTANCE instance, HINSTANCE before, LPSTR line, int show) {
    (void)before;
    (void)show;
    INITCOMMONCONTROLSEX all = {sizeof all, 0xFFFF};
    InitCommonControlsEx(&all);
    WNDCLASSW class = {.lpfnWndProc = on_main, .lpszClassName = MAIN, .hInstance = instance,
                       .hbrBackground = (HBRUSH)(COLOR_BTNFACE + 1), .hCursor = LoadCursor(NULL, IDC_ARROW)};
    RegisterClassW(&class);
    window = CreateWindowExW(0, MAIN, L"Foreign", WS_OVERLAPPEDWINDOW | WS_VISIBLE, 40, 40, 540, 540, NULL, NULL, instance,
                             NULL);
    is_narrow = !lstrcmpA(line, "narrow");
    has_changed_secrets = !lstrcmpA(line, "secrets-changed");
    has_secrets = has_changed_secrets || !lstrcmpA(line, "secrets");
    if (has_secrets)
        add_secrets(window, has_changed_secrets);
    else if (!lstrcmpA(line, "toolkits"))
        add_toolkits(window);
    else if (!lstrcmpA(line, "ansi"))
        add_ansi(window);
    else if (!lstrcmpA(line, "brief"))
        add_brief(window);
    else if (!lstrcmpA(line, "counted") || !lstrcmpA(line, "recounted")) {
        counter -= line[0] == 'r';
        bar_counter -= line[0] == 'r';
        add_counted(window);
    } else if (!lstrcmpA(line, "stacked"))
        for (int i = 0; i < 4; i++) {
            /* The id is an address, another one in every run. */
            int id = (int)(INT_PTR)malloc(5000) | 0x40000000;
            HWND edit = control(window, L"EDIT", L"", WS_BORDER | WS_TABSTOP, id, 10, 10 + 40 * i, 300, 24);
            SetWindowPos(edit, HWND_TOP, 0, 0, 0, 0, SWP_NOMOVE | SWP_NOSIZE | SWP_NOACTIVATE);
            if (i == 0)
                first = edit;
        }
    else if (!lstrcmpA(line, "faulty")) {
        AddVectoredExceptionHandler(1, repair);
        control(window, L"BUTTON", L"&Fault", WS_TABSTOP, 960, 10, 10, 100, 24);
        control(window, L"BUTTON", L"&Repair", WS_TABSTOP, 961, 10, 40, 100, 24);
    } else if (!lstrcmpA(line, "placed"))
        add_placed(window);
    else if (!lstrcmpA(line, "habits"))
        add_habits(window);
    else if (!lstrcmpA(line, "nested"))
        control(window, L"BUTTON", L"&Dialog", WS_TABSTOP, 800, 10, 10, 100, 24);
    else if (!lstrcmpA(line, "many")) {
        for (int i = 0; i < 2000; i++)
            control(window, i % 2 ? L"BUTTON" : L"EDIT", L"n", i % 2 ? BS_AUTOCHECKBOX : WS_BORDER, 1000 + i,
                    (i % 50) * 20, (i / 50) * 24, 18, 20);
    } else if (!lstrcmpA(line, "flood")) {
        label = control(window, L"STATIC", L"", 0, 901, 10, 10, 300, 24);
        control(window, L"EDIT", L"", WS_BORDER | WS_TABSTOP, 902, 10, 40, 300, 24);
        SetTimer(window, 1, 1, NULL);
        CreateThread(NULL, 0, flood_from_outside, NULL, 0, NULL);
        for (int i = 0; i < 3; i++)
            CreateThread(NULL, 0, another_thread, (void *)(INT_PTR)i, 0, NULL);
    }
    MSG message;
    if (is_narrow) {
        while (GetMessageW(&message, window, 0, 0) > 0 && IsWindow(window)) {
            TranslateMessage(&message);
            DispatchMessageW(&message);
        }
        return 7;
    }
    while (GetMessageW(&message, NULL, 0, 0)) {
        if (accelerators && TranslateAcceleratorW(window, accelerators, &message))
            continue;
        TranslateMessage(&message);
        DispatchMessageW(&message);
    }
    return (int)message.wParam;
}
