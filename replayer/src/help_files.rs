//! `dashcam help-files`: man pages and shell completions, as this very command line has them. `cargo xtask dist` calls it.

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
        clap_complete::generate_to(shell, &mut command.clone(), "dashcam", &completions)
            .with_context(cannot)?;
    }
    Ok(ExitCode::SUCCESS)
}
