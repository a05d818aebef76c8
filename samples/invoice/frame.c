/* The main window: tool bar, list of items, status bar, and what the menu does. */
#include "invoice.h"

#include <commdlg.h>

#define LATE_TIMER 1
#define LATE_MILLISECONDS 1500

/* Posted, so that the work is done straight from the message loop. A command may be sent by the system (an accelerator is);
 * a crash in there is swallowed by Wine and by some versions of Windows. */
#define WM_APP_EDITED (WM_APP + 1)
#define WM_APP_CRASH (WM_APP + 2)

static HWND tool_bar, list, status;
static struct item edited;

int scaled(int pixels)
{
    HDC dc = GetDC(NULL);
    int dpi = GetDeviceCaps(dc, LOGPIXELSX);
    ReleaseDC(NULL, dc);
    return MulDiv(pixels, dpi, 96);
}

static const WCHAR *file_name(void)
{
    const WCHAR *name = document.path, *letter;
    for (letter = document.path; *letter != 0; letter++) {
        if (*letter == L'\\' || *letter == L'/') {
            name = letter + 1;
        }
    }
    return *name != 0 ? name : text(IDS_UNTITLED);
}

static void set_title(void)
{
    WCHAR title[MAX_PATH + 100], before[MAX_PATH + 100];
    StringCchPrintfW(title, COUNT(title), L"%s%s - %s", file_name(), document.changed ? L"*" : L"", text(IDS_PROGRAM));
    GetWindowTextW(main_window, before, COUNT(before));
    if (lstrcmpW(title, before) != 0 && !(has_fault(FAULT_TITLE_STALE) && before[0] != 0)) {
        SetWindowTextW(main_window, title);
    }
}

static void enable(UINT command, BOOL on)
{
    HMENU menu = GetMenu(main_window);
    EnableMenuItem(menu, command, on && !(command == IDM_REMOVE && has_fault(FAULT_MENU_DISABLED)) ? MF_ENABLED : MF_GRAYED);
    SendMessageW(tool_bar, TB_ENABLEBUTTON, command, MAKELPARAM(on, 0));
}

static void enable_commands(void)
{
    int row = selected_row(list);
    enable(IDM_EDIT, row >= 0);
    enable(IDM_REMOVE, row >= 0);
    enable(IDM_MOVE_UP, row > 0);
    enable(IDM_MOVE_DOWN, row >= 0 && row < document.count - 1);
}

/* Shows the invoice as it is now, with this row selected: none is -1, the one before is KEEP_SELECTION. */
void refresh(int selected)
{
    struct totals totals = document_totals();
    WCHAR net[AMOUNT_SIZE], vat[AMOUNT_SIZE], total[AMOUNT_SIZE];
    show_items(list, selected == KEEP_SELECTION ? selected_row(list) : selected);
    show_totals(status);
    set_title();
    enable_commands();
    format_plain(net, totals.net);
    format_plain(vat, totals.vat);
    format_plain(total, totals.total);
    note(L"TOTAL items=%d net=%s vat=%s total=%s", document.count, net, vat, total);
}

static void note_item(const WCHAR *word, int row)
{
    const struct item *item = item_at(row);
    WCHAR price[AMOUNT_SIZE];
    format_plain(price, item->price);
    note(L"%s row=%d description=\"%s\" category=%d quantity=%d price=%s vat=%d gift=%d date=%04d-%02d-%02d", word, row,
        item->description, item->category, item->quantity, price, VAT_RATES[item->vat], item->gift, item->year,
        item->month, item->day);
}

static void add(void)
{
    struct item item;
    int row, times;
    default_item(&item);
    if (has_fault(FAULT_NEVER_OPENS) || !open_item_dialog(main_window, TRUE, &item)) {
        return;
    }
    for (times = has_fault(FAULT_DOUBLE_ADD) ? 2 : 1; times > 0; times--) {
        if (!add_item(&item)) {
            ask(main_window, IDS_TOO_MANY, L"", MB_OK | MB_ICONWARNING);
            return;
        }
    }
    row = document.count - 1;
    if (has_fault(FAULT_ORDER_WRONG)) {
        move_item(row, 0);
    }
    note_item(L"ADD", row);
    refresh(has_fault(FAULT_WRONG_SELECTION) ? 0 : row);
    if (has_fault(FAULT_STATUS_HIDDEN)) {
        ShowWindow(status, SW_HIDE);
    }
    if (has_fault(FAULT_EXTRA_BOX)) {
        ask(main_window, IDS_THANKS, L"", MB_OK | MB_ICONINFORMATION);
    }
}

static void edit(void)
{
    int row = selected_row(list);
    if (row < 0) {
        return;
    }
    edited = *item_at(row);
    while (has_fault(FAULT_EDIT_HANGS)) {
        Sleep(1000);
    }
    if (has_fault(FAULT_EDIT_EXITS)) {
        ExitProcess(3);
    }
    if (has_fault(FAULT_EDIT_CRASHES)) {
        PostMessageW(main_window, WM_APP_CRASH, 0, 0);
        return;
    }
    if (open_item_dialog(main_window, FALSE, &edited)) {
        PostMessageW(main_window, WM_APP_EDITED, (WPARAM)row, 0);
    }
}

static void take_edited(int row)
{
    edit_item(row, &edited);
    note_item(L"EDIT", row);
    refresh(row);
}

static void remove_selected(void)
{
    int row = selected_row(list);
    if (row < 0) {
        return;
    }
    note_item(L"REMOVE", row);
    remove_item(row);
    refresh(row < document.count ? row : document.count - 1);
}

static void move_selected(int distance)
{
    int row = selected_row(list), to = row + distance;
    if (row < 0 || to < 0 || to >= document.count) {
        return;
    }
    while (has_fault(FAULT_HANG)) {
        Sleep(1000);
    }
    move_item(row, to);
    note(L"MOVE from=%d to=%d", row, to);
    refresh(to);
}

static void sort(int column)
{
    sort_items(column);
    note(L"SORT column=%d", column);
    refresh(-1);
}

/* Asks for a file's name; FALSE if the user gave none. */
static BOOL choose_file(BOOL save, WCHAR *path)
{
    OPENFILENAMEW dialog = { 0 };
    WCHAR filter[256], *letter;
    BOOL chosen;
    StringCchCopyW(filter, COUNT(filter), text(IDS_FILTER));
    for (letter = filter; *letter != 0; letter++) {
        if (*letter == L'|') {
            *letter = 0;
        }
    }
    dialog.lStructSize = sizeof(dialog);
    dialog.hwndOwner = main_window;
    dialog.lpstrFilter = filter;
    dialog.lpstrFile = path;
    dialog.nMaxFile = MAX_PATH;
    dialog.lpstrDefExt = L"invoice";
    dialog.Flags = OFN_HIDEREADONLY | OFN_NOCHANGEDIR | (save ? OFN_OVERWRITEPROMPT : OFN_FILEMUSTEXIST);
    note(L"DIALOG file opened");
    chosen = save ? GetSaveFileNameW(&dialog) : GetOpenFileNameW(&dialog);
    note(L"DIALOG file result=%d", chosen);
    return chosen;
}

static BOOL save_as(const WCHAR *path)
{
    BOOL well = write_document(path);
    if (well) {
        StringCchCopyW(document.path, COUNT(document.path), path);
        document.changed = FALSE;
        set_title();
        note(L"SAVE file=\"%s\"", file_name());
    } else {
        ask(main_window, IDS_CANNOT_WRITE, path, MB_OK | MB_ICONERROR);
    }
    return well;
}

static BOOL choose_and_save(void)
{
    WCHAR path[MAX_PATH];
    StringCchCopyW(path, COUNT(path), document.path);
    return choose_file(TRUE, path) && save_as(path);
}

static BOOL save(void)
{
    WCHAR path[MAX_PATH];
    if (document.path[0] == 0) {
        return choose_and_save();
    }
    StringCchCopyW(path, COUNT(path), document.path);
    return save_as(path);
}

/* Whether the invoice may go: it is saved, or the user does not mind. */
static BOOL may_go(void)
{
    if (!document.changed || has_fault(FAULT_NO_QUESTION)) {
        return TRUE;
    }
    switch (ask(main_window, IDS_ASK_SAVE, file_name(), MB_YESNOCANCEL | MB_ICONQUESTION)) {
    case IDYES:
        return save();
    case IDNO:
        return TRUE;
    }
    return FALSE;
}

BOOL open_file(const WCHAR *path)
{
    enum reading result = read_document(path);
    if (result != READ_WELL) {
        ask(main_window, result == READ_NOT ? IDS_CANNOT_READ : IDS_NO_INVOICE, path, MB_OK | MB_ICONERROR);
        return FALSE;
    }
    note(L"OPEN file=\"%s\"", file_name());
    refresh(-1);
    return TRUE;
}

static void choose_and_open(void)
{
    WCHAR path[MAX_PATH] = L"";
    if (may_go() && choose_file(FALSE, path)) {
        open_file(path);
    }
}

static void arrange(HWND frame)
{
    RECT client, bar;
    int top = 0, bottom;
    SendMessageW(tool_bar, TB_AUTOSIZE, 0, 0);
    SendMessageW(status, WM_SIZE, 0, 0);
    GetClientRect(frame, &client);
    bottom = client.bottom;
    set_status_parts(status, client.right);
    if (GetWindowLongPtrW(tool_bar, GWL_STYLE) & WS_VISIBLE) {
        GetWindowRect(tool_bar, &bar);
        top = bar.bottom - bar.top;
    }
    if (GetWindowLongPtrW(status, GWL_STYLE) & WS_VISIBLE) {
        GetWindowRect(status, &bar);
        bottom -= bar.bottom - bar.top;
    }
    MoveWindow(list, 0, top, client.right, bottom - top, TRUE);
    fit_columns(list);
}

static void toggle_bar(HWND frame, UINT command, HWND bar)
{
    BOOL shown = (GetWindowLongPtrW(bar, GWL_STYLE) & WS_VISIBLE) != 0;
    CheckMenuItem(GetMenu(frame), command, shown ? MF_UNCHECKED : MF_CHECKED);
    ShowWindow(bar, shown ? SW_HIDE : SW_SHOW);
    note(L"VIEW %d shown=%d", command, !shown);
    arrange(frame);
}

static void on_command(HWND frame, UINT id, UINT code)
{
    switch (id) {
    case IDM_NEW:
        if (may_go()) {
            new_document();
            note(L"NEW");
            refresh(-1);
        }
        break;
    case IDM_OPEN:
        choose_and_open();
        break;
    case IDM_SAVE:
        save();
        break;
    case IDM_SAVE_AS:
        choose_and_save();
        break;
    case IDM_EXIT:
        SendMessageW(frame, WM_CLOSE, 0, 0);
        break;
    case IDM_ADD:
        if (has_fault(FAULT_LATE_WINDOW)) {
            SetTimer(frame, LATE_TIMER, LATE_MILLISECONDS, NULL);
        } else {
            add();
        }
        break;
    case IDM_EDIT:
        edit();
        break;
    case IDM_REMOVE:
        if (!(has_fault(FAULT_KEY_DEAD) && code == 1)) {
            remove_selected();
        }
        break;
    case IDM_MOVE_UP:
        move_selected(-1);
        break;
    case IDM_MOVE_DOWN:
        move_selected(1);
        break;
    case IDM_VIEW_TOOLBAR:
        toggle_bar(frame, id, tool_bar);
        break;
    case IDM_VIEW_STATUS:
        toggle_bar(frame, id, status);
        break;
    case IDM_OPTIONS:
        open_options(frame);
        break;
    case IDM_ABOUT:
        if (has_fault(FAULT_ABOUT_CRASH)) {
            PostMessageW(frame, WM_APP_CRASH, 0, 0);
        } else {
            open_about(frame);
        }
        break;
    }
}

static LRESULT on_notify(NMHDR *header)
{
    const NMLISTVIEW *change = (const NMLISTVIEW *)header;
    if (header->code == TTN_GETDISPINFOW) {
        return handle_tool_tip(header);
    }
    if (header->idFrom != IDC_ITEMS) {
        return 0;
    }
    switch (header->code) {
    case LVN_ITEMCHANGED:
        if ((change->uNewState ^ change->uOldState) & LVIS_SELECTED) {
            enable_commands();
        }
        break;
    case LVN_ITEMACTIVATE:
        edit();
        break;
    case LVN_COLUMNCLICK:
        sort(change->iSubItem);
        break;
    }
    return 0;
}

static void open_context_menu(HWND frame, LPARAM point)
{
    POINT corner = { GET_X_LPARAM(point), GET_Y_LPARAM(point) };
    if (corner.x == -1 && corner.y == -1) {
        corner.x = corner.y = scaled(20);
        ClientToScreen(list, &corner);
    }
    TrackPopupMenu(GetSubMenu(GetMenu(frame), 1), TPM_RIGHTBUTTON, corner.x, corner.y, 0, frame, NULL);
}

/* The status bar explains the item under the pointer. */
static void explain(UINT command, UINT flags)
{
    const WCHAR *words = text(IDS_READY);
    if (!(flags & (MF_POPUP | MF_SYSMENU | MF_SEPARATOR)) && flags != 0xFFFF) {
        words = text((int)command);
    }
    SendMessageW(status, SB_SETTEXTW, 0, (LPARAM)words);
}

static LRESULT CALLBACK frame_proc(HWND frame, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_CREATE:
        main_window = frame;
        tool_bar = create_tool_bar(frame);
        status = create_status_bar(frame);
        list = create_item_list(frame);
        arrange(frame);
        refresh(-1);
        return 0;
    case WM_SIZE:
        arrange(frame);
        return 0;
    case WM_GETMINMAXINFO:
        ((MINMAXINFO *)lparam)->ptMinTrackSize.x = scaled(420);
        ((MINMAXINFO *)lparam)->ptMinTrackSize.y = scaled(240);
        return 0;
    case WM_SETFOCUS:
        SetFocus(list);
        return 0;
    case WM_COMMAND:
        note(L"COMMAND %d %s", LOWORD(wparam), lparam != 0 ? L"tool bar" : HIWORD(wparam) == 1 ? L"accelerator" : L"menu");
        on_command(frame, LOWORD(wparam), HIWORD(wparam));
        return 0;
    case WM_NOTIFY:
        return on_notify((NMHDR *)lparam);
    case WM_CONTEXTMENU:
        if ((HWND)wparam == list) {
            open_context_menu(frame, lparam);
            return 0;
        }
        break;
    case WM_MENUSELECT:
        explain(LOWORD(wparam), HIWORD(wparam));
        return 0;
    case WM_TIMER:
        KillTimer(frame, LATE_TIMER);
        add();
        return 0;
    case WM_APP_EDITED:
        take_edited((int)wparam);
        return 0;
    case WM_APP_CRASH:
        *(volatile int *)NULL = 0;
        return 0;
    case WM_CLOSE:
        note(L"CLOSE");
        if (may_go()) {
            DestroyWindow(frame);
        }
        return 0;
    case WM_DESTROY:
        PostQuitMessage(0);
        return 0;
    }
    return DefWindowProcW(frame, message, wparam, lparam);
}

BOOL register_frame(void)
{
    WNDCLASSEXW class = { 0 };
    class.cbSize = sizeof(class);
    class.lpfnWndProc = frame_proc;
    class.hInstance = instance;
    class.hIcon = LoadIconW(NULL, IDI_APPLICATION);
    class.hCursor = LoadCursorW(NULL, IDC_ARROW);
    class.hbrBackground = (HBRUSH)(COLOR_BTNFACE + 1);
    class.lpszClassName = L"InvoiceFrame";
    return RegisterClassExW(&class) != 0;
}

HWND create_frame(void)
{
    RECT place = { 60, 60, scaled(820), scaled(480) };
    if (switches.placed) {
        place = switches.place;
    }
    return CreateWindowExW(0, L"InvoiceFrame", NULL, WS_OVERLAPPEDWINDOW | WS_CLIPCHILDREN, place.left, place.top,
        place.right, place.bottom, NULL, load_menu(IDR_MENU), instance, NULL);
}
