/* The main window: bars above and below, the list of pages, the chosen page, the event list. */
#include "gallery.h"

#define LIST_WIDTH 110   /* pixels at 96 dpi */
#define EVENTS_HEIGHT 150
#define GAP 4
#define MAX_PAGES 32
#define HOT_KEY 7

static HWND rebar, status, page_list, event_list;
static HWND page_windows[MAX_PAGES];
static HWND current_page;
static HWND last_focus; /* while another window is active */
static HFONT font;

static int scaled(int pixels)
{
    HDC dc = GetDC(NULL);
    int dpi = GetDeviceCaps(dc, LOGPIXELSX);
    ReleaseDC(NULL, dc);
    return MulDiv(pixels, dpi, 96);
}

static HWND create_list(HWND frame, int id, DWORD style)
{
    HWND list = CreateWindowExW(WS_EX_CLIENTEDGE, L"ListBox", NULL,
        WS_CHILD | WS_VISIBLE | WS_VSCROLL | LBS_NOINTEGRALHEIGHT | style, 0, 0, 0, 0, frame, (HMENU)(INT_PTR)id,
        instance, NULL);
    SendMessageW(list, WM_SETFONT, (WPARAM)font, FALSE);
    return list;
}

static int height_of(HWND bar)
{
    RECT area = { 0, 0, 0, 0 };
    if (GetWindowLongPtrW(bar, GWL_STYLE) & WS_VISIBLE) {
        GetWindowRect(bar, &area);
    }
    return area.bottom - area.top;
}

static void arrange(HWND frame)
{
    RECT client;
    int top, bottom, events_top, left = scaled(LIST_WIDTH), gap = scaled(GAP);
    SendMessageW(status, WM_SIZE, 0, 0);
    GetClientRect(frame, &client);
    set_status_parts(status, client.right);
    MoveWindow(rebar, 0, 0, client.right, height_of(rebar), TRUE);
    top = height_of(rebar) + gap;
    bottom = client.bottom - height_of(status);
    events_top = bottom - scaled(EVENTS_HEIGHT);
    MoveWindow(page_list, 0, top, left, events_top - top - gap, TRUE);
    MoveWindow(event_list, 0, events_top, client.right, bottom - events_top, TRUE);
    if (current_page != NULL) {
        MoveWindow(current_page, left + gap, top, client.right - left - gap, events_top - top - gap, TRUE);
    }
}

static void show_page(HWND frame, int index)
{
    HWND previous = current_page;
    if (index < 0 || index >= PAGE_COUNT) {
        return;
    }
    begin_quiet();
    if (page_windows[index] == NULL) {
        page_windows[index] = create_page(frame, index);
        add_modeless(page_windows[index]);
    }
    end_quiet();
    current_page = page_windows[index];
    if (current_page == previous) {
        return;
    }
    arrange(frame);
    ShowWindow(previous, SW_HIDE);
    ShowWindow(current_page, SW_SHOW);
    ListBox_SetCurSel(page_list, index);
    SendMessageW(status, SB_SETTEXTW, 1, (LPARAM)PAGES[index].name);
    note(L"PAGE %s", PAGES[index].name);
}

static void create_parts(HWND frame)
{
    NONCLIENTMETRICSW metrics = { 0 };
    int i;
    metrics.cbSize = sizeof(metrics);
    SystemParametersInfoW(SPI_GETNONCLIENTMETRICS, sizeof(metrics), &metrics, 0);
    font = CreateFontIndirectW(&metrics.lfMessageFont);
    rebar = create_rebar(frame);
    status = create_status_bar(frame);
    page_list = create_list(frame, IDC_PAGES, LBS_NOTIFY | WS_TABSTOP);
    event_list = create_list(frame, IDC_EVENTS, LBS_NOSEL | WS_TABSTOP);
    for (i = 0; i < PAGE_COUNT; i++) {
        ListBox_AddString(page_list, PAGES[i].name);
    }
    set_event_list(event_list);
    prepare_menu_bar(GetMenu(frame));
}

static void toggle_bar(HWND frame, UINT command, HWND bar)
{
    BOOL shown = (GetWindowLongPtrW(bar, GWL_STYLE) & WS_VISIBLE) != 0;
    CheckMenuItem(GetMenu(frame), command, shown ? MF_UNCHECKED : MF_CHECKED);
    ShowWindow(bar, shown ? SW_HIDE : SW_SHOW);
    arrange(frame);
}

/* A check of the menu and of the tool bar are the same check. */
static void set_alignment(HWND frame, UINT command)
{
    HWND tool_bar = GetDlgItem(rebar, IDC_TOOLBAR);
    CheckMenuRadioItem(GetMenu(frame), IDM_LEFT, IDM_RIGHT, command, MF_BYCOMMAND);
    SendMessageW(tool_bar, TB_CHECKBUTTON, command, MAKELPARAM(TRUE, 0));
}

static void toggle_bold(HWND frame)
{
    HWND tool_bar = GetDlgItem(rebar, IDC_TOOLBAR);
    BOOL checked = (GetMenuState(GetMenu(frame), IDM_BOLD, MF_BYCOMMAND) & MF_CHECKED) != 0;
    CheckMenuItem(GetMenu(frame), IDM_BOLD, checked ? MF_UNCHECKED : MF_CHECKED);
    SendMessageW(tool_bar, TB_CHECKBUTTON, IDM_BOLD, MAKELPARAM(!checked, 0));
}

static void on_command(HWND frame, UINT id, UINT code)
{
    int index = ListBox_GetCurSel(page_list);
    switch (id) {
    case IDC_PAGES:
        if (code == LBN_SELCHANGE) {
            show_page(frame, index);
        }
        break;
    case IDM_NEW:
        add_recent();
        break;
    case IDM_OPEN:
        open_file_dialog(frame, FALSE);
        break;
    case IDM_SAVE:
        open_file_dialog(frame, TRUE);
        break;
    case IDM_EXIT:
        SendMessageW(frame, WM_CLOSE, 0, 0);
        break;
    case IDM_VIEW_TOOLBAR:
        toggle_bar(frame, id, rebar);
        break;
    case IDM_VIEW_STATUS:
        toggle_bar(frame, id, status);
        break;
    case IDM_SIZE_SMALL:
    case IDM_SIZE_MEDIUM:
    case IDM_SIZE_LARGE:
        choose_size(GetMenu(frame), id);
        break;
    case IDM_BOLD:
        toggle_bold(frame);
        break;
    case IDM_LEFT:
    case IDM_CENTRE:
    case IDM_RIGHT:
        set_alignment(frame, id);
        break;
    case IDM_NEXT_PAGE:
        show_page(frame, (index + 1) % PAGE_COUNT);
        break;
    case IDM_PREVIOUS_PAGE:
        show_page(frame, (index + PAGE_COUNT - 1) % PAGE_COUNT);
        break;
    case IDM_CLEAR_EVENTS:
        ListBox_ResetContent(event_list);
        break;
    case IDM_MARK:
        note_mark(frame);
        break;
    case IDM_ABOUT:
        open_about(frame);
        break;
    }
}

/* The status bar explains the item under the pointer, as menus did in every program of the time. */
static void explain_item(UINT command, UINT flags)
{
    WCHAR text[200] = L"";
    if (!(flags & (MF_POPUP | MF_SYSMENU)) && flags != 0xFFFF) {
        LoadStringW(instance, command, text, COUNT(text));
    }
    SendMessageW(status, SB_SETTEXTW, 0, (LPARAM)text);
}

static LRESULT CALLBACK frame_proc(HWND frame, UINT message, WPARAM wparam, LPARAM lparam)
{
    if (handle_find_message(message, lparam)) {
        return 0;
    }
    switch (message) {
    case WM_CREATE:
        main_window = frame;
        create_parts(frame);
        /* Of two galleries the first has it. */
        RegisterHotKey(frame, HOT_KEY, MOD_CONTROL | MOD_SHIFT, 'K');
        return 0;
    case WM_SIZE:
        arrange(frame);
        return 0;
    case WM_ACTIVATE:
        if (LOWORD(wparam) == WA_INACTIVE) {
            last_focus = GetFocus();
        }
        break;
    case WM_SETFOCUS:
        SetFocus(last_focus != NULL && IsChild(frame, last_focus) ? last_focus : page_list);
        return 0;
    case WM_DPICHANGED: {
        const RECT *area = (const RECT *)lparam;
        SetWindowPos(frame, NULL, area->left, area->top, area->right - area->left, area->bottom - area->top,
            SWP_NOZORDER | SWP_NOACTIVATE);
        return 0;
    }
    case WM_COMMAND:
        note_message(frame, message, wparam, lparam);
        on_command(frame, LOWORD(wparam), HIWORD(wparam));
        return 0;
    case WM_NOTIFY:
        note_message(frame, message, wparam, lparam);
        return handle_bar_notification(frame, (NMHDR *)lparam);
    case WM_INITMENUPOPUP:
        if (!HIWORD(lparam)) {
            fill_menu((HMENU)wparam);
        }
        return 0;
    case WM_MENUSELECT:
        explain_item(LOWORD(wparam), HIWORD(wparam));
        return 0;
    case WM_MEASUREITEM:
        measure_menu_item((MEASUREITEMSTRUCT *)lparam);
        return TRUE;
    case WM_DRAWITEM:
        draw_menu_item((const DRAWITEMSTRUCT *)lparam);
        return TRUE;
    case WM_APP_EVENT:
        take_event(lparam);
        return 0;
    case WM_HOTKEY:
        note(L"WM_HOTKEY %d", (int)wparam);
        return 0;
    case WM_COMPOSE:
        compose((WCHAR *)lparam);
        return 0;
    case WM_CLOSE:
        note(L"CLOSE");
        DestroyWindow(frame);
        return 0;
    case WM_DESTROY:
        UnregisterHotKey(frame, HOT_KEY);
        begin_quiet();
        set_event_list(NULL);
        return 0;
    case WM_NCDESTROY:
        end_quiet();
        DeleteObject(font);
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
    class.lpszClassName = L"GalleryFrame";
    class.lpszMenuName = MAKEINTRESOURCEW(IDR_MENU);
    return RegisterClassExW(&class) != 0;
}

HWND create_frame(const WCHAR *page)
{
    int index = 0;
    while (index < PAGE_COUNT && lstrcmpiW(PAGES[index].name, page) != 0) {
        index++;
    }
    if (index == PAGE_COUNT) {
        return NULL;
    }
    CreateWindowExW(0, L"GalleryFrame", L"Gallery", WS_OVERLAPPEDWINDOW | WS_CLIPCHILDREN, 20, 20, scaled(980),
        scaled(780), NULL, NULL, instance, NULL);
    if (main_window != NULL) {
        keep_on_screen(main_window);
        note(L"START");
        show_page(main_window, index);
    }
    return main_window;
}
