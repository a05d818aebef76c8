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

/// A number of things.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// What to do about an error of the system, behind the sentence that names the file.
pub(crate) fn remedy(error: &anyhow::Error) -> &'static str {
    let of_the_system = error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(message_log::Error::Io { cause, .. } | message_log::Error::Write(cause)) => Some(cause),
        _ => cause.downcast_ref::<io::Error>(),
    });
    match of_the_system.map(io::Error::kind) {
        Some(io::ErrorKind::NotFound) => "; check the name and the folder",
        Some(io::ErrorKind::PermissionDenied) => "; check the rights, or choose another place",
        Some(io::ErrorKind::StorageFull) => "; free some space, or choose another drive",
        Some(io::ErrorKind::IsADirectory | io::ErrorKind::NotADirectory) => {
            "; check which of the names are folders"
        }
        Some(io::ErrorKind::InvalidData) => "; name a text in UTF-8",
        Some(_) if of_the_system.is_some_and(|error| error.raw_os_error().is_some()) => {
            "; see whether another program can use it"
        }
        _ => "",
    }
}

/// Whether to write in colour: only on a terminal, and only if nobody minds (https://no-color.org).
pub(crate) fn colour() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_system_comes_with_what_to_do() {
        let missing = anyhow::Error::from(io::Error::from(io::ErrorKind::NotFound)).context("cannot read x");
        assert_eq!(remedy(&missing), "; check the name and the folder");
        let name = "x".to_owned();
        let locked = message_log::Error::Io { name, cause: io::ErrorKind::PermissionDenied.into() };
        assert_eq!(remedy(&locked.into()), "; check the rights, or choose another place");
        let seldom = anyhow::Error::from(io::Error::from_raw_os_error(40)).context("cannot read x");
        assert_eq!(remedy(&seldom), "; see whether another program can use it");
        assert_eq!(remedy(&anyhow::anyhow!("x is not a log")), "");
    }
}
