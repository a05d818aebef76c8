/* What the hostile hosts share: the recorder's interface, a window, threads with windows, and words for the test. */
#ifndef HOSTILE_H
#define HOSTILE_H
#ifndef UNICODE
#define UNICODE
#endif
#include <windows.h>
#include <stdio.h>
#include <stdlib.h>
#include "dashcam.h"

/* A message that only we know; the recorder is asked to record it. */
#define WM_NUMBER (WM_APP + 1)

typedef struct recorder {
    HMODULE module;
    dashcam_status(__cdecl *start)(const dashcam_config *);
    dashcam_status(__cdecl *stop)(void);
    dashcam_status(__cdecl *pause)(void);
    dashcam_status(__cdecl *resume)(void);
    dashcam_status(__cdecl *mark)(const wchar_t *);
    dashcam_status(__cdecl *export)(const wchar_t *);
    dashcam_status(__cdecl *log_path)(wchar_t *, uint32_t);
    dashcam_status(__cdecl *mask_window)(void *);
    dashcam_status(__cdecl *get_stats)(dashcam_stats *);
    dashcam_status(__cdecl *set_sink)(dashcam_sink, void *);
} recorder;

extern recorder dashcam;
extern wchar_t folder[MAX_PATH];

/* Loads a DLL by name. */
recorder load(const wchar_t *name);
dashcam_config config(void);
void start(void);
/* Wine tells a thread of hooks that others set when it takes its next message, and not before. */
void meet_hooks(void);
dashcam_stats stats(void);
/* received = rejected + recorded + shed + dropped */
int adds_up(dashcam_stats stats);
/* Ends recording, after a look at the counters: whether they always added up is told at the end. */
dashcam_status stop(void);
/* The working set from now on is what the recorder adds to, and this looks at it. */
void measure_memory(void);
void watch_memory(void);
/* Waits until so many GUI threads are recorded, 25 seconds at the most. */
void wait_for_threads(uint32_t count);
/* Where the other threads are. */
void tell_stacks(void);

void tell(const char *name, long long value);
HWND make_window(WNDPROC procedure);
/* Handles what is in the queue. */
void pump(void);
HANDLE run_thread(DWORD(WINAPI *work)(void *), void *argument);
void join(HANDLE thread);
long handle_count(void);
long thread_count(void);
/* Processes that this one has started. */
long child_count(void);

/* kill.c */
void run_kill(const wchar_t *kind, const wchar_t *delay);
/* guest.c */
void run_cycles(const wchar_t *count);
void run_in_flight(void);
void run_twins(void);
void run_foreign_start(void);
void run_chain(void);
void run_abuse(void);
void run_last_error(void);
/* floods.c */
void run_flood(const wchar_t *seconds, const wchar_t *rate);
void run_texts(void);
void run_wild(void);
void run_no_memory(void);
void run_work(const wchar_t *bytes, const wchar_t *waits);
void run_locker(const wchar_t *name);
/* threads.c */
void run_threads(const wchar_t *count, const wchar_t *texts);
void run_tokens(const wchar_t *count, const wchar_t *death);
void run_crowd(void);
/* habits.c */
void run_callers(const wchar_t *seconds);
void run_places(void);
void run_stacks(void);
void run_habits(void);
void run_frozen(void);
/* secrets.c */
void run_secrets(const wchar_t *file, const wchar_t *how);
void run_rights(void);
#endif
