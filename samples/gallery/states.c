/* The state of every shown control, for tests: one line each in the journal, when a mark is set.
 *
 * Asked of the controls themselves, so that a recorded and a replayed run can be compared whatever their parents were told.
 */
#include "gallery.h"

#include <richedit.h>

#define LINE 900
#define MOST_ITEMS 40

struct line {
    WCHAR text[LINE + 200];
    int length;
};

static void add(struct line *line, const WCHAR *format, ...)
{
    WCHAR part[1025];
    va_list args;
    int i;
    va_start(args, format);
    wvsprintfW(part, format, args);
    va_end(args);
    for (i = 0; part[i] != 0 && line->length < LINE; i++) {
        line->text[line->length++] = part[i] < L' ' ? L' ' : part[i];
    }
    line->text[line->length] = 0;
}

static LRESULT ask(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    return SendMessageW(window, message, wparam, lparam);
}

static BOOL has_strings(HWND window, DWORD drawn, DWORD strings)
{
    DWORD style = (DWORD)GetWindowLongPtrW(window, GWL_STYLE);
    return !(style & drawn) || (style & strings);
}

static void of_button(HWND window, struct line *line)
{
    add(line, L" check=%d", (int)ask(window, BM_GETCHECK, 0, 0));
}

static void of_edit(HWND window, struct line *line)
{
    WCHAR text[400] = L"";
    DWORD from = 0, to = 0;
    if (GetWindowLongPtrW(window, GWL_STYLE) & ES_PASSWORD) {
        add(line, L" length=%d", GetWindowTextLengthW(window));
        return;
    }
    GetWindowTextW(window, text, COUNT(text));
    ask(window, EM_GETSEL, (WPARAM)&from, (LPARAM)&to);
    add(line, L" text=\"%s\" selected=%d-%d", text, (int)from, (int)to);
}

static void of_rich_edit(HWND window, struct line *line)
{
    CHARFORMAT2W format = { 0 };
    of_edit(window, line);
    format.cbSize = sizeof(format);
    ask(window, EM_GETCHARFORMAT, SCF_SELECTION, (LPARAM)&format);
    add(line, L" bold=%d italic=%d", (format.dwEffects & CFE_BOLD) != 0, (format.dwEffects & CFE_ITALIC) != 0);
}

static void of_list(HWND window, struct line *line)
{
    DWORD style = (DWORD)GetWindowLongPtrW(window, GWL_STYLE);
    int i, count = ListBox_GetCount(window);
    if (style & (LBS_MULTIPLESEL | LBS_EXTENDEDSEL)) {
        add(line, L" selected=");
        for (i = 0; i < count; i++) {
            if (ListBox_GetSel(window, i) > 0) {
                add(line, L"%d,", i);
            }
        }
    } else {
        add(line, L" selected=%d", ListBox_GetCurSel(window));
    }
    add(line, L" items=%d", count);
    for (i = 0; i < count && i < 8 && has_strings(window, LBS_OWNERDRAWFIXED | LBS_OWNERDRAWVARIABLE, LBS_HASSTRINGS); i++) {
        WCHAR text[200] = L"";
        ListBox_GetText(window, i, text);
        add(line, L" %s", text);
    }
}

static void of_combo(HWND window, struct line *line)
{
    WCHAR text[200] = L"";
    GetWindowTextW(window, text, COUNT(text));
    add(line, L" selected=%d text=\"%s\" open=%d", ComboBox_GetCurSel(window), text,
        (int)ask(window, CB_GETDROPPEDSTATE, 0, 0));
}

static void of_list_view(HWND window, struct line *line)
{
    int i = -1, count = ListView_GetItemCount(window), shown = 0;
    HWND header = ListView_GetHeader(window);
    add(line, L" selected=");
    while ((i = ListView_GetNextItem(window, i, LVNI_SELECTED)) >= 0 && shown++ < MOST_ITEMS) {
        add(line, L"%d,", i);
    }
    add(line, L" checked=");
    for (i = 0; i < count && i < MOST_ITEMS; i++) {
        if (ListView_GetCheckState(window, i) == 1) {
            add(line, L"%d,", i);
        }
    }
    add(line, L" widths=");
    for (i = 0; header != NULL && i < Header_GetItemCount(header); i++) {
        add(line, L"%d,", ListView_GetColumnWidth(window, i));
    }
    add(line, L" items=%d", count);
    for (i = 0; i < count && i < 12; i++) {
        WCHAR text[200] = L"";
        ListView_GetItemText(window, i, 0, text, COUNT(text));
        add(line, L" %s", text);
    }
}

static void of_branch(HWND tree, HTREEITEM item, struct line *line)
{
    for (; item != NULL; item = TreeView_GetNextSibling(tree, item)) {
        WCHAR text[200] = L"";
        TVITEMW asked = { 0 };
        asked.mask = TVIF_TEXT | TVIF_STATE;
        asked.hItem = item;
        asked.pszText = text;
        asked.cchTextMax = COUNT(text);
        asked.stateMask = TVIS_EXPANDED | TVIS_SELECTED | TVIS_STATEIMAGEMASK;
        ask(tree, TVM_GETITEMW, 0, (LPARAM)&asked);
        add(line, L" %s%s%s%s", text, asked.state & TVIS_SELECTED ? L"*" : L"",
            (asked.state & TVIS_STATEIMAGEMASK) == 0x2000 ? L"+" : L"", asked.state & TVIS_EXPANDED ? L"(" : L"");
        if (asked.state & TVIS_EXPANDED) {
            of_branch(tree, TreeView_GetChild(tree, item), line);
            add(line, L")");
        }
    }
}

static void of_tree(HWND window, struct line *line)
{
    of_branch(window, TreeView_GetRoot(window), line);
}

static void of_tab(HWND window, struct line *line)
{
    add(line, L" selected=%d", TabCtrl_GetCurSel(window));
}

static void of_header(HWND window, struct line *line)
{
    int i;
    add(line, L" columns=");
    for (i = 0; i < Header_GetItemCount(window); i++) {
        HDITEMW item = { 0 };
        item.mask = HDI_WIDTH | HDI_ORDER;
        ask(window, HDM_GETITEMW, (WPARAM)i, (LPARAM)&item);
        add(line, L"%d at %d,", item.cxy, item.iOrder);
    }
}

static void of_track_bar(HWND window, struct line *line)
{
    add(line, L" pos=%d", (int)ask(window, TBM_GETPOS, 0, 0));
}

static void of_spin(HWND window, struct line *line)
{
    add(line, L" pos=%d", (int)ask(window, UDM_GETPOS32, 0, 0));
}

static void of_scroll_bar(HWND window, struct line *line)
{
    add(line, L" pos=%d", GetScrollPos(window, SB_CTL));
}

static void of_scroller(HWND window, struct line *line)
{
    add(line, L" pos=%d,%d", GetScrollPos(window, SB_HORZ), GetScrollPos(window, SB_VERT));
}

static void add_day(struct line *line, const SYSTEMTIME *day)
{
    add(line, L" %04d-%02d-%02d", day->wYear, day->wMonth, day->wDay);
}

static void of_date(HWND window, struct line *line)
{
    SYSTEMTIME time;
    if (ask(window, DTM_GETSYSTEMTIME, 0, (LPARAM)&time) != GDT_VALID) {
        add(line, L" none");
        return;
    }
    add_day(line, &time);
    add(line, L" %02d:%02d:%02d", time.wHour, time.wMinute, time.wSecond);
}

static void of_calendar(HWND window, struct line *line)
{
    SYSTEMTIME range[2];
    if (GetWindowLongPtrW(window, GWL_STYLE) & MCS_MULTISELECT) {
        ask(window, MCM_GETSELRANGE, 0, (LPARAM)range);
        add_day(line, &range[0]);
        add_day(line, &range[1]);
    } else {
        ask(window, MCM_GETCURSEL, 0, (LPARAM)range);
        add_day(line, &range[0]);
    }
}

static void of_hot_key(HWND window, struct line *line)
{
    add(line, L" key=%d", (int)ask(window, HKM_GETHOTKEY, 0, 0));
}

static void of_address(HWND window, struct line *line)
{
    DWORD address = 0;
    ask(window, IPM_GETADDRESS, 0, (LPARAM)&address);
    add(line, L" address=%d.%d.%d.%d", (int)(address >> 24), (int)(address >> 16 & 255), (int)(address >> 8 & 255),
        (int)(address & 255));
}

static void of_tool_bar(HWND window, struct line *line)
{
    int i, count = (int)ask(window, TB_BUTTONCOUNT, 0, 0);
    add(line, L" checked=");
    for (i = 0; i < count; i++) {
        TBBUTTON button;
        if (ask(window, TB_GETBUTTON, (WPARAM)i, (LPARAM)&button) && (button.fsState & TBSTATE_CHECKED)) {
            add(line, L"%d,", button.idCommand);
        }
    }
}

static void of_rebar(HWND window, struct line *line)
{
    int i, count = (int)ask(window, RB_GETBANDCOUNT, 0, 0);
    for (i = 0; i < count; i++) {
        REBARBANDINFOW band = { 0 };
        band.cbSize = sizeof(band);
        band.fMask = RBBIM_ID | RBBIM_SIZE;
        ask(window, RB_GETBANDINFOW, (WPARAM)i, (LPARAM)&band);
        add(line, L" band=%d width=%d", (int)band.wID, (int)band.cx);
    }
}

static void of_side(HWND window, struct line *line)
{
    RECT area;
    GetWindowRect(GetDlgItem(window, IDC_SPLITTER_LEFT), &area);
    add(line, L" left=%d", (int)(area.right - area.left));
}

static const struct {
    const WCHAR *class_name;
    void (*tell)(HWND window, struct line *line);
} CLASSES[] = {
    { L"Button", of_button },
    { L"Edit", of_edit },
    { L"RICHEDIT50W", of_rich_edit },
    { L"ListBox", of_list },
    { L"ComboBox", of_combo },
    { WC_COMBOBOXEXW, of_combo },
    { WC_LISTVIEWW, of_list_view },
    { WC_TREEVIEWW, of_tree },
    { WC_TABCONTROLW, of_tab },
    { WC_HEADERW, of_header },
    { TRACKBAR_CLASSW, of_track_bar },
    { UPDOWN_CLASSW, of_spin },
    { L"ScrollBar", of_scroll_bar },
    { L"GalleryScroller", of_scroller },
    { DATETIMEPICK_CLASSW, of_date },
    { MONTHCAL_CLASSW, of_calendar },
    { HOTKEY_CLASSW, of_hot_key },
    { WC_IPADDRESSW, of_address },
    { TOOLBARCLASSNAMEW, of_tool_bar },
    { REBARCLASSNAMEW, of_rebar },
    { L"GallerySplitter", of_side },
};

static BOOL CALLBACK tell(HWND window, LPARAM parameter)
{
    WCHAR class_name[64] = L"";
    int i, id = GetDlgCtrlID(window);
    (void)parameter;
    GetClassNameW(window, class_name, COUNT(class_name));
    /* The combo box inside an extended one has its id. */
    if (GetDlgCtrlID(GetParent(window)) == id) {
        return TRUE;
    }
    /* The event list is the journal itself; parts of controls have no ids of ours. */
    if (!IsWindowVisible(window) || id < IDC_PAGES || id == IDC_EVENTS || id >= IDM_NEW) {
        return TRUE;
    }
    for (i = 0; i < COUNT(CLASSES); i++) {
        if (lstrcmpiW(class_name, CLASSES[i].class_name) == 0) {
            struct line line = { L"", 0 };
            CLASSES[i].tell(window, &line);
            note_quietly(L"STATE %d %s%s", id, class_name, line.text);
            return TRUE;
        }
    }
    return TRUE;
}

static void tell_checks(HMENU menu, struct line *line)
{
    int i;
    for (i = 0; i < GetMenuItemCount(menu); i++) {
        HMENU inner = GetSubMenu(menu, i);
        if (inner != NULL) {
            tell_checks(inner, line);
        } else if (GetMenuState(menu, (UINT)i, MF_BYPOSITION) & MF_CHECKED) {
            add(line, L" %d", (int)GetMenuItemID(menu, i));
        }
    }
}

void note_mark(HWND frame)
{
    static int marks;
    struct line line = { L"", 0 };
    begin_quiet();
    EnumChildWindows(frame, tell, 0);
    tell_checks(GetMenu(frame), &line);
    end_quiet();
    note_quietly(L"STATE menu checked=%s", line.text);
    note(L"MARK %d", ++marks);
}
