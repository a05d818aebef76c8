//! Shows Dashcam as a customer and a developer see it: a crash, the log that survives it, and a replay that
//! crashes again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;
use harness::invoice::crash_session;
use harness::wait::DEADLINE;
use harness::{Desktop, Input, Probe, Program, folders, screenshot, window};

use crate::progress::Progress;
use crate::{build, cargo};

/// How long a command may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Position and size of the developer's window, different from the customer's.
const ELSEWHERE: &str = "380,240,640,460";

/// What a reader of the demo may type next.
const NEXT: &str = "cargo xtask wine -- target/dashcam/x64/dashcam.exe \\
      replay target/demo/bug.dashcam --app target/demo/invoice.exe";

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Also write the pictures of the documentation into docs/pictures
    #[arg(long)]
    pictures: bool,
}

/// Plays the customer and the developer.
pub(crate) fn run(options: &Options) -> Result<()> {
    build::run(build::Purpose::Demo, &Progress::new("demo"))?;
    let scene = Scene::open()?;
    chapter("The customer writes an invoice. The recorder runs inside the program, which was not changed.");
    let code = customer(&scene)?;
    println!("\n  The program crashed with exit code {code:#010X}. Its log survived.");
    chapter("The customer packs the log into one file and sends it.");
    scene.dashcam(&["export", "log", "-o", "bug.dashcam"])?;
    chapter("The developer reads the log.");
    scene.dashcam(&["check", "bug.dashcam"])?;
    scene.dashcam(&["show", "bug.dashcam"])?;
    scene.dashcam(&["tree", "bug.dashcam", "--at", "3"])?;
    chapter(
        "The developer replays the log: the program crashes again, in a window of another position and size.",
    );
    let page = ["--screenshots", "--report", "report.html"];
    let replay = ["replay", "bug.dashcam"];
    let app = ["--app", "invoice.exe", "--at", ELSEWHERE];
    let output = scene.dashcam(&[&replay[..], &page, &app].concat())?;
    ensure!(output.contains("reproduced at step"), "the replay did not reproduce the crash");
    chapter("The log becomes a regression script.");
    regression_script(&scene)?;
    chapter("The report shows the session and its replay, step by step with the windows:");
    println!("\n  {}", scene.folder.join("report.html").display());
    if options.pictures {
        keep_pictures(&scene)?;
    }
    chapter("Next, open that page in a browser, or replay the log again yourself:");
    println!("\n  {NEXT}");
    Ok(())
}

/// Writes the picture of the program's last moment, and one of the report at the step that
/// leads to the crash.
fn keep_pictures(scene: &Scene) -> Result<()> {
    let place = folders::workspace().join("docs/pictures");
    // The customer's window with a little of the desktop around it.
    let mut crop = Command::new("convert");
    crop.arg(scene.folder.join("session.png")).args(["-crop", "840x500+50+50", "+repage"]);
    cargo::check(crop.arg(place.join("session.png")))?;
    #[cfg(not(windows))]
    {
        let browser = harness::browser::Browser::start(1440, 1000, false)?;
        browser.open(&scene.folder.join("report.html"), "step-11")?;
        browser.wait("document.documentElement.dataset.ready")?;
        browser.screenshot(&place.join("report.png"))?;
    }
    println!("\n  The pictures of the documentation are in {}.", shown(&place));
    Ok(())
}

/// The desktop on which the demo runs.
struct Scene {
    // Dropped in this order: the input and the probe before the desktop they live on.
    input: Input,
    probe: Arc<Probe>,
    desktop: Arc<Desktop>,
    /// The working directory of all programs.
    folder: PathBuf,
}

impl Scene {
    fn open() -> Result<Self> {
        let folder = folders::target().join("demo");
        clear(&folder)?;
        fs::copy(folders::sample("invoice"), folder.join("invoice.exe"))?;
        let desktop = Arc::new(Desktop::start_private()?);
        let probe = Arc::new(Probe::start(&desktop, &folder)?);
        let input = Input::new(&desktop, &probe);
        Ok(Scene { input, probe, desktop, folder })
    }

    fn start(&self, args: &[&str]) -> Result<Program> {
        println!("\n  > dashcam {}", args.join(" "));
        let program = folders::dashcam().join("x64").join("dashcam.exe").display().to_string();
        Program::start(&self.probe, &self.folder, &program, args, &[])
    }

    /// Runs the Windows `dashcam` and prints its output.
    fn dashcam(&self, args: &[&str]) -> Result<String> {
        let dashcam = self.start(args)?;
        let code = dashcam.wait(PATIENCE)?;
        let output = dashcam.stdout()?;
        output.lines().for_each(|line| println!("    {line}"));
        ensure!(code == 0, "dashcam exited with {code}: {}", dashcam.stderr()?);
        Ok(output)
    }
}

/// Uses the program with real pointer and keys until it crashes; returns its exit code.
fn customer(scene: &Scene) -> Result<u32> {
    let run = scene.start(&["run", "--log", "log", "--", "invoice.exe", "--journal", "journal.txt"])?;
    let main = window().class("InvoiceFrame").wait(&scene.probe, DEADLINE)?;
    println!();
    let journal = scene.folder.join("journal.txt");
    let picture = scene.folder.join("session.png");
    crash_session(&scene.probe, &scene.input, &main, &journal, |what| {
        println!("    {what}");
        screenshot::take(&scene.desktop, &picture)
    })?;
    let code = run.wait(PATIENCE)?.cast_unsigned();
    ensure!(code != 0, "the program did not crash");
    println!("\n  Its last picture is {}.", shown(&picture));
    Ok(code)
}

/// Writes a script for `dashcam test` that names the log and the expected verdict, and runs it.
fn regression_script(scene: &Scene) -> Result<()> {
    let script = scene.folder.join("invoice-crash.toml");
    let text = format!(
        "log = \"bug.dashcam\"\napp = [\"invoice.exe\", \"--at\", \"{ELSEWHERE}\"]\nexpect = \"reproduced\"\n"
    );
    fs::write(&script, &text)?;
    println!("\n  {}", shown(&script));
    text.lines().for_each(|line| println!("    {line}"));
    let output = scene.dashcam(&["test", "invoice-crash.toml"])?;
    ensure!(output.contains("all as expected"), "the regression script did not end as expected");
    Ok(())
}

fn clear(folder: &Path) -> Result<()> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}

/// A path relative to the workspace.
fn shown(path: &Path) -> String {
    path.strip_prefix(folders::workspace()).unwrap_or(path).display().to_string()
}

fn chapter(title: &str) {
    println!("\n{title}");
}
