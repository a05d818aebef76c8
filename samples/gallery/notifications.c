/* WM_NOTIFY in words. Codes are unique across the common controls, so the code alone says what follows the header.
 *
 * Requests (what to draw, which text to show) are left out: they are no news.
 */
#include "gallery.h"

static void note_code(const NMHDR *header, const WCHAR *code)
{
    note(L"WM_NOTIFY %u %s", (UINT)header->idFrom, code);
}

static void note_number(const NMHDR *header, const WCHAR *code, const WCHAR *name, int value)
{
    note(L"WM_NOTIFY %u %s %s=%d", (UINT)header->idFrom, code, name, value);
}

static void note_list_view_item(const NMLISTVIEW *change)
{
    UINT id = (UINT)change->hdr.idFrom;
    UINT changed = change->uOldState ^ change->uNewState;
    if (!(change->uChanged & LVIF_STATE)) {
        return;
    }
    if (changed & LVIS_SELECTED) {
        note(L"WM_NOTIFY %u LVN_ITEMCHANGED item=%d selected=%d", id, change->iItem,
            (change->uNewState & LVIS_SELECTED) != 0);
    }
    /* From none to unchecked is the control's own start. */
    if ((changed & LVIS_STATEIMAGEMASK) && (change->uOldState & LVIS_STATEIMAGEMASK)) {
        note(L"WM_NOTIFY %u LVN_ITEMCHANGED item=%d checked=%d", id, change->iItem,
            (int)((change->uNewState & LVIS_STATEIMAGEMASK) >> 12) - 1);
    }
}

static void note_label(const NMHDR *header, const WCHAR *code, int item, const WCHAR *text)
{
    if (text == NULL) {
        note(L"WM_NOTIFY %u %s item=%d cancelled", (UINT)header->idFrom, code, item);
    } else {
        note(L"WM_NOTIFY %u %s item=%d text=\"%s\"", (UINT)header->idFrom, code, item, text);
    }
}

static BOOL note_list_view(const NMHDR *header)
{
    const NMLISTVIEW *view = (const NMLISTVIEW *)header;
    switch (header->code) {
    case LVN_ITEMCHANGED:
        note_list_view_item(view);
        return TRUE;
    case LVN_ODSTATECHANGED: {
        const NMLVODSTATECHANGE *range = (const NMLVODSTATECHANGE *)header;
        note(L"WM_NOTIFY %u LVN_ODSTATECHANGED from=%d to=%d", (UINT)header->idFrom, range->iFrom, range->iTo);
        return TRUE;
    }
    case LVN_COLUMNCLICK:
        note_number(header, L"LVN_COLUMNCLICK", L"column", view->iSubItem);
        return TRUE;
    case LVN_ITEMACTIVATE:
        note_number(header, L"LVN_ITEMACTIVATE", L"item", ((const NMITEMACTIVATE *)header)->iItem);
        return TRUE;
    case LVN_BEGINDRAG:
        note_number(header, L"LVN_BEGINDRAG", L"item", view->iItem);
        return TRUE;
    case LVN_BEGINLABELEDITW:
        note_number(header, L"LVN_BEGINLABELEDIT", L"item", ((const NMLVDISPINFOW *)header)->item.iItem);
        return TRUE;
    case LVN_ENDLABELEDITW: {
        const NMLVDISPINFOW *label = (const NMLVDISPINFOW *)header;
        note_label(header, L"LVN_ENDLABELEDIT", label->item.iItem, label->item.pszText);
        return TRUE;
    }
    }
    return FALSE;
}

static void note_tree_item(const NMHDR *header, const WCHAR *code, HTREEITEM handle)
{
    WCHAR text[200] = L"";
    TVITEMW item = { 0 };
    item.mask = TVIF_TEXT;
    item.hItem = handle;
    item.pszText = text;
    item.cchTextMax = COUNT(text);
    if (handle != NULL) {
        SendMessageW(header->hwndFrom, TVM_GETITEMW, 0, (LPARAM)&item);
    }
    note(L"WM_NOTIFY %u %s text=\"%s\"", (UINT)header->idFrom, code, text);
}

static BOOL note_tree(const NMHDR *header)
{
    const NMTREEVIEWW *tree = (const NMTREEVIEWW *)header;
    const NMTVDISPINFOW *label = (const NMTVDISPINFOW *)header;
    switch (header->code) {
    case TVN_SELCHANGEDW:
        note_tree_item(header, L"TVN_SELCHANGED", tree->itemNew.hItem);
        return TRUE;
    case TVN_ITEMEXPANDEDW:
        note_tree_item(header, tree->action == TVE_EXPAND ? L"TVN_ITEMEXPANDED expand" : L"TVN_ITEMEXPANDED collapse",
            tree->itemNew.hItem);
        return TRUE;
    case TVN_BEGINLABELEDITW:
        note_tree_item(header, L"TVN_BEGINLABELEDIT", label->item.hItem);
        return TRUE;
    case TVN_ENDLABELEDITW:
        note_label(header, L"TVN_ENDLABELEDIT", 0, label->item.pszText);
        return TRUE;
    }
    return FALSE;
}

static void note_time(const NMHDR *header, const WCHAR *code, const SYSTEMTIME *time)
{
    note(L"WM_NOTIFY %u %s time=%04d-%02d-%02d %02d:%02d:%02d", (UINT)header->idFrom, code, time->wYear,
        time->wMonth, time->wDay, time->wHour, time->wMinute, time->wSecond);
}

static void note_days(const NMHDR *header, const WCHAR *code)
{
    const NMSELCHANGE *change = (const NMSELCHANGE *)header;
    note(L"WM_NOTIFY %u %s from=%04d-%02d-%02d to=%04d-%02d-%02d", (UINT)header->idFrom, code,
        change->stSelStart.wYear, change->stSelStart.wMonth, change->stSelStart.wDay, change->stSelEnd.wYear,
        change->stSelEnd.wMonth, change->stSelEnd.wDay);
}

static BOOL note_time_control(const NMHDR *header)
{
    switch (header->code) {
    case DTN_DATETIMECHANGE: {
        const NMDATETIMECHANGE *change = (const NMDATETIMECHANGE *)header;
        if (change->dwFlags == GDT_VALID) {
            note_time(header, L"DTN_DATETIMECHANGE", &change->st);
        } else {
            note_code(header, L"DTN_DATETIMECHANGE none");
        }
        return TRUE;
    }
    case DTN_DROPDOWN:
        note_code(header, L"DTN_DROPDOWN");
        return TRUE;
    case DTN_CLOSEUP:
        note_code(header, L"DTN_CLOSEUP");
        return TRUE;
    case MCN_SELECT:
        note_days(header, L"MCN_SELECT");
        return TRUE;
    case MCN_SELCHANGE:
        note_days(header, L"MCN_SELCHANGE");
        return TRUE;
    }
    return FALSE;
}

static void note_value(const NMHDR *header)
{
    switch (header->code) {
    case TCN_SELCHANGE:
        note_number(header, L"TCN_SELCHANGE", L"tab", TabCtrl_GetCurSel(header->hwndFrom));
        break;
    case UDN_DELTAPOS: {
        const NMUPDOWN *step = (const NMUPDOWN *)header;
        note(L"WM_NOTIFY %u UDN_DELTAPOS pos=%d delta=%d", (UINT)header->idFrom, step->iPos, step->iDelta);
        break;
    }
    case IPN_FIELDCHANGED: {
        const NMIPADDRESS *field = (const NMIPADDRESS *)header;
        note(L"WM_NOTIFY %u IPN_FIELDCHANGED field=%d value=%d", (UINT)header->idFrom, field->iField, field->iValue);
        break;
    }
    case CBEN_ENDEDITW: {
        const NMCBEENDEDITW *edit = (const NMCBEENDEDITW *)header;
        note(L"WM_NOTIFY %u CBEN_ENDEDIT item=%d text=\"%s\"", (UINT)header->idFrom, edit->iNewSelection, edit->szText);
        break;
    }
    case HDN_ITEMCLICKW:
        note_number(header, L"HDN_ITEMCLICK", L"item", ((const NMHEADERW *)header)->iItem);
        break;
    case HDN_ENDTRACKW: {
        const NMHEADERW *track = (const NMHEADERW *)header;
        note(L"WM_NOTIFY %u HDN_ENDTRACK item=%d width=%d", (UINT)header->idFrom, track->iItem, track->pitem->cxy);
        break;
    }
    case HDN_ENDDRAG: {
        const NMHEADERW *drag = (const NMHEADERW *)header;
        note(L"WM_NOTIFY %u HDN_ENDDRAG item=%d order=%d", (UINT)header->idFrom, drag->iItem, drag->pitem->iOrder);
        break;
    }
    case BCN_DROPDOWN:
        note_code(header, L"BCN_DROPDOWN");
        break;
    case TBN_DROPDOWN:
        note_number(header, L"TBN_DROPDOWN", L"item", ((const NMTOOLBARW *)header)->iItem);
        break;
    case RBN_CHEVRONPUSHED:
        note_number(header, L"RBN_CHEVRONPUSHED", L"band", (int)((const NMREBARCHEVRON *)header)->uBand);
        break;
    case PGN_SCROLL:
        note_code(header, L"PGN_SCROLL");
        break;
    }
}

static void note_click(const NMHDR *header)
{
    WCHAR class_name[64] = L"";
    switch (header->code) {
    case NM_CLICK:
    case NM_RETURN:
        GetClassNameW(header->hwndFrom, class_name, COUNT(class_name));
        if (lstrcmpiW(class_name, WC_LINK) == 0) {
            const NMLINK *link = (const NMLINK *)header;
            /* Not its number: Wine counts the text between links too. */
            note(L"WM_NOTIFY %u %s link=\"%s\"", (UINT)header->idFrom,
                header->code == NM_CLICK ? L"NM_CLICK" : L"NM_RETURN", link->item.szID);
        } else {
            note_code(header, header->code == NM_CLICK ? L"NM_CLICK" : L"NM_RETURN");
        }
        break;
    case NM_DBLCLK:
        note_code(header, L"NM_DBLCLK");
        break;
    case NM_RCLICK:
        note_code(header, L"NM_RCLICK");
        break;
    }
}

void note_notification(const NMHDR *header)
{
    if (!note_list_view(header) && !note_tree(header) && !note_time_control(header)) {
        note_value(header);
        note_click(header);
    }
}
