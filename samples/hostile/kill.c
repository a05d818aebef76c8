/* A host on four threads that numbers its messages and dies at a random moment. Each number is noted in a mapped file by the window
 * procedure, and so after the recorder's callback for it has returned: whatever the file says must be in the log. */
#include "hostile.h"

#define THREADS 4

static struct side {
    volatile LONG64 returned[THREADS];
} *side;

static volatile LONG go;
static volatile int endless = 1;
static volatile int *volatile nowhere = (int *)(UINT_PTR)16;

static LRESULT CALLBACK procedure(HWND window, UINT message, WPARAM wparam, LPARAM lparam) {
    if (message == WM_NUMBER)
        side->returned[wparam] = lparam;
    if (message == WM_SETTEXT) {
        int thread, number;
        if (swscanf((const wchar_t *)lparam, L"number %d %d", &thread, &number) == 2)
            side->returned[thread] = number;
    }
    return DefWindowProcW(window, message, wparam, lparam);
}

static DWORD WINAPI work(void *argument) {
    int thread = (int)(INT_PTR)argument;
    HWND window = make_window(procedure);
    wchar_t text[32];
    while (!go) {
        pump();
        Sleep(1);
    }
    meet_hooks();
    for (int number = 1; endless; number++) {
        switch (number % 3) {
        case 0:
            SendMessageW(window, WM_NUMBER, (WPARAM)thread, number);
            break;
        case 1:
            PostMessageW(window, WM_NUMBER, (WPARAM)thread, number);
            break;
        default:
            swprintf(text, 32, L"number %d %d", thread, number);
            SetWindowTextW(window, text);
        }
        pump();
        /* Four threads of some 300 messages of 120 bytes a second: half of the budget. */
        Sleep(3);
    }
    return 0;
}

__attribute__((noinline)) static int overflow(int level) {
    volatile char room[512];
    room[0] = (char)level;
    return endless ? overflow(level + 1) + room[0] : 0;
}

/* Writes beyond blocks of the heap and goes on using it. */
static void corrupt_heap(void) {
    HANDLE heap = GetProcessHeap();
    for (int i = 0; i < 200; i++) {
        char *block = HeapAlloc(heap, 0, 100), *next = HeapAlloc(heap, 0, 100);
        memset(block - 16, 0x41, 160);
        HeapFree(heap, 0, next);
        HeapFree(heap, 0, block);
        HeapAlloc(heap, 0, 5000);
    }
    /* A heap that does not look: this is what one that does raises. */
    RaiseException(0xC0000374, EXCEPTION_NONCONTINUABLE, 0, NULL);
}

static DWORD WINAPI leave(void *unused) {
    (void)unused;
    ExitProcess(72);
}

/* Ends in the midst of a hook of its own, which sees the message after the recorder has. */
static LRESULT CALLBACK leave_inside(int code, WPARAM wparam, LPARAM lparam) {
    if (code == HC_ACTION && ((CWPSTRUCT *)lparam)->message == WM_USER)
        ExitProcess(75);
    return CallNextHookEx(NULL, code, wparam, lparam);
}

/* A heap in ruins may hang whoever uses it next, and under Wine an overflow ends its thread alone. */
static HANDLE dying;

static DWORD WINAPI watchdog(void *main_thread) {
    WaitForSingleObject(dying, INFINITE);
    WaitForSingleObject(main_thread, 4000);
    TerminateProcess(GetCurrentProcess(), 73);
    return 0;
}

void run_kill(const wchar_t *kind, const wchar_t *delay) {
    wchar_t path[MAX_PATH];
    swprintf(path, MAX_PATH, L"%ls\\numbers", folder);
    HANDLE file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL);
    HANDLE mapping = CreateFileMappingW(file, NULL, PAGE_READWRITE, 0, sizeof *side, NULL);
    side = MapViewOfFile(mapping, FILE_MAP_WRITE, 0, 0, sizeof *side);
    start();
    for (int i = 0; i < THREADS; i++)
        run_thread(work, (void *)(INT_PTR)i);
    wait_for_threads(THREADS + 1);
    dying = CreateEventW(NULL, TRUE, FALSE, NULL);
    /* There before anything is in ruins. */
    run_thread(watchdog, OpenThread(SYNCHRONIZE, FALSE, GetCurrentThreadId()));
    go = 1;
    Sleep((DWORD)_wtoi(delay));
    if (!wcscmp(kind, L"terminate"))
        TerminateProcess(GetCurrentProcess(), 71);
    else if (!wcscmp(kind, L"access"))
        *nowhere = 1;
    else if (!wcscmp(kind, L"fastfail"))
        __asm__ volatile("int $0x29" : : "c"(7));
    else if (!wcscmp(kind, L"overflow")) {
        SetEvent(dying);
        overflow(0);
    } else if (!wcscmp(kind, L"heap")) {
        SetEvent(dying);
        corrupt_heap();
    } else if (!wcscmp(kind, L"exit"))
        join(run_thread(leave, NULL));
    else if (!wcscmp(kind, L"hook")) {
        SetWindowsHookExW(WH_CALLWNDPROC, leave_inside, NULL, GetCurrentThreadId());
        SendMessageW(make_window(procedure), WM_USER, 0, 0);
    }
    ExitProcess(74);
}
