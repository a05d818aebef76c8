//! Where things are kept: everything the harness writes lies below the workspace's `target` folder.

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    // The harness runs where it was built: it is never shipped.
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the harness lies inside the workspace")
        .to_path_buf()
}

/// Cargo's target folder.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => workspace().join(folder),
        None => workspace().join("target"),
    }
}

/// The built programs: `x64`, `x86`, `linux` (what we ship) and `harness` (what only tests use).
pub fn dashcam() -> PathBuf {
    target().join("dashcam")
}

/// The probe that runs on the desktop beside the programs under test.
pub fn probe() -> PathBuf {
    dashcam().join("harness").join("probe.exe")
}

/// The machine whose programs are tested: x64, unless the environment says `DASHCAM_MACHINE=x86`, which
/// needs a 32-bit Wine.
pub fn machine() -> &'static str {
    if std::env::var_os("DASHCAM_MACHINE").is_some_and(|machine| machine == "x86") { "x86" } else { "x64" }
}

/// What we ship for that machine.
pub fn built() -> PathBuf {
    dashcam().join(machine())
}

/// The command that is shipped.
pub fn command() -> PathBuf {
    built().join("dashcam.exe")
}

/// A recording of `tests/recordings/steps`, as a Windows program sees it.
pub fn recording(name: &str) -> String {
    for_windows(&workspace().join("tests/recordings/steps").join(format!("{name}.dashcam")))
}

/// A sample, as a Windows program sees it.
pub fn sample_for_windows(name: &str) -> String {
    for_windows(&sample(name))
}

/// A sample, compiled for that machine.
pub fn sample(name: &str) -> PathBuf {
    built().join("samples").join(format!("{name}.exe"))
}

/// Where failed end-to-end tests leave what they had.
pub fn failed() -> PathBuf {
    target().join("e2e").join("failed")
}

/// Folders of the end-to-end tests running now.
pub fn running() -> PathBuf {
    target().join("e2e").join("running")
}

/// Prefixes and records of running desktops.
#[cfg(not(windows))]
pub(crate) fn desktops() -> PathBuf {
    target().join("desktop")
}

/// `path` as a Windows program sees it: Wine shows the whole file system as drive `Z:`.
pub fn for_windows(path: &Path) -> String {
    let text = path.display().to_string();
    if cfg!(windows) || !text.starts_with('/') { text } else { format!("Z:{}", text.replace('/', "\\")) }
}

#[cfg(all(test, not(windows)))]
mod tests {
    use super::*;

    #[test]
    fn unix_paths_become_paths_on_drive_z() {
        assert_eq!(for_windows(Path::new("/tmp/a b/c.txt")), r"Z:\tmp\a b\c.txt");
        assert_eq!(for_windows(Path::new(r"C:\windows\notepad.exe")), r"C:\windows\notepad.exe");
        assert_eq!(for_windows(Path::new("notepad")), "notepad");
    }
}
