/* Page "trees": a tree with editable labels and items to drag, one with check boxes, one whose children appear when asked
 * for.
 */
#include "gallery.h"

#define WM_APP_CHECKED (WM_APP + 2)

static HIMAGELIST images;
static HWND drag_tree; /* while a drag lasts */
static HTREEITEM dragged;

static HTREEITEM add(HWND tree, HTREEITEM parent, const WCHAR *text, int children)
{
    TVINSERTSTRUCTW insert = { 0 };
    WCHAR name[80];
    wsprintfW(name, items == ITEMS_RENAMED ? L"Another %s" : L"%s", text);
    insert.hParent = parent;
    insert.hInsertAfter = items == ITEMS_REVERSED ? TVI_FIRST : TVI_LAST;
    insert.item.mask = TVIF_TEXT | TVIF_IMAGE | TVIF_SELECTEDIMAGE | (children != 0 ? TVIF_CHILDREN : 0);
    insert.item.pszText = name;
    insert.item.iImage = parent == TVI_ROOT ? 2 : 1;
    insert.item.iSelectedImage = insert.item.iImage;
    insert.item.cChildren = children;
    return (HTREEITEM)SendMessageW(tree, TVM_INSERTITEMW, 0, (LPARAM)&insert);
}

static void fill(HWND tree)
{
    static const WCHAR *const kinds[] = { L"Animals", L"Plants", L"Minerals" };
    static const WCHAR *const members[][3] = {
        { L"Cat", L"Dog", L"Horse" }, { L"Oak", L"Rose", L"Fern" }, { L"Quartz", L"Mica", L"Rock salt" },
    };
    int i, k;
    for (i = 0; i < COUNT(kinds); i++) {
        HTREEITEM kind = add(tree, TVI_ROOT, kinds[i], 0);
        for (k = 0; k < 3; k++) {
            HTREEITEM member = add(tree, kind, members[i][k], 0);
            if (k != 1) {
                add(tree, member, L"A kind of it", 0);
            }
        }
        if (i == 1) {
            SendMessageW(tree, TVM_EXPAND, TVE_EXPAND, (LPARAM)kind);
        }
    }
}

static void prepare(HWND page)
{
    HWND plain = GetDlgItem(page, IDC_TREE_PLAIN), checks = GetDlgItem(page, IDC_TREE_CHECKS);
    HWND lazy = GetDlgItem(page, IDC_TREE_LAZY);
    images = create_images(16);
    TreeView_SetImageList(plain, images, TVSIL_NORMAL);
    fill(plain);
    /* Check boxes work only if the style is set after creation and before the items. */
    SetWindowLongPtrW(checks, GWL_STYLE, GetWindowLongPtrW(checks, GWL_STYLE) | TVS_CHECKBOXES);
    fill(checks);
    TreeView_SetCheckState(checks, TreeView_GetRoot(checks), TRUE);
    add(lazy, TVI_ROOT, L"Drive A", 1);
    add(lazy, TVI_ROOT, L"Drive B", 1);
}

static void text_of(HWND tree, HTREEITEM handle, WCHAR text[60])
{
    TVITEMW item = { 0 };
    text[0] = 0;
    item.mask = TVIF_TEXT;
    item.hItem = handle;
    item.pszText = text;
    item.cchTextMax = 60;
    SendMessageW(tree, TVM_GETITEMW, 0, (LPARAM)&item);
}

/* Three children of any item, named after it. */
static void fill_lazily(HWND tree, HTREEITEM parent)
{
    WCHAR name[60], text[80];
    int i;
    if (TreeView_GetChild(tree, parent) != NULL) {
        return;
    }
    text_of(tree, parent, name);
    for (i = 1; i <= 3; i++) {
        wsprintfW(text, L"%.50s.%d", name, i);
        add(tree, parent, text, i < 3);
    }
}

static void note_check(HWND tree, HTREEITEM item)
{
    WCHAR name[60];
    text_of(tree, item, name);
    note(L"CHECK %d text=\"%s\" checked=%d", GetDlgCtrlID(tree), name, (int)TreeView_GetCheckState(tree, item));
}

/* The control changes the check after it told of the click or the key: look again when it is done. */
static void look_later(HWND page, const NMHDR *header)
{
    HTREEITEM item = NULL;
    if (header->code == NM_CLICK) {
        TVHITTESTINFO hit = { 0 };
        DWORD position = GetMessagePos();
        hit.pt.x = GET_X_LPARAM(position);
        hit.pt.y = GET_Y_LPARAM(position);
        ScreenToClient(header->hwndFrom, &hit.pt);
        TreeView_HitTest(header->hwndFrom, &hit);
        item = hit.flags & TVHT_ONITEMSTATEICON ? hit.hItem : NULL;
    } else if (((const NMTVKEYDOWN *)header)->wVKey == VK_SPACE) {
        item = TreeView_GetSelection(header->hwndFrom);
    }
    if (item != NULL) {
        PostMessageW(page, WM_APP_CHECKED, (WPARAM)header->hwndFrom, (LPARAM)item);
    }
}

/* Until the button is released the page has the pointer. */
static void begin_drag(HWND page, const NMTREEVIEWW *tree)
{
    drag_tree = tree->hdr.hwndFrom;
    dragged = tree->itemNew.hItem;
    SetCapture(page);
    note(L"DRAG begins");
}

static BOOL is_inside(HWND tree, HTREEITEM item, HTREEITEM ancestor)
{
    while (item != NULL && item != ancestor) {
        item = TreeView_GetParent(tree, item);
    }
    return item != NULL;
}

/* The item becomes the last child of the one it is dropped on; its own children stay behind. */
static void end_drag(HWND page, POINT point)
{
    HWND tree = drag_tree;
    WCHAR what[60], where[60];
    TVHITTESTINFO hit = { 0 };
    drag_tree = NULL;
    ReleaseCapture();
    hit.pt = point;
    MapWindowPoints(page, tree, &hit.pt, 1);
    TreeView_HitTest(tree, &hit);
    if (hit.hItem == NULL || is_inside(tree, hit.hItem, dragged)) {
        note(L"DRAG cancelled");
        return;
    }
    text_of(tree, dragged, what);
    text_of(tree, hit.hItem, where);
    begin_quiet();
    add(tree, hit.hItem, what, 0);
    TreeView_DeleteItem(tree, dragged);
    end_quiet();
    note(L"DRAGGED text=\"%s\" to=\"%s\"", what, where);
}

static BOOL on_notify(HWND page, const NMHDR *header)
{
    const NMTREEVIEWW *tree = (const NMTREEVIEWW *)header;
    switch (header->code) {
    case TVN_ITEMEXPANDINGW:
        if (header->idFrom == IDC_TREE_LAZY && tree->action == TVE_EXPAND) {
            fill_lazily(header->hwndFrom, tree->itemNew.hItem);
        }
        return FALSE;
    case TVN_ENDLABELEDITW:
        SetWindowLongPtrW(page, DWLP_MSGRESULT, ((const NMTVDISPINFOW *)header)->item.pszText != NULL);
        return TRUE;
    case TVN_BEGINDRAGW:
        if (header->idFrom == IDC_TREE_PLAIN) {
            begin_drag(page, tree);
        }
        return FALSE;
    case NM_CLICK:
    case TVN_KEYDOWN:
        if (header->idFrom == IDC_TREE_CHECKS) {
            look_later(page, header);
        }
        return FALSE;
    }
    return FALSE;
}

INT_PTR CALLBACK trees_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_INITDIALOG:
        prepare(page);
        return FALSE;
    case WM_NOTIFY:
        return on_notify(page, (const NMHDR *)lparam);
    case WM_LBUTTONUP:
        if (drag_tree != NULL) {
            POINT point = { GET_X_LPARAM(lparam), GET_Y_LPARAM(lparam) };
            end_drag(page, point);
        }
        return TRUE;
    case WM_CAPTURECHANGED:
        drag_tree = NULL;
        return TRUE;
    case WM_APP_CHECKED:
        note_check((HWND)wparam, (HTREEITEM)lparam);
        return TRUE;
    case WM_DESTROY:
        ImageList_Destroy(images);
        return FALSE;
    }
    return FALSE;
}
