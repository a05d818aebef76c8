//! Runs an end-to-end test with a desktop and a folder, and keeps evidence if it fails.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, ensure};

use crate::wait::DEADLINE;
use crate::{Desktop, Input, Probe, Program, Window, WindowQuery, folders, screenshot};

/// Runs an end-to-end test, named after the test function that calls this.
///
/// A test that passes leaves nothing behind. One that fails leaves its folder (program output and the test's
/// own files), a list of all windows and a screenshot in `target/e2e/failed/NAME/`, and prints the command
/// that repeats it.
///
/// # Panics
/// If the test returns an error, panics, or there is no desktop.
pub fn stage(test: impl FnOnce(&Stage) -> Result<()>) {
    stage_named(&test_name(), test);
}

/// The name of the test function that runs on this thread: the test harness names the thread after it.
fn test_name() -> String {
    let thread = std::thread::current();
    let path = thread.name().expect("a test runs on a thread of its own");
    path.rsplit("::").next().unwrap_or(path).to_owned()
}

/// Runs a part of an end-to-end test under a name of its own.
///
/// # Panics
/// As [`stage`].
pub fn stage_named(name: &str, test: impl FnOnce(&Stage) -> Result<()>) {
    let stage = Stage::open(name).unwrap_or_else(|error| panic!("{name}: {error:#}"));
    let outcome = catch_unwind(AssertUnwindSafe(|| test(&stage)));
    match outcome {
        Ok(Ok(())) => stage.close(),
        Ok(Err(error)) => {
            // `{:?}` would add a backtrace of the harness, which says nothing about the program.
            let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
            stage.keep_evidence(&causes.join("\n"));
            panic!("{name}: {}", causes.join("\n"));
        }
        Err(panic) => {
            stage.keep_evidence("the test panicked; the message is in its output");
            resume_unwind(panic);
        }
    }
}

/// The desktop, programs and folder of one end-to-end test.
#[derive(Debug)]
pub struct Stage {
    name: String,
    folder: PathBuf,
    desktop: Arc<Desktop>,
    /// Kept alive so that the screenshot of a failed test shows them.
    programs: Mutex<Vec<Program>>,
    /// Windows as a program on the desktop sees them.
    pub probe: Arc<Probe>,
    /// The pointer and the keyboard.
    pub input: Input,
}

impl Stage {
    fn open(name: &str) -> Result<Self> {
        let desktop = Arc::new(Desktop::provided()?);
        let folder = folders::running().join(name);
        remove(&folder)?;
        remove(&folders::failed().join(name))?;
        fs::create_dir_all(&folder)?;
        let probe = Arc::new(ready_probe(&desktop, &folder).or_else(|_| ready_probe(&desktop, &folder))?);
        let input = Input::new(&desktop, &probe);
        let programs = Mutex::default();
        Ok(Stage { name: name.to_owned(), folder, desktop, programs, probe, input })
    }

    /// The test's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The test's own folder. Its content is kept if the test fails.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The desktop.
    pub fn desktop(&self) -> &Desktop {
        &self.desktop
    }

    /// Starts a Windows program. It is killed at the latest when the test ends.
    pub fn start(&self, program: &str, args: &[&str]) -> Result<Program> {
        self.start_with(program, args, &[])
    }

    /// Starts a Windows program with further environment variables.
    pub fn start_with(&self, program: &str, args: &[&str], env: &[(&str, &str)]) -> Result<Program> {
        let program = Program::start(&self.probe, &self.folder, program, args, env)
            .with_context(|| format!("cannot start {program}"))?;
        self.programs().push(program.clone());
        Ok(program)
    }

    /// Starts the command that is shipped.
    pub fn start_dashcam(&self, arguments: &[&str]) -> Result<Program> {
        self.start(&folders::command().display().to_string(), arguments)
    }

    /// Runs the command that is shipped; its exit code and all it printed.
    pub fn dashcam(&self, arguments: &[&str]) -> Result<(i32, String)> {
        let run = self.start_dashcam(arguments)?;
        let code = run.wait(DEADLINE * 4)?;
        Ok((code, format!("{}{}", run.stdout()?, run.stderr()?)))
    }

    /// Replays a recording of `tests/recordings/steps`; the exit code and all that was printed.
    pub fn replay(&self, recording: &str, arguments: &[&str]) -> Result<(i32, String)> {
        self.dashcam(&[&["replay", &folders::recording(recording)], arguments].concat())
    }

    /// Replays such a recording, which must end with this exit code and print all these parts.
    pub fn check_replay(&self, recording: &str, arguments: &[&str], code: i32, parts: &[&str]) -> Result<()> {
        let (ended, printed) = self.replay(recording, arguments)?;
        for part in parts {
            ensure!(ended == code && printed.contains(part), "{ended}, not {code} with {part:?}:\n{printed}");
        }
        Ok(())
    }

    /// Waits for a window, shown and ready for input.
    pub fn wait_for(&self, query: &WindowQuery) -> Result<Window> {
        query.wait(&self.probe, DEADLINE)
    }

    /// Waits until a window is gone.
    pub fn wait_gone(&self, query: &WindowQuery) -> Result<()> {
        query.wait_gone(&self.probe, DEADLINE)
    }

    /// Kills every program with a window of this class.
    pub fn end_all(&self, class: &str) -> Result<()> {
        let windows = self.probe.windows()?.into_iter().filter(|window| window.class == class);
        let pids: std::collections::BTreeSet<u32> = windows.map(|window| window.pid).collect();
        for pid in pids {
            self.start("taskkill", &["/f", "/pid", &pid.to_string()])?.wait(DEADLINE)?;
        }
        self.wait_gone(&crate::window().class(class))
    }

    fn programs(&self) -> std::sync::MutexGuard<'_, Vec<Program>> {
        self.programs.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn close(self) {
        self.end_programs();
        if let Err(error) = remove(&self.folder) {
            eprintln!("{} remains: {error:#}", self.folder.display());
        }
    }

    fn end_programs(&self) {
        for program in self.programs().drain(..) {
            let _ = program.end();
        }
    }

    /// Must not panic: it runs while a test is failing.
    fn keep_evidence(&self, reason: &str) {
        let mut notes = format!("{}\n\n{reason}\n\nwindows at the end:\n", self.name);
        match self.probe.windows() {
            Ok(windows) => windows.iter().for_each(|window| notes += &format!("  {window}\n")),
            Err(error) => notes += &format!("  {error:#}\n"),
        }
        if let Err(error) = screenshot::take(&self.desktop, &self.folder.join("screenshot.png")) {
            notes += &format!("\n{error:#}\n");
        }
        self.end_programs();
        let _ = fs::write(self.folder.join("failure.txt"), notes);
        let place = match move_to_failed(&self.folder, &self.name) {
            Ok(place) => place,
            Err(_) => self.folder.clone(),
        };
        eprintln!("\n{} failed; its files are in {}", self.name, place.display());
        eprintln!("repeat it alone with: {}\n", repeat_command(&self.name));
    }
}

/// Starts a probe and checks that it answers. Under Wine, a probe once died at its start for an unknown
/// reason, so the caller tries a second time.
fn ready_probe(desktop: &Desktop, folder: &Path) -> Result<Probe> {
    let probe = Probe::start(desktop, folder)?;
    // Wine misses the release of a key whose press closed the last window: `alt+n` leaves Alt pressed.
    probe.release_modifiers()?;
    Ok(probe)
}

/// The command that repeats one end-to-end test.
pub fn repeat_command(name: &str) -> String {
    format!("cargo xtask test --only e2e {name}")
}

fn move_to_failed(folder: &Path, name: &str) -> Result<PathBuf> {
    let place = folders::failed().join(name);
    fs::create_dir_all(folders::failed())?;
    remove(&place)?;
    fs::rename(folder, &place)?;
    Ok(place)
}

fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::test_name;

    #[test]
    fn a_test_knows_its_name() {
        assert_eq!(test_name(), "a_test_knows_its_name");
    }
}
