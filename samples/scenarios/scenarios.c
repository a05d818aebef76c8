/* A host for the tests of the interface: each scenario uses dashcam.dll in one way, good or bad.
 *
 *   scenarios NAME FOLDER [MORE]
 *
 * FOLDER takes the log and whatever else the scenario writes. What a test wants to know stands on the standard output, a
 * line each; the exit code is 0 unless the scenario is about its own death. */
#ifndef UNICODE
#define UNICODE
#endif
#include <windows.h>

#include <aclapi.h>
#include <shellapi.h>
#include <stdio.h>
#include <stdlib.h>
#include "dashcam.h"
#include "messages.h"

#define FUNCTIONS(X)                                                                                                   \
    X(dashcam_status, start, (const dashcam_config *))                                                                 \
    X(dashcam_status, stop, (void))                                                                                    \
    X(dashcam_status, pause, (void))                                                                                   \
    X(dashcam_status, resume, (void))                                                                                  \
    X(dashcam_status, export, (const wchar_t *))                                                                       \
    X(dashcam_status, mark, (const wchar_t *))                                                                         \
    X(dashcam_status, note_crash, (const void *))                                                                      \
    X(dashcam_status, log_path, (wchar_t *, uint32_t))                                                                 \
    X(dashcam_status, set_sink, (dashcam_sink, void *))                                                                \
    X(dashcam_status, mask_window, (void *))                                                                           \
    X(dashcam_status, get_stats, (dashcam_stats *))

#define DECLARE(type, name, arguments) static type(__cdecl *name##_recording) arguments;
FUNCTIONS(DECLARE)

static HWND window, edit;
static wchar_t folder[MAX_PATH];

static void load(void) {
    HMODULE module = LoadLibraryW(L"dashcam.dll");
    if (!module)
        exit(90);
#define FIND(type, name, arguments)                                                                                    \
    if (!(name##_recording = (void *)GetProcAddress(module, "dashcam_" #name)))                                        \
        exit(91);
    FUNCTIONS(FIND)
}

static dashcam_config config(void) {
    dashcam_config config = {.size = sizeof config, .folder = folder, .kept_sessions = 2};
    return config;
}

static const wchar_t *in_folder(const wchar_t *name) {
    static wchar_t path[4][MAX_PATH];
    static int next;
    wchar_t *found = path[next++ % 4];
    swprintf(found, MAX_PATH, L"%ls\\%ls", folder, name);
    return found;
}

void tell(const char *name, int value) {
    printf("%s=%d\n", name, value);
    fflush(stdout);
}

static void start(void) {
    dashcam_config wanted = config();
    dashcam_status status = start_recording(&wanted);
    if (status != DASHCAM_OK) {
        tell("start", status);
        exit(92);
    }
}

/* ---- a window ------------------------------------------------------------------------------------------------- */

static volatile int depth, endless = 1;
static volatile int *volatile nowhere = (int *)(UINT_PTR)16;

__attribute__((noinline)) static int overflow(int level) {
    volatile char room[512];
    room[0] = (char)level;
    depth = level;
    return endless ? overflow(level + 1) + room[0] : 0;
}

/* Calls the recorder as a handler would when the stack has overflowed: with 4 KiB left above the two guard pages. */
__attribute__((noinline)) static void crash_tight(void) {
    volatile char room[64];
    ULONG_PTR low, high;
    room[0] = 0;
    GetCurrentThreadStackLimits(&low, &high);
    if ((ULONG_PTR)room - low > 4096 + 8192) {
        crash_tight();
        room[0] = 1;
        return;
    }
    static EXCEPTION_RECORD record = {.ExceptionCode = EXCEPTION_STACK_OVERFLOW};
    static CONTEXT context;
    static EXCEPTION_POINTERS pointers = {&record, &context};
    RtlCaptureContext(&context);
    record.ExceptionAddress = (void *)crash_tight;
    dashcam_status status = note_crash_recording(&pointers);
    TerminateProcess(GetCurrentProcess(), 70 + status);
}

__attribute__((noinline)) static void crash(const wchar_t *kind) {
    if (wcsstr(kind, L"overflow"))
        depth = overflow(0);
    else if (wcsstr(kind, L"tight"))
        crash_tight();
    else if (wcsstr(kind, L"raised"))
        RaiseException(EXCEPTION_STACK_OVERFLOW, 0, 0, NULL);
    else if (wcsstr(kind, L"nowhere"))
        ((void (*)(void))nowhere)();
    else if (wcsstr(kind, L"system")) {
        /* The fault lies in the C library, which is the system's: the caller counts. */
        char *(__cdecl *copy)(char *, const char *) =
            (void *)GetProcAddress(LoadLibraryW(L"msvcrt.dll"), "strcpy");
        copy((char *)nowhere, "text");
    } else
        *nowhere = 1;
}

static LRESULT CALLBACK procedure(HWND target, UINT message, WPARAM wparam, LPARAM lparam) {
    if (message == WM_COMMAND && LOWORD(wparam) == 8)
        Sleep((DWORD)lparam);
    return DefWindowProcW(target, message, wparam, lparam);
}

static void open_window(void) {
    WNDCLASSW class = {.lpfnWndProc = procedure, .lpszClassName = L"DashcamScenario"};
    class.hInstance = GetModuleHandleW(NULL);
    RegisterClassW(&class);
    window = CreateWindowW(L"DashcamScenario", L"Scenario", WS_OVERLAPPEDWINDOW | WS_VISIBLE, 60, 60, 300, 120, NULL,
                           NULL, class.hInstance, NULL);
    edit = CreateWindowW(L"EDIT", L"", WS_CHILD | WS_VISIBLE, 8, 8, 200, 24, window, (HMENU)1001, class.hInstance, NULL);
}

/* Handles what is in the queue. */
void pump(void) {
    MSG message;
    while (PeekMessageW(&message, NULL, 0, 0, PM_REMOVE)) {
        TranslateMessage(&message);
        DispatchMessageW(&message);
    }
}

static void type_text(const char *text) {
    for (; *text; text++)
        PostMessageW(edit, WM_CHAR, (WPARAM)*text, 1);
    pump();
}

/* ---- crashes --------------------------------------------------------------------------------------------------- */

static LPTOP_LEVEL_EXCEPTION_FILTER before;
static const wchar_t *filter_kind;

static void say(const char *line) {
    DWORD written;
    WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), line, (DWORD)strlen(line), &written, NULL);
}

/* With hardly any stack when that has overflowed. */
static LONG WINAPI filter(EXCEPTION_POINTERS *exception) {
    say("the host's filter ran\n");
    if (wcsstr(filter_kind, L"noting"))
        note_crash_recording(exception);
    if (wcsstr(filter_kind, L"after") && before)
        before(exception);
    return EXCEPTION_EXECUTE_HANDLER;
}

static DWORD WINAPI crash_on_worker(void *kind) {
    crash(kind);
    return 0;
}

/* MORE: what crashes ("access", "overflow", "nowhere", "system" and others, each also with "worker-" before it) and which
 * filter the host has ("none", "before", "after" our own; "noting-" before it: the filter calls dashcam_note_crash too). */
static void run_crash(const wchar_t *kind, const wchar_t *with) {
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
    filter_kind = with;
    if (wcsstr(with, L"before"))
        SetUnhandledExceptionFilter(filter);
    start();
    open_window();
    if (wcsstr(with, L"after"))
        before = SetUnhandledExceptionFilter(filter);
    type_text("abc");
    if (wcsstr(kind, L"worker")) {
        HANDLE thread = CreateThread(NULL, 0, crash_on_worker, (void *)kind, 0, NULL);
        WaitForSingleObject(thread, INFINITE);
    } else
        crash(kind); /* not in a window procedure: Wine swallows exceptions there */
}

/* A filter of the host that came after ours and calls it, while recording is stopped and started again. */
static void run_filters(void) {
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
    SetUnhandledExceptionFilter(NULL); /* the C library's own */
    start();
    LPTOP_LEVEL_EXCEPTION_FILTER recorder = SetUnhandledExceptionFilter(NULL);
    tell("ours is there", recorder != NULL);
    SetUnhandledExceptionFilter(recorder);
    stop_recording();
    tell("nothing is left behind", SetUnhandledExceptionFilter(NULL) == NULL);
    SetUnhandledExceptionFilter(filter);
    start();
    stop_recording();
    tell("the host's is back", SetUnhandledExceptionFilter(NULL) == filter);
    start();
    before = SetUnhandledExceptionFilter(filter);
    stop_recording();
    tell("one that came later stays", SetUnhandledExceptionFilter(filter) == filter);
    /* Now ours lies above the host's, which still calls ours. */
    filter_kind = L"after";
    start();
    open_window();
    crash(L"access");
}

/* ---- the rest -------------------------------------------------------------------------------------------------- */

static DWORD WINAPI mark_on_worker(void *unused) {
    (void)unused;
    tell("mark on a worker", mark_recording(L"on a worker"));
    return 0;
}

static void run_notes(void) {
    start();
    open_window();
    tell("mark", mark_recording(L"Gr\u00FC\u00DFe <1>"));
    WaitForSingleObject(CreateThread(NULL, 0, mark_on_worker, NULL, 0, NULL), INFINITE);
    SetWindowTextW(window, L"before the pause");
    tell("pause", pause_recording());
    SetWindowTextW(window, L"in the pause");
    type_text("p");
    tell("resume", resume_recording());
    SetWindowTextW(window, L"after the pause");
    tell("mask", mask_window_recording(edit));
    SetWindowTextW(edit, L"geheim4711");
    type_text("geheim");
    tell("mask nothing", mask_window_recording(NULL));
    dashcam_stats stats = {.size = sizeof stats};
    tell("stats", get_stats_recording(&stats));
    tell("sum", stats.received == stats.rejected + stats.recorded + stats.shed + stats.dropped);
    tell("threads", (int)stats.threads);
    tell("stop", stop_recording());
}

/* A splash screen is up and has taken messages when recording begins; the window that matters comes after it. */
static void run_late(void) {
    HWND splash = CreateWindowExW(0, L"STATIC", L"splash", WS_POPUP, 0, 0, 50, 50, NULL, NULL, NULL, NULL);
    PostMessageW(splash, WM_NULL, 0, 0);
    MSG message;
    while (PeekMessageW(&message, NULL, 0, 0, PM_REMOVE))
        DispatchMessageW(&message);
    start();
    HWND late = CreateWindowExW(0, L"STATIC", L"late", WS_POPUP, 0, 0, 50, 50, NULL, NULL, NULL, NULL);
    SetWindowTextW(late, L"later");
    tell("stop", stop_recording());
}

static void __cdecl to_trace(const wchar_t *line, void *trace) {
    char bytes[1 << 16];
    int len = WideCharToMultiByte(CP_UTF8, 0, line, -1, bytes, sizeof bytes, NULL, NULL);
    fprintf(trace, "12:00:00 host: something of my own\n12:00:00 %s\n", len ? bytes : "UL:");
}

static void run_sink(void) {
    start();
    open_window();
    FILE *trace = _wfopen(in_folder(L"trace.txt"), L"wb");
    tell("sink", set_sink_recording(to_trace, trace));
    SetWindowTextW(window, L"in the trace");
    type_text("abc");
    mark_recording(L"last");
    dashcam_stats stats = {.size = sizeof stats};
    get_stats_recording(&stats); /* everything is drained */
    tell("no sink", set_sink_recording(NULL, NULL));
    get_stats_recording(&stats); /* and nobody calls it any more */
    fclose(trace);
    SetWindowTextW(window, L"behind the trace");
    stop_recording();
}

static volatile LONG exporting;

static DWORD WINAPI export_on_worker(void *unused) {
    (void)unused;
    wchar_t name[32];
    for (int i = 0; i < 5; i++) {
        swprintf(name, 32, L"export-%d.dashcam", i);
        tell("export", export_recording(in_folder(name)));
    }
    tell("again", export_recording(in_folder(L"export-0.dashcam")));
    tell("no folder", export_recording(in_folder(L"no\\such\\folder\\a.dashcam")));
    tell("no name", export_recording(in_folder(L"a<b>.dashcam\\")));
    tell("a folder", export_recording(folder));
    tell("NULL", export_recording(NULL));
    exporting = 0;
    return 0;
}

static void run_export(void) {
    start();
    open_window();
    exporting = 1;
    CloseHandle(CreateThread(NULL, 0, export_on_worker, NULL, 0, NULL));
    wchar_t text[32];
    for (int i = 0; exporting; i++) {
        swprintf(text, 32, L"text %d", i);
        SetWindowTextW(window, text);
        pump();
    }
    tell("stop", stop_recording());
}

/* MORE: milliseconds to be deaf for. */
static void run_hang(const wchar_t *millis) {
    start();
    open_window();
    pump();
    SendMessageW(window, WM_COMMAND, 8, (LPARAM)_wtoi(millis));
    pump();
    /* Idle is not hung. */
    for (int i = 0; i < 20; i++) {
        MsgWaitForMultipleObjects(0, NULL, FALSE, 50, QS_ALLINPUT);
        pump();
    }
    stop_recording();
}

static void run_bad_input(void) {
    wchar_t small[2];
    dashcam_stats stats = {0};
    uint32_t numbers[1] = {1};
    SetUnhandledExceptionFilter(NULL); /* the C library's own */
    tell("stop without start", stop_recording());
    tell("mark without start", mark_recording(L"x"));
    tell("log path without start", log_path_recording(small, 2));
    tell("crash without start", note_crash_recording(&(EXCEPTION_POINTERS){&(EXCEPTION_RECORD){0}, &(CONTEXT){0}}));
    dashcam_config bad = config();
    bad.size = 3;
    tell("wrong size", start_recording(&bad));
    tell("no structure", start_recording((void *)(UINT_PTR)16));
    bad = config(), bad.retention_seconds = 0xFFFFFFFF;
    tell("nonsense retention", start_recording(&bad));
    bad = config(), bad.max_bytes = 1;
    tell("nonsense bytes", start_recording(&bad));
    bad = config(), bad.folder = (void *)(UINT_PTR)16;
    tell("folder nowhere", start_recording(&bad));
    bad = config(), bad.extra_messages = numbers, bad.extra_count = 0x7FFFFFFF;
    tell("nonsense count", start_recording(&bad));
    bad = config(), bad.folder = L"Q:\\no\\such\\drive";
    tell("missing drive", start_recording(&bad));
    bad = config(), bad.folder = L"Z:\\proc\\dashcam"; /* under Wine a folder nobody can write to */
    tell("unwritable folder", start_recording(&bad));
    /* A file is where the folder should be. */
    fclose(_wfopen(in_folder(L"file"), L"wb"));
    bad = config(), bad.folder = in_folder(L"file");
    tell("folder is a file", start_recording(&bad));
    tell("filter left", SetUnhandledExceptionFilter(NULL) != NULL);
    start();
    dashcam_config good = config();
    tell("start twice", start_recording(&good));
    tell("small buffer", log_path_recording(small, 2));
    tell("no buffer", log_path_recording(NULL, 2));
    tell("no stats", get_stats_recording(NULL));
    tell("stats without size", get_stats_recording(&stats));
    tell("no mark", mark_recording(NULL));
    tell("mark nowhere", mark_recording((void *)(UINT_PTR)16));
    tell("no exception", note_crash_recording(NULL));
    tell("exception nowhere", note_crash_recording((void *)(UINT_PTR)16));
    open_window();
    type_text("still recorded");
    tell("stop", stop_recording());
    /* The host goes on. */
    type_text("unrecorded");
    SetWindowTextW(window, L"goes on");
    tell("stop twice", stop_recording());
}

/* All memory there is: what the address space holds. */
static SIZE_T committed_now(void) {
    SIZE_T sum = 0;
    MEMORY_BASIC_INFORMATION region;
    for (char *at = NULL; VirtualQuery(at, &region, sizeof region); at = (char *)region.BaseAddress + region.RegionSize)
        if (region.State == MEM_COMMIT && region.Type != MEM_IMAGE)
            sum += region.RegionSize;
    return sum;
}

/* The same once threads that are about to end have given their stacks back. */
static SIZE_T committed_bytes(void) {
    SIZE_T least = committed_now();
    for (int i = 0; i < 50; i++) {
        Sleep(10);
        SIZE_T now = committed_now();
        least = now < least ? now : least;
    }
    return least;
}

static DWORD WINAPI window_on_worker(void *unused) {
    (void)unused;
    HWND own = CreateWindowW(L"DashcamScenario", L"Second", WS_OVERLAPPEDWINDOW, 0, 0, 10, 10, NULL, NULL, NULL, NULL);
    pump();
    DestroyWindow(own);
    return 0;
}

/* MORE: how often. Every tenth time a second GUI thread comes and goes. */
static void run_cycles(const wchar_t *count) {
    open_window();
    int cycles = _wtoi(count);
    SIZE_T at_first = 0;
    DWORD handles_at_first = 0, handles = 0;
    for (int i = 0; i < cycles; i++) {
        start();
        if (i % 10 == 0) {
            HANDLE thread = CreateThread(NULL, 0, window_on_worker, NULL, 0, NULL);
            WaitForSingleObject(thread, INFINITE);
            CloseHandle(thread);
        }
        SetWindowTextW(window, L"cycle");
        pump();
        if (stop_recording() != DASHCAM_OK)
            exit(93);
        if (i == cycles / 10) {
            at_first = committed_bytes();
            GetProcessHandleCount(GetCurrentProcess(), &handles_at_first);
        }
    }
    GetProcessHandleCount(GetCurrentProcess(), &handles);
    tell("kilobytes", (int)((LONG_PTR)(committed_bytes() - at_first) / 1024));
    tell("handles", (int)handles - (int)handles_at_first);
    SIZE_T measured = committed_bytes();
    memset(VirtualAlloc(NULL, 4 << 20, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE), 1, 4 << 20);
    tell("four megabytes are seen as kilobytes", (int)((committed_bytes() - measured) / 1024));
}

/* MORE: a file to work until, and "fast" for much in little time: numbers as titles, one after the other. */
static void run_work(const wchar_t *control, const wchar_t *pace) {
    start();
    open_window();
    int is_fast = !wcscmp(pace, L"fast");
    wchar_t text[512];
    for (int i = 1; GetFileAttributesW(control) == INVALID_FILE_ATTRIBUTES; i++) {
        swprintf(text, 512, is_fast ? L"number %0400d" : L"number %d", i);
        SetWindowTextW(window, text);
        pump();
        if (!is_fast || i % 100 == 0) {
            printf("%d\n", i);
            fflush(stdout);
            Sleep(5);
        }
    }
    tell("stop", stop_recording());
}

/* Messages, with a class and an id that the host has masked. */
static void run_messages(void) {
    static const wchar_t *const classes[] = {L"PatientName"};
    static const int32_t ids[] = {1003};
    dashcam_config wanted = config();
    wanted.masked_classes = classes;
    wanted.masked_class_count = 1;
    wanted.masked_ids = ids;
    wanted.masked_id_count = 1;
    tell("start", start_recording(&wanted));
    window = open_messages();
    edit = CreateWindowW(L"EDIT", L"", WS_CHILD | WS_VISIBLE, 8, 8, 200, 24, window, (HMENU)1001, NULL, NULL);
    SetFocus(edit);
    pump();
    play_messages(window, edit);
    tell("stop", stop_recording());
}

/* How a host may stop at its very end. */
static const wchar_t *stop_at = L"";

static void stop_at_exit(void) {
    tell("stop at exit", stop_recording());
}

/* Called under the loader lock. */
static void NTAPI on_thread(void *module, DWORD reason, void *reserved) {
    (void)module, (void)reserved;
    if (reason == DLL_THREAD_DETACH && !wcscmp(stop_at, L"thread")) {
        stop_at = L"";
        tell("stop at the end of a thread", stop_recording());
    }
}

__attribute__((section(".CRT$XLB"), used)) static PIMAGE_TLS_CALLBACK on_thread_entry = on_thread;

/* Called when all other threads are gone. */
static void NTAPI on_process(void *value) {
    char line[64];
    if (value && GetCurrentThreadId() == (DWORD)(UINT_PTR)value) {
        snprintf(line, sizeof line, "stop at the end of the process=%d\n", stop_recording());
        say(line);
    }
}

static DWORD WINAPI nothing(void *unused) {
    (void)unused;
    return 0;
}

static volatile LONG asking = 1;

static DWORD WINAPI ask_for_ever(void *unused) {
    (void)unused;
    dashcam_stats stats = {.size = sizeof stats};
    while (asking)
        get_stats_recording(&stats);
    return 0;
}

/* MORE: "atexit", "process", "thread". */
static void run_ending(const wchar_t *when) {
    start();
    open_window();
    SetWindowTextW(window, L"near the end");
    pump();
    if (!wcscmp(when, L"atexit"))
        atexit(stop_at_exit);
    stop_at = when;
    if (!wcscmp(when, L"thread"))
        WaitForSingleObject(CreateThread(NULL, 0, nothing, NULL, 0, NULL), INFINITE);
    if (!wcscmp(when, L"process")) {
        FlsSetValue(FlsAlloc(on_process), (void *)(UINT_PTR)GetCurrentThreadId());
        /* The end finds a thread inside the interface, where it may hold a lock. */
        CloseHandle(CreateThread(NULL, 0, ask_for_ever, NULL, 0, NULL));
        Sleep(100);
    }
}

/* Nobody may open this process, as if it had more rights than they have. */
static void run_protected(void) {
    ACL nobody;
    MSG message;
    if (!InitializeAcl(&nobody, sizeof(nobody), ACL_REVISION)
        || SetSecurityInfo(GetCurrentProcess(), SE_KERNEL_OBJECT, DACL_SECURITY_INFORMATION, NULL, NULL, &nobody, NULL))
        exit(93);
    open_window();
    while (GetMessageW(&message, NULL, 0, 0) > 0)
        DispatchMessageW(&message);
}

int main(void) {
    int count;
    wchar_t **arguments = CommandLineToArgvW(GetCommandLineW(), &count);
    if (count < 3)
        return 94;
    const wchar_t *name = arguments[1], *more = count > 3 ? arguments[3] : L"", *last = count > 4 ? arguments[4] : L"";
    wcscpy(folder, arguments[2]);
    /* The one that does without the recorder. */
    if (!wcscmp(name, L"protected")) {
        run_protected();
        return 0;
    }
    load();
    if (!wcscmp(name, L"crash"))
        run_crash(more, last);
    else if (!wcscmp(name, L"filters"))
        run_filters();
    else if (!wcscmp(name, L"notes"))
        run_notes();
    else if (!wcscmp(name, L"late"))
        run_late();
    else if (!wcscmp(name, L"sink"))
        run_sink();
    else if (!wcscmp(name, L"export"))
        run_export();
    else if (!wcscmp(name, L"hang"))
        run_hang(more);
    else if (!wcscmp(name, L"bad-input"))
        run_bad_input();
    else if (!wcscmp(name, L"cycles"))
        run_cycles(more);
    else if (!wcscmp(name, L"work"))
        run_work(more, last);
    else if (!wcscmp(name, L"messages"))
        run_messages();
    else if (!wcscmp(name, L"ending"))
        run_ending(more);
    else
        return 95;
    return 0;
}
