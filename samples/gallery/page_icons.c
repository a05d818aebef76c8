/* Page "icons": list views that are no tables, and groups. */
#include "gallery.h"

static HIMAGELIST large_images, small_images;

static void fill(HWND view, const WCHAR *word, int count, BOOL grouped)
{
    int i;
    /* The views share the lists (LVS_SHAREIMAGELISTS); the page destroys them. */
    ListView_SetImageList(view, large_images, LVSIL_NORMAL);
    ListView_SetImageList(view, small_images, LVSIL_SMALL);
    for (i = 0; i < count; i++) {
        LVITEMW item = { 0 };
        WCHAR text[40];
        wsprintfW(text, L"%s %d", word, i + 1);
        item.mask = LVIF_TEXT | LVIF_IMAGE | (grouped ? LVIF_GROUPID : 0);
        item.iItem = i;
        item.pszText = text;
        item.iImage = i % IMAGE_COUNT;
        item.iGroupId = i % 2;
        SendMessageW(view, LVM_INSERTITEMW, 0, (LPARAM)&item);
    }
}

static void add_groups(HWND view)
{
    static const WCHAR *const titles[] = { L"Even", L"Odd" };
    LVCOLUMNW column = { 0 };
    int i;
    column.mask = LVCF_TEXT | LVCF_WIDTH;
    column.cx = 150;
    column.pszText = (WCHAR *)L"Grouped";
    SendMessageW(view, LVM_INSERTCOLUMNW, 0, (LPARAM)&column);
    /* Wine shows the items without their groups. */
    for (i = 0; i < COUNT(titles); i++) {
        LVGROUP group = { 0 };
        group.cbSize = sizeof(group);
        group.mask = LVGF_HEADER | LVGF_GROUPID;
        group.pszHeader = (WCHAR *)titles[i];
        group.iGroupId = i;
        ListView_InsertGroup(view, -1, &group);
    }
    ListView_EnableGroupView(view, TRUE);
}

static void prepare(HWND page)
{
    large_images = create_images(32);
    small_images = create_images(16);
    fill(GetDlgItem(page, IDC_LV_ICON), L"Icon", 8, FALSE);
    fill(GetDlgItem(page, IDC_LV_SMALL_ICON), L"Small", 12, FALSE);
    fill(GetDlgItem(page, IDC_LV_LIST), L"Entry", 24, FALSE);
    add_groups(GetDlgItem(page, IDC_LV_GROUPS));
    fill(GetDlgItem(page, IDC_LV_GROUPS), L"Member", 6, TRUE);
}

INT_PTR CALLBACK icons_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    (void)wparam;
    switch (message) {
    case WM_INITDIALOG:
        prepare(page);
        return FALSE;
    case WM_NOTIFY:
        if (((const NMHDR *)lparam)->code == LVN_ENDLABELEDITW) {
            SetWindowLongPtrW(page, DWLP_MSGRESULT, ((const NMLVDISPINFOW *)lparam)->item.pszText != NULL);
            return TRUE;
        }
        return FALSE;
    case WM_DESTROY:
        ImageList_Destroy(large_images);
        ImageList_Destroy(small_images);
        return FALSE;
    }
    return FALSE;
}
