//! Real input: a pointer and a keyboard that every program on the desktop reacts to.
//!
//! Under Wine it comes from the X server (xdotool), on Windows from SendInput in the probe. Nothing here
//! waits for the program: events queue up in order, and the test waits for their effect.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;

use crate::protocol::{Action, Button};
use crate::{Desktop, Probe, Window};

/// The pointer and the keyboard of a desktop.
#[derive(Debug)]
pub struct Input {
    way: Way,
}

#[derive(Debug)]
enum Way {
    #[cfg(not(windows))]
    XServer(Arc<Desktop>),
    SendInput(Arc<Probe>),
}

impl Input {
    /// The input of `desktop`, on which `probe` runs, as close to the hardware as this system allows.
    pub fn new(desktop: &Arc<Desktop>, probe: &Arc<Probe>) -> Self {
        #[cfg(not(windows))]
        let (way, _) = (Way::XServer(Arc::clone(desktop)), probe);
        #[cfg(windows)]
        let (way, _) = (Way::SendInput(Arc::clone(probe)), desktop);
        Input { way }
    }

    /// Input through SendInput. Under Wine only for tests of the code that runs on Windows.
    pub fn by_send_input(probe: &Arc<Probe>) -> Self {
        Input { way: Way::SendInput(Arc::clone(probe)) }
    }

    /// Moves the pointer to a point of the screen.
    pub fn move_to(&self, x: i32, y: i32) -> Result<()> {
        self.perform(&[Action::MoveTo { x, y }])
    }

    /// Clicks at a point of the screen.
    pub fn click(&self, button: Button, x: i32, y: i32) -> Result<()> {
        self.perform(&clicks(button, x, y, 1))
    }

    /// Double-clicks with the primary button.
    pub fn double_click(&self, x: i32, y: i32) -> Result<()> {
        self.perform(&clicks(Button::Left, x, y, 2))
    }

    /// Clicks into the middle of a window or control.
    pub fn click_window(&self, window: &Window) -> Result<()> {
        let (x, y) = window.rect.centre();
        self.click(Button::Left, x, y)
    }

    /// Presses the primary button at one point, moves in steps and releases it at the other. As slowly as a
    /// person: programs read the pointer's position when they process the press. A busy program may still see
    /// the drag begin late, so tests must not depend on the exact distance.
    pub fn drag(&self, from: (i32, i32), to: (i32, i32)) -> Result<()> {
        const STEPS: i32 = 8;
        const PACE: Duration = Duration::from_millis(20);
        let between = |from: i32, to: i32, step: i32| from + (to - from) * step / STEPS;
        self.perform(&[
            Action::MoveTo { x: from.0, y: from.1 },
            Action::Button { button: Button::Left, down: true },
        ])?;
        for step in 1..=STEPS {
            std::thread::sleep(PACE);
            self.move_to(between(from.0, to.0, step), between(from.1, to.1, step))?;
        }
        std::thread::sleep(PACE);
        self.perform(&[Action::Button { button: Button::Left, down: false }])
    }

    /// Turns the wheel over a point: positive is away from the user.
    pub fn wheel(&self, x: i32, y: i32, notches: i32) -> Result<()> {
        self.perform(&[Action::MoveTo { x, y }, Action::Wheel { notches }])
    }

    /// Types a text; a newline is the Return key.
    pub fn type_text(&self, text: &str) -> Result<()> {
        self.perform(&[Action::Type { text: text.to_owned() }])
    }

    /// Presses keys together: `ctrl+s`, `alt+F4`, `shift+Tab`, `Return`, `Escape`.
    pub fn press(&self, keys: &str) -> Result<()> {
        self.perform(&[Action::Press { keys: keys.to_owned() }])
    }

    /// Performs actions in order, without pauses.
    pub fn perform(&self, actions: &[Action]) -> Result<()> {
        match &self.way {
            #[cfg(not(windows))]
            Way::XServer(desktop) => xdotool::perform(desktop, actions),
            Way::SendInput(probe) => probe.input(actions.to_vec()),
        }
    }
}

fn clicks(button: Button, x: i32, y: i32, count: usize) -> Vec<Action> {
    let click = [Action::Button { button, down: true }, Action::Button { button, down: false }];
    let mut actions = vec![Action::MoveTo { x, y }];
    actions.extend(std::iter::repeat_n(click, count).flatten());
    actions
}

#[cfg(not(windows))]
mod xdotool;
