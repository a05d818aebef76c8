/* Hosts whose threads come and go, pass work around, or are many. */
#include "hostile.h"

static LRESULT CALLBACK leaving(HWND window, UINT message, WPARAM wparam, LPARAM lparam) {
    if (message == WM_NUMBER)
        ExitThread(5); /* inside its window procedure, with its window */
    return DefWindowProcW(window, message, wparam, lparam);
}

/* Its first window is told to the recorder before the question for the counters, so that the answer means: it is recorded. */
static HWND recorded_window(WNDPROC procedure) {
    HWND window = make_window(procedure);
    stats();
    meet_hooks();
    return window;
}

static int long_texts;

static DWORD WINAPI come_and_go(void *argument) {
    int number = (int)(INT_PTR)argument;
    wchar_t text[32], long_text[4000];
    HWND window = recorded_window(leaving);
    wmemset(long_text, L'x', 3999)[3999] = 0;
    for (int i = 0; i < long_texts; i++)
        SendMessageW(window, WM_SETTEXT, 0, (LPARAM)long_text);
    swprintf(text, 32, L"number %d", number);
    SetWindowTextW(window, text);
    switch (number % 3) {
    case 0:
        DestroyWindow(window);
        break;
    case 1:
        SendMessageW(window, WM_NUMBER, 0, 0);
        break;
    default:; /* the window is left to the system */
    }
    return 0;
}

#define AT_ONCE 4

/* MORE: how many threads, a few at a time, each with a window and one text, and as many long ones before it as said then. The system gives
 * their ids to others at once. */
void run_threads(const wchar_t *count, const wchar_t *texts) {
    long_texts = _wtoi(texts);
    dashcam_config wanted = config();
    wanted.bytes_per_second = 16 << 20;
    if (dashcam.start(&wanted))
        exit(92);
    measure_memory();
    meet_hooks();
    int threads = _wtoi(count);
    for (int first = 1; first <= threads; first += AT_ONCE) {
        HANDLE some[AT_ONCE] = {0};
        for (int i = 0; i < AT_ONCE && first + i <= threads; i++)
            some[i] = run_thread(come_and_go, (void *)(INT_PTR)(first + i));
        for (int i = 0; i < AT_ONCE && some[i]; i++)
            join(some[i]);
        tell("number", first + AT_ONCE - 1);
    }
    tell("stop", stop());
}

/* ---- a token that is passed around --------------------------------------------------------------------------------- */

#define RING 6
static HWND places[RING];
static volatile LONG ready, stopping;
static volatile LONG64 *passed;
static LONG64 goal;

static LRESULT CALLBACK passing(HWND window, UINT message, WPARAM wparam, LPARAM lparam) {
    if (message == WM_NUMBER) {
        *passed = lparam;
        HWND next = places[(wparam + 1) % RING];
        /* Posted and sent ones; of the sender the recorder sees neither. */
        if (lparam >= goal)
            stopping = 1;
        else if (lparam % 2)
            PostMessageW(next, WM_NUMBER, (wparam + 1) % RING, lparam + 1);
        else
            SendNotifyMessageW(next, WM_NUMBER, (wparam + 1) % RING, lparam + 1);
    }
    return DefWindowProcW(window, message, wparam, lparam);
}

static DWORD WINAPI pass_on(void *argument) {
    int place = (int)(INT_PTR)argument;
    places[place] = recorded_window(passing);
    InterlockedIncrement(&ready);
    while (!stopping) {
        MsgWaitForMultipleObjects(0, NULL, FALSE, 50, QS_ALLINPUT);
        pump();
    }
    DestroyWindow(places[place]);
    return 0;
}

static DWORD WINAPI make_noise(void *unused) {
    (void)unused;
    HWND window = recorded_window(DefWindowProcW);
    for (int i = 0; i < 40 && !stopping; i++) {
        SetWindowTextW(window, L"a noise beside it, so that the rings are filled unevenly");
        if (i % 8 == 0)
            Sleep(1);
    }
    return 0;
}

/* MORE: how often a token is passed from thread to thread, while others come and go; then how it ends: nothing or "kill", in which case
 * the file `passed` says how far it got. Each pass is caused by the one before, so the log must tell them in this order. */
void run_tokens(const wchar_t *count, const wchar_t *death) {
    wchar_t path[MAX_PATH];
    swprintf(path, MAX_PATH, L"%ls\\passed", folder);
    HANDLE file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL);
    HANDLE mapping = CreateFileMappingW(file, NULL, PAGE_READWRITE, 0, 8, NULL);
    passed = MapViewOfFile(mapping, FILE_MAP_WRITE, 0, 0, 8);
    goal = _wtoi(count);
    int is_killed = !wcscmp(death, L"kill");
    dashcam_config wanted = config();
    wanted.bytes_per_second = 16 << 20;
    if (dashcam.start(&wanted))
        exit(92);
    measure_memory();
    meet_hooks();
    HANDLE threads[RING];
    for (int i = 0; i < RING; i++)
        threads[i] = run_thread(pass_on, (void *)(INT_PTR)i);
    while (ready < RING)
        Sleep(1);
    PostMessageW(places[0], WM_NUMBER, 0, 1);
    while (!stopping) {
        HANDLE noise[2] = {run_thread(make_noise, NULL), run_thread(make_noise, NULL)};
        for (int i = 0; i < 2; i++)
            join(noise[i]);
        if (is_killed && *passed > goal / 2)
            TerminateProcess(GetCurrentProcess(), 71);
    }
    for (int i = 0; i < RING; i++)
        join(threads[i]);
    tell("passed", *passed);
    tell("stop", stop());
    UnmapViewOfFile((void *)passed);
    CloseHandle(mapping);
    CloseHandle(file);
}

/* ---- a crowd ------------------------------------------------------------------------------------------------------- */

#define CROWD 200
static volatile LONG go, silent;

static DWORD WINAPI stand_in_it(void *unused) {
    (void)unused;
    HWND window = make_window(DefWindowProcW);
    InterlockedIncrement(&ready);
    while (!go) {
        pump();
        Sleep(5);
    }
    meet_hooks();
    for (int i = 0; i < 100; i++) {
        SetWindowTextW(window, L"one of many");
        if (i % 10 == 0)
            Sleep(1);
    }
    InterlockedIncrement(&silent);
    while (!stopping)
        Sleep(5);
    return 0;
}

/* Two hundred threads with a window each, all talking at once; none of it may be lost. */
void run_crowd(void) {
    HANDLE threads[CROWD];
    /* One after the other: Wine ruins its own heap when hundreds of threads have their first window at the same moment. */
    for (int i = 0; i < CROWD; i++) {
        threads[i] = run_thread(stand_in_it, NULL);
        while (ready <= i)
            Sleep(1);
    }
    measure_memory();
    dashcam_config wanted = config();
    wanted.bytes_per_second = 16 << 20;
    if (dashcam.start(&wanted))
        exit(92);
    wait_for_threads(CROWD);
    go = 1;
    while (silent < CROWD) {
        watch_memory();
        Sleep(5);
    }
    tell("dropped", (long long)stats().dropped);
    tell("stop", stop());
    stopping = 1;
    for (int i = 0; i < CROWD; i++)
        join(threads[i]);
}
