/* The tool bar in a rebar too narrow for it (so there is a chevron), an address combo beside it, the status bar. */
#include "gallery.h"

#define BAND_WIDTH 300

static HWND tool_bar;

static void add_buttons(HWND bar)
{
    static const TBBUTTON buttons[] = {
        { STD_FILENEW, IDM_NEW, TBSTATE_ENABLED, BTNS_BUTTON, { 0 }, 0, 0 },
        { STD_FILEOPEN, IDM_OPEN, TBSTATE_ENABLED, BTNS_BUTTON, { 0 }, 0, 0 },
        { STD_FILESAVE, IDM_SAVE, TBSTATE_ENABLED, BTNS_BUTTON, { 0 }, 0, 0 },
        { 0, 0, 0, BTNS_SEP, { 0 }, 0, 0 },
        { STD_UNDO, IDM_UNDO, 0, BTNS_BUTTON, { 0 }, 0, 0 },
        { STD_CUT, IDM_CUT, TBSTATE_ENABLED, BTNS_BUTTON, { 0 }, 0, 0 },
        { 0, 0, 0, BTNS_SEP, { 0 }, 0, 0 },
        { STD_PROPERTIES, IDM_BOLD, TBSTATE_ENABLED, BTNS_CHECK, { 0 }, 0, 0 },
        { 0, 0, 0, BTNS_SEP, { 0 }, 0, 0 },
        { STD_REPLACE, IDM_LEFT, TBSTATE_ENABLED | TBSTATE_CHECKED, BTNS_CHECKGROUP, { 0 }, 0, 0 },
        { STD_FIND, IDM_CENTRE, TBSTATE_ENABLED, BTNS_CHECKGROUP, { 0 }, 0, 0 },
        { STD_PRINTPRE, IDM_RIGHT, TBSTATE_ENABLED, BTNS_CHECKGROUP, { 0 }, 0, 0 },
        { 0, 0, 0, BTNS_SEP, { 0 }, 0, 0 },
        { STD_PASTE, IDM_INSERT, TBSTATE_ENABLED, BTNS_DROPDOWN, { 0 }, 0, 0 },
        { 0, 0, 0, BTNS_SEP, { 0 }, 0, 0 },
        { STD_COPY, IDM_COPY, TBSTATE_ENABLED, BTNS_BUTTON, { 0 }, 0, 0 },
        { STD_DELETE, IDM_CLEAR_EVENTS, TBSTATE_ENABLED, BTNS_BUTTON, { 0 }, 0, 0 },
        { STD_HELP, IDM_ABOUT, TBSTATE_ENABLED, BTNS_BUTTON, { 0 }, 0, 0 },
    };
    SendMessageW(bar, TB_BUTTONSTRUCTSIZE, sizeof(TBBUTTON), 0);
    SendMessageW(bar, TB_SETEXTENDEDSTYLE, 0, TBSTYLE_EX_DRAWDDARROWS);
    SendMessageW(bar, TB_LOADIMAGES, IDB_STD_SMALL_COLOR, (LPARAM)HINST_COMMCTRL);
    SendMessageW(bar, TB_ADDBUTTONSW, COUNT(buttons), (LPARAM)buttons);
}

static void add_band(HWND rebar, HWND child, const WCHAR *title, int width, int ideal, int height, UINT style)
{
    REBARBANDINFOW band = { 0 };
    band.cbSize = sizeof(band);
    band.fMask = RBBIM_CHILD | RBBIM_CHILDSIZE | RBBIM_SIZE | RBBIM_STYLE | RBBIM_IDEALSIZE | RBBIM_ID;
    if (title != NULL) {
        band.fMask |= RBBIM_TEXT;
        band.lpText = (WCHAR *)title;
    }
    band.wID = (UINT)GetDlgCtrlID(child);
    band.hwndChild = child;
    band.cx = (UINT)width;
    band.cxIdeal = (UINT)ideal;
    band.cyMinChild = (UINT)height;
    band.fStyle = RBBS_GRIPPERALWAYS | style;
    SendMessageW(rebar, RB_INSERTBANDW, (WPARAM)-1, (LPARAM)&band);
}

HWND create_rebar(HWND frame)
{
    SIZE ideal = { 0, 0 };
    HWND address;
    HWND rebar = CreateWindowExW(WS_EX_TOOLWINDOW, REBARCLASSNAMEW, NULL,
        WS_CHILD | WS_VISIBLE | WS_CLIPSIBLINGS | WS_CLIPCHILDREN | RBS_BANDBORDERS | RBS_VARHEIGHT | CCS_NODIVIDER,
        0, 0, 0, 0, frame, (HMENU)(INT_PTR)IDC_REBAR, instance, NULL);
    tool_bar = CreateWindowExW(0, TOOLBARCLASSNAMEW, NULL,
        WS_CHILD | WS_VISIBLE | TBSTYLE_FLAT | TBSTYLE_TOOLTIPS | CCS_NODIVIDER | CCS_NORESIZE | CCS_NOPARENTALIGN,
        0, 0, 0, 0, rebar, (HMENU)(INT_PTR)IDC_TOOLBAR, instance, NULL);
    add_buttons(tool_bar);
    /* The rebar becomes the parent of what it holds, but notifications still go to the frame. */
    SendMessageW(tool_bar, TB_SETPARENT, (WPARAM)frame, 0);
    SendMessageW(tool_bar, TB_GETMAXSIZE, 0, (LPARAM)&ideal);
    add_band(rebar, tool_bar, NULL, BAND_WIDTH, ideal.cx, ideal.cy, RBBS_USECHEVRON);
    address = CreateWindowExW(0, L"ComboBox", NULL, WS_CHILD | WS_VISIBLE | WS_VSCROLL | CBS_DROPDOWN, 0, 0, 0, 200,
        frame, (HMENU)(INT_PTR)IDC_ADDRESS, instance, NULL);
    SendMessageW(address, WM_SETFONT, (WPARAM)GetStockObject(DEFAULT_GUI_FONT), FALSE);
    ComboBox_AddString(address, L"first address");
    ComboBox_AddString(address, L"second address");
    add_band(rebar, address, L"Address", 200, 200, 22, 0);
    return rebar;
}

HWND create_status_bar(HWND frame)
{
    return CreateWindowExW(0, STATUSCLASSNAMEW, NULL, WS_CHILD | WS_VISIBLE | SBARS_SIZEGRIP, 0, 0, 0, 0, frame,
        (HMENU)(INT_PTR)IDC_STATUS, instance, NULL);
}

void set_status_parts(HWND status, int width)
{
    int parts[3];
    parts[0] = width - 260;
    parts[1] = width - 120;
    parts[2] = -1;
    SendMessageW(status, SB_SETPARTS, COUNT(parts), (LPARAM)parts);
    SendMessageW(status, SB_SETTEXTW, 2, (LPARAM)L"Ready");
}

static void open_insert_menu(HWND frame, const NMTOOLBARW *button)
{
    HMENU menu = CreatePopupMenu();
    RECT area;
    SendMessageW(button->hdr.hwndFrom, TB_GETRECT, (WPARAM)button->iItem, (LPARAM)&area);
    MapWindowPoints(button->hdr.hwndFrom, NULL, (POINT *)&area, 2);
    AppendMenuW(menu, MF_STRING, IDM_INSERT_DATE, L"Insert &date");
    AppendMenuW(menu, MF_STRING, IDM_INSERT_NAME, L"Insert &name");
    TrackPopupMenu(menu, 0, area.left, area.bottom, 0, frame, NULL);
    DestroyMenu(menu);
}

/* The buttons that the band has no room for, as a menu. */
static void open_chevron_menu(HWND frame, HWND rebar, const NMREBARCHEVRON *chevron)
{
    HMENU menu = CreatePopupMenu();
    RECT visible, area;
    POINT corner = { chevron->rc.left, chevron->rc.bottom };
    int i, count = (int)SendMessageW(tool_bar, TB_BUTTONCOUNT, 0, 0);
    GetClientRect(tool_bar, &visible);
    for (i = 0; i < count; i++) {
        TBBUTTON button;
        WCHAR text[100];
        SendMessageW(tool_bar, TB_GETBUTTON, (WPARAM)i, (LPARAM)&button);
        SendMessageW(tool_bar, TB_GETITEMRECT, (WPARAM)i, (LPARAM)&area);
        if (!(button.fsStyle & BTNS_SEP) && area.right > visible.right) {
            LoadStringW(instance, (UINT)button.idCommand, text, COUNT(text));
            AppendMenuW(menu, MF_STRING, (UINT_PTR)button.idCommand, text);
        }
    }
    ClientToScreen(rebar, &corner);
    TrackPopupMenu(menu, 0, corner.x, corner.y, 0, frame, NULL);
    DestroyMenu(menu);
}

LRESULT handle_bar_notification(HWND frame, NMHDR *header)
{
    switch (header->code) {
    case TBN_DROPDOWN:
        open_insert_menu(frame, (const NMTOOLBARW *)header);
        return TBDDRET_DEFAULT;
    case RBN_CHEVRONPUSHED:
        open_chevron_menu(frame, header->hwndFrom, (const NMREBARCHEVRON *)header);
        return 0;
    case RBN_HEIGHTCHANGE:
        SendMessageW(frame, WM_SIZE, 0, 0);
        return 0;
    case TTN_GETDISPINFOW: {
        NMTTDISPINFOW *tip = (NMTTDISPINFOW *)header;
        tip->hinst = instance;
        tip->lpszText = MAKEINTRESOURCEW(header->idFrom);
        return 0;
    }
    }
    return 0;
}
