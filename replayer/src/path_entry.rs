//! `dashcam path-entry`: a folder in the PATH that new programs see, for the installer. A PATH may be longer
//! than the strings of an installer, and what others have put there stays as it is, to the character.

use anyhow::{Context, bail};
use std::path::PathBuf;
use std::process::ExitCode;
use windows_registry::{CURRENT_USER, LOCAL_MACHINE, Type};

/// What `dashcam path-entry` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// What to do.
    action: Action,
    /// The folder.
    folder: PathBuf,
    /// In the PATH of all users instead of one's own.
    #[arg(long)]
    all_users: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Action {
    /// Put the folder at the end, unless it is there.
    Add,
    /// Take it out.
    Remove,
}

/// The PATH with the entry at its end; none if it is there already.
fn added(path: &str, entry: &str) -> Option<String> {
    if path.split(';').any(|other| is_same(other, entry)) {
        return None;
    }
    let between = if path.is_empty() || path.ends_with(';') { "" } else { ";" };
    Some(format!("{path}{between}{entry}"))
}

/// The PATH without the entry; none if it is not there.
fn removed(path: &str, entry: &str) -> Option<String> {
    let kept: Vec<&str> = path.split(';').filter(|other| !is_same(other, entry)).collect();
    (kept.len() < path.split(';').count()).then(|| kept.join(";"))
}

/// Folders are the same whatever the case of their letters and with or without a backslash at the end.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |entry: &str| entry.trim().trim_matches('"').trim_end_matches('\\').to_lowercase();
    plain(one) == plain(other)
}

pub(crate) fn command(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (root, key) = if arguments.all_users {
        (LOCAL_MACHINE, r"SYSTEM\CurrentControlSet\Control\Session Manager\Environment")
    } else {
        (CURRENT_USER, "Environment")
    };
    let Some(entry) = arguments.folder.to_str().filter(|entry| !entry.contains([';', '"'])) else {
        bail!("{} cannot stand in a PATH: choose a folder without ; and quotes", arguments.folder.display());
    };
    let cannot = || {
        format!(
            "the PATH cannot be changed: {key} is refused; run this as administrator, or without --all-users"
        )
    };
    let key = root.options().read().write().create().open(key).with_context(cannot)?;
    let (path, kind) = match key.get_value("Path") {
        Ok(value) => {
            let units = value.as_wide();
            let units = units.strip_suffix(&[0]).unwrap_or(units);
            let Ok(path) = String::from_utf16(units) else {
                bail!("the PATH is no text, and is left as it is")
            };
            (path, value.ty())
        }
        Err(_) => (String::new(), Type::ExpandString),
    };
    let changed = match arguments.action {
        Action::Add => added(&path, entry),
        Action::Remove => removed(&path, entry),
    };
    match changed {
        None => return Ok(ExitCode::SUCCESS),
        // Nobody else's was there.
        Some(path) if path.is_empty() => key.remove_value("Path").with_context(cannot)?,
        Some(path) => {
            let bytes: Vec<u8> = path.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
            key.set_bytes("Path", kind, &bytes).with_context(cannot)?;
        }
    }
    crate::win32::tell_environment_changed();
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entries_of_others_stay_as_they_are() {
        let path = r#"%SystemRoot%\system32;;"C:\Program Files\x";C:\a\"#;
        let with = added(path, r"C:\Dashcam\bin").expect("it is new");
        assert_eq!(with, format!(r"{path};C:\Dashcam\bin"));
        assert_eq!(added(&with, r"c:\dashcam\bin\"), None, "it is there");
        assert_eq!(removed(&with, r"C:\Dashcam\bin").as_deref(), Some(path));
        assert_eq!(removed(path, r"C:\Dashcam\bin"), None, "it is gone");
    }

    #[test]
    fn an_empty_path_becomes_empty_again() {
        assert_eq!(added("", "X").as_deref(), Some("X"));
        assert_eq!(removed("X", "X").as_deref(), Some(""));
        assert_eq!(added("A;", "X").as_deref(), Some("A;X"));
    }
}
