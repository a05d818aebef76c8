/* dashcam.h: the recorder's C interface.
 *
 * Load dashcam.dll, call dashcam_start when your program starts and dashcam_stop when it ends. Every function returns a
 * status; DASHCAM_OK is 0. Strings are UTF-16 and end in a zero. Every structure begins with its own size, so that newer and
 * older DLLs understand each other.
 *
 * All functions may be called from any thread, and none but dashcam_stop from DllMain. From a crash handler (an exception filter, a vectored handler)
 * only those may be called that say so. */
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
    DASHCAM_BAD_ARGUMENT = 3,    /* A pointer is NULL, a size is wrong or a number makes no sense. */
    DASHCAM_FOLDER = 4,          /* The folder cannot be created or written to. */
    DASHCAM_EXISTS = 5,          /* The file to be written exists already. */
    DASHCAM_WRITE = 6,           /* The file cannot be written. */
    DASHCAM_TOO_SMALL = 7,       /* The buffer is too small for the answer. */
    DASHCAM_FAILED = 8           /* The system refused something it never should; nothing is being recorded. */
} dashcam_status;

/* All members but size may be 0 or NULL, which means the default. */
typedef struct dashcam_config {
    uint32_t size;                    /* sizeof(dashcam_config) */
    uint32_t retention_seconds;       /* How long the log reaches back, ten years at the most. Default: a day. */
    uint64_t max_bytes;               /* How large all segments of a session may be, 256 KiB to 1 TiB. Default: 64 MiB. */
    const wchar_t *folder;            /* Where logs go, one sub-folder per session. Default: %LOCALAPPDATA%\Dashcam\<program>. */
    const wchar_t *application;       /* Your program's name. Default: its file name. */
    const wchar_t *version;           /* Your program's version. */
    uint32_t kept_sessions;           /* How many ended sessions are kept. Default: 10. */
    uint32_t kept_days;               /* How many days after their end. Default: 30. */
    uint64_t kept_bytes;              /* How large all of them may be. Default: four times max_bytes. The newest stays. */
    uint32_t all_mouse_moves;         /* Not 0: record moves of the pointer even when no button is held. */
    const uint32_t *extra_messages;   /* Further messages to record, */
    uint32_t extra_count;             /* so many. */
    uint32_t suppressed_count;        /* How many messages not to record, */
    const uint32_t *suppressed_messages; /* these. */
    const wchar_t *const *masked_classes; /* Window classes whose texts are veiled: each letter and digit replaced, */
    uint32_t masked_class_count;      /* so many. Passwords are always left out entirely. */
    uint32_t masked_id_count;         /* How many control ids are veiled too, */
    const int32_t *masked_ids;        /* these. */
    uint32_t bytes_per_second;        /* How much is recorded in the long run, 16 KiB at the least; 16 seconds of it at once. Default: 256 KiB. */
} dashcam_config;

/* received = rejected + recorded + shed + dropped */
typedef struct dashcam_stats {
    uint32_t size;     /* sizeof(dashcam_stats) */
    uint32_t threads;  /* GUI threads hooked now. */
    uint64_t received; /* Messages the hooks saw. */
    uint64_t rejected; /* Messages the filter turned away. */
    uint64_t recorded; /* Messages recorded. */
    uint64_t shed;     /* Messages left out because of the byte-rate budget. */
    uint64_t dropped;  /* Messages lost because a ring was full; the log says where. */
    uint64_t bytes;    /* Bytes of XML written. */
} dashcam_stats;

typedef void(__cdecl *dashcam_sink)(const wchar_t *line, void *user);

/* The version of this interface that the DLL implements. */
uint32_t __cdecl dashcam_abi_version(void);
/* Starts to record every GUI thread of this process, those born later included. NULL: all defaults. */
dashcam_status __cdecl dashcam_start(const dashcam_config *config);
/* Ends recording and removes all hooks. Everything recorded is in the log when it returns. While the process is ending and other
 * threads are gone it does nothing, and what was recorded is recovered by dashcam export. */
dashcam_status __cdecl dashcam_stop(void);
/* Records nothing until dashcam_resume. */
dashcam_status __cdecl dashcam_pause(void);
dashcam_status __cdecl dashcam_resume(void);
/* Packs the log as it is now into one file, which must not exist. */
dashcam_status __cdecl dashcam_export(const wchar_t *path);
/* Leaves a breadcrumb in the log. */
dashcam_status __cdecl dashcam_mark(const wchar_t *text);
/* Notes a crash of the calling thread; takes an EXCEPTION_POINTERS *. May be called from a crash handler. Not needed where
 * exceptions end up in the system's filter for unhandled ones: the recorder is there too. A crash told twice is noted once. */
dashcam_status __cdecl dashcam_note_crash(const void *exception_pointers);
/* The folder of this session's log, for a crash reporter to attach. size counts characters, the final zero included. */
dashcam_status __cdecl dashcam_log_path(wchar_t *buffer, uint32_t size);
/* Each line of the log goes to the callback too, on the recorder's own thread, prefixed with "UL:"; what it gets can be read as
 * a log of its own. It should not call this interface. NULL: no more. The one before is not called any more when this returns. */
dashcam_status __cdecl dashcam_set_sink(dashcam_sink callback, void *user);
/* Veils a window: of what is typed into it or set as its text only length and shape are recorded. Takes an HWND. */
dashcam_status __cdecl dashcam_mask_window(void *window);
/* How much was recorded so far; set stats->size first. */
dashcam_status __cdecl dashcam_get_stats(dashcam_stats *stats);
/* A status in one sentence. May be called from a crash handler. */
const wchar_t *__cdecl dashcam_status_text(dashcam_status status);

#ifdef __cplusplus
}
#endif
#endif
