//! The structure of the code, checked: what is defined where, who depends on whom, and how wide comments are.
//!
//! | question | file |
//! |---|---|
//! | is a Windows number defined outside `win32-vocabulary/`? | `constants.rs` |
//! | do modules of a crate depend on each other in a circle? | `cycles.rs` |
//! | which modules does a file use? | `uses.rs` |
//! | do crates depend on each other in the allowed directions? | `dependencies.rs` |
//! | does ARCHITECTURE.md list every file? | `map.rs` |
//! | is a comment wider than the code? | `comments.rs` |
//! | which files are looked at? | `sources.rs` |
//! | how does a file become tokens without its tests? | `tokens.rs` |
//!
//! Each check takes the sources as values and returns sentences, so its tests use small planted trees. Some
//! checks keep a list of folders that are not clean yet: a folder leaves the list when it is clean, and
//! nothing joins it.

mod comments;
mod constants;
mod cycles;
mod dependencies;
pub(crate) mod map;
mod sources;
mod tokens;
mod uses;

use anyhow::{Result, ensure};

/// Runs every check and reports all findings at once.
pub(crate) fn run() -> Result<()> {
    let sources = sources::all()?;
    let checks: [(&str, Vec<String>); 5] = [
        ("Windows numbers are defined in win32-vocabulary/ alone", constants::check(&sources)?),
        ("no module depends on itself through others", cycles::check(&sources)?),
        ("crates depend on each other in the allowed directions", dependencies::check(&sources)?),
        ("no comment is wider than the code", comments::check(&sources)),
        ("ARCHITECTURE.md lists every file", map::check(&sources, &map::read_page()?)?),
    ];
    let mut found = 0;
    for (rule, findings) in &checks {
        if !findings.is_empty() {
            eprintln!("{rule}, but:");
            findings.iter().for_each(|finding| eprintln!("  {finding}"));
        }
        found += findings.len();
    }
    ensure!(found == 0, "{found} findings");
    Ok(())
}
