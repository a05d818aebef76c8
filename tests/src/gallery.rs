//! Drives the control gallery (`samples/gallery`) by real input and reads its journal.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::protocol::Button;
use crate::wait::DEADLINE;
use crate::{Program, Recording, Stage, Window, folders, wait_until, window};

/// The gallery's `resource.h`: every control has a name and a number there.
pub const IDS: &str = include_str!("../../samples/gallery/resource.h");

/// A running gallery.
#[derive(Debug)]
pub struct Gallery<'a> {
    stage: &'a Stage,
    /// The started program: the gallery, or `dashcam run`, which started it.
    program: Program,
    /// Its main window.
    pub main: Window,
    journal: PathBuf,
    /// The file through which the test simulates events from other programs.
    outside: PathBuf,
    /// Its log, if it is recorded.
    pub recording: Option<Recording>,
}

impl<'a> Gallery<'a> {
    /// Starts it with this page shown.
    pub fn open(stage: &'a Stage, page: &str) -> Result<Self> {
        Self::start(stage, page, |sample, args| Ok((stage.start(sample, args)?, None)))
    }

    /// Starts it by `dashcam run`.
    pub fn open_recorded(stage: &'a Stage, page: &str) -> Result<Self> {
        Self::start(stage, page, |sample, args| {
            let (program, recording) = Recording::run(stage, &folders::for_windows(Path::new(sample)), args)?;
            Ok((program, Some(recording)))
        })
    }

    fn start(
        stage: &'a Stage,
        page: &str,
        start: impl FnOnce(&str, &[&str]) -> Result<(Program, Option<Recording>)>,
    ) -> Result<Self> {
        let sample = folders::sample("gallery");
        ensure!(sample.exists(), "{} is missing: run `cargo xtask build`", sample.display());
        let journal = stage.folder().join(format!("{page}.journal"));
        let outside = stage.folder().join("outside");
        let for_it = [&journal, &outside].map(|file| folders::for_windows(file));
        let args = ["--page", page, "--journal", &for_it[0], "--outside", &for_it[1]];
        let (program, recording) = start(&sample.display().to_string(), &args)?;
        // One gallery at a time has this stage's desktop.
        let main = stage.wait_for(&window().class("GalleryFrame"))?;
        let gallery = Gallery { stage, program, main, journal, outside, recording };
        gallery.expect(&format!("PAGE {page}"))?;
        Ok(gallery)
    }

    /// Closes it as a user would; it must exit with 0.
    pub fn close(&self) -> Result<()> {
        // By the pointer: a key goes to the foreground thread, which may change at any time.
        let (x, y) = (self.main.rect.right - 14, self.main.rect.top + 13);
        self.stage.input.click(Button::Left, x, y)?;
        let code = self.program.wait(DEADLINE)?;
        ensure!(code == 0, "the gallery exited with {code}");
        let journal = self.journal()?;
        ensure!(journal.ends_with("END\n"), "the journal has no end:\n{journal}");
        Ok(())
    }

    /// The content of its journal so far.
    pub fn journal(&self) -> Result<String> {
        Ok(fs::read_to_string(&self.journal).unwrap_or_default())
    }

    /// Simulates an event that does not come from the user's input: `drop PATH|PATH` drops files at the
    /// pointer, `compose TEXT` enters text as an input method does.
    pub fn from_outside(&self, what: &str) -> Result<()> {
        let unfinished = self.outside.with_extension("unfinished");
        fs::write(&unfinished, what)?;
        Ok(fs::rename(unfinished, &self.outside)?)
    }

    /// Waits for a line that contains `part`.
    pub fn expect(&self, part: &str) -> Result<()> {
        let found = wait_until(part, DEADLINE, || {
            Ok(self.journal()?.lines().any(|line| line.contains(part)).then_some(()))
        });
        found.with_context(|| format!("the journal:\n{}", self.journal().unwrap_or_default()))
    }

    /// The shown control with this name in `resource.h`.
    pub fn control(&self, name: &str) -> Result<Window> {
        child(self.stage, &self.main, name)
    }

    /// Clicks into the middle of a control.
    pub fn click(&self, name: &str) -> Result<()> {
        self.stage.input.click_window(&self.control(name)?)
    }

    /// Clicks at a point of the screen.
    pub fn click_at(&self, button: Button, x: i32, y: i32) -> Result<()> {
        self.stage.input.click(button, x, y)
    }

    /// Types a text.
    pub fn type_text(&self, text: &str) -> Result<()> {
        self.stage.input.type_text(text)
    }

    /// Presses keys one after the other.
    pub fn keys(&self, keys: &[&str]) -> Result<()> {
        keys.iter().try_for_each(|key| self.stage.input.press(key))
    }

    /// On the page `menus`: chooses from the menus of two panels, one that sends a command and one that
    /// returns the choice to its caller.
    pub fn choose_from_context_menus(&self) -> Result<()> {
        self.open_context_menu("IDC_PANEL_COMMAND", "WM_CONTEXTMENU 2400")?;
        self.keys(&["b"])?;
        self.expect("WM_COMMAND 4051 menu")?;
        self.open_context_menu("IDC_PANEL_QUIET", "WM_CONTEXTMENU 2402")?;
        self.keys(&["m", "g"])?;
        self.expect("TrackPopupMenu returned 4052")
    }

    /// Clicks a control with the right button and waits for this line.
    pub fn open_context_menu(&self, name: &str, line: &str) -> Result<()> {
        let (x, y) = self.control(name)?.rect.centre();
        self.click_at(Button::Right, x, y)?;
        self.expect(line)
    }

    /// On the page `drag`: drags an item to the other list, and one within a list.
    pub fn drag_items(&self) -> Result<()> {
        let left = self.control("IDC_DRAG_LEFT")?.rect;
        let to = self.control("IDC_DRAG_RIGHT")?.rect.centre();
        // The first row lies below the header.
        self.stage.input.drag((left.left + 20, left.top + 25), to)?;
        self.expect("from=2301 to=2302")?;
        let list = self.control("IDC_DRAG_LIST")?.rect;
        self.stage.input.drag((list.left + 20, list.top + 8), (list.left + 20, list.top + 48))?;
        self.expect(r#"MOVED 2300 text="Alpha" from=0"#)
    }

    /// On the page `windows`: uses a window of a second thread and closes it, then uses an ANSI
    /// window, which stays.
    pub fn use_windows_of_other_kinds(&self) -> Result<()> {
        let stage = self.stage;
        self.click("IDC_OPEN_SECOND")?;
        let second = window().title("Second thread").of_process(self.main.pid);
        let shown = stage.wait_for(&second)?;
        // Only by the pointer: under Wine a key may still go to the previous foreground thread.
        stage.input.click_window(&child(stage, &shown, "IDC_SECOND_CHECK")?)?;
        self.expect("WM_COMMAND 2853 BN_CLICKED checked=1")?;
        stage.input.click(Button::Left, shown.rect.right - 14, shown.rect.top + 13)?;
        self.expect("SECOND closed")?;
        stage.wait_gone(&second)?;
        self.wait_enabled()?;
        self.click("IDC_OPEN_ANSI")?;
        let ansi = stage.wait_for(&window().class("GalleryAnsi").title("Fenster für Ältere"))?;
        stage.input.click_window(&child(stage, &ansi, "IDC_ANSI_CHECK")?)?;
        self.expect("WM_COMMAND 2904 BN_CLICKED checked=1")?;
        stage.input.click_window(&child(stage, &ansi, "IDC_ANSI_EDIT")?)?;
        stage.input.press("End")?;
        stage.input.type_text("ß")?;
        self.expect(r#"WM_COMMAND 2901 EN_CHANGE text="fünfß""#)
    }

    /// Turns to a later page by keyboard.
    pub fn turn_to(&self, page: &str) -> Result<()> {
        let expected = format!("PAGE {page}");
        for _ in 0..pages().len() {
            let before = self.journal()?.matches("PAGE ").count();
            self.stage.input.press("ctrl+Next")?;
            wait_until("the next page", DEADLINE, || {
                Ok((self.journal()?.matches("PAGE ").count() > before).then_some(()))
            })?;
            if self.journal()?.lines().any(|line| line == expected) {
                return Ok(());
            }
        }
        bail!("there is no page {page}")
    }

    /// Waits until no modal dialog disables it.
    pub fn wait_enabled(&self) -> Result<()> {
        self.stage.wait_for(&window().class("GalleryFrame").of_process(self.main.pid)).map(drop)
    }

    /// The titles of its visible top-level windows.
    pub fn windows(&self) -> Result<Vec<String>> {
        let windows = self.stage.probe.windows()?.into_iter();
        let own = windows.filter(|window| window.visible && window.pid == self.main.pid);
        Ok(own.map(|window| window.title).collect())
    }
}

/// The shown child of a window with this name in `resource.h`.
pub fn child(stage: &Stage, parent: &Window, name: &str) -> Result<Window> {
    let id = IDS.lines().filter_map(definition).find(|(found, _)| *found == name);
    let (_, id) = id.with_context(|| format!("{name} is not in resource.h"))?;
    wait_until(&format!("{name} ({id}) to be shown"), DEADLINE, || {
        let children = stage.probe.children(parent)?;
        Ok(children.into_iter().find(|child| child.id == id && child.visible && !is_empty(child)))
    })
}

fn is_empty(window: &Window) -> bool {
    window.rect.right <= window.rect.left || window.rect.bottom <= window.rect.top
}

/// The pages in their order, each with the names of its controls.
pub fn pages() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut pages = Vec::new();
    let mut inside = false;
    for line in IDS.lines() {
        if line.starts_with("/*") {
            let name = line.strip_prefix("/* Page \"").and_then(|rest| rest.split('"').next());
            pages.extend(name.map(|name| (name, Vec::new())));
            inside = name.is_some();
        } else if let (true, Some((name, _)), Some((_, names))) = (inside, definition(line), pages.last_mut())
        {
            names.push(name);
        }
    }
    pages
}

/// The name and number of a `#define`.
pub fn definition(line: &str) -> Option<(&str, i32)> {
    let mut words = line.strip_prefix("#define ")?.split_whitespace();
    Some((words.next()?, words.next()?.parse().ok()?))
}
