//! The C interface of `include/dashcam.h`: checks what a host gives, and hands on.
//!
//! No panic crosses into the host, and no host error is more than a status.
#![expect(unsafe_code, reason = "exported functions take raw pointers of the host")]

use crate::callback::ring_writer;
use crate::crash::crash_record::{self, NoteError};
use crate::recorder::handle::Recorder;
use crate::recorder::segments::{KeepRules, SegmentLimits};
use crate::recorder::settings::{FirstThread, Settings};
use crate::shared::budget;
use crate::shared::fault;
use crate::shared::panics;
use crate::shared::privacy;
use crate::shared::privacy::MaskRules;
use crate::system::guarded;
use crate::system::heap;
use crate::system::win32;
use crate::system::win32::RecordingLock;
use message_log::{Key, RecordKind, Text};
use parking_lot::Mutex;
use std::ffi::c_void;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use windows::Win32::System::Diagnostics::Debug::EXCEPTION_POINTERS;

/// A text of ASCII as UTF-16 with its final zero, made at compile time.
macro_rules! wide {
    ($text:literal) => {{
        const WIDE: [u16; $text.len() + 1] = {
            let mut wide = [0; $text.len() + 1];
            let mut i = 0;
            while i < $text.len() {
                wide[i] = $text.as_bytes()[i] as u16;
                i += 1;
            }
            wide
        };
        &WIDE
    }};
}

/// What a function answers; `dashcam.h` explains each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// This process is being recorded already; stop that first.
    AlreadyStarted = 1,
    /// Nothing is being recorded; start first.
    NotStarted = 2,
    /// A pointer is NULL, a size is wrong or a number makes no sense.
    BadArgument = 3,
    /// The folder cannot be created or written to.
    Folder = 4,
    /// The file to be written exists already.
    Exists = 5,
    /// The file cannot be written.
    Write = 6,
    /// The buffer is too small for the answer.
    TooSmall = 7,
    /// The system refused something it never should.
    Failed = 8,
}

const SENTENCES: [&[u16]; 9] = [
    wide!("Done."),
    wide!("This process is being recorded already; stop that first."),
    wide!("Nothing is being recorded; start first."),
    wide!("A pointer is NULL, a size is wrong or a number makes no sense."),
    wide!("The folder cannot be created or written to."),
    wide!("The file to be written exists already."),
    wide!("The file cannot be written."),
    wide!("The buffer is too small for the answer."),
    wide!("The system refused something it never should; nothing is being recorded."),
];

/// `dashcam_config`
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Config {
    size: u32,
    retention_seconds: u32,
    max_bytes: u64,
    folder: *const u16,
    application: *const u16,
    version: *const u16,
    kept_sessions: u32,
    kept_days: u32,
    kept_bytes: u64,
    all_mouse_moves: u32,
    extra_messages: *const u32,
    extra_count: u32,
    suppressed_count: u32,
    suppressed_messages: *const u32,
    /// Addresses of texts.
    masked_classes: *const usize,
    masked_class_count: u32,
    masked_id_count: u32,
    masked_ids: *const u32,
    bytes_per_second: u32,
}

impl Config {
    /// The size before `bytes_per_second` came: hosts made with an older header go on as they did.
    const FIRST_SIZE: usize = std::mem::offset_of!(Config, bytes_per_second);
}

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

/// The recorder of this process. The lock is held while it is started and for a moment otherwise, so that
/// nobody waits for what another asked for.
static RECORDER: Mutex<Option<Arc<Recorder>>> = Mutex::new(None);

const DAY: u32 = 86_400;
const MIN_BYTES: u64 = 256 << 10;
const MAX_BYTES: u64 = 1 << 40;
const MAX_RETENTION: u32 = 3660 * DAY;
/// Less would not even take what a user types.
const MIN_RATE: u32 = 16 << 10;
const MAX_LIST: u32 = 65_536;

/// Runs a function of the interface; a panic is a status.
fn guard(work: impl FnOnce() -> Result<(), Status>) -> Status {
    let error = win32::last_error();
    let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Status::Failed));
    win32::set_last_error(error);
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

/// A host without memory gets a status, where an allocation that fails would end it.
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
        // Taken out first: a host thread that asks meanwhile must not wait for the end.
        let mut recorder = match win32::is_exiting() {
            // A thread that holds the lock is gone and will not give it back; neither will it record.
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
/// `path` is NULL or a text that ends in a zero.
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
/// `text` is NULL or a text that ends in a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dashcam_mark(text: *const u16) -> Status {
    with_recorder(|recorder| {
        let text = read_text(text).ok_or(Status::BadArgument)?;
        // In the thread's own ring it survives the next moment; elsewhere the recorder's thread writes it.
        if !ring_writer::note(RecordKind::Mark, |payload| payload.wide(Key::Text, &text)) {
            recorder.mark(Text::from_wide(text));
        }
        Ok(())
    })
}

/// Tells that what follows on this thread is done to a window for the user, and of what kind it is. For
/// the agent of a replay alone, and therefore not in `dashcam.h`: it makes the trace of a replay a log
/// with the same steps.
///
/// # Safety
/// `what` is NULL or a text that ends in a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dashcam_act(window: usize, what: *const u16) -> Status {
    with_recorder(|_| {
        let what = read_text(what).ok_or(Status::BadArgument)?;
        // Of a thread that is not recorded there is nothing to explain.
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
/// `exception` is NULL or what the system gave to an exception handler.
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
        // SAFETY: the caller's promise, and `path` is no longer than that.
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
    // SAFETY: the host promises that its callback may be called on another thread.
    unsafe impl Send for User {}
    let user = User(user);
    with_recorder(|recorder| {
        recorder.set_sink(sink.map(|sink| -> crate::recorder::drain::Sink {
            Box::new(move |line| {
                let user = &user;
                let line: Vec<u16> = "UL:".encode_utf16().chain(line.encode_utf16()).chain([0]).collect();
                // SAFETY: the host's promise; the line ends in a zero and lives until the call returns.
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
        // At once, not when the recorder's thread finds the time.
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
        // SAFETY: the caller's promise.
        let stats = unsafe { stats.as_mut() }.ok_or(Status::BadArgument)?;
        if stats.size as usize != size_of::<Stats>() {
            return Err(Status::BadArgument);
        }
        // Another thread may have stopped it meanwhile.
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

/// Entry for `dashcam run` and `dashcam attach`, which start the recorder in a program that does not know it:
/// the start routine of a thread. Takes a text of lines `name=value`; the answer is a status.
///
/// # Safety
/// `settings` is NULL or a text that ends in a zero.
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

fn default_settings() -> Settings {
    let program = PathBuf::from(win32::program_path());
    let program = program.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Settings {
        folder: default_folder(&program),
        limits: SegmentLimits { retention: u64::from(DAY), bytes: 64 << 20 },
        rate: budget::SUSTAINED,
        keep: KeepRules { sessions: 10, age: days(30), bytes: 4 * (64 << 20) },
        all_moves: false,
        extra: Vec::new(),
        suppressed: Vec::new(),
        masks: MaskRules::default(),
        application: program,
        version: String::new(),
        hooked_first: Some(FirstThread::Caller),
    }
}

fn read_config(config: *const Config) -> Result<Settings, Status> {
    let mut settings = default_settings();
    if config.is_null() {
        return Ok(settings);
    }
    // The size first: a structure of another size may end before ours does.
    let size = guarded::read(config.cast::<u32>()).ok_or(Status::BadArgument)? as usize;
    if size != size_of::<Config>() && size != Config::FIRST_SIZE {
        return Err(Status::BadArgument);
    }
    let mut given = std::mem::MaybeUninit::<Config>::zeroed();
    if !guarded::copy(config.cast(), given.as_mut_ptr().cast(), size) {
        return Err(Status::BadArgument);
    }
    // SAFETY: numbers and pointers, all of which may be zero.
    let config = unsafe { given.assume_init() };
    if config.bytes_per_second != 0 {
        settings.rate = config.bytes_per_second.max(MIN_RATE);
    }
    if config.retention_seconds > MAX_RETENTION {
        return Err(Status::BadArgument);
    }
    if config.retention_seconds != 0 {
        settings.limits.retention = u64::from(config.retention_seconds);
    }
    if config.max_bytes != 0 {
        if !(MIN_BYTES..=MAX_BYTES).contains(&config.max_bytes) {
            return Err(Status::BadArgument);
        }
        settings.limits.bytes = config.max_bytes;
    }
    if let Some(folder) = read_given(config.folder)?.filter(|text| !text.is_empty()) {
        let folder = path_of(&folder);
        // A host may go to another folder later.
        settings.folder = std::path::absolute(&folder).unwrap_or(folder);
    }
    if let Some(name) = read_given(config.application)? {
        settings.application = String::from_utf16_lossy(&name);
    }
    if let Some(version) = read_given(config.version)? {
        settings.version = String::from_utf16_lossy(&version);
    }
    if config.kept_sessions != 0 {
        settings.keep.sessions = config.kept_sessions as usize;
    }
    if config.kept_days != 0 {
        settings.keep.age = days(config.kept_days);
    }
    settings.keep.bytes = match config.kept_bytes {
        0 => 4 * settings.limits.bytes,
        bytes => bytes,
    };
    settings.all_moves = config.all_mouse_moves != 0;
    settings.extra = read_list(config.extra_messages, config.extra_count)?;
    settings.suppressed = read_list(config.suppressed_messages, config.suppressed_count)?;
    let ids = read_list(config.masked_ids, config.masked_id_count)?;
    let classes = read_list(config.masked_classes, config.masked_class_count)?;
    let class = |text: usize| {
        let text = read_text(std::ptr::with_exposed_provenance(text));
        text.filter(|class| !class.is_empty()).ok_or(Status::BadArgument)
    };
    settings.masks = MaskRules {
        classes: classes.into_iter().map(class).collect::<Result<_, _>>()?,
        ids: ids.into_iter().map(u32::cast_signed).collect(),
    };
    Ok(settings)
}

fn days(count: u32) -> Duration {
    Duration::from_secs(u64::from(count) * u64::from(DAY))
}

fn default_folder(program: &str) -> PathBuf {
    let base = std::env::var_os("LOCALAPPDATA").map_or_else(std::env::temp_dir, PathBuf::from);
    base.join("Dashcam").join(program)
}

/// A text of the host, NULL or not; none of a pointer that leads nowhere.
fn read_given(text: *const u16) -> Result<Option<Vec<u16>>, Status> {
    if text.is_null() { Ok(None) } else { read_text(text).map(Some).ok_or(Status::BadArgument) }
}

fn read_text(text: *const u16) -> Option<Vec<u16>> {
    const MAX: usize = 32 << 10;
    guarded::read(text)?;
    let mut bytes = vec![0; MAX * 2];
    let len = guarded::read_text(text.cast(), 2, &mut bytes);
    Some(bytes[..len].chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect())
}

fn read_path(path: *const u16) -> Option<PathBuf> {
    read_text(path).filter(|text| !text.is_empty()).map(|text| path_of(&text))
}

fn path_of(text: &[u16]) -> PathBuf {
    use std::os::windows::ffi::OsStringExt;
    std::ffi::OsString::from_wide(text).into()
}

fn read_list<T: Copy + Default>(list: *const T, count: u32) -> Result<Vec<T>, Status> {
    if count >= MAX_LIST {
        return Err(Status::BadArgument);
    }
    let mut numbers = vec![T::default(); count as usize];
    let (to, bytes) = (numbers.as_mut_ptr().cast(), count as usize * size_of::<T>());
    // NULL faults like every other place that is none.
    if count == 0 || guarded::copy(list.cast(), to, bytes) { Ok(numbers) } else { Err(Status::BadArgument) }
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

    /// One test, since there is one recorder in a process.
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
        // SAFETY: a pointer to nowhere is answered.
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
        // SAFETY: NULL is allowed, and answered.
        assert_eq!(unsafe { dashcam_mark(std::ptr::null()) }, Status::BadArgument);
        let mut buffer = [0; 4];
        // SAFETY: the buffer is as long as said.
        assert_eq!(unsafe { dashcam_log_path(buffer.as_mut_ptr(), 4) }, Status::TooSmall);
        let export = wide(&folder.join("a.dashcam").display().to_string());
        // SAFETY: the text ends in a zero.
        assert_eq!(unsafe { dashcam_export(export.as_ptr()) }, Status::Ok);
        // SAFETY: as above.
        assert_eq!(unsafe { dashcam_export(export.as_ptr()) }, Status::Exists);
        let mut stats = Stats::default();
        // SAFETY: the structure is ours.
        assert_eq!(unsafe { dashcam_get_stats(&raw mut stats) }, Status::BadArgument);
        stats.size = size_of::<Stats>() as u32;
        // SAFETY: the structure is ours.
        assert_eq!(unsafe { dashcam_get_stats(&raw mut stats) }, Status::Ok);
        assert_eq!(stats.received, stats.rejected + stats.recorded + stats.shed + stats.dropped);
        assert_eq!((dashcam_pause(), dashcam_resume(), dashcam_stop()), (Status::Ok, Status::Ok, Status::Ok));
        assert_eq!(dashcam_stop(), Status::NotStarted);

        // Each session has its own folder, and only so many are kept.
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
            // SAFETY: the function returns a text that ends in a zero and lives for ever.
            let text = unsafe { windows::core::PCWSTR(dashcam_status_text(status)).to_string() }.unwrap();
            assert!(text.ends_with('.'), "{text}");
            assert_eq!(text == "An unknown status.", !(0..=8).contains(&status));
        }
    }
}
