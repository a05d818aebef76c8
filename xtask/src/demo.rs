//! Dashcam at work, as a customer and a developer would see it: a crash, the log that survives it, and
//! the crash again.

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

/// A busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// Where the developer's window is, and how large: not where the customer's was.
const ELSEWHERE: &str = "380,240,640,460";

/// What a reader of the demo may type next.
const NEXT: &str = "cargo xtask wine -- target/dashcam/x64/dashcam.exe \\
      replay target/demo/bug.dashcam --app target/demo/invoice.exe";

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Keep the pictures of the documentation too: docs/pictures
    #[arg(long)]
    pictures: bool,
}

/// The whole story in one run.
pub(crate) fn run(options: &Options) -> Result<()> {
    build::run(build::Purpose::Demo, &Progress::new("demo"))?;
    let scene = Scene::open()?;
    chapter(
        "The customer writes an invoice. The program runs with the recorder inside, and knows nothing of it.",
    );
    let code = customer(&scene)?;
    println!("\n  The program is gone: exit code {code:#010X}. Its log is not.");
    chapter("The customer makes one file of the log and sends it.");
    scene.dashcam(&["export", "log", "-o", "bug.dashcam"])?;
    chapter("The developer looks at it.");
    scene.dashcam(&["check", "bug.dashcam"])?;
    scene.dashcam(&["show", "bug.dashcam"])?;
    scene.dashcam(&["tree", "bug.dashcam", "--at", "3"])?;
    chapter("The developer has it happen again: another instance, elsewhere on the screen, of another size.");
    let page = ["--screenshots", "--report", "report.html"];
    let replay = ["replay", "bug.dashcam"];
    let app = ["--app", "invoice.exe", "--at", ELSEWHERE];
    let said = scene.dashcam(&[&replay[..], &page, &app].concat())?;
    ensure!(said.contains("reproduced at step"), "it was not reproduced");
    chapter("It must never come back: the log becomes a regression script.");
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

/// The last moment of the program, and the page at the step that the planted crash needs most.
fn keep_pictures(scene: &Scene) -> Result<()> {
    let place = folders::workspace().join("docs/pictures");
    // The customer's window alone, with a little of the desktop around it.
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

/// The desktop the demo plays on.
struct Scene {
    // Dropped in this order: the input and the probe before the desktop they live on.
    input: Input,
    probe: Arc<Probe>,
    desktop: Arc<Desktop>,
    /// Where all programs of the story run.
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

    /// Runs the Windows `dashcam` and shows what it says.
    fn dashcam(&self, args: &[&str]) -> Result<String> {
        let dashcam = self.start(args)?;
        let code = dashcam.wait(PATIENCE)?;
        let said = dashcam.stdout()?;
        said.lines().for_each(|line| println!("    {line}"));
        ensure!(code == 0, "dashcam ended with {code}: {}", dashcam.stderr()?);
        Ok(said)
    }
}

/// What the customer does, with real pointer and keys, until the program crashes; its exit code.
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
    println!("\n  The last picture of it is {}.", shown(&picture));
    Ok(code)
}

/// A file beside the log that says what is expected of it, for `dashcam test`.
fn regression_script(scene: &Scene) -> Result<()> {
    let script = scene.folder.join("invoice-crash.toml");
    let text = format!(
        "log = \"bug.dashcam\"\napp = [\"invoice.exe\", \"--at\", \"{ELSEWHERE}\"]\nexpect = \"reproduced\"\n"
    );
    fs::write(&script, &text)?;
    println!("\n  {}", shown(&script));
    text.lines().for_each(|line| println!("    {line}"));
    let said = scene.dashcam(&["test", "invoice-crash.toml"])?;
    ensure!(said.contains("all as expected"), "the script is not as expected");
    Ok(())
}

fn clear(folder: &Path) -> Result<()> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}

/// A path as a reader of the terminal needs it.
fn shown(path: &Path) -> String {
    path.strip_prefix(folders::workspace()).unwrap_or(path).display().to_string()
}

fn chapter(what: &str) {
    println!("\n{what}");
}
