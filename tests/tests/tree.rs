//! Real programs recorded with real input: the messages tell the windows that the keyframes show.
//!
//! The same sessions, made by the ignored test at the end, are the recordings in `tests/recordings/`.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use anyhow::{Context, Result, ensure};
use harness::protocol::Button;
use harness::wait::DEADLINE;
use harness::{Recording, Stage, Window, folders, stage, wait_until, window};
use message_log::{Kind, Log};
use window_tree::{Fidelity, Property, Rebuild, Share};

#[test]
fn the_tree_of_notepad_is_what_is_there() {
    stage(|stage| {
        let log = notepad(stage, ENGLISH)?;
        check(&log, 20)
    });
}

#[test]
fn the_tree_of_wordpad_is_what_is_there() {
    stage(|stage| {
        let log = wordpad(stage, ENGLISH)?;
        check(&log, 50)
    });
}

#[test]
fn the_tree_of_the_gallery_is_what_is_there() {
    stage(|stage| {
        let log = gallery(stage, ENGLISH)?;
        check(&log, 500)
    });
}

/// Writes `tests/recordings/`, in several languages: `cargo xtask test --only e2e --long make_recordings`.
#[test]
#[ignore = "writes the recordings that other tests read"]
fn make_recordings() {
    for (language, locale) in [("en", ENGLISH), ("de", "de_DE.UTF-8"), ("ja", "ja_JP.UTF-8")] {
        for (program, record) in PROGRAMS {
            stage(|stage| {
                let log = record(stage, locale)?;
                let file = folders::workspace()
                    .join("tests/recordings")
                    .join(format!("{program}-{language}.dashcam"));
                Recording { folder: log }.pack(&file)
            });
        }
    }
}

type Record = fn(&Stage, &str) -> Result<PathBuf>;
const PROGRAMS: [(&str, Record); 3] = [("notepad", notepad), ("wordpad", wordpad), ("gallery", gallery)];
const ENGLISH: &str = "C.UTF-8";

/// What the messages of a log tell agrees with its keyframes as far as promised.
fn check(log: &Path, at_least: u64) -> Result<()> {
    let fidelity = fidelity(log)?;
    let list: Vec<String> = fidelity.differences.iter().take(40).map(ToString::to_string).collect();
    let list = list.join("\n");
    ensure!(fidelity.windows.compared >= at_least, "only {:?} windows were compared", fidelity.windows);
    let all = |what: &str, share: Share| {
        let is_all = share.agreeing == share.compared && share.compared >= at_least / 2;
        ensure!(is_all, "{what}: {share:?}\n{list}");
        Ok(())
    };
    all("existence", fidelity.existence)?;
    all("parent", fidelity.property(Property::Parent))?;
    all("class", fidelity.property(Property::Class))?;
    all("resource id", fidelity.property(Property::ResourceId))?;
    for property in [Property::Visible, Property::Enabled, Property::Name] {
        let share = fidelity.property(property);
        ensure!(
            share.value() >= 0.99 && share.compared >= at_least / 4,
            "{}: {share:?}\n{list}",
            property.name()
        );
    }
    // What is excused must stay an exception.
    let all = fidelity.all_properties().compared;
    ensure!(fidelity.in_flight * 20 <= all, "{} of {all} values were in flight", fidelity.in_flight);
    Ok(())
}

fn fidelity(log: &Path) -> Result<Fidelity> {
    let mut rebuild = Rebuild::new();
    for entry in open(log)? {
        rebuild.take(&entry?);
    }
    Ok(rebuild.finish().fidelity().clone())
}

fn open(folder: &Path) -> Result<Log<'static>> {
    Recording { folder: folder.into() }.open(|_| true)
}

/// A program under `dashcam run`, with a keyframe every three seconds.
struct Recorded<'a> {
    stage: &'a Stage,
    dashcam: Child,
    log: PathBuf,
    /// Processes that had windows before.
    others: HashSet<u32>,
}

/// A test that fails leaves no program to the next one.
impl Drop for Recorded<'_> {
    fn drop(&mut self) {
        if matches!(self.dashcam.try_wait(), Ok(Some(_))) {
            return;
        }
        let windows = self.stage.probe.windows().unwrap_or_default();
        let left: HashSet<u32> =
            windows.iter().map(|it| it.pid).filter(|pid| !self.others.contains(pid)).collect();
        for pid in left {
            let ended = self.stage.start("taskkill", &["/f", "/pid", &pid.to_string()]);
            let _ = ended.and_then(|it| it.wait(DEADLINE));
        }
        let _ = self.dashcam.wait();
    }
}

impl<'a> Recorded<'a> {
    fn start(stage: &'a Stage, locale: &str, program: &str, args: &[&str]) -> Result<Self> {
        let others = stage.probe.windows()?.into_iter().map(|it| it.pid).collect();
        let log = stage.folder().join("log");
        let folder = folders::for_windows(&log);
        // Not by the probe: Wine takes the language from the environment of this system, not from
        // that of Windows.
        let mut command = stage.desktop().command(folders::command());
        command.args(["run", "--retention", "48s", "--log", &folder, "--", program]).args(args);
        command.env("LC_ALL", locale).current_dir(stage.folder());
        let output = File::create(stage.folder().join("run.err"))?;
        let dashcam = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(output).spawn()?;
        Ok(Self { stage, dashcam, log, others })
    }

    /// Waits for a keyframe of what there is now. One comes with the next message when it is due.
    fn linger(&self) -> Result<()> {
        let last = || -> Result<Option<u64>> {
            let (events, _) = open(&self.log)?.read_all()?;
            let whole = events.iter().filter(|it| matches!(&it.kind, Kind::Keyframe(it) if it.complete));
            Ok(whole.filter_map(|it| it.stamp).map(|stamp| stamp.time).max())
        };
        let before = last()?;
        wait_until("another keyframe", DEADLINE, || {
            // A click with a button that nobody listens to, on whatever is in front.
            let mut windows = self.stage.probe.windows()?.into_iter();
            if let Some(front) = windows.find(|it| it.visible && it.enabled && !self.others.contains(&it.pid))
            {
                let (x, y) = front.rect.centre();
                self.stage.input.click(Button::Middle, x, y)?;
            }
            Ok((last()? > before).then_some(()))
        })
    }

    /// Opens a dialog by a key, looks at it and leaves it.
    fn visit(&self, main: &Window, key: &str) -> Result<()> {
        wait_until("the main window in front", DEADLINE, || {
            Ok((self.stage.probe.foreground()? == main.hwnd).then_some(()))
        })?;
        self.stage.input.press(key)?;
        self.look_at_dialog().with_context(|| format!("the dialog of {key}"))
    }

    fn look_at_dialog(&self) -> Result<()> {
        let dialog = window().class("#32770");
        self.stage.wait_for(&dialog)?;
        self.linger()?;
        self.stage.input.press("Escape")?;
        self.stage.wait_gone(&dialog)
    }

    /// Leaves without saving.
    fn leave(self) -> Result<PathBuf> {
        self.linger()?;
        self.stage.input.press("alt+F4")?;
        self.stage.wait_for(&window().class("#32770"))?;
        self.stage.input.press("alt+n")?;
        self.ended()
    }

    /// Waits for the end of the program; its log.
    fn ended(mut self) -> Result<PathBuf> {
        let status = wait_until("the program to end", DEADLINE, || Ok(self.dashcam.try_wait()?))?;
        ensure!(status.success(), "{}", fs::read_to_string(self.stage.folder().join("run.err"))?);
        Ok(std::mem::take(&mut self.log))
    }
}

fn notepad(stage: &Stage, locale: &str) -> Result<PathBuf> {
    let recorded = Recorded::start(stage, locale, "notepad", &[])?;
    let main = stage.wait_for(&window().class("Notepad"))?;
    stage.input.click_window(&main)?;
    stage.input.type_text("hello")?;
    for key in ["ctrl+f", "ctrl+h", "ctrl+s"] {
        recorded.visit(&main, key)?;
    }
    recorded.leave()
}

fn wordpad(stage: &Stage, locale: &str) -> Result<PathBuf> {
    let program = r"C:\Program Files\Windows NT\Accessories\wordpad.exe";
    let recorded = Recorded::start(stage, locale, program, &[])?;
    let main = stage.wait_for(&window().class("WORDPADTOP"))?;
    stage.input.click_window(&main)?;
    stage.input.type_text("hello")?;
    for key in ["ctrl+f", "ctrl+h", "ctrl+s"] {
        recorded.visit(&main, key)?;
    }
    recorded.leave()
}

fn gallery(stage: &Stage, locale: &str) -> Result<PathBuf> {
    let program = folders::for_windows(&folders::sample("gallery"));
    let recorded = Recorded::start(stage, locale, &program, &["--page", "buttons"])?;
    let main = stage.wait_for(&window().class("GalleryFrame"))?;
    let control = |parent: &Window, id: i32| {
        wait_until("a control of the gallery", DEADLINE, || {
            Ok(stage.probe.children(parent)?.into_iter().find(|child| child.id == id && child.visible))
        })
    };
    // The ids are those of resource.h: each page has a control of its hundred.
    let turn_to = |first: i32| {
        stage.input.press("ctrl+Next")?;
        control(&main, first).map(drop)
    };
    stage.input.click_window(&control(&main, 1107)?)?;
    for first in [1201, 1300, 1401, 1500] {
        turn_to(first)?;
    }
    recorded.linger()?;
    for first in [1600, 1701, 1800, 1900, 2000] {
        turn_to(first)?;
    }
    recorded.linger()?;
    turn_to(2100)?;
    // A modal dialog over a modal dialog, a property sheet, a dialog of the system.
    stage.input.click_window(&control(&main, 2100)?)?;
    let modal = window().title("Modal");
    stage.wait_for(&modal)?;
    stage.input.press("alt+a")?;
    stage.wait_for(&window().title("Modal from modal"))?;
    recorded.linger()?;
    stage.input.press("Escape")?;
    stage.wait_gone(&window().title("Modal from modal"))?;
    stage.input.press("Escape")?;
    stage.wait_gone(&modal)?;
    for button in [2102, 2111] {
        stage.wait_for(&window().class("GalleryFrame"))?;
        stage.input.click_window(&control(&main, button)?)?;
        recorded.look_at_dialog()?;
    }
    for first in [2200, 2300, 2400, 2500] {
        turn_to(first)?;
    }
    // A window of another thread, which closes again; of ANSI procedures, equal windows, windows in a window.
    let close = |it: &Window| stage.input.click(Button::Left, it.rect.right - 14, it.rect.top + 13);
    stage.input.click_window(&control(&main, 2501)?)?;
    let second = stage.wait_for(&window().title("Second thread"))?;
    recorded.linger()?;
    close(&second)?;
    stage.wait_gone(&window().title("Second thread"))?;
    for (button, opened) in [
        (2503, window().class("GalleryAnsi")),
        (2506, window().class("GalleryTwin")),
        (2506, window().class("GalleryTwin")),
        (2500, window().class("GalleryMdiFrame")),
    ] {
        stage.input.click_window(&control(&main, button)?)?;
        stage.wait_for(&opened)?;
    }
    recorded.linger()?;
    recorded.linger()?;
    close(&main)?;
    recorded.ended()
}
