//! What a recorded message of a common kind must not do: allocate, lock, call the system.
//!
//! Allocations are counted by the recorder's own allocator. The rest is counted by stepping through the
//! callback (`steps.rs`): so many messages, and twice as many; the difference is theirs. That both counters
//! count is seen first.

use crate::common::{birth, creation, naming};
use crate::recorder::{Failure, Recorder, posted};
use crate::row::Row;
use crate::scene::Windows;
use crate::steps::{Steps, trace};
use serde_json::json;
use std::sync::Mutex;
use win32_vocabulary::messages::{WM_CHAR, WM_KEYDOWN, WM_LBUTTONDOWN, WM_MOUSEMOVE};

const MESSAGES: u64 = 20;

pub(crate) fn rows(recorder: &Recorder, windows: &Windows) -> Result<(), Failure> {
    prove(recorder)?;
    let edit = windows.edit;
    let [click, key, character, motion] = [
        posted(edit, WM_LBUTTONDOWN, 1, 0x0007_000C),
        posted(edit, WM_KEYDOWN, 0x41, 1),
        posted(edit, WM_CHAR, 0x61, 1),
        posted(edit, WM_MOUSEMOVE, 1, 0x0007_000C),
    ];
    let (text, create) = (naming(windows), creation(windows));
    let birth = birth(windows, &create);
    let kinds: [(&str, &dyn Fn()); 6] = [
        ("click", &|| recorder.posted(&click)),
        ("key", &|| recorder.posted(&key)),
        ("character", &|| recorder.posted(&character)),
        ("pointer's move while a button is held", &|| recorder.posted(&motion)),
        ("text", &|| recorder.sent(&text)),
        ("birth", &|| recorder.sent(&birth)),
    ];
    for (name, message) in kinds {
        recorder.drain();
        let run = |messages| {
            let before = recorder.allocations();
            let steps = trace(|| (0..messages).for_each(|_| message()));
            (recorder.allocations() - before, steps)
        };
        // The first run fills caches.
        let (_, (few, few_steps), (many, many_steps)) = (run(1), run(MESSAGES), run(2 * MESSAGES));
        let each = |few: u64, many: u64| (many as f64 - few as f64) / MESSAGES as f64;
        let (allocations, calls) = (each(few, many), each(few_steps.calls, many_steps.calls));
        let locked = each(few_steps.locked, many_steps.locked);
        if [allocations, calls, locked] != [0.0; 3] {
            return Err(format!(
                "a recorded {name}: {allocations} allocations, {calls} system calls, {locked} locked instructions"
            )
            .into());
        }
        let row = |what: &str, ours, wanted: f64| {
            Row::new(&format!("{what} of a recorded {name}"), "", ours)
                .floor(("nothing", 0.0))
                .wanted(json!({ "at_most": wanted }))
                .print();
        };
        row("allocations", allocations, 0.0);
        row("system calls", calls, 0.0);
        row("locked instructions", locked, 0.0);
        Row::new(
            &format!("instructions of a recorded {name}"),
            "",
            each(few_steps.instructions, many_steps.instructions),
        )
        .print();
    }
    Ok(())
}

/// Checks that the counters count where there is something to count.
fn prove(recorder: &Recorder) -> Result<(), Failure> {
    let before = recorder.allocations();
    recorder.allocate();
    if recorder.allocations() != before + 1 {
        return Err("an allocation was not counted".into());
    }
    let lock = Mutex::new(0);
    let Steps { locked, .. } = trace(|| drop(lock.lock()));
    let Steps { calls, .. } = trace(std::thread::yield_now);
    if locked == 0 || calls == 0 {
        return Err(format!("of a lock {locked} were counted, of a system call {calls}").into());
    }
    Ok(())
}
