//! Folders that only the user can access, and files that nobody can delete while they are open.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Creates a folder and its missing parents, each accessible to the user only. A folder that exists
/// keeps its rights.
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
    crate::system::private_folder::create_private_folder(path)
}

#[cfg(not(windows))]
fn create(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().mode(0o700).create(path)
}

/// Creates a file that others can read and nobody can delete while it is open.
pub(crate) fn create_guarded(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        options.share_mode(win32_vocabulary::files::FILE_SHARE_READ);
    }
    options.open(path)
}
