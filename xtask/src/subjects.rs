//! The programs whose replay is measured: what a user does with them, 40 actions each, and the same as messages to be posted.

use std::path::Path;

use anyhow::{Context, Result};
use harness::protocol::Button;
use harness::wait::{DEADLINE, wait_until};
use harness::{Recording, Window, folders, gallery, window};
use message_log::{Key, Kind, Params};
use serde_json::{Value, json};

use crate::replays::Bench;

/// Actions of each.
pub(crate) const ACTIONS: usize = 40;
/// What the paper's prototype sleeps after each action.
const SLEEP_MILLIS: u64 = 500;

/// A program.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    /// How it is started.
    pub(crate) command: fn(&Path) -> Vec<String>,
    /// What a user does with it, from its first window on.
    pub(crate) act: fn(&Bench) -> Result<()>,
    /// Whether a step is one of those actions, by its words.
    pub(crate) is_action: fn(&str) -> bool,
    /// Two of the actions as lines of a script, from what `dashcam show --json` tells.
    pub(crate) lines: fn(&str) -> Result<[Value; 4]>,
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

fn act_on_notepad(bench: &Bench) -> Result<()> {
    let main = window().class("Notepad").wait(&bench.probe, DEADLINE)?;
    let recording = Recording { folder: bench.folder.join("log") };
    wait_until("the log to have notepad's window", DEADLINE, || {
        Ok(has_window(&recording, "Notepad")?.then_some(()))
    })?;
    bench.input.click(Button::Left, main.rect.left + 60, main.rect.top + 12)?;
    let about = window().class("#32770").of_process(main.pid);
    for _ in 0..ACTIONS / 2 {
        bench.input.press("alt+h")?;
        bench.input.press("a")?;
        about.wait(&bench.probe, DEADLINE)?;
        bench.input.press("Return")?;
        about.wait_gone(&bench.probe, DEADLINE)?;
    }
    Ok(())
}

fn notepad_lines(show: &str) -> Result<[Value; 4]> {
    let told: Value = serde_json::from_str(show)?;
    let mut actions = told["steps"].as_array().into_iter().flatten().map(|step| &step["action"]);
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

fn act_on_gallery(bench: &Bench) -> Result<()> {
    let main = window().class("GalleryFrame").wait(&bench.probe, DEADLINE)?;
    bench.wait_for_line(JOURNAL, "PAGE buttons", 1)?;
    let control = |name| -> Result<Window> {
        let id = number(name)?;
        wait_until(name, DEADLINE, || {
            Ok(bench.probe.children(&main)?.into_iter().find(|child| child.id == id && child.visible))
        })
    };
    let (push, check) = (control(PUSH)?, control(CHECK)?);
    for i in 1..=ACTIONS / 2 {
        for (name, button) in [(PUSH, &push), (CHECK, &check)] {
            bench.input.click_window(button)?;
            bench.wait_for_line(JOURNAL, &format!("WM_COMMAND {} BN_CLICKED", number(name)?), i)?;
        }
    }
    Ok(())
}

/// The number that a control of the gallery has.
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
