/* Hosts that send too much, too large, to nowhere, or without any memory left. */
#include "hostile.h"

#define FLOODING 8

static volatile LONG stopping;
static volatile LONG64 sent;

/* Takes every message and does nothing with it, whatever its pointers are. */
static LRESULT CALLBACK deaf(HWND window, UINT message, WPARAM wparam, LPARAM lparam) {
    switch (message) {
    case WM_NCCREATE:
    case WM_NCDESTROY:
        return DefWindowProcW(window, message, wparam, lparam);
    default:
        return message == WM_CREATE ? 0 : 1;
    }
}

static void send_all_kinds(HWND window, const wchar_t *text, int i) {
    WINDOWPOS place = {.hwnd = window, .x = i, .cx = 10, .cy = 10};
    SendMessageW(window, WM_SETTEXT, 0, (LPARAM)text);
    SendMessageW(window, WM_COMMAND, 9, 0);
    SendMessageW(window, WM_WINDOWPOSCHANGED, 0, (LPARAM)&place);
    SendMessageW(window, WM_MOUSEMOVE, MK_LBUTTON, i);
    PostMessageW(window, WM_NUMBER, 0, i);
    pump();
    sent += 5;
}

static DWORD WINAPI flood(void *unused) {
    (void)unused;
    HWND window = make_window(deaf);
    static const wchar_t text[] = L"a flood of texts as long as a title may be, again and again and again and again and "
                                  L"again, from a program that shows its progress as often as it can";
    pump();
    for (int i = 0; !stopping; i++)
        send_all_kinds(window, text, i);
    DestroyWindow(window);
    return 0;
}

/* MORE: seconds, with "+" seconds of calm behind them; the budget in bytes per second, 0 for the default. Eight threads, as fast as the
 * system delivers; the working set is looked at all the while. */
void run_flood(const wchar_t *seconds, const wchar_t *rate) {
    int flooding = 0, calm = 0, clicks = 0, counted = 0;
    swscanf(seconds, L"%d+%d", &flooding, &calm);
    HANDLE threads[FLOODING];
    for (int i = 0; i < FLOODING; i++)
        threads[i] = run_thread(flood, NULL);
    HWND window = make_window(deaf);
    Sleep(500); /* whatever messages cost without a recorder has been paid */
    measure_memory();
    dashcam_config wanted = config();
    wanted.bytes_per_second = (uint32_t)_wtoi(rate);
    if (dashcam.start(&wanted))
        exit(92);
    meet_hooks();
    ULONGLONG begin = GetTickCount64();
    while (GetTickCount64() < begin + 1000 * (ULONGLONG)(flooding + calm)) {
        if (!counted && GetTickCount64() >= begin + 500 * (ULONGLONG)flooding)
            counted = stats().threads; /* while all of them are there */
        stopping = GetTickCount64() >= begin + 1000 * (ULONGLONG)flooding;
        watch_memory();
        /* The user goes on working, and that is recorded whatever is left out. */
        PostMessageW(window, WM_LBUTTONDOWN, MK_LBUTTON, 0);
        clicks++;
        pump();
        Sleep(20);
    }
    stopping = 1;
    for (int i = 0; i < FLOODING; i++)
        join(threads[i]);
    dashcam_stats last = stats();
    tell("clicks", clicks);
    tell("sent", sent);
    tell("received", (long long)last.received);
    tell("rejected", (long long)last.rejected);
    tell("recorded", (long long)last.recorded);
    tell("shed", (long long)last.shed);
    tell("dropped", (long long)last.dropped);
    tell("stop", stop());
}

/* Texts of sixteen megabytes. */
void run_texts(void) {
    HWND window = make_window(deaf);
    const size_t length = 8 << 20;
    wchar_t *text = malloc((length + 1) * sizeof *text);
    for (size_t i = 0; i < length; i++)
        text[i] = (wchar_t)(i % 97 ? L'<' : 0x0B); /* as long as can be in XML */
    text[length] = 0;
    start();
    for (int i = 0; i < 200; i++) {
        SendMessageW(window, WM_SETTEXT, 0, (LPARAM)text);
        SendMessageW(window, EM_REPLACESEL, 0, (LPARAM)text);
        watch_memory();
    }
    tell("stop", stop());
}

/* Pointers to nowhere in every message that may carry one, from a program that never looks at them. */
void run_wild(void) {
    static const UINT messages[] = {
        WM_SETTEXT, WM_NOTIFY, WM_CREATE, WM_NCCREATE + 1000, WM_WINDOWPOSCHANGED, WM_STYLECHANGED, EM_REPLACESEL, WM_COMMAND,
        WM_DROPFILES, WM_HSCROLL, WM_VSCROLL, WM_INITMENUPOPUP, WM_MENUSELECT, WM_MENUCOMMAND, WM_IME_COMPOSITION,
        WM_SETFOCUS, WM_KILLFOCUS, WM_MDIACTIVATE, WM_CONTEXTMENU, WM_CHAR, WM_KEYDOWN, WM_MOUSEWHEEL, WM_STYLECHANGING,
        0x1100 /* TVM_INSERTITEMA */, 0x1132, 0x110D, 0x113F, 0x1201, 0x120A, 0x1204, 0x120C, EM_SETPASSWORDCHAR, WM_CLOSE};
    HWND window = make_window(deaf);
    char *pages = VirtualAlloc(NULL, 8192, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    memset(pages, 'A', 8192); /* a text without an end */
    DWORD before;
    VirtualProtect(pages + 4096, 4096, PAGE_NOACCESS, &before);
    start();
    long count = 0;
    for (int round = 0; round < 3; round++)
        for (size_t m = 0; m < sizeof messages / sizeof *messages; m++) {
            const LPARAM pointers[] = {0, 1, 16, -1, (LPARAM)0x8000000000000000ULL, (LPARAM)(pages + 4095), (LPARAM)(pages + 4092),
                                       (LPARAM)(pages + 4096), (LPARAM)window, (LPARAM)0x00007FFFFFFFFFF0ULL,
                                       (LPARAM)GetModuleHandleW(NULL), (LPARAM)&pointers, 0x7FFFFFFF};
            for (size_t p = 0; p < sizeof pointers / sizeof *pointers; p++) {
                SendMessageW(window, messages[m], (WPARAM)(round == 1 ? -1 : 0x10001), pointers[p]);
                count++;
            }
        }
    /* To another window: this one is a password field by now. */
    SendMessageW(make_window(deaf), WM_SETTEXT, 0, (LPARAM)L"still here");
    tell("sent", count);
    tell("stop", stop());
}

/* ---- no memory ----------------------------------------------------------------------------------------------------- */

static void *eaten;
#define MOST (256 << 20)

static int exists(const wchar_t *name) {
    wchar_t path[MAX_PATH];
    swprintf(path, MAX_PATH, L"%ls\\%ls", folder, name);
    return GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
}

static void ask(const char *for_what, const wchar_t *answer) {
    tell(for_what, 1);
    for (int i = 0; i < 2500 && !exists(answer); i++)
        Sleep(10);
}

/* From now on the system gives no more memory, or as much as it has. Under Wine the test does that when it is asked to. */
static void limit_memory(int is_limited) {
    static HANDLE job;
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit = {.ProcessMemoryLimit = 64 << 20};
    limit.BasicLimitInformation.LimitFlags = is_limited ? JOB_OBJECT_LIMIT_PROCESS_MEMORY : 0;
    if (!job) {
        job = CreateJobObjectW(NULL, NULL);
        AssignProcessToJobObject(job, GetCurrentProcess());
    }
    SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limit, sizeof limit);
    if (is_limited)
        ask("limit me", L"limited");
    else
        ask("free me", L"free");
}

/* Takes all that the heap has left, and gives it back. */
static void eat_memory(void) {
    HANDLE heap = GetProcessHeap();
    SIZE_T sum = 0;
    for (SIZE_T size = 1 << 20; size >= sizeof(void *); size /= 2)
        for (void **block; sum < MOST && (block = HeapAlloc(heap, 0, size)); eaten = block, sum += size + 16)
            *block = eaten;
}

static void give_back(void) {
    while (eaten) {
        void *next = *(void **)eaten;
        HeapFree(GetProcessHeap(), 0, eaten);
        eaten = next;
    }
}

void run_no_memory(void) {
    HWND window = make_window(deaf);
    wchar_t text[64] = L"with memory";
    start();
    for (int i = 0; i < 100; i++)
        SendMessageW(window, WM_SETTEXT, 0, (LPARAM)text);
    limit_memory(1);
    eat_memory();
    int is_hungry = !HeapAlloc(GetProcessHeap(), 0, 1 << 20) && !HeapAlloc(GetProcessHeap(), 0, 1 << 12);
    wcscpy(text, L"without memory");
    ULONGLONG end = GetTickCount64() + 1500;
    long count = 0;
    for (; GetTickCount64() < end; count++) {
        SendMessageW(window, WM_SETTEXT, 0, (LPARAM)text);
        if (count % 20 == 0)
            Sleep(1);
    }
    int mark = dashcam.mark(L"a mark without memory");
    give_back();
    limit_memory(0);
    tell("hungry", is_hungry);
    tell("sent without memory", count);
    tell("mark", mark);
    stats(); /* the rings have room again */
    SendMessageW(window, WM_SETTEXT, 0, (LPARAM)L"with memory again");
    tell("stop", stop());
}

/* ---- work that must be done ------------------------------------------------------------------------------------------ */

static volatile LONG64 done;

static LRESULT CALLBACK working(HWND window, UINT message, WPARAM wparam, LPARAM lparam) {
    if (message == WM_NUMBER)
        InterlockedIncrement64(&done);
    return DefWindowProcW(window, message, wparam, lparam);
}

static DWORD WINAPI work_beside(void *unused) {
    (void)unused;
    HWND window = make_window(working);
    for (int i = 0; i < 60; i++) {
        SendMessageW(window, WM_NUMBER, 0, i);
        pump();
        Sleep(10);
    }
    DestroyWindow(window);
    return 0;
}

static void __cdecl tell_state(const wchar_t *line, void *unused) {
    (void)unused;
    if (wcsstr(line, L"memory-only"))
        tell("memory-only", 1);
    if (wcsstr(line, L"on-disk"))
        tell("on-disk", 1);
}

/* An ordinary program that uses all of the recorder; a test makes the recorder or its disk fail meanwhile. MORE: how many bytes the log
 * may have, 0 for the default; then whether it tells what becomes of the disk and waits halfway until the test has done its worst. */
void run_work(const wchar_t *bytes, const wchar_t *waits) {
    dashcam_config wanted = config();
    wanted.max_bytes = (uint64_t)_wtoi(bytes);
    tell("start", dashcam.start(&wanted));
    if (*waits)
        dashcam.set_sink(tell_state, NULL);
    meet_hooks();
    HWND window = make_window(working);
    HANDLE beside = run_thread(work_beside, NULL);
    wchar_t text[64], path[MAX_PATH];
    for (int i = 1; i <= 240; i++) {
        swprintf(text, 64, L"number %d", i);
        SetWindowTextW(window, text);
        PostMessageW(window, WM_NUMBER, 0, i);
        pump();
        if (i % 60 == 0)
            dashcam.mark(text);
        if (i % 20 == 0)
            tell("number", i);
        Sleep(10);
        if (*waits && i == 120)
            ask("halfway", L"go on");
    }
    join(beside);
    swprintf(path, MAX_PATH, L"%ls\\export.dashcam", folder);
    tell("export", dashcam.export(path));
    tell("children", child_count());
    tell("done", done);
    tell("stop", stop());
}

/* Another program that keeps a file of the log's folder to itself. MORE: which. */
void run_locker(const wchar_t *name) {
    wchar_t path[MAX_PATH];
    swprintf(path, MAX_PATH, L"%ls\\%ls", folder, name);
    HANDLE file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_ALWAYS, 0, NULL);
    tell("locked", file != INVALID_HANDLE_VALUE);
    ask("holding", L"let go");
    CloseHandle(file);
}
