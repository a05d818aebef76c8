//! Packs a folder into a reproducible zip: entries are sorted, have no times and fixed permissions.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::contents::with_slashes;

/// All files below a folder, as sorted relative paths.
pub(super) fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(below) = open.pop() {
        let at = folder.join(&below);
        for entry in fs::read_dir(&at).with_context(|| format!("cannot read {}", at.display()))? {
            let (path, is_folder) =
                entry.map(|entry| (below.join(entry.file_name()), entry.path().is_dir()))?;
            if is_folder { open.push(path) } else { found.push(path) }
        }
    }
    found.sort_by_key(|path| with_slashes(path));
    Ok(found)
}

/// Packs a folder into `file`. Inside the zip, all entries are below a folder called `name`.
pub(super) fn zip(folder: &Path, name: &str, file: &Path) -> Result<PathBuf> {
    let cannot = || format!("cannot write {}", file.display());
    let mut zip = ZipWriter::new(fs::File::create(file).with_context(cannot)?);
    for path in files_below(folder)? {
        let is_program = path.file_name().is_some_and(|name| name == "dashcam");
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(if is_program { 0o755 } else { 0o644 });
        zip.start_file(format!("{name}/{}", with_slashes(&path)), options)?;
        zip.write_all(&fs::read(folder.join(&path))?).with_context(cannot)?;
    }
    zip.finish()?;
    Ok(file.to_owned())
}

/// SHA-256 checksums of all files in a folder, in the format of `sha256sum --check`.
pub(super) fn sums(folder: &Path) -> Result<String> {
    let files: Vec<_> = files_below(folder)?.into_iter().map(|file| folder.join(file)).collect();
    sums_of(folder, &files)
}

pub(super) fn sums_of(folder: &Path, files: &[PathBuf]) -> Result<String> {
    let mut lines = String::new();
    for file in files {
        let sum = Sha256::digest(fs::read(file)?);
        let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        lines += &format!("{sum}  {}\n", with_slashes(file.strip_prefix(folder)?));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_files_are_the_same_bytes() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let packed = |name: &str, order: [&str; 3]| -> Result<Vec<u8>> {
            let place = folder.path().join(name);
            for file in order {
                let file = place.join(file);
                fs::create_dir_all(file.parent().expect("a folder"))?;
                fs::write(&file, file.file_name().expect("a name").as_encoded_bytes())?;
            }
            Ok(fs::read(zip(&place, "sdk", &folder.path().join(format!("{name}.zip")))?)?)
        };
        assert_eq!(packed("one", ["b", "a/c", "a/b"])?, packed("two", ["a/b", "b", "a/c"])?);
        assert!(packed("one", ["b", "a/c", "a/b"])? != packed("three", ["a/b", "b", "a/d"])?);
        let sums = sums(&folder.path().join("one"))?;
        assert_eq!(
            sums.lines().next(),
            Some("3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d  a/b")
        );
        Ok(())
    }
}
