//! Folders that only the user can read, and files that nobody deletes while they are open.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Creates a folder, and those above it that are missing, each for the user alone. One that exists stays as
/// it is: its rights are its owner's affair.
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
    crate::system::win32::create_private_folder(path)
}

#[cfg(not(windows))]
fn create(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().mode(0o700).create(path)
}

/// A new file that others may read, and nobody may delete as long as it is open.
pub(crate) fn create_guarded(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        const FILE_SHARE_READ: u32 = 1;
        options.share_mode(FILE_SHARE_READ);
    }
    options.open(path)
}
