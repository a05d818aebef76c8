//! Hosts that use the recorder in every wrong moment, and hosts that do to messages what programs do.

use std::fs;

use anyhow::{Result, ensure};
use harness::wait::DEADLINE;
use harness::{Stage, folders, stage};
use message_log::{Event, Key, Kind};
use win32_vocabulary::messages::WM_APP;

use crate::{Host, count, of_kind, texts};

fn cycle(stage: &Stage, times: u32) -> Result<()> {
    let host = Host::start(stage, "cycles", &[&times.to_string()])?;
    let host = host.end_within("cycles", DEADLINE * (1 + times / 50))?;
    println!("{times} cycles: {:?}", host.answers()?);
    host.check(&[("failed", 0)])
}

#[test]
fn handles_and_threads_are_given_back() {
    stage(|stage| cycle(stage, 100));
}

#[test]
#[ignore = "long"]
fn ten_thousand_starts_and_stops_leave_nothing_behind() {
    stage(|stage| cycle(stage, 10_000));
}

#[test]
fn the_dll_may_be_freed_with_messages_in_flight() {
    stage(|stage| {
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
    stage(|stage| {
        fs::copy(folders::built().join("dashcam.dll"), stage.folder().join("other.dll"))?;
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
    stage(|stage| {
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
    stage(|stage| Host::finish(stage, "chain", &[])?.check(&[("orders", 8), ("wrong", 0)]));
}

#[test]
fn altered_messages_do_no_harm() {
    stage(|stage| {
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
        let depths = |event: &Event| event.message().filter(|m| m.number == WM_APP + 1).map(|m| m.depth);
        let first: Vec<u32> = events.iter().filter_map(depths).take(20).collect();
        ensure!(first.windows(2).all(|pair| pair[0] < pair[1]), "{first:?}");
        Ok(())
    });
}

#[test]
fn every_function_may_be_called_from_everywhere_at_once() {
    stage(|stage| {
        let host = Host::finish(stage, "callers", &["3000"])?;
        host.check(&[("calls", 1), ("unexpected", 0), ("told after the end", 0), ("stop", 0)])?;
        let slowest = host.answer("slowest")?;
        // One that waits for another's answer in vain gives up after five seconds.
        ensure!(slowest < 5000, "a call took {slowest} ms");
        Ok(())
    });
}

#[test]
fn a_log_may_lie_anywhere() {
    stage(|stage| {
        let host = Host::finish(stage, "places", &[])?;
        for place in ["relative", "other letters", "deep", "strokes"] {
            for what in ["start", "path", "export", "stop"] {
                host.check(&[(&format!("{place}: {what}"), 0)])?;
            }
            host.check(&[(&format!("{place}: segments"), 1)])?;
        }
        ensure!(host.log.join("relative").is_dir() && host.log.join("strokes").is_dir());
        Ok(())
    });
}

#[test]
fn messages_come_on_any_stack() {
    stage(|stage| {
        let host = Host::finish(stage, "stacks", &[])?;
        host.check(&[("on fibers and in calls", 50), ("as deep as without", 1), ("stop", 0)])?;
        let events = host.events()?;
        let texts = texts(&events);
        let of = |text: &str| texts.iter().filter(|found| *found == text).count();
        ensure!(of("from a fiber") == 40, "{}", of("from a fiber"));
        // What found too little stack is counted and stated.
        let dropped = host.answer("dropped")?;
        let stated: u64 =
            of_kind(&events, &Kind::Gap).iter().filter_map(|e| e.params.unsigned(Key::GapDropped)).sum();
        ensure!(
            of("from deep down") > 10 && dropped > 0 && stated as i64 == dropped,
            "{dropped} dropped, {stated} stated"
        );
        // A fiber's sends are nested in each other and in nothing else: its depth is its own.
        let depths: Vec<u32> = events
            .iter()
            .filter_map(Event::message)
            .filter(|m| m.number == WM_APP + 1 && (1..=4).contains(&m.wparam))
            .map(|m| m.depth)
            .collect();
        ensure!(depths.len() == 160, "{}", depths.len());
        for sends in depths.chunks(4) {
            ensure!(sends.windows(2).all(|pair| pair[0] < pair[1]) && sends[3] < 64 << 10, "{sends:?}");
        }
        Ok(())
    });
}

#[test]
fn whatever_else_a_program_does_it_is_recorded() {
    stage(|stage| {
        let host = Host::finish(stage, "habits", &[])?;
        host.check(&[
            ("refused", 1),
            ("filters", 1),
            ("length", 65535),
            ("longest class", 1),
            ("seen by hooks", 1),
            ("still loaded", 1),
            ("filter", 1),
        ])?;
        let events = host.events()?;
        ensure!(texts(&events).contains(&"with hooks of every kind".into()));
        ensure!(of_kind(&events, &Kind::Mark).len() == 20, "{}", of_kind(&events, &Kind::Mark).len());
        Ok(())
    });
}

#[test]
fn blocked_threads_block_no_other_thread_forever() {
    stage(|stage| {
        let host = Host::finish(stage, "frozen", &[])?;
        println!("{:?}", host.answers()?);
        host.check(&[("stop", 0)])?;
        let longest = host.answer("longest stop")?;
        ensure!(longest < 8000, "a stop took {longest} ms");
        Ok(())
    });
}

#[test]
fn the_last_error_is_the_hosts() {
    stage(|stage| {
        let host = Host::finish(stage, "last-error", &[])?;
        ensure!(host.answer("calls")? == 400);
        host.check(&[("differences", 0)])
    });
}
