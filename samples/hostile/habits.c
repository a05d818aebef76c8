/* Hosts with odd habits: they call the recorder from everywhere at once, put its log into odd places, run on odd stacks, freeze their
 * threads, and do to themselves what other libraries do. */
#include "hostile.h"

static LRESULT CALLBACK plain(HWND window, UINT message, WPARAM wparam, LPARAM lparam) {
    return DefWindowProcW(window, message, wparam, lparam);
}

/* ---- the interface from everywhere at once ------------------------------------------------------------------------- */

#define CALLERS 8
static volatile LONG ending;
static volatile LONG64 calls;
static volatile LONG unexpected, told_after;

static volatile LONG slowest_of[12];

static void check(unsigned what, int status, ULONGLONG began) {
    LONG took = (LONG)(GetTickCount64() - began);
    volatile LONG *most = &slowest_of[what % 12];
    for (LONG before = *most; took > before && InterlockedCompareExchange(most, took, before) != before;)
        before = *most;
    /* Whatever is going on: done, started already, not started; or there is nothing to export any more, since others have begun so many
     * sessions that this one is gone. */
    if (status > DASHCAM_NOT_STARTED && status != DASHCAM_WRITE)
        InterlockedExchange(&unexpected, status);
    InterlockedIncrement64(&calls);
}

/* A sink that calls whoever calls it. */
static void __cdecl call_back(const wchar_t *line, void *is_wanted) {
    (void)line;
    if (!*(volatile LONG *)is_wanted)
        InterlockedIncrement(&told_after);
    if (calls % 16 == 0) {
        wchar_t path[MAX_PATH];
        dashcam.log_path(path, MAX_PATH);
        dashcam.mark(L"from a sink");
    }
}

static void call_one(unsigned what, HWND window, unsigned number) {
    static volatile LONG wanted[64];
    wchar_t path[MAX_PATH];
    dashcam_stats now = {.size = sizeof now};
    dashcam_config wanted_config = config();
    ULONGLONG began = GetTickCount64();
    switch (what % 12) {
    case 0:
        check(what, dashcam.start(&wanted_config), began);
        break;
    case 1:
        if (what % 5 == 0)
            check(what, dashcam.stop(), began);
        break;
    case 2:
        check(what, dashcam.mark(L"from everywhere"), began);
        break;
    case 3:
        swprintf(path, MAX_PATH, L"%ls\\%u-%u.dashcam", folder, (unsigned)GetCurrentThreadId(), number);
        check(what, dashcam.export(path), began);
        DeleteFileW(path);
        break;
    case 4:
        check(what, dashcam.log_path(path, MAX_PATH), began);
        break;
    case 5:
        check(what, dashcam.mask_window(window), began);
        break;
    case 6:
        check(what, dashcam.get_stats(&now), began);
        break;
    case 7:
        check(what, dashcam.pause(), began);
        check(what, dashcam.resume(), began);
        break;
    case 8:
        if (number < 64) {
            wanted[number] = 1;
            check(what, dashcam.set_sink(call_back, (void *)&wanted[number]), began);
        }
        break;
    default:
        SetWindowTextW(window, L"meanwhile");
        pump();
    }
}

static DWORD WINAPI call(void *seed) {
    HWND window = make_window(plain);
    unsigned random = (unsigned)(UINT_PTR)seed * 2654435761u;
    for (unsigned number = 0; !ending; number++) {
        random = random * 1664525 + 1013904223;
        call_one(random >> 16, window, number);
        Sleep(1);
    }
    DestroyWindow(window);
    return 0;
}

/* MORE: milliseconds. Eight threads call every function at once. */
void run_callers(const wchar_t *millis) {
    static volatile LONG is_wanted = 1;
    HANDLE threads[CALLERS];
    for (INT_PTR i = 0; i < CALLERS; i++)
        threads[i] = run_thread(call, (void *)(i + 1));
    Sleep((DWORD)_wtoi(millis));
    ending = 1;
    for (int i = 0; i < CALLERS; i++)
        join(threads[i]);
    dashcam.stop();
    /* A sink that was taken away is not called any more: its memory may be gone. */
    start();
    HWND window = make_window(plain);
    told_after = 0;
    for (int i = 0; i < 50; i++) {
        is_wanted = 1;
        dashcam.set_sink(call_back, (void *)&is_wanted);
        SetWindowTextW(window, L"to the sink");
        dashcam.set_sink(NULL, NULL);
        is_wanted = 0;
        SetWindowTextW(window, L"to nobody");
    }
    tell("calls", calls > 100);
    /* Each function's slowest call, in the order of call_one. */
    LONG slowest = 0;
    for (int i = 0; i < 9; i++) {
        char name[32];
        snprintf(name, sizeof name, "slowest of %d", i);
        tell(name, slowest_of[i]);
        slowest = slowest_of[i] > slowest ? slowest_of[i] : slowest;
    }
    tell("slowest", slowest);
    tell("unexpected", unexpected);
    tell("told after the end", told_after);
    tell("stop", stop());
}

/* ---- odd places for a log ------------------------------------------------------------------------------------------- */

/* Records into a folder; whether the log is there. */
static void record_to(const wchar_t *name, const wchar_t *leave_for, const char *what) {
    wchar_t path[2048] = L"\\\\?\\", found[1024];
    char sentence[64];
    HWND window = make_window(plain);
    dashcam_config wanted = config();
    wanted.folder = name;
    wanted.max_bytes = 256 << 10; /* segments of 16 KiB: several are begun */
    int status = dashcam.start(&wanted);
    snprintf(sentence, sizeof sentence, "%s: start", what);
    tell(sentence, status);
    if (leave_for)
        SetCurrentDirectoryW(leave_for);
    meet_hooks();
    wchar_t text[1024];
    wmemset(text, L'n', 1023);
    text[1023] = 0;
    for (int i = 0; i < 40; i++)
        SetWindowTextW(window, text);
    snprintf(sentence, sizeof sentence, "%s: path", what);
    tell(sentence, dashcam.log_path(found, 1024));
    swprintf(path + 4, 2000, L"%ls\\export.dashcam", found);
    snprintf(sentence, sizeof sentence, "%s: export", what);
    tell(sentence, dashcam.export(path + 4));
    snprintf(sentence, sizeof sentence, "%s: stop", what);
    tell(sentence, stop());
    swprintf(path + 4, 2000, L"%ls\\segment-000001.xml", found);
    snprintf(sentence, sizeof sentence, "%s: segments", what);
    tell(sentence, GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES);
    DestroyWindow(window);
}

void run_places(void) {
    wchar_t deep[1024], away[MAX_PATH];
    GetTempPathW(MAX_PATH, away);
    SetCurrentDirectoryW(folder);
    record_to(L"relative", away, "relative");
    swprintf(deep, 1024, L"%ls\\Prüfung ☃ журнал 日誌 \xD83D\xDE97", folder);
    record_to(deep, NULL, "other letters");
    wcscpy(deep, folder);
    while (wcslen(deep) < 400)
        wcscat(deep, L"\\a folder with a name of some length");
    record_to(deep, NULL, "deep");
    swprintf(deep, 1024, L"%ls/forward/../strokes/.", folder);
    record_to(deep, NULL, "strokes");
}

/* ---- odd stacks ------------------------------------------------------------------------------------------------------ */

static HWND target;
static void *home;
static volatile LONG fibers_done;

static LRESULT CALLBACK nest(HWND window, UINT message, WPARAM wparam, LPARAM lparam) {
    if (message == WM_NUMBER && lparam > 0)
        return SendMessageW(window, WM_NUMBER, wparam, lparam - 1);
    return DefWindowProcW(window, message, wparam, lparam);
}

static void CALLBACK on_fiber(void *number) {
    for (;;) {
        SendMessageW(target, WM_NUMBER, (WPARAM)number, 3);
        SetWindowTextW(target, L"from a fiber");
        fibers_done++;
        SwitchToFiber(home);
    }
}

static void CALLBACK in_apc(ULONG_PTR number) {
    SendMessageW(target, WM_NUMBER, 100 + number, 1);
    fibers_done++;
}

static volatile LONG deepest_texts;
static char *stack_bottom;

/* Down to so many bytes before the stack's end, with a text every few steps on the last 128 KiB. */
__attribute__((noinline)) static int descend(size_t reserve, int level) {
    volatile char room[1024];
    room[0] = (char)level;
    size_t left = (size_t)((char *)&room - stack_bottom);
    if (left < reserve)
        return 0;
    if (left < 128 << 10) {
        SendMessageW(target, WM_SETTEXT, 0, (LPARAM)L"from deep down");
        deepest_texts++;
    }
    return descend(reserve, level + 1) + room[0];
}

static DWORD WINAPI go_deep(void *reserve) {
    MEMORY_BASIC_INFORMATION about = {0};
    VirtualQuery(&about, &about, sizeof about);
    stack_bottom = about.AllocationBase;
    target = make_window(nest);
    stats(); /* asked after the window's birth was told */
    meet_hooks();
    descend((size_t)reserve, 0);
    DestroyWindow(target);
    return 0;
}

void run_stacks(void) {
    /* As deep as messages can be sent without a recorder: what the system needs for its own. */
    const size_t reserve = 24 << 10;
    join(CreateThread(NULL, 256 << 10, go_deep, (void *)reserve, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL));
    LONG without = deepest_texts;
    start();
    target = make_window(nest);
    home = ConvertThreadToFiber(NULL);
    void *fibers[4];
    for (INT_PTR i = 0; i < 4; i++)
        fibers[i] = CreateFiber(64 << 10, on_fiber, (void *)(i + 1));
    for (int i = 0; i < 40; i++)
        SwitchToFiber(fibers[i % 4]);
    for (int i = 0; i < 4; i++)
        DeleteFiber(fibers[i]);
    ConvertFiberToThread();
    for (ULONG_PTR i = 0; i < 10; i++)
        QueueUserAPC(in_apc, GetCurrentThread(), i);
    SleepEx(0, TRUE);
    tell("on fibers and in calls", fibers_done);
    DestroyWindow(target);
    deepest_texts = 0;
    join(CreateThread(NULL, 256 << 10, go_deep, (void *)reserve, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL));
    tell("as deep as without", deepest_texts == without && without > 10);
    dashcam_stats now = stats();
    tell("dropped", (long long)now.dropped);
    tell("stop", stop());
}

/* ---- what other libraries do ---------------------------------------------------------------------------------------- */

static volatile LONG seen_by_hooks;

static LRESULT CALLBACK seen(int code, WPARAM wparam, LPARAM lparam) {
    seen_by_hooks++;
    return CallNextHookEx(NULL, code, wparam, lparam);
}

/* Refuses windows called "refused", as a CBT hook may. */
static LRESULT CALLBACK refuse(int code, WPARAM wparam, LPARAM lparam) {
    seen_by_hooks++;
    if (code == HCBT_CREATEWND) {
        const CREATESTRUCTW *create = ((CBT_CREATEWNDW *)lparam)->lpcs;
        if (create->lpszName && !wcscmp(create->lpszName, L"refused"))
            return 1;
    }
    return CallNextHookEx(NULL, code, wparam, lparam);
}

/* Takes the recorder's library away in the midst of a message, and once more than it was brought in. */
static LRESULT CALLBACK unload(HWND window, UINT message, WPARAM wparam, LPARAM lparam) {
    if (message == WM_NUMBER) {
        dashcam.stop();
        FreeLibrary(dashcam.module);
        FreeLibrary(dashcam.module);
    }
    return DefWindowProcW(window, message, wparam, lparam);
}

static DWORD WINAPI without_queue(void *unused) {
    (void)unused;
    for (int i = 0; i < 20; i++)
        dashcam.mark(L"from a thread without a queue");
    return 0;
}

static LONG WINAPI replaced(EXCEPTION_POINTERS *pointers) {
    (void)pointers;
    return EXCEPTION_CONTINUE_SEARCH;
}

void run_habits(void) {
    static const int kinds[] = {WH_CBT, WH_MOUSE, WH_KEYBOARD, WH_CALLWNDPROCRET, WH_MSGFILTER, WH_FOREGROUNDIDLE};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    HHOOK hooks[KINDS];
    for (int i = 0; i < KINDS; i++)
        hooks[i] = SetWindowsHookExW(kinds[i], i ? seen : refuse, NULL, GetCurrentThreadId());
    start();
    SetUnhandledExceptionFilter(replaced);
    HWND window = make_window(plain);
    HWND refused = CreateWindowW(L"STATIC", L"refused", WS_OVERLAPPED, 0, 0, 9, 9, NULL, NULL, NULL, NULL);
    tell("refused", refused == NULL);
    /* A message whose kind is asked for, and then the rest. */
    MSG message;
    PostMessageW(window, WM_KEYDOWN, 'A', 1);
    PostMessageW(window, WM_NUMBER, 0, 7);
    PostMessageW(window, WM_LBUTTONDOWN, MK_LBUTTON, 0);
    int right = GetMessageW(&message, window, WM_NUMBER, WM_NUMBER) && message.lParam == 7;
    right &= PeekMessageW(&message, (HWND)-1, 0, 0, PM_REMOVE) == 0;
    right &= PeekMessageW(&message, NULL, WM_MOUSEFIRST, WM_MOUSELAST, PM_REMOVE) && message.message == WM_LBUTTONDOWN;
    right &= PeekMessageW(&message, NULL, 0, 0, PM_NOREMOVE) && message.message == WM_KEYDOWN;
    pump();
    tell("filters", right);
    /* Texts and names as long as can be. */
    wchar_t *text = calloc(70000, sizeof *text);
    wmemset(text, L'x', 65535);
    SetWindowTextW(window, text);
    tell("length", GetWindowTextLengthW(window));
    text[255] = 0;
    WNDCLASSW class = {.lpfnWndProc = plain, .lpszClassName = text, .hInstance = GetModuleHandleW(NULL)};
    tell("longest class", RegisterClassW(&class) && CreateWindowW(text, text, WS_CHILD, 0, 0, 9, 9, window, NULL, NULL, NULL));
    free(text);
    join(run_thread(without_queue, NULL));
    HMODULE user = GetModuleHandleW(L"user32.dll");
    HANDLE(WINAPI * set_awareness)(HANDLE) = (void *)GetProcAddress(user, "SetThreadDpiAwarenessContext");
    for (INT_PTR i = 1; set_awareness && i <= 4; i++) {
        set_awareness((HANDLE)-i);
        SetWindowPos(window, NULL, (int)i * 10, 10, 300, 100, SWP_NOZORDER);
    }
    SetEnvironmentVariableW(L"TEMP", L"Z:\\nowhere");
    SetEnvironmentVariableW(L"LOCALAPPDATA", L"Z:\\nowhere");
    SetWindowTextW(window, L"with hooks of every kind");
    stats();
    tell("seen by hooks", seen_by_hooks > 5);
    HWND unloading = make_window(unload);
    SendMessageW(unloading, WM_NUMBER, 0, 0);
    SendMessageW(unloading, WM_USER, 0, 0);
    tell("still loaded", GetModuleHandleW(L"dashcam.dll") != NULL);
    tell("filter", SetUnhandledExceptionFilter(NULL) == replaced);
    for (int i = 0; i < KINDS; i++)
        UnhookWindowsHookEx(hooks[i]);
}

/* ---- threads that stand still ---------------------------------------------------------------------------------------- */

static volatile LONG standing;

static DWORD WINAPI stand(void *unused) {
    (void)unused;
    HWND window = make_window(plain);
    pump();
    InterlockedIncrement(&standing);
    while (!ending) {
        SetWindowTextW(window, L"on the move");
        pump();
    }
    DestroyWindow(window);
    return 0;
}

/* Its GUI threads are suspended, wherever they happen to be, while the recorder is stopped, started and stopped again. */
void run_frozen(void) {
    HANDLE threads[3];
    LONG longest = 0;
    start();
    for (int i = 0; i < 3; i++)
        threads[i] = run_thread(stand, NULL);
    wait_for_threads(4);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 3; i++)
            SuspendThread(threads[i]);
        ULONGLONG began = GetTickCount64();
        int stopped = dashcam.stop();
        LONG took = (LONG)(GetTickCount64() - began);
        longest = took > longest ? took : longest;
        for (int i = 0; i < 3; i++)
            ResumeThread(threads[i]);
        if (stopped)
            tell("stop", stopped);
        /* One that was kept from its work by them ends it now. */
        dashcam_config wanted = config();
        for (int i = 0; i < 1000 && dashcam.start(&wanted) == DASHCAM_ALREADY_STARTED; i++)
            Sleep(10);
        meet_hooks();
        wait_for_threads(4);
    }
    ending = 1;
    for (int i = 0; i < 3; i++)
        join(threads[i]);
    tell("longest stop", longest);
    tell("stop", stop());
}
