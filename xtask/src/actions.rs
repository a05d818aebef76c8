//! Measures 64 user actions on wordpad: messages received, messages recorded, and their cost.
//!
//! The paper this project began with gives the same figures for 64 actions on its own program. An action here
//! is a click, a choice from a menu, a key or a character.

use std::fs;
use std::io::Cursor;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use harness::wait::{DEADLINE, wait_until};
use harness::{Desktop, Input, Probe, Program, Recording, Window, folders, window};
use message_log::{Event, FORMAT_VERSION, Key, Kind, Log, LogWriter, Manifest, SegmentHead};
use win32_vocabulary::messages::WM_LBUTTONDOWN;

use crate::progress::Progress;
use crate::row::Row;
use crate::{build, cargo};

pub(crate) const WORDPAD: &str = r"C:\Program Files\Windows NT\Accessories\wordpad.exe";

/// The totals of 64 actions.
struct Cost {
    received: u64,
    recorded: u64,
    /// The total time in callbacks.
    micros: u64,
    /// XML without keyframes.
    bytes: u64,
    /// The part of that before the first action.
    start_bytes: u64,
    keyframe_bytes: u64,
    /// The size of the exported file.
    exported: u64,
}

/// 64 actions on wordpad, compared with the paper's 64 on its own program.
pub(crate) fn rows() -> Result<Vec<Row>> {
    let cost = measure()?;
    let row =
        |what: &str, unit: &str, ours: f64| Row::lower(format!("64 actions on wordpad, {what}"), unit, ours);
    let each = |what: &str, bytes: u64| row(what, "bytes an action", bytes as f64 / 64.0);
    let paper = |row: Row, value: f64| row.reference("the paper", value);
    let paper_bytes = 139_000.0 / 64.0;
    Ok(vec![
        paper(row("received", "messages", cost.received as f64), 20_221.0),
        paper(row("recorded", "messages", cost.recorded as f64), 506.0).max_ratio(2.5),
        paper(row("in the callbacks", "µs", cost.micros as f64), 1_361_000.0).max_ratio(0.05),
        paper(each("XML without keyframes", cost.bytes - cost.start_bytes), paper_bytes)
            .at_most(2200.0)
            .max_ratio(1.15),
        each("XML of the program's start", cost.start_bytes),
        each("keyframes", cost.keyframe_bytes),
        paper(each("exported file, start and keyframes included", cost.exported), paper_bytes)
            .at_most(300.0)
            .max_ratio(0.15),
    ])
}

/// Records wordpad with the DLL that times itself.
fn measure() -> Result<Cost> {
    let folder = folders::target().join("bench").join("wordpad");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let dashcam = program(&folder)?;
    let desktop = Arc::new(Desktop::start_private()?);
    let probe = Arc::new(Probe::start(&desktop, &folder)?);
    let input = Input::new(&desktop, &probe);
    let recording = Recording { folder: folder.join("log") };
    let log = folders::for_windows(&recording.folder);
    let run = Program::start(&probe, &folder, &dashcam, &["run", "--log", &log, "--", WORDPAD], &[])?;
    let main = window().class("WORDPADTOP").wait(&probe, DEADLINE)?;
    act(&input, &probe, &main)?;
    // The counters lag behind; once they stop changing, everything is recorded.
    let mut before = None;
    let cost = wait_until("the counters to stand still", DEADLINE, || {
        std::thread::sleep(std::time::Duration::from_millis(300));
        let now = cost(&recording).ok();
        let is_still = now.as_ref().map(|cost| cost.received) == before;
        before = now.as_ref().map(|cost| cost.received);
        Ok(now.filter(|_| is_still))
    })?;
    close(&input, &probe, &main)?;
    ensure!(run.wait(DEADLINE)? == 0, "{}", run.stderr()?);
    Ok(cost)
}

/// Places `dashcam.exe` beside the DLL that times itself.
pub(crate) fn program(folder: &std::path::Path) -> Result<String> {
    build::bench_dll(&Progress::new("build"))?;
    cargo::run(&["build", "--quiet", "--package", "dashcam", "--bin", "dashcam", "--target", build::X64])?;
    let built = folders::target().join(build::X64).join("debug").join("dashcam.exe");
    let place = folder.join("dashcam.exe");
    fs::copy(built, &place)?;
    fs::copy(folders::target().join("bench").join("dashcam.dll"), folder.join("dashcam.dll"))?;
    Ok(place.display().to_string())
}

struct Scene<'a> {
    input: &'a Input,
    probe: &'a Probe,
    pid: u32,
}

impl Scene<'_> {
    /// Opens a dialog and closes it by Esc: two actions.
    fn dialog(&self, open: &[&str]) -> Result<u32> {
        let dialog = window().class("#32770").of_process(self.pid);
        open.iter().try_for_each(|keys| self.input.press(keys))?;
        dialog.wait(self.probe, DEADLINE)?;
        self.input.press("Escape")?;
        dialog.wait_gone(self.probe, DEADLINE)?;
        Ok(2)
    }
}

/// Performs 64 user actions on wordpad.
pub(crate) fn act(input: &Input, probe: &Probe, main: &Window) -> Result<()> {
    let edit = wait_until("wordpad's edit", DEADLINE, || {
        let children = probe.children(main)?;
        Ok(children.into_iter().find(|child| child.class.to_lowercase().contains("richedit")))
    })?;
    let done = do_all(&Scene { input, probe, pid: main.pid }, &edit)?;
    ensure!(done == 64, "{done} actions");
    Ok(())
}

/// Closes wordpad without saving.
pub(crate) fn close(input: &Input, probe: &Probe, main: &Window) -> Result<()> {
    input.press("alt+F4")?;
    window().class("#32770").of_process(main.pid).wait(probe, DEADLINE)?;
    input.press("alt+n")
}

/// Returns the number of actions performed.
fn do_all(scene: &Scene<'_>, edit: &Window) -> Result<u32> {
    const TEXT: &str = "Dear customer, the total";
    let mut actions = 0;
    scene.input.click_window(edit)?;
    actions += 1;
    scene.input.type_text(TEXT)?;
    actions += TEXT.len() as u32;
    wait_until("the text", DEADLINE, || Ok((scene.probe.text(edit)? == TEXT).then_some(())))?;
    for keys in
        ["ctrl+a", "ctrl+b", "ctrl+i", "ctrl+u", "Home", "End", "Left", "Right", "shift+Home", "ctrl+c"]
    {
        scene.input.press(keys)?;
        actions += 1;
    }
    for open in [&["ctrl+f"][..], &["ctrl+h"], &["ctrl+f"], &["ctrl+h"], &["ctrl+f"], &["ctrl+o"]] {
        actions += scene.dialog(open)?;
    }
    // Menu choices that hide and show the toolbar.
    for _ in 0..4 {
        for keys in [["alt+v", "t"], ["alt+v", "t"]] {
            keys.iter().try_for_each(|key| scene.input.press(key))?;
            actions += 1;
        }
    }
    let (x, y) = edit.rect.centre();
    for step in 0..9 {
        scene.input.click(harness::protocol::Button::Left, x - 60 + step * 10, y)?;
        actions += 1;
    }
    Ok(actions)
}

fn cost(recording: &Recording) -> Result<Cost> {
    let (events, _) = recording.read()?;
    let statistics = events.0.iter().rfind(|e| e.kind == Kind::Statistics).context("no statistics")?;
    let number = |key| statistics.params.unsigned(key).unwrap_or_default();
    let micros = statistics.params.text(Key::Reason).context("the DLL does not time itself")?;
    let size = |events: &[Event], of: fn(&Kind) -> bool| {
        let mut lines = Vec::new();
        events.iter().filter(|e| of(&e.kind)).for_each(|e| message_log::encode(e, &mut lines));
        lines.len() as u64
    };
    let first = events.0.iter().position(|e| e.message().is_some_and(|m| m.number == WM_LBUTTONDOWN));
    let before = &events.0[..first.context("no click")?];
    // The DLL that times itself writes its counters on every pass.
    let is_line: fn(&Kind) -> bool = |kind| !matches!(kind, Kind::Keyframe(_) | Kind::Statistics);
    Ok(Cost {
        received: number(Key::Received),
        recorded: number(Key::Recorded),
        micros: micros.to_string().parse()?,
        bytes: size(&events.0, is_line),
        start_bytes: size(before, is_line),
        keyframe_bytes: size(&events.0, |kind| matches!(kind, Kind::Keyframe(_))),
        exported: exported(&events.0)?,
    })
}

/// The size of the exported file, without those counters.
fn exported(events: &[Event]) -> Result<u64> {
    let head = SegmentHead { version: FORMAT_VERSION, session: "wordpad".into(), ..SegmentHead::default() };
    let mut writer = LogWriter::begin(Vec::new(), &head)?;
    events.iter().filter(|e| e.kind != Kind::Statistics).try_for_each(|e| writer.write(e))?;
    let mut file = Cursor::new(Vec::new());
    Manifest::export(Log::from_bytes("wordpad", &writer.finish()?)?, &mut file)?;
    Ok(file.into_inner().len() as u64)
}
