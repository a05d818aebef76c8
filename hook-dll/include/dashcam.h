/* dashcam.h: the recorder's C interface.
 *
 * Load dashcam.dll, call dashcam_start when your program starts and dashcam_stop when it ends. Every
 * function returns a status; DASHCAM_OK is 0. Strings are UTF-16 and end in a zero. Every structure begins
 * with its own size, so that programs and DLLs of different versions work together.
 *
 * You can call every function from any thread. From DllMain, call dashcam_stop only. From a crash
 * handler (an exception filter, a vectored handler), call only the functions whose description allows it. */
#ifndef DASHCAM_H
#define DASHCAM_H

#include <stdint.h>
#include <wchar.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DASHCAM_ABI_VERSION 1

typedef enum dashcam_status {
    DASHCAM_OK = 0,              /* Done. */
    DASHCAM_ALREADY_STARTED = 1, /* This process is being recorded already; stop that first. */
    DASHCAM_NOT_STARTED = 2,     /* Nothing is being recorded; start first. */
    DASHCAM_BAD_ARGUMENT = 3,    /* A pointer is invalid, a size is wrong or a number is out of range. */
    DASHCAM_FOLDER = 4,          /* The folder cannot be created or written to. */
    DASHCAM_EXISTS = 5,          /* The file to be written exists already. */
    DASHCAM_WRITE = 6,           /* The file cannot be written. */
    DASHCAM_TOO_SMALL = 7,       /* The buffer is too small for the answer. */
    DASHCAM_FAILED = 8           /* Windows refused a call that should succeed; nothing is being recorded. */
} dashcam_status;

/* All members but size may be 0 or NULL, which means the default. */
typedef struct dashcam_config {
    uint32_t size;                    /* sizeof(dashcam_config) */
    uint32_t retention_seconds;       /* How long the log reaches back, at most ten years. Default: a day. */
    uint64_t max_bytes;               /* Limit of a session's segments, 256 KiB to 1 TiB. Default: 64 MiB. */
    const wchar_t *folder;            /* One folder per session. Default: %LOCALAPPDATA%\Dashcam\<program>. */
    const wchar_t *application;       /* Your program's name. Default: its file name. */
    const wchar_t *version;           /* Your program's version. */
    uint32_t kept_sessions;           /* How many ended sessions are kept. Default: 10. */
    uint32_t kept_days;               /* For how many days after their end. Default: 30. */
    uint64_t kept_bytes;              /* Limit of all; the newest stays. Default: four times max_bytes. */
    uint32_t all_mouse_moves;         /* Not 0: record moves of the pointer even while no button is down. */
    const uint32_t *extra_messages;   /* Further messages to record. */
    uint32_t extra_count;             /* The number of extra_messages. */
    uint32_t suppressed_count;        /* The number of suppressed_messages. */
    const uint32_t *suppressed_messages; /* Messages not to record. */
    /* Window classes whose texts are redacted: another character of its kind replaces each letter and digit.
     * Passwords are never recorded, not even their length. */
    const wchar_t *const *masked_classes;
    uint32_t masked_class_count;      /* The number of masked_classes. */
    uint32_t masked_id_count;         /* The number of masked_ids. */
    const int32_t *masked_ids;        /* Ids of controls whose texts are redacted. */
    /* How many bytes of records are written per second in the long run, at least 16 KiB; in a burst 16 times
     * as many. Default: 256 KiB. */
    uint32_t bytes_per_second;
} dashcam_config;

/* received = rejected + recorded + shed + dropped */
typedef struct dashcam_stats {
    uint32_t size;     /* sizeof(dashcam_stats) */
    uint32_t threads;  /* GUI threads hooked now. */
    uint64_t received; /* Messages the hooks saw. */
    uint64_t rejected; /* Messages that are never recorded. */
    uint64_t recorded; /* Messages recorded. */
    uint64_t shed;     /* Messages omitted because of bytes_per_second. */
    uint64_t dropped;  /* Messages lost because a ring was full; the log states where. */
    uint64_t bytes;    /* Bytes of XML written. */
} dashcam_stats;

typedef void(__cdecl *dashcam_sink)(const wchar_t *line, void *user);

/* The version of this interface that the DLL implements. */
uint32_t __cdecl dashcam_abi_version(void);
/* Starts to record every GUI thread of this process, also those created later. NULL: all defaults. */
dashcam_status __cdecl dashcam_start(const dashcam_config *config);
/* Ends the recording and removes all hooks. Everything recorded is in the log when it returns. While the
 * process exits and other threads are terminated it does nothing; dashcam export recovers what was
 * recorded. */
dashcam_status __cdecl dashcam_stop(void);
/* Stops recording until dashcam_resume. */
dashcam_status __cdecl dashcam_pause(void);
dashcam_status __cdecl dashcam_resume(void);
/* Exports the log as it is now to one file, which must not exist. */
dashcam_status __cdecl dashcam_export(const wchar_t *path);
/* Writes a mark with your text into the log. */
dashcam_status __cdecl dashcam_mark(const wchar_t *text);
/* Records a crash of the calling thread; takes an EXCEPTION_POINTERS *. You can call it from a crash
 * handler. Not needed for exceptions that reach the filter for unhandled exceptions: the recorder installs
 * one. A crash that is reported twice is recorded once. */
dashcam_status __cdecl dashcam_note_crash(const void *exception_pointers);
/* Copies the folder of this session's log, for a crash reporter to attach. size is in characters and
 * includes the final zero. */
dashcam_status __cdecl dashcam_log_path(wchar_t *buffer, uint32_t size);
/* Passes each line of the log to a callback as well, on the recorder thread, with the prefix "UL:". The
 * lines are a complete log. The callback should not call this interface. NULL ends it. After return, the
 * previous callback is never called again. */
dashcam_status __cdecl dashcam_set_sink(dashcam_sink callback, void *user);
/* Redacts a window: of what is typed into it or set as its text only length and shape are recorded. Takes
 * an HWND. */
dashcam_status __cdecl dashcam_mask_window(void *window);
/* Returns how much was recorded so far; set stats->size first. */
dashcam_status __cdecl dashcam_get_stats(dashcam_stats *stats);
/* Returns a status as a sentence. You can call it from a crash handler. */
const wchar_t *__cdecl dashcam_status_text(dashcam_status status);

#ifdef __cplusplus
}
#endif
#endif
