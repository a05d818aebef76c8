/* The menu bar's moving parts: an owner-drawn item, a menu filled while it opens, a menu that goes deep. */
#include "gallery.h"

#define DEEPEST 12
#define MOST_RECENT 10

static HMENU recent_menu;
static int recent_count = 2;

/* A menu of the deep chain carries its level, others carry none. */
static void set_level(HMENU menu, int level)
{
    MENUINFO info = { 0 };
    info.cbSize = sizeof(info);
    info.fMask = MIM_MENUDATA;
    info.dwMenuData = (ULONG_PTR)level;
    SetMenuInfo(menu, &info);
}

static int level_of(HMENU menu)
{
    MENUINFO info = { 0 };
    info.cbSize = sizeof(info);
    info.fMask = MIM_MENUDATA;
    return GetMenuInfo(menu, &info) ? (int)info.dwMenuData : 0;
}

static HMENU sub_menu_of(HMENU bar, UINT first_command)
{
    int i;
    for (i = 0; i < GetMenuItemCount(bar); i++) {
        HMENU menu = GetSubMenu(bar, i);
        if (menu != NULL && GetMenuItemID(menu, 0) == first_command) {
            return menu;
        }
    }
    return NULL;
}

void prepare_menu_bar(HMENU bar)
{
    HMENU file = sub_menu_of(bar, IDM_NEW), format = sub_menu_of(bar, IDM_BOLD);
    HMENU deep = CreatePopupMenu();
    recent_menu = CreatePopupMenu();
    InsertMenuW(file, IDM_EXIT, MF_BYCOMMAND | MF_POPUP, (UINT_PTR)recent_menu, L"&Recent");
    InsertMenuW(file, IDM_EXIT, MF_BYCOMMAND | MF_SEPARATOR, 0, NULL);
    ModifyMenuW(format, IDM_OWNER_DRAWN, MF_BYCOMMAND | MF_OWNERDRAW, IDM_OWNER_DRAWN, L"Colour");
    set_level(deep, 1);
    AppendMenuW(format, MF_POPUP, (UINT_PTR)deep, L"&Deep");
}

void add_recent(void)
{
    if (recent_count < MOST_RECENT) {
        recent_count++;
    }
}

static void fill_recent(void)
{
    WCHAR text[40];
    int i;
    while (DeleteMenu(recent_menu, 0, MF_BYPOSITION)) {
    }
    for (i = 0; i < recent_count; i++) {
        wsprintfW(text, L"&%d Document %d", (i + 1) % 10, i + 1);
        AppendMenuW(recent_menu, MF_STRING, IDM_RECENT_1 + i, text);
    }
}

static void fill_deep(HMENU menu, int level)
{
    WCHAR text[40];
    if (GetMenuItemCount(menu) != 0) {
        return;
    }
    wsprintfW(text, L"&Command of level %d", level);
    AppendMenuW(menu, MF_STRING, IDM_DEEP_1 + level - 1, text);
    if (level < DEEPEST) {
        HMENU next = CreatePopupMenu();
        set_level(next, level + 1);
        AppendMenuW(menu, MF_POPUP, (UINT_PTR)next, L"&Deeper");
    }
}

void fill_menu(HMENU menu)
{
    int level = level_of(menu);
    if (menu == recent_menu) {
        fill_recent();
    } else if (level > 0) {
        fill_deep(menu, level);
    }
}

void choose_size(HMENU bar, UINT command)
{
    CheckMenuRadioItem(bar, IDM_SIZE_SMALL, IDM_SIZE_LARGE, command, MF_BYCOMMAND);
}

void measure_menu_item(MEASUREITEMSTRUCT *item)
{
    if (item->CtlType == ODT_MENU) {
        item->itemWidth = 120;
        item->itemHeight = 24;
    }
}

void draw_menu_item(const DRAWITEMSTRUCT *item)
{
    RECT text = item->rcItem;
    if (item->CtlType != ODT_MENU) {
        return;
    }
    FillRect(item->hDC, &item->rcItem,
        GetSysColorBrush(item->itemState & ODS_SELECTED ? COLOR_HIGHLIGHT : COLOR_MENU));
    SetBkMode(item->hDC, TRANSPARENT);
    SetTextColor(item->hDC, GetSysColor(item->itemState & ODS_SELECTED ? COLOR_HIGHLIGHTTEXT : COLOR_MENUTEXT));
    text.left += 28;
    DrawTextW(item->hDC, (const WCHAR *)item->itemData, -1, &text, DT_SINGLELINE | DT_VCENTER);
    text.left -= 24;
    text.right = text.left + 16;
    InflateRect(&text, 0, -4);
    draw_swatch(item->hDC, &text, 0);
}
