//! What a script needs before its replay and leaves behind after it: a folder of its own, files,
//! registry values.

use crate::script::Script;
use anyhow::Context;
use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// The registry is one for all: scripts that set values run one after the other.
static REGISTRY: Mutex<()> = Mutex::new(());

/// What is there for one replay. When dropped, it is gone.
pub(crate) struct Place<'a> {
    work: TempDir,
    script: &'a Script,
    #[cfg(windows)]
    values: Vec<super::registry::Restore>,
    _registry: Option<MutexGuard<'static, ()>>,
}

impl<'a> Place<'a> {
    pub(crate) fn make(script: &'a Script) -> anyhow::Result<Self> {
        let work = folder().context("no temporary folder")?;
        let (set, removed) = script.registry(work.path())?;
        let has_registry = !set.is_empty() || !removed.is_empty();
        let registry = has_registry.then(|| REGISTRY.lock().unwrap_or_else(PoisonError::into_inner));
        for (from, to) in script.copies(work.path())? {
            copy(&from, &to)
                .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
        }
        #[cfg(not(windows))]
        anyhow::ensure!(set.is_empty(), "registry values need Windows");
        Ok(Self {
            #[cfg(windows)]
            values: set.iter().map(super::registry::set).collect::<anyhow::Result<_>>()?,
            work,
            script,
            _registry: registry,
        })
    }

    /// The folder that the application runs in.
    pub(crate) fn work(&self) -> &Path {
        self.work.path()
    }

    /// Cleans up; what could not be.
    pub(crate) fn clear(self) -> anyhow::Result<()> {
        for path in self.script.removals(self.work.path())? {
            let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            match removed {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    Err(error).with_context(|| format!("cannot remove {}", path.display()))?;
                }
                _ => {}
            }
        }
        #[cfg(windows)]
        {
            super::registry::remove(self.script.registry(self.work.path())?.1)?;
            drop(self.values);
        }
        Ok(())
    }
}

/// A new, empty folder. Digits are all of the same width in nearly every font: where an application shows its
/// name, a title or a box is as wide in every run.
fn folder() -> std::io::Result<TempDir> {
    const TRIES: usize = 100;
    let make = || {
        let number = RandomState::new().build_hasher().finish() % 10_000_000_000;
        tempfile::Builder::new().prefix(&format!("dashcam-{number:010}")).rand_bytes(0).tempdir()
    };
    let is_taken = |made: &std::io::Result<TempDir>| {
        made.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::AlreadyExists)
    };
    (1..TRIES).map(|_| make()).find(|made| !is_taken(made)).unwrap_or_else(make)
}

/// A file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_are_copied_into_the_folder_of_the_test() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("data/deep")).unwrap();
        fs::write(folder.path().join("data/deep/a.txt"), "a").unwrap();
        let path = folder.path().join("s.toml");
        let text = "log = \"l\"\napp = [\"x\"]\n[setup]\ncopy = [{ from = \"data\", to = \"in\" }]\n[cleanup]\nremove = [\"{here}/out\"]";
        fs::write(&path, text).unwrap();
        fs::write(folder.path().join("out"), "").unwrap();
        let script = Script::read(&path, "s".into()).unwrap();
        let place = Place::make(&script).unwrap();
        let work = place.work().to_owned();
        assert_eq!(fs::read_to_string(work.join("in/deep/a.txt")).unwrap(), "a");
        assert_eq!(work.file_name().unwrap().len(), "dashcam-0123456789".len());
        place.clear().unwrap();
        assert!(!work.exists() && !folder.path().join("out").exists());
    }
}
