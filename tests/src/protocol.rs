//! The protocol between the harness and its probe: one JSON object per line in each direction.
//!
//! Window handles are plain numbers; they are valid only on their own desktop.

use serde::{Deserialize, Serialize};

/// A request to the probe.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "request")]
pub enum Request {
    /// All top-level windows, topmost first: a list of [`Window`].
    Windows,
    /// All descendants of a window: a list of [`Window`].
    Children {
        /// The window whose descendants are wanted.
        hwnd: u64,
    },
    /// The text of a window or control, asked of the control itself (WM_GETTEXT): a string.
    Text {
        /// The window or control.
        hwnd: u64,
    },
    /// The foreground window's handle, 0 if there is none.
    Foreground,
    /// Starts a program: its process id.
    Start(Start),
    /// The exit code of a program started here, or null while it runs.
    ExitCode {
        /// The process id that `Start` returned.
        pid: u32,
    },
    /// Ends a program started here.
    End {
        /// The process id that `Start` returned.
        pid: u32,
    },
    /// Releases every modifier key that the system considers pressed.
    ReleaseModifiers,
    /// Real input through SendInput. Used on Windows; under Wine real input comes from the X server.
    Input {
        /// Performed in this order, without anything in between.
        actions: Vec<Action>,
    },
}

/// How to start a program.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Start {
    /// A Windows path, or a name to look up like a shell would.
    pub program: String,
    /// Its arguments, unquoted.
    pub args: Vec<String>,
    /// Variables added to the environment.
    pub env: Vec<(String, String)>,
    /// The folder to start in.
    pub folder: String,
    /// The file that takes its standard output.
    pub stdout: String,
    /// The file that takes its standard error.
    pub stderr: String,
}

/// One piece of real input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "action")]
pub enum Action {
    /// Moves the pointer to a point of the screen.
    MoveTo {
        /// Pixels from the left.
        x: i32,
        /// Pixels from the top.
        y: i32,
    },
    /// Presses or releases a button of the mouse.
    Button {
        /// Which one.
        button: Button,
        /// Pressed rather than released.
        down: bool,
    },
    /// Turns the wheel: positive is away from the user.
    Wheel {
        /// How many detents.
        notches: i32,
    },
    /// Turns the wheel sideways: positive is to the right.
    WheelSideways {
        /// How many detents.
        notches: i32,
    },
    /// Presses or releases one key.
    Key {
        /// Its name: `ctrl`, `shift`.
        key: String,
        /// Pressed rather than released.
        down: bool,
    },
    /// Types a text, character by character.
    Type {
        /// The text; a newline is the Return key.
        text: String,
    },
    /// Presses keys together and releases them in reverse: `ctrl+s`, `alt+F4`, `Return`.
    Press {
        /// Names joined by `+`.
        keys: String,
    },
}

/// A button of the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Button {
    /// The primary one.
    Left,
    /// The wheel, pressed.
    Middle,
    /// The secondary one.
    Right,
    /// The first of those at the side: back.
    Back,
    /// The second: forward.
    Forward,
}

/// The probe's answer: the value, or why there is none.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    /// The value; its type depends on the request.
    Ok(serde_json::Value),
    /// One sentence.
    Error(String),
}

/// A window at the time of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// The handle.
    pub hwnd: u64,
    /// The class name.
    pub class: String,
    /// The title, or for a control the text that the system keeps for it.
    pub title: String,
    /// The process that created it.
    pub pid: u32,
    /// Where it is on the screen.
    pub rect: Rect,
    /// It and all its ancestors are shown.
    pub visible: bool,
    /// It takes input.
    pub enabled: bool,
    /// The owner of a top-level window, 0 for none.
    pub owner: u64,
    /// The parent of a child window, 0 for top-level windows.
    pub parent: u64,
    /// The control id of a child window, 0 for top-level windows.
    pub id: i32,
}

/// A rectangle on the screen, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rect {
    /// The leftmost pixel.
    pub left: i32,
    /// The topmost pixel.
    pub top: i32,
    /// One past the rightmost pixel.
    pub right: i32,
    /// One past the lowest pixel.
    pub bottom: i32,
}

impl Rect {
    /// The point in the middle.
    pub fn centre(self) -> (i32, i32) {
        (i32::midpoint(self.left, self.right), i32::midpoint(self.top, self.bottom))
    }
}

impl std::fmt::Display for Window {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Rect { left, top, right, bottom } = self.rect;
        write!(
            f,
            "{:#x} {:?} {:?} pid {} [{left},{top}..{right},{bottom}]",
            self.hwnd, self.class, self.title, self.pid
        )?;
        if !self.visible {
            write!(f, " hidden")?;
        }
        if !self.enabled {
            write!(f, " disabled")?;
        }
        Ok(())
    }
}
