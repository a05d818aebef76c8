//! The application under replay, as the engine sees it: what windows there are, what is done to one of them, when it is done.
//!
//! Two implementations: the live one, which talks to `dashcam-agent.dll` inside the application or posts messages, and a desktop in memory for
//! tests. Nothing here knows of steps; nothing above here knows of Win32.

use message_log::Keyframe;
use std::time::Duration;

/// An application under replay.
pub(crate) trait Driver {
    /// All windows of the application now, with every property a keyframe has.
    fn snapshot(&mut self) -> Result<Keyframe, Trouble>;

    /// Does one thing to one window. Returns as soon as it is on its way: a click may open a modal dialog and never come back.
    fn act(&mut self, window: u64, act: &Act) -> Result<(), Trouble>;

    /// Waits until the application has nothing left to do, at most as long as `patience`.
    fn settle(&mut self, patience: Duration) -> State;

    /// What a control says of itself, for verification and for items found by their text.
    fn ask(&mut self, window: u64, question: &Question) -> Result<Answer, Trouble>;
}

/// How the application is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum State {
    /// Every GUI thread waits for input; timers do not count.
    Idle,
    /// Still at work after all patience.
    Busy,
    /// A GUI thread has not looked for messages for five seconds.
    Hung,
    /// Ended with this code.
    Ended(u32),
}

/// Why something could not be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Trouble {
    /// The window is gone.
    #[error("the window is gone")]
    Gone,
    /// The window is disabled or hidden, so a user could not have done it.
    #[error("the window is {0}")]
    Unavailable(&'static str),
    /// The item is not there.
    #[error("there is no item {0}")]
    NoItem(String),
    /// This way of driving cannot do it.
    #[error("{0}")]
    Unable(String),
    /// The application has ended with this code.
    #[error("the application has ended")]
    Ended(u32),
}

/// One thing to do to a window: what a user's action comes down to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Act {
    /// WM_COMMAND as a menu (false) or accelerator (true) sends it.
    Command { id: u32, accelerator: bool },
    /// WM_SYSCOMMAND; SC_MOVE, SC_SIZE and their like never.
    SysCommand { code: u32 },
    /// WM_CLOSE.
    Close,
    /// BM_CLICK on a button of any kind.
    Press,
    /// The state of a check box or radio button, with the notification its parent expects.
    SetCheck { state: u32 },
    /// WM_CHAR for each character; the window gets the focus first.
    Type { text: String },
    /// The whole text of an edit, with EN_CHANGE.
    SetText { text: String },
    /// Cut, copy, paste, clear, undo: the WM_ message.
    Edit { message: u32 },
    /// A key without a character, with modifiers held as `key.modifiers` has them.
    Key { code: u32, modifiers: u8 },
    /// A button of the pointer at a point of the client area: down and up together.
    Click { button: PointerButton, double: bool, point: (i32, i32), modifiers: u8 },
    /// The pointer down at the first point, along the others, up at the last.
    Stroke { points: Vec<(i32, i32)> },
    /// Items of a list box, combo box, list view, tree or tab; `add` keeps the selection there was.
    Select { items: Vec<ItemRef>, add: bool },
    /// The check box of an item.
    CheckItem { item: ItemRef, checked: bool },
    /// A branch of a tree.
    Expand { item: ItemRef, open: bool },
    /// A double click or Enter on an item.
    Activate { item: ItemRef },
    /// A column of a list view.
    ClickColumn { index: i32 },
    /// A button of a tool bar, by its command.
    Tool { command: u32 },
    /// A track bar's or spin's value.
    SetValue { value: i32 },
    /// A scroll bar, standard or control: SB_ request and position.
    Scroll { vertical: bool, request: u32, position: Option<i32> },
    /// A date, or none: `2026-11-16T09:00:00`.
    SetDate { date: Option<String> },
    /// Place and size of a window: left, top, right, bottom as a keyframe has them.
    Place { rect: [i32; 4] },
    /// The focus.
    Focus,
}

/// A button of the pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PointerButton {
    Left,
    Right,
    Middle,
    X1,
    X2,
}

/// An item, as it was recorded: its text or the texts from the root, and its place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ItemRef {
    pub(crate) path: Vec<String>,
    pub(crate) index: Option<i64>,
    /// Places from the root of a tree, separated by `/`.
    pub(crate) index_path: Option<String>,
}

/// What can be asked of a control.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Question {
    /// The text it keeps.
    Text,
    /// The check state of a button.
    Checked,
    /// The texts of the selected items.
    Selection,
}

/// What a control answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    Text(String),
    Number(i64),
    Texts(Vec<String>),
}
