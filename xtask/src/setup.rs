//! What a machine with only Rust lacks: Debian packages and Rust targets. Fast when everything is there.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};
use harness::folders;

use crate::cargo;

/// Debian packages, each with a program that comes with it (by which other systems are checked).
const PACKAGES: [(&str, Option<&str>); 19] = [
    ("wine", Some("wine")),
    ("wine64", None),
    ("xvfb", Some("Xvfb")),
    ("xauth", Some("xauth")),
    ("xdotool", Some("xdotool")),
    ("imagemagick", Some("import")),
    ("gcc-mingw-w64-x86-64", Some("x86_64-w64-mingw32-gcc")),
    ("g++-mingw-w64-x86-64", Some("x86_64-w64-mingw32-g++")),
    ("gcc-mingw-w64-i686", Some("i686-w64-mingw32-gcc")),
    ("fonts-liberation", None),
    ("libxml2-utils", Some("xmllint")),
    ("chromium", Some("chromium")),
    ("chromium-driver", Some("chromedriver")),
    ("python3-junitparser", None),
    ("nsis", Some("makensis")),
    ("llvm", Some("llvm-dlltool")),
    // Compilers for what the integration guide shows in C# and Delphi.
    ("mono-mcs", Some("mcs")),
    ("libmono-system-windows-forms4.0-cil", None),
    ("fp-compiler", Some("fpc")),
];

/// What makes a book of the documentation.
const MDBOOK: &str = "0.5.4";

const TARGETS: &[&str] = if cfg!(not(windows)) {
    &["x86_64-pc-windows-gnu", "i686-pc-windows-gnu", "x86_64-pc-windows-msvc"]
} else if cfg!(target_env = "msvc") {
    &["x86_64-pc-windows-msvc", "i686-pc-windows-msvc"]
} else {
    &["x86_64-pc-windows-gnu", "i686-pc-windows-gnu"]
};

const COMPONENTS: [&str; 2] = ["rustfmt", "clippy"];

/// Installs what is missing, or says in one sentence what to do.
pub(crate) fn run() -> Result<()> {
    if cfg!(target_os = "linux") {
        install_packages()?;
    }
    install_rust_parts()
}

/// mdBook, built once into `target/tools` if it is not there: no Debian has it. Unoptimised, which is soon
/// done: our book is small.
pub(crate) fn mdbook() -> Result<PathBuf> {
    let tools = folders::target().join("tools");
    let program = tools.join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX));
    let is_there = Command::new(&program).arg("--version").output().is_ok_and(|output| {
        String::from_utf8_lossy(&output.stdout).trim().trim_start_matches("mdbook ").trim_start_matches('v')
            == MDBOOK
    });
    if !is_there {
        eprintln!("building mdBook {MDBOOK}");
        let args = [
            "install",
            "mdbook",
            "--debug",
            "--quiet",
            "--locked",
            "--force",
            "--no-default-features",
            "--features",
            "search",
            "--version",
            MDBOOK,
            "--root",
        ];
        cargo::check(cargo::command(&args).arg(&tools).stdout(std::io::stderr()))?;
    }
    Ok(program)
}

fn install_packages() -> Result<()> {
    let Some(missing) = missing_debian_packages() else { return check_programs() };
    if missing.is_empty() {
        return Ok(());
    }
    eprintln!("installing {}", missing.join(" "));
    let mut install = vec!["apt-get", "install", "-y", "--no-install-recommends"];
    install.extend(&missing);
    // A fresh machine knows no packages, an old one knows outdated ones: both show as a failed installation.
    let done = as_root(&install) || (as_root(&["apt-get", "update"]) && as_root(&install));
    if !done {
        bail!("packages are missing; run: sudo {}", install.join(" "));
    }
    Ok(())
}

/// None where dpkg does not manage the packages.
fn missing_debian_packages() -> Option<Vec<&'static str>> {
    if !Path::new("/var/lib/dpkg/status").exists() || !is_in_path("apt-get") {
        return None;
    }
    let names = PACKAGES.map(|(package, _)| package);
    let mut query = Command::new("dpkg-query");
    query.args(["--show", "--showformat", "${db:Status-Status} ${Package}\n"]).args(names);
    let output = query.stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let installed: HashSet<&str> = text.lines().filter_map(|line| line.strip_prefix("installed ")).collect();
    Some(names.into_iter().filter(|name| !installed.contains(name)).collect())
}

fn check_programs() -> Result<()> {
    let missing: Vec<&str> =
        PACKAGES.iter().filter_map(|(_, program)| *program).filter(|program| !is_in_path(program)).collect();
    if !missing.is_empty() {
        bail!("this is no Debian; install these programs by hand: {}", missing.join(" "));
    }
    Ok(())
}

fn is_in_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Runs a command as root, without asking for a password. Its output goes to standard error: standard output
/// may be for `eval`.
fn as_root(words: &[&str]) -> bool {
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    let mut command = if root { Command::new("env") } else { Command::new("sudo") };
    if !root {
        command.args(["-n", "env"]);
    }
    command.arg("DEBIAN_FRONTEND=noninteractive").args(words).stdin(Stdio::null()).stdout(std::io::stderr());
    command.status().is_ok_and(|status| status.success())
}

fn install_rust_parts() -> Result<()> {
    let targets = missing(&["target", "list", "--installed"], TARGETS)?;
    let components = missing(&["component", "list", "--installed"], &COMPONENTS)?;
    add("target", &targets)?;
    add("component", &components)
}

/// Which of `wanted` rustup does not list. Components carry the host's name behind their own.
fn missing<'a>(list: &[&str], wanted: &[&'a str]) -> Result<Vec<&'a str>> {
    let Ok(output) = Command::new("rustup").args(list).output() else {
        bail!("rustup is missing; install it from https://rustup.rs");
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let is_listed = |name: &str| text.lines().any(|line| is_named(line, name));
    Ok(wanted.iter().copied().filter(|name| !is_listed(name)).collect())
}

fn is_named(line: &str, name: &str) -> bool {
    line.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

fn add(kind: &str, names: &[&str]) -> Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    eprintln!("adding the Rust {kind}s {}", names.join(" "));
    let mut command = Command::new("rustup");
    command.args([kind, "add"]).args(names).stdout(std::io::stderr());
    if !command.status().is_ok_and(|status| status.success()) {
        bail!("the Rust {kind}s are missing; run: rustup {kind} add {}", names.join(" "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_named;

    #[test]
    fn a_longer_name_is_another_target() {
        assert!(is_named("x86_64-pc-windows-gnu", "x86_64-pc-windows-gnu"));
        assert!(is_named("clippy-x86_64-unknown-linux-gnu", "clippy"));
        assert!(!is_named("x86_64-pc-windows-gnullvm", "x86_64-pc-windows-gnu"));
    }
}
