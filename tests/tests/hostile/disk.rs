//! A disk that does not take it: locked, gone, over its quota. The real full disk and the folder that is
//! deleted are in `abi.rs`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
#[cfg(target_os = "linux")]
use harness::Recording;
use harness::wait::DEADLINE;
use harness::{folders, stage, wait_until};
#[cfg(target_os = "linux")]
use message_log::{Damage, DamageKind, Kind};

#[cfg(target_os = "linux")]
use crate::of_kind;
use crate::{Host, numbers, states};

/// Waits until the host has said that its number is so high, or another answer.
fn reach(host: &Host, name: &str, number: i64) -> Result<()> {
    let is_there = || Ok((host.answer(name).unwrap_or(0) >= number).then_some(()));
    wait_until(&format!("the host to say {name}={number}"), DEADLINE, is_there)
}

/// The system's errors, by number, and what each means.
const TROUBLES: [(u32, &str); 4] = [
    (33, "a file is locked"),
    (21, "the drive is gone"),
    (1295, "the quota is reached"),
    (112, "the disk is full"),
];

#[test]
fn whatever_the_disk_says_recording_goes_on_in_memory() {
    stage(|stage| {
        let trouble = |code: u32| stage.folder().join(format!("trouble-{code}"));
        let start = |(code, what)| -> Result<_> {
            let log = stage.folder().join(format!("log-{code}"));
            let place = folders::for_windows(&trouble(code));
            let host = Host::start_in(stage, &log, "work", &[], &[("DASHCAM_FAULT_DISK", &place)])?;
            Ok((host, code, what))
        };
        // All at once: each of them mostly sleeps.
        let hosts = TROUBLES.into_iter().map(start).collect::<Result<Vec<_>>>()?;
        for (host, code, _) in &hosts {
            reach(host, "number", 20)?;
            fs::write(trouble(*code), code.to_string())?;
        }
        for (host, code, _) in &hosts {
            reach(host, "number", 160)?;
            fs::remove_file(trouble(*code))?;
        }
        for (host, _, what) in hosts {
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

/// The folder of the one session there is.
fn session(host: &Host) -> Result<PathBuf> {
    let is_session = |path: &PathBuf| path.join("segment-000000.xml").exists();
    let found = || Ok(fs::read_dir(&host.log)?.filter_map(|entry| Some(entry.ok()?.path())).find(is_session));
    wait_until("the session to begin", DEADLINE, found)
}

/// The file of the next segment belongs to another program, which shares it with nobody.
#[test]
fn a_file_that_another_program_keeps_to_itself_costs_nothing() {
    stage(|stage| {
        // Segments of 16 KiB.
        let host = Host::start(stage, "work", &["262144", "wait"])?;
        let session = session(&host)?;
        // It waits, so that no segment begins until the next has been taken.
        reach(&host, "halfway", 1)?;
        let taken = |number: u32| session.join(format!("segment-{number:06}.xml"));
        let next = (1..).find(|&number| !taken(number).exists()).context("a number")? + 1;
        let name = taken(next).file_name().context("a name")?.to_string_lossy().into_owned();
        let locker = Host::start_in(stage, &session, "locker", &[&name], &[])?;
        reach(&locker, "holding", 1)?;
        ensure!(locker.answer("locked")? == 1, "somebody else was first: {name}");
        fs::write(host.log.join("go on"), "")?;
        let host = host.end("work")?;
        host.check(&[("done", 300), ("stop", 0)])?;
        fs::write(session.join("let go"), "")?;
        locker.program.wait(DEADLINE)?;
        ensure!(fs::metadata(taken(next))?.len() == 0, "what another has was written to");
        ensure!(taken(next + 1).exists(), "nothing came behind it");
        let (events, _) = host.read()?;
        ensure!(numbers(&events).iter().copied().eq(1..=240), "{:?}", numbers(&events));
        Ok(())
    });
}

/// A disk that is gone under the rings: whoever touches their memory faults.
#[test]
#[cfg(target_os = "linux")]
fn a_ring_whose_disk_is_gone_is_replaced() {
    stage(|stage| {
        let host = Host::start(stage, "work", &["0", "wait"])?;
        reach(&host, "halfway", 1)?;
        // What is in a ring alone goes with it.
        wait_until("the first half to be in XML", DEADLINE, || {
            let written = Recording { folder: host.log.clone() }.open(|name| name.ends_with(".xml"))?;
            let (events, _) = written.read_all()?;
            Ok((numbers(&events).last() == Some(&120)).then_some(()))
        })?;
        let rings: Vec<PathBuf> =
            host.files()?.into_iter().filter(|file| file.extension().is_some_and(|e| e == "ring")).collect();
        ensure!(rings.len() >= 2, "{rings:?}");
        for ring in &rings {
            fs::OpenOptions::new().write(true).open(ring)?.set_len(0)?;
        }
        fs::write(host.log.join("go on"), "")?;
        let host = host.end("work")?;
        host.check(&[("done", 300), ("stop", 0)])?;
        // The file of a ring that was not read to its end stays, and is told to be cut.
        let (events, damage) = host.read()?;
        let is_cut = |damage: &Damage| matches!(damage.kind, DamageKind::RingHeader { .. });
        ensure!(damage.iter().all(is_cut), "{damage:?}");
        let numbers = numbers(&events);
        // All before, nearly all behind, and what is missing in between is stated.
        ensure!(numbers.iter().copied().take(120).eq(1..=120), "{numbers:?}");
        ensure!(numbers.last() == Some(&240) && numbers.len() > 200, "{numbers:?}");
        ensure!(
            numbers.len() == 240 || !of_kind(&events, &Kind::Gap).is_empty(),
            "nobody says what is missing"
        );
        Ok(())
    });
}

/// A drive letter that is taken away while its log is written, and given back.
#[test]
#[cfg(target_os = "linux")]
fn a_drive_that_goes_and_comes_back_costs_nothing() {
    stage(|stage| {
        let prefix = std::env::var_os("WINEPREFIX").context("a prefix")?;
        let letter = PathBuf::from(prefix).join("dosdevices").join("q:");
        let disk = stage.folder().join("disk");
        let log = disk.join("log");
        fs::create_dir_all(&log)?;
        let _ = fs::remove_file(&letter);
        let plug = || std::os::unix::fs::symlink(&disk, &letter);
        plug()?;
        Host::bring(stage, false)?;
        let host = Host::start_at(stage, &log, r"Q:\log", "work", &["0", "wait"], &[])?;
        reach(&host, "number", 20)?;
        fs::remove_file(&letter)?;
        reach(&host, "memory-only", 1)?;
        reach(&host, "halfway", 1)?;
        plug()?;
        reach(&host, "on-disk", 1)?;
        fs::write(log.join("go on"), "")?;
        let host = host.end("work")?;
        fs::remove_file(&letter)?;
        host.check(&[("done", 300), ("stop", 0)])?;
        let (events, _) = host.read()?;
        ensure!(numbers(&events).iter().copied().eq(1..=240), "{:?}", numbers(&events));
        let states: Vec<_> = states(&events).into_iter().map(|(state, _)| state).collect();
        ensure!(states.contains(&"memory-only".into()) && states.contains(&"on-disk".into()), "{states:?}");
        Ok(())
    });
}
