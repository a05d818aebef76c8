//! Records a program with `dashcam.dll`: the safe way for programs written in Rust.
//!
//! The DLL is looked for when the program runs, beside it first. Where it is missing, and on other systems
//! than Windows, [`Dashcam::load`] says so and the program goes on unrecorded.
//!
//! ```no_run
//! let recording = dashcam_host::Dashcam::load().and_then(|dashcam| {
//!     dashcam.start(&dashcam_host::Config { application: Some("Invoice".into()), ..Default::default() })
//! });
//! if let Err(error) = &recording {
//!     eprintln!("this session is not recorded: {error}");
//! }
//! // The message loop of your program. Recording ends when `recording` is dropped.
//! ```
//!
//! | question | file |
//! |---|---|
//! | what does the DLL's interface look like? | `abi.rs` |
//! | what is a host told, and what may it ask? | `lib.rs` |

mod abi;

use abi::{Functions, RawConfig, RawStats};
use libloading::Library;
use std::ffi::{OsStr, c_void};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The DLL cannot be loaded.
    #[error("dashcam.dll cannot be loaded: {0}")]
    Missing(String),
    /// The DLL is one of another interface.
    #[error("dashcam.dll has interface {found}, and {wanted} is needed: use the DLL of the same release")]
    OtherVersion {
        /// The interface it has.
        found: u32,
        /// The interface this crate was made for.
        wanted: u32,
    },
    /// The DLL refused; its own words.
    #[error("{sentence}")]
    Refused {
        /// The status as `dashcam.h` names it.
        status: i32,
        /// What it means.
        sentence: String,
    },
    /// A text with a zero inside cannot be handed over.
    #[error("the text holds a zero character")]
    Zero,
}

/// How to record. The default is what `dashcam.h` says.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// Where logs go. Default: `%LOCALAPPDATA%\Dashcam\<program>`.
    pub folder: Option<PathBuf>,
    /// Your program's name. Default: its file name.
    pub application: Option<String>,
    /// Your program's version.
    pub version: Option<String>,
    /// How long the log reaches back. Default: a day.
    pub retention: Option<Duration>,
    /// How large all segments of a session may be. Default: 64 MiB.
    pub max_bytes: Option<u64>,
    /// How many ended sessions are kept. Default: 10.
    pub kept_sessions: Option<u32>,
    /// How many days after their end. Default: 30.
    pub kept_days: Option<u32>,
    /// Window classes whose texts are veiled. Passwords are always left out entirely.
    pub masked_classes: Vec<String>,
    /// Control ids whose texts are veiled.
    pub masked_ids: Vec<i32>,
}

/// How much was recorded: received = rejected + recorded + shed + dropped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    /// GUI threads hooked now.
    pub threads: u32,
    /// Messages the hooks saw.
    pub received: u64,
    /// Messages the filter turned away.
    pub rejected: u64,
    /// Messages recorded.
    pub recorded: u64,
    /// Messages left out because of the byte-rate budget.
    pub shed: u64,
    /// Messages lost because a ring was full.
    pub dropped: u64,
    /// Bytes of XML written.
    pub bytes: u64,
}

/// The loaded DLL.
#[derive(Debug, Clone)]
pub struct Dashcam {
    functions: Functions,
    /// Loaded as long as one of us lives; the DLL itself stays once it has recorded.
    _library: Arc<Library>,
}

impl Dashcam {
    /// Loads `dashcam.dll` as the system finds it: beside the program first.
    pub fn load() -> Result<Self, Error> {
        Self::load_from("dashcam.dll")
    }

    /// Loads this DLL.
    pub fn load_from(path: impl AsRef<OsStr>) -> Result<Self, Error> {
        let library = abi::open(path.as_ref()).map_err(|error| Error::Missing(error.to_string()))?;
        let functions = Functions::of(&library).map_err(|error| Error::Missing(error.to_string()))?;
        let found = functions.abi_version();
        if found != abi::VERSION {
            return Err(Error::OtherVersion { found, wanted: abi::VERSION });
        }
        Ok(Self { functions, _library: Arc::new(library) })
    }

    /// Starts to record every GUI thread of this process. Recording ends when the returned value is dropped.
    pub fn start(&self, config: &Config) -> Result<Recording, Error> {
        let text = |text: &Option<String>| text.as_deref().map(wide).transpose();
        let folder = config.folder.as_ref().map(|folder| wide(&folder.to_string_lossy())).transpose()?;
        let (application, version) = (text(&config.application)?, text(&config.version)?);
        let classes = config.masked_classes.iter().map(|class| wide(class)).collect::<Result<Vec<_>, _>>()?;
        let classes: Vec<*const u16> = classes.iter().map(|class| class.as_ptr()).collect();
        let pointer = |text: &Option<Vec<u16>>| text.as_ref().map_or(std::ptr::null(), |text| text.as_ptr());
        let raw = RawConfig {
            retention_seconds: config
                .retention
                .map_or(0, |time| time.as_secs().clamp(1, u32::MAX.into()) as u32),
            max_bytes: config.max_bytes.unwrap_or(0),
            folder: pointer(&folder),
            application: pointer(&application),
            version: pointer(&version),
            kept_sessions: config.kept_sessions.unwrap_or(0),
            kept_days: config.kept_days.unwrap_or(0),
            masked_classes: classes.as_ptr(),
            masked_class_count: classes.len() as u32,
            masked_ids: config.masked_ids.as_ptr(),
            masked_id_count: config.masked_ids.len() as u32,
            ..RawConfig::default()
        };
        self.check(self.functions.start(&raw))?;
        Ok(Recording { dashcam: self.clone() })
    }

    fn check(&self, status: i32) -> Result<(), Error> {
        if status == 0 {
            Ok(())
        } else {
            Err(Error::Refused { status, sentence: self.functions.status_text(status) })
        }
    }
}

/// A session being recorded; dropping it ends the recording.
#[derive(Debug)]
pub struct Recording {
    dashcam: Dashcam,
}

impl Recording {
    /// Records nothing until [`Recording::resume`].
    pub fn pause(&self) -> Result<(), Error> {
        self.dashcam.check(self.dashcam.functions.pause())
    }

    /// Goes on after [`Recording::pause`].
    pub fn resume(&self) -> Result<(), Error> {
        self.dashcam.check(self.dashcam.functions.resume())
    }

    /// Packs the log as it is now into one file, which must not exist.
    pub fn export(&self, path: &Path) -> Result<(), Error> {
        self.dashcam.check(self.dashcam.functions.export(&wide(&path.to_string_lossy())?))
    }

    /// Leaves a breadcrumb in the log.
    pub fn mark(&self, text: &str) -> Result<(), Error> {
        self.dashcam.check(self.dashcam.functions.mark(&wide(text)?))
    }

    /// The folder of this session's log, for a crash reporter to attach.
    pub fn log_path(&self) -> Result<PathBuf, Error> {
        let mut buffer = vec![0; 32_768];
        self.dashcam.check(self.dashcam.functions.log_path(&mut buffer))?;
        let end = buffer.iter().position(|&unit| unit == 0).unwrap_or(buffer.len());
        Ok(String::from_utf16_lossy(&buffer[..end]).into())
    }

    /// Veils a window, given by its `HWND`: of its texts only length and shape are recorded.
    pub fn mask_window(&self, window: *mut c_void) -> Result<(), Error> {
        self.dashcam.check(self.dashcam.functions.mask_window(window))
    }

    /// Hands each line of the log, prefixed with `UL:`, to your own trace too, on the recorder's thread. The
    /// function must not use this recording.
    pub fn set_sink(&self, sink: fn(&str)) -> Result<(), Error> {
        self.dashcam.check(self.dashcam.functions.set_sink(sink))
    }

    /// How much was recorded so far.
    pub fn stats(&self) -> Result<Stats, Error> {
        let mut raw = RawStats::default();
        self.dashcam.check(self.dashcam.functions.get_stats(&mut raw))?;
        let RawStats { threads, received, rejected, recorded, shed, dropped, bytes, .. } = raw;
        Ok(Stats { threads, received, rejected, recorded, shed, dropped, bytes })
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        self.dashcam.functions.stop();
    }
}

/// UTF-16 with its final zero.
fn wide(text: &str) -> Result<Vec<u16>, Error> {
    if text.contains('\0') { Err(Error::Zero) } else { Ok(text.encode_utf16().chain([0]).collect()) }
}

/// The Rust code of the integration guide compiles.
#[cfg(doctest)]
#[doc = include_str!("../../docs/integration.md")]
pub struct Guide;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_dll_is_an_error_and_no_panic() {
        let error = Dashcam::load_from("no-such-dashcam.dll").expect_err("there is none");
        assert!(error.to_string().starts_with("dashcam.dll cannot be loaded: "), "{error}");
    }

    #[test]
    fn texts_with_a_zero_are_refused() {
        assert!(matches!(wide("a\0b"), Err(Error::Zero)));
        assert_eq!(wide("é").expect("a text"), [0xE9, 0]);
    }
}
