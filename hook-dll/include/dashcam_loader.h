/* dashcam_loader.h: load dashcam.dll when the program runs, if it is there. Include it in one file or in several; there is nothing to link.
 *
 *     #include "dashcam_loader.h"
 *
 *     dashcam_api dashcam;
 *     dashcam_load(&dashcam, NULL);            dashcam.dll beside the program, or wherever the system looks
 *     dashcam.start(NULL);                     record, with all defaults
 *     ...                                      the program
 *     dashcam.stop();
 *
 * Where the DLL is missing, too old or of the other bitness, dashcam_load answers 0 and every function of the structure answers
 * DASHCAM_NOT_STARTED: the calls above stay as they are, and the program goes on unrecorded. C99 and C++98 or later. */
#ifndef DASHCAM_LOADER_H
#define DASHCAM_LOADER_H

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#include "dashcam.h"

/* The functions of dashcam.h, without their prefix. */
typedef struct dashcam_api {
    dashcam_status(__cdecl *start)(const dashcam_config *config);
    dashcam_status(__cdecl *stop)(void);
    dashcam_status(__cdecl *pause)(void);
    dashcam_status(__cdecl *resume)(void);
    dashcam_status(__cdecl *export_log)(const wchar_t *path); /* `export` is a word of C++ */
    dashcam_status(__cdecl *mark)(const wchar_t *text);
    dashcam_status(__cdecl *note_crash)(const void *exception_pointers);
    dashcam_status(__cdecl *log_path)(wchar_t *buffer, uint32_t size);
    dashcam_status(__cdecl *set_sink)(dashcam_sink callback, void *user);
    dashcam_status(__cdecl *mask_window)(void *window);
    dashcam_status(__cdecl *get_stats)(dashcam_stats *stats);
    const wchar_t *(__cdecl *status_text)(dashcam_status status);
} dashcam_api;

/* What stands in for a function that is not there. */
static dashcam_status __cdecl dashcam_no_start(const dashcam_config *config) { (void)config; return DASHCAM_NOT_STARTED; }
static dashcam_status __cdecl dashcam_no_call(void) { return DASHCAM_NOT_STARTED; }
static dashcam_status __cdecl dashcam_no_text(const wchar_t *text) { (void)text; return DASHCAM_NOT_STARTED; }
static dashcam_status __cdecl dashcam_no_crash(const void *crash) { (void)crash; return DASHCAM_NOT_STARTED; }
static dashcam_status __cdecl dashcam_no_path(wchar_t *buffer, uint32_t size) { if (buffer && size) *buffer = 0; return DASHCAM_NOT_STARTED; }
static dashcam_status __cdecl dashcam_no_sink(dashcam_sink sink, void *user) { (void)sink; (void)user; return DASHCAM_NOT_STARTED; }
static dashcam_status __cdecl dashcam_no_window(void *window) { (void)window; return DASHCAM_NOT_STARTED; }
static dashcam_status __cdecl dashcam_no_stats(dashcam_stats *stats) { (void)stats; return DASHCAM_NOT_STARTED; }
static const wchar_t *__cdecl dashcam_no_status_text(dashcam_status status) { (void)status; return L"dashcam.dll is not loaded."; }

/* Loads the DLL of this path; NULL means dashcam.dll as the system finds it. Answers 1 if it can be used. */
static int dashcam_load(dashcam_api *api, const wchar_t *path) {
    /* A function pointer goes through a union: C knows no other way from FARPROC that no compiler warns of. */
    union { FARPROC found; uint32_t(__cdecl *call)(void); } version;
    union { FARPROC found; dashcam_status(__cdecl *call)(const dashcam_config *); } start;
    union { FARPROC found; dashcam_status(__cdecl *call)(void); } stop, pause, resume;
    union { FARPROC found; dashcam_status(__cdecl *call)(const wchar_t *); } export_log, mark;
    union { FARPROC found; dashcam_status(__cdecl *call)(const void *); } note_crash;
    union { FARPROC found; dashcam_status(__cdecl *call)(wchar_t *, uint32_t); } log_path;
    union { FARPROC found; dashcam_status(__cdecl *call)(dashcam_sink, void *); } set_sink;
    union { FARPROC found; dashcam_status(__cdecl *call)(void *); } mask_window;
    union { FARPROC found; dashcam_status(__cdecl *call)(dashcam_stats *); } get_stats;
    union { FARPROC found; const wchar_t *(__cdecl *call)(dashcam_status); } status_text;
    HMODULE module = LoadLibraryW(path ? path : L"dashcam.dll");

    api->start = dashcam_no_start;
    api->stop = api->pause = api->resume = dashcam_no_call;
    api->export_log = api->mark = dashcam_no_text;
    api->note_crash = dashcam_no_crash;
    api->log_path = dashcam_no_path;
    api->set_sink = dashcam_no_sink;
    api->mask_window = dashcam_no_window;
    api->get_stats = dashcam_no_stats;
    api->status_text = dashcam_no_status_text;
    if (!module)
        return 0;
    version.found = GetProcAddress(module, "dashcam_abi_version");
    start.found = GetProcAddress(module, "dashcam_start");
    stop.found = GetProcAddress(module, "dashcam_stop");
    pause.found = GetProcAddress(module, "dashcam_pause");
    resume.found = GetProcAddress(module, "dashcam_resume");
    export_log.found = GetProcAddress(module, "dashcam_export");
    mark.found = GetProcAddress(module, "dashcam_mark");
    note_crash.found = GetProcAddress(module, "dashcam_note_crash");
    log_path.found = GetProcAddress(module, "dashcam_log_path");
    set_sink.found = GetProcAddress(module, "dashcam_set_sink");
    mask_window.found = GetProcAddress(module, "dashcam_mask_window");
    get_stats.found = GetProcAddress(module, "dashcam_get_stats");
    status_text.found = GetProcAddress(module, "dashcam_status_text");
    if (!version.found || version.call() != DASHCAM_ABI_VERSION || !start.found || !stop.found || !pause.found || !resume.found ||
        !export_log.found || !mark.found || !note_crash.found || !log_path.found || !set_sink.found || !mask_window.found ||
        !get_stats.found || !status_text.found) {
        FreeLibrary(module);
        return 0;
    }
    api->start = start.call;
    api->stop = stop.call;
    api->pause = pause.call;
    api->resume = resume.call;
    api->export_log = export_log.call;
    api->mark = mark.call;
    api->note_crash = note_crash.call;
    api->log_path = log_path.call;
    api->set_sink = set_sink.call;
    api->mask_window = mask_window.call;
    api->get_stats = get_stats.call;
    api->status_text = status_text.call;
    return 1;
}

#endif
