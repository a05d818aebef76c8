/* Every standard and common control in one program, for recorders and replayers to work on.
 *
 * gallery [--page NAME] [--journal FILE] [--items reversed|renamed] [--outside FILE]
 *
 * What a user does shows in the list at the bottom and in the journal, as the notification that the parent got.
 * Nothing depends on the clock except the windows that are there for it.
 */
#include "gallery.h"

#include <ole2.h>
#include <shellapi.h>

HINSTANCE instance;
HWND main_window;
enum items items = ITEMS_AS_EVER;

static HWND modeless[64];

void add_modeless(HWND dialog)
{
    int i;
    for (i = 0; i < COUNT(modeless); i++) {
        if (modeless[i] == NULL) {
            modeless[i] = dialog;
            return;
        }
    }
}

void remove_modeless(HWND dialog)
{
    int i;
    for (i = 0; i < COUNT(modeless); i++) {
        if (modeless[i] == dialog) {
            modeless[i] = NULL;
        }
    }
}

static BOOL is_dialog_key(MSG *message)
{
    int i;
    for (i = 0; i < COUNT(modeless); i++) {
        HWND dialog = modeless[i];
        if (dialog != NULL && (message->hwnd == dialog || IsChild(dialog, message->hwnd))) {
            return IsDialogMessageW(dialog, message);
        }
    }
    return FALSE;
}

static int run_messages(void)
{
    HACCEL accelerators = LoadAcceleratorsW(instance, MAKEINTRESOURCEW(IDR_ACCELERATORS));
    MSG message;
    while (GetMessageW(&message, NULL, 0, 0) > 0) {
        BOOL inside = message.hwnd == main_window || IsChild(main_window, message.hwnd);
        if (inside && TranslateAcceleratorW(main_window, accelerators, &message)) {
            continue;
        }
        if (translate_mdi_key(&message) || is_dialog_key(&message)) {
            continue;
        }
        TranslateMessage(&message);
        DispatchMessageW(&message);
    }
    return (int)message.wParam;
}

static BOOL register_classes(void)
{
    INITCOMMONCONTROLSEX classes = { sizeof(classes), 0 };
    classes.dwICC = ICC_WIN95_CLASSES | ICC_DATE_CLASSES | ICC_USEREX_CLASSES | ICC_COOL_CLASSES
        | ICC_INTERNET_CLASSES | ICC_PAGESCROLLER_CLASS | ICC_STANDARD_CLASSES | ICC_LINK_CLASS;
    InitCommonControlsEx(&classes);
    /* The library brings the class RICHEDIT50W and stays for the life of the program. */
    return LoadLibraryW(L"msftedit.dll") != NULL && register_frame() && register_canvas()
        && register_scroller() && register_splitter() && register_panel() && register_dock();
}

/* Returns FALSE if an option is not known. */
static BOOL read_options(const WCHAR **page, const WCHAR **journal, const WCHAR **outside)
{
    int count, i;
    WCHAR **words = CommandLineToArgvW(GetCommandLineW(), &count);
    if (words == NULL) {
        return FALSE;
    }
    /* The words live as long as the program. */
    for (i = 1; i < count; i += 2) {
        if (i + 1 < count && lstrcmpW(words[i], L"--page") == 0) {
            *page = words[i + 1];
        } else if (i + 1 < count && lstrcmpW(words[i], L"--journal") == 0) {
            *journal = words[i + 1];
        } else if (i + 1 < count && lstrcmpW(words[i], L"--outside") == 0) {
            *outside = words[i + 1];
        } else if (i + 1 < count && lstrcmpW(words[i], L"--items") == 0 && lstrcmpW(words[i + 1], L"reversed") == 0) {
            items = ITEMS_REVERSED;
        } else if (i + 1 < count && lstrcmpW(words[i], L"--items") == 0 && lstrcmpW(words[i + 1], L"renamed") == 0) {
            items = ITEMS_RENAMED;
        } else {
            return FALSE;
        }
    }
    return TRUE;
}

int WINAPI WinMain(HINSTANCE self, HINSTANCE previous, LPSTR line, int show)
{
    const WCHAR *page = L"buttons";
    const WCHAR *journal = NULL;
    const WCHAR *outside = NULL;
    int code;
    (void)previous;
    (void)line;
    instance = self;
    if (!read_options(&page, &journal, &outside)) {
        MessageBoxW(NULL, L"Usage: gallery [--page NAME] [--journal FILE] [--items reversed|renamed] [--outside FILE]", L"Gallery", MB_ICONERROR);
        return 2;
    }
    if (FAILED(OleInitialize(NULL)) || !register_classes()) {
        return 3;
    }
    open_journal(journal);
    if (create_frame(page) == NULL) {
        MessageBoxW(NULL, L"There is no such page.", L"Gallery", MB_ICONERROR);
        return 2;
    }
    ShowWindow(main_window, show == SW_HIDE ? SW_SHOWNORMAL : show);
    UpdateWindow(main_window);
    if (outside != NULL) {
        take_orders(outside);
    }
    code = run_messages();
    end_threads();
    note(L"END");
    close_journal();
    OleUninitialize();
    return code;
}
