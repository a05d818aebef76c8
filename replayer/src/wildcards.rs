//! `*` and `?` in the names of files. Shells of other systems put the files there themselves; those of
//! Windows leave it to the program.

use anyhow::{Context, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// Each path, or the files it stands for, sorted. What has wildcards only above its last name
/// is taken as it is.
pub(crate) fn expand(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for path in paths {
        match pattern(path) {
            Some((folder, pattern)) => all.extend(files(path, folder, pattern)?),
            None => all.push(path.clone()),
        }
    }
    Ok(all)
}

/// The folder and the pattern of a path that stands for several. A file may be called so where names
/// may have a star.
fn pattern(path: &Path) -> Option<(&Path, &str)> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    (name.contains(['*', '?']) && !path.exists()).then_some((folder, name))
}

fn files(path: &Path, folder: &Path, pattern: &str) -> anyhow::Result<Vec<PathBuf>> {
    let cannot = || format!("cannot read {}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(cannot)? {
        let name = entry.with_context(cannot)?.file_name();
        if fits(&pattern.to_lowercase(), &name.to_string_lossy().to_lowercase()) {
            found.push(path.with_file_name(name));
        }
    }
    if found.is_empty() {
        bail!("no file is called {}: check the name and the folder", path.display());
    }
    found.sort();
    Ok(found)
}

/// Whether a name is one of those a pattern stands for.
fn fits(pattern: &str, name: &str) -> bool {
    let rest = |text: &str| text.chars().next().map(char::len_utf8);
    match (pattern.chars().next(), rest(name)) {
        (None, first) => first.is_none(),
        (Some('*'), first) => {
            fits(&pattern[1..], name) || first.is_some_and(|length| fits(pattern, &name[length..]))
        }
        (Some('?'), Some(length)) => fits(&pattern[1..], &name[length..]),
        (Some(letter), _) => {
            name.strip_prefix(letter).is_some_and(|name| fits(&pattern[letter.len_utf8()..], name))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_text_and_a_question_mark_any_letter() {
        for (pattern, name, expected) in [
            ("*.log", "a.log", true),
            ("*.log", "a.log.txt", false),
            ("*", "", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("?ü?.x", "müß.x", true),
            ("?", "", false),
            ("a", "", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn files_are_found_in_order_and_none_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["2.dashcam", "1.DASHCAM", "other.txt"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let (given, own) = (folder.path().join("*.dashcam"), folder.path().join("other.txt"));
        let found = expand(&[given, own.clone()]).unwrap();
        assert_eq!(found, [folder.path().join("1.DASHCAM"), folder.path().join("2.dashcam"), own]);
        let none = expand(&[folder.path().join("*.xml")]).unwrap_err().to_string();
        assert!(none.contains("*.xml: check the name"), "{none}");
        assert_eq!(expand(&["gone.dashcam".into()]).unwrap(), [PathBuf::from("gone.dashcam")]);
    }
}
