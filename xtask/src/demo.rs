//! Dashcam at work, as a customer and a developer would see it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use harness::wait::{DEADLINE, wait_until};
use harness::{Desktop, Input, Probe, Program, Window, folders, screenshot, window};

use crate::build;

const LETTER: &str = "Dear Sir or Madam,\nyour invoice of 100 € has a wrong total.\nGrüße aus Köln";

/// The whole story in one run.
pub(crate) fn run() -> Result<()> {
    build::run()?;
    let scene = Scene::open()?;
    let (notepad, edit) = open_notepad(&scene)?;
    let log = attach_recorder(&scene, &notepad)?;
    write_letter(&scene, &edit)?;
    look_for_a_word(&scene, &notepad)?;
    take_picture(&scene)?;
    kill(&notepad)?;
    save_log(&scene, &log)
}

/// The desktop the demo plays on.
struct Scene {
    // Dropped in this order: the input and the probe before the desktop they live on.
    input: Input,
    probe: Arc<Probe>,
    desktop: Arc<Desktop>,
    folder: PathBuf,
}

impl Scene {
    fn open() -> Result<Self> {
        let folder = folders::target().join("demo");
        clear(&folder)?;
        let desktop = Arc::new(Desktop::start_private()?);
        let probe = Arc::new(Probe::start(&desktop, &folder)?);
        let input = Input::new(&desktop, &probe);
        tell("a desktop of its own is ready");
        Ok(Scene { input, probe, desktop, folder })
    }
}

fn open_notepad(scene: &Scene) -> Result<(Program, Window)> {
    let notepad = Program::start(&scene.probe, &scene.folder, "notepad", &[], &[])?;
    let main = window().class("Notepad").of(&notepad).wait(&scene.probe, DEADLINE)?;
    let edit = wait_until("the edit of notepad", DEADLINE, || {
        Ok(scene.probe.children(&main)?.into_iter().find(|child| child.class == "Edit"))
    })?;
    tell(&format!("notepad is open: {:?}", main.title));
    Ok((notepad, edit))
}

fn write_letter(scene: &Scene, edit: &Window) -> Result<()> {
    scene.input.click_window(edit)?;
    scene.input.type_text(LETTER)?;
    let expected = LETTER.replace('\n', "\r\n");
    wait_until(
        "the letter in notepad",
        DEADLINE,
        || Ok((scene.probe.text(edit)? == expected).then_some(())),
    )?;
    tell(&format!("a letter of {} characters was typed with real keys", LETTER.chars().count()));
    Ok(())
}

fn take_picture(scene: &Scene) -> Result<()> {
    let picture = scene.folder.join("notepad.png");
    screenshot::take(&scene.desktop, &picture)?;
    tell(&format!("a picture of it is in {}", picture.display()));
    Ok(())
}

/// Notepad knows nothing of it.
fn attach_recorder(scene: &Scene, notepad: &Program) -> Result<PathBuf> {
    let log = scene.folder.join("log");
    let pid = notepad.pid().to_string();
    dashcam(scene, &["attach", "--pid", &pid, "--log", &folders::for_windows(&log)], 0)?;
    println!();
    Ok(log)
}

fn look_for_a_word(scene: &Scene, notepad: &Program) -> Result<()> {
    scene.input.press("ctrl+f")?;
    window()
        .class("#32770")
        .of(notepad)
        .wait(&scene.probe, DEADLINE)
        .context("notepad asks what to look for")?;
    scene.input.type_text("total")?;
    tell("ctrl+F, \"total\": the customer looks for a word");
    Ok(())
}

/// The end no program sees coming.
fn kill(notepad: &Program) -> Result<()> {
    notepad.end()?;
    notepad.wait(DEADLINE)?;
    tell("notepad was killed, in the middle of it");
    Ok(())
}

/// What the customer does with it, and what the developer sees.
fn save_log(scene: &Scene, log: &Path) -> Result<()> {
    let bug = scene.folder.join("bug.dashcam");
    let (log, bug) = (folders::for_windows(log), folders::for_windows(&bug));
    dashcam(scene, &["export", &log, "-o", &bug], 0)?;
    dashcam(scene, &["check", &bug], 0)?;
    dashcam(scene, &["show", &bug], 0)?;
    dashcam(scene, &["replay", &bug, "--app", "notepad"], 0)
}

/// Runs the Windows `dashcam` on the scene's desktop and shows what it says.
fn dashcam(scene: &Scene, args: &[&str], expected: i32) -> Result<()> {
    let program = folders::dashcam().join("x64").join("dashcam.exe");
    let dashcam = Program::start(&scene.probe, &scene.folder, &program.display().to_string(), args, &[])?;
    let code = dashcam.wait(DEADLINE)?;
    println!("\n  > dashcam {}", args.join(" "));
    for line in dashcam.stdout()?.lines().chain(dashcam.stderr()?.lines()) {
        println!("    {line}");
    }
    ensure!(code == expected, "dashcam ended with {code}, not {expected}");
    Ok(())
}

fn clear(folder: &Path) -> Result<()> {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}

fn tell(what: &str) {
    println!("  {what}");
}
