//! Standard output that may end before we do: `dashcam … | head -1` is no error, a full disk is.

use anyhow::Context;
use std::io::{self, IsTerminal, Write};
use std::process::exit;

/// Prints a line.
pub(crate) fn say(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        // Whoever reads has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => exit(0),
        done => done.context("cannot write to standard output"),
    }
}

/// Whether to write in colour: only on a terminal, and only if nobody minds (https://no-color.org).
pub(crate) fn colour() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
