//! `dashcam model run` on real programs: executes traces, state machines and usage models through the replay
//! driver. Each run leaves a log, and generated sessions become tests.

use anyhow::{Context, Result, ensure};
use harness::{Stage, folders, stage};
use message_log::{Event, Key, Kind, Log, Value};
use std::fs;
use win32_vocabulary::messages::WM_ACTIVATEAPP;

fn model(stage: &Stage, arguments: &[&str]) -> Result<(i32, String)> {
    stage.dashcam(&[&["model"], arguments].concat())
}

fn example(name: &str) -> String {
    folders::for_windows(&folders::workspace().join("samples/scenarios/models").join(name))
}

/// Runs a model, replays the executed session in a fresh instance, and checks the results of both.
#[track_caller]
fn check(arguments: &[&str], app: &str, (code, said): (i32, &str), replayed: &str) {
    stage(|stage| {
        let kept = folders::for_windows(&stage.folder().join("kept"));
        let (ended, told) = model(stage, &[&["run"], arguments, &["-o", &kept, "--app", app]].concat())?;
        ensure!(ended == code && told.contains(said), "{ended}, not {code} with {said:?}:\n{told}");
        let (ended, told) =
            stage.dashcam(&["replay", &format!("{kept}/executed-001.dashcam"), "--app", app])?;
        ensure!(ended == 0 && told.contains(replayed), "{ended}, not {replayed:?}:\n{told}");
        Ok(())
    });
}

#[test]
fn a_trace_crashes_the_invoice_and_its_log_does_so_again() {
    check(
        &[&example("invoice-crash.trace")],
        &folders::for_windows(&folders::sample("invoice")),
        (1, "crash: 0xC0000005 in invoice.exe+"),
        "reproduced at step 21: the application crashed with 0xC0000005",
    );
}

/// Tools have no window and menus need not open: traces and their logs identify both by their texts.
#[test]
fn tools_and_menus_are_known_by_their_texts() {
    stage(|stage| {
        let (file, kept) = (stage.folder().join("tools.trace"), stage.folder().join("kept"));
        let trace = "click item \"Add\" of role tool-bar >> click \"Cancel\" in \"Add item\" >> \
                     menu \"Tools\" > \"Options\" >> click \"Cancel\" in \"Options\" >> menu \"Tools\" > \"Nothing\"";
        fs::write(&file, trace)?;
        let (file, kept) = (folders::for_windows(&file), folders::for_windows(&kept));
        let app = folders::for_windows(&folders::sample("invoice"));
        let (ended, told) = model(stage, &["run", &file, "-o", &kept, "--app", &app])?;
        let why = "its menu has no Tools ▸ Nothing: Tools has Options (4 events)";
        ensure!(ended == 1 && told.contains(why), "{ended}:\n{told}");
        let (ended, told) =
            stage.dashcam(&["replay", &format!("{kept}/executed-001.dashcam"), "--app", &app])?;
        for step in ["Press “Add” in the tool bar", "Choose menu Tools ▸ Options", "passed: 4 steps"] {
            ensure!(ended == 0 && told.contains(step), "{ended}, not {step:?}:\n{told}");
        }
        Ok(())
    });
}

#[test]
fn a_state_machine_drives_notepad_and_its_log_is_replayed() {
    check(
        &[&example("notepad.smid"), "--length", "6", "--seed", "3"],
        "notepad",
        (0, "1 session, 11 events, 0 failed"),
        // Letters typed in two acts may be one step or two.
        "press “No”\npassed: ",
    );
}

/// The pointer really rests where a trace moves it: the system shows a tooltip.
#[test]
fn a_pointer_that_rests_brings_the_tip() {
    stage(|stage| {
        let file = stage.folder().join("tip.smid");
        let tip = "assert count class \"tooltips_class32\" > 0";
        fs::write(&file, format!("initial a final z a -- move (12 12) {tip} --> z"))?;
        let app = folders::for_windows(&folders::sample("invoice"));
        let (ended, told) = model(stage, &["run", &folders::for_windows(&file), "--app", &app])?;
        ensure!(ended == 0 && told.contains("1 session, 1 event, 0 failed"), "{ended}:\n{told}");
        Ok(())
    });
}

#[test]
fn sessions_of_a_usage_model_are_tests() {
    let log = folders::for_windows(&folders::workspace().join("tests/recordings/steps/notepad.dashcam"));
    stage(|stage| {
        let trained = folders::for_windows(&stage.folder().join("notepad.model"));
        let (ended, told) = model(stage, &["train", &log, "-o", &trained])?;
        ensure!(ended == 0, "{told}");
        // With the program at hand it takes no step that the windows do not allow.
        let (ended, told) =
            model(stage, &["run", &trained, "--length", "8", "--seed", "2", "--app", "notepad"])?;
        ensure!(ended == 0 && told.contains("1 session, "), "{ended}:\n{told}");
        let suite = folders::for_windows(&stage.folder().join("suite"));
        let how = ["-n", "1", "--length", "6", "--seed", "1", "-o", &suite, "--app", "notepad"];
        let (ended, told) = model(stage, &[&["generate", &trained], &how[..]].concat())?;
        ensure!(ended == 0, "{told}");
        // And one that cannot pass: the suite says where it did not.
        let wrong = stage.folder().join("suite/wrong");
        fs::write(wrong.with_extension("trace"), "type \"x\" >> assert displayed \"Nowhere\" >> skip")?;
        fs::write(
            wrong.with_extension("toml"),
            "trace = \"wrong.trace\"\napp = [\"notepad\"]\nexpect = \"diverged\"\nexpect_step = 1\n",
        )?;
        let (ended, told) = stage.dashcam(&["test", &suite])?;
        ensure!(ended == 0 && told.contains("all as expected: 2 scripts"), "{ended}:\n{told}");
        Ok(())
    });
}

/// Interrupts are real: another program in the foreground, another resolution, the pointer itself.
#[test]
fn interrupts_and_drags_are_real() {
    stage(|stage| {
        let trace = stage.folder().join("outside.trace");
        let interrupts =
            ["minimise", "resize", "switch", "dpi", "focus"].map(|it| format!("interrupt {it} >> "));
        let drag = "select \"Left 1\" in id 2301 >> drag id 2301 to id 2302";
        fs::write(&trace, format!("{}{drag}", interrupts.concat()))?;
        let kept = stage.folder().join("kept");
        let (file, output) = (folders::for_windows(&trace), folders::for_windows(&kept));
        let app = [&folders::for_windows(&folders::sample("gallery")), "--page", "drag"];
        let (ended, told) = model(stage, &[&["run", &file, "-o", &output, "--app"], &app[..]].concat())?;
        ensure!(ended == 0 && told.contains("success (7 events)"), "{ended}:\n{told}");
        let (events, _) =
            Log::from_bytes("executed", &fs::read(kept.join("executed-001.dashcam"))?)?.read_all()?;
        let first = events.iter().position(|event| event.kind == Kind::Act).context("no act")?;
        let messages = events[first..].iter().filter_map(|event| match &event.kind {
            Kind::Message(message) => Some((message, event)),
            _ => None,
        });
        let messages: Vec<_> = messages.collect();
        let goes = |to: u64| messages.iter().any(|(it, _)| it.number == WM_ACTIVATEAPP && it.wparam == to);
        ensure!(goes(0) && goes(1), "the application was never left, or never came back");
        let width = |event: &Event| match event.params.get(Key::WindowRect) {
            Some(Value::Rect(rect)) => rect.right - rect.left,
            _ => 0,
        };
        // The main window got larger, as far as the screen allows, and its size back.
        let main = messages.first().context("no message")?.0.hwnd;
        let widths: Vec<i32> =
            messages.iter().filter(|(it, _)| it.hwnd == main).map(|(_, it)| width(it)).collect();
        let last = widths.iter().rev().find(|width| **width > 0).context("no place")?;
        ensure!(widths.iter().any(|width| width > last), "{widths:?}");
        let log = format!("{output}/executed-001.dashcam");
        let (ended, told) =
            stage.dashcam(&[&["replay", &log, "--allow-unverified", "--app"], &app[..]].concat())?;
        // What came from outside comes again.
        for step in [
            "Switch to another program and back",
            "144 dots per inch",
            "Lose the focus",
            "Drag “Left 1” from",
        ] {
            ensure!(ended == 0 && told.contains(step), "{ended}, not {step:?}:\n{told}");
        }
        Ok(())
    });
}
