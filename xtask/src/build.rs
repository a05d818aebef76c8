//! Builds what we ship, and what the end-to-end tests need, into `target/dashcam`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use harness::folders;

use crate::{cargo, samples, setup};

/// Something built by one cargo call and copied to its place.
struct Artefact {
    package: &'static str,
    name: &'static str,
    kind: Kind,
    profile: &'static str,
    /// The folder below `target/dashcam`.
    folder: &'static str,
    /// None is the machine we build on.
    target: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Program,
    /// A DLL; there are none but for Windows.
    Dll,
}

const ENVIRONMENT: &str = if cfg!(all(windows, target_env = "msvc")) { "msvc" } else { "gnu" };
pub(crate) const X64: &str =
    if cfg!(all(windows, target_env = "msvc")) { "x86_64-pc-windows-msvc" } else { "x86_64-pc-windows-gnu" };
const X86: &str =
    if cfg!(all(windows, target_env = "msvc")) { "i686-pc-windows-msvc" } else { "i686-pc-windows-gnu" };

const ARTEFACTS: &[Artefact] = &[
    program("x64", Some(X64)),
    dll("hook-dll", "dashcam", "x64", X64),
    dll("replay-agent", "dashcam_agent", "x64", X64),
    program("x86", Some(X86)),
    dll("hook-dll", "dashcam", "x86", X86),
    dll("replay-agent", "dashcam_agent", "x86", X86),
    #[cfg(not(windows))]
    program("linux", None),
    Artefact {
        package: "dashcam-tests",
        name: "probe",
        kind: Kind::Program,
        profile: "dev",
        folder: "harness",
        target: Some(X64),
    },
];

/// The command.
const fn program(folder: &'static str, target: Option<&'static str>) -> Artefact {
    let (package, name, kind) = ("dashcam", "dashcam", Kind::Program);
    Artefact { package, name, kind, profile: "release", folder, target }
}

/// The recorder, or the replayer's agent, which goes where `dashcam.exe` is and never to customers.
const fn dll(
    package: &'static str,
    name: &'static str,
    folder: &'static str,
    target: &'static str,
) -> Artefact {
    Artefact { package, name, kind: Kind::Dll, profile: "dist", folder, target: Some(target) }
}

/// Builds every artefact.
pub(crate) fn run() -> Result<()> {
    setup::run()?;
    for artefact in ARTEFACTS {
        artefact.build()?;
    }
    let count = ARTEFACTS.len() + samples::run()?;
    println!("built {count} programs ({ENVIRONMENT}) into {}", folders::dashcam().display());
    Ok(())
}

/// The recorder with its callback exported, for the benchmark; nothing ships it.
pub(crate) fn bench_dll() -> Result<PathBuf> {
    cargo::run(&[
        "build",
        "--quiet",
        "--package",
        "hook-dll",
        "--profile",
        "dist",
        "--lib",
        "--features",
        "bench",
        "--target",
        X64,
    ])?;
    let built = folders::target().join(X64).join("dist").join("dashcam.dll");
    let place = folders::target().join("bench").join("dashcam.dll");
    fs::create_dir_all(folders::target().join("bench"))?;
    let _ = fs::remove_file(&place);
    fs::copy(built, &place)?;
    Ok(place)
}

/// The recorder with the tests' fault points, beside what is shipped and never in it. In a target folder of its own, so that neither is built
/// anew for the other.
pub(crate) fn faults_dll() -> Result<()> {
    let apart = folders::target().join("faults");
    let folder = apart.display().to_string();
    let package = ["build", "--quiet", "--package", "hook-dll", "--profile", "dist", "--lib"];
    cargo::run(
        &[&package[..], &["--features", "faults", "--target", X64, "--target-dir", &folder]].concat(),
    )?;
    let place = folders::dashcam().join("faults");
    fs::create_dir_all(&place)?;
    let _ = fs::remove_file(place.join("dashcam.dll"));
    fs::copy(apart.join(X64).join("dist").join("dashcam.dll"), place.join("dashcam.dll"))?;
    Ok(())
}

/// Where cargo keeps the sources of dependencies.
pub(crate) fn cargo_home() -> PathBuf {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    home.unwrap_or_else(|| std::env::home_dir().unwrap_or_default().join(".cargo"))
}

impl Artefact {
    fn build(&self) -> Result<()> {
        let mut args = vec!["build", "--quiet", "--package", self.package, "--profile", self.profile];
        match self.kind {
            Kind::Program => args.extend(["--bin", self.name]),
            Kind::Dll => args.push("--lib"),
        }
        if let Some(target) = self.target {
            args.extend(["--target", target]);
        }
        cargo::run(&args)?;
        self.install().with_context(|| format!("{} cannot be copied to its place", self.file()))
    }

    fn install(&self) -> Result<()> {
        let profile = if self.profile == "dev" { "debug" } else { self.profile };
        let built = folders::target().join(self.target.unwrap_or_default()).join(profile).join(self.file());
        let folder = folders::dashcam().join(self.folder);
        fs::create_dir_all(&folder)?;
        // A library's name has no hyphen, the file's has.
        let place = folder.join(self.file().replace('_', "-"));
        // A new file, not new content: the old one may be running.
        let _ = fs::remove_file(&place);
        fs::copy(&built, &place)?;
        Ok(())
    }

    fn file(&self) -> String {
        let windows = self.target.map_or(cfg!(windows), |target| target.contains("windows"));
        match self.kind {
            Kind::Dll => format!("{}.dll", self.name),
            Kind::Program if windows => format!("{}.exe", self.name),
            Kind::Program => self.name.to_owned(),
        }
    }
}
