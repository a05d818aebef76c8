//! Builds what we ship, and what the end-to-end tests need, into `target/dashcam`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use harness::folders;

use crate::progress::Progress;
use crate::setup::Kit;
use crate::{cargo, samples, setup};

/// What is built, and how the command is: fast to build for tests, fast to run for what is measured. The DLLs
/// are always as they are shipped.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Purpose {
    /// For x64 Windows only
    Demo,
    Tests,
    Measurements,
}

impl Purpose {
    const fn profile(self) -> &'static str {
        match self {
            Self::Demo | Self::Tests => "dev",
            Self::Measurements => "release",
        }
    }

    const fn kit(self) -> Kit {
        match self {
            Self::Demo => Kit::Demo,
            Self::Tests | Self::Measurements => Kit::Build,
        }
    }

    /// The folders below `target/dashcam`, each with its target.
    const fn machines(self) -> &'static [(&'static str, &'static str)] {
        const ALL: &[(&str, &str)] = &[("x64", X64), ("x86", X86)];
        match self {
            Self::Demo => ALL.split_at(1).0,
            Self::Tests | Self::Measurements => ALL,
        }
    }
}

const ENVIRONMENT: &str = if cfg!(all(windows, target_env = "msvc")) { "msvc" } else { "gnu" };
pub(crate) const X64: &str =
    if cfg!(all(windows, target_env = "msvc")) { "x86_64-pc-windows-msvc" } else { "x86_64-pc-windows-gnu" };
const X86: &str =
    if cfg!(all(windows, target_env = "msvc")) { "i686-pc-windows-msvc" } else { "i686-pc-windows-gnu" };
/// The profile of what is shipped: optimised as a whole.
const SHIPPED: &str = "dist";

/// Builds everything: what goes together in one call of cargo, so that both cores have work while one links.
pub(crate) fn run(purpose: Purpose, progress: &Progress) -> Result<()> {
    setup::run(purpose.kit(), progress)?;
    let (profile, machines) = (purpose.profile(), purpose.machines());
    let targets: Vec<&str> = machines.iter().flat_map(|(_, target)| ["--target", *target]).collect();
    let dlls = ["--package", "hook-dll", "--package", "replay-agent", "--lib"];
    build(progress, "building the recorder and the agent", SHIPPED, &[&dlls[..], &targets].concat())?;
    let command = ["--package", "dashcam", "--bin", "dashcam"];
    build(progress, "building the command", profile, &[&command[..], &targets].concat())?;
    let probe = ["--package", "dashcam-tests", "--bin", "probe", "--target", X64];
    build(progress, "building the probe", "dev", &probe)?;
    let mut count = 1;
    for (folder, target) in machines {
        // The agent goes where `dashcam.exe` is and never to customers. A library's name has no
        // hyphen, the file's has.
        place(&built(target, SHIPPED, "dashcam.dll"), folder, "dashcam.dll")?;
        place(&built(target, SHIPPED, "dashcam_agent.dll"), folder, "dashcam-agent.dll")?;
        place(&built(target, profile, "dashcam.exe"), folder, "dashcam.exe")?;
        count += 3;
    }
    place(&built(X64, "dev", "probe.exe"), "harness", "probe.exe")?;
    if cfg!(target_os = "linux") && purpose != Purpose::Demo {
        build(progress, "building the command for this system", profile, &command)?;
        place(&built("", profile, "dashcam"), "linux", "dashcam")?;
        count += 1;
    }
    count += samples::run(&samples::MACHINES[..machines.len()])?;
    println!("built {count} programs ({ENVIRONMENT}) into {}", folders::dashcam().display());
    Ok(())
}

fn build(progress: &Progress, title: &str, profile: &str, what: &[&str]) -> Result<()> {
    progress.stage(title, &mut cargo::command(&[&["build", "--profile", profile], what].concat()))
}

/// Where cargo puts what it has built; without a target for the machine we build on.
fn built(target: &str, profile: &str, file: &str) -> PathBuf {
    folders::target().join(target).join(if profile == "dev" { "debug" } else { profile }).join(file)
}

/// Copies a file to its place below `target/dashcam`.
fn place(from: &Path, folder: &str, file: &str) -> Result<()> {
    let folder = folders::dashcam().join(folder);
    fs::create_dir_all(&folder)?;
    let to = folder.join(file);
    // A new file, not new content: the old one may be running.
    let _ = fs::remove_file(&to);
    fs::copy(from, &to).with_context(|| format!("{} cannot be copied to its place", from.display()))?;
    Ok(())
}

/// The recorder with its callback exported, for the benchmark; nothing ships it.
pub(crate) fn bench_dll(progress: &Progress) -> Result<PathBuf> {
    let title = "building the recorder that times itself";
    build(
        progress,
        title,
        SHIPPED,
        &["--package", "hook-dll", "--lib", "--features", "bench", "--target", X64],
    )?;
    let to = folders::target().join("bench").join("dashcam.dll");
    fs::create_dir_all(folders::target().join("bench"))?;
    let _ = fs::remove_file(&to);
    fs::copy(built(X64, SHIPPED, "dashcam.dll"), &to)?;
    Ok(to)
}

/// The recorder with the tests' fault points, beside what is shipped and never in it.
pub(crate) fn faults_dll(progress: &Progress) -> Result<()> {
    let target = if folders::machine() == "x86" { X86 } else { X64 };
    let what = ["--package", "hook-dll", "--lib", "--features", "faults", "--target", target];
    build(progress, "building the recorder with fault points", "dev", &what)?;
    place(&built(target, "dev", "dashcam.dll"), "faults", "dashcam.dll")
}

/// Where cargo keeps the sources of dependencies.
pub(crate) fn cargo_home() -> PathBuf {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    home.unwrap_or_else(|| std::env::home_dir().unwrap_or_default().join(".cargo"))
}
