//! Gives a developer's shell the project's desktop: `eval "$(cargo xtask desktop)"`.

use anyhow::Result;
use clap::Args;
use harness::Desktop;

use crate::progress::Progress;
use crate::setup;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Stop the desktop and every program on it
    #[arg(long)]
    stop: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    if options.stop {
        let message = if Desktop::stop_kept()? { "the desktop is stopped" } else { "no desktop was running" };
        eprintln!("{message}");
        return Ok(());
    }
    setup::run(setup::Kit::Demo, &Progress::new("setup"))?;
    for (name, value) in Desktop::kept()?.environment() {
        println!("export {name}={}", quote(value));
    }
    Ok(())
}

/// Quotes `value` as one shell word.
fn quote(value: &str) -> String {
    let plain = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/:._-=".contains(&byte));
    if plain { value.to_owned() } else { format!("'{}'", value.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn values_survive_the_shell() {
        assert_eq!(quote("/home/me/target"), "/home/me/target");
        assert_eq!(quote("it's here"), r"'it'\''s here'");
    }
}
