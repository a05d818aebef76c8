//! The drivers: how a replay or a model acts on a real application. All of them need Windows.
//!
//! | question | file |
//! |---|---|
//! | how does the agent drive an application from inside? | `live.rs`, with the crates `replay-link` and `replay-agent` |
//! | how do posted messages alone drive it? | `posting.rs` |
//! | how does a driven application get a recorder? | `trace.rs` |
//! | how is a driver tried out line by line? | `drive.rs` |

pub(crate) mod drive;
mod live;
mod posting;
mod trace;

pub(crate) use live::LiveDriver;
pub(crate) use posting::PostingDriver;
pub(crate) use trace::{Trace, Traced};

use replay_engine::Driver;
use std::path::Path;

/// Starts a program to be driven, with the recorder inside; its log is kept in a folder if one is named. It
/// ends with the driver.
pub(crate) fn launch(
    command: &[String],
    kept: Option<&Path>,
    is_recorded: bool,
) -> anyhow::Result<Box<dyn Driver>> {
    let (mut recorder, mut bond) = (None, None);
    let driver = LiveDriver::start(command, |process| {
        bond = Some(process.bind_to_us()?);
        if is_recorded {
            recorder = Trace::begin(process, kept, &mut Vec::new())?;
        }
        Ok(())
    })?;
    Ok(Box::new(Traced::new(Box::new(driver), recorder, bond)))
}
