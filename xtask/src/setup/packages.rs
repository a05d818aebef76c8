//! Debian packages, and a check for their programs on other systems.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use super::kit::Kit;
use crate::progress::Progress;

/// A Debian package, the first kit that needs it, and a program that comes with it (by which other
/// systems are checked).
const PACKAGES: [(&str, Kit, Option<&str>); 20] = [
    ("wine", Kit::Demo, Some("wine")),
    ("wine64", Kit::Demo, None),
    ("xvfb", Kit::Demo, Some("Xvfb")),
    ("xauth", Kit::Demo, Some("xauth")),
    ("xdotool", Kit::Demo, Some("xdotool")),
    // Takes screenshots.
    ("imagemagick", Kit::Demo, Some("import")),
    ("fonts-liberation", Kit::Demo, None),
    ("gcc-mingw-w64-x86-64", Kit::Demo, Some("x86_64-w64-mingw32-gcc")),
    ("gcc-mingw-w64-i686", Kit::Build, Some("i686-w64-mingw32-gcc")),
    ("g++-mingw-w64-x86-64", Kit::All, Some("x86_64-w64-mingw32-g++")),
    ("libxml2-utils", Kit::All, Some("xmllint")),
    ("chromium", Kit::All, Some("chromium")),
    ("chromium-driver", Kit::All, Some("chromedriver")),
    ("python3-junitparser", Kit::All, None),
    // Downloads mdBook.
    ("python3-pip", Kit::All, None),
    ("nsis", Kit::All, Some("makensis")),
    ("llvm", Kit::All, Some("llvm-dlltool")),
    // Compilers for what the integration guide shows in C# and Delphi.
    ("mono-mcs", Kit::All, Some("mcs")),
    ("libmono-system-windows-forms4.0-cil", Kit::All, None),
    ("fp-compiler", Kit::All, Some("fpc")),
];

/// Installs what is missing.
pub(super) fn install(kit: Kit, progress: &Progress) -> Result<()> {
    let Some(missing) = missing_debian_packages(kit) else { return check_programs(kit) };
    if missing.is_empty() {
        return Ok(());
    }
    let mut install = vec!["apt-get", "install", "-y", "--no-install-recommends"];
    install.extend(&missing);
    let title = format!("installing {}", counted(&missing));
    // A fresh machine knows no packages, an old one knows outdated ones: both show as a failed simulation.
    let simulation = ["apt-get", "install", "--simulate", "-qq", "--no-install-recommends"];
    let is_known =
        Command::new("env").args(simulation).args(&missing).output().is_ok_and(|it| it.status.success());
    let update = || progress.stage("updating the list of packages", &mut as_root(&["apt-get", "update"]));
    let installed = if is_known { Ok(()) } else { update() }
        .and_then(|()| progress.stage(&title, &mut as_root(&install)))
        .or_else(|_| update().and_then(|()| progress.stage(&title, &mut as_root(&install))));
    if let Err(error) = installed {
        bail!("{error:#}\npackages are missing; run: sudo {}", install.join(" "));
    }
    Ok(())
}

/// `3 packages: wine, xvfb, xauth`, and no more than a line.
fn counted(packages: &[&str]) -> String {
    let (few, more) = packages.split_at(packages.len().min(3));
    let more = if more.is_empty() { "" } else { ", …" };
    let noun = if packages.len() == 1 { "package" } else { "packages" };
    format!("{} {noun} ({}{more})", packages.len(), few.join(", "))
}

fn needed(kit: Kit) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    let needed = PACKAGES.into_iter().filter(move |(_, first, _)| *first <= kit);
    needed.map(|(package, _, program)| (package, program))
}

/// None where dpkg does not manage the packages.
fn missing_debian_packages(kit: Kit) -> Option<Vec<&'static str>> {
    if !Path::new("/var/lib/dpkg/status").exists() || !is_in_path("apt-get") {
        return None;
    }
    let names: Vec<&str> = needed(kit).map(|(package, _)| package).collect();
    let mut query = Command::new("dpkg-query");
    query.args(["--show", "--showformat", "${db:Status-Status} ${Package}\n"]).args(&names);
    let output = query.stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let installed: HashSet<&str> = text.lines().filter_map(|line| line.strip_prefix("installed ")).collect();
    Some(names.into_iter().filter(|name| !installed.contains(name)).collect())
}

fn check_programs(kit: Kit) -> Result<()> {
    let programs = needed(kit).filter_map(|(_, program)| program);
    let missing: Vec<&str> = programs.filter(|program| !is_in_path(program)).collect();
    if !missing.is_empty() {
        bail!("this system is not Debian; install these programs by hand: {}", missing.join(" "));
    }
    Ok(())
}

fn is_in_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// A command as root, without asking for a password.
fn as_root(words: &[&str]) -> Command {
    let is_root =
        Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    let mut command = if is_root { Command::new("env") } else { Command::new("sudo") };
    if !is_root {
        command.args(["-n", "env"]);
    }
    command.arg("DEBIAN_FRONTEND=noninteractive").args(words);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_needs_no_compilers_of_other_languages() {
        let names: Vec<&str> = needed(Kit::Demo).map(|(package, _)| package).collect();
        assert!(names.contains(&"wine") && names.contains(&"gcc-mingw-w64-x86-64"), "{names:?}");
        for other in ["mono-mcs", "fp-compiler", "nsis", "chromium", "gcc-mingw-w64-i686"] {
            assert!(!names.contains(&other), "{other}");
        }
        assert_eq!(needed(Kit::All).count(), PACKAGES.len());
    }

    #[test]
    fn packages_are_counted() {
        assert_eq!(counted(&["wine"]), "1 package (wine)");
        assert_eq!(counted(&["a", "b", "c", "d"]), "4 packages (a, b, c, …)");
    }
}
