//! The cost of a change and of a search as trees grow, each beside a reference that is measured in the same
//! run.
//!
//! Prints one JSON object per row for `cargo xtask bench`. The machine is shared, so the rounds of all
//! contestants are interleaved and the median counts.

use message_log::{
    Event, FORMAT_VERSION, Key, Keyframe, Kind, LogWriter, Message, Params, SegmentHead, Stamp,
};
use std::cell::RefCell;
use std::hint::black_box;
use std::time::Instant;
use win32_vocabulary::messages::{WM_CHAR, WM_CREATE, WM_NCDESTROY, WM_SETTEXT, WM_SHOWWINDOW};
use win32_vocabulary::styles::WS_CHILD;
use window_tree::{Snapshot, Target, Tree, locate, locate_plainly};

const ROUNDS: usize = 9;
const CHANGES: usize = 2000;
const SIZES: [u64; 4] = [100, 1000, 10_000, 100_000];

fn main() {
    // Started as a process of its own, so that its memory is that of a program which only reads a log.
    if let Some(log) = std::env::var_os("DASHCAM_BENCH_LOG") {
        return rebuild(std::path::Path::new(&log));
    }
    changes();
    searches();
    whole_logs();
}

/// A log with this many messages: a program whose user opens, operates and closes dialogs of twenty controls.
fn write_log(path: &std::path::Path, messages: u64) {
    let head = SegmentHead { version: FORMAT_VERSION, session: "bench".into(), ..SegmentHead::default() };
    let out = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    let mut writer = LogWriter::begin(out, &head).unwrap();
    let keyframe = Keyframe { of_thread: None, windows: (0..100).map(window).collect(), complete: true };
    writer.write(&Event::new(Stamp { sequence: 1, time: 0, thread: 0 }, Kind::Keyframe(keyframe))).unwrap();
    for i in 0..messages {
        let (dialog, control, turn) = (i / 100, i % 20, i % 100 / 20);
        let hwnd = 0x10_0000 + control;
        let number = [WM_CREATE, WM_SHOWWINDOW, WM_CHAR, WM_SETTEXT, WM_NCDESTROY][turn as usize];
        let mut event = message(number, hwnd, 1000 + dialog * 20 + control);
        event.stamp = Some(Stamp { sequence: i + 1, time: i * 900, thread: 1 });
        event = match number {
            WM_CREATE => event
                .with_number(Key::WindowStyle, WS_CHILD.into())
                .with_number(Key::WindowParent, 1)
                .with_number(Key::WindowResourceId, (1000 + control).cast_signed())
                .with_text(Key::WindowClass, "Button")
                .with_text(Key::WindowName, "&Add item"),
            WM_SHOWWINDOW => event.with(Key::Shown, message_log::Value::Flag(true)),
            WM_CHAR => event.with_number(Key::Character, 97),
            WM_SETTEXT => event.with_text(Key::Text, "Rechnung 4711"),
            _ => event,
        };
        writer.write(&event).unwrap();
    }
    writer.finish().unwrap();
}

/// Reads a log to its last tree; prints time and memory.
fn rebuild(path: &std::path::Path) {
    let begin = Instant::now();
    let part = message_log::Part::new("log.xml", || std::fs::File::open(path));
    let mut rebuild = window_tree::Rebuild::default();
    let log = message_log::Log::open(vec![part]).unwrap();
    log.for_each(|entry| drop(rebuild.take(&entry.unwrap())));
    assert_eq!(rebuild.tree().len(), 100);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap_or_default();
    println!("{} {kilobytes}", begin.elapsed().as_secs_f64());
}

fn whole_logs() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut first = None;
    for messages in [10_000u64, 100_000, 1_000_000] {
        let log = folder.join(format!("{messages}.xml"));
        write_log(&log, messages);
        let mut runs: Vec<(f64, f64)> = (0..3)
            .map(|_| {
                let this = std::env::current_exe().unwrap();
                let told = std::process::Command::new(this).env("DASHCAM_BENCH_LOG", &log).output().unwrap();
                let told = String::from_utf8(told.stdout).unwrap();
                let (seconds, kilobytes) = told.trim().split_once(' ').unwrap();
                (seconds.parse().unwrap(), kilobytes.parse().unwrap())
            })
            .collect();
        std::fs::remove_file(log).unwrap();
        runs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (seconds, kilobytes) = runs[1];
        let (nanos, megabytes) = (seconds * 1e9 / messages as f64, kilobytes / 1024.0);
        let (first_nanos, first_megabytes) = *first.get_or_insert((nanos, megabytes));
        let name = |what: &str| format!("log to final tree, {messages} messages, {what}");
        let reference = "of 10000 messages";
        let point = |plot| Some((plot, "messages in the log", messages as f64));
        let (time, memory) = ("From a log to its last tree, a message", "Memory to read a log, at its peak");
        let bound = Some(r#"{"max_ratio":2.0}"#);
        let is_last = messages == 1_000_000;
        let megabytes_wanted = is_last.then_some(64.0);
        row(&name("each"), "ns", nanos, Some((reference, first_nanos)), None, bound, point(time));
        let first_megabytes = Some((reference, first_megabytes));
        row(&name("peak memory"), "MB", megabytes, first_megabytes, megabytes_wanted, bound, point(memory));
        if is_last {
            row(&name("all"), "s", seconds, None, Some(2.0), None, None);
        }
    }
}

/// A window of a program with many dialogs of fifty controls each; the first window of each dialog is its
/// frame.
fn window(i: u64) -> Params {
    let (dialog, control) = (i / 50, i % 50);
    let frame = 1 + dialog * 50;
    let params = Params::new()
        .with_number(Key::WindowHwnd, (1 + i).cast_signed())
        .with_number(Key::WindowId, (1 + i).cast_signed());
    match control {
        0 => params
            .with_text(Key::WindowClass, "#32770")
            .with_text(Key::WindowName, format!("Dialog {dialog}")),
        _ => params
            .with_number(Key::WindowParent, frame.cast_signed())
            .with_number(Key::WindowResourceId, (1000 + control).cast_signed())
            .with_text(Key::WindowClass, ["Button", "Edit", "Static"][(control % 3) as usize])
            .with_text(
                Key::WindowName,
                if control % 3 == 1 { String::new() } else { format!("Control {control}") },
            ),
    }
}

fn tree(size: u64, window: impl Fn(u64) -> Params) -> Tree {
    let mut tree = Tree::new();
    let keyframe = Keyframe { of_thread: None, windows: (0..size).map(window).collect(), complete: true };
    tree.apply(&Event::new(Stamp { sequence: 1, time: 0, thread: 0 }, Kind::Keyframe(keyframe)));
    assert_eq!(tree.len() as u64, size);
    tree
}

fn message(number: u32, hwnd: u64, window_id: u64) -> Event {
    let message = Message { number, hwnd, window_id, ..Message::default() };
    Event::new(Stamp { sequence: 1, time: 1, thread: 1 }, Kind::Message(message))
}

/// A window in the middle of the tree is created, gets a text, is shown and is destroyed.
fn life(tree: &mut Tree, size: u64, window_id: u64) {
    const BORN: u64 = 0xFFFF_0000;
    let parent = 1 + size / 100 * 50;
    let create = message(WM_CREATE, BORN, window_id)
        .with_number(Key::WindowParent, parent.cast_signed())
        .with_number(Key::WindowResourceId, 7)
        .with_number(Key::WindowStyle, WS_CHILD.into())
        .with_text(Key::WindowClass, "Button");
    tree.apply(&create);
    tree.apply(&message(WM_SETTEXT, BORN, window_id).with_text(Key::Text, "Save"));
    tree.apply(&message(WM_SHOWWINDOW, BORN, window_id));
    tree.apply(&message(WM_NCDESTROY, BORN, window_id));
}

fn changes() {
    let make = |size| RefCell::new((tree(size, window), 1_000_000u64));
    let trees = SIZES.map(make);
    let run = |i: usize| {
        let (tree, window_id) = &mut *trees[i].borrow_mut();
        for _ in 0..CHANGES {
            *window_id += 1;
            life(tree, SIZES[i], *window_id);
        }
        assert_eq!(tree.len() as u64, SIZES[i]);
    };
    let times =
        measure([&|| run(0), &|| run(1), &|| run(2), &|| run(3)]).map(|s| s * 1e9 / (CHANGES * 4) as f64);
    for (size, time) in SIZES.into_iter().zip(times) {
        let row_name = format!("a change in a tree of {size} windows");
        let point = Some(("A change, by the size of the tree", "windows", size as f64));
        row(
            &row_name,
            "ns",
            time,
            Some(("the same in a tree of 100", times[0])),
            None,
            Some(r#"{"max_ratio":3.0}"#),
            point,
        );
    }
}

fn searches() {
    for size in SIZES {
        let live = tree(size, window);
        let snapshot = Snapshot::of(&live);
        // The last control of the last dialog: the worst case for a scan.
        let wanted = size;
        let target = Target::of(&live, wanted).unwrap();
        let ours = || assert_eq!(locate(&target, &snapshot).found().map(|found| found.hwnd), Some(wanted));
        let plain = || assert_eq!(locate_plainly(&live, wanted, &live), Some(wanted));
        let point = Some(("A window found, by the number of windows, in dialogs", "windows", size as f64));
        // With few windows, a few microseconds more than a scan do not matter; with many, a search is faster.
        let most = if size < 100_000 { 40.0 } else { 1.0 };
        compare(&format!("a window found among {size}"), &ours, &plain, most, point);
        if size == 10_000 {
            let whole = || {
                let snapshot = Snapshot::of(&live);
                black_box(locate(&Target::of(&live, wanted).unwrap(), &snapshot));
            };
            compare(
                &format!("the same with snapshot and index of {size} windows"),
                &whole,
                &plain,
                400.0,
                None,
            );
        }
    }
    for size in SIZES {
        flat(size);
    }
}

/// All windows are children of one: the worst case of a level.
fn flat(size: u64) {
    let child = |i: u64| {
        let params = Params::new()
            .with_number(Key::WindowHwnd, (1 + i).cast_signed())
            .with_number(Key::WindowId, (1 + i).cast_signed())
            .with_text(Key::WindowClass, if i == 0 { "Main" } else { "Button" })
            .with_text(Key::WindowName, format!("Button {i}"));
        if i == 0 {
            params
        } else {
            params
                .with_number(Key::WindowParent, 1)
                .with_number(Key::WindowResourceId, (1000 + i).cast_signed())
        }
    };
    let live = tree(size, child);
    let snapshot = Snapshot::of(&live);
    let target = Target::of(&live, size).unwrap();
    let ours = || assert_eq!(locate(&target, &snapshot).found().map(|found| found.hwnd), Some(size));
    let plain = || assert_eq!(locate_plainly(&live, size, &live), Some(size));
    let point = Some(("A window found, by the number of windows, children of one", "windows", size as f64));
    let most = if size < 10_000 { 10.0 } else { 1.0 };
    compare(&format!("a window found among {size} children of one"), &ours, &plain, most, point);
}

/// Compared with a plain scan, by a factor; 10,000 windows must be searched within 5 ms.
fn compare(name: &str, ours: &dyn Fn(), plain: &dyn Fn(), most: f64, point: Option<Point>) {
    let micros = |s: f64| s * 1e6;
    let [ours, plain] = measure([ours, plain]).map(micros);
    let wanted = name.contains("10000 ").then_some(5000.0);
    let bound = format!("{{\"max_ratio\":{most}}}");
    row(name, "µs", ours, Some(("plain scan with the paper's table", plain)), wanted, Some(&bound), point);
}

/// The median seconds of each contestant; rounds are interleaved.
fn measure<const N: usize>(contestants: [&dyn Fn(); N]) -> [f64; N] {
    let mut times = [(); N].map(|()| Vec::new());
    for round in 0..=ROUNDS {
        for (run, times) in contestants.iter().zip(&mut times) {
            let start = Instant::now();
            run();
            // The first round is a warm-up.
            if round > 0 {
                times.push(start.elapsed().as_secs_f64());
            }
        }
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

/// A curve: its title, its axis, and the value on it.
type Point = (&'static str, &'static str, f64);

fn row(
    row: &str,
    unit: &str,
    ours: f64,
    reference: Option<(&str, f64)>,
    at_most: Option<f64>,
    bound: Option<&str>,
    point: Option<Point>,
) {
    let reference = reference.map(|(name, value)| serde_json::json!({"name": name, "value": value}));
    let bound: Option<serde_json::Value> = bound.map(|bound| serde_json::from_str(bound).unwrap());
    let point = point.map(|(plot, counted, x)| serde_json::json!({"plot": plot, "counted": counted, "x": x}));
    println!(
        "{}",
        serde_json::json!({
            "row": row, "unit": unit, "ours": ours, "reference": reference, "floor": null,
            "wanted": {"at_most": at_most}, "bound": bound, "better": "lower", "point": point,
        })
    );
}
