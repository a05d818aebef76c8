//! Folders that only the user can read.

use std::io;
use std::path::Path;

/// Creates a folder, and those above it that are missing, each for the user alone. One that exists stays as it is: its rights
/// are its owner's affair.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(above) = path.parent().filter(|above| !above.as_os_str().is_empty()) {
        create_folder(above)?;
    }
    create(path).or_else(|error| if path.is_dir() { Ok(()) } else { Err(error) })
}

#[cfg(windows)]
fn create(path: &Path) -> io::Result<()> {
    crate::win32::create_private_folder(path)
}

#[cfg(not(windows))]
fn create(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().mode(0o700).create(path)
}
