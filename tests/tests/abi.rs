//! Tests the C interface with a C host (`samples/scenarios`): correct use, misuse, and use while
//! the host crashes.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use harness::wait::DEADLINE;
use harness::{Program, Recording, Stage, folders, stage, wait_until};
use message_log::{Damage, Event, Key, Kind, Log, message_number};
use win32_vocabulary::exceptions::{EXCEPTION_ACCESS_VIOLATION, EXCEPTION_STACK_OVERFLOW};

/// A run of the host, in a folder of its own.
struct Run {
    program: Program,
    log: PathBuf,
}

impl Run {
    fn start(stage: &Stage, name: &str, log: &Path, more: &[&str]) -> Result<Self> {
        Self::start_in(stage, name, log, &folders::for_windows(log), more)
    }

    /// The same where the host has another name for the folder.
    fn start_in(stage: &Stage, name: &str, log: &Path, folder: &str, more: &[&str]) -> Result<Self> {
        let host = stage.folder().join("scenarios.exe");
        if !host.exists() {
            fs::copy(folders::sample("scenarios"), &host)?;
            fs::copy(folders::built().join("dashcam.dll"), stage.folder().join("dashcam.dll"))?;
        }
        fs::create_dir_all(log)?;
        let arguments = [&[name, folder], more].concat();
        let program = stage.start(&host.display().to_string(), &arguments)?;
        Ok(Self { program, log: log.into() })
    }

    /// Waits for it to exit with the expected code.
    fn finish(stage: &Stage, name: &str, more: &[&str]) -> Result<Self> {
        let run = Self::start(stage, name, &stage.folder().join("log"), more)?;
        let code = run.program.wait(DEADLINE)?;
        ensure!(code == 0, "{name} ended with {code}: {}", run.program.stdout()?);
        Ok(run)
    }

    /// Its output: `name=number` lines.
    fn answers(&self) -> Result<HashMap<String, i32>> {
        let lines = self.program.stdout()?;
        let answer =
            |line: &str| line.split_once('=').and_then(|(k, v)| Some((k.to_owned(), v.parse().ok()?)));
        Ok(lines.lines().filter_map(answer).collect())
    }

    /// Whether every answer is as expected.
    fn check(&self, expected: &[(&str, i32)]) -> Result<()> {
        let answers = self.answers()?;
        for &(name, value) in expected {
            ensure!(answers.get(name) == Some(&value), "{name}: {:?}, not {value}", answers.get(name));
        }
        Ok(())
    }

    /// The log, which must be without damage.
    fn events(&self) -> Result<Vec<Event>> {
        let (events, damage) = read_log(&self.log)?;
        ensure!(damage.is_empty(), "{damage:?}");
        Ok(events)
    }

    fn sessions(&self) -> Result<Vec<PathBuf>> {
        let entries = fs::read_dir(&self.log)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        Ok(entries.into_iter().filter(|path| path.is_dir()).collect())
    }
}

fn read_log(folder: &Path) -> Result<(Vec<Event>, Vec<Damage>)> {
    let (events, damage) = Recording { folder: folder.into() }.read()?;
    Ok((events.0, damage))
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    Recording { folder: folder.into() }.files()
}

/// The texts of one message, in order.
fn texts(events: &[Event], message: &str) -> Vec<String> {
    let number = message_number(message);
    let is = |event: &&Event| event.message().is_some_and(|m| Some(m.number) == number);
    events.iter().filter(is).filter_map(|e| e.params.text(Key::Text).map(ToString::to_string)).collect()
}

fn typed(events: &[Event]) -> String {
    let number = message_number("WM_CHAR");
    let of = |event: &Event| {
        let message = event.message().filter(|m| Some(m.number) == number)?;
        char::from_u32(message.wparam as u32)
    };
    events.iter().filter_map(of).collect()
}

fn of_kind(events: &[Event], kind: Kind) -> Vec<&Event> {
    events.iter().filter(|event| event.kind == kind).collect()
}

fn states(events: &[Event]) -> Vec<String> {
    let of = |event: &&Event| event.params.text(Key::State).map(ToString::to_string);
    of_kind(events, Kind::Recording).iter().filter_map(of).collect()
}

/// The numbers of hooked threads.
fn gui_threads(events: &[Event]) -> BTreeSet<u32> {
    events.iter().filter(|e| e.message().is_some()).filter_map(|e| e.stamp).map(|s| s.thread).collect()
}

/// Runs a host that crashes; its only crash note, everything recorded, and how often its own filter ran.
fn crash(stage: &Stage, kind: &str, filter: &str) -> Result<(Vec<Event>, usize)> {
    let log = stage.folder().join(format!("{kind}-{filter}"));
    let run = Run::start(stage, "crash", &log, &[kind, filter])?;
    run.program.wait(DEADLINE).with_context(|| format!("{kind} {filter}"))?;
    let ran = run.program.stdout()?.matches("the host's filter ran").count();
    let events = run.events().with_context(|| format!("{kind} {filter}"))?;
    ensure!(typed(&events) == "abc", "{kind} {filter}: {:?} is not what was typed", typed(&events));
    Ok((events, ran))
}

#[test]
fn a_crash_is_noted_once_wherever_it_happens() {
    stage(|stage| {
        let kinds = ["access", "nowhere", "system", "worker-access", "worker-system"];
        for kind in kinds {
            let mut places = BTreeSet::new();
            for filter in ["none", "before", "after", "noting-before", "noting-after"] {
                let (events, ran) = crash(stage, kind, filter)?;
                let what = format!("{kind} {filter}");
                ensure!(ran == usize::from(filter != "none"), "{what}: the host's filter ran {ran} times");
                let [note] = of_kind(&events, Kind::Crash)[..] else {
                    anyhow::bail!("{what}: {:?}", of_kind(&events, Kind::Crash));
                };
                ensure!(
                    note.params.unsigned(Key::CrashCode) == Some(EXCEPTION_ACCESS_VIOLATION.into()),
                    "{what}: {note:?}"
                );
                ensure!(
                    note.params.text(Key::CrashModule) == Some(&"scenarios.exe".into()),
                    "{what}: {note:?}"
                );
                let thread = note.stamp.context("no stamp")?.thread;
                let is_gui = gui_threads(&events).contains(&thread);
                ensure!(is_gui != kind.starts_with("worker"), "{what}: on thread {thread}");
                places.insert(note.params.unsigned(Key::CrashOffset));
            }
            // The same crash is known by the same place.
            ensure!(places.len() == 1 && !places.contains(&None), "{kind}: {places:?}");
        }
        Ok(())
    });
}

#[test]
fn a_stack_overflow_leaves_the_log_whole() {
    stage(|stage| {
        // 64-bit Wine ends the thread without asking any filter; where the host's is asked, ours is too.
        for kind in ["overflow", "worker-overflow"] {
            let (events, ran) = crash(stage, kind, "before")?;
            ensure!(
                of_kind(&events, Kind::Crash).len() == ran,
                "{kind}: {:?}",
                of_kind(&events, Kind::Crash)
            );
        }
        // An exception of that name, and a handler that calls us with a few kilobytes of stack left.
        for (kind, filter) in
            [("raised", "before"), ("raised", "noting-after"), ("tight", "none"), ("worker-tight", "none")]
        {
            let (events, _) = crash(stage, kind, filter)?;
            let [note] = of_kind(&events, Kind::Crash)[..] else {
                anyhow::bail!("{kind} {filter}: {:?}", of_kind(&events, Kind::Crash));
            };
            ensure!(
                note.params.unsigned(Key::CrashCode) == Some(EXCEPTION_STACK_OVERFLOW.into()),
                "{kind}: {note:?}"
            );
            ensure!(note.params.text(Key::CrashModule) == Some(&"scenarios.exe".into()), "{kind}: {note:?}");
        }
        Ok(())
    });
}

/// Wine's own way to name a Unix folder is on no drive at all; on Windows that would be a share.
#[test]
#[cfg(not(windows))]
fn a_log_on_no_local_drive_has_no_rings_and_says_so() {
    stage(|stage| {
        for kind in ["access", "worker-access"] {
            let log = stage.folder().join(kind);
            fs::create_dir_all(&log)?;
            let away = format!(r"\\?\unix{}", log.display().to_string().replace('/', "\\"));
            let run = Run::start_in(stage, "crash", &log, &away, &[kind, "before"])?;
            run.program.wait(DEADLINE)?;
            ensure!(!files(&log)?.iter().any(|file| file.extension().is_some_and(|e| e == "ring")));
            let events = run.events()?;
            ensure!(states(&events) == ["memory-only"], "{:?}", states(&events));
            // The process exited at once, and the log still contains its last moment.
            ensure!(
                typed(&events) == "abc" && of_kind(&events, Kind::Crash).len() == 1,
                "{kind}: {events:?}"
            );
        }
        Ok(())
    });
}

#[test]
fn the_hosts_exception_filter_stays_the_hosts() {
    stage(|stage| {
        let run = Run::start(stage, "filters", &stage.folder().join("log"), &[])?;
        ensure!(run.program.wait(DEADLINE)? != 0, "it did not crash");
        run.check(&[
            ("ours is there", 1),
            ("nothing is left behind", 1),
            ("the host's is back", 1),
            ("one that came later stays", 1),
        ])?;
        // Each filter calls the other; both return.
        let said = run.program.stdout()?;
        ensure!(said.matches("the host's filter ran").count() == 1, "{said}");
        let crashes =
            run.sessions()?.into_iter().map(|session| Ok(of_kind(&read_log(&session)?.0, Kind::Crash).len()));
        ensure!(crashes.sum::<Result<usize>>()? == 1);
        Ok(())
    });
}

/// A thread that took messages before it was recorded is recorded from the moment `dashcam_start` returns.
#[test]
fn the_creation_of_the_first_window_after_the_start_is_recorded() {
    stage(|stage| {
        let run = Run::finish(stage, "late", &[])?;
        let events = run.events()?;
        let create = message_number("WM_CREATE");
        let is_birth = |event: &&Event| event.message().is_some_and(|message| Some(message.number) == create);
        let name = |event: &Event| event.params.text(Key::WindowName).map(ToString::to_string);
        let names: Vec<String> = events.iter().filter(is_birth).filter_map(name).collect();
        ensure!(names.iter().any(|name| name == "late"), "{names:?}");
        ensure!(texts(&events, "WM_SETTEXT").iter().any(|text| text == "later"));
        Ok(())
    });
}

#[test]
fn marks_pauses_and_masks_do_what_they_say() {
    stage(|stage| {
        let run = Run::finish(stage, "notes", &[])?;
        run.check(&[("mark", 0), ("mark on a worker", 0), ("pause", 0), ("resume", 0), ("mask", 0)])?;
        run.check(&[("mask nothing", 3), ("stats", 0), ("sum", 1), ("threads", 1), ("stop", 0)])?;
        let events = run.events()?;
        let marks: BTreeSet<_> = of_kind(&events, Kind::Mark)
            .iter()
            .filter_map(|e| e.params.text(Key::Text))
            .map(ToString::to_string)
            .collect();
        ensure!(marks == BTreeSet::from(["Grüße <1>".into(), "on a worker".into()]), "{marks:?}");
        ensure!(states(&events) == ["paused", "resumed", "stopped"], "{:?}", states(&events));
        let titles = texts(&events, "WM_SETTEXT");
        ensure!(titles.iter().any(|t| t == "before the pause"), "{titles:?}");
        ensure!(titles.iter().any(|t| t == "after the pause"), "{titles:?}");
        ensure!(!titles.iter().any(|t| t == "in the pause") && !typed(&events).contains('p'), "{titles:?}");
        for file in files(&run.log)? {
            let text = String::from_utf8_lossy(&fs::read(&file)?).into_owned();
            ensure!(!text.contains("geheim"), "{} tells the secret", file.display());
        }
        Ok(())
    });
}

#[test]
fn a_hosts_trace_with_our_lines_is_a_log() {
    stage(|stage| {
        let run = Run::finish(stage, "sink", &[])?;
        run.check(&[("sink", 0), ("no sink", 0)])?;
        let trace = fs::read(run.log.join("trace.txt"))?;
        ensure!(trace.windows(9).any(|w| w == b"of my own"), "the host's own lines are gone");
        let (events, damage) = Log::from_bytes("trace.txt", &trace)?.read_all()?;
        ensure!(damage.is_empty(), "{damage:?}");
        // The export is complete: the windows first, then the events.
        ensure!(matches!(events.first().map(|e| &e.kind), Some(Kind::Keyframe(_))), "{:?}", events.first());
        let titles = texts(&events, "WM_SETTEXT");
        ensure!(
            titles.contains(&"in the trace".into()) && !titles.contains(&"behind the trace".into()),
            "{titles:?}"
        );
        ensure!(typed(&events) == "abc" && of_kind(&events, Kind::Mark).len() == 1);
        // What it has is what the log has.
        let whole = read_log(&run.sessions()?[0])?.0;
        ensure!(events.iter().all(|event| whole.contains(event)), "the trace has more than the log");
        Ok(())
    });
}

#[test]
fn an_export_can_be_had_at_any_moment() {
    stage(|stage| {
        let run = Run::finish(stage, "export", &[])?;
        run.check(&[
            ("export", 0),
            ("again", 5),
            ("no folder", 6),
            ("no name", 6),
            ("NULL", 3),
            ("stop", 0),
        ])?;
        ensure!(matches!(run.answers()?.get("a folder"), Some(5 | 6)), "{:?}", run.answers()?);
        let mut before = 0;
        for i in 0..5 {
            let (events, damage) =
                Log::from_bytes("e", &fs::read(run.log.join(format!("export-{i}.dashcam")))?)?.read_all()?;
            ensure!(damage.is_empty(), "export {i}: {damage:?}");
            let numbers: Vec<u64> = texts(&events, "WM_SETTEXT")
                .iter()
                .filter_map(|text| text.strip_prefix("text ")?.parse().ok())
                .collect();
            ensure!(numbers.iter().copied().eq(0..numbers.len() as u64), "export {i}: {numbers:?}");
            ensure!(numbers.len() >= before, "export {i} has less than the one before");
            before = numbers.len();
        }
        ensure!(before > 0, "nothing was exported");
        ensure!(!run.log.join("no").exists(), "a folder was made for an export");
        Ok(())
    });
}

#[test]
fn a_hung_thread_is_noted_once_and_an_idle_one_never() {
    stage(|stage| {
        let hung = Run::finish(stage, "hang", &["7500"])?.events()?;
        let [hang] = of_kind(&hung, Kind::Hang)[..] else {
            anyhow::bail!("{:?}", of_kind(&hung, Kind::Hang));
        };
        ensure!(hang.params.unsigned(Key::HangMillis) >= Some(5000), "{hang:?}");
        ensure!(hang.params.unsigned(Key::WindowHwnd).is_some_and(|hwnd| hwnd != 0), "{hang:?}");
        Ok(())
    });
}

#[test]
fn bad_input_gets_a_status_and_the_host_goes_on() {
    stage(|stage| {
        let run = Run::finish(stage, "bad-input", &[])?;
        let (already, not_started, bad, folder, small) = (1, 2, 3, 4, 7);
        run.check(&[
            ("stop without start", not_started),
            ("mark without start", not_started),
            ("log path without start", not_started),
            ("crash without start", not_started),
            ("wrong size", bad),
            ("no structure", bad),
            ("nonsense retention", bad),
            ("nonsense bytes", bad),
            ("folder nowhere", bad),
            ("nonsense count", bad),
            ("missing drive", folder),
            ("unwritable folder", folder),
            ("folder is a file", folder),
            ("filter left", 0),
            ("start twice", already),
            ("small buffer", small),
            ("no buffer", bad),
            ("no stats", bad),
            ("stats without size", bad),
            ("no mark", bad),
            ("mark nowhere", bad),
            ("no exception", bad),
            ("exception nowhere", bad),
            ("stop", 0),
            ("stop twice", not_started),
        ])?;
        // One good start, one session; nothing of what came behind its end.
        ensure!(run.sessions()?.len() == 1, "{:?}", run.sessions()?);
        let events = run.events()?;
        ensure!(typed(&events) == "still recorded", "{:?}", typed(&events));
        ensure!(!texts(&events, "WM_SETTEXT").contains(&"goes on".into()));
        Ok(())
    });
}

#[test]
fn starting_and_stopping_leaves_nothing_behind() {
    stage(|stage| {
        let run = Run::start(stage, "cycles", &stage.folder().join("log"), &["200"])?;
        ensure!(run.program.wait(DEADLINE * 4)? == 0, "{}", run.program.stdout()?);
        let answers = run.answers()?;
        let answer = |name: &str| answers.get(name).copied().with_context(|| name.to_owned());
        ensure!(answer("four megabytes are seen as kilobytes")? >= 4096, "it cannot measure: {answers:?}");
        ensure!(answer("kilobytes")? < 512, "{answers:?}");
        ensure!(answer("handles")? < 20, "{answers:?}");
        // Two are kept, and the last one ended after that was decided.
        ensure!(run.sessions()?.len() <= 3, "{:?}", run.sessions()?);
        Ok(())
    });
}

/// A host that works until told to stop: titles `number 1`, `number 2` and so on.
struct Worker {
    run: Run,
    control: PathBuf,
}

impl Worker {
    fn start(stage: &Stage, log: &Path, pace: &str) -> Result<Self> {
        let control = stage.folder().join("stop");
        let run = Run::start(stage, "work", log, &[&folders::for_windows(&control), pace])?;
        Ok(Self { run, control })
    }

    /// The last number it has come to.
    fn number(&self) -> Result<u64> {
        let said = self.run.program.stdout()?;
        Ok(said.lines().rev().find_map(|line| line.parse().ok()).unwrap_or(0))
    }

    /// Waits until it has worked on.
    fn work(&self, further: u64) -> Result<()> {
        let goal = self.number()? + further;
        wait_until("the host to work on", DEADLINE, || Ok((self.number()? >= goal).then_some(())))
    }

    fn stop(&self) -> Result<()> {
        fs::write(&self.control, "")?;
        ensure!(self.run.program.wait(DEADLINE)? == 0);
        self.run.check(&[("stop", 0)])
    }
}

fn numbers(events: &[Event]) -> Vec<u64> {
    texts(events, "WM_SETTEXT").iter().filter_map(|text| text.strip_prefix("number ")?.parse().ok()).collect()
}

#[test]
fn a_living_session_is_never_removed() {
    stage(|stage| {
        let log = stage.folder().join("log");
        let worker = Worker::start(stage, &log, "")?;
        worker.work(20)?;
        let living = worker.run.sessions()?;
        // Another process in the same folder ends one session after the other, and keeps two.
        let other = Run::start(stage, "cycles", &log, &["20"])?;
        ensure!(other.program.wait(DEADLINE)? == 0, "{}", other.program.stdout()?);
        ensure!(other.sessions()?.len() <= 4, "{:?}", other.sessions()?);
        ensure!(living.len() == 1 && living[0].join("recording").exists(), "{living:?}");
        worker.work(20)?;
        worker.stop()?;
        let (events, damage) = read_log(&living[0])?;
        ensure!(damage.is_empty(), "{damage:?}");
        ensure!(numbers(&events).iter().copied().eq(1..=worker.number()?), "{:?}", numbers(&events));
        Ok(())
    });
}

#[test]
#[cfg(not(windows))]
fn a_folder_that_is_removed_is_made_again() {
    stage(|stage| {
        // On Windows the open files forbid that.
        let log = stage.folder().join("log");
        let worker = Worker::start(stage, &log, "")?;
        worker.work(20)?;
        fs::remove_dir_all(&log)?;
        let removed_at = worker.number()?;
        wait_until("another segment", DEADLINE, || {
            Ok(log.exists().then(|| files(&log)).transpose()?.filter(|files| !files.is_empty()))
        })?;
        worker.work(20)?;
        worker.stop()?;
        let (events, _) = read_log(&log)?;
        let kept = numbers(&events);
        ensure!(kept.last() == Some(&worker.number()?), "{kept:?}");
        ensure!(kept.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{kept:?}");
        ensure!(states(&events).contains(&"memory-only".into()), "rings are gone: {:?}", states(&events));
        ensure!(
            events.iter().any(|event| matches!(event.kind, Kind::Keyframe(_))),
            "no keyframe since {removed_at}"
        );
        Ok(())
    });
}

/// A file system of its own, where this user may mount one.
#[cfg(target_os = "linux")]
struct SmallDisk(PathBuf);

#[cfg(target_os = "linux")]
impl SmallDisk {
    fn mount(place: &Path, size: &str) -> Result<Option<Self>> {
        fs::create_dir_all(place)?;
        let mut mount = std::process::Command::new("mount");
        let output =
            mount.args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]).arg(place).output()?;
        if !output.status.success() {
            eprintln!("left out: no file system can be mounted here");
            return Ok(None);
        }
        Ok(Some(Self(place.into())))
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_costs_nothing_as_long_as_the_ring_has_room() {
    stage(|stage| {
        // Room for two rings and a little.
        let Some(disk) = SmallDisk::mount(&stage.folder().join("disk"), "4m")? else { return Ok(()) };
        let log = disk.0.join("log");
        let worker = Worker::start(stage, &log, "")?;
        worker.work(50)?;
        let filler = disk.0.join("filler");
        let full = fill(&filler)?;
        ensure!(full > 1 << 20, "the disk took {full} bytes only");
        worker.work(200)?;
        fs::remove_file(&filler)?;
        worker.work(50)?;
        worker.stop()?;
        let events = worker.run.events()?;
        ensure!(numbers(&events).iter().copied().eq(1..=worker.number()?), "{:?}", numbers(&events));
        ensure!(states(&events) == ["memory-only", "on-disk", "stopped"], "{:?}", states(&events));
        ensure!(of_kind(&events, Kind::Gap).is_empty());
        Ok(())
    });
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_that_stays_full_leaves_the_rest_in_the_ring() {
    stage(|stage| {
        let Some(disk) = SmallDisk::mount(&stage.folder().join("disk"), "4m")? else { return Ok(()) };
        let worker = Worker::start(stage, &disk.0.join("log"), "")?;
        worker.work(50)?;
        fill(&disk.0.join("filler"))?;
        worker.work(100)?;
        worker.stop()?;
        // The end could not be written, but nothing that happened before it is missing.
        let events = worker.run.events()?;
        ensure!(numbers(&events).iter().copied().eq(1..=worker.number()?), "{:?}", numbers(&events));
        Ok(())
    });
}

#[test]
#[cfg(target_os = "linux")]
fn what_neither_disk_nor_ring_has_room_for_is_counted_and_stated() {
    stage(|stage| {
        let Some(disk) = SmallDisk::mount(&stage.folder().join("disk"), "16m")? else { return Ok(()) };
        let worker = Worker::start(stage, &disk.0.join("log"), "fast")?;
        worker.work(200)?;
        let filler = disk.0.join("filler");
        fill(&filler)?;
        // More than a ring holds.
        worker.work(2000)?;
        fs::remove_file(&filler)?;
        worker.work(200)?;
        worker.stop()?;
        let events = worker.run.events()?;
        let dropped = |event: &&Event| event.params.unsigned(Key::GapDropped).unwrap_or_default();
        let stated: u64 = of_kind(&events, Kind::Gap).iter().map(dropped).sum();
        let [statistics] = of_kind(&events, Kind::Statistics)[..] else { anyhow::bail!("no statistics") };
        let number = |key| statistics.params.unsigned(key).unwrap_or_default();
        ensure!(stated > 0 && number(Key::Dropped) == stated, "{stated} stated, {statistics:?}");
        let recorded = events.iter().filter(|event| event.message().is_some()).count() as u64;
        ensure!(number(Key::Recorded) == recorded, "{recorded} in the log, {statistics:?}");
        let sum = number(Key::Rejected) + recorded + number(Key::Shed) + stated;
        ensure!(number(Key::Received) == sum, "{sum}, {statistics:?}");
        Ok(())
    });
}

/// Writes until the disk is full; how much it took.
#[cfg(target_os = "linux")]
fn fill(file: &Path) -> Result<u64> {
    use std::io::Write;
    let mut filler = fs::File::create(file)?;
    for piece in [64 << 10, 512, 1] {
        while filler.write_all(&vec![b'x'; piece]).is_ok() {}
    }
    Ok(fs::metadata(file)?.len())
}

#[test]
fn a_host_may_stop_in_its_last_moments() {
    stage(|stage| {
        let endings = [
            ("atexit", "stop at exit"),
            ("thread", "stop at the end of a thread"),
            ("process", "stop at the end of the process"),
        ];
        for (when, answer) in endings {
            let begin = Instant::now();
            let run = Run::start(stage, "ending", &stage.folder().join(when), &[when])?;
            ensure!(run.program.wait(DEADLINE)? == 0);
            // Less than the recorder's deadline for its own thread: no call timed out.
            ensure!(begin.elapsed() < Duration::from_secs(4), "{when} took {:?}", begin.elapsed());
            run.check(&[(answer, 0)])?;
            let events = run.events()?;
            ensure!(texts(&events, "WM_SETTEXT").contains(&"near the end".into()), "{when}");
            ensure!(
                states(&events).contains(&"stopped".into()) == (when != "process"),
                "{when}: {:?}",
                states(&events)
            );
        }
        Ok(())
    });
}

#[test]
fn messages_are_seen_rightly_and_the_host_notices_nothing() {
    stage(|stage| {
        let run = Run::finish(stage, "messages", &[])?;
        run.check(&[
            ("start", 0),
            ("stop", 0),
            ("messages of the subclass", 0),
            ("questions of the tree", 0),
        ])?;
        let events = run.events()?;
        // Polled messages leave no record, and peeked messages are recorded once.
        let number = message_number("WM_GETTEXT");
        ensure!(
            !events.iter().any(|e| e.message().is_some_and(|m| Some(m.number) == number)),
            "a poll is recorded"
        );
        let statistics = of_kind(&events, Kind::Statistics);
        let statistics = statistics.last().context("no statistics")?;
        ensure!(statistics.params.unsigned(Key::Rejected) > Some(10_000), "{statistics:?}");
        // Of the masked edit's characters only their kind.
        ensure!(typed(&events) == "p日本x9", "{}", typed(&events));
        // The list's item is known although nobody asked its subclass; the tree's only by its place.
        let by_command = |id: u64| {
            let is = |e: &&Event| e.params.unsigned(Key::Command) == Some(id) && e.message().is_some();
            events.iter().find(is).with_context(|| format!("nothing of {id}"))
        };
        let (list, tree) = (by_command(1004)?, by_command(1005)?);
        ensure!(list.params.text(Key::ItemText) == Some(&"the only entry".into()), "{list:?}");
        ensure!(tree.params.get(Key::ItemPath).is_none(), "{tree:?}");
        ensure!(tree.params.text(Key::ItemIndexPath) == Some(&"0".into()), "{tree:?}");
        let number = message_number("WM_DROPFILES");
        let drop = events.iter().find(|e| e.message().is_some_and(|m| Some(m.number) == number));
        let dropped: Vec<_> = drop.context("no drop")?.params.all(Key::File).cloned().collect();
        ensure!(
            dropped == [r"C:\a b.txt", r"C:\ü.doc"].map(|name| message_log::Value::Text(name.into())),
            "{dropped:?}"
        );
        ensure!(
            texts(&events, "WM_IME_COMPOSITION") == ["日本"],
            "{:?}",
            texts(&events, "WM_IME_COMPOSITION")
        );
        ensure!(
            texts(&events, "WM_SETTEXT").contains(&"Xxxxx 99".to_owned()),
            "{:?}",
            texts(&events, "WM_SETTEXT")
        );
        let results: Vec<_> =
            events.iter().filter_map(|e| e.params.text(Key::ResultText)).map(ToString::to_string).collect();
        ensure!(results.contains(&"x9".to_owned()) && !results.contains(&"a7".to_owned()), "{results:?}");
        for file in files(&run.log)? {
            let bytes = fs::read(&file)?;
            ensure!(!bytes.windows(8).any(|w| w == b"Order 66"), "{} tells a masked text", file.display());
        }
        Ok(())
    });
}
