//! The desktop on Linux: an X server without a screen, and Wine.

pub(crate) mod display;
pub(crate) mod prefix;
pub(crate) mod process;

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// What programs on a desktop must find in their environment.
pub(crate) fn environment(display: &str, prefix: &Path) -> Vec<(String, String)> {
    let pairs = [
        ("DISPLAY", display),
        ("WINEPREFIX", &prefix.display().to_string()),
        ("WINEDEBUG", "-all"),
        // Without a UTF-8 locale Wine loses every typed character outside ASCII.
        ("LC_ALL", "C.UTF-8"),
    ];
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
}

/// Runs `command` to its end with no one listening. Wine's background processes inherit standard handles: a
/// pipe would stay open as long as they live.
pub(crate) fn run_silently(command: &mut Command) -> Result<()> {
    let what = command.get_program().to_string_lossy().into_owned();
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .with_context(|| format!("cannot run {what}; `cargo xtask setup` installs it"))?;
    ensure!(status.success(), "{what} failed: {status}");
    Ok(())
}

/// Ends every Wine process of `prefix` and removes the prefix.
pub(crate) fn end_prefix(prefix: &Path) {
    if prefix.exists() {
        // An error means that no server was running: nothing to end.
        let _ = run_silently(Command::new("wineserver").arg("-k").env("WINEPREFIX", prefix));
        remove_socket_folder(prefix);
    }
    // A file that a dying process still writes may remain; the next start removes it.
    let _ = std::fs::remove_dir_all(prefix);
}

/// Debian's Wine keeps the server's socket in a folder `/tmp/wine-XXXXXX` of its own, notes that name in the
/// prefix, and never removes it.
fn remove_socket_folder(prefix: &Path) {
    let Ok(name) = std::fs::read_to_string(prefix.join("wineserver")) else { return };
    if name
        .strip_prefix("wine-")
        .is_some_and(|rest| rest.len() == 6 && rest.bytes().all(|b| b.is_ascii_alphanumeric()))
    {
        let _ = std::fs::remove_dir_all(Path::new("/tmp").join(name));
    }
}
