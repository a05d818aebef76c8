//! The Rust files of the repository.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use harness::folders;

/// A Rust file of the repository.
pub(super) struct Source {
    /// Relative to the root of the repository, with slashes.
    pub(super) path: String,
    pub(super) text: String,
}

/// The Rust files of the working tree, except ignored ones.
pub(super) fn all() -> Result<Vec<Source>> {
    let root = folders::workspace();
    let mut list = Command::new("git");
    list.args(["ls-files", "--cached", "--others", "--exclude-standard", "--", "*.rs"]).current_dir(&root);
    let output = list.output().context("cannot run git")?;
    ensure!(output.status.success(), "git does not list the files of {}", root.display());
    let paths = String::from_utf8(output.stdout)?;
    // A deleted file is listed until the deletion is committed.
    let present = paths.lines().filter(|path| root.join(path).is_file());
    present
        .map(|path| {
            let text = fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))?;
            Ok(Source { path: path.to_owned(), text })
        })
        .collect()
}

/// Whether a path lies in one of these folders.
pub(super) fn is_in(path: &str, folders: &[&str]) -> bool {
    folders.iter().any(|folder| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
}

/// A planted tree for the tests of the checks.
#[cfg(test)]
pub(super) fn planted(files: &[(&str, &str)]) -> Vec<Source> {
    files.iter().map(|(path, text)| Source { path: (*path).to_owned(), text: (*text).to_owned() }).collect()
}
