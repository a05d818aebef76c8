/* A host with secrets: every way in which one gets into a window. */
#include "hostile.h"
#include <aclapi.h>

#define ID_PASSWORD 1101
#define ID_LATE 1102
#define ID_MASKED 1103
#define ID_LIST 1104
#define ID_COMBO 1105
#define ID_RICH_EARLY 1106
#define ID_RICH 1107
#define ID_SECRET_COMBO 1108
#define ID_AGAIN 1109

static HWND window;

static LRESULT CALLBACK procedure(HWND target, UINT message, WPARAM wparam, LPARAM lparam) {
    return DefWindowProcW(target, message, wparam, lparam);
}

static HWND child(const wchar_t *class, const wchar_t *text, DWORD style, int id) {
    return CreateWindowW(class, text, WS_CHILD | WS_VISIBLE | style, 8, 8, 200, 80, window, (HMENU)(INT_PTR)id, NULL, NULL);
}

/* As keys would: down, character, up. */
static void type_into(HWND target, const wchar_t *text) {
    SetFocus(target);
    for (; *text; text++) {
        PostMessageW(target, WM_KEYDOWN, 'A', 1);
        PostMessageW(target, WM_CHAR, *text, 1);
        PostMessageW(target, WM_KEYUP, 'A', 1);
    }
    pump();
}

static void paste_into(HWND target, const wchar_t *text) {
    SIZE_T bytes = (wcslen(text) + 1) * sizeof *text;
    HGLOBAL memory = GlobalAlloc(GMEM_MOVEABLE, bytes);
    memcpy(GlobalLock(memory), text, bytes);
    GlobalUnlock(memory);
    if (OpenClipboard(window)) {
        EmptyClipboard();
        SetClipboardData(CF_UNICODETEXT, memory);
        CloseClipboard();
    }
    SetFocus(target);
    SendMessageW(target, WM_PASTE, 0, 0);
    pump();
}

/* Everything that can be done to a text. */
static void use(HWND target, HWND elsewhere, const wchar_t *secret) {
    char narrow[128];
    WideCharToMultiByte(CP_ACP, 0, secret, -1, narrow, sizeof narrow, NULL, NULL);
    type_into(target, secret);
    SetFocus(elsewhere); /* the edit's result is due */
    SetWindowTextW(target, L"");
    paste_into(target, secret);
    SetFocus(elsewhere);
    SetWindowTextW(target, secret);
    SetWindowTextA(target, narrow);
    SendMessageW(target, EM_SETSEL, 0, -1);
    SendMessageW(target, EM_REPLACESEL, TRUE, (LPARAM)secret);
    SetFocus(target);
    SendMessageW(target, WM_COMMAND, MAKEWPARAM(1, 1), 0);
    SendMessageW(window, WM_COMMAND, MAKEWPARAM(ID_PASSWORD, EN_CHANGE), (LPARAM)target);
    SetFocus(elsewhere);
    pump();
}

/* ---- the system's own dialog that asks for a password ------------------------------------------------------------- */

static DWORD prompt_thread;

static DWORD WINAPI prompt(void *unused) {
    (void)unused;
    struct {
        DWORD size;
        HWND parent;
        const wchar_t *message, *caption;
        HBITMAP banner;
    } about = {sizeof about, NULL, L"Who are you?", L"Credentials", NULL};
    typedef DWORD(WINAPI * ask)(void *, const wchar_t *, void *, DWORD, wchar_t *, ULONG, wchar_t *, ULONG, BOOL *, DWORD);
    ask ask_for = (ask)(void *)GetProcAddress(LoadLibraryW(L"credui.dll"), "CredUIPromptForCredentialsW");
    wchar_t user[64] = L"somebody", password[256] = L"";
    BOOL save = FALSE;
    /* GENERIC_CREDENTIALS, ALWAYS_SHOW_UI, DO_NOT_PERSIST */
    return ask_for ? ask_for(&about, L"hostile", NULL, 0, user, 64, password, 256, &save, 0x40082) : 1;
}

static BOOL CALLBACK find_password(HWND candidate, LPARAM found) {
    wchar_t class[64];
    GetClassNameW(candidate, class, 64);
    int is = !_wcsicmp(class, L"Edit") && GetWindowLongW(candidate, GWL_STYLE) & ES_PASSWORD;
    if (is)
        *(HWND *)found = candidate;
    return !is;
}

static BOOL CALLBACK look_inside(HWND top, LPARAM found) {
    EnumChildWindows(top, find_password, found);
    return !*(HWND *)found;
}

static void fill_in_prompt(const wchar_t *secret) {
    HWND field = NULL;
    HANDLE thread = CreateThread(NULL, 0, prompt, NULL, 0, &prompt_thread);
    for (int i = 0; i < 1000 && !field && WaitForSingleObject(thread, 10) != WAIT_OBJECT_0; i++) {
        EnumThreadWindows(prompt_thread, look_inside, (LPARAM)&field);
        pump();
    }
    if (field) {
        wait_for_threads(2);
        for (; *secret; secret++) {
            PostMessageW(field, WM_KEYDOWN, 'A', 1);
            PostMessageW(field, WM_CHAR, *secret, 1);
        }
        PostMessageW(GetAncestor(field, GA_ROOT), WM_COMMAND, IDOK, 0);
    }
    tell("prompt", field != NULL);
    join(thread);
}

/* MORE: a file that holds the secret in UTF-8, since a command line is recorded; then "stop", or "kill" to leave what the rings have. */
void run_secrets(const wchar_t *file, const wchar_t *how) {
    char bytes[256];
    wchar_t secret[256] = {0};
    FILE *opened = _wfopen(file, L"rb");
    if (!opened)
        exit(88);
    MultiByteToWideChar(CP_UTF8, 0, bytes, (int)fread(bytes, 1, sizeof bytes, opened), secret, 255);
    fclose(opened);
    static const wchar_t *const classes[] = {L"SecretName"};
    static const int32_t ids[] = {ID_MASKED, ID_LIST, ID_COMBO};
    WNDCLASSW class = {0};
    GetClassInfoW(NULL, L"EDIT", &class);
    class.lpszClassName = L"SecretName";
    class.hInstance = GetModuleHandleW(NULL);
    RegisterClassW(&class);
    window = make_window(procedure);
    ShowWindow(window, SW_SHOW);
    /* There before the recorder, secret and all: the first keyframe. */
    HWND early = child(L"EDIT", secret, ES_PASSWORD, ID_PASSWORD);
    SetWindowTextW(early, secret);
    /* Hides its letters, which no style tells. */
    LoadLibraryW(L"riched20.dll");
    HWND early_rich = child(L"RichEdit20W", L"", 0, ID_RICH_EARLY);
    SendMessageW(early_rich, EM_SETPASSWORDCHAR, '*', 0);
    SetWindowTextW(early_rich, secret);
    dashcam_config wanted = config();
    wanted.masked_classes = classes;
    wanted.masked_class_count = 1;
    wanted.masked_ids = ids;
    wanted.masked_id_count = 3;
    tell("start", dashcam.start(&wanted));
    meet_hooks();
    HWND plain = child(L"EDIT", L"", 0, 1199);
    use(early, plain, secret);
    /* Born with its secret, and shown for a moment by a "show password" button. */
    HWND born = child(L"EDIT", secret, ES_PASSWORD, ID_PASSWORD + 100);
    SendMessageW(born, EM_SETPASSWORDCHAR, 0, 0);
    use(born, plain, secret);
    SetWindowLongW(born, GWL_STYLE, GetWindowLongW(born, GWL_STYLE) & ~ES_PASSWORD);
    use(born, plain, secret);
    SendMessageW(born, EM_SETPASSWORDCHAR, 0x25CF, 0);
    /* An ordinary edit that becomes a password field. */
    HWND late = child(L"EDIT", L"", 0, ID_LATE);
    SendMessageW(late, EM_SETPASSWORDCHAR, '*', 0);
    use(late, plain, secret);
    use(early_rich, plain, secret);
    use(child(L"RichEdit20W", secret, ES_PASSWORD, ID_RICH), plain, secret);
    /* A combo box whose field hides its letters: its own text and its items are the same secret. */
    HWND around = child(L"COMBOBOX", L"", CBS_DROPDOWN | CBS_AUTOHSCROLL, ID_SECRET_COMBO);
    HWND inside = GetWindow(around, GW_CHILD);
    SendMessageW(inside, EM_SETPASSWORDCHAR, '*', 0);
    use(inside, plain, secret);
    SetWindowTextW(around, secret);
    SendMessageW(around, CB_ADDSTRING, 0, (LPARAM)secret);
    SendMessageW(around, CB_SETCURSEL, 0, 0);
    SendMessageW(window, WM_COMMAND, MAKEWPARAM(ID_SECRET_COMBO, CBN_SELCHANGE), (LPARAM)around);
    /* A toolkit that makes the field anew to show what is in it. */
    HWND again = child(L"EDIT", secret, ES_PASSWORD, ID_AGAIN);
    use(again, plain, secret);
    DestroyWindow(again);
    again = child(L"EDIT", secret, 0, ID_AGAIN);
    use(again, plain, secret);
    fill_in_prompt(secret);
    /* What the host masks: by id, by class, by window, and the items of lists. */
    HWND by_id = child(L"EDIT", secret, 0, ID_MASKED), by_class = child(L"SecretName", secret, 0, 1150);
    HWND by_window = child(L"EDIT", L"", 0, 1151);
    tell("mask", dashcam.mask_window(by_window));
    use(by_id, plain, secret);
    use(by_class, plain, secret);
    use(by_window, plain, secret);
    HWND list = child(L"LISTBOX", L"", LBS_NOTIFY, ID_LIST), combo = child(L"COMBOBOX", L"", CBS_DROPDOWNLIST, ID_COMBO);
    SendMessageW(list, LB_ADDSTRING, 0, (LPARAM)secret);
    SendMessageW(combo, CB_ADDSTRING, 0, (LPARAM)secret);
    SendMessageW(list, LB_SETCURSEL, 0, 0);
    SendMessageW(combo, CB_SETCURSEL, 0, 0);
    SendMessageW(window, WM_COMMAND, MAKEWPARAM(ID_LIST, LBN_SELCHANGE), (LPARAM)list);
    SendMessageW(window, WM_COMMAND, MAKEWPARAM(ID_COMBO, CBN_SELCHANGE), (LPARAM)combo);
    pump();
    /* The test that finds nothing must be able to find something. */
    SetWindowTextW(plain, L"a word that is no secret");
    wchar_t path[MAX_PATH];
    swprintf(path, MAX_PATH, L"%ls\\export.dashcam", folder);
    tell("export", dashcam.export(path));
    use(early, plain, secret);
    SetWindowTextW(plain, L"another word that is no secret");
    if (!wcscmp(how, L"kill"))
        TerminateProcess(GetCurrentProcess(), 71);
    tell("stop", stop());
}

/* Who may read the session's folder, and the files in it. */
static void tell_rights(const wchar_t *path, const char *what) {
    PSECURITY_DESCRIPTOR descriptor = NULL;
    PACL rights = NULL;
    char name[64];
    if (GetNamedSecurityInfoW(path, SE_FILE_OBJECT, DACL_SECURITY_INFORMATION, NULL, NULL, &rights, NULL, &descriptor))
        exit(90);
    HANDLE token;
    char user[256];
    DWORD length;
    OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token);
    GetTokenInformation(token, TokenUser, user, sizeof user, &length);
    CloseHandle(token);
    int own = 0, others = 0;
    for (DWORD i = 0; rights && i < rights->AceCount; i++) {
        ACCESS_ALLOWED_ACE *ace;
        GetAce(rights, i, (void **)&ace);
        if (ace->Header.AceType != ACCESS_ALLOWED_ACE_TYPE || !ace->Mask)
            continue;
        /* The system itself may read everything anywhere; Wine says so in every list. */
        if (EqualSid(&ace->SidStart, ((TOKEN_USER *)user)->User.Sid))
            own++;
        else if (!IsWellKnownSid(&ace->SidStart, WinLocalSystemSid))
            others++;
    }
    snprintf(name, sizeof name, "%s: the user", what);
    tell(name, own > 0);
    snprintf(name, sizeof name, "%s: others", what);
    tell(name, rights ? others : 99); /* no list at all means everybody */
    LocalFree(descriptor);
}

void run_rights(void) {
    wchar_t path[MAX_PATH];
    start();
    if (dashcam.log_path(path, MAX_PATH))
        exit(91);
    tell_rights(path, "folder");
    wcscat(path, L"\\segment-000000.xml");
    tell_rights(path, "segment");
    stop();
}
