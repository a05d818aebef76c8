//! Finds a window by class, title and program, and waits for it.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::{Error, Result, anyhow};

use crate::wait::wait_until;
use crate::{Probe, Program, Window};

/// A query that matches every visible top-level window; narrow it down with its methods.
pub fn window() -> WindowQuery {
    WindowQuery::default()
}

/// The properties of the wanted window.
#[derive(Debug, Clone, Default)]
pub struct WindowQuery {
    class: Option<String>,
    title: Option<String>,
    pid: Option<u32>,
}

impl WindowQuery {
    /// Of exactly this class.
    pub fn class(mut self, class: &str) -> Self {
        self.class = Some(class.to_owned());
        self
    }

    /// With this in its title.
    pub fn title(mut self, part: &str) -> Self {
        self.title = Some(part.to_owned());
        self
    }

    /// Created by this program.
    pub fn of(mut self, program: &Program) -> Self {
        self.pid = Some(program.pid());
        self
    }

    /// Created by the process with this id.
    pub fn of_process(mut self, pid: u32) -> Self {
        self.pid = Some(pid);
        self
    }

    /// The topmost visible window that matches.
    pub fn find(&self, probe: &Probe) -> Result<Option<Window>> {
        Ok(probe.windows()?.into_iter().find(|window| self.matches(window)))
    }

    /// Waits for such a window to be visible and enabled.
    pub fn wait(&self, probe: &Probe, deadline: Duration) -> Result<Window> {
        let found =
            wait_until(&self.to_string(), deadline, || Ok(self.find(probe)?.filter(|window| window.enabled)));
        found.map_err(|error| with_windows(&error, probe))
    }

    /// Waits until no such window is left.
    pub fn wait_gone(&self, probe: &Probe, deadline: Duration) -> Result<()> {
        let what = format!("the end of {self}");
        let gone = wait_until(&what, deadline, || Ok(self.find(probe)?.is_none().then_some(())));
        gone.map_err(|error| with_windows(&error, probe))
    }

    fn matches(&self, window: &Window) -> bool {
        window.visible
            && self.class.as_ref().is_none_or(|class| *class == window.class)
            && self.title.as_ref().is_none_or(|part| window.title.contains(part))
            && self.pid.is_none_or(|pid| pid == window.pid)
    }
}

impl std::fmt::Display for WindowQuery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a window")?;
        if let Some(class) = &self.class {
            write!(f, " of class {class:?}")?;
        }
        if let Some(part) = &self.title {
            write!(f, " with {part:?} in its title")?;
        }
        if let Some(pid) = self.pid {
            write!(f, " of process {pid}")?;
        }
        Ok(())
    }
}

/// Adds a list of the existing windows to the error.
fn with_windows(error: &Error, probe: &Probe) -> Error {
    let mut text = format!("{error:#}; existing windows:");
    match probe.windows() {
        Ok(windows) => {
            for window in windows.iter().filter(|window| window.visible) {
                let _ = write!(text, "\n  {window}");
            }
        }
        Err(trouble) => {
            let _ = write!(text, " unknown ({trouble:#})");
        }
    }
    anyhow!(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Rect;

    fn notepad() -> Window {
        Window {
            hwnd: 1,
            class: "Notepad".into(),
            title: "Untitled - Notepad".into(),
            pid: 7,
            rect: Rect { left: 0, top: 0, right: 10, bottom: 20 },
            visible: true,
            enabled: true,
            owner: 0,
            parent: 0,
            id: 0,
        }
    }

    #[test]
    fn a_query_matches_on_everything_it_names() {
        assert!(window().matches(&notepad()));
        assert!(window().class("Notepad").title("Untitled").matches(&notepad()));
        assert!(!window().class("notepad").matches(&notepad()));
        assert!(!window().class("Notepad").title("letter.txt").matches(&notepad()));
        assert!(!window().matches(&Window { visible: false, ..notepad() }));
    }

    #[test]
    fn a_query_reads_as_a_sentence() {
        let query = window().class("#32770").title("About");
        assert_eq!(query.to_string(), r##"a window of class "#32770" with "About" in its title"##);
    }
}
