//! Which files are a log: one file, or the segments and rings below a folder.

use anyhow::{Context, bail};
use message_log::{Log, Part};
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// The recorder keeps sessions one level below its folder; deeper is not ours.
const DEPTH: usize = 2;

/// Opens the log at a path.
pub(crate) fn open(path: &Path) -> anyhow::Result<Log<'static>> {
    let kind = fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut files = Vec::new();
    if kind.is_dir() {
        collect(path, DEPTH, &mut files)?;
        if files.is_empty() {
            bail!("{} holds no log: a segment ends in .xml, a ring in .ring", path.display());
        }
    } else {
        files.push(path.to_path_buf());
    }
    let parts = files.into_iter().map(|file| {
        let below = file.strip_prefix(path).ok().filter(|below| !below.as_os_str().is_empty());
        let name = below.unwrap_or(&file).display().to_string();
        Part::new(name, move || File::open(&file).map(BufReader::new))
    });
    Ok(Log::open(parts.collect())?)
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry.with_context(|| format!("cannot read {}", folder.display()))?.path();
        if path.is_dir() {
            if depth > 0 {
                collect(&path, depth - 1, files)?;
            }
        } else if path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("xml") || e.eq_ignore_ascii_case("ring"))
        {
            files.push(path);
        }
    }
    Ok(())
}
