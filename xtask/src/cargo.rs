//! Runs the cargo that runs this program.

use std::process::Command;

use anyhow::{Context, Result, ensure};

/// `cargo ARGS…` in the workspace's root.
pub(crate) fn command(args: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(args).current_dir(harness::folders::workspace());
    command
}

/// Runs cargo and passes its output through.
pub(crate) fn run(args: &[&str]) -> Result<()> {
    check(&mut command(args))
}

/// Runs a command and passes its output through. Returns an error if it fails.
pub(crate) fn check(command: &mut Command) -> Result<()> {
    let words: Vec<_> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect();
    let what = words.join(" ");
    let status = command.status().with_context(|| format!("cannot run `{what}`"))?;
    ensure!(status.success(), "`{what}` failed ({status})");
    Ok(())
}
