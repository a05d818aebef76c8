//! One row of the coverage table: an interaction with a control, done with real pointer and keys, and what
//! must be the same when it is replayed.

use std::ops::Deref;

use anyhow::{Context, Result};
use harness::gallery::Gallery;
use harness::protocol::{Action, Button, Rect};
use harness::wait::DEADLINE;
use harness::{Stage, Window, WindowQuery, wait_until, window};

/// One interaction.
pub(crate) struct Row {
    pub(crate) control: &'static str,
    pub(crate) interaction: &'static str,
    /// Does it with real input, and waits until it is done.
    pub(crate) drive: fn(&Scene<'_>) -> Result<()>,
    /// What the parents are told, in this order; parts of lines of the journal. Asked of the recording
    /// and of the replay.
    pub(crate) told: &'static [&'static str],
}

/// A row of the table.
pub(crate) const fn row(
    control: &'static str,
    interaction: &'static str,
    drive: fn(&Scene<'_>) -> Result<()>,
    told: &'static [&'static str],
) -> Row {
    Row { control, interaction, drive, told }
}

/// What is not replayed, and what a user gets instead.
pub(crate) struct Gap {
    pub(crate) control: &'static str,
    pub(crate) interaction: &'static str,
    pub(crate) why: &'static str,
    pub(crate) instead: &'static str,
}

/// Rows that are recorded in one session and replayed in one.
pub(crate) struct Chapter {
    /// Its heading in the table, and the name of its test.
    pub(crate) name: &'static str,
    /// The page it begins with.
    pub(crate) page: &'static str,
    pub(crate) rows: &'static [Row],
    pub(crate) gaps: &'static [Gap],
    /// Options of `dashcam replay`.
    pub(crate) options: &'static [&'static str],
}

impl Chapter {
    pub(crate) const fn new(name: &'static str, page: &'static str, rows: &'static [Row]) -> Self {
        Self { name, page, rows, gaps: &[], options: &[] }
    }

    pub(crate) const fn gaps(self, gaps: &'static [Gap]) -> Self {
        Self { gaps, ..self }
    }

    pub(crate) const fn options(self, options: &'static [&'static str]) -> Self {
        Self { options, ..self }
    }
}

/// The gallery while a row is done.
pub(crate) struct Scene<'a> {
    pub(crate) gallery: &'a Gallery<'a>,
    pub(crate) stage: &'a Stage,
    /// How long the journal was when the row began.
    pub(crate) since: usize,
}

impl<'a> Deref for Scene<'a> {
    type Target = Gallery<'a>;

    fn deref(&self) -> &Gallery<'a> {
        self.gallery
    }
}

impl Scene<'_> {
    /// Waits for a line of this row that contains `part`.
    pub(crate) fn expect(&self, part: &str) -> Result<()> {
        let since =
            || Ok::<_, anyhow::Error>(self.journal()?.get(self.since..).unwrap_or_default().to_owned());
        let found =
            wait_until(part, DEADLINE, || Ok(since()?.lines().any(|line| line.contains(part)).then_some(())));
        found.with_context(|| format!("the journal since the row began:\n{}", since().unwrap_or_default()))
    }

    /// A point of a control, from its left upper corner.
    pub(crate) fn point(&self, control: &str, x: i32, y: i32) -> Result<(i32, i32)> {
        let rect = self.control(control)?.rect;
        Ok((rect.left + x, rect.top + y))
    }

    pub(crate) fn rect(&self, control: &str) -> Result<Rect> {
        Ok(self.control(control)?.rect)
    }

    /// Clicks at a point of a control.
    pub(crate) fn click_in(&self, control: &str, x: i32, y: i32) -> Result<()> {
        let (x, y) = self.point(control, x, y)?;
        self.click_at(Button::Left, x, y)
    }

    pub(crate) fn right_click_in(&self, control: &str, x: i32, y: i32) -> Result<()> {
        let (x, y) = self.point(control, x, y)?;
        self.click_at(Button::Right, x, y)
    }

    pub(crate) fn double_click_in(&self, control: &str, x: i32, y: i32) -> Result<()> {
        let (x, y) = self.point(control, x, y)?;
        self.stage.input.double_click(x, y)
    }

    /// Clicks with keys held.
    pub(crate) fn click_holding(&self, key: &str, control: &str, x: i32, y: i32) -> Result<()> {
        let (x, y) = self.point(control, x, y)?;
        self.hold(
            key,
            &[
                Action::MoveTo { x, y },
                Action::Button { button: Button::Left, down: true },
                Action::Button { button: Button::Left, down: false },
            ],
        )
    }

    /// Does something while a key is held.
    pub(crate) fn hold(&self, key: &str, actions: &[Action]) -> Result<()> {
        let keys = |down| Action::Key { key: key.into(), down };
        let all: Vec<Action> =
            [keys(true)].into_iter().chain(actions.iter().cloned()).chain([keys(false)]).collect();
        self.stage.input.perform(&all)
    }

    /// Drags from one point of a control to another, of the same or another control.
    pub(crate) fn drag(&self, from: (&str, i32, i32), to: (&str, i32, i32)) -> Result<()> {
        let from = self.point(from.0, from.1, from.2)?;
        let to = self.point(to.0, to.1, to.2)?;
        self.stage.input.drag(from, to)
    }

    /// Drags an item. The pointer leaves it when the program has noticed that: on a busy machine press, moves
    /// and release would be taken all at once, and nothing dragged, as it happens to people too.
    pub(crate) fn drag_item(&self, from: (&str, i32, i32), to: (&str, i32, i32)) -> Result<()> {
        let (down, up) = (
            Action::Button { button: Button::Left, down: true },
            Action::Button { button: Button::Left, down: false },
        );
        let (x, y) = self.point(from.0, from.1, from.2)?;
        let to = self.point(to.0, to.1, to.2)?;
        self.stage.input.perform(&[Action::MoveTo { x, y }, down, Action::MoveTo { x: x + 6, y }])?;
        self.expect("DRAG begins")?;
        self.stage.input.move_to(i32::midpoint(x, to.0), i32::midpoint(y, to.1))?;
        self.stage.input.perform(&[Action::MoveTo { x: to.0, y: to.1 }, up])
    }

    /// A window of the gallery.
    pub(crate) fn window(&self, title: &str) -> WindowQuery {
        window().title(title).of_process(self.main.pid)
    }

    /// Waits for a window of the gallery.
    pub(crate) fn shown(&self, title: &str) -> Result<Window> {
        self.stage.wait_for(&self.window(title))
    }

    /// Waits until a window of the gallery is gone and the main window takes input again.
    pub(crate) fn gone(&self, title: &str) -> Result<()> {
        self.stage.wait_gone(&self.window(title))?;
        self.wait_enabled()
    }

    /// Waits for an open menu.
    pub(crate) fn menu(&self) -> Result<Window> {
        wait_until("an open menu", DEADLINE, || {
            Ok(self
                .stage
                .probe
                .windows()?
                .into_iter()
                .find(|window| window.visible && window.class == "#32768"))
        })
    }
}
