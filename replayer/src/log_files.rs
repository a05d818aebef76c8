//! Which files are a log: one file, or the segments and rings below a folder.

use anyhow::{Context, bail};
use message_log::{Log, Part, files_below, parts_below};
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
    Ok(if path.is_dir() { files_below(path, DEPTH)? } else { vec![path.into()] })
}

/// Opens the log at a path.
pub(crate) fn open(path: &Path) -> anyhow::Result<Log<'static>> {
    let kind = fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    if kind.is_dir() {
        let parts = parts_below(path, DEPTH)?;
        if parts.is_empty() {
            let is_export =
                |file: &PathBuf| file.extension().is_some_and(|it| it.eq_ignore_ascii_case("dashcam"));
            let example = files_below(path, DEPTH)?.into_iter().find(is_export);
            let remedy = example.map_or_else(
                || "a segment ends in .xml, a ring in .ring".into(),
                |file| {
                    format!("each .dashcam in it is a log of its own: name one, such as {}", file.display())
                },
            );
            bail!("{} holds no log: {remedy}", path.display());
        }
        return Ok(Log::open(parts)?);
    }
    if !kind.is_file() {
        bail!("{} is neither a file nor a folder: save it to a file first", path.display());
    }
    let file = path.to_path_buf();
    Ok(Log::open(vec![Part::new(path.display().to_string(), move || File::open(&file).map(BufReader::new))])?)
}
