/* Windows of other threads: one with a life of its own, one that comes late. */
#include "gallery.h"

#define LATE 1500 /* milliseconds */
#define MOST_THREADS 16

static HANDLE threads[MOST_THREADS];
static DWORD thread_ids[MOST_THREADS];
static int thread_count;
static HANDLE ending; /* set when the program ends */

static INT_PTR CALLBACK second_proc(HWND dialog, UINT message, WPARAM wparam, LPARAM lparam)
{
    WCHAR text[100];
    note_message(dialog, message, wparam, lparam);
    switch (message) {
    case WM_INITDIALOG:
        ListBox_AddString(GetDlgItem(dialog, IDC_SECOND_LIST), L"From the start");
        note(L"SECOND opened");
        return TRUE;
    case WM_COMMAND:
        switch (LOWORD(wparam)) {
        case IDC_SECOND_ADD:
            GetDlgItemTextW(dialog, IDC_SECOND_TEXT, text, COUNT(text));
            ListBox_AddString(GetDlgItem(dialog, IDC_SECOND_LIST), text);
            break;
        case IDM_SECOND_CLOSE:
        case IDCANCEL:
            DestroyWindow(dialog);
            break;
        }
        return TRUE;
    case WM_DESTROY:
        note(L"SECOND closed");
        PostQuitMessage(0);
        return TRUE;
    }
    return FALSE;
}

static INT_PTR CALLBACK late_proc(HWND dialog, UINT message, WPARAM wparam, LPARAM lparam)
{
    note_message(dialog, message, wparam, lparam);
    switch (message) {
    case WM_INITDIALOG:
        note(L"LATE opened");
        return TRUE;
    case WM_COMMAND:
        if (LOWORD(wparam) == IDOK || LOWORD(wparam) == IDCANCEL) {
            DestroyWindow(dialog);
        }
        return TRUE;
    case WM_DESTROY:
        note(L"LATE closed");
        PostQuitMessage(0);
        return TRUE;
    }
    return FALSE;
}

/* No owner: a window owned across threads would tie their input queues together. */
static void run_dialog(int template_id, DLGPROC proc)
{
    MSG message;
    HWND dialog = CreateDialogParamW(instance, MAKEINTRESOURCEW(template_id), NULL, proc, 0);
    ShowWindow(dialog, SW_SHOW);
    while (dialog != NULL && GetMessageW(&message, NULL, 0, 0) > 0) {
        if (!IsDialogMessageW(dialog, &message)) {
            TranslateMessage(&message);
            DispatchMessageW(&message);
        }
    }
    /* The program's end arrives as WM_QUIT while the window is still there. */
    if (IsWindow(dialog)) {
        DestroyWindow(dialog);
    }
}

static DWORD WINAPI run_second(void *parameter)
{
    (void)parameter;
    run_dialog(IDD_SECOND, second_proc);
    return 0;
}

static DWORD WINAPI run_late(void *parameter)
{
    (void)parameter;
    if (WaitForSingleObject(ending, LATE) == WAIT_TIMEOUT) {
        run_dialog(IDD_LATE, late_proc);
    }
    return 0;
}

/* Closes the handles of threads that have ended, so that the table never fills up. */
static void forget_ended(void)
{
    int i = 0;
    while (i < thread_count) {
        if (WaitForSingleObject(threads[i], 0) == WAIT_OBJECT_0) {
            CloseHandle(threads[i]);
            thread_count--;
            threads[i] = threads[thread_count];
            thread_ids[i] = thread_ids[thread_count];
        } else {
            i++;
        }
    }
}

static void start(LPTHREAD_START_ROUTINE routine)
{
    if (ending == NULL) {
        ending = CreateEventW(NULL, TRUE, FALSE, NULL);
    }
    forget_ended();
    if (thread_count < MOST_THREADS) {
        threads[thread_count] = CreateThread(NULL, 0, routine, NULL, 0, &thread_ids[thread_count]);
        thread_count += threads[thread_count] != NULL;
    }
}

void open_second_thread(void)
{
    start(run_second);
}

void open_late_window(void)
{
    start(run_late);
}

void end_threads(void)
{
    if (ending != NULL) {
        SetEvent(ending);
    }
    while (forget_ended(), thread_count > 0) {
        /* Again and again: a thread that just begins has no queue yet. */
        PostThreadMessageW(thread_ids[0], WM_QUIT, 0, 0);
        WaitForSingleObject(threads[0], 50);
    }
}
