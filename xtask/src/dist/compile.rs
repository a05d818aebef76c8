//! Builds the programs for release and separates their debug symbols.
//!
//! The compiler replaces the paths of this machine, and the linker omits times. The build has its own target
//! folder because its flags differ.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use harness::folders;

use super::contents::{WINDOWS, binaries};
use crate::{build, cargo};

const LINUX: &str = "x86_64-unknown-linux-gnu";
const TARGETS: [(&str, &str); 3] =
    [("x64", "x86_64-pc-windows-gnu"), ("x86", "i686-pc-windows-gnu"), ("linux", LINUX)];
/// The packages are built one by one, because cargo unifies the features of packages that it builds together.
const PACKAGES: [(&str, &str); 3] = [("hook-dll", "--lib"), ("replay-agent", "--lib"), ("dashcam", "--bins")];

/// Builds everything into `place/{x64,x86,linux}`.
pub(super) fn run(place: &Path) -> Result<()> {
    let folder = folders::target().join("dist-build");
    for (machine, target) in TARGETS {
        let built = folder.join(target).join("dist");
        let files: &[&str] = if target == LINUX { &["dashcam"] } else { &WINDOWS };
        for (package, what) in PACKAGES.iter().filter(|(package, _)| target != LINUX || *package == "dashcam")
        {
            println!("building {package} for {machine}");
            let args = [
                "build",
                "--quiet",
                "--locked",
                "--package",
                package,
                what,
                "--profile",
                "dist",
                "--target",
                target,
                "--target-dir",
            ];
            let mut command = cargo::command(&args);
            command.arg(&folder).env("CARGO_ENCODED_RUSTFLAGS", flags(target)?).env("SOURCE_DATE_EPOCH", "0");
            // Line numbers for the separate symbols.
            command.env("CARGO_PROFILE_DIST_DEBUG", "line-tables-only");
            cargo::check(&mut command)?;
        }
        fs::create_dir_all(place.join(machine))?;
        for file in files {
            // Crate names have underscores where the shipped files have hyphens.
            let from = if file.ends_with(".dll") { file.replace('-', "_") } else { (*file).to_owned() };
            fs::copy(built.join(from), place.join(machine).join(file))
                .with_context(|| format!("{file} is missing after the build"))?;
        }
    }
    Ok(())
}

/// Compiler flags, separated as `CARGO_ENCODED_RUSTFLAGS` requires.
fn flags(target: &str) -> Result<String> {
    let source = sysroot()?.join("lib/rustlib/src/rust");
    let mut flags = vec![
        format!("--remap-path-prefix={}=/dashcam", folders::workspace().display()),
        format!("--remap-path-prefix={}=/cargo", build::cargo_home().display()),
        format!("--remap-path-prefix={}=/rustc", source.display()),
    ];
    if target != LINUX {
        flags.push("-Clink-arg=-Wl,--no-insert-timestamp".to_owned());
    }
    Ok(flags.join("\x1f"))
}

pub(super) fn sysroot() -> Result<std::path::PathBuf> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().context("cannot run rustc")?;
    ensure!(output.status.success(), "rustc does not print its sysroot");
    Ok(String::from_utf8(output.stdout)?.trim().into())
}

/// Copies the stripped programs into `stage` and their symbols into `symbols`. Each program names its symbol
/// file, so that debuggers find it.
pub(super) fn strip_into(programs: &Path, stage: &Path, symbols: &Path) -> Result<()> {
    for (from, to, tools) in binaries() {
        let (program, shipped) = (programs.join(from), stage.join(&to));
        let apart = symbols.join(to.strip_prefix("bin")?);
        let apart =
            apart.with_file_name(format!("{}.debug", apart.file_name().unwrap_or_default().display()));
        for file in [&shipped, &apart] {
            fs::create_dir_all(file.parent().context("a file lies in a folder")?)?;
        }
        let objcopy = || Command::new(format!("{tools}objcopy"));
        // The linker names its import symbols after a temporary folder, which differs in every build. The
        // program contains the checksum of the symbol file.
        let keep = ["--only-keep-debug", "--wildcard", "--strip-symbol=*_imports_lib*"];
        cargo::check(objcopy().args(keep).arg(&program).arg(&apart).env("SOURCE_DATE_EPOCH", "0"))?;
        let link = format!("--add-gnu-debuglink={}", apart.display());
        cargo::check(
            objcopy().arg("--strip-all").arg(link).arg(&program).arg(&shipped).env("SOURCE_DATE_EPOCH", "0"),
        )?;
    }
    Ok(())
}
