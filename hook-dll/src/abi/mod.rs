//! The C interface of `include/dashcam.h`: checks the arguments of the host and calls the recorder.
//!
//! No panic crosses into the host, and every error of the host becomes a status.
#![expect(unsafe_code, reason = "exported functions take raw pointers from the host")]

mod arguments;
mod config;
mod status;

use arguments::{read_path, read_text};
pub use config::Config;
use config::{default_settings, read_config};
pub use status::Status;
use status::{SENTENCES, wide};

use crate::callback::ring_writer;
use crate::crash::crash_record::{self, NoteError};
use crate::recorder::handle::Recorder;
use crate::recorder::settings::{FirstThread, Settings};
use crate::shared::fault;
use crate::shared::panics;
use crate::shared::privacy;
use crate::system::heap;
use crate::system::process::{self, RecordingLock};
use crate::system::thread_block;
use message_log::{Key, RecordKind, Text};
use parking_lot::Mutex;
use std::ffi::c_void;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use windows::Win32::System::Diagnostics::Debug::EXCEPTION_POINTERS;

/// `dashcam_stats`
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct Stats {
    size: u32,
    threads: u32,
    received: u64,
    rejected: u64,
    recorded: u64,
    shed: u64,
    dropped: u64,
    bytes: u64,
}

/// The recorder of this process. The lock is held during the start and otherwise only for a moment, so that
/// no thread waits for a command of another.
static RECORDER: Mutex<Option<Arc<Recorder>>> = Mutex::new(None);

/// Runs a function of the interface. A panic becomes a status.
fn guard(work: impl FnOnce() -> Result<(), Status>) -> Status {
    let error = thread_block::last_error();
    let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Status::Failed));
    thread_block::set_last_error(error);
    done.err().unwrap_or(Status::Ok)
}

fn with_recorder(work: impl FnOnce(&Recorder) -> Result<(), Status>) -> Status {
    guard(|| {
        need_memory()?;
        fault::point("interface");
        let recorder = RECORDER.lock().clone().ok_or(Status::NotStarted)?;
        work(&recorder)
    })
}

/// A host without memory gets a status; a failed allocation would end it.
fn need_memory() -> Result<(), Status> {
    if heap::has_room() { Ok(()) } else { Err(Status::Failed) }
}

/// See `dashcam.h`.
#[unsafe(no_mangle)]
pub extern "C" fn dashcam_abi_version() -> u32 {
    1
}

/// See `dashcam.h`.
///
/// # Safety
/// `config` is NULL or points to a structure of the size it states.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dashcam_start(config: *const Config) -> Status {
    guard(|| {
        need_memory()?;
        start(read_config(config)?)
    })
}

/// See `dashcam.h`.
#[unsafe(no_mangle)]
pub extern "C" fn dashcam_stop() -> Status {
    guard(|| {
        // Take it out first: other host threads must not wait for the end of the recording.
        let mut recorder = match process::is_exiting() {
            // A thread that held the lock has been terminated and will not release it.
            true => RECORDER.try_lock().ok_or(Status::Ok)?,
            false => RECORDER.lock(),
        };
        let taken = recorder.take().ok_or(Status::NotStarted)?;
        drop(recorder);
        taken.stop();
        Ok(())
    })
}

/// See `dashcam.h`.
#[unsafe(no_mangle)]
pub extern "C" fn dashcam_pause() -> Status {
    with_recorder(|recorder| {
        recorder.pause(true);
        Ok(())
    })
}

/// See `dashcam.h`.
#[unsafe(no_mangle)]
pub extern "C" fn dashcam_resume() -> Status {
    with_recorder(|recorder| {
        recorder.pause(false);
        Ok(())
    })
}

/// See `dashcam.h`.
///
/// # Safety
/// `path` is NULL or points to a text that ends in a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dashcam_export(path: *const u16) -> Status {
    with_recorder(|recorder| {
        let path = read_path(path).ok_or(Status::BadArgument)?;
        recorder.export(&path).map(drop).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Status::Exists,
            _ => Status::Write,
        })
    })
}

/// See `dashcam.h`.
///
/// # Safety
/// `text` is NULL or points to a text that ends in a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dashcam_mark(text: *const u16) -> Status {
    with_recorder(|recorder| {
        let text = read_text(text).ok_or(Status::BadArgument)?;
        // In the thread's own ring it survives a crash. For a thread without a ring the recorder
        // thread writes it.
        if !ring_writer::note(RecordKind::Mark, |payload| payload.wide(Key::Text, &text)) {
            recorder.mark(Text::from_wide(text));
        }
        Ok(())
    })
}

/// Notes that what follows on this thread is an act of a replay on a window, and of what kind. Only the agent
/// of a replay calls it, so it is not in `dashcam.h`: it gives the trace of a replay the same steps.
///
/// # Safety
/// `what` is NULL or points to a text that ends in a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dashcam_act(window: usize, what: *const u16) -> Status {
    with_recorder(|_| {
        let what = read_text(what).ok_or(Status::BadArgument)?;
        // A thread that is not recorded needs no note.
        ring_writer::note(RecordKind::Act, |payload| {
            payload.number(Key::WindowHwnd, window as u64);
            payload.wide(Key::Text, &what);
        });
        Ok(())
    })
}

/// See `dashcam.h`.
///
/// # Safety
/// `exception` is NULL or points to what Windows passed to an exception handler.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dashcam_note_crash(exception: *const EXCEPTION_POINTERS) -> Status {
    guard(|| {
        crash_record::note(exception).map_err(|refusal| match refusal {
            NoteError::NoException => Status::BadArgument,
            NoteError::NotRecording => Status::NotStarted,
        })
    })
}

/// See `dashcam.h`.
///
/// # Safety
/// `buffer` has room for `size` characters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dashcam_log_path(buffer: *mut u16, size: u32) -> Status {
    with_recorder(|recorder| {
        if buffer.is_null() {
            return Err(Status::BadArgument);
        }
        let path: Vec<u16> = path_text(&recorder.session_folder).chain([0]).collect();
        if path.len() > size as usize {
            return Err(Status::TooSmall);
        }
        // SAFETY: the caller promises room for `size` characters, and `path` is not longer; it is a vector of
        // this function and does not overlap.
        unsafe { std::ptr::copy_nonoverlapping(path.as_ptr(), buffer, path.len()) };
        Ok(())
    })
}

/// See `dashcam.h`.
///
/// # Safety
/// `sink` is NULL or a function that may be called with `user` on another thread until it is replaced.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dashcam_set_sink(
    sink: Option<unsafe extern "C" fn(*const u16, *mut c_void)>,
    user: *mut c_void,
) -> Status {
    struct User(*mut c_void);
    // SAFETY: `dashcam_set_sink` has the host promise that its callback may be called with `user`
    // on another thread.
    unsafe impl Send for User {}
    let user = User(user);
    with_recorder(|recorder| {
        recorder.set_sink(sink.map(|sink| -> crate::recorder::drain::Sink {
            Box::new(move |line| {
                let user = &user;
                let line: Vec<u16> = "UL:".encode_utf16().chain(line.encode_utf16()).chain([0]).collect();
                // SAFETY: the host promises that the sink may be called until it is replaced, which
                // `Recorder::set_sink` waits for; the line ends in a zero and lives until the call returns.
                unsafe { sink(line.as_ptr(), user.0) };
            })
        }));
        Ok(())
    })
}

/// See `dashcam.h`.
#[unsafe(no_mangle)]
pub extern "C" fn dashcam_mask_window(window: *const c_void) -> Status {
    with_recorder(|_| {
        // At once, not when the recorder thread runs next.
        if window.is_null() {
            return Err(Status::BadArgument);
        }
        privacy::redact_window(window.addr());
        Ok(())
    })
}

/// See `dashcam.h`.
///
/// # Safety
/// `stats` is NULL or points to a structure of the size it states.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dashcam_get_stats(stats: *mut Stats) -> Status {
    with_recorder(|recorder| {
        // SAFETY: the caller promises NULL or a valid pointer to `dashcam_stats`, which nobody
        // else uses meanwhile.
        let stats = unsafe { stats.as_mut() }.ok_or(Status::BadArgument)?;
        if stats.size as usize != size_of::<Stats>() {
            return Err(Status::BadArgument);
        }
        // Another thread may have stopped the recorder meanwhile.
        let totals = recorder
            .drain()
            .ok_or_else(|| if recorder.has_ended() { Status::NotStarted } else { Status::Failed })?;
        *stats = Stats {
            size: stats.size,
            threads: totals.threads,
            received: totals.received,
            rejected: totals.rejected,
            recorded: totals.recorded,
            shed: totals.shed,
            dropped: totals.dropped,
            bytes: totals.bytes,
        };
        Ok(())
    })
}

/// See `dashcam.h`.
#[unsafe(no_mangle)]
pub extern "C" fn dashcam_status_text(status: i32) -> *const u16 {
    let unknown = wide!("An unknown status.");
    usize::try_from(status).ok().and_then(|i| SENTENCES.get(i)).copied().unwrap_or(unknown).as_ptr()
}

/// The start routine of a thread by which `dashcam run` and `dashcam attach` start the recorder in a program
/// that does not load it itself. Takes lines `name=value` and returns a status.
///
/// # Safety
/// `settings` is NULL or points to a text that ends in a zero.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn dashcam_start_remote(settings: *mut c_void) -> u32 {
    guard(|| {
        let text = read_text(settings.cast_const().cast()).ok_or(Status::BadArgument)?;
        let mut chosen = Settings { hooked_first: None, ..default_settings() };
        for line in String::from_utf16_lossy(&text).lines() {
            match line.split_once('=').ok_or(Status::BadArgument)? {
                ("folder", value) => chosen.folder = value.into(),
                ("retention", value) => {
                    chosen.limits.retention = value.parse().map_err(|_| Status::BadArgument)?;
                }
                ("thread", value) => {
                    chosen.hooked_first =
                        Some(FirstThread::Thread(value.parse().map_err(|_| Status::BadArgument)?));
                }
                _ => return Err(Status::BadArgument),
            }
        }
        start(chosen)
    }) as u32
}

fn start(settings: Settings) -> Result<(), Status> {
    let mut recorder = RECORDER.lock();
    if recorder.is_some() {
        return Err(Status::AlreadyStarted);
    }
    let claim = RecordingLock::take().ok_or(Status::AlreadyStarted)?;
    panics::keep_quiet();
    let started = Recorder::start(settings, claim).map_err(|error| match error.kind() {
        io::ErrorKind::Other => Status::Failed,
        _ => Status::Folder,
    })?;
    *recorder = Some(Arc::new(started));
    Ok(())
}

fn path_text(path: &Path) -> impl Iterator<Item = u16> {
    use std::os::windows::ffi::OsStrExt;
    path.as_os_str().encode_wide()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(text: &str) -> Vec<u16> {
        text.encode_utf16().chain([0]).collect()
    }

    /// One test, because a process has one recorder.
    #[test]
    fn bad_input_gets_a_status_and_leaves_nothing_behind() {
        let folder = std::env::temp_dir().join(format!("dashcam-abi-{}", std::process::id()));
        let path = wide(&folder.display().to_string());
        let good = Config {
            size: size_of::<Config>() as u32,
            retention_seconds: 60,
            max_bytes: 1 << 20,
            folder: path.as_ptr(),
            application: std::ptr::null(),
            version: std::ptr::null(),
            kept_sessions: 2,
            kept_days: 0,
            kept_bytes: 0,
            all_mouse_moves: 0,
            extra_messages: std::ptr::null(),
            extra_count: 0,
            suppressed_count: 0,
            suppressed_messages: std::ptr::null(),
            masked_classes: std::ptr::null(),
            masked_class_count: 0,
            masked_id_count: 0,
            masked_ids: std::ptr::null(),
            bytes_per_second: 0,
        };
        // SAFETY: every pointer is NULL or lives to the end of the test.
        let start = |config: &Config| unsafe { dashcam_start(config) };

        assert_eq!(dashcam_stop(), Status::NotStarted);
        assert_eq!(dashcam_pause(), Status::NotStarted);
        assert_eq!(start(&Config { size: 3, ..good }), Status::BadArgument);
        assert_eq!(
            start(&Config { size: Config::FIRST_SIZE as u32, max_bytes: 5, ..good }),
            Status::BadArgument
        );
        assert_eq!(start(&Config { max_bytes: 5, ..good }), Status::BadArgument);
        assert_eq!(start(&Config { retention_seconds: u32::MAX, ..good }), Status::BadArgument);
        assert_eq!(start(&Config { folder: std::ptr::without_provenance(8), ..good }), Status::BadArgument);
        // SAFETY: the function checks the pointer, which leads nowhere.
        assert_eq!(unsafe { dashcam_start(std::ptr::without_provenance(8)) }, Status::BadArgument);
        assert_eq!(start(&Config { extra_count: 2, ..good }), Status::BadArgument);
        assert_eq!(start(&Config { masked_class_count: 1, ..good }), Status::BadArgument);
        let no_class = [0];
        let masks = Config { masked_classes: no_class.as_ptr(), masked_class_count: 1, ..good };
        assert_eq!(start(&masks), Status::BadArgument);
        let impossible = wide("Z:\\no\\such\\<folder>\0");
        assert_eq!(start(&Config { folder: impossible.as_ptr(), ..good }), Status::Folder);
        assert_eq!(dashcam_stop(), Status::NotStarted);

        assert_eq!(start(&good), Status::Ok);
        assert_eq!(start(&good), Status::AlreadyStarted);
        // SAFETY: the text ends in a zero.
        assert_eq!(unsafe { dashcam_mark(wide("here").as_ptr()) }, Status::Ok);
        // SAFETY: NULL is allowed.
        assert_eq!(unsafe { dashcam_mark(std::ptr::null()) }, Status::BadArgument);
        let mut buffer = [0; 4];
        // SAFETY: the buffer has room for 4 characters.
        assert_eq!(unsafe { dashcam_log_path(buffer.as_mut_ptr(), 4) }, Status::TooSmall);
        let export = wide(&folder.join("a.dashcam").display().to_string());
        // SAFETY: the text ends in a zero.
        assert_eq!(unsafe { dashcam_export(export.as_ptr()) }, Status::Ok);
        // SAFETY: the text ends in a zero.
        assert_eq!(unsafe { dashcam_export(export.as_ptr()) }, Status::Exists);
        let mut stats = Stats::default();
        // SAFETY: the structure is a local.
        assert_eq!(unsafe { dashcam_get_stats(&raw mut stats) }, Status::BadArgument);
        stats.size = size_of::<Stats>() as u32;
        // SAFETY: the structure is a local.
        assert_eq!(unsafe { dashcam_get_stats(&raw mut stats) }, Status::Ok);
        assert_eq!(stats.received, stats.rejected + stats.recorded + stats.shed + stats.dropped);
        assert_eq!((dashcam_pause(), dashcam_resume(), dashcam_stop()), (Status::Ok, Status::Ok, Status::Ok));
        assert_eq!(dashcam_stop(), Status::NotStarted);

        // Each session has its own folder, and only two are kept.
        for _ in 0..4 {
            assert_eq!(start(&good), Status::Ok);
            assert_eq!(dashcam_stop(), Status::Ok);
        }
        let sessions =
            std::fs::read_dir(&folder).unwrap().filter(|e| e.as_ref().unwrap().path().is_dir()).count();
        assert!((2..=3).contains(&sessions), "{sessions} sessions are kept");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn every_status_has_its_sentence() {
        for status in -1..=10 {
            // SAFETY: the function returns a static text that ends in a zero.
            let text = unsafe { windows::core::PCWSTR(dashcam_status_text(status)).to_string() }.unwrap();
            assert!(text.ends_with('.'), "{text}");
            assert_eq!(text == "An unknown status.", !(0..=8).contains(&status));
        }
    }
}
