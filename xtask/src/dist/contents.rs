//! Lists the programs of the SDK: where they are built, and where they are in the SDK.

use std::path::{Path, PathBuf};

pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A path with slashes, as zips and checksum files require on every system.
pub(super) fn with_slashes(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Folders with the prefix of their binutils.
pub(super) const MACHINES: [(&str, &str); 2] = [("x64", "x86_64-w64-mingw32"), ("x86", "i686-w64-mingw32")];

/// The shipped files for Windows.
pub(super) const WINDOWS: [&str; 3] = ["dashcam.dll", "dashcam-agent.dll", "dashcam.exe"];

/// All binaries: path below `programs`, path in the SDK, prefix of the binutils.
pub(super) fn binaries() -> Vec<(PathBuf, PathBuf, String)> {
    let windows = MACHINES.into_iter().flat_map(|(machine, tools)| {
        WINDOWS.into_iter().map(move |file| {
            (Path::new(machine).join(file), Path::new("bin").join(machine).join(file), format!("{tools}-"))
        })
    });
    windows
        .chain([(PathBuf::from("linux/dashcam"), PathBuf::from("bin/linux/dashcam"), String::new())])
        .collect()
}
