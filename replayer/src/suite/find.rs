//! Which scripts there are: the files that are named, and every `.toml` below the folders that are.

use crate::script::Script;
use crate::wildcards;
use anyhow::{Context, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};

/// All scripts, by name. All that is wrong with them is told at once.
pub(crate) fn find(paths: &[PathBuf]) -> anyhow::Result<Vec<Script>> {
    let (mut scripts, mut wrong) = (Vec::new(), Vec::new());
    for path in &wildcards::expand(paths)? {
        let kind = fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut files = vec![path.clone()];
        if kind.is_dir() {
            files.clear();
            collect(path, &mut files)?;
            ensure!(!files.is_empty(), "{} holds no script: they end in .toml", path.display());
        }
        for file in files {
            let base = if kind.is_dir() { path.as_path() } else { path.parent().unwrap_or(path) };
            match Script::read(&file, name(base, &file)) {
                Ok(script) => scripts.push(script),
                Err(error) => wrong.push(format!("{error:#}")),
            }
        }
    }
    if !wrong.is_empty() {
        bail!("{}", wrong.join("\n"));
    }
    // One that was named twice keeps the name below the outer folder.
    scripts.sort_by(|a, b| (&a.path, b.name.len()).cmp(&(&b.path, a.name.len())));
    scripts.dedup_by(|a, b| a.path == b.path);
    scripts.sort_by(|a, b| a.name.cmp(&b.name));
    // Results and the history go by name.
    if let Some(two) = scripts.windows(2).find(|two| two[0].name == two[1].name) {
        let [one, other] = [&two[0], &two[1]].map(|script| script.path.display().to_string());
        bail!("{one} and {other} have the same name: name the folder above both, or rename one");
    }
    Ok(scripts)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
            files.push(path);
        }
    }
    Ok(())
}

/// The path below the folder, without its ending.
fn name(base: &Path, file: &Path) -> String {
    let below = file.strip_prefix(base).unwrap_or(file).with_extension("");
    below.display().to_string().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_found_below_folders_and_wrong_ones_told_together() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir(root.join("sub")).unwrap();
        let good = "log = \"a\"\napp = [\"b\"]\n";
        for (file, text) in [("b.toml", good), ("sub/a.toml", good), ("readme.md", "x")] {
            fs::write(root.join(file), text).unwrap();
        }
        let names = |paths: &[PathBuf]| {
            find(paths).map(|all| all.into_iter().map(|script| script.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&[root.into(), root.join("b.toml")]).unwrap(), ["b", "sub/a"]);
        assert_eq!(names(&[root.join("sub"), root.into()]).unwrap(), ["b", "sub/a"]);
        assert_eq!(names(&[root.join("*.toml")]).unwrap(), ["b"]);
        fs::create_dir(root.join("other")).unwrap();
        fs::write(root.join("other/a.toml"), good).unwrap();
        let error = names(&[root.join("sub"), root.join("other")]).unwrap_err().to_string();
        assert!(error.contains("a.toml have the same name: name the folder above both"), "{error}");
        fs::write(root.join("c.toml"), "\nlog = 1").unwrap();
        fs::write(root.join("d.toml"), "x").unwrap();
        let error = names(&[root.into()]).unwrap_err().to_string();
        assert!(error.contains("c.toml:2: ") && error.contains("d.toml:1: "), "{error}");
        assert!(names(&[root.join("none")]).is_err());
    }
}
