/* Where every other thread of this process is, told when one of them does not come to where it should be: whose fault it is, is seen there. */
#include "hostile.h"
#include <tlhelp32.h>

#define WORDS 4000
#define TOLD 40

/* The thread's stack, copied while it stands still: nobody is asked for anything meanwhile, for it may hold any lock. */
static SIZE_T copy_stack(HANDLE thread, ULONG_PTR *words) {
    CONTEXT context = {.ContextFlags = CONTEXT_FULL};
    SIZE_T read = 0;
    if (SuspendThread(thread) == (DWORD)-1)
        return 0;
    if (GetThreadContext(thread, &context)) {
#ifdef _WIN64
        words[0] = context.Rip;
        ULONG_PTR top = context.Rsp;
#else
        words[0] = context.Eip;
        ULONG_PTR top = context.Esp;
#endif
        MEMORY_BASIC_INFORMATION memory;
        VirtualQuery((void *)top, &memory, sizeof memory);
        SIZE_T left = (ULONG_PTR)memory.BaseAddress + memory.RegionSize - top;
        SIZE_T size = (WORDS - 1) * sizeof *words;
        ReadProcessMemory(GetCurrentProcess(), (void *)top, words + 1, left < size ? left : size, &read);
        read += sizeof *words;
    }
    ResumeThread(thread);
    return read / sizeof *words;
}

static void tell_address(ULONG_PTR address) {
    HMODULE module;
    wchar_t path[MAX_PATH];
    DWORD how = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    if (!GetModuleHandleExW(how, (const wchar_t *)address, &module) || !GetModuleFileNameW(module, path, MAX_PATH))
        return;
    const wchar_t *name = wcsrchr(path, L'\\');
    printf(" %ls+%llx", name ? name + 1 : path, (unsigned long long)(address - (ULONG_PTR)module));
}

static int is_code(ULONG_PTR address) {
    MEMORY_BASIC_INFORMATION memory;
    return VirtualQuery((void *)address, &memory, sizeof memory) && memory.Type == MEM_IMAGE &&
           (memory.Protect & (PAGE_EXECUTE | PAGE_EXECUTE_READ | PAGE_EXECUTE_READWRITE | PAGE_EXECUTE_WRITECOPY));
}

#ifdef _WIN64
/* What a thread has met that is in the midst of an exception: the dispatcher has it on its stack, the context first. */
static void tell_exceptions(const ULONG_PTR *words, SIZE_T count) {
    enum { RECORD = 0x4F0, LONG_ENOUGH = 0x80 };
    ULONG_PTR dispatcher = (ULONG_PTR)GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "KiUserExceptionDispatcher");
    SIZE_T room = (RECORD + sizeof(EXCEPTION_RECORD)) / sizeof *words;
    for (SIZE_T i = 1; dispatcher && i + 1 + room < count; i++)
        if (words[i] >= dispatcher && words[i] < dispatcher + LONG_ENOUGH) {
            const char *context = (const char *)(words + i + 1);
            const EXCEPTION_RECORD *record = (const EXCEPTION_RECORD *)(context + RECORD);
            printf("\n  exception %lx", record->ExceptionCode);
            if (record->NumberParameters > 1)
                printf(" of %llx", (unsigned long long)record->ExceptionInformation[1]);
            printf(" at");
            tell_address((ULONG_PTR)record->ExceptionAddress);
            tell_address(((const CONTEXT *)context)->Rip);
        }
}
#else
static void tell_exceptions(const ULONG_PTR *words, SIZE_T count) {
    (void)words, (void)count;
}
#endif

void tell_stacks(void) {
    static ULONG_PTR words[WORDS];
    HANDLE snapshot = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
    THREADENTRY32 entry = {.dwSize = sizeof entry};
    for (BOOL more = Thread32First(snapshot, &entry); more; more = Thread32Next(snapshot, &entry)) {
        if (entry.th32OwnerProcessID != GetCurrentProcessId() || entry.th32ThreadID == GetCurrentThreadId())
            continue;
        HANDLE thread = OpenThread(THREAD_SUSPEND_RESUME | THREAD_GET_CONTEXT, FALSE, entry.th32ThreadID);
        SIZE_T count = copy_stack(thread, words);
        printf("thread %lu:", entry.th32ThreadID);
        for (SIZE_T i = 0, told = 0; i < count && told < TOLD; i++)
            if (is_code(words[i])) {
                tell_address(words[i]);
                told++;
            }
        tell_exceptions(words, count);
        printf("\n");
        fflush(stdout);
        CloseHandle(thread);
    }
    CloseHandle(snapshot);
}
