//! Too much, too large, to nowhere, and without memory: the host goes on, memory stays within its cap, and
//! what is not recorded is counted.

use std::fs;

#[cfg(target_os = "linux")]
use anyhow::Context;
use anyhow::{Result, ensure};
use harness::wait::DEADLINE;
use harness::{Stage, stage, wait_until};
use message_log::{Event, Key, Kind};

use crate::{Host, count, has_state, of_kind, states, texts};

/// A flood on eight threads, of seconds and calm seconds behind it.
fn flood(stage: &Stage, seconds: &str, rate: &str) -> Result<Vec<Event>> {
    let host = Host::finish(stage, "flood", &[seconds, rate])?;
    println!("{:?}", host.answers()?);
    host.check(&[("stop", 0)])?;
    ensure!(host.answer("shed")? > 0, "nothing was shed: {:?}", host.answers()?);
    let events = host.events()?;
    let shed = states(&events).into_iter().find(|(state, _)| state == "shedding");
    ensure!(shed.as_ref().is_some_and(|(_, reason)| reason.contains("motion")), "{shed:?}");
    // The user's own clicks are all there.
    let clicks = count(&events, "WM_LBUTTONDOWN") as i64;
    ensure!(clicks == host.answer("clicks")?, "{clicks} clicks of {}", host.answer("clicks")?);
    // What is missing is stated, to the last message.
    let stated =
        |key| -> u64 { of_kind(&events, &Kind::Gap).iter().filter_map(|gap| gap.params.unsigned(key)).sum() };
    for (key, name) in [(Key::GapShed, "shed"), (Key::GapDropped, "dropped")] {
        ensure!(stated(key) as i64 == host.answer(name)?, "{} of {name}: {:?}", stated(key), host.answers()?);
    }
    Ok(events)
}

#[test]
fn a_flood_is_shed_kind_by_kind_and_reported() {
    stage(|stage| flood(stage, "3", "32768").map(drop));
}

#[test]
#[ignore = "long"]
fn after_a_flood_a_keyframe_contains_what_was_missed() {
    stage(|stage| {
        let events = flood(stage, "20+30", "0")?;
        ensure!(has_state(&events, "complete"), "{:?}", states(&events));
        let is_complete =
            |event: &Event| event.params.text(Key::State).is_some_and(|state| *state == "complete".into());
        let at = events.iter().rposition(is_complete).unwrap_or_default();
        let keyframe = events[at..].iter().take(3).any(|event| matches!(event.kind, Kind::Keyframe(_)));
        ensure!(keyframe, "no keyframe behind it");
        Ok(())
    });
}

#[test]
fn huge_texts_cost_no_more_than_their_beginnings() {
    stage(|stage| {
        let host = Host::finish(stage, "texts", &[])?;
        host.check(&[("stop", 0)])?;
        let (events, damage) = host.read()?;
        ensure!(damage.is_empty(), "{damage:?}");
        ensure!(texts(&events).iter().any(|text| text.len() > 20_000), "no long text is recorded");
        Ok(())
    });
}

#[test]
fn wild_pointers_crash_nothing() {
    stage(|stage| {
        let host = Host::finish(stage, "wild", &[])?;
        host.check(&[("stop", 0)])?;
        ensure!(host.answer("sent")? > 1000);
        ensure!(texts(&host.events()?).contains(&"still here".into()));
        Ok(())
    });
}

#[test]
fn a_host_without_memory_goes_on() {
    stage(|stage| {
        let host = Host::start(stage, "no-memory", &[])?;
        wait_until("the host to ask for its limit", DEADLINE, || Ok(host.answer("limit me").ok()))?;
        #[cfg(target_os = "linux")]
        let limited = limit_memory(stage.folder())?;
        fs::write(host.log.join("limited"), "")?;
        wait_until("the host to ask for memory", DEADLINE, || Ok(host.answer("free me").ok()))?;
        #[cfg(target_os = "linux")]
        set_limit(stage.folder(), |_| Ok("unlimited".into()))?;
        fs::write(host.log.join("free"), "")?;
        let host = host.end("no-memory")?;
        println!("{:?}", host.answers()?);
        host.check(&[("stop", 0)])?;
        #[cfg(target_os = "linux")]
        if !limited {
            eprintln!("left out: the memory of a process cannot be limited here");
            return Ok(());
        }
        host.check(&[("hungry", 1)])?;
        ensure!(host.answer("sent without memory")? > 100);
        let events = host.events()?;
        for text in ["with memory", "without memory", "with memory again"] {
            ensure!(texts(&events).contains(&text.into()), "nothing recorded {text}");
        }
        Ok(())
    });
}

/// Gives the hostile host of a folder no more memory than it has; whether that can be done here.
#[cfg(target_os = "linux")]
fn limit_memory(folder: &std::path::Path) -> Result<bool> {
    // What may be written to, since Wine has mapped more than it uses from the start.
    set_limit(folder, |pid| {
        let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmData:")?.trim().strip_suffix(" kB"));
        let kilobytes: u64 = line.context("no size")?.trim().parse()?;
        Ok((kilobytes << 10).to_string())
    })
}

#[cfg(target_os = "linux")]
fn set_limit(folder: &std::path::Path, bytes: impl FnOnce(u32) -> Result<String>) -> Result<bool> {
    let pid = crate::watch::process_of(folder).context("the host is gone")?;
    let arguments = ["--pid".into(), pid.to_string(), format!("--data={}:", bytes(pid)?)];
    let done = std::process::Command::new("prlimit").args(arguments).status();
    Ok(done.is_ok_and(|status| status.success()))
}
