//! A panic at every stage of the pipeline: the host does its work to the end, and the log says that recording
//! stopped, and where.

use anyhow::{Result, ensure};
use harness::stage;

use crate::{Host, numbers, states};

/// What a fault at a stage leaves.
#[derive(Clone, Copy, PartialEq)]
enum Leaves {
    /// Recording ends, and the log says so.
    Disabled,
    /// The start is refused.
    NoStart,
    /// One call is refused, or one piece of news comes later; recording goes on.
    Goes,
}

/// Stages in the order of a message's way, each with the time at which it fails; `+`: from then on.
const STAGES: [(&str, Leaves); 19] = [
    ("begin:1", Leaves::NoStart),
    ("segment:1", Leaves::NoStart),
    ("hooks:1", Leaves::NoStart),
    ("hooks:2", Leaves::Disabled),
    ("birth:1", Leaves::Goes),
    ("filter:100", Leaves::Disabled),
    ("facts:100", Leaves::Disabled),
    ("ring:100", Leaves::Disabled),
    ("drain:100", Leaves::Disabled),
    ("encode:100", Leaves::Disabled),
    ("encode:100+", Leaves::Disabled),
    ("write:12", Leaves::Disabled),
    ("write:12+", Leaves::Disabled),
    ("keyframe:2", Leaves::NoStart),
    ("keyframe:3", Leaves::Disabled),
    ("look:2", Leaves::Disabled),
    ("flush:1", Leaves::Disabled),
    ("interface:2", Leaves::Goes),
    ("export:1", Leaves::Goes),
];

#[test]
fn a_panic_anywhere_ends_recording_and_not_the_host() {
    stage(|stage| {
        for some in STAGES.chunks(10) {
            let start = |&(fault, leaves): &(&'static str, Leaves)| -> Result<_> {
                let log = stage.folder().join(fault.replace([':', '+'], "-"));
                let host = Host::start_in(stage, &log, "work", &[], &[("DASHCAM_FAULT", fault)])?;
                Ok((host, fault, leaves))
            };
            let hosts = some.iter().map(start).collect::<Result<Vec<_>>>()?;
            for (host, fault, leaves) in hosts {
                check(&host.end(fault)?, fault, leaves)?;
            }
        }
        Ok(())
    });
}

fn check(host: &Host, fault: &str, leaves: Leaves) -> Result<()> {
    let said = host.program.stderr()?;
    ensure!(said.trim().is_empty(), "{fault}: it spoke on the host's standard error: {said}");
    host.check(&[("done", 300)])?;
    let (started, stopped) = (host.answer("start")?, host.answer("stop")?);
    if leaves == Leaves::NoStart {
        ensure!((started, stopped) == (8, 2), "{fault}: start {started}, stop {stopped}");
        return Ok(());
    }
    ensure!((started, stopped) == (0, 0), "{fault}: start {started}, stop {stopped}");
    let (events, damage) = host.read()?;
    ensure!(!damage.iter().any(message_log::Damage::is_loss), "{fault}: {damage:?}");
    let states = states(&events);
    let disabled: Vec<_> = states.iter().filter(|(state, _)| state == "disabled").collect();
    match leaves {
        Leaves::Goes => {
            ensure!(
                disabled.is_empty() && numbers(&events).iter().copied().eq(1..=240),
                "{fault}: {states:?}"
            );
        }
        _ => {
            ensure!(disabled.len() == 1, "{fault}: {states:?}");
            let reason = &disabled[0].1;
            ensure!(reason.contains(".rs:") && reason.contains("goes on unrecorded"), "{fault}: {reason}");
            // What was recorded before is there: the first number to the last, none left out.
            let numbers = numbers(&events);
            ensure!(numbers.iter().copied().eq(1..=numbers.len() as u64), "{fault}: {numbers:?}");
        }
    }
    Ok(())
}
