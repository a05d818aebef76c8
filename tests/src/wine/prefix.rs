//! Wine prefixes: a template made once, and cheap copies of it.
//!
//! Making a prefix takes some ten seconds and 700 MB. A copy takes well under a second, because programs and
//! libraries, which nobody writes to, are hard links to the template's.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::folders;
use crate::wine::{end_prefix, environment, remove_socket_folder, run_silently};

const SHIM: &str = include_str!("bcryptprimitives.c");
const HOLD: &str = include_str!("hold.c");
const REGISTRY: &str = include_str!("desktop.reg");

/// Where `hold.c` lies in every prefix.
pub(crate) const HOLD_PROGRAM: &str = r"C:\windows\hold.exe";

/// Copies the template to `prefix`, making the template first if it is missing or out of date. Needs a
/// running X server and the caller's lock on the folder of desktops.
pub(crate) fn create(prefix: &Path, display: &str) -> Result<()> {
    let template = folders::desktops().join(template_name()?);
    if !template.exists() {
        make_template(&template, display).context("the Wine prefix cannot be made")?;
    }
    copy(&template, prefix).context("the Wine prefix cannot be copied")
}

/// Changes with whatever goes into a template.
fn template_name() -> Result<String> {
    let version = Command::new("wine")
        .arg("--version")
        .output()
        .context("cannot run wine; `cargo xtask setup` installs it")?;
    let mut hasher = DefaultHasher::new();
    (SHIM, HOLD, REGISTRY, version.stdout).hash(&mut hasher);
    if folders::machine() == "x86" {
        "with 32 bits".hash(&mut hasher);
    }
    Ok(format!("template-{:016x}", hasher.finish()))
}

/// Builds beside its final place and renames: a template that exists is complete.
fn make_template(template: &Path, display: &str) -> Result<()> {
    eprintln!("making the Wine prefix (once, about 15 s)");
    remove_templates()?;
    let unfinished = template.with_extension("unfinished");
    fs::create_dir_all(&unfinished)?;
    let wine = |args: &[&str]| {
        let mut command = Command::new("wine");
        // No questions about installing .NET and a browser.
        command
            .args(args)
            .env("WINEDLLOVERRIDES", "mscoree=;mshtml=")
            .envs(environment(display, &unfinished));
        run_silently(&mut command)
    };
    wine(&["wineboot", "--init"])?;
    let windows = unfinished.join("drive_c/windows");
    compile(SHIM, &windows.join("system32/bcryptprimitives.dll"), &["-shared", "-ladvapi32"])?;
    // Where there is a 32-bit Wine too.
    if windows.join("syswow64/ntdll.dll").exists() {
        let options = ["-shared", "-ladvapi32", "-Wl,--kill-at"];
        compile_for("i686", SHIM, &windows.join("syswow64/bcryptprimitives.dll"), &options)?;
    }
    compile(HOLD, &windows.join("hold.exe"), &["-mwindows"])?;
    let registry = unfinished.join("desktop.reg");
    fs::write(&registry, REGISTRY)?;
    wine(&["regedit", "/S", &folders::for_windows(&registry)])?;
    // Waits until the server has written the registry and is gone.
    run_silently(Command::new("wineserver").arg("-w").env("WINEPREFIX", &unfinished))?;
    // Debian's Wine notes here where its server listens; every copy would talk to the same one.
    remove_socket_folder(&unfinished);
    let _ = fs::remove_file(unfinished.join("wineserver"));
    cut_links_to_home(&unfinished.join("drive_c/users"))?;
    fs::rename(&unfinished, template)?;
    Ok(())
}

/// Removes outdated templates and those that were never finished.
fn remove_templates() -> Result<()> {
    for entry in fs::read_dir(folders::desktops())? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with("template-") {
            end_prefix(&entry.path());
        }
    }
    Ok(())
}

fn compile(source: &str, output: &Path, options: &[&str]) -> Result<()> {
    compile_for("x86_64", source, output, options)
}

fn compile_for(machine: &str, source: &str, output: &Path, options: &[&str]) -> Result<()> {
    let file = output.with_extension("c");
    fs::write(&file, source)?;
    let mut compiler = Command::new(format!("{machine}-w64-mingw32-gcc"));
    // Libraries come after the source that needs them.
    run_silently(compiler.args(["-O2", "-s", "-o"]).arg(output).arg(&file).args(options))?;
    fs::remove_file(&file)?;
    Ok(())
}

/// Wine links Documents, Desktop and so on to the real home folder; tests must not write there.
fn cut_links_to_home(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_symlink() {
            fs::remove_file(&path)?;
            fs::create_dir(&path)?;
        } else if path.is_dir() {
            cut_links_to_home(&path)?;
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(&source)?, &target)?;
        } else if kind.is_dir() {
            copy(&source, &target)?;
        } else if !is_never_written(&source) || fs::hard_link(&source, &target).is_err() {
            fs::copy(&source, &target)?;
        }
    }
    Ok(())
}

fn is_never_written(file: &Path) -> bool {
    const KINDS: [&str; 12] =
        ["dll", "exe", "drv", "sys", "ocx", "cpl", "acm", "ax", "tlb", "nls", "ttf", "msstyles"];
    file.extension().is_some_and(|kind| KINDS.iter().any(|known| kind.eq_ignore_ascii_case(known)))
}
