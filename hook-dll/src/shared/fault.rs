//! Fault points: places where a test makes the recorder fail. They do nothing without the feature `faults`,
//! which no shipped DLL has.
//!
//! `DASHCAM_FAULT=drain:3` panics the third time that the point `drain` is passed, `drain:3+` from then
//! on. `DASHCAM_FAULT_DISK=FILE` makes every write fail with the error number in that file, as long as
//! the file exists.

#[cfg(feature = "faults")]
pub(crate) use on::{disk, point};

/// Nothing.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub(crate) fn point(_stage: &str) {}

/// Nothing.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub(crate) fn disk() -> std::io::Result<()> {
    Ok(())
}

#[cfg(feature = "faults")]
mod on {
    use std::io;
    use std::path::PathBuf;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    struct Wanted {
        stage: String,
        number: u32,
        and_on: bool,
        passed: AtomicU32,
    }

    fn wanted() -> Option<&'static Wanted> {
        static WANTED: OnceLock<Option<Wanted>> = OnceLock::new();
        let read = || {
            let text = std::env::var("DASHCAM_FAULT").ok()?;
            let (stage, number) = text.split_once(':')?;
            let and_on = number.ends_with('+');
            let number = number.trim_end_matches('+').parse().ok()?;
            Some(Wanted { stage: stage.into(), number, and_on, passed: AtomicU32::new(0) })
        };
        WANTED.get_or_init(read).as_ref()
    }

    /// Panics if a test wants it here.
    #[track_caller]
    pub(crate) fn point(stage: &str) {
        if let Some(wanted) = wanted().filter(|wanted| wanted.stage == stage) {
            let passed = wanted.passed.fetch_add(1, Ordering::Relaxed) + 1;
            assert!(
                passed < wanted.number || passed > wanted.number && !wanted.and_on,
                "a fault at {stage}, as asked for"
            );
        }
    }

    /// Fails if a test wants it.
    pub(crate) fn disk() -> io::Result<()> {
        static FILE: OnceLock<Option<PathBuf>> = OnceLock::new();
        let Some(file) = FILE.get_or_init(|| std::env::var_os("DASHCAM_FAULT_DISK").map(PathBuf::from))
        else {
            return Ok(());
        };
        let Ok(text) = std::fs::read_to_string(file) else { return Ok(()) };
        Err(io::Error::from_raw_os_error(text.trim().parse().unwrap_or(112)))
    }
}
