//! Rust targets and components, by rustup.

use std::process::Command;

use anyhow::{Result, bail};

use super::kit::Kit;
use crate::progress::Progress;

/// Targets, each with the first kit that needs it.
const TARGETS: &[(&str, Kit)] = if cfg!(not(windows)) {
    &[
        ("x86_64-pc-windows-gnu", Kit::Demo),
        ("i686-pc-windows-gnu", Kit::Build),
        ("x86_64-pc-windows-msvc", Kit::All),
    ]
} else if cfg!(target_env = "msvc") {
    &[("x86_64-pc-windows-msvc", Kit::Demo), ("i686-pc-windows-msvc", Kit::Build)]
} else {
    &[("x86_64-pc-windows-gnu", Kit::Demo), ("i686-pc-windows-gnu", Kit::Build)]
};

const COMPONENTS: [&str; 2] = ["rustfmt", "clippy"];

/// Installs what is missing.
pub(super) fn install(kit: Kit, progress: &Progress) -> Result<()> {
    let targets: Vec<&str> =
        TARGETS.iter().filter(|(_, first)| *first <= kit).map(|(target, _)| *target).collect();
    add("target", &missing(&["target", "list", "--installed"], &targets)?, progress)?;
    if kit == Kit::All {
        let components = missing(&["component", "list", "--installed"], &COMPONENTS)?;
        add("component", &components, progress)?;
    }
    Ok(())
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

fn add(kind: &str, names: &[&str], progress: &Progress) -> Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    let mut command = Command::new("rustup");
    command.args([kind, "add"]).args(names);
    let title = format!("adding the Rust {kind}s {}", names.join(", "));
    if let Err(error) = progress.stage(&title, &mut command) {
        bail!("{error:#}\nrun: rustup {kind} add {}", names.join(" "));
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
