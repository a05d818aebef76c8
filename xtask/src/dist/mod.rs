//! `cargo xtask dist`: builds what a vendor downloads. The build is reproducible: the same sources and tools
//! give the same bytes in any folder.
//!
//! | question | file |
//! |---|---|
//! | how are the programs built without traces of this machine? | `compile.rs` |
//! | which programs does the SDK contain? | `contents.rs` |
//! | what do linkers need? | `import_libraries.rs` |
//! | whose code is in it, under which licences? | `sbom.rs` |
//! | how does a folder become a zip with checksums? | `archive.rs` |
//! | how does it become a setup program? | `setup_program.rs` |
//!
//! Everything is staged in one folder; zip and setup program are built from that folder.

mod archive;
mod compile;
mod contents;
mod import_libraries;
mod sbom;
mod setup_program;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use clap::Args;
use harness::folders;

use crate::progress::Progress;
use crate::setup::mdbook::Origin;
use crate::{build, cargo, docs, samples, setup};
use contents::VERSION;

const RUST: &str = env!("CARGO_PKG_RUST_VERSION");

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Pack the output of `cargo xtask build` instead of a release build (for tests)
    #[arg(long)]
    quick: bool,
}

/// Samples that show how to record a program. The other samples are for tests.
const SAMPLES: [&str; 3] = ["gallery", "invoice", "minimal"];

/// Builds and packs everything into `target/dist`, or packs the test build into `target/dashcam/dist`.
pub(crate) fn run(options: &Options) -> Result<()> {
    ensure!(cfg!(target_os = "linux"), "dist runs only on Linux; on Debian it installs the tools it needs");
    let progress = Progress::new("dist");
    setup::run(setup::Kit::All, &progress)?;
    if options.quick {
        return quick();
    }
    let programs = folders::target().join("dist-build").join("programs");
    compile::run(&programs)?;
    samples::run(samples::MACHINES)?;
    pack(&programs, &folders::target().join("dist"), Purpose::Release)
}

/// Packs the output of `cargo xtask build` for the tests.
pub(crate) fn quick() -> Result<()> {
    pack(&folders::dashcam(), &folders::dashcam().join("dist"), Purpose::Tests)
}

/// A release is compressed as far as possible and must not contain paths of this machine.
#[derive(Clone, Copy, PartialEq)]
enum Purpose {
    Release,
    Tests,
}

fn pack(programs: &Path, place: &Path, purpose: Purpose) -> Result<()> {
    let name = format!("dashcam-sdk-{VERSION}");
    let (stage, symbols) = (place.join("stage").join(&name), place.join("symbols"));
    if place.exists() {
        fs::remove_dir_all(place).with_context(|| format!("cannot remove {}", place.display()))?;
    }
    fs::create_dir_all(&stage)?;
    compile::strip_into(programs, &stage, &symbols)?;
    import_libraries::write(&stage)?;
    copy_sources(&stage)?;
    help_files(&programs.join("linux").join("dashcam"), &stage)?;
    let origin = if purpose == Purpose::Release { Origin::Source } else { Origin::Prebuilt };
    docs::build_into(&stage.join("docs"), origin)?;
    sbom::write(&stage)?;
    if purpose == Purpose::Release {
        names_nothing_of_this_machine(&stage)?;
        names_nothing_of_this_machine(&symbols)?;
    }
    let sums = archive::sums(&stage)?;
    fs::write(stage.join("SHA256SUMS"), sums)?;
    let made = [
        archive::zip(&stage, &name, &place.join(format!("{name}.zip")))?,
        archive::zip(
            &symbols,
            &format!("dashcam-symbols-{VERSION}"),
            &place.join(format!("dashcam-symbols-{VERSION}.zip")),
        )?,
        setup_program::make(
            &stage,
            &place.join(format!("dashcam-setup-{VERSION}.exe")),
            if purpose == Purpose::Release { "lzma" } else { "zlib" },
        )?,
    ];
    fs::write(place.join("SHA256SUMS"), archive::sums_of(place, &made)?)?;
    for file in made {
        println!("{:>10}  {}", fs::metadata(&file)?.len(), file.display());
    }
    Ok(())
}

/// Copies headers, declarations for other languages, samples, licences and the first page to read.
fn copy_sources(stage: &Path) -> Result<()> {
    let root = folders::workspace();
    for file in ["dashcam.h", "dashcam_loader.h", "Dashcam.cs", "Dashcam.pas"] {
        copy(&root.join("hook-dll/include").join(file), &stage.join("include").join(file))?;
    }
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md"] {
        copy(&root.join(file), &stage.join(file))?;
    }
    copy(&root.join("installer/README.txt"), &stage.join("README.txt"))?;
    copy(&root.join("installer/dashcam.ico"), &stage.join("dashcam.ico"))?;
    for sample in SAMPLES {
        copy_folder(&root.join("samples").join(sample), &stage.join("samples").join(sample))?;
        for machine in ["x64", "x86"] {
            let program = format!("{sample}.exe");
            let built = folders::dashcam().join(machine).join("samples").join(&program);
            copy(&built, &stage.join("samples").join(machine).join(&program))?;
        }
    }
    let (own, host) = (root.join("dashcam-host"), stage.join("rust/dashcam-host"));
    copy_folder(&own.join("src"), &host.join("src"))?;
    fs::write(host.join("Cargo.toml"), on_its_own(&fs::read_to_string(own.join("Cargo.toml"))?)?)?;
    Ok(())
}

/// Makes a crate's manifest independent of the workspace.
fn on_its_own(manifest: &str) -> Result<String> {
    let common =
        [("version", VERSION), ("edition", "2024"), ("rust-version", RUST), ("license", "MIT OR Apache-2.0")];
    let mut manifest =
        manifest.replace("publish.workspace = true\n", "").replace("\n[lints]\nworkspace = true\n", "");
    for (key, value) in common {
        manifest =
            manifest.replace(&format!("\n{key}.workspace = true\n"), &format!("\n{key} = \"{value}\"\n"));
    }
    ensure!(!manifest.contains("workspace"), "the manifest of dashcam-host needs its workspace:\n{manifest}");
    Ok(manifest)
}

/// Writes shell completions and man pages, which the command itself generates.
fn help_files(dashcam: &Path, stage: &Path) -> Result<()> {
    let mut command = std::process::Command::new(dashcam);
    cargo::check(command.arg("help-files").arg(stage.join("share")))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let cannot = || format!("cannot copy {} to {}", from.display(), to.display());
    fs::create_dir_all(to.parent().context("a file lies in a folder")?).with_context(cannot)?;
    fs::copy(from, to).with_context(cannot)?;
    Ok(())
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    for file in archive::files_below(from)? {
        copy(&from.join(&file), &to.join(&file))?;
    }
    Ok(())
}

/// Fails if a shipped file contains a path of this machine: it would reveal who built it and make the build
/// irreproducible.
fn names_nothing_of_this_machine(folder: &Path) -> Result<()> {
    let secrets = [
        folders::workspace().into_os_string().into_encoded_bytes(),
        build::cargo_home().into_os_string().into_encoded_bytes(),
        symbol_of(&folders::target()),
    ];
    for file in archive::files_below(folder)? {
        let bytes = fs::read(folder.join(&file))?;
        for secret in &secrets {
            let found = memchr::memmem::find(&bytes, secret);
            ensure!(found.is_none(), "{} names {}", file.display(), String::from_utf8_lossy(secret));
        }
    }
    Ok(())
}

/// A folder's path as the linker mangles it into symbol names.
fn symbol_of(folder: &Path) -> Vec<u8> {
    let name = folder.as_os_str().as_encoded_bytes();
    name.iter().map(|byte| if byte.is_ascii_alphanumeric() { *byte } else { b'_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in `_head__home_kim_dash_cam_target_dist_rustcAb1_kernel32_dll_imports_lib`.
    #[test]
    fn a_folder_is_mangled_as_the_linker_does() {
        assert_eq!(symbol_of(Path::new("/home/kim/dash-cam/target")), b"_home_kim_dash_cam_target");
    }

    #[test]
    fn the_manifest_of_the_host_crate_is_independent() -> Result<()> {
        let manifest =
            on_its_own(&fs::read_to_string(folders::workspace().join("dashcam-host/Cargo.toml"))?)?;
        assert!(manifest.contains(&format!("\nversion = \"{VERSION}\"\nedition = \"2024\"\n")), "{manifest}");
        assert!(on_its_own("[package]\ndescription.workspace = true\n").is_err());
        Ok(())
    }
}
