//! The cost of a change and of a search as trees grow, each beside a reference measured in the same run.
//!
//! Prints one JSON object per row for `cargo xtask bench`. Rounds of all contestants are interleaved and the
//! median counts, since the machine is shared.

use message_log::{Event, Key, Keyframe, Kind, Message, Params, Stamp};
use std::cell::RefCell;
use std::hint::black_box;
use std::time::Instant;
use window_tree::{Snapshot, Target, Tree, locate, locate_plainly};

const ROUNDS: usize = 9;
const CHANGES: usize = 2000;
const SIZES: [u64; 4] = [100, 1000, 10_000, 100_000];

fn main() {
    changes();
    searches();
}

/// A window of a program with many dialogs of fifty controls each; the first of each dialog is its frame.
fn window(i: u64) -> Params {
    let (dialog, control) = (i / 50, i % 50);
    let frame = 1 + dialog * 50;
    let params = Params::new()
        .with_number(Key::WindowHwnd, (1 + i).cast_signed())
        .with_number(Key::WindowBirth, (1 + i).cast_signed());
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

fn message(number: u32, hwnd: u64, birth: u64) -> Event {
    let message = Message { number, hwnd, birth, ..Message::default() };
    Event::new(Stamp { sequence: 1, time: 1, thread: 1 }, Kind::Message(message))
}

/// A window is born, gets a text, is shown and dies, in the dialog in the middle of the tree.
fn life(tree: &mut Tree, size: u64, birth: u64) {
    const BORN: u64 = 0xFFFF_0000;
    let parent = 1 + size / 100 * 50;
    let create = message(0x01, BORN, birth)
        .with_number(Key::WindowParent, parent.cast_signed())
        .with_number(Key::WindowResourceId, 7)
        .with_number(Key::WindowStyle, 0x4000_0000)
        .with_text(Key::WindowClass, "Button");
    tree.apply(&create);
    tree.apply(&message(0x0C, BORN, birth).with_text(Key::Text, "Save"));
    tree.apply(&message(0x18, BORN, birth));
    tree.apply(&message(0x82, BORN, birth));
}

fn changes() {
    let make = |size| RefCell::new((tree(size, window), 1_000_000u64));
    let trees = SIZES.map(make);
    let run = |i: usize| {
        let (tree, birth) = &mut *trees[i].borrow_mut();
        for _ in 0..CHANGES {
            *birth += 1;
            life(tree, SIZES[i], *birth);
        }
        assert_eq!(tree.len() as u64, SIZES[i]);
    };
    let times =
        measure([&|| run(0), &|| run(1), &|| run(2), &|| run(3)]).map(|s| s * 1e9 / (CHANGES * 4) as f64);
    for (size, time) in SIZES.iter().zip(times).skip(1) {
        let row_name = format!("a change in a tree of {size} windows");
        row(&row_name, "ns", time, ("the same in a tree of 100", times[0]), Some(r#"{"max_ratio":3.0}"#));
    }
}

fn searches() {
    for size in SIZES {
        let live = tree(size, window);
        let snapshot = Snapshot::of(&live);
        // The last control of the last dialog: where a scan arrives last.
        let wanted = size;
        let target = Target::of(&live, wanted).unwrap();
        let ours = || assert_eq!(locate(&target, &snapshot).found().map(|found| found.hwnd), Some(wanted));
        let plain = || assert_eq!(locate_plainly(&live, wanted, &live), Some(wanted));
        compare(&format!("a window found among {size}"), &ours, &plain);
        if size == 10_000 {
            let whole = || {
                let snapshot = Snapshot::of(&live);
                black_box(locate(&Target::of(&live, wanted).unwrap(), &snapshot));
            };
            compare(&format!("the same with snapshot and index of {size} windows"), &whole, &plain);
        }
    }
    for size in [10_000, 100_000] {
        flat(size);
    }
}

/// All windows are children of one: the worst case of a level.
fn flat(size: u64) {
    let child = |i: u64| {
        let params = Params::new()
            .with_number(Key::WindowHwnd, (1 + i).cast_signed())
            .with_number(Key::WindowBirth, (1 + i).cast_signed())
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
    compare(&format!("a window found among {size} children of one"), &ours, &plain);
}

fn compare(name: &str, ours: &dyn Fn(), plain: &dyn Fn()) {
    let micros = |s: f64| s * 1e6;
    let [ours, plain] = measure([ours, plain]).map(micros);
    row(name, "µs", ours, ("plain scan with the paper's table", plain), None);
}

/// Median seconds of each, rounds interleaved.
fn measure<const N: usize>(contestants: [&dyn Fn(); N]) -> [f64; N] {
    let mut times = [(); N].map(|()| Vec::new());
    for round in 0..=ROUNDS {
        for (run, times) in contestants.iter().zip(&mut times) {
            let start = Instant::now();
            run();
            // The first round warms up.
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

fn row(row: &str, unit: &str, ours: f64, reference: (&str, f64), bound: Option<&str>) {
    let reference = serde_json::json!({"name": reference.0, "value": reference.1});
    let bound: Option<serde_json::Value> = bound.map(|bound| serde_json::from_str(bound).unwrap());
    println!(
        "{}",
        serde_json::json!({
            "row": row, "unit": unit, "ours": ours, "reference": reference, "floor": null, "bound": bound, "better": "lower",
        })
    );
}
