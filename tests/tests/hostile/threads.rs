//! Threads that come and go, pass work around and are many: none of their messages is lost, and the log tells
//! them in the order in which one was caused by another.

use std::fs;

use anyhow::{Context, Result, ensure};
use harness::wait::DEADLINE;
use harness::{folders, stage, wait_until};
use message_log::{Event, Log};
use win32_vocabulary::messages::WM_APP;

use crate::{Host, count, dashcam, numbers, states, texts};

const NUMBER_MESSAGE: u32 = WM_APP + 1;

/// The numbers that were passed around, in the order of the log.
fn passed(events: &[Event]) -> Vec<u64> {
    let messages = events.iter().filter_map(Event::message);
    messages.filter(|message| message.number == NUMBER_MESSAGE).map(|message| message.lparam).collect()
}

/// Each thread's one text, whatever became of the thread.
fn check_all(events: &[Event], threads: u64) -> Result<()> {
    let mut numbers = numbers(events);
    numbers.sort_unstable();
    ensure!(numbers.iter().copied().eq(1..=threads), "of {threads} threads: {numbers:?}");
    Ok(())
}

#[test]
fn threads_that_come_and_go_are_all_recorded() {
    stage(|stage| {
        let host = Host::finish(stage, "threads", &["24"])?;
        check_all(&host.events()?, 24)
    });
}

#[test]
#[ignore = "long"]
fn hundreds_of_threads_come_and_go() {
    stage(|stage| {
        let host = Host::start(stage, "threads", &["600"])?.end_within("threads", DEADLINE * 20)?;
        println!("{:?}", host.answers()?);
        check_all(&host.events()?, 600)
    });
}

#[test]
fn threads_that_end_while_the_disk_refuses_lose_nothing() {
    stage(|stage| {
        let trouble = stage.folder().join("trouble");
        let place = folders::for_windows(&trouble);
        let log = stage.folder().join("log");
        // Half a megabyte of each thread waits in its ring when it ends.
        let host = Host::start_in(stage, &log, "threads", &["28", "50"], &[("DASHCAM_FAULT_DISK", &place)])?;
        let reach = |number: i64| {
            let is_there = || Ok((host.answer("number").unwrap_or(0) >= number).then_some(()));
            wait_until("threads to come and go", DEADLINE, is_there)
        };
        reach(8)?;
        fs::write(&trouble, "112")?;
        reach(24)?;
        fs::remove_file(&trouble)?;
        let host = host.end("threads")?;
        host.check(&[("stop", 0)])?;
        let events = host.events()?;
        check_all(&events, 28)?;
        let states: Vec<_> = states(&events).into_iter().map(|(state, _)| state).collect();
        ensure!(states == ["memory-only", "on-disk", "stopped"], "{states:?}");
        Ok(())
    });
}

#[test]
fn what_one_thread_causes_on_another_stands_behind_it() {
    stage(|stage| {
        let host = Host::finish(stage, "tokens", &["3000"])?;
        host.check(&[("passed", 3000), ("stop", 0)])?;
        let passed = passed(&host.events()?);
        let wrong = passed.iter().zip(1..).find(|&(&found, wanted)| found != wanted);
        ensure!(wrong.is_none() && passed.len() == 3000, "{} passed, {wrong:?}", passed.len());
        Ok(())
    });
}

#[test]
fn a_kill_amid_it_leaves_the_same_order() {
    stage(|stage| {
        let host = Host::start(stage, "tokens", &["3000", "kill"])?;
        let code = host.program.wait(DEADLINE)?;
        ensure!(code == 71, "{code}: {}", host.program.stdout()?);
        let returned: [u8; 8] = fs::read(host.log.join("passed"))?.try_into().ok().context("eight bytes")?;
        let returned = u64::from_le_bytes(returned);
        let (from, to) = (host.log.display().to_string(), stage.folder().join("killed.dashcam"));
        let output = dashcam(stage.folder(), &["export", &from, "-o", &to.display().to_string()])?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (events, damage) = Log::from_bytes("export", &fs::read(&to)?)?.read_all()?;
        ensure!(damage.is_empty(), "{damage:?}");
        let passed = passed(&events);
        let wrong = passed.iter().zip(1..).find(|&(&found, wanted)| found != wanted);
        // One more may have been recorded than had arrived.
        let is_all = (returned..=returned + 1).contains(&(passed.len() as u64));
        ensure!(wrong.is_none() && is_all, "{} of {returned} passed, {wrong:?}", passed.len());
        println!("killed after {returned} passes, 0 lost, 0 out of order");
        Ok(())
    });
}

#[test]
#[ignore = "long"]
fn a_crowd_of_threads_is_recorded_whole() {
    stage(|stage| {
        let host = Host::start(stage, "crowd", &[])?.end_within("crowd", DEADLINE * 10)?;
        println!("{:?}", host.answers()?);
        host.check(&[("dropped", 0), ("stop", 0)])?;
        let events = host.events()?;
        let said = texts(&events).iter().filter(|text| *text == "one of many").count();
        ensure!(said == 200 * 100, "{said} of {}", count(&events, "WM_SETTEXT"));
        Ok(())
    });
}
