//! A desktop on which Windows programs run.
//!
//! On Linux: an X server and a Wine prefix of its own, all programs on one Wine desktop. A private desktop
//! lives as long as its value; what a killed run left behind is ended and removed by the next start. The kept
//! desktop of `cargo xtask desktop` stays until it is stopped. On Windows every desktop is the user's own.

use std::ffi::OsStr;
use std::process::Command;

use anyhow::{Result, bail};

#[cfg(windows)]
mod on_windows;
#[cfg(not(windows))]
mod on_wine;

#[cfg(windows)]
use on_windows as system;
#[cfg(not(windows))]
use on_wine as system;

/// Set in the environment of a process that may use the desktop.
const PROVIDED: &str = "DASHCAM_DESKTOP";

/// A desktop. Dropping a private one ends all its programs.
#[derive(Debug)]
pub struct Desktop {
    environment: Vec<(String, String)>,
    _private: Option<system::Private>,
}

impl Desktop {
    /// Starts a desktop that ends with the returned value, and at the latest with the calling thread.
    pub fn start_private() -> Result<Self> {
        let private = system::Private::start()?;
        Ok(Desktop { environment: private.environment(), _private: Some(private) })
    }

    /// The desktop that stays until [`Desktop::stop_kept`]; starts it if needed.
    pub fn kept() -> Result<Self> {
        Ok(Desktop { environment: system::kept()?, _private: None })
    }

    /// Ends the kept desktop and says whether there was one.
    pub fn stop_kept() -> Result<bool> {
        system::stop_kept()
    }

    /// The desktop that the environment provides.
    pub fn provided() -> Result<Self> {
        if std::env::var_os(PROVIDED).is_none() {
            bail!("no desktop: run `cargo xtask test`, or `eval \"$(cargo xtask desktop)\"` first");
        }
        Ok(Desktop { environment: Vec::new(), _private: None })
    }

    /// What a process must find in its environment to use this desktop.
    pub fn environment(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.environment.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        // Where a developer wants to see backtraces, Wine's 32-bit dbghelp is asked for each
        // error's, and crashes.
        pairs.chain([(PROVIDED, "1"), ("RUST_LIB_BACKTRACE", "0")])
    }

    /// A command that runs a Windows program here: a path of this system or a name such as `notepad`.
    ///
    /// Its output must go to files if more than the program itself could inherit it: under Wine, background
    /// processes that it starts keep a pipe open.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = if cfg!(windows) {
            Command::new(program)
        } else {
            let mut command = Command::new("wine");
            command.arg(program);
            command
        };
        command.envs(self.environment());
        command
    }

    /// A command of this system, not a Windows program, that works on this desktop: `xdotool`, `import`.
    pub fn tool(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.envs(self.environment());
        command
    }
}
