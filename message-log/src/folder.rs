//! The files of a log in a folder to which a recorder may still be writing.
//!
//! A record that leaves a ring is in a segment by then. So the rings are read first and the list of segments
//! is made afterwards: a record that is read twice is returned once, and none is missed in between.

use crate::{Error, Part};
use std::fs::{self, File};
use std::io::{BufReader, Cursor, ErrorKind};
use std::path::{Path, PathBuf};

/// How many rings are read at once. If there are more, most belong to ended sessions, and they wait for their
/// turn.
const AT_ONCE: usize = 64;

/// All files in a folder and up to `levels` of subfolders, sorted by name.
pub fn files_below(folder: &Path, depth: usize) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    collect(folder, depth, &mut files)?;
    files.sort();
    Ok(files)
}

/// Those of them that are segments or rings.
pub fn parts_below(folder: &Path, depth: usize) -> Result<Vec<Part<'static>>, Error> {
    let name = |path: &Path| path.strip_prefix(folder).unwrap_or(path).display().to_string();
    let rings = with_ending(folder, depth, "ring")?;
    let mut parts = Vec::new();
    // The name of a session begins with its time.
    for (age, path) in rings.into_iter().rev().enumerate() {
        if age >= AT_ONCE {
            parts.push(Part::new(name(&path), move || File::open(&path).map(BufReader::new)));
            continue;
        }
        match fs::read(&path) {
            Ok(bytes) => parts.push(Part::new(name(&path), move || Ok(Cursor::new(bytes.clone())))),
            // The ring's thread has ended.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(_) => parts.push(Part::new(name(&path), move || File::open(&path))),
        }
    }
    let segments = with_ending(folder, depth, "xml")?.into_iter();
    parts.extend(segments.map(|path| Part::new(name(&path), move || File::open(&path).map(BufReader::new))));
    Ok(parts)
}

fn with_ending(folder: &Path, depth: usize, ending: &str) -> Result<Vec<PathBuf>, Error> {
    let mut files = files_below(folder, depth)?;
    files.retain(|path| path.extension().is_some_and(|it| it.eq_ignore_ascii_case(ending)));
    Ok(files)
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    let wrong = |cause| Error::Io { name: folder.display().to_string(), cause };
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        // A path whose type is unknown is taken, so that the log reports that it cannot be read; pipes and
        // devices are not.
        match fs::metadata(&path) {
            Ok(kind) if kind.is_dir() => {
                if depth > 0 {
                    collect(&path, depth - 1, files)?;
                }
            }
            Ok(kind) if !kind.is_file() => {}
            _ => files.push(path),
        }
    }
    Ok(())
}
