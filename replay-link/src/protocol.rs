//! Requests of the replayer and replies of the agent.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What the replayer wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// All windows.
    Snapshot,
    /// One thing done to one window.
    Act {
        /// The window.
        window: u64,
        /// What is done.
        act: Act,
    },
    /// What a control says of itself.
    Ask {
        /// The control.
        window: u64,
        /// What is asked.
        question: Question,
    },
    /// Note from now on which commands and notifications these windows get, and forget those noted before.
    Watch {
        /// The windows.
        windows: Vec<u64>,
    },
    /// What they got since.
    Notices,
    /// What a window looks like.
    Picture {
        /// The window.
        window: u64,
    },
    /// Wait until nothing is left to do.
    Settle {
        /// At most so long.
        patience_millis: u64,
    },
}

/// What the agent answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// All windows, as [`crate::encode`] writes them.
    #[serde(skip)]
    Windows(Vec<u8>),
    /// What a window looks like, as bytes.
    #[serde(skip)]
    Picture(Vec<u8>),
    /// An act is on its way.
    Done {
        /// What is to be known of it: by what an item was found.
        remarks: Vec<String>,
    },
    /// What the watched windows got.
    Notices(Notices),
    /// How waiting ended.
    Settled {
        /// How.
        outcome: Outcome,
        /// Since the last act was accepted, until the last thread was seen idle on that thread; 0 where
        /// nothing was done since the last wait.
        worked_micros: u64,
    },
    /// What a control says.
    Answer(Answer),
    /// It cannot be done.
    Trouble(Trouble),
}

/// What watched windows got.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notices {
    /// Each kind once.
    pub all: Vec<Notice>,
    /// Windows that could not be watched, or no longer: nothing is known of them.
    pub lost: Vec<u64>,
}

/// A command or notification that a window got.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// The window that got it.
    pub window: u64,
    /// The control it came from; 0 for menus and accelerators.
    pub source: u64,
    /// The command's or control's id.
    pub id: u32,
    /// The notification code: BN_, EN_ and their like, or that of WM_NOTIFY.
    pub code: i32,
    /// Whether it is WM_NOTIFY.
    pub is_notify: bool,
}

/// How waiting ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// Nothing is left to do.
    Idle,
    /// Still at work.
    Busy,
    /// A thread has not looked for messages for five seconds.
    Hung,
}

/// Why something cannot be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trouble {
    /// The window is gone.
    Gone,
    /// It is disabled.
    Disabled,
    /// It is hidden.
    Hidden,
    /// Its thread takes no messages for now; nothing was done.
    Late,
    /// The item is not there.
    NoItem(String),
    /// Not with this control, in one sentence.
    Unable(String),
}

/// One thing to do to a window: what a user's action comes down to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the comment on each variant tells its fields")]
pub enum Act {
    /// WM_COMMAND as a menu (false) or accelerator (true) sends it. Where the menu bar has these labels with
    /// another command, that one.
    Command {
        id: u32,
        accelerator: bool,
        #[serde(default)]
        path: Vec<String>,
    },
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
    /// The key of each character, of which the program makes the character itself; WM_CHAR for those that
    /// have no key here.
    TypeKeys { text: String },
    /// The whole text of an edit, with EN_CHANGE.
    SetText { text: String },
    /// Cut, copy, paste, clear, undo: the WM_ message.
    Edit { message: u32 },
    /// A key without a character, with modifiers held as `key.modifiers` has them.
    Key { code: u32, modifiers: u8 },
    /// A button of the pointer at a point of the client area: down and up together, once,
    /// twice or three times.
    Click { button: PointerButton, times: u8, point: (i32, i32), modifiers: u8 },
    /// The pointer down at the first point, along the others, up at the last.
    Stroke { points: Vec<(i32, i32)> },
    /// Items of a list box, combo box, list view, tree or tab; `add` keeps the selection there was.
    Select { items: Vec<ItemRef>, add: bool },
    /// A click on an item of a list box, at that distance from its left edge.
    ClickItem { item: ItemRef, x: i32 },
    /// A click with the right button on an item of a list box, list view or tree.
    RightClickItem { item: ItemRef },
    /// Items of a list box or list view that are no longer selected.
    Deselect { items: Vec<ItemRef> },
    /// The label of an item of a list view or tree is put under edit.
    EditLabel { item: ItemRef },
    /// Another text for an item of a list view or tree; none gives up what was begun.
    Rename { item: ItemRef, text: Option<String> },
    /// The check box of an item.
    CheckItem { item: ItemRef, checked: bool },
    /// A branch of a tree.
    Expand { item: ItemRef, open: bool },
    /// A double click or Enter on an item.
    Activate { item: ItemRef },
    /// A column of a list view.
    ClickColumn { index: i32 },
    /// The width of a column of a header, in pixels.
    SizeColumn { index: i32, width: i32 },
    /// The place of a column of a header among the others.
    MoveColumn { index: i32, order: i32 },
    /// A link of a text, by its id or address, or else by its place.
    Link { index: i32, name: Option<String> },
    /// A button of a tool bar, by its command.
    Tool { command: u32 },
    /// The arrow of a split button, of a tool (by its command) or of a band (by its place).
    DropDown { item: Option<u32> },
    /// A track bar's or spin's value.
    SetValue { value: i32 },
    /// A scroll bar, standard or control: SB_ request and position.
    Scroll { vertical: bool, request: u32, position: Option<i32> },
    /// The wheel over a window, 120 to a notch.
    Wheel { turn: i32, horizontal: bool, modifiers: u8 },
    /// A date, or none: `2026-11-16T09:00:00`; a calendar of several days may have a last one.
    SetDate {
        date: Option<String>,
        #[serde(default)]
        until: Option<String>,
    },
    /// Files from outside, at a point of the client area.
    DropFiles { files: Vec<String>, point: (i32, i32) },
    /// WM_HOTKEY: a key of the whole system that the program registered, by the number it gave it, with
    /// its virtual key.
    HotKey { id: u32, code: u32 },
    /// WM_APPCOMMAND: a key or button of the shell.
    AppCommand { number: u32 },
    /// The menu bar, by keyboard.
    EnterMenu,
    /// An item of the menu that is open: by its command, else by its labels.
    ChooseInMenu { path: Vec<String>, command: Option<u32> },
    /// The real pointer goes to a point of the client area and rests there.
    Hover { point: (i32, i32) },
    /// The real pointer goes down on an item, or at a point of the client area.
    Grab { item: Option<ItemRef>, point: (i32, i32) },
    /// The real pointer that went down moves to a point of the client area and is released.
    DropAt { point: (i32, i32) },
    /// Place and size of a window: left, top, right, bottom as a keyframe has them.
    Place { rect: [i32; 4] },
    /// The focus.
    Focus,
    /// No window has the focus.
    Blur,
    /// Another program's window comes to the front.
    Leave { to: u64 },
    /// A window is told that it comes from a screen of one resolution per inch to one of another, and which
    /// place it should have there.
    SetDpi { from: u32, to: u32 },
}

impl Act {
    /// Longer texts are sent, since a queue takes ten thousand messages at the most.
    pub const MOST_POSTED: usize = 4000;

    /// What the trace of a replay calls it. After an `input` the log has the keys and clicks themselves.
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
#[expect(missing_docs, reason = "their names say it")]
pub enum PointerButton {
    Left,
    Right,
    Middle,
    X1,
    X2,
}

/// An item, as it was recorded: its text or the texts from the root, and its place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemRef {
    /// Texts from the root; one for a list. Empty where they are not known.
    pub path: Vec<String>,
    /// Its place.
    pub index: Option<i64>,
    /// Places from the root of a tree, separated by `/`.
    pub index_path: Option<String>,
}

/// What can be asked of a control.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// The text it keeps.
    Text,
    /// The check state of a button.
    Checked,
    /// The texts of the selected items.
    Selection,
    /// All that it says of itself.
    Facts,
    /// Width and height of its client area.
    ClientSize,
    /// The commands of its menu bar: for each, its number and the texts from the bar down, with tabs between.
    Menu,
    /// What can be chosen in it: for each item the texts from the root down, with tabs between. Of a tool
    /// bar, the tools that take a click: for each, its command and its text.
    Items,
    /// Which window of its thread has the focus; 0 for none.
    Focus,
    /// Its resolution per inch, if it adapts itself to that of its screen; 0 if not.
    Dpi,
}

/// What a control answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "their names say it")]
pub enum Answer {
    Text(String),
    Number(i64),
    Texts(Vec<String>),
    /// Names and values.
    Facts(Vec<(String, String)>),
    Size(i32, i32),
}

impl ItemRef {
    /// The item as a user would name it.
    pub fn name(&self) -> String {
        let index = self.index.map(|index| index.to_string());
        match (self.path.is_empty(), &self.index_path) {
            (false, _) => format!("{:?}", self.path.join(" > ")),
            (true, Some(path)) => path.clone(),
            (true, None) => index.unwrap_or_default(),
        }
    }
}

/// What a window looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// In dots.
    pub width: u32,
    /// In dots.
    pub height: u32,
    /// Red, green and blue of each dot, row by row from the top.
    pub rgb: Vec<u8>,
}

impl Picture {
    /// Width, height and dots as the channel carries them.
    pub fn to_bytes(&self) -> Vec<u8> {
        [&self.width.to_le_bytes()[..], &self.height.to_le_bytes(), &self.rgb].concat()
    }

    /// The picture in these bytes; none if they are not as many as it says.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (width, rest) = bytes.split_first_chunk()?;
        let (height, rgb) = rest.split_first_chunk()?;
        let (width, height) = (u32::from_le_bytes(*width), u32::from_le_bytes(*height));
        let dots = (width as usize).checked_mul(height as usize)?.checked_mul(3)?;
        (dots > 0 && dots == rgb.len()).then(|| Self { width, height, rgb: rgb.to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_goes_through_bytes_and_a_wrong_one_does_not() {
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
        assert_eq!(ItemRef { index: Some(3), ..ItemRef::default() }.name(), "3");
    }
}
