/* Hosts that abuse the recorder, or themselves. Each mode proves one promise of docs/reliability.md or docs/privacy.md.
 *
 *   hostile MODE FOLDER [MORE]
 *
 * FOLDER takes the log and whatever else the mode writes. What a test wants to know stands on the standard output, a line each; the exit
 * code is 0 unless the mode is about its own death. */
#include "hostile.h"
#include <psapi.h>
#include <shellapi.h>
#include <tlhelp32.h>

static int all_add_up = 1;
static uint32_t most_threads;
static SIZE_T memory_before, most_memory;

recorder dashcam;
wchar_t folder[MAX_PATH];

recorder load(const wchar_t *name) {
    recorder loaded = {.module = LoadLibraryW(name)};
    if (!loaded.module)
        exit(90);
#define FIND(function)                                                                                                 \
    if (!(loaded.function = (void *)GetProcAddress(loaded.module, "dashcam_" #function)))                              \
        exit(91);
    FIND(start) FIND(stop) FIND(pause) FIND(resume) FIND(mark) FIND(export) FIND(log_path) FIND(mask_window)
    FIND(get_stats) FIND(set_sink)
    return loaded;
}

dashcam_config config(void) {
    static const uint32_t extra[] = {WM_NUMBER};
    dashcam_config config = {.size = sizeof config, .folder = folder, .kept_sessions = 2};
    config.extra_messages = extra;
    config.extra_count = 1;
    return config;
}

void start(void) {
    dashcam_config wanted = config();
    dashcam_status status = dashcam.start(&wanted);
    if (status != DASHCAM_OK) {
        tell("start", status);
        exit(92);
    }
    measure_memory();
    meet_hooks();
}

void meet_hooks(void) {
    PostThreadMessageW(GetCurrentThreadId(), WM_NULL, 0, 0);
    pump();
}

dashcam_stats stats(void) {
    dashcam_stats stats = {.size = sizeof stats};
    dashcam.get_stats(&stats);
    most_threads = stats.threads > most_threads ? stats.threads : most_threads;
    return stats;
}

dashcam_status stop(void) {
    dashcam_stats last = stats();
    all_add_up &= adds_up(last);
    watch_memory();
    return dashcam.stop();
}

static SIZE_T working_set(void) {
    PROCESS_MEMORY_COUNTERS counters = {.cb = sizeof counters};
    GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters);
    return counters.WorkingSetSize;
}

void measure_memory(void) {
    if (!memory_before)
        memory_before = working_set();
}

void watch_memory(void) {
    SIZE_T now = working_set();
    most_memory = now > most_memory ? now : most_memory;
}

int adds_up(dashcam_stats stats) {
    return stats.received == stats.rejected + stats.recorded + stats.shed + stats.dropped;
}

void wait_for_threads(uint32_t count) {
    ULONGLONG end = GetTickCount64() + 25000;
    while (stats().threads < count) {
        if (GetTickCount64() > end) {
            tell("threads hooked", stats().threads);
            tell_stacks();
            exit(93);
        }
        Sleep(5);
    }
    meet_hooks();
}

void tell(const char *name, long long value) {
    printf("%s=%lld\n", name, value);
    fflush(stdout);
}

HWND make_window(WNDPROC procedure) {
    static SRWLOCK one_at_a_time = SRWLOCK_INIT;
    wchar_t name[32];
    swprintf(name, 32, L"Hostile%p", (void *)procedure);
    WNDCLASSW class = {.lpfnWndProc = procedure, .lpszClassName = name};
    class.hInstance = GetModuleHandleW(NULL);
    AcquireSRWLockExclusive(&one_at_a_time);
    RegisterClassW(&class);
    ReleaseSRWLockExclusive(&one_at_a_time);
    HWND window =
        CreateWindowW(name, L"Hostile", WS_OVERLAPPEDWINDOW, 60, 60, 300, 120, NULL, NULL, class.hInstance, NULL);
    if (!window) {
        tell("no window", GetLastError());
        exit(89);
    }
    return window;
}

void pump(void) {
    MSG message;
    while (PeekMessageW(&message, NULL, 0, 0, PM_REMOVE)) {
        TranslateMessage(&message);
        DispatchMessageW(&message);
    }
}

HANDLE run_thread(DWORD(WINAPI *work)(void *), void *argument) {
    return CreateThread(NULL, 0, work, argument, 0, NULL);
}

void join(HANDLE thread) {
    if (WaitForSingleObject(thread, 30000) != WAIT_OBJECT_0)
        exit(94);
    CloseHandle(thread);
}

long handle_count(void) {
    DWORD count = 0;
    GetProcessHandleCount(GetCurrentProcess(), &count);
    return (long)count;
}

long thread_count(void) {
    long count = 0;
    HANDLE snapshot = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
    THREADENTRY32 entry = {.dwSize = sizeof entry};
    for (BOOL more = Thread32First(snapshot, &entry); more; more = Thread32Next(snapshot, &entry))
        count += entry.th32OwnerProcessID == GetCurrentProcessId();
    CloseHandle(snapshot);
    return count;
}

long child_count(void) {
    long count = 0;
    HANDLE snapshot = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
    PROCESSENTRY32W entry = {.dwSize = sizeof entry};
    for (BOOL more = Process32FirstW(snapshot, &entry); more; more = Process32NextW(snapshot, &entry))
        count += entry.th32ParentProcessID == GetCurrentProcessId();
    CloseHandle(snapshot);
    return count;
}

/* What the recorder may leave behind: nothing. A thread that has done its work takes a moment to be gone. */
static void tell_what_is_left(long handles, long threads) {
    ULONGLONG end = GetTickCount64() + 5000;
    while ((thread_count() > threads || handle_count() > handles) && GetTickCount64() < end)
        Sleep(10);
    tell("adds up", all_add_up);
    tell("handles left", handle_count() - handles);
    tell("threads left", thread_count() - threads);
    if (memory_before) {
        tell("kilobytes grown", most_memory > memory_before ? (long long)(most_memory - memory_before) / 1024 : 0);
        tell("rings", most_threads + 1);
    }
}

static DWORD WINAPI have_a_window(void *unused) {
    (void)unused;
    DestroyWindow(make_window(DefWindowProcW));
    return 0;
}

/* A copy named decoy.exe is the program that a log of ill will names: that it ran at all is told by a file beside it. */
static void leave_trace(void) {
    wchar_t path[MAX_PATH + 4];
    GetModuleFileNameW(NULL, path, MAX_PATH);
    if (wcsstr(path, L"decoy.exe"))
        CloseHandle(CreateFileW(wcscat(path, L".ran"), GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL));
}

int main(void) {
    leave_trace();
    int count;
    wchar_t **arguments = CommandLineToArgvW(GetCommandLineW(), &count);
    if (count < 3)
        return 95;
    const wchar_t *mode = arguments[1], *more = count > 3 ? arguments[3] : L"", *last = count > 4 ? arguments[4] : L"";
    wcscpy(folder, arguments[2]);
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
    dashcam = load(L"dashcam.dll");
    /* What the system takes for the first window and the first thread is not the recorder's. */
    have_a_window(NULL);
    join(run_thread(have_a_window, NULL));
    long handles = handle_count(), threads = thread_count();
    if (!wcscmp(mode, L"kill"))
        run_kill(more, last);
    else if (!wcscmp(mode, L"cycles"))
        run_cycles(more);
    else if (!wcscmp(mode, L"in-flight"))
        run_in_flight();
    else if (!wcscmp(mode, L"twins"))
        run_twins();
    else if (!wcscmp(mode, L"foreign-start"))
        run_foreign_start();
    else if (!wcscmp(mode, L"chain"))
        run_chain();
    else if (!wcscmp(mode, L"abuse"))
        run_abuse();
    else if (!wcscmp(mode, L"last-error"))
        run_last_error();
    else if (!wcscmp(mode, L"flood"))
        run_flood(more, last);
    else if (!wcscmp(mode, L"texts"))
        run_texts();
    else if (!wcscmp(mode, L"wild"))
        run_wild();
    else if (!wcscmp(mode, L"no-memory"))
        run_no_memory();
    else if (!wcscmp(mode, L"work"))
        run_work(more, last);
    else if (!wcscmp(mode, L"locker"))
        run_locker(more);
    else if (!wcscmp(mode, L"threads"))
        run_threads(more, last);
    else if (!wcscmp(mode, L"tokens"))
        run_tokens(more, last);
    else if (!wcscmp(mode, L"crowd"))
        run_crowd();
    else if (!wcscmp(mode, L"callers"))
        run_callers(more);
    else if (!wcscmp(mode, L"places"))
        run_places();
    else if (!wcscmp(mode, L"stacks"))
        run_stacks();
    else if (!wcscmp(mode, L"habits"))
        run_habits();
    else if (!wcscmp(mode, L"frozen"))
        run_frozen();
    else if (!wcscmp(mode, L"secrets"))
        run_secrets(more, last);
    else if (!wcscmp(mode, L"rights"))
        run_rights();
    else
        return 96;
    tell_what_is_left(handles, threads);
    return 0;
}
