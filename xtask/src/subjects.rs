//! The programs whose replay is measured: 40 user actions each, and the same actions as messages to post.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use harness::protocol::Button;
use harness::wait::{DEADLINE, wait_until};
use harness::{Input, Probe, Recording, Window, folders, gallery, window};
use message_log::{Key, Kind, Params};
use serde_json::{Value, json};

/// The number of actions per program.
pub(crate) const ACTIONS: usize = 40;
/// What the paper's prototype sleeps after each action.
const SLEEP_MILLIS: u64 = 500;

/// A program.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    /// Its command line.
    pub(crate) command: fn(&Path) -> Vec<String>,
    /// Performs the user's actions, beginning with its first window.
    pub(crate) act: fn(&Scene) -> Result<()>,
    /// Whether the text of a step describes one of those actions.
    pub(crate) is_action: fn(&str) -> bool,
    /// Two of the actions as lines of a script, given the output of `dashcam show --json`.
    pub(crate) lines: fn(&str) -> Result<[Value; 4]>,
}

/// The desktop on which a program runs.
pub(crate) struct Scene {
    // Dropped in this order: the input and the probe before the desktop they live on.
    pub(crate) input: Input,
    pub(crate) probe: Arc<Probe>,
    pub(crate) folder: PathBuf,
}

impl Scene {
    /// Waits until the program has written a line this often.
    fn wait_for_line(&self, file: &str, part: &str, times: usize) -> Result<()> {
        wait_until(&format!("{part} for the {times}th time"), DEADLINE, || {
            let journal = fs::read_to_string(self.folder.join(file)).unwrap_or_default();
            Ok((journal.matches(part).count() >= times).then_some(()))
        })
    }
}

/// All of them.
pub(crate) const ALL: [Subject; 2] = [
    // Twenty times Help ▸ About, OK.
    Subject {
        name: "notepad",
        command: |_| vec!["notepad".into()],
        act: act_on_notepad,
        is_action: |text| text.contains("About"),
        lines: notepad_lines,
    },
    // Twenty times a button and a check box.
    Subject {
        name: "gallery",
        command: gallery_command,
        act: act_on_gallery,
        is_action: |text| !text.starts_with("Close"),
        lines: |_| {
            let press = |id: i32| json!({ "act": "Press", "id": id, "class": "Button" });
            let sleep = || json!({ "sleep": SLEEP_MILLIS });
            Ok([press(number(PUSH)?), sleep(), press(number(CHECK)?), sleep()])
        },
    },
];

const PUSH: &str = "IDC_PUSH";
const CHECK: &str = "IDC_CHECK_OFF";
const JOURNAL: &str = "journal.txt";

fn act_on_notepad(scene: &Scene) -> Result<()> {
    let main = window().class("Notepad").wait(&scene.probe, DEADLINE)?;
    let recording = Recording { folder: scene.folder.join("log") };
    wait_until("the log to have notepad's window", DEADLINE, || {
        Ok(has_window(&recording, "Notepad")?.then_some(()))
    })?;
    scene.input.click(Button::Left, main.rect.left + 60, main.rect.top + 12)?;
    let about = window().class("#32770").of_process(main.pid);
    for _ in 0..ACTIONS / 2 {
        scene.input.press("alt+h")?;
        scene.input.press("a")?;
        about.wait(&scene.probe, DEADLINE)?;
        scene.input.press("Return")?;
        about.wait_gone(&scene.probe, DEADLINE)?;
    }
    Ok(())
}

fn notepad_lines(show: &str) -> Result<[Value; 4]> {
    let shown: Value = serde_json::from_str(show)?;
    let mut actions = shown["steps"].as_array().into_iter().flatten().map(|step| &step["action"]);
    let menu = actions.find(|action| action["kind"] == "menu").context("the log has no Help ▸ About")?;
    let about =
        json!({ "act": { "Command": { "id": menu["command"], "accelerator": false } }, "class": "Notepad" });
    let sleep = || json!({ "sleep": SLEEP_MILLIS });
    Ok([about, sleep(), json!({ "act": "Press", "id": 1, "class": "Button" }), sleep()])
}

fn gallery_command(folder: &Path) -> Vec<String> {
    let program = folders::for_windows(&folders::sample("gallery"));
    let journal = folders::for_windows(&folder.join(JOURNAL));
    vec![program, "--page".into(), "buttons".into(), "--journal".into(), journal]
}

fn act_on_gallery(scene: &Scene) -> Result<()> {
    let main = window().class("GalleryFrame").wait(&scene.probe, DEADLINE)?;
    scene.wait_for_line(JOURNAL, "PAGE buttons", 1)?;
    let control = |name| -> Result<Window> {
        let id = number(name)?;
        wait_until(name, DEADLINE, || {
            Ok(scene.probe.children(&main)?.into_iter().find(|child| child.id == id && child.visible))
        })
    };
    let (push, check) = (control(PUSH)?, control(CHECK)?);
    for i in 1..=ACTIONS / 2 {
        for (name, button) in [(PUSH, &push), (CHECK, &check)] {
            scene.input.click_window(button)?;
            scene.wait_for_line(JOURNAL, &format!("WM_COMMAND {} BN_CLICKED", number(name)?), i)?;
        }
    }
    Ok(())
}

/// The id of a control of the gallery.
fn number(name: &str) -> Result<i32> {
    let mut ids = gallery::IDS.lines().filter_map(gallery::definition);
    ids.find(|(found, _)| *found == name).map(|(_, id)| id).with_context(|| format!("no {name}"))
}

fn has_window(recording: &Recording, class: &str) -> Result<bool> {
    let has = |params: &Params| params.text(Key::WindowClass).is_some_and(|it| it.to_string() == class);
    let (events, _) = recording.read()?;
    Ok(events.0.iter().any(|event| match &event.kind {
        Kind::Keyframe(keyframe) => keyframe.windows.iter().any(has),
        _ => has(&event.params),
    }))
}
