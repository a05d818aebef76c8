//! Crates depend on each other in one direction, and pure crates stay pure.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::sources::Source;
use crate::cargo;

/// What each crate of the workspace may depend on: the table of ARCHITECTURE.md. Dependencies of tests and
/// build scripts do not count.
const ALLOWED: &[(&str, &[&str])] = &[
    ("win32-vocabulary", &[]),
    ("message-log", &["win32-vocabulary"]),
    ("window-tree", &["message-log", "win32-vocabulary"]),
    ("steps", &["message-log", "win32-vocabulary", "window-tree"]),
    ("replay-engine", &["message-log", "replay-link", "steps", "win32-vocabulary", "window-tree"]),
    ("scenario", &["steps"]),
    ("corpus", &["message-log", "steps", "window-tree"]),
    ("hook-dll", &["message-log", "win32-vocabulary"]),
    ("replay-link", &["message-log", "win32-vocabulary"]),
    ("replay-agent", &["message-log", "replay-link", "win32-vocabulary"]),
    ("dashcam-host", &[]),
    (
        "dashcam",
        &[
            "corpus",
            "dashcam-host",
            "message-log",
            "replay-engine",
            "replay-link",
            "scenario",
            "steps",
            "win32-vocabulary",
            "window-tree",
        ],
    ),
    ("dashcam-tests", &["message-log", "win32-vocabulary"]),
    ("xtask", &["dashcam-tests", "message-log", "win32-vocabulary"]),
];

/// Directions that are to go: two pure crates use words and a rule that live with the channel to the agent.
const NOT_YET: &[(&str, &str)] = &[];

/// Crates without unsafe code and without Windows.
const PURE: &[&str] =
    &["corpus", "message-log", "replay-engine", "scenario", "steps", "win32-vocabulary", "window-tree"];

/// Every dependency that is not allowed, and every pure crate that is not pure.
pub(super) fn check(sources: &[Source]) -> Result<Vec<String>> {
    let output = cargo::command(&["metadata", "--no-deps", "--format-version", "1"]).output();
    let output = output.context("cannot run cargo")?;
    ensure!(output.status.success(), "cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    findings(&serde_json::from_slice(&output.stdout)?, sources)
}

fn findings(metadata: &Value, sources: &[Source]) -> Result<Vec<String>> {
    let root = metadata["workspace_root"].as_str().context("cargo metadata names no root")?;
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.iter().copied().collect();
    let mut findings = Vec::new();
    for package in metadata["packages"].as_array().context("cargo metadata lists no packages")? {
        let name = package["name"].as_str().context("a package has no name")?;
        let Some(allowed) = allowed.get(name) else {
            findings.push(format!("{name} is not in the table of xtask/src/structure/dependencies.rs"));
            continue;
        };
        let is_pure = PURE.contains(&name);
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            // Normal dependencies have no kind.
            let (Some(on), true) = (dependency["name"].as_str(), dependency["kind"].is_null()) else {
                continue;
            };
            let is_ours = dependency["path"].is_string();
            if is_ours && !allowed.contains(&on) && !NOT_YET.contains(&(name, on)) {
                findings.push(format!("{name} -> {on} is not an allowed direction"));
            }
            if is_pure && is_windows(on) {
                findings.push(format!("{name} is pure, but depends on {on}"));
            }
        }
        if is_pure && !forbids_unsafe(package, root, sources) {
            findings.push(format!("{name} is pure, but its lib.rs lacks #![forbid(unsafe_code)]"));
        }
    }
    Ok(findings)
}

fn is_windows(name: &str) -> bool {
    name == "windows" || name == "winapi" || name.starts_with("windows-")
}

fn forbids_unsafe(package: &Value, root: &str, sources: &[Source]) -> bool {
    let manifest = package["manifest_path"].as_str().unwrap_or_default().replace('\\', "/");
    let folder = manifest.trim_end_matches("Cargo.toml").trim_start_matches(&root.replace('\\', "/"));
    let library = format!("{}src/lib.rs", folder.trim_start_matches('/'));
    let text = sources.iter().find(|source| source.path == library).map(|source| source.text.as_str());
    text.is_some_and(|text| text.lines().any(|line| line.trim() == "#![forbid(unsafe_code)]"))
}

#[cfg(test)]
mod tests {
    use super::super::sources::planted;
    use super::*;
    use serde_json::json;

    fn found(name: &str, dependencies: Value, library: &str) -> Vec<String> {
        let package = json!({
            "name": name,
            "manifest_path": "/w/a/Cargo.toml",
            "dependencies": dependencies,
        });
        let metadata = json!({ "workspace_root": "/w", "packages": [package] });
        findings(&metadata, &planted(&[("a/src/lib.rs", library)])).unwrap()
    }

    const FORBID: &str = "#![forbid(unsafe_code)]";

    #[test]
    fn a_wrong_direction_is_found() {
        let upwards = json!([{ "name": "window-tree", "path": "/w/window-tree", "kind": null }]);
        assert_eq!(
            found("message-log", upwards.clone(), FORBID),
            ["message-log -> window-tree is not an allowed direction"]
        );
        assert_eq!(found("steps", upwards, FORBID), Vec::<String>::new());
        let in_tests = json!([{ "name": "window-tree", "path": "/w/window-tree", "kind": "dev" }]);
        assert_eq!(found("message-log", in_tests, FORBID), Vec::<String>::new());
    }

    #[test]
    fn a_pure_crate_has_no_unsafe_code_and_no_windows() {
        let windows = json!([{ "name": "windows", "path": null, "kind": null }]);
        assert_eq!(found("steps", windows.clone(), FORBID), ["steps is pure, but depends on windows"]);
        assert_eq!(found("hook-dll", windows, ""), Vec::<String>::new());
        let lacks = ["steps is pure, but its lib.rs lacks #![forbid(unsafe_code)]"];
        assert_eq!(found("steps", json!([]), "// #![forbid(unsafe_code)]"), lacks);
    }

    #[test]
    fn a_crate_without_a_row_is_found() {
        let expected = ["new is not in the table of xtask/src/structure/dependencies.rs"];
        assert_eq!(found("new", json!([]), ""), expected);
    }
}
