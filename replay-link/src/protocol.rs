//! Requests of the replayer and replies of the agent.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A request of the replayer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// All windows.
    Snapshot,
    /// Perform one act on one window.
    Act {
        /// The window.
        window: u64,
        /// The act.
        act: Act,
    },
    /// Ask a control a question.
    Ask {
        /// The control.
        window: u64,
        /// The question.
        question: Question,
    },
    /// Note which commands and notifications these windows get from now on, and forget earlier ones.
    Watch {
        /// The windows.
        windows: Vec<u64>,
    },
    /// What the watched windows got since.
    Notices,
    /// Take a picture of a window.
    Picture {
        /// The window.
        window: u64,
    },
    /// Wait until nothing is left to do.
    Settle {
        /// The longest wait.
        patience_millis: u64,
    },
}

/// A reply of the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// All windows, as [`crate::encode`] writes them.
    #[serde(skip)]
    Windows(Vec<u8>),
    /// A picture, as [`Picture::to_bytes`] writes it.
    #[serde(skip)]
    Picture(Vec<u8>),
    /// The act is possible and has begun.
    Done {
        /// How items were found, where that was not by text and place.
        remarks: Vec<String>,
    },
    /// What the watched windows got.
    Notices(Notices),
    /// The wait has ended.
    Settled {
        /// How it ended.
        outcome: Outcome,
        /// Time from the acceptance of the last act until the last thread was idle; 0 if there was no act
        /// since the last wait.
        worked_micros: u64,
    },
    /// A control's answer.
    Answer(Answer),
    /// The request failed.
    Trouble(Trouble),
}

/// What watched windows got.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notices {
    /// Equal notices are listed once.
    pub all: Vec<Notice>,
    /// Windows that could not be watched, or not to the end.
    pub lost: Vec<u64>,
}

/// A command or notification that a window received.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// The window that received it.
    pub window: u64,
    /// The control it came from; 0 for menus and accelerators.
    pub source: u64,
    /// The command's or control's id.
    pub id: u32,
    /// The notification code: of WM_COMMAND (`BN_`, `EN_`, …) or of WM_NOTIFY.
    pub code: i32,
    /// Whether it came as WM_NOTIFY.
    pub is_notify: bool,
}

/// How a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// Nothing is left to do.
    Idle,
    /// The time is up, and a thread is still at work.
    Busy,
    /// A thread has not looked for messages for five seconds.
    Hung,
}

/// Why a request failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trouble {
    /// The window is gone.
    Gone,
    /// The window is disabled.
    Disabled,
    /// The window is hidden.
    Hidden,
    /// The window's thread takes no messages at present, and nothing was done.
    Late,
    /// The item does not exist.
    NoItem(String),
    /// The control does not support it; the reason in one sentence.
    Unable(String),
}

/// One act on one window: what a user's action comes down to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the comment on each variant explains its fields")]
pub enum Act {
    /// WM_COMMAND as a menu (false) or accelerator (true) sends it. If the menu bar has the labels of `path`
    /// with another command, that one.
    Command {
        id: u32,
        accelerator: bool,
        #[serde(default)]
        path: Vec<String>,
    },
    /// WM_SYSCOMMAND, but never SC_MOVE, SC_SIZE and others that start a loop.
    SysCommand { code: u32 },
    /// WM_CLOSE.
    Close,
    /// BM_CLICK on a button of any kind.
    Press,
    /// Sets the state of a check box or radio button, and notifies the parent as it expects.
    SetCheck { state: u32 },
    /// Gives the window the focus and posts WM_CHAR for each character.
    Type { text: String },
    /// Presses the key of each character, of which the program makes the character itself. WM_CHAR for
    /// characters that have no key on this keyboard.
    TypeKeys { text: String },
    /// Sets the whole text of an edit, with EN_CHANGE.
    SetText { text: String },
    /// Sends the message of an editing command: cut, copy, paste, clear, undo.
    Edit { message: u32 },
    /// Presses a key without a character, with modifiers held as `key.modifiers` has them.
    Key { code: u32, modifiers: u8 },
    /// Clicks once, twice or three times at a point of the client area.
    Click { button: PointerButton, times: u8, point: (i32, i32), modifiers: u8 },
    /// Presses the left button at the first point, moves along the others, releases at the last.
    Stroke { points: Vec<(i32, i32)> },
    /// Selects items of a list box, combo box, list view, tree or tab; `add` keeps the selection.
    Select { items: Vec<ItemRef>, add: bool },
    /// Clicks an item of a list box, `x` pixels from its left edge.
    ClickItem { item: ItemRef, x: i32 },
    /// Clicks an item of a list box, list view or tree with the right button.
    RightClickItem { item: ItemRef },
    /// Deselects items of a list box or list view.
    Deselect { items: Vec<ItemRef> },
    /// Begins to edit the label of an item of a list view or tree.
    EditLabel { item: ItemRef },
    /// Renames an item of a list view or tree; no text gives up an edit that was begun.
    Rename { item: ItemRef, text: Option<String> },
    /// Sets the check box of an item.
    CheckItem { item: ItemRef, checked: bool },
    /// Opens or closes a branch of a tree.
    Expand { item: ItemRef, open: bool },
    /// Double-clicks an item, or presses Enter on it.
    Activate { item: ItemRef },
    /// Clicks a column of a list view or header.
    ClickColumn { index: i32 },
    /// Sets the width of a column, in pixels.
    SizeColumn { index: i32, width: i32 },
    /// Sets the position of a column among the others.
    MoveColumn { index: i32, order: i32 },
    /// Clicks a link, by its id or address, or else by its index.
    Link { index: i32, name: Option<String> },
    /// Clicks a button of a tool bar, by its command.
    Tool { command: u32 },
    /// Clicks the arrow of a split button, of a tool (by its command) or of a band (by its index).
    DropDown { item: Option<u32> },
    /// Sets the value of a track bar or spin control.
    SetValue { value: i32 },
    /// Scrolls, by a scroll bar control or a window's own bar: `SB_` request and position.
    Scroll { vertical: bool, request: u32, position: Option<i32> },
    /// Turns the wheel over a window, 120 to a notch.
    Wheel { turn: i32, horizontal: bool, modifiers: u8 },
    /// Sets a date, or none: `2026-11-16T09:00:00`. A calendar of several days may have a last one.
    SetDate {
        date: Option<String>,
        #[serde(default)]
        until: Option<String>,
    },
    /// Drops files from another program at a point of the client area.
    DropFiles { files: Vec<String>, point: (i32, i32) },
    /// Posts WM_HOTKEY for a hot key that the program registered: its id and its virtual key.
    HotKey { id: u32, code: u32 },
    /// Sends WM_APPCOMMAND, the message of a multimedia key or mouse button.
    AppCommand { number: u32 },
    /// Enters the menu bar by keyboard.
    EnterMenu,
    /// Chooses an item of the open menu: by its command, else by its labels.
    ChooseInMenu { path: Vec<String>, command: Option<u32> },
    /// Moves the real pointer to a point of the client area and rests there.
    Hover { point: (i32, i32) },
    /// Begins a drag with the real pointer on an item, or at a point of the client area.
    Grab { item: Option<ItemRef>, point: (i32, i32) },
    /// Ends the drag at a point of the client area.
    DropAt { point: (i32, i32) },
    /// Sets place and size of a window: left, top, right, bottom as a keyframe has them.
    Place { rect: [i32; 4] },
    /// Gives a window the focus.
    Focus,
    /// Takes the focus from every window.
    Blur,
    /// Brings another program's window to the foreground.
    Leave { to: u64 },
    /// Moves a window to a screen of another resolution per inch, as far as messages say so.
    SetDpi { from: u32, to: u32 },
}

impl Act {
    /// Longer texts are sent, since a queue takes ten thousand messages at most.
    pub const MOST_POSTED: usize = 4000;

    /// Its name in the log of a replay. After an `input` the log has the keys and clicks themselves.
    pub fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Command { .. } => "command",
            Self::SysCommand { .. } => "system command",
            Self::Close => "close",
            Self::Press => "press",
            Self::SetCheck { .. } => "check",
            Self::Type { text } if text.encode_utf16().count() > Self::MOST_POSTED => "text",
            Self::Type { .. }
            | Self::TypeKeys { .. }
            | Self::Key { .. }
            | Self::Click { .. }
            | Self::ClickItem { .. }
            | Self::RightClickItem { .. }
            | Self::Stroke { .. }
            | Self::Link { .. }
            | Self::Tool { .. }
            | Self::Wheel { .. }
            | Self::HotKey { .. }
            | Self::AppCommand { .. }
            | Self::DropFiles { .. } => "input",
            Self::SetText { .. } => "text",
            Self::Edit { .. } => "edit",
            Self::Select { add: true, .. } => "add",
            Self::Select { .. } | Self::Deselect { .. } => "select",
            Self::EditLabel { .. } | Self::Rename { .. } => "rename",
            Self::CheckItem { .. } => "check item",
            Self::Expand { .. } => "expand",
            Self::Activate { .. } => "activate",
            Self::ClickColumn { .. } | Self::SizeColumn { .. } | Self::MoveColumn { .. } => "column",
            Self::DropDown { .. } => "drop down",
            Self::SetValue { .. } | Self::SetDate { .. } => "value",
            Self::Scroll { .. } => "scroll",
            Self::EnterMenu | Self::ChooseInMenu { .. } => "menu",
            Self::Hover { .. } => "hover",
            Self::Grab { .. } | Self::DropAt { .. } => "drag",
            Self::Place { .. } => "place",
            Self::Focus => "focus",
            Self::Blur => "interrupt focus",
            Self::Leave { .. } => "interrupt switch",
            Self::SetDpi { from, to } => return Cow::Owned(format!("interrupt dpi {from} {to}")),
        })
    }
}

/// A button of the pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum PointerButton {
    Left,
    Right,
    Middle,
    X1,
    X2,
}

/// An item as it was recorded: its text or the texts from the root, and its place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemRef {
    /// Texts from the root; one for a list. Empty if they are not known.
    pub path: Vec<String>,
    /// Its index.
    pub index: Option<i64>,
    /// Indexes from the root of a tree, separated by `/`.
    pub index_path: Option<String>,
}

/// A question to a control.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// The text it keeps; refused for a password field.
    Text,
    /// The check state of a button.
    Checked,
    /// The texts of the selected items.
    Selection,
    /// Everything it says of itself.
    Facts,
    /// Width and height of its client area.
    ClientSize,
    /// The commands of its menu bar: for each, its number and the labels from the bar down,
    /// separated by tabs.
    Menu,
    /// What can be chosen in it: for each item the texts from the root down, separated by tabs. For a tool
    /// bar, the tools that take a click: for each, its command and its text.
    Items,
    /// The window of its thread that has the focus; 0 for none.
    Focus,
    /// Its resolution per inch, if it adapts itself to its screen; 0 if not.
    Dpi,
}

/// A control's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Answer {
    Text(String),
    Number(i64),
    Texts(Vec<String>),
    /// Names and values.
    Facts(Vec<(String, String)>),
    Size(i32, i32),
}

impl ItemRef {
    /// How a user would name the item. Items count from 1, as `dashcam show` counts them.
    pub fn name(&self) -> String {
        match (self.path.is_empty(), &self.index_path) {
            (false, _) => format!("{:?}", self.path.join(" > ")),
            (true, Some(path)) => path.clone(),
            (true, None) => self.index.map_or_else(String::new, |index| index.saturating_add(1).to_string()),
        }
    }
}

/// A picture of a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Red, green and blue of each pixel, row by row from the top.
    pub rgb: Vec<u8>,
}

impl Picture {
    /// Width, height and pixels as the channel carries them.
    pub fn to_bytes(&self) -> Vec<u8> {
        [&self.width.to_le_bytes()[..], &self.height.to_le_bytes(), &self.rgb].concat()
    }

    /// The picture in these bytes; none if their number does not match its size.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (width, rest) = bytes.split_first_chunk()?;
        let (height, rgb) = rest.split_first_chunk()?;
        let (width, height) = (u32::from_le_bytes(*width), u32::from_le_bytes(*height));
        let bytes_needed = (width as usize).checked_mul(height as usize)?.checked_mul(3)?;
        (bytes_needed > 0 && bytes_needed == rgb.len()).then(|| Self { width, height, rgb: rgb.to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_survives_bytes_and_damaged_bytes_are_refused() {
        let picture = Picture { width: 2, height: 1, rgb: vec![1, 2, 3, 4, 5, 6] };
        let bytes = picture.to_bytes();
        assert_eq!(Picture::from_bytes(&bytes), Some(picture));
        assert_eq!(Picture::from_bytes(&bytes[..bytes.len() - 1]), None);
        assert_eq!(Picture::from_bytes(&[255; 9]), None);
        assert_eq!(Picture::from_bytes(&[0; 8]), None);
    }

    #[test]
    fn items_are_named_by_text_first() {
        let item =
            ItemRef { path: vec!["A".into(), "B".into()], index: Some(3), index_path: Some("0/1".into()) };
        assert_eq!(item.name(), "\"A > B\"");
        assert_eq!(ItemRef { path: vec![], ..item.clone() }.name(), "0/1");
        assert_eq!(ItemRef { index: Some(3), ..ItemRef::default() }.name(), "4");
    }
}
