/* A frame with windows inside: new, tile, cascade, close. */
#include "gallery.h"

static HWND mdi_frame, mdi_client;
static int child_count;

static LRESULT CALLBACK child_proc(HWND child, UINT message, WPARAM wparam, LPARAM lparam)
{
    WCHAR title[60];
    switch (message) {
    case WM_CREATE:
        CreateWindowExW(0, L"Edit", NULL, WS_CHILD | WS_VISIBLE | WS_VSCROLL | ES_MULTILINE | ES_AUTOVSCROLL, 0, 0, 0,
            0, child, (HMENU)(INT_PTR)IDC_MDI_EDIT, instance, NULL);
        return 0;
    case WM_SIZE:
        MoveWindow(GetDlgItem(child, IDC_MDI_EDIT), 0, 0, LOWORD(lparam), HIWORD(lparam), TRUE);
        break;
    case WM_SETFOCUS:
        SetFocus(GetDlgItem(child, IDC_MDI_EDIT));
        break;
    case WM_COMMAND:
        note_message(child, message, wparam, lparam);
        return 0;
    case WM_CLOSE:
        GetWindowTextW(child, title, COUNT(title));
        note(L"MDI child closed title=\"%s\"", title);
        break;
    }
    return DefMDIChildProcW(child, message, wparam, lparam);
}

static void create_child(void)
{
    WCHAR title[60];
    HWND child;
    child_count++;
    wsprintfW(title, L"Document %d", child_count);
    child = CreateMDIWindowW(L"GalleryMdiChild", title, 0, CW_USEDEFAULT, CW_USEDEFAULT, CW_USEDEFAULT, CW_USEDEFAULT,
        mdi_client, instance, 0);
    note(L"MDI child %s title=\"%s\"", child != NULL ? L"opened" : L"missing", title);
}

static void create_client(HWND frame)
{
    CLIENTCREATESTRUCT create = { 0 };
    create.hWindowMenu = GetSubMenu(GetMenu(frame), 1);
    create.idFirstChild = IDM_MDI_CHILD_1;
    mdi_client = CreateWindowExW(WS_EX_CLIENTEDGE, L"MDICLIENT", NULL, WS_CHILD | WS_VISIBLE | WS_CLIPCHILDREN, 0, 0, 0,
        0, frame, (HMENU)(INT_PTR)IDC_MDI_CLIENT, instance, &create);
}

static void close_all(void)
{
    HWND child;
    while ((child = (HWND)SendMessageW(mdi_client, WM_MDIGETACTIVE, 0, 0)) != NULL) {
        SendMessageW(mdi_client, WM_MDIDESTROY, (WPARAM)child, 0);
    }
}

static BOOL on_command(HWND frame, UINT id)
{
    HWND active = (HWND)SendMessageW(mdi_client, WM_MDIGETACTIVE, 0, 0);
    switch (id) {
    case IDM_MDI_NEW:
        create_child();
        return TRUE;
    case IDM_MDI_TILE_HORIZONTAL:
        SendMessageW(mdi_client, WM_MDITILE, MDITILE_HORIZONTAL, 0);
        return TRUE;
    case IDM_MDI_TILE_VERTICAL:
        SendMessageW(mdi_client, WM_MDITILE, MDITILE_VERTICAL, 0);
        return TRUE;
    case IDM_MDI_CASCADE:
        SendMessageW(mdi_client, WM_MDICASCADE, 0, 0);
        return TRUE;
    case IDM_MDI_ARRANGE:
        SendMessageW(mdi_client, WM_MDIICONARRANGE, 0, 0);
        return TRUE;
    case IDM_MDI_CLOSE:
        if (active != NULL) {
            SendMessageW(active, WM_CLOSE, 0, 0);
        }
        return TRUE;
    case IDM_MDI_CLOSE_ALL:
        close_all();
        return TRUE;
    case IDM_MDI_EXIT:
        SendMessageW(frame, WM_CLOSE, 0, 0);
        return TRUE;
    }
    return FALSE;
}

static LRESULT CALLBACK mdi_proc(HWND frame, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_CREATE:
        create_client(frame);
        return 0;
    case WM_COMMAND:
        note_message(frame, message, wparam, lparam);
        if (on_command(frame, LOWORD(wparam))) {
            return 0;
        }
        break;
    case WM_CLOSE:
        note(L"MDI closed");
        close_all();
        break;
    case WM_DESTROY:
        mdi_frame = mdi_client = NULL;
        child_count = 0;
        return 0;
    }
    return DefFrameProcW(frame, mdi_client, message, wparam, lparam);
}

static void register_classes(void)
{
    WNDCLASSEXW class = { 0 };
    class.cbSize = sizeof(class);
    class.hInstance = instance;
    class.hIcon = LoadIconW(NULL, IDI_APPLICATION);
    class.hCursor = LoadCursorW(NULL, IDC_ARROW);
    class.hbrBackground = (HBRUSH)(COLOR_APPWORKSPACE + 1);
    class.lpfnWndProc = mdi_proc;
    class.lpszClassName = L"GalleryMdiFrame";
    class.lpszMenuName = MAKEINTRESOURCEW(IDR_MDI_MENU);
    RegisterClassExW(&class);
    class.lpfnWndProc = child_proc;
    class.lpszClassName = L"GalleryMdiChild";
    class.lpszMenuName = NULL;
    RegisterClassExW(&class);
}

void open_mdi(HWND owner)
{
    if (mdi_frame == NULL) {
        register_classes();
        mdi_frame = CreateWindowExW(0, L"GalleryMdiFrame", L"Gallery MDI", WS_OVERLAPPEDWINDOW | WS_CLIPCHILDREN, 120,
            120, 640, 480, owner, NULL, instance, NULL);
        note(L"MDI opened");
        ShowWindow(mdi_frame, SW_SHOW);
        /* Only now: the size of children comes from the size of the frame. */
        create_child();
        create_child();
    }
    SetForegroundWindow(mdi_frame);
}

BOOL translate_mdi_key(MSG *message)
{
    return mdi_client != NULL && IsChild(mdi_frame, message->hwnd) && TranslateMDISysAccel(mdi_client, message);
}
