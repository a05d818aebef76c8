//! Writes the licences of all third-party code we ship and a software bill of materials (CycloneDX). Cargo
//! lists the crates linked into a program for any of our systems; what linkers add is listed here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use harness::folders;
use serde::Deserialize;
use serde_json::{Value, json};

use super::compile;
use super::contents::VERSION;
use crate::cargo;

const ROOTS: [&str; 3] = ["dashcam", "hook-dll", "replay-agent"];
const TARGETS: [&str; 3] = ["x86_64-pc-windows-gnu", "i686-pc-windows-gnu", "x86_64-unknown-linux-gnu"];

/// What linkers and NSIS add, each with the Debian package that contains its licence, and the
/// licence expression.
const TOOLS: [(&str, &str, &str); 3] = [
    ("mingw-w64-runtime", "mingw-w64-common", "ZPL-2.1"),
    ("gcc-runtime", "gcc-mingw-w64-base", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    ("nsis", "nsis-common", "Zlib"),
];

/// The part of `cargo metadata` that is used here.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    /// `None` for normal dependencies, which are linked; otherwise `build` or `dev`.
    kind: Option<String>,
}

#[derive(Deserialize, Clone)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    authors: Vec<String>,
    repository: Option<String>,
    /// `None` for the workspace's own crates.
    source: Option<String>,
    manifest_path: PathBuf,
}

/// All linked crates by name and version, each with the names and versions of its dependencies.
type LinkedCrates = BTreeMap<String, (Package, BTreeSet<String>)>;

/// Writes `licences/` and `sbom.cdx.json`.
pub(super) fn write(stage: &Path) -> Result<()> {
    let mut crates = LinkedCrates::new();
    for target in TARGETS {
        collect(&metadata(target)?, &mut crates);
    }
    let folder = stage.join("licences");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("crates.txt"), licences(&crates)?)?;
    let library = compile::sysroot()?.join("share/doc/rust/COPYRIGHT-library.html");
    copy(&library, &folder.join("rust-standard-library.html"))?;
    let mut tools = vec![component("rust-standard-library", &rust_version()?, "MIT OR Apache-2.0")];
    for (name, package, licence) in TOOLS {
        let text = Path::new("/usr/share/doc").join(package).join("copyright");
        copy(&text, &folder.join(format!("{name}.txt")))?;
        tools.push(component(name, &package_version(package)?, licence));
    }
    let lock = fs::read_to_string(folders::workspace().join("Cargo.lock"))?;
    let bom = serde_json::to_string_pretty(&bill(&crates, &checksums(&lock), tools))?;
    fs::write(stage.join("sbom.cdx.json"), bom + "\n")?;
    Ok(())
}

fn rust_version() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output().context("rustc cannot be run")?;
    let told = String::from_utf8(output.stdout)?;
    let release = told.lines().find_map(|line| line.strip_prefix("release: "));
    Ok(release.context("rustc does not print its version")?.to_owned())
}

fn package_version(package: &str) -> Result<String> {
    let query = ["--show", "--showformat", "${Version}", package];
    let output = Command::new("dpkg-query").args(query).output().context("cannot run dpkg-query")?;
    ensure!(output.status.success(), "the package {package} is missing: run cargo xtask setup");
    Ok(String::from_utf8(output.stdout)?)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("the licence {} is missing", from.display()))?;
    Ok(())
}

fn metadata(target: &str) -> Result<Metadata> {
    let mut command =
        cargo::command(&["metadata", "--format-version", "1", "--locked", "--filter-platform", target]);
    let output = command.output().context("cannot run cargo metadata")?;
    ensure!(output.status.success(), "cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn collect(metadata: &Metadata, crates: &mut LinkedCrates) {
    let packages: BTreeMap<&str, &Package> = metadata.packages.iter().map(|p| (p.id.as_str(), p)).collect();
    let nodes: BTreeMap<&str, &Node> = metadata.resolve.nodes.iter().map(|n| (n.id.as_str(), n)).collect();
    let is_root = |package: &&Package| package.source.is_none() && ROOTS.contains(&package.name.as_str());
    let mut open: Vec<&str> =
        metadata.packages.iter().filter(is_root).map(|package| package.id.as_str()).collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        let (Some(package), Some(node)) = (packages.get(id), nodes.get(id)) else { continue };
        if !seen.insert(id) {
            continue;
        }
        let linked = node.deps.iter().filter(|dep| dep.dep_kinds.iter().any(|kind| kind.kind.is_none()));
        let linked: Vec<&str> = linked.map(|dep| dep.pkg.as_str()).collect();
        let names = linked.iter().filter_map(|id| packages.get(id)).map(|package| reference(package));
        crates
            .entry(reference(package))
            .or_insert_with(|| ((*package).clone(), BTreeSet::new()))
            .1
            .extend(names);
        open.extend(linked);
    }
}

fn reference(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version)
}

/// The licence of every third-party crate. Shared texts appear once.
fn licences(crates: &LinkedCrates) -> Result<String> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut list = String::new();
    for (package, _) in crates.values().filter(|(package, _)| package.source.is_some()) {
        let name = format!("{} {}", package.name, package.version);
        let licence = package.license.as_deref().with_context(|| format!("{name} has no licence"))?;
        list += &format!("{name}: {licence}");
        if !package.authors.is_empty() {
            let authors: Vec<_> =
                package.authors.iter().map(|author| author.split(" <").next().unwrap_or(author)).collect();
            list += &format!(", by {}", authors.join(", "));
        }
        let found = licence_files(package)?;
        if found.is_empty() {
            list += &format!(
                " (no text of its own; see {})",
                package.repository.as_deref().unwrap_or("the standard texts")
            );
        }
        list.push('\n');
        for text in found {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    let mut all = format!("Crates that are part of Dashcam {VERSION}, with their licences.\n\n{list}");
    for (text, names) in texts {
        all += &format!("\n{}\n{}\n\n{}\n", "=".repeat(80), names.join(", "), text.trim());
    }
    Ok(all)
}

fn licence_files(package: &Package) -> Result<Vec<String>> {
    let folder = package.manifest_path.parent().context("a manifest lies in a folder")?;
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.sort();
    let is_licence = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        file.is_file()
            && ["licen", "copying", "copyright", "notice", "unlicense"]
                .iter()
                .any(|begin| name.starts_with(begin))
    };
    let texts = files
        .into_iter()
        .filter(is_licence)
        .map(|file| Ok(String::from_utf8_lossy(&fs::read(file)?).replace("\r\n", "\n")));
    texts.collect()
}

/// The checksums of `Cargo.lock`, by name and version.
fn checksums(lock: &str) -> BTreeMap<String, String> {
    let value = |block: &str, key: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('='))?;
        Some(line.trim().trim_matches('"').to_owned())
    };
    let of = |block: &str| {
        let key = format!("pkg:cargo/{}@{}", value(block, "name")?, value(block, "version")?);
        Some((key, value(block, "checksum")?))
    };
    lock.split("[[package]]").filter_map(of).collect()
}

/// A component that is not a crate.
fn component(name: &str, version: &str, licence: &str) -> Value {
    json!({ "type": "library", "bom-ref": name, "name": name, "version": version, "licenses": [{ "expression": licence }] })
}

/// The bill of materials: crates, and the components that `tools` add to every program.
fn bill(crates: &LinkedCrates, sums: &BTreeMap<String, String>, tools: Vec<Value>) -> Value {
    let component = |(reference, (package, _)): (&String, &(Package, BTreeSet<String>))| {
        let mut component = json!({
            "type": if ROOTS.contains(&package.name.as_str()) && package.source.is_none() { "application" } else { "library" },
            "bom-ref": reference,
            "name": package.name,
            "version": package.version,
            "purl": reference,
        });
        if let Some(licence) = &package.license {
            // Old manifests join licences with a slash.
            component["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
        }
        if let Some(sum) = sums.get(reference) {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
        }
        component
    };
    let dependency = |(reference, (_, uses)): (&String, &(Package, BTreeSet<String>))| json!({ "ref": reference, "dependsOn": uses });
    let is_root = |(_, (package, _)): &(&String, &(Package, BTreeSet<String>))| {
        package.source.is_none() && ROOTS.contains(&package.name.as_str())
    };
    let roots = crates.iter().filter(is_root).map(|(reference, _)| json!(reference));
    let whole = json!({ "ref": "dashcam-sdk", "dependsOn": roots.chain(tools.iter().map(|tool| tool["bom-ref"].clone())).collect::<Vec<_>>() });
    let components: Vec<Value> = crates.iter().map(component).chain(tools).collect();
    let dependencies: Vec<Value> = [whole].into_iter().chain(crates.iter().map(dependency)).collect();
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": { "type": "application", "bom-ref": "dashcam-sdk", "name": "dashcam-sdk", "version": VERSION } },
        "components": components,
        "dependencies": dependencies,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_come_from_the_lock() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"00ff\"\n\n[[package]]\nname = \"ours\"\nversion = \"0.1.0\"\n";
        assert_eq!(checksums(lock), BTreeMap::from([("pkg:cargo/a@1.0.0".to_owned(), "00ff".to_owned())]));
    }

    #[test]
    fn what_is_linked_is_listed_and_nothing_else() -> Result<()> {
        let metadata: Metadata = serde_json::from_value(json!({
            "packages": [
                { "id": "1", "name": "dashcam", "version": "0.1.0", "license": "MIT", "authors": [], "repository": null, "source": null, "manifest_path": "/x/Cargo.toml" },
                { "id": "2", "name": "linked", "version": "1.0.0", "license": "MIT/Apache-2.0", "authors": [], "repository": null, "source": "r", "manifest_path": "/x/Cargo.toml" },
                { "id": "3", "name": "tested", "version": "1.0.0", "license": "MIT", "authors": [], "repository": null, "source": "r", "manifest_path": "/x/Cargo.toml" },
            ],
            "resolve": { "nodes": [
                { "id": "1", "deps": [{ "pkg": "2", "dep_kinds": [{ "kind": null }] }, { "pkg": "3", "dep_kinds": [{ "kind": "dev" }] }] },
                { "id": "2", "deps": [] },
                { "id": "3", "deps": [] },
            ] },
        }))?;
        let mut crates = LinkedCrates::new();
        collect(&metadata, &mut crates);
        let bill = bill(
            &crates,
            &BTreeMap::from([("pkg:cargo/linked@1.0.0".to_owned(), "00ff".to_owned())]),
            vec![component("std", "1.0.0", "MIT")],
        );
        let names: Vec<_> =
            bill["components"].as_array().into_iter().flatten().map(|c| c["name"].clone()).collect();
        assert_eq!(names, ["dashcam", "linked", "std"]);
        assert_eq!(bill["components"][1]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(bill["components"][1]["hashes"][0]["content"], "00ff");
        assert_eq!(bill["dependencies"][0]["dependsOn"], json!(["pkg:cargo/dashcam@0.1.0", "std"]));
        assert_eq!(bill["dependencies"][1]["dependsOn"], json!(["pkg:cargo/linked@1.0.0"]));
        Ok(())
    }
}
