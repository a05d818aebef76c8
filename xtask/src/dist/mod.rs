//! `cargo xtask dist`: what a vendor downloads. The same sources with the same tools give the same bytes, in
//! whatever folder they lie.
//!
//! | question | file |
//! |---|---|
//! | how are the programs built so that nothing of this machine is in them? | `compile.rs` |
//! | which programs are in it, and from where? | `contents.rs` |
//! | what do linkers need? | `import_libraries.rs` |
//! | whose code is in it, under which licences? | `parties.rs` |
//! | how does a folder become a zip, and what are its sums? | `archive.rs` |
//! | and a setup program? | `setup_program.rs` |
//!
//! Everything is put into one folder first; zip and setup program are made of that folder.

mod archive;
mod compile;
mod contents;
mod import_libraries;
mod parties;
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
    /// Pack what `cargo xtask build` made instead of building it for release; for tests
    #[arg(long)]
    quick: bool,
}

/// Samples that show how a program is recorded; the others are the tests'.
const SAMPLES: [&str; 3] = ["gallery", "invoice", "minimal"];

/// Makes all of it, in `target/dist`, or in `target/dashcam/dist` of what the tests have built.
pub(crate) fn run(options: &Options) -> Result<()> {
    ensure!(cfg!(target_os = "linux"), "dist runs on Linux: on Debian it installs what it needs");
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

/// Packs what `cargo xtask build` has made, for the tests.
pub(crate) fn quick() -> Result<()> {
    pack(&folders::dashcam(), &folders::dashcam().join("dist"), Purpose::Tests)
}

/// What is packed for a release is small and names no folder of this machine.
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
    parties::write(&stage)?;
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

/// Headers, declarations for other languages, samples, licences and a page to begin with.
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

/// A crate's manifest for those who have the crate and not its workspace.
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

/// Shell completions and man pages, told by the command itself.
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

/// A path of this machine in a shipped file would tell who built it, and make it another file elsewhere.
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

/// What the linker makes of a folder in the name of a symbol.
fn symbol_of(folder: &Path) -> Vec<u8> {
    let name = folder.as_os_str().as_encoded_bytes();
    name.iter().map(|byte| if byte.is_ascii_alphanumeric() { *byte } else { b'_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in `_head__home_kim_dash_cam_target_dist_rustcAb1_kernel32_dll_imports_lib`.
    #[test]
    fn a_folder_in_the_name_of_a_symbol_is_known() {
        assert_eq!(symbol_of(Path::new("/home/kim/dash-cam/target")), b"_home_kim_dash_cam_target");
    }

    #[test]
    fn the_crate_for_hosts_stands_on_its_own() -> Result<()> {
        let manifest =
            on_its_own(&fs::read_to_string(folders::workspace().join("dashcam-host/Cargo.toml"))?)?;
        assert!(manifest.contains(&format!("\nversion = \"{VERSION}\"\nedition = \"2024\"\n")), "{manifest}");
        assert!(on_its_own("[package]\ndescription.workspace = true\n").is_err());
        Ok(())
    }
}
