/* Hosts that use the interface in every wrong moment, and hosts that do to messages what programs do. */
#include "hostile.h"

static LRESULT CALLBACK plain(HWND window, UINT message, WPARAM wparam, LPARAM lparam) {
    return DefWindowProcW(window, message, wparam, lparam);
}

/* MORE: how often. */
void run_cycles(const wchar_t *count) {
    HWND window = make_window(plain);
    pump();
    int cycles = _wtoi(count), failed = 0;
    for (int i = 0; i < cycles; i++) {
        dashcam_config wanted = config();
        failed += dashcam.start(&wanted) != DASHCAM_OK;
        meet_hooks();
        SetWindowTextW(window, L"cycle");
        pump();
        failed += (i % 10 ? dashcam.stop() : stop()) != DASHCAM_OK;
    }
    tell("failed", failed);
}

/* ---- messages in flight ---------------------------------------------------------------------------------------- */

static volatile LONG stopping;
static volatile LONG64 handled;

static LRESULT CALLBACK counting(HWND window, UINT message, WPARAM wparam, LPARAM lparam) {
    if (message == WM_SETTEXT || message == WM_NUMBER)
        InterlockedIncrement64(&handled);
    return DefWindowProcW(window, message, wparam, lparam);
}

static DWORD WINAPI send_for_ever(void *unused) {
    (void)unused;
    HWND window = make_window(counting);
    for (int i = 0; !stopping; i++) {
        SetWindowTextW(window, L"in flight");
        PostMessageW(window, WM_NUMBER, 0, i);
        pump();
        if (i % 4 == 0)
            Sleep(1);
    }
    DestroyWindow(window);
    return 0;
}

static void wait_for_more(void) {
    LONG64 goal = handled + 400;
    ULONGLONG end = GetTickCount64() + 20000;
    while (handled < goal && GetTickCount64() < end)
        Sleep(1);
    if (handled < goal)
        exit(97);
}

void run_in_flight(void) {
    HANDLE threads[8];
    for (int i = 0; i < 8; i++)
        threads[i] = run_thread(send_for_ever, NULL);
    for (int i = 0; i < 5; i++) {
        dashcam = load(L"dashcam.dll");
        start();
        wait_for_threads(8);
        wait_for_more();
        FreeLibrary(dashcam.module);
        wait_for_more();
        dashcam.stop();
        FreeLibrary(dashcam.module);
        FreeLibrary(dashcam.module);
        wait_for_more();
    }
    stopping = 1;
    for (int i = 0; i < 8; i++)
        join(threads[i]);
    tell("messages handled", handled > 0);
    tell("still loaded", GetModuleHandleW(L"dashcam.dll") != NULL);
}

/* Two copies of the DLL: one recorder in a process. */
void run_twins(void) {
    recorder other = load(L"other.dll");
    dashcam_config wanted = config();
    tell("two modules", other.module != dashcam.module);
    tell("first", dashcam.start(&wanted));
    tell("second", other.start(&wanted));
    tell("stop second", other.stop());
    tell("stop first", dashcam.stop());
    tell("second alone", other.start(&wanted));
    tell("first beside it", dashcam.start(&wanted));
    meet_hooks();
    HWND window = make_window(plain);
    SetWindowTextW(window, L"recorded by the second");
    pump();
    tell("stop second at last", other.stop());
}

/* ---- starts and stops on other threads -------------------------------------------------------------------------- */

static DWORD WINAPI start_here(void *unused) {
    (void)unused;
    dashcam_config wanted = config();
    return (DWORD)dashcam.start(&wanted);
}

static DWORD WINAPI stop_here(void *unused) {
    (void)unused;
    return (DWORD)dashcam.stop();
}

static int on_a_thread(DWORD(WINAPI *work)(void *)) {
    HANDLE thread = run_thread(work, NULL);
    DWORD answer = 99;
    for (int i = 0; i < 1000 && WaitForSingleObject(thread, 10) != WAIT_OBJECT_0; i++)
        pump();
    GetExitCodeThread(thread, &answer);
    CloseHandle(thread);
    return (int)answer;
}

/* Started where there is no window, before there is any anywhere; stopped on a third thread. */
void run_foreign_start(void) {
    tell("start without windows", on_a_thread(start_here));
    meet_hooks();
    HWND window = make_window(plain);
    stats(); /* asked after the window's birth was told */
    meet_hooks();
    SetWindowTextW(window, L"seen though started elsewhere");
    pump();
    tell("stop on a third thread", on_a_thread(stop_here));
    tell("start beside a window", on_a_thread(start_here));
    meet_hooks();
    SetWindowTextW(window, L"seen again");
    pump();
    tell("stop here", stop());
}

/* ---- a host that hooks too ---------------------------------------------------------------------------------------- */

static long seen[4];
static HWND hooked;

static LRESULT see(int which, int code, WPARAM wparam, LPARAM lparam) {
    if (code == HC_ACTION && ((CWPSTRUCT *)lparam)->message == WM_NUMBER) {
        seen[which]++;
        /* From within the hook another message, once. */
        if (which == 1 && ((CWPSTRUCT *)lparam)->lParam > 0)
            SendMessageW(hooked, WM_NUMBER, 0, -1);
    }
    return CallNextHookEx(NULL, code, wparam, lparam);
}

static LRESULT CALLBACK first(int code, WPARAM wparam, LPARAM lparam) {
    return see(0, code, wparam, lparam);
}

static LRESULT CALLBACK second(int code, WPARAM wparam, LPARAM lparam) {
    return see(1, code, wparam, lparam);
}

static LRESULT CALLBACK taken(int code, WPARAM wparam, LPARAM lparam) {
    if (code == HC_ACTION && wparam == PM_REMOVE && ((MSG *)lparam)->message == WM_NUMBER)
        seen[2]++;
    return CallNextHookEx(NULL, code, wparam, lparam);
}

static LRESULT CALLBACK arrived(HWND window, UINT message, WPARAM wparam, LPARAM lparam) {
    if (message == WM_NUMBER)
        seen[3]++;
    return DefWindowProcW(window, message, wparam, lparam);
}

/* Hooks of the host set before and after the start and removed before and after the stop: all see every message. */
void run_chain(void) {
    hooked = make_window(arrived);
    int wrong = 0;
    for (int order = 0; order < 8; order++) {
        memset(seen, 0, sizeof seen);
        HHOOK hooks[3] = {0};
        DWORD thread = GetCurrentThreadId();
        if (order & 1)
            start();
        hooks[0] = SetWindowsHookExW(WH_CALLWNDPROC, first, NULL, thread);
        hooks[2] = SetWindowsHookExW(WH_GETMESSAGE, taken, NULL, thread);
        if (!(order & 1))
            start();
        hooks[1] = SetWindowsHookExW(WH_CALLWNDPROC, second, NULL, thread);
        meet_hooks();
        for (int i = 1; i <= 50; i++)
            SendMessageW(hooked, WM_NUMBER, 0, i);
        for (int i = 1; i <= 50; i++)
            PostMessageW(hooked, WM_NUMBER, 0, i);
        pump();
        /* Sent ones twice, since the second hook sends one more for each. */
        wrong += seen[0] != 100 || seen[1] != 100 || seen[2] != 50 || seen[3] != 150;
        if (order & 2)
            stop();
        int removed = order & 4 ? 0 : 1;
        UnhookWindowsHookEx(hooks[removed]);
        UnhookWindowsHookEx(hooks[2]);
        if (!(order & 2))
            stop();
        memset(seen, 0, sizeof seen);
        SendMessageW(hooked, WM_NUMBER, 0, 0);
        wrong += seen[1 - removed] != 1 || seen[3] != 1;
        UnhookWindowsHookEx(hooks[1 - removed]);
        memset(seen, 0, sizeof seen);
        SendMessageW(hooked, WM_NUMBER, 0, 1);
        wrong += seen[0] || seen[1] || seen[3] != 1;
    }
    tell("orders", 8);
    tell("wrong", wrong);
}

/* ---- what programs do to messages --------------------------------------------------------------------------------- */

static int deepest, died;
static WNDPROC below;

static LRESULT CALLBACK abused(HWND window, UINT message, WPARAM wparam, LPARAM lparam) {
    if (message == WM_NUMBER && lparam > 0) {
        deepest++;
        return SendMessageW(window, WM_NUMBER, wparam, lparam - 1);
    }
    if (message == WM_COMMAND || message == WM_SETTEXT || message == WM_LBUTTONDOWN || message == WM_KEYDOWN) {
        died++;
        DestroyWindow(window);
        return 0;
    }
    return DefWindowProcW(window, message, wparam, lparam);
}

static LRESULT CALLBACK subclass(HWND window, UINT message, WPARAM wparam, LPARAM lparam) {
    /* Takes itself off in the midst of a message, and puts itself on again. */
    if (message == WM_NUMBER) {
        SetWindowLongPtrW(window, GWLP_WNDPROC, (LONG_PTR)below);
        LRESULT answer = SendMessageW(window, message, wparam, 0);
        SetWindowLongPtrW(window, GWLP_WNDPROC, (LONG_PTR)subclass);
        return answer;
    }
    return CallWindowProcW(below, window, message, wparam, lparam);
}

static LRESULT CALLBACK leaving(HWND window, UINT message, WPARAM wparam, LPARAM lparam) {
    if (message == WM_NUMBER)
        ExitThread(5); /* inside its window procedure, with its window */
    return DefWindowProcW(window, message, wparam, lparam);
}

static volatile LONG ready;

static DWORD WINAPI die_inside(void *unused) {
    (void)unused;
    HWND window = make_window(leaving);
    SetWindowTextW(window, L"about to leave");
    pump();
    InterlockedIncrement(&ready);
    while (!stopping)
        Sleep(1);
    SendMessageW(window, WM_NUMBER, 0, 0);
    return 0;
}

static DWORD WINAPI be_killed(void *unused) {
    (void)unused;
    HWND window = make_window(plain);
    SetWindowTextW(window, L"about to be killed");
    pump();
    InterlockedIncrement(&ready);
    /* Not amid a message: the system's own locks would die with it. */
    Sleep(INFINITE);
    return 0;
}

void run_abuse(void) {
    start();
    for (int i = 0; i < 50; i++) {
        HWND window = make_window(abused);
        deepest = 0;
        SendMessageW(window, WM_NUMBER, 0, 25);
        if (deepest < 25)
            exit(98);
        switch (i % 4) {
        case 0:
            SendMessageW(window, WM_COMMAND, 1, 0);
            break;
        case 1:
            SetWindowTextW(window, L"the last one");
            break;
        case 2:
            PostMessageW(window, WM_LBUTTONDOWN, MK_LBUTTON, 0);
            break;
        default:
            PostMessageW(window, WM_KEYDOWN, 'A', 1);
        }
        pump();
        if (IsWindow(window))
            exit(99);
    }
    tell("nested", deepest);
    tell("died in their own callback", died);
    HWND window = make_window(arrived);
    below = (WNDPROC)SetWindowLongPtrW(window, GWLP_WNDPROC, (LONG_PTR)subclass);
    for (int i = 0; i < 100; i++)
        SendMessageW(window, WM_NUMBER, 0, i);
    tell("through a subclass", seen[3]);
    HANDLE threads[6];
    for (int i = 0; i < 6; i++)
        threads[i] = run_thread(i % 2 ? die_inside : be_killed, NULL);
    while (ready < 6)
        Sleep(1);
    wait_for_threads(7);
    stopping = 1;
    for (int i = 0; i < 6; i++) {
        if (i % 2 == 0)
            TerminateThread(threads[i], 6);
        join(threads[i]);
    }
    SetWindowTextW(window, L"the others are gone");
    pump();
    tell("stop", stop());
}

/* ---- the last error ----------------------------------------------------------------------------------------------- */

#define ROUNDS 400
static DWORD inside;

static LRESULT CALLBACK looking(HWND window, UINT message, WPARAM wparam, LPARAM lparam) {
    inside = GetLastError();
    return message == WM_SETTEXT || message == WM_COMMAND ? 1 : DefWindowProcW(window, message, wparam, lparam);
}

static LRESULT CALLBACK nothing(int code, WPARAM wparam, LPARAM lparam) {
    return CallNextHookEx(NULL, code, wparam, lparam);
}

/* What GetLastError says inside and after each call. */
static void observe_errors(HWND window, HWND edit, DWORD *found) {
    for (DWORD i = 0; i < ROUNDS; i++) {
        MSG message;
        DWORD error = 0xABC0000 + i;
        inside = 0;
        SetLastError(error);
        switch (i % 8) {
        case 0:
            SetWindowTextW(window, L"a text");
            break;
        case 1:
            SendMessageW(window, WM_COMMAND, 7, 0);
            break;
        case 2:
            SendMessageW(edit, WM_CHAR, 'x', 1);
            break;
        case 3:
            SendMessageW(window, WM_NUMBER, 1, 2);
            break;
        case 4:
            PostMessageW(window, WM_KEYDOWN, 'A', 1);
            break;
        case 5:
            PeekMessageW(&message, NULL, 0, 0, PM_REMOVE);
            break;
        case 6:
            SetFocus(i % 16 < 8 ? edit : window);
            break;
        default:
            SendMessageW(window, WM_SETTEXT, 0, 16); /* a pointer to nowhere */
        }
        found[2 * i] = GetLastError() - i;
        found[2 * i + 1] = inside > 0xABC0000 ? inside - i : inside;
    }
}

/* With empty hooks of our own, and then with the recorder's in their place: the host sees the same. */
void run_last_error(void) {
    static DWORD without[2 * ROUNDS], with[2 * ROUNDS];
    HWND window = make_window(looking);
    HWND edit = CreateWindowW(L"EDIT", L"", WS_CHILD, 0, 0, 90, 20, window, (HMENU)1, NULL, NULL);
    HHOOK sent = SetWindowsHookExW(WH_CALLWNDPROC, nothing, NULL, GetCurrentThreadId());
    HHOOK posted = SetWindowsHookExW(WH_GETMESSAGE, nothing, NULL, GetCurrentThreadId());
    observe_errors(window, edit, without); /* the first time whatever is loaded late is loaded */
    observe_errors(window, edit, without);
    UnhookWindowsHookEx(sent);
    UnhookWindowsHookEx(posted);
    start();
    observe_errors(window, edit, with);
    observe_errors(window, edit, with);
    stop();
    int differences = 0;
    for (int i = 0; i < 2 * ROUNDS; i++)
        if (without[i] != with[i] && differences++ < 5)
            printf("call %d%s: %lx, with the recorder %lx\n", i / 2 % 8, i % 2 ? " inside" : "", without[i], with[i]);
    tell("calls", ROUNDS);
    tell("differences", differences);
}
