//! `dashcam help-files`: man pages and shell completions, as this very command line has them.
//! `cargo xtask dist` calls it.

use anyhow::Context;
use clap::Command;
use clap_complete::Shell;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// Writes `man/man1` and `completions` into a folder.
pub(crate) fn command(command: &Command, folder: &Path) -> anyhow::Result<ExitCode> {
    let cannot = || format!("cannot write to {}: choose another folder", folder.display());
    let (man, completions) = (folder.join("man/man1"), folder.join("completions"));
    for folder in [&man, &completions] {
        fs::create_dir_all(folder).with_context(cannot)?;
    }
    clap_mangen::generate_to(command.clone(), &man).with_context(cannot)?;
    for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
        clap_complete::generate_to(shell, &mut shown(command), "dashcam", &completions)
            .with_context(cannot)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The command with what `--help` shows of it: completions would offer the rest as well.
fn shown(command: &Command) -> Command {
    // The name of a command lives as long as the program; this one ends when the files are written.
    let name: &'static str = command.get_name().to_owned().leak();
    let arguments = command.get_arguments().filter(|argument| !argument.is_hide_set()).cloned();
    let below = command.get_subcommands().filter(|command| !command.is_hide_set()).map(shown);
    let about = command.get_about().cloned().unwrap_or_default();
    let shown = Command::new(name).about(about).args(arguments).subcommands(below);
    match command.get_version() {
        Some(_) => shown.version(env!("CARGO_PKG_VERSION")),
        None => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn completions_offer_what_the_help_shows() {
        let folder = tempfile::tempdir().unwrap();
        command(&crate::help::with_examples(crate::Arguments::command()), folder.path()).unwrap();
        for file in fs::read_dir(folder.path().join("completions")).unwrap() {
            let text = fs::read_to_string(file.unwrap().path()).unwrap();
            for word in ["screenshots", "shard", "minimize", "train", "version"] {
                assert!(text.contains(word), "{word} is missing: {text}");
            }
            for hidden in ["help-files", "path-entry", "patience"] {
                assert!(!text.contains(hidden), "{hidden} is offered: {text}");
            }
        }
    }
}
