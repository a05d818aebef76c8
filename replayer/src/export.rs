//! `dashcam export`: recover a session and pack it into one file.

use crate::log_files;
use anyhow::{Context, bail};
use message_log::Manifest;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(log: &Path, output: &Path, force: bool, json: bool) -> anyhow::Result<ExitCode> {
    if output.exists() && !force {
        bail!("{} exists: choose another name, or add --force", output.display());
    }
    let log = log_files::open(log)?;
    // Written beside its place and then put there, so that nobody ever sends half a file.
    let mut partial = output.as_os_str().to_owned();
    partial.push(".part");
    let partial = Path::new(&partial);
    let made = write(log, partial).and_then(|manifest| {
        fs::rename(partial, output).with_context(|| format!("cannot write {}", output.display()))?;
        Ok(manifest)
    });
    let manifest = made.inspect_err(|_| {
        let _ = fs::remove_file(partial);
    })?;
    if json {
        println!("{}", serde_json::to_string_pretty(&manifest)?);
    } else {
        println!("{}: {} events of {}", output.display(), manifest.counts.events, describe(&manifest));
        if manifest.damage_count > 0 {
            println!(
                "  {} damaged places in the log were left out; `dashcam check` lists them",
                manifest.damage_count
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn write(log: message_log::Log<'_>, path: &Path) -> anyhow::Result<Manifest> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut out = BufWriter::new(file);
    let manifest = Manifest::export(log, &mut out)?;
    out.flush().with_context(|| format!("cannot write {}", path.display()))?;
    Ok(manifest)
}

fn describe(manifest: &Manifest) -> String {
    match (manifest.application.as_str(), manifest.application_version.as_str()) {
        ("", _) => "an unnamed application".into(),
        (name, "") => name.into(),
        (name, version) => format!("{name} {version}"),
    }
}
