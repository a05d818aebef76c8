//! `dashcam.h` in Rust: the only file that calls the DLL. A test holds its layouts to the header's.
#![expect(unsafe_code, reason = "functions of a DLL are foreign")]

use libloading::Library;
use std::ffi::{OsStr, c_void};

/// `DASHCAM_ABI_VERSION`
pub(crate) const VERSION: u32 = 1;

/// `dashcam_config`
#[repr(C)]
pub(crate) struct RawConfig {
    pub(crate) size: u32,
    pub(crate) retention_seconds: u32,
    pub(crate) max_bytes: u64,
    pub(crate) folder: *const u16,
    pub(crate) application: *const u16,
    pub(crate) version: *const u16,
    pub(crate) kept_sessions: u32,
    pub(crate) kept_days: u32,
    pub(crate) kept_bytes: u64,
    pub(crate) all_mouse_moves: u32,
    pub(crate) extra_messages: *const u32,
    pub(crate) extra_count: u32,
    pub(crate) suppressed_count: u32,
    pub(crate) suppressed_messages: *const u32,
    pub(crate) masked_classes: *const *const u16,
    pub(crate) masked_class_count: u32,
    pub(crate) masked_id_count: u32,
    pub(crate) masked_ids: *const i32,
    pub(crate) bytes_per_second: u32,
}

impl Default for RawConfig {
    fn default() -> Self {
        // SAFETY: numbers and pointers, for which zero is a value: the default, says the header.
        let zero = unsafe { std::mem::zeroed() };
        RawConfig { size: size_of::<RawConfig>() as u32, ..zero }
    }
}

/// `dashcam_stats`
#[derive(Debug)]
#[repr(C)]
pub(crate) struct RawStats {
    size: u32,
    pub(crate) threads: u32,
    pub(crate) received: u64,
    pub(crate) rejected: u64,
    pub(crate) recorded: u64,
    pub(crate) shed: u64,
    pub(crate) dropped: u64,
    pub(crate) bytes: u64,
}

impl Default for RawStats {
    fn default() -> Self {
        let size = size_of::<RawStats>() as u32;
        RawStats { size, threads: 0, received: 0, rejected: 0, recorded: 0, shed: 0, dropped: 0, bytes: 0 }
    }
}

type Simple = extern "C" fn() -> i32;
type WithText = extern "C" fn(*const u16) -> i32;
type Sink = extern "C" fn(*const u16, *mut c_void);

/// The functions of the DLL. Used only while its library is held.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Functions {
    abi_version: extern "C" fn() -> u32,
    start: extern "C" fn(*const RawConfig) -> i32,
    stop: Simple,
    pause: Simple,
    resume: Simple,
    export: WithText,
    mark: WithText,
    log_path: extern "C" fn(*mut u16, u32) -> i32,
    set_sink: extern "C" fn(Option<Sink>, *mut c_void) -> i32,
    mask_window: extern "C" fn(*mut c_void) -> i32,
    get_stats: extern "C" fn(*mut RawStats) -> i32,
    status_text: extern "C" fn(i32) -> *const u16,
}

pub(crate) fn open(path: &OsStr) -> Result<Library, libloading::Error> {
    // SAFETY: the recorder's DllMain only remembers the module; that the file is the recorder is
    // the caller's word.
    unsafe { Library::new(path) }
}

/// A function of this name; its type is that of the header.
fn function<T: Copy>(library: &Library, name: &str) -> Result<T, libloading::Error> {
    // SAFETY: the types above are those that the header gives these names.
    let symbol = unsafe { library.get::<T>(name.as_bytes()) }?;
    Ok(*symbol)
}

impl Functions {
    pub(crate) fn of(library: &Library) -> Result<Self, libloading::Error> {
        Ok(Self {
            abi_version: function(library, "dashcam_abi_version")?,
            start: function(library, "dashcam_start")?,
            stop: function(library, "dashcam_stop")?,
            pause: function(library, "dashcam_pause")?,
            resume: function(library, "dashcam_resume")?,
            export: function(library, "dashcam_export")?,
            mark: function(library, "dashcam_mark")?,
            log_path: function(library, "dashcam_log_path")?,
            set_sink: function(library, "dashcam_set_sink")?,
            mask_window: function(library, "dashcam_mask_window")?,
            get_stats: function(library, "dashcam_get_stats")?,
            status_text: function(library, "dashcam_status_text")?,
        })
    }

    pub(crate) fn abi_version(&self) -> u32 {
        (self.abi_version)()
    }

    pub(crate) fn start(&self, config: &RawConfig) -> i32 {
        (self.start)(config)
    }

    pub(crate) fn stop(&self) -> i32 {
        (self.stop)()
    }

    pub(crate) fn pause(&self) -> i32 {
        (self.pause)()
    }

    pub(crate) fn resume(&self) -> i32 {
        (self.resume)()
    }

    /// `path` ends in a zero.
    pub(crate) fn export(&self, path: &[u16]) -> i32 {
        (self.export)(path.as_ptr())
    }

    /// `text` ends in a zero.
    pub(crate) fn mark(&self, text: &[u16]) -> i32 {
        (self.mark)(text.as_ptr())
    }

    pub(crate) fn log_path(&self, buffer: &mut [u16]) -> i32 {
        (self.log_path)(buffer.as_mut_ptr(), buffer.len() as u32)
    }

    pub(crate) fn set_sink(&self, sink: fn(&str)) -> i32 {
        (self.set_sink)(Some(pass_on), sink as *mut c_void)
    }

    pub(crate) fn mask_window(&self, window: *mut c_void) -> i32 {
        (self.mask_window)(window)
    }

    pub(crate) fn get_stats(&self, stats: &mut RawStats) -> i32 {
        (self.get_stats)(stats)
    }

    pub(crate) fn status_text(&self, status: i32) -> String {
        text((self.status_text)(status))
    }
}

/// A line from the recorder; `user` is the function that `set_sink` was given.
extern "C" fn pass_on(line: *const u16, user: *mut c_void) {
    // SAFETY: `set_sink` made this pointer of a function of that type.
    let sink = unsafe { std::mem::transmute::<*mut c_void, fn(&str)>(user) };
    // A panic must not go through the recorder.
    let _ = std::panic::catch_unwind(|| sink(&text(line)));
}

/// A text that ends in a zero.
fn text(start: *const u16) -> String {
    if start.is_null() {
        return String::new();
    }
    let unit = |at: usize| {
        // SAFETY: the recorder's texts end in a zero, and nobody reads beyond it.
        unsafe { start.wrapping_add(at).read() }
    };
    let units: Vec<u16> = (0..).map(unit).take_while(|&unit| unit != 0).collect();
    String::from_utf16_lossy(&units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_those_of_the_header() {
        // What a C compiler makes of dashcam.h; `tests/tests/guide.rs` asks one.
        assert_eq!(size_of::<RawStats>(), 56);
        assert_eq!(size_of::<RawConfig>(), if cfg!(target_pointer_width = "64") { 120 } else { 88 });
    }
}
