//! `dashcam drive`, for tests and for looking into a program that does not replay: does what the lines of a
//! script say and prints what came of each.
//!
//! A line is a JSON object: `{"act": "Press", "id": 1100}`, `{"settle": 5000}`,
//! `{"ask": "Text", "id": 1201}`, `"snapshot"`. A window is named by its control id, its class, a part of its
//! text or that of its top-level window (`in`); shown ones come first.

use super::live::LiveDriver;
use super::posting::PostingDriver;
use crate::output::say;
use anyhow::Context;
use message_log::{Key, Keyframe, Params, Value as MessageValue};
use replay_engine::driver::{Act, Driver, Question};
use serde::Deserialize;
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long a window may take to appear.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Line {
    act: Option<Act>,
    settle: Option<u64>,
    ask: Option<Question>,
    snapshot: bool,
    /// Milliseconds to sleep whatever happens, as the paper's prototype did after each action: the
    /// reference for speed.
    sleep: Option<u64>,
    /// Act, settle and snapshot, so many times, each in microseconds.
    measure: Option<usize>,
    id: Option<i64>,
    class: Option<String>,
    text: Option<String>,
    #[serde(rename = "in")]
    top: Option<String>,
}

/// Starts the program, or enters a running one, and goes through the script.
pub(crate) fn run(
    script: &Path,
    no_agent: bool,
    pid: Option<u32>,
    command: &[String],
) -> anyhow::Result<ExitCode> {
    let script = std::fs::read_to_string(script).with_context(|| script.display().to_string())?;
    let nothing = |_: &_| Ok(());
    if no_agent {
        let driver = pid.map_or_else(|| PostingDriver::start(command, nothing), PostingDriver::attach);
        let mut driver = driver?;
        let done = follow(&script, &mut driver);
        driver.process().end_if_ours();
        done
    } else {
        let driver = pid.map_or_else(|| LiveDriver::start(command, nothing), LiveDriver::attach);
        let mut driver = driver?;
        let done = follow(&script, &mut driver);
        driver.process().end_if_ours();
        done
    }
    .map(|()| ExitCode::SUCCESS)
}

fn follow(script: &str, driver: &mut impl Driver) -> anyhow::Result<()> {
    for text in script.lines().filter(|line| !line.trim().is_empty()) {
        let line: Line = serde_json::from_str(text).with_context(|| text.to_owned())?;
        let start = Instant::now();
        let mut told = step(&line, driver);
        told["micros"] = json!(start.elapsed().as_micros() as u64);
        say(&told.to_string())?;
    }
    Ok(())
}

fn step(line: &Line, driver: &mut impl Driver) -> serde_json::Value {
    if let Some(millis) = line.settle {
        return json!({ "state": format!("{:?}", driver.settle(Duration::from_millis(millis))) });
    }
    if let Some(millis) = line.sleep {
        std::thread::sleep(Duration::from_millis(millis));
        return json!({ "slept": millis });
    }
    let deadline = Instant::now() + PATIENCE;
    let window = loop {
        let windows = match driver.snapshot() {
            Ok(windows) => windows,
            Err(trouble) => return json!({ "trouble": trouble.to_string() }),
        };
        if line.snapshot {
            return json!({ "windows": windows.windows.iter().map(tell).collect::<Vec<_>>() });
        }
        if let Some(window) = find(&windows, line) {
            break window;
        }
        if Instant::now() >= deadline {
            return json!({ "trouble": "no such window" });
        }
        // A new thread takes a while until it has windows, and no one is busy in the meantime.
        std::thread::sleep(Duration::from_millis(1));
    };
    if let Some(question) = &line.ask {
        return match driver.ask(window, question) {
            Ok(answer) => json!({ "answer": answer }),
            Err(trouble) => json!({ "trouble": trouble.to_string() }),
        };
    }
    let Some(act) = &line.act else { return json!({ "trouble": "nothing to do" }) };
    if let Some(times) = line.measure {
        return json!({ "measured": measure(driver, window, act, times) });
    }
    match driver.act(window, act) {
        Ok(()) => json!({ "done": true }),
        Err(trouble) => json!({ "trouble": trouble.to_string() }),
    }
}

fn measure(driver: &mut impl Driver, window: u64, act: &Act, times: usize) -> Vec<[u64; 3]> {
    let micros = |since: Instant| since.elapsed().as_micros() as u64;
    let mut measured = Vec::with_capacity(times);
    for _ in 0..times {
        let start = Instant::now();
        let _ = driver.act(window, act);
        let acted = micros(start);
        driver.settle(Duration::from_secs(10));
        let settled = micros(start);
        let _ = driver.snapshot();
        measured.push([acted, settled - acted, micros(start) - settled]);
    }
    measured
}

fn tell(window: &Params) -> serde_json::Value {
    let rect = match window.get(Key::WindowRect) {
        Some(MessageValue::Rect(r)) => Some([r.left, r.top, r.right, r.bottom]),
        _ => None,
    };
    let text = |key| window.text(key).map(|text| text.to_string_lossy().into_owned());
    json!({
        "hwnd": window.unsigned(Key::WindowHwnd),
        "parent": window.unsigned(Key::WindowParent),
        "owner": window.unsigned(Key::WindowOwner),
        "id": window.signed(Key::WindowResourceId),
        "class": text(Key::WindowClass),
        "name": text(Key::WindowName),
        "visible": window.flag(Key::WindowVisible),
        "enabled": window.flag(Key::WindowEnabled),
        "modal": window.flag(Key::WindowModal),
        "thread": window.unsigned(Key::WindowThread),
        "order": window.unsigned(Key::WindowOrder),
        "rect": rect,
    })
}

fn find(windows: &Keyframe, line: &Line) -> Option<u64> {
    let is = |window: &Params, key, part: &Option<String>| {
        part.as_ref().is_none_or(|part| {
            window.text(key).is_some_and(|text| text.to_string_lossy().contains(part.as_str()))
        })
    };
    let hwnd = |window: &Params| window.unsigned(Key::WindowHwnd).unwrap_or_default();
    let parent = |window: &Params| window.unsigned(Key::WindowParent).unwrap_or_default();
    let by_hwnd = |wanted: u64| windows.windows.iter().find(|window| hwnd(window) == wanted);
    let is_shown = |window: &Params| {
        std::iter::successors(Some(window), |window| by_hwnd(parent(window)))
            .all(|window| window.flag(Key::WindowVisible) == Some(true))
    };
    let is_in = |window: &Params| {
        let top = std::iter::successors(Some(window), |window| by_hwnd(parent(window))).last();
        top.is_some_and(|top| is(top, Key::WindowName, &line.top))
    };
    let fits = |window: &&Params| {
        line.id.is_none_or(|id| window.signed(Key::WindowResourceId) == Some(id))
            && is(window, Key::WindowClass, &line.class)
            && is(window, Key::WindowName, &line.text)
            && is_in(window)
    };
    let mut found: Vec<&Params> = windows.windows.iter().filter(fits).collect();
    found.sort_by_key(|window| !is_shown(window));
    found.first().map(|window| hwnd(window))
}
