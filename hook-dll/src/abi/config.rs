//! The configuration of a host, checked.
#![expect(unsafe_code, reason = "declares the configuration as plain data")]

use super::arguments::{path_of, read_list, read_optional_text, read_text};
use super::status::Status;
use crate::recorder::segments::SegmentLimits;
use crate::recorder::sessions::KeepRules;
use crate::recorder::settings::{FirstThread, Settings};
use crate::shared::budget;
use crate::shared::privacy::MaskRules;
use crate::system::guarded::plain_data::PlainData;
use crate::system::{guarded, process};
use std::path::PathBuf;
use std::time::Duration;

const DAY: u32 = 86_400;
const MIN_BYTES: u64 = 256 << 10;
const MAX_BYTES: u64 = 1 << 40;
const MAX_RETENTION: u32 = 3660 * DAY;
/// Less would not suffice for what a user types.
const MIN_RATE: u32 = 16 << 10;

/// `dashcam_config`
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Config {
    pub(super) size: u32,
    pub(super) retention_seconds: u32,
    pub(super) max_bytes: u64,
    pub(super) folder: *const u16,
    pub(super) application: *const u16,
    pub(super) version: *const u16,
    pub(super) kept_sessions: u32,
    pub(super) kept_days: u32,
    pub(super) kept_bytes: u64,
    pub(super) all_mouse_moves: u32,
    pub(super) extra_messages: *const u32,
    pub(super) extra_count: u32,
    pub(super) suppressed_count: u32,
    pub(super) suppressed_messages: *const u32,
    /// Addresses of texts.
    pub(super) masked_classes: *const usize,
    pub(super) masked_class_count: u32,
    pub(super) masked_id_count: u32,
    pub(super) masked_ids: *const u32,
    pub(super) bytes_per_second: u32,
}

// SAFETY: numbers and raw pointers alone, as the C structure has them.
unsafe impl PlainData for Config {}

impl Config {
    /// The size before `bytes_per_second` was added: hosts compiled with an older header continue to work.
    pub(super) const FIRST_SIZE: usize = std::mem::offset_of!(Config, bytes_per_second);
}

/// The settings of a host without a configuration.
pub(super) fn default_settings() -> Settings {
    let program = PathBuf::from(process::program_path());
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

/// The settings of a configuration, which may be NULL.
pub(super) fn read_config(config: *const Config) -> Result<Settings, Status> {
    let mut settings = default_settings();
    if config.is_null() {
        return Ok(settings);
    }
    // The size first: an older structure may end earlier.
    let size = guarded::read(config.cast::<u32>()).ok_or(Status::BadArgument)? as usize;
    if size != size_of::<Config>() && size != Config::FIRST_SIZE {
        return Err(Status::BadArgument);
    }
    let config = guarded::read_beginning(config, size).ok_or(Status::BadArgument)?;
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
    if let Some(folder) = read_optional_text(config.folder)?.filter(|text| !text.is_empty()) {
        let folder = path_of(&folder);
        // The host may change its current folder later.
        settings.folder = std::path::absolute(&folder).unwrap_or(folder);
    }
    if let Some(name) = read_optional_text(config.application)? {
        settings.application = String::from_utf16_lossy(&name);
    }
    if let Some(version) = read_optional_text(config.version)? {
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
