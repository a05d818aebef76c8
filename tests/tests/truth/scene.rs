//! The recorded program under the pointer and the keys of a test.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use harness::protocol::Button;
use harness::wait::DEADLINE;
use harness::{Program, Stage, Window, wait_until, window};

pub(crate) struct Scene<'a> {
    pub(crate) stage: &'a Stage,
    pub(crate) main: Window,
    /// `dashcam run`, which ends with the program's exit code.
    pub(crate) dashcam: Program,
    pub(crate) journal: PathBuf,
}

impl Scene<'_> {
    /// What the program has written so far.
    pub(crate) fn outcome(&self) -> String {
        fs::read_to_string(&self.journal).unwrap_or_default()
    }

    /// Waits for a line of the outcome.
    pub(crate) fn expect(&self, line: &str) -> Result<()> {
        let found = wait_until(line, DEADLINE, || {
            Ok(self.outcome().lines().any(|written| written == line).then_some(()))
        });
        found.with_context(|| format!("the outcome:\n{}", self.outcome()))
    }

    /// A shown child of the main window.
    pub(crate) fn control(&self, id: i32) -> Result<Window> {
        self.child(&self.main, id)
    }

    fn child(&self, parent: &Window, id: i32) -> Result<Window> {
        wait_until(&format!("control {id}"), DEADLINE, || {
            let children = self.stage.probe.children(parent)?;
            let is = |child: &Window| child.id == id && child.visible && child.parent == parent.hwnd;
            Ok(children.into_iter().find(is))
        })
    }

    /// Clicks into the middle of a control.
    pub(crate) fn click(&self, id: i32) -> Result<()> {
        self.stage.input.click_window(&self.control(id)?)
    }

    /// Clicks into a control at a distance from its upper left corner.
    pub(crate) fn click_in(&self, id: i32, x: i32, y: i32) -> Result<()> {
        let rect = self.control(id)?.rect;
        self.stage.input.click(Button::Left, rect.left + x, rect.top + y)
    }

    /// Types into an edit until it has the text.
    pub(crate) fn type_into(&self, id: i32, text: &str) -> Result<()> {
        let edit = self.control(id)?;
        self.stage.input.click_window(&edit)?;
        self.stage.input.type_text(text)?;
        wait_until(text, DEADLINE, || Ok((self.stage.probe.text(&edit)? == text).then_some(())))
    }

    /// Waits for a dialog of the program, does something in it and clicks on the button with this id.
    pub(crate) fn answer(
        &self,
        title: &str,
        act: impl FnOnce(&Window) -> Result<()>,
        button: i32,
    ) -> Result<()> {
        let query = window().class("#32770").title(title).of_process(self.main.pid);
        let dialog = self.stage.wait_for(&query)?;
        act(&dialog)?;
        self.stage.input.click_window(&self.child(&dialog, button)?)?;
        self.stage.wait_gone(&query)
    }

    /// Closes the program by its close button.
    pub(crate) fn close(&self) -> Result<()> {
        let rect = self.main.rect;
        self.stage.input.click(Button::Left, rect.right - 14, rect.top + 13)?;
        let code = self.dashcam.wait(DEADLINE)?;
        ensure!(code == 0, "exit code {code}: {}", self.dashcam.stderr()?);
        Ok(())
    }
}
