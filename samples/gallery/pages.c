/* The pages: one per area, each a child dialog from a template, made when it is first shown and then kept. */
#include "gallery.h"

const struct page PAGES[] = {
    { L"buttons", IDD_BUTTONS, buttons_page },
    { L"edits", IDD_EDITS, edits_page },
    { L"lists", IDD_LISTS, lists_page },
    { L"combos", IDD_COMBOS, combos_page },
    { L"list-views", IDD_LIST_VIEWS, list_views_page },
    { L"icons", IDD_ICONS, icons_page },
    { L"trees", IDD_TREES, trees_page },
    { L"ranges", IDD_RANGES, ranges_page },
    { L"dates", IDD_DATES, dates_page },
    { L"more", IDD_MORE, more_page },
    { L"dialogs", IDD_DIALOGS, dialogs_page },
    { L"canvas", IDD_CANVAS, canvas_page },
    { L"drag", IDD_DRAG, drag_page },
    { L"menus", IDD_MENUS, menus_page },
    { L"windows", IDD_WINDOWS, windows_page },
};
const int PAGE_COUNT = COUNT(PAGES);

/* The page being created: its first messages come before it can carry a pointer. */
static const struct page *created;

/* Notes what the page is told, then lets the page do what it does; a position is known only afterwards. */
static INT_PTR CALLBACK page_proc(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    const struct page *page = (const struct page *)GetWindowLongPtrW(window, DWLP_USER);
    if (page == NULL) {
        page = created;
        SetWindowLongPtrW(window, DWLP_USER, (LONG_PTR)page);
    }
    if (message == WM_HSCROLL || message == WM_VSCROLL) {
        INT_PTR result = page->proc(window, message, wparam, lparam);
        note_message(window, message, wparam, lparam);
        return result;
    }
    note_message(window, message, wparam, lparam);
    return page->proc(window, message, wparam, lparam);
}

HWND create_page(HWND frame, int index)
{
    created = &PAGES[index];
    return CreateDialogParamW(instance, MAKEINTRESOURCEW(created->template_id), frame, page_proc, 0);
}
