//! Which files are a log: one file, or the segments and rings below a folder.

use anyhow::{Context, bail};
use message_log::{Log, Part};
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// What is said of a file that is none, behind its name.
pub(crate) const NO_LOG: &str =
    "is not a dashcam log: name a folder of segments, an .xml, a .dashcam, a .ring or a trace with UL: lines";

/// The recorder keeps each session in a folder of its own; a folder of such folders is a log too.
const DEPTH: usize = 2;

/// Every file at a path or below it, log or not.
pub(crate) fn all(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    if path.is_dir() {
        collect(path, DEPTH, |_| true, &mut files)?;
    } else {
        files.push(path.to_path_buf());
    }
    Ok(files)
}

/// Opens the log at a path.
pub(crate) fn open(path: &Path) -> anyhow::Result<Log<'static>> {
    let kind = fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut files = Vec::new();
    if kind.is_dir() {
        collect(path, DEPTH, has_log_name, &mut files)?;
        if files.is_empty() {
            bail!("{} holds no log: a segment ends in .xml, a ring in .ring", path.display());
        }
    } else if kind.is_file() {
        files.push(path.to_path_buf());
    } else {
        bail!("{} is neither a file nor a folder: save it to a file first", path.display());
    }
    let parts = files.into_iter().map(|file| {
        let below = file.strip_prefix(path).ok().filter(|below| !below.as_os_str().is_empty());
        let name = below.unwrap_or(&file).display().to_string();
        Part::new(name, move || File::open(&file).map(BufReader::new))
    });
    Ok(Log::open(parts.collect())?)
}

fn collect(
    folder: &Path,
    depth: usize,
    is_wanted: fn(&Path) -> bool,
    files: &mut Vec<PathBuf>,
) -> anyhow::Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry.with_context(|| format!("cannot read {}", folder.display()))?.path();
        // What cannot be asked about is taken, so that the log says it cannot be read; pipes and devices are not.
        let kind = fs::metadata(&path);
        if kind.as_ref().is_ok_and(fs::Metadata::is_dir) {
            if depth > 0 {
                collect(&path, depth - 1, is_wanted, files)?;
            }
        } else if kind.map_or(true, |kind| kind.is_file()) && is_wanted(&path) {
            files.push(path);
        }
    }
    Ok(())
}

fn has_log_name(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("xml") || e.eq_ignore_ascii_case("ring"))
}
