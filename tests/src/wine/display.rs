//! The X server of a desktop.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::wait::wait_until;
use crate::wine::run_silently;

/// How long background processes live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lifetime {
    /// They end with the thread that started them, also if it is killed.
    Private,
    /// They outlive us, in a session of their own so that Ctrl-C does not reach them.
    Kept,
}

impl Lifetime {
    /// A command that replaces itself by `program`, with this lifetime. Its output must not be a pipe of
    /// ours.
    pub(crate) fn command(self, program: &str) -> Command {
        let mut command = match self {
            Lifetime::Private => {
                let mut command = Command::new("setpriv");
                command.args(["--pdeathsig", "TERM", program]);
                command
            }
            Lifetime::Kept => {
                let mut command = Command::new("setsid");
                command.arg(program);
                command
            }
        };
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

/// Starts an X server on a free display and returns it with the display's name, such as `:1`.
/// Its output is kept in `folder`.
pub(crate) fn start(folder: &Path, lifetime: Lifetime) -> Result<(Child, String)> {
    let number = folder.join("display");
    let log = folder.join("xvfb.log");
    let mut server = lifetime
        .command("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"])
        // Without this the server forgets its keyboard map as soon as the last client leaves.
        .arg("-noreset")
        .stdout(File::create(&number)?)
        .stderr(File::create(&log)?)
        .spawn()
        .context("cannot start Xvfb; `cargo xtask setup` installs it")?;
    let display = wait_until("Xvfb to choose its display", Duration::from_secs(20), || {
        if let Some(status) = server.try_wait()? {
            bail!("Xvfb ended with {status}: {}", std::fs::read_to_string(&log)?.trim());
        }
        let text = std::fs::read_to_string(&number)?;
        Ok(text.strip_suffix('\n').map(|number| format!(":{}", number.trim())))
    });
    match display {
        Ok(display) => Ok((server, display)),
        Err(error) => {
            let _ = server.kill();
            let _ = server.wait();
            Err(error)
        }
    }
}

/// Gives the display the harness's keyboard. Must happen before the first program starts: Wine reads it then.
pub(crate) fn set_keyboard(folder: &Path, display: &str) -> Result<()> {
    let keymap = folder.join("keymap.xkb");
    std::fs::write(&keymap, include_str!("keymap.xkb"))?;
    run_silently(Command::new("xkbcomp").arg("-w0").arg(&keymap).arg(display))
        .context("the keyboard map is not set")
}
