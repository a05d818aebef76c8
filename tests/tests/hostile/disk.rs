//! A disk that does not take it: locked, gone, over its quota. The real full disk and the folder that is deleted are in `abi.rs`.

use std::fs;

use anyhow::ensure;
use harness::wait::DEADLINE;
use harness::{folders, stage, wait_until};

use crate::{Host, numbers, states};

/// The system's errors, by number, and what each means.
const TROUBLES: [(u32, &str); 4] = [
    (33, "a file is locked"),
    (21, "the drive is gone"),
    (1295, "the quota is reached"),
    (112, "the disk is full"),
];

#[test]
fn whatever_the_disk_says_recording_goes_on_in_memory() {
    stage("whatever_the_disk_says_recording_goes_on_in_memory", |stage| {
        for (code, what) in TROUBLES {
            let trouble = stage.folder().join(format!("trouble-{code}"));
            let log = stage.folder().join(format!("log-{code}"));
            let env = [("DASHCAM_FAULT_DISK", folders::for_windows(&trouble))];
            let host = Host::start_in(
                stage,
                &log,
                "work",
                &[],
                &env.each_ref().map(|(name, file)| (*name, file.as_str())),
            )?;
            let reach = |number: i64| {
                let is_there = || Ok((host.answer("number").unwrap_or(0) >= number).then_some(()));
                wait_until("the host to work on", DEADLINE, is_there)
            };
            reach(20)?;
            fs::write(&trouble, code.to_string())?;
            reach(120)?;
            fs::remove_file(&trouble)?;
            let host = host.end(what)?;
            host.check(&[("done", 300), ("stop", 0)])?;
            let events = host.events()?;
            ensure!(numbers(&events).iter().copied().eq(1..=240), "{what}: {:?}", numbers(&events));
            let states: Vec<_> = states(&events).into_iter().map(|(state, _)| state).collect();
            ensure!(states == ["memory-only", "on-disk", "stopped"], "{what}: {states:?}");
        }
        Ok(())
    });
}
