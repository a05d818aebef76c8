/* Page "more": header, animation, pager, links, tool tips, tabs. */
#include "gallery.h"

static HWND tips;

static void fill_header(HWND header)
{
    static const WCHAR *const titles[] = { L"First", L"Second", L"Third" };
    int i;
    for (i = 0; i < COUNT(titles); i++) {
        HDITEMW item = { 0 };
        item.mask = HDI_TEXT | HDI_WIDTH | HDI_FORMAT;
        item.fmt = HDF_STRING | HDF_LEFT;
        item.cxy = 100;
        item.pszText = (WCHAR *)titles[i];
        SendMessageW(header, HDM_INSERTITEMW, (WPARAM)i, (LPARAM)&item);
    }
}

static void fill_tabs(HWND tabs, int count)
{
    WCHAR text[40];
    int i;
    for (i = 0; i < count; i++) {
        TCITEMW item = { 0 };
        wsprintfW(text, L"Tab %d", i + 1);
        item.mask = TCIF_TEXT;
        item.pszText = text;
        SendMessageW(tabs, TCM_INSERTITEMW, (WPARAM)i, (LPARAM)&item);
    }
}

static void fill_pager(HWND pager)
{
    TBBUTTON buttons[12];
    int i;
    HWND bar = CreateWindowExW(0, TOOLBARCLASSNAMEW, NULL,
        WS_CHILD | WS_VISIBLE | TBSTYLE_FLAT | CCS_NORESIZE | CCS_NODIVIDER | CCS_NOPARENTALIGN, 0, 0, 400, 30, pager,
        (HMENU)(INT_PTR)IDC_PAGER_TOOLBAR, instance, NULL);
    ZeroMemory(buttons, sizeof(buttons));
    for (i = 0; i < COUNT(buttons); i++) {
        buttons[i].iBitmap = i % 8;
        buttons[i].idCommand = IDM_PAGER_1 + i;
        buttons[i].fsState = TBSTATE_ENABLED;
        buttons[i].fsStyle = BTNS_BUTTON;
    }
    SendMessageW(bar, TB_BUTTONSTRUCTSIZE, sizeof(TBBUTTON), 0);
    SendMessageW(bar, TB_LOADIMAGES, IDB_STD_SMALL_COLOR, (LPARAM)HINST_COMMCTRL);
    SendMessageW(bar, TB_ADDBUTTONSW, COUNT(buttons), (LPARAM)buttons);
    SendMessageW(bar, TB_SETPARENT, (WPARAM)GetParent(pager), 0);
    SendMessageW(pager, PGM_SETCHILD, 0, (LPARAM)bar);
    SendMessageW(pager, PGM_SETBUTTONSIZE, 0, 14);
}

static void add_tip(HWND page, int id, const WCHAR *text)
{
    TTTOOLINFOW tool = { 0 };
    tool.cbSize = sizeof(tool);
    tool.uFlags = TTF_IDISHWND | TTF_SUBCLASS;
    tool.hwnd = page;
    tool.uId = (UINT_PTR)GetDlgItem(page, id);
    tool.lpszText = (WCHAR *)text;
    SendMessageW(tips, TTM_ADDTOOLW, 0, (LPARAM)&tool);
}

static void prepare(HWND page)
{
    fill_header(GetDlgItem(page, IDC_HEADER));
    fill_tabs(GetDlgItem(page, IDC_TABS), 5);
    fill_tabs(GetDlgItem(page, IDC_TABS_BUTTONS), 3);
    fill_pager(GetDlgItem(page, IDC_PAGER));
    SendDlgItemMessageW(page, IDC_ANIMATION, ACM_OPENW, (WPARAM)instance, (LPARAM)MAKEINTRESOURCEW(IDR_SPIN));
    tips = CreateWindowExW(WS_EX_TOPMOST, TOOLTIPS_CLASSW, NULL, WS_POPUP | TTS_ALWAYSTIP, 0, 0, 0, 0, page, NULL,
        instance, NULL);
    add_tip(page, IDC_TIP_STATIC, L"The tip of the label");
    add_tip(page, IDC_TIP_BUTTON, L"The tip of the button");
}

static void show_tab(HWND page)
{
    WCHAR text[60];
    wsprintfW(text, L"The content of tab %d", TabCtrl_GetCurSel(GetDlgItem(page, IDC_TABS)) + 1);
    begin_quiet();
    SetDlgItemTextW(page, IDC_TABS_TEXT, text);
    end_quiet();
}

static BOOL on_notify(HWND page, NMHDR *header)
{
    if (header->code == PGN_CALCSIZE) {
        NMPGCALCSIZE *size = (NMPGCALCSIZE *)header;
        SIZE wanted = { 0, 0 };
        SendDlgItemMessageW(header->hwndFrom, IDC_PAGER_TOOLBAR, TB_GETMAXSIZE, 0, (LPARAM)&wanted);
        size->iWidth = wanted.cx;
        size->iHeight = wanted.cy;
        return TRUE;
    }
    if (header->code == PGN_SCROLL) {
        ((NMPGSCROLL *)header)->iScroll = 24;
        return TRUE;
    }
    if (header->code == TCN_SELCHANGE && header->idFrom == IDC_TABS) {
        show_tab(page);
        return TRUE;
    }
    return FALSE;
}

INT_PTR CALLBACK more_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_INITDIALOG:
        prepare(page);
        show_tab(page);
        return FALSE;
    case WM_NOTIFY:
        return on_notify(page, (NMHDR *)lparam);
    case WM_COMMAND:
        if (LOWORD(wparam) == IDC_ANIMATION_PLAY) {
            SendDlgItemMessageW(page, IDC_ANIMATION, ACM_PLAY, (WPARAM)-1, MAKELPARAM(0, -1));
        } else if (LOWORD(wparam) == IDC_ANIMATION_STOP) {
            SendDlgItemMessageW(page, IDC_ANIMATION, ACM_STOP, 0, 0);
        }
        return TRUE;
    }
    return FALSE;
}
