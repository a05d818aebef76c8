//! Hosts that use the recorder in every wrong moment, and hosts that do to messages what programs do.

use std::fs;

use anyhow::{Result, ensure};
use harness::wait::DEADLINE;
use harness::{Stage, folders, stage};
use message_log::{Event, Kind};

use crate::{Host, count, of_kind, texts};

fn cycle(stage: &Stage, times: u32) -> Result<()> {
    let host = Host::start(stage, "cycles", &[&times.to_string()])?;
    let host = host.end_within("cycles", DEADLINE * (1 + times / 50))?;
    println!("{times} cycles: {:?}", host.answers()?);
    host.check(&[("failed", 0)])
}

#[test]
fn handles_and_threads_are_given_back() {
    stage("handles_and_threads_are_given_back", |stage| cycle(stage, 100));
}

#[test]
#[ignore = "long"]
fn ten_thousand_starts_and_stops_leave_nothing_behind() {
    stage("ten_thousand_starts_and_stops_leave_nothing_behind", |stage| cycle(stage, 10_000));
}

#[test]
fn the_dll_may_be_freed_with_messages_in_flight() {
    stage("the_dll_may_be_freed_with_messages_in_flight", |stage| {
        let host = Host::finish(stage, "in-flight", &[])?;
        host.check(&[("messages handled", 1), ("still loaded", 1)])?;
        // The last two sessions are there, and their counters add up.
        let (events, _) = host.read()?;
        ensure!(!of_kind(&events, &Kind::Statistics).is_empty(), "no statistics");
        Ok(())
    });
}

#[test]
fn two_copies_of_the_dll_are_one_recorder() {
    stage("two_copies_of_the_dll_are_one_recorder", |stage| {
        fs::copy(folders::dashcam().join("x64").join("dashcam.dll"), stage.folder().join("other.dll"))?;
        let host = Host::finish(stage, "twins", &[])?;
        let (ok, already, not_started) = (0, 1, 2);
        host.check(&[
            ("two modules", 1),
            ("first", ok),
            ("second", already),
            ("stop second", not_started),
            ("stop first", ok),
            ("second alone", ok),
            ("first beside it", already),
            ("stop second at last", ok),
        ])?;
        let (events, _) = host.read()?;
        ensure!(texts(&events).contains(&"recorded by the second".into()), "{:?}", texts(&events));
        Ok(())
    });
}

#[test]
fn it_may_be_started_and_stopped_on_any_thread() {
    stage("it_may_be_started_and_stopped_on_any_thread", |stage| {
        let host = Host::finish(stage, "foreign-start", &[])?;
        host.check(&[
            ("start without windows", 0),
            ("stop on a third thread", 0),
            ("start beside a window", 0),
            ("stop here", 0),
        ])?;
        let (events, _) = host.read()?;
        for text in ["seen though started elsewhere", "seen again"] {
            ensure!(texts(&events).contains(&text.into()), "{text}: {:?}", texts(&events));
        }
        Ok(())
    });
}

#[test]
fn the_hosts_own_hooks_see_everything_in_any_order() {
    stage("the_hosts_own_hooks_see_everything_in_any_order", |stage| {
        Host::finish(stage, "chain", &[])?.check(&[("orders", 8), ("wrong", 0)])
    });
}

#[test]
fn what_programs_do_to_messages_hurts_nobody() {
    stage("what_programs_do_to_messages_hurts_nobody", |stage| {
        let host = Host::finish(stage, "abuse", &[])?;
        host.check(&[
            ("nested", 25),
            ("died in their own callback", 50),
            ("through a subclass", 100),
            ("stop", 0),
        ])?;
        let events = host.events()?;
        ensure!(count(&events, "WM_NCDESTROY") >= 50, "{}", count(&events, "WM_NCDESTROY"));
        ensure!(texts(&events).contains(&"the others are gone".into()));
        // Nested sends are told as nested: ever deeper.
        let depths = |event: &Event| event.message().filter(|m| m.number == 0x8001).map(|m| m.depth);
        let first: Vec<u32> = events.iter().filter_map(depths).take(20).collect();
        ensure!(first.windows(2).all(|pair| pair[0] < pair[1]), "{first:?}");
        Ok(())
    });
}

#[test]
fn the_last_error_is_the_hosts() {
    stage("the_last_error_is_the_hosts", |stage| {
        let host = Host::finish(stage, "last-error", &[])?;
        ensure!(host.answer("calls")? == 400);
        host.check(&[("differences", 0)])
    });
}
