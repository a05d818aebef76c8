//! Measures reports of up to 10,000 steps: the size of the page and the time until a browser shows it.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Result, ensure};
use harness::browser::Browser;
use harness::folders;
use message_log::{
    Event, FORMAT_VERSION, Hook, Key, Keyframe, Kind, LogWriter, Message, Params, Point, Rect, SegmentHead,
    Stamp, Value, add_facts,
};
use win32_vocabulary::messages::{WM_COMMAND, WM_LBUTTONDOWN, WM_LBUTTONUP, WM_SETTEXT};
use win32_vocabulary::styles::{WS_CHILD, WS_OVERLAPPEDWINDOW, WS_VISIBLE};

use crate::cargo;
use crate::row::Row;

/// The page of a session with `steps` steps.
struct Page {
    steps: usize,
    megabytes: f64,
    /// Seconds until the browser shows it.
    opened: f64,
    /// Seconds to write it.
    made: f64,
}

/// Measures sessions of growing length, each compared with one of a tenth of its length.
pub(crate) fn rows() -> Result<Vec<Row>> {
    let pages = measure()?;
    let mut rows = Vec::new();
    for (i, page) in pages.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| pages.get(i));
        let mut add = |what: &str, unit: &str, of: fn(&Page) -> f64, wanted: Option<f64>, plot: &str| {
            let row = Row::lower(format!("report of {} steps, {what}", page.steps), unit, of(page));
            let row = row.point(plot, "steps", page.steps as f64);
            let row = wanted.filter(|_| page.steps == 10_000).map_or(row.clone(), |most| row.at_most(most));
            // Ten times the steps may cost ten times as much, not a hundred times.
            rows.push(before.map_or(row.clone(), |before| {
                row.reference(&format!("of {} steps", before.steps), of(before)).max_ratio(20.0)
            }));
        };
        add("size", "MB", |page| page.megabytes, Some(10.0), "The size of a report");
        add(
            "until Chromium shows it",
            "s",
            |page| page.opened,
            Some(2.0),
            "The time until a report is shown",
        );
        add("to make it", "s", |page| page.made, None, "The time to make a report");
    }
    Ok(rows)
}

fn measure() -> Result<Vec<Page>> {
    cargo::run(&["build", "--quiet", "--package", "dashcam", "--bin", "dashcam", "--release"])?;
    let folder = folders::target().join("bench").join("report");
    fs::create_dir_all(&folder)?;
    let browser = Browser::start(1280, 900, false)?;
    [100, 1000, 10_000].into_iter().map(|steps| of(&browser, &folder, steps)).collect()
}

fn of(browser: &Browser, folder: &Path, steps: usize) -> Result<Page> {
    let (log, page) = (folder.join(format!("{steps}.xml")), folder.join(format!("{steps}.html")));
    fs::write(&log, session(steps)?)?;
    let dashcam = folders::target().join("release").join("dashcam");
    let begin = Instant::now();
    let done = Command::new(dashcam).arg("report").arg(&log).arg("-o").arg(&page).output()?;
    let made = begin.elapsed().as_secs_f64();
    ensure!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let mut times = Vec::new();
    for _ in 0..3 {
        let begin = Instant::now();
        browser.open_anew(&page, "")?;
        browser.wait("document.documentElement.dataset.ready")?;
        times.push(begin.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok(Page { steps, megabytes: fs::metadata(page)?.len() as f64 / 1e6, opened: times[1], made })
}

/// A session in which the user presses one of fifty buttons repeatedly; a label names the button each time.
fn session(steps: usize) -> Result<Vec<u8>> {
    let place = |left: i32, top: i32, width: i32, height: i32| {
        Value::Rect(Rect { left, top, right: left + width, bottom: top + height })
    };
    let window = |hwnd: i64, parent: i64, class: &str, name: String, rect: Value| {
        let kind = if parent == 0 { WS_OVERLAPPEDWINDOW } else { WS_CHILD };
        Params::new()
            .with_number(Key::WindowHwnd, hwnd)
            .with_number(Key::WindowId, hwnd)
            .with_number(Key::WindowParent, parent)
            .with_number(Key::WindowResourceId, if parent == 0 { 0 } else { hwnd })
            .with_text(Key::WindowClass, class)
            .with_text(Key::WindowName, name)
            .with_number(Key::WindowStyle, (kind | WS_VISIBLE).into())
            .with(Key::WindowRect, rect)
            .with(Key::WindowVisible, Value::Flag(true))
            .with(Key::WindowEnabled, Value::Flag(true))
    };
    let button = |i: i64| {
        let (x, y) = (i32::try_from(i % 10).unwrap_or(0) * 90, i32::try_from(i / 10).unwrap_or(0) * 40);
        window(100 + i, 1, "Button", format!("Item {i}"), place(10 + x, 60 + y, 80, 30))
    };
    let main = window(1, 0, "Bench", "Bench".into(), place(0, 0, 940, 320));
    let label = window(2, 1, "Static", String::new(), place(10, 10, 400, 30));
    let windows = [main, label].into_iter().chain((0..50).map(button)).collect();
    let keyframe = Keyframe { of_thread: None, windows, complete: true };
    let head = SegmentHead { version: FORMAT_VERSION, session: "bench".into(), ..SegmentHead::default() };
    let mut writer = LogWriter::begin(Vec::new(), &head)?;
    writer.write(&Event::new(Stamp { sequence: 1, time: 0, thread: 0 }, Kind::Keyframe(keyframe)))?;
    let mut sequence = 0;
    let mut put = |message: Message, params: Params| {
        sequence += 1;
        let stamp = Stamp { sequence, time: sequence * 250_000, thread: 1 };
        let mut event = Event { stamp: Some(stamp), kind: Kind::Message(message), params };
        add_facts(&mut event);
        writer.write(&event)
    };
    for step in 0..steps as u64 {
        let hwnd = 100 + step % 50;
        let message = |number, hwnd, hook, depth, wparam, lparam| Message {
            number,
            hwnd,
            window_id: hwnd,
            hook,
            depth,
            posted_at: 0,
            wparam,
            lparam,
        };
        let point = || Params::new().with(Key::PointClient, Value::Point(Point { x: 40, y: 15 }));
        put(message(WM_LBUTTONDOWN, hwnd, Hook::Posted, 100, 1, 15 << 16 | 40), point())?;
        put(message(WM_LBUTTONUP, hwnd, Hook::Posted, 100, 0, 15 << 16 | 40), point())?;
        put(message(WM_COMMAND, 1, Hook::Sent, 900, hwnd, hwnd), Params::new())?;
        let text =
            Params::new().with_text(Key::Text, format!("Item {} was pressed, the {step}th time", step % 50));
        put(message(WM_SETTEXT, 2, Hook::Sent, 1700, 0, 0), text)?;
    }
    Ok(writer.finish()?)
}
