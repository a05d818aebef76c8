//! Hosts that die at a random moment: whatever was handed to them after the recorder's callback had returned
//! is in the export, in order, once.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use harness::wait::DEADLINE;
use harness::{Recording, Stage, stage, wait_until};
use message_log::{Damage, Event, Key, Log};
use win32_vocabulary::messages::WM_APP;

use crate::{Host, dashcam, random};

const KINDS: [&str; 7] = ["terminate", "access", "fastfail", "overflow", "heap", "exit", "hook"];
const NUMBER_MESSAGE: u32 = WM_APP + 1;
const THREADS: usize = 4;
/// Hosts that run side by side.
const AT_ONCE: usize = 10;

/// The numbers in a log, by the host's thread.
fn numbers(events: &[Event]) -> Vec<Vec<u64>> {
    let mut found = vec![Vec::new(); THREADS];
    for event in events {
        let Some(message) = event.message() else { continue };
        let text = event.params.text(Key::Text).map(ToString::to_string).unwrap_or_default();
        let by_text = text.strip_prefix("number ").and_then(|rest| rest.split_once(' '));
        let number = match by_text {
            Some((thread, number)) => thread.parse().ok().zip(number.parse().ok()),
            None if message.number == NUMBER_MESSAGE => Some((message.wparam as usize, message.lparam)),
            None => None,
        };
        if let Some((thread, number)) = number {
            found[thread].push(number);
        }
    }
    found
}

/// What the host noted: the last number of each thread whose callback had returned.
fn returned(log: &Path) -> Result<Vec<u64>> {
    let side = fs::read(log.join("numbers"))?;
    Ok(side.chunks_exact(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap_or_default())).collect())
}

/// How many of the numbers that must be there are not; anything twice or out of order is an error.
fn lost(events: &[Event], returned: &[u64]) -> Result<u64> {
    let mut lost = 0;
    for (found, &last) in numbers(events).iter().zip(returned) {
        ensure!(found.windows(2).all(|pair| pair[0] < pair[1]), "out of order or twice: {found:?}");
        lost += last - found.iter().filter(|&&number| number <= last).count() as u64;
    }
    Ok(lost)
}

/// Ends so many hosts, several at a time; how many messages had been handled, and how many of them are lost.
fn kill(stage: &Stage, kind: &str, runs: usize) -> Result<(u64, u64)> {
    let (mut handled, mut missing) = (0, 0);
    for first in (0..runs).step_by(AT_ONCE) {
        let start = |run: usize| {
            let log = stage.folder().join(format!("{kind}-{run}"));
            Host::start_in(stage, &log, "kill", &[kind, &random(500).to_string()], &[])
        };
        let hosts: Vec<Host> = (first..runs.min(first + AT_ONCE)).map(start).collect::<Result<_>>()?;
        for host in hosts {
            let code = host.program.wait(DEADLINE)?;
            ensure!(code != 0, "{kind}: it did not die: {}", host.program.stdout()?);
            let said = || host.program.stdout().unwrap_or_default();
            ensure!(!(90..100).contains(&code), "{kind}: it did not come to its death: {code}\n{}", said());
            let export = host.log.with_extension("dashcam");
            let (from, to) = (host.log.display().to_string(), export.display().to_string());
            let output = dashcam(stage.folder(), &["export", &from, "-o", &to])?;
            ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let (events, damage) = Log::from_bytes("export", &fs::read(&export)?)?.read_all()?;
            ensure!(damage.is_empty(), "{kind}: {damage:?}");
            let noted = returned(&host.log)?;
            handled += noted.iter().sum::<u64>();
            let lost = lost(&events, &noted).with_context(|| from.clone())?;
            ensure!(lost == 0, "{kind}: {lost} lost in {from}: {noted:?}");
            missing += lost;
            fs::remove_dir_all(&host.log)?;
            fs::remove_file(&export)?;
        }
    }
    Ok((handled, missing))
}

fn kill_by(stage: &Stage, kind: &str, runs: usize) -> Result<()> {
    let (handled, lost) = kill(stage, kind, runs)?;
    let share = 100.0 * lost as f64 / handled.max(1) as f64;
    println!("{kind:<10} {runs} runs, {handled} messages, {lost} lost ({share} %)");
    ensure!(handled > 10 * runs as u64 && lost == 0, "{kind}: {lost} of {handled} messages are lost");
    Ok(())
}

#[test]
fn whatever_kills_the_host_nothing_is_lost() {
    stage(|stage| KINDS.into_iter().try_for_each(|kind| kill_by(stage, kind, 10)));
}

/// The long rounds, each by itself.
macro_rules! two_hundred {
    ($($name:ident $kind:literal)*) => {
        $(
            #[test]
            #[ignore = "long"]
            fn $name() {
                stage(|stage| kill_by(stage, $kind, 200));
            }
        )*
    };
}

two_hundred! {
    two_hundred_terminations_lose_nothing "terminate"
    two_hundred_access_violations_lose_nothing "access"
    two_hundred_fast_fails_lose_nothing "fastfail"
    two_hundred_stack_overflows_lose_nothing "overflow"
    two_hundred_ruined_heaps_lose_nothing "heap"
    two_hundred_exits_lose_nothing "exit"
    two_hundred_exits_in_a_hook_lose_nothing "hook"
}

fn read(folder: &Path) -> Result<(Vec<Event>, Vec<Damage>)> {
    let (events, damage) = Recording { folder: folder.into() }.read()?;
    Ok((events.0, damage))
}

fn is_ring(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "ring")
}

#[test]
fn damage_in_a_ring_loses_only_its_place_and_is_reported() {
    stage(|stage| {
        const HEADER: usize = 4096;
        let host = Host::start(stage, "kill", &["terminate", "300"])?;
        host.program.wait(DEADLINE)?;
        let (whole, damage) = read(&host.log)?;
        ensure!(damage.is_empty(), "{damage:?}");
        let mut tried = 0;
        for file in host.files()?.into_iter().filter(|file| is_ring(file)) {
            let sound = fs::read(&file)?;
            let used = sound.iter().rposition(|&byte| byte != 0).unwrap_or_default();
            if used < HEADER + 512 {
                continue;
            }
            for attempt in 0..40 {
                let mut scratched = sound.clone();
                let at = HEADER + random((used - HEADER) as u64) as usize;
                // A bit, or a page that never reached the disk.
                let width = if attempt % 4 == 0 { 4096 } else { 1 };
                let from = if width == 1 { at } else { at / 4096 * 4096 };
                for byte in scratched[from..].iter_mut().take(width) {
                    *byte = if width == 1 { *byte ^ 1 << (attempt % 8) } else { 0 };
                }
                if scratched == sound {
                    continue;
                }
                fs::write(&file, &scratched)?;
                let (events, damage) = read(&host.log)?;
                let gone = whole.iter().filter(|event| !events.contains(event)).count();
                // The smallest record has 80 bytes; one may begin before the page and one end behind it.
                ensure!(
                    gone <= width / 80 + 2,
                    "{gone} records are gone for {width} bytes at {from}: {damage:?}"
                );
                ensure!(gone == 0 || !damage.is_empty(), "{gone} records are gone and nobody says so");
                ensure!(events.iter().all(|event| whole.contains(event)), "something was invented at {from}");
                tried += 1;
            }
            fs::write(&file, &sound)?;
        }
        ensure!(tried > 40, "only {tried} scratches were tried");
        println!("{tried} scratches");
        Ok(())
    });
}

#[test]
fn a_power_cut_costs_what_came_since_the_last_flush() {
    stage(|stage| {
        /// The recorder flushes every two seconds; a busy machine is late.
        const FLUSH: Duration = Duration::from_millis(2500);
        let host = Host::start(stage, "kill", &["terminate", "5500"])?;
        let mut history: Vec<(Instant, Vec<u64>)> = Vec::new();
        let mut cuts = 0;
        let mut next = Duration::from_millis(3000 + random(300));
        let start = wait_until("the first numbers", DEADLINE, || {
            let noted = returned(&host.log).unwrap_or_default();
            Ok((noted.len() == THREADS && noted.iter().all(|&number| number > 0)).then(Instant::now))
        })?;
        while host.program.exit_code()?.is_none() {
            history.push((Instant::now(), returned(&host.log)?));
            if start.elapsed() < next {
                std::thread::yield_now();
                continue;
            }
            next += Duration::from_millis(200 + random(300));
            let now = Instant::now();
            let copy = stage.folder().join(format!("cut-{cuts}"));
            fs::create_dir_all(&copy)?;
            let files = host
                .files()?
                .into_iter()
                .filter(|file| is_ring(file) || file.extension().is_some_and(|e| e == "xml"));
            for file in files {
                fs::copy(&file, copy.join(file.file_name().context("a name")?))?;
            }
            let flushed =
                history.iter().rev().find(|(at, _)| *at + FLUSH <= now).context("nothing so old")?;
            let (events, _) = read(&copy)?;
            let lost = lost(&events, &flushed.1)?;
            ensure!(lost == 0, "cut {cuts}: {lost} lost of {:?}", flushed.1);
            cuts += 1;
        }
        ensure!(cuts >= 3, "only {cuts} copies were made");
        println!("{cuts} power cuts, 0 lost");
        Ok(())
    });
}
