//! Installs what a machine with only Rust lacks. Fast when everything is there.
//!
//! | question | file |
//! |---|---|
//! | how much does a command need? | `kit.rs` |
//! | which Debian packages? | `packages.rs` |
//! | which Rust targets and components? | `rust.rs` |
//! | where does mdBook come from? | `mdbook.rs` |

mod kit;
pub(crate) mod mdbook;
mod packages;
mod rust;

use anyhow::Result;
pub(crate) use kit::Kit;

use crate::progress::Progress;

/// Installs what is missing, or says in one sentence what to do.
pub(crate) fn run(kit: Kit, progress: &Progress) -> Result<()> {
    if cfg!(target_os = "linux") {
        packages::install(kit, progress)?;
    }
    rust::install(kit, progress)
}
