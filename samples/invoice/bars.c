/* The tool bar with its own three pictures beside the system's, and the status bar with the sums. */
#include "invoice.h"

#define PICTURE 16

enum { PICTURE_ADD, PICTURE_UP, PICTURE_DOWN, PICTURE_COUNT };

static void draw_picture(HDC dc, int number)
{
    static const POINT SHAPES[PICTURE_COUNT][12] = {
        { { 6, 2 }, { 10, 2 }, { 10, 6 }, { 14, 6 }, { 14, 10 }, { 10, 10 }, { 10, 14 }, { 6, 14 }, { 6, 10 },
            { 2, 10 }, { 2, 6 }, { 6, 6 } },
        { { 8, 2 }, { 14, 8 }, { 10, 8 }, { 10, 14 }, { 6, 14 }, { 6, 8 }, { 2, 8 } },
        { { 8, 14 }, { 14, 8 }, { 10, 8 }, { 10, 2 }, { 6, 2 }, { 6, 8 }, { 2, 8 } },
    };
    POINT shape[12];
    int i, count = number == PICTURE_ADD ? 12 : 7;
    for (i = 0; i < count; i++) {
        shape[i].x = SHAPES[number][i].x + number * PICTURE - 1;
        shape[i].y = SHAPES[number][i].y - 1;
    }
    SelectObject(dc, GetStockObject(DC_BRUSH));
    SelectObject(dc, GetStockObject(DC_PEN));
    SetDCBrushColor(dc, number == PICTURE_ADD ? RGB(46, 160, 67) : RGB(64, 120, 200));
    SetDCPenColor(dc, number == PICTURE_ADD ? RGB(28, 110, 44) : RGB(36, 76, 140));
    Polygon(dc, shape, count);
}

/* Kept as long as the tool bar, and that is as long as the program. */
static HBITMAP draw_pictures(void)
{
    HDC screen = GetDC(NULL), dc = CreateCompatibleDC(screen);
    HBITMAP bitmap = CreateCompatibleBitmap(screen, PICTURE * PICTURE_COUNT, PICTURE);
    HGDIOBJ before = SelectObject(dc, bitmap);
    RECT area = { 0, 0, PICTURE * PICTURE_COUNT, PICTURE };
    int i;
    FillRect(dc, &area, GetSysColorBrush(COLOR_BTNFACE));
    for (i = 0; i < PICTURE_COUNT; i++) {
        draw_picture(dc, i);
    }
    SelectObject(dc, before);
    DeleteDC(dc);
    ReleaseDC(NULL, screen);
    return bitmap;
}

static void add_button(HWND bar, int picture, int command, int label)
{
    TBBUTTON button = { 0 };
    button.iBitmap = picture;
    button.idCommand = command;
    button.fsState = TBSTATE_ENABLED;
    button.fsStyle = command == 0 ? BTNS_SEP : BTNS_BUTTON | BTNS_AUTOSIZE;
    if (label != 0) {
        button.fsStyle |= BTNS_SHOWTEXT;
        button.iString = (INT_PTR)text(label);
    }
    SendMessageW(bar, TB_ADDBUTTONSW, 1, (LPARAM)&button);
}

HWND create_tool_bar(HWND frame)
{
    HWND bar = CreateWindowExW(0, TOOLBARCLASSNAMEW, NULL,
        WS_CHILD | WS_VISIBLE | WS_CLIPSIBLINGS | TBSTYLE_FLAT | TBSTYLE_LIST | TBSTYLE_TOOLTIPS, 0, 0, 0, 0, frame,
        (HMENU)(INT_PTR)IDC_TOOLBAR, instance, NULL);
    TBADDBITMAP own = { NULL, 0 };
    int first;
    SendMessageW(bar, TB_BUTTONSTRUCTSIZE, sizeof(TBBUTTON), 0);
    SendMessageW(bar, TB_SETEXTENDEDSTYLE, 0, TBSTYLE_EX_MIXEDBUTTONS);
    SendMessageW(bar, TB_LOADIMAGES, IDB_STD_SMALL_COLOR, (LPARAM)HINST_COMMCTRL);
    own.nID = (UINT_PTR)draw_pictures();
    first = (int)SendMessageW(bar, TB_ADDBITMAP, PICTURE_COUNT, (LPARAM)&own);
    add_button(bar, STD_FILENEW, IDM_NEW, 0);
    add_button(bar, STD_FILEOPEN, IDM_OPEN, 0);
    add_button(bar, STD_FILESAVE, IDM_SAVE, 0);
    add_button(bar, 0, 0, 0);
    add_button(bar, first + PICTURE_ADD, IDM_ADD, IDS_BUTTON_ADD);
    add_button(bar, STD_PROPERTIES, IDM_EDIT, IDS_BUTTON_EDIT);
    add_button(bar, STD_DELETE, IDM_REMOVE, IDS_BUTTON_REMOVE);
    add_button(bar, 0, 0, 0);
    add_button(bar, first + PICTURE_UP, IDM_MOVE_UP, 0);
    add_button(bar, first + PICTURE_DOWN, IDM_MOVE_DOWN, 0);
    add_button(bar, 0, 0, 0);
    add_button(bar, STD_HELP, IDM_ABOUT, 0);
    SendMessageW(bar, TB_AUTOSIZE, 0, 0);
    return bar;
}

HWND create_status_bar(HWND frame)
{
    return CreateWindowExW(0, STATUSCLASSNAMEW, text(IDS_READY), WS_CHILD | WS_VISIBLE | SBARS_SIZEGRIP, 0, 0, 0, 0,
        frame, (HMENU)(INT_PTR)IDC_STATUS, instance, NULL);
}

void set_status_parts(HWND status, int width)
{
    int parts[4];
    parts[0] = width - scaled(460);
    parts[1] = width - scaled(370);
    parts[2] = width - scaled(205);
    parts[3] = -1;
    if (parts[0] < scaled(80)) {
        parts[0] = scaled(80);
    }
    SendMessageW(status, SB_SETPARTS, COUNT(parts), (LPARAM)parts);
}

static void set_part(HWND status, int part, const WCHAR *words)
{
    SendMessageW(status, SB_SETTEXTW, (WPARAM)part, (LPARAM)words);
}

void show_totals(HWND status)
{
    static BOOL shown;
    struct totals totals = document_totals();
    WCHAR amount[AMOUNT_SIZE], words[256];
    if (has_fault(FAULT_STATUS_STALE) && shown) {
        return;
    }
    shown = TRUE;
    StringCchPrintfW(words, COUNT(words), text(IDS_COUNT), document.count);
    set_part(status, 1, words);
    format_amount(amount, totals.vat, TRUE);
    StringCchPrintfW(words, COUNT(words), text(IDS_VAT_SUM), amount);
    set_part(status, 2, words);
    format_amount(amount, totals.total, TRUE);
    StringCchPrintfW(words, COUNT(words), text(IDS_TOTAL), amount);
    set_part(status, 3, words);
}

LRESULT handle_tool_tip(NMHDR *header)
{
    NMTTDISPINFOW *tip = (NMTTDISPINFOW *)header;
    StringCchCopyW(tip->szText, COUNT(tip->szText), text((int)header->idFrom));
    return 0;
}
