//! `dashcam export`: recover a session and pack it into one file.

use crate::log_files::{self, NO_LOG};
use crate::output::say;
use anyhow::{Context, bail};
use message_log::{Log, Manifest};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(log: &Path, output: &Path, force: bool, json: bool) -> anyhow::Result<ExitCode> {
    if output.exists() && !force {
        bail!("{} exists: choose another name, or add --force", output.display());
    }
    let manifest = pack(log, output)?;
    if json {
        say(&serde_json::to_string_pretty(&manifest)?)?;
    } else {
        say(&format!("{}: {} events of {}", output.display(), manifest.counts.events, describe(&manifest)))?;
        if manifest.damage_count > 0 {
            say(&format!(
                "  damaged places in the log: {}; `dashcam check` lists them",
                manifest.damage_count
            ))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Packs a log into a file, whether there is one of this name or not.
pub(crate) fn pack(log: &Path, output: &Path) -> anyhow::Result<Manifest> {
    let of = log.display();
    let log = log_files::open(log)?;
    // Written beside its place and then put there, so that nobody ever sends half a file.
    let mut name =
        output.file_name().with_context(|| format!("{} is no file name", output.display()))?.to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let partial = output.with_file_name(name);
    let manifest = write(log, &partial, output).map_err(|error| match error.downcast_ref() {
        Some(message_log::Error::NoSession) => anyhow::anyhow!("{of} {NO_LOG}"),
        _ => error,
    })?;
    if let Err(error) = fs::rename(&partial, output) {
        let _ = fs::remove_file(&partial);
        return Err(error).with_context(|| format!("cannot write {}", output.display()));
    }
    Ok(manifest)
}

/// Writes a file that must not exist yet; of a failure nothing is left. People know it by the
/// name it will have.
fn write(log: Log<'_>, path: &Path, shown: &Path) -> anyhow::Result<Manifest> {
    let context = || format!("cannot write {}", shown.display());
    let mut out = BufWriter::new(File::create_new(path).with_context(context)?);
    let written = Manifest::export(log, &mut out).map_err(anyhow::Error::from).and_then(|manifest| {
        out.flush().with_context(context)?;
        Ok(manifest)
    });
    if written.is_err() {
        let _ = fs::remove_file(path);
    }
    written
}

fn describe(manifest: &Manifest) -> String {
    match (manifest.application.as_str(), manifest.application_version.as_str()) {
        ("", _) => "an unnamed application".into(),
        (name, "") => name.into(),
        (name, version) => format!("{name} {version}"),
    }
}
