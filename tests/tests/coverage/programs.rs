//! Whole sessions of more than forty actions in programs that are not ours, recorded with real pointer and
//! keys: each replayed twenty times on an idle machine and twenty times on a busy one. And recordings
//! replayed where the screen has more dots to the inch.

use std::cell::Cell;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use harness::gallery::Gallery;
use harness::protocol::Button;
use harness::wait::DEADLINE;
use harness::{Load, Recording, Stage, Window, folders, stage, wait_until, window};

use crate::session;

const WORDPAD: &str = r"C:\Program Files\Windows NT\Accessories\wordpad.exe";
const TIMES: usize = 20;
const LEAST_STEPS: usize = 40;

/// A program under record, with the class of the field that is typed into.
struct Scene<'a> {
    stage: &'a Stage,
    main: Window,
    edit: &'a str,
    clicks: Cell<i32>,
}

impl Scene<'_> {
    fn keys(&self, keys: &[&str]) -> Result<()> {
        keys.iter().try_for_each(|keys| self.stage.input.press(keys))
    }

    fn type_text(&self, text: &str) -> Result<()> {
        self.stage.input.type_text(text)
    }

    /// The field as it lies now.
    fn field(&self) -> Result<Window> {
        wait_until("the field", DEADLINE, || {
            let mut children = self.stage.probe.children(&self.main)?.into_iter();
            Ok(children.find(|child| child.class.to_lowercase().contains(self.edit)))
        })
    }

    /// Each time beside the last: with a dialog in between no user clicks as fast as this, and the system
    /// would make a double click of two.
    fn click(&self) -> Result<()> {
        const APART: i32 = 12;
        let (x, y) = self.field()?.rect.centre();
        let beside = APART * self.clicks.replace(self.clicks.get() + 1);
        self.stage.input.click(Button::Left, x + beside, y)
    }

    /// Opens a dialog by keys, does something in it, and waits until it is gone.
    fn in_dialog(&self, open: &[&str], act: impl FnOnce(&Self) -> Result<()>) -> Result<()> {
        let dialog = window().class("#32770");
        self.keys(open)?;
        self.stage.wait_for(&dialog)?;
        act(self)?;
        self.stage.wait_gone(&dialog)?;
        // The releases of Alt and Esc go to whichever window has the keyboard by then.
        self.stage.probe.release_modifiers()?;
        self.click()
    }

    fn wait_text(&self, text: &str) -> Result<()> {
        let field = self.field()?;
        wait_until(text, DEADLINE, || Ok(self.stage.probe.text(&field)?.contains(text).then_some(())))
    }
}

fn record(
    stage: &Stage,
    program: &str,
    class: &str,
    edit: &str,
    act: fn(&Scene<'_>) -> Result<()>,
) -> Result<PathBuf> {
    let (dashcam, log) = Recording::run(stage, program, &[])?;
    let main = stage.wait_for(&window().class(class))?;
    log.wait_known(&main)?;
    let scene = Scene { stage, main, edit, clicks: Cell::new(0) };
    act(&scene)?;
    scene.keys(&["alt+F4"])?;
    stage.wait_for(&window().class("#32770"))?;
    scene.keys(&["alt+n"])?;
    ensure!(dashcam.wait(DEADLINE)? == 0, "{}", dashcam.stderr()?);
    Ok(log.folder)
}

fn notepad(scene: &Scene<'_>) -> Result<()> {
    scene.click()?;
    scene.type_text("alpha beta")?;
    scene.wait_text("alpha beta")?;
    scene.keys(&["Home", "shift+End", "ctrl+c", "End"])?;
    scene.type_text(" gamma ")?;
    scene.keys(&["ctrl+v", "Home", "Delete", "ctrl+z", "ctrl+End"])?;
    scene.type_text("\nsecond line")?;
    scene.wait_text("second line")?;
    scene.keys(&["ctrl+Home", "Down", "End", "BackSpace"])?;
    scene.type_text("ed")?;
    scene.keys(&["ctrl+a", "ctrl+x", "ctrl+v"])?;
    scene.wait_text("second lined")?;
    scene.in_dialog(&["ctrl+f"], |scene| {
        scene.type_text("line")?;
        scene.keys(&["Escape"])
    })?;
    scene.in_dialog(&["alt+h", "a"], |scene| scene.keys(&["Return"]))?;
    scene.keys(&["ctrl+Home", "shift+Right", "Delete"])?;
    scene.type_text("A")?;
    scene.keys(&["ctrl+End", "Left", "Right"])?;
    scene.type_text("\nthe end")?;
    scene.wait_text("the end")?;
    scene.in_dialog(&["ctrl+h"], |scene| {
        scene.type_text("end")?;
        scene.keys(&["Tab"])?;
        scene.type_text("close")?;
        // Replacing all of them crashes this notepad, with a recorder or without.
        scene.keys(&["Escape"])
    })?;
    scene.keys(&["ctrl+Home", "End", "Left"])?;
    scene.type_text("!")?;
    scene.wait_text("!")
}

fn wordpad(scene: &Scene<'_>) -> Result<()> {
    scene.click()?;
    scene.type_text("alpha beta gamma")?;
    scene.wait_text("alpha beta gamma")?;
    scene.keys(&["Home", "shift+End", "ctrl+b", "ctrl+i", "ctrl+u", "End"])?;
    scene.keys(&["Return"])?;
    scene.type_text("second line")?;
    scene.wait_text("second line")?;
    scene.keys(&["ctrl+Home", "Delete", "ctrl+z", "ctrl+End", "BackSpace"])?;
    scene.type_text("es end")?;
    scene.wait_text("lines end")?;
    scene.keys(&["Up", "End"])?;
    scene.type_text("!")?;
    scene.keys(&["ctrl+e", "ctrl+r", "ctrl+l"])?;
    let edit = scene.field()?.rect;
    scene.stage.input.double_click(edit.left + 20, edit.top + 10)?;
    scene.keys(&["ctrl+c", "ctrl+End", "Return"])?;
    scene.type_text("third ")?;
    scene.keys(&["ctrl+v"])?;
    scene.wait_text("third alpha")?;
    scene.in_dialog(&["ctrl+f"], |scene| {
        scene.type_text("beta")?;
        scene.keys(&["Return", "Escape"])
    })?;
    scene.in_dialog(&["alt+o", "p"], |scene| {
        scene.keys(&["ctrl+a"])?;
        scene.type_text("1")?;
        scene.keys(&["Return"])
    })?;
    scene.in_dialog(&["alt+o", "f"], |scene| scene.keys(&["Return"]))?;
    scene.in_dialog(&["alt+v", "o"], |scene| scene.keys(&["Escape"]))?;
    // The ruler goes and comes back.
    scene.keys(&["alt+v", "r", "alt+v", "r"])?;
    scene.in_dialog(&["alt+h", "a"], |scene| scene.keys(&["Return"]))?;
    scene.keys(&["ctrl+a", "ctrl+x", "ctrl+v", "ctrl+Home", "shift+Right", "Delete"])?;
    scene.type_text("A")?;
    scene.keys(&["ctrl+End", "Left"])?;
    scene.type_text("!")?;
    scene.wait_text("alpha !")
}

fn replay(stage: &Stage, log: &str, program: &str) -> Result<()> {
    let report = session::dashcam(stage, &["replay", log, "--json", "--app", program])?;
    let steps = report["steps"].as_array().map_or(0, Vec::len);
    let said = ["verdict", "step", "reason", "expected", "actual"].map(|field| report[field].to_string());
    ensure!(crate::is_pass(&report), "{}", said.join(" "));
    ensure!(steps >= LEAST_STEPS, "only {steps} steps");
    Ok(())
}

/// Records a session and replays it on an idle and on a busy machine.
fn check(program: &str, class: &str, edit: &str, act: fn(&Scene<'_>) -> Result<()>) {
    stage(|stage| {
        let folder = record(stage, program, class, edit, act)?;
        session::keep(stage, stage.name());
        let log = folders::for_windows(&folder);
        let again = |how: &str| {
            (1..=TIMES).try_for_each(|time| {
                replay(stage, &log, program).with_context(|| format!("{how}, time {time} of {TIMES}"))
            })
        };
        again("idle")?;
        let _load = Load::start(4);
        again("busy")
    });
}

#[test]
#[ignore = "long"]
fn coverage_notepad_of_forty_actions() {
    check("notepad", "Notepad", "edit", notepad);
}

#[test]
#[ignore = "long"]
fn coverage_wordpad_of_forty_actions() {
    check(WORDPAD, "WORDPADTOP", "richedit", wordpad);
}

/// The dots to the inch that programs find from now on, and 96 again in the end.
struct Dots<'a>(&'a Stage);

impl Dots<'_> {
    fn set(&self, dots: u32) -> Result<()> {
        let key = r"HKCU\Control Panel\Desktop";
        let value = dots.to_string();
        let run =
            self.0.start("reg", &["add", key, "/v", "LogPixels", "/t", "REG_DWORD", "/d", &value, "/f"])?;
        ensure!(run.wait(DEADLINE)? == 0, "{}", run.stderr()?);
        Ok(())
    }
}

impl Drop for Dots<'_> {
    fn drop(&mut self) {
        let _ = self.set(96);
    }
}

#[test]
#[ignore = "long"]
fn coverage_recordings_at_other_resolutions() {
    stage(|stage| {
        let invoice = folders::for_windows(&folders::sample("invoice"));
        let programs = [("notepad", "notepad"), ("wordpad", WORDPAD), ("invoice", &invoice)];
        let dots = Dots(stage);
        let mut before = 0;
        for inch in [96, 120, 192] {
            dots.set(inch)?;
            // A button of a dialog shows that programs feel it.
            let gallery = Gallery::open(stage, "buttons")?;
            let button = gallery.control("IDC_PUSH")?.rect;
            gallery.close()?;
            ensure!(button.right - button.left > before, "at {inch} dots nothing is larger");
            before = button.right - button.left;
            for (recording, program) in programs {
                let log = folders::workspace().join(format!("tests/recordings/steps/{recording}.dashcam"));
                let log = folders::for_windows(&log);
                let report = session::dashcam(stage, &["replay", &log, "--json", "--app", program])?;
                ensure!(crate::is_pass(&report), "{recording} at {inch} dots: {report:#}");
            }
        }
        Ok(())
    });
}
