//! A step: one thing the user did, with enough detail to describe it and to do it again.

use super::effects::Effect;
use super::input::{Button, Interruption};
use super::message::MessageId;
use super::place::Place;
use serde::Serialize;

/// One thing the user did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    /// The number of the step, from 1.
    pub number: usize,
    /// Microseconds since the session's start.
    pub time: u64,
    /// The session's number of the thread.
    pub thread: u32,
    /// How many events of the log precede it.
    pub first_event: u64,
    /// The window the user acted on, as it was at that moment.
    pub target: Place,
    /// What the user did.
    pub action: Action,
    /// The messages of its thread that it stands for: the input and what followed from it.
    pub messages: Vec<Span>,
    /// Those of them that are user input.
    #[serde(skip)]
    pub inputs: Vec<MessageId>,
    /// What changed between this step and the next.
    pub effects: Vec<Effect>,
}

/// A run of messages of one thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Span {
    /// The session's number of the thread.
    pub thread: u32,
    /// The sequence number of the first message.
    pub first: u64,
    /// The sequence number of the last message, included.
    pub last: u64,
}

/// How the user brought an action about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Means {
    /// With the mouse.
    Mouse,
    /// With keys, such as `Enter` or `Ctrl+S`.
    Keys(String),
}

/// An item of a list, tree, tab, header or tool bar. Its text identifies it first, its position second.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Item {
    /// The texts from the root to the item; only a tree has more than one. Empty where texts are not known.
    pub path: Vec<String>,
    /// The position among its siblings.
    pub index: Option<i64>,
    /// The positions from the root to an item of a tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index_path: Option<String>,
    /// The command id of a tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<u64>,
}

/// A part of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The client area.
    Client,
    /// The title bar.
    TitleBar,
    /// The sizing frame.
    Frame,
}

/// How a selection relates to the previous one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Selection {
    /// It replaces the previous one.
    Replace,
    /// It extends the previous one.
    Add,
    /// It removes items from the previous one.
    Remove,
}

/// Where a menu came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MenuOrigin {
    /// The menu bar.
    Bar,
    /// The system menu of the window.
    System,
    /// A context menu.
    Context,
    /// A button or tool opened it.
    Control,
}

/// What the user did to a window as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowCommand {
    /// Closed it.
    Close,
    /// Minimised it.
    Minimise,
    /// Maximised it.
    Maximise,
    /// Restored it.
    Restore,
    /// Moved it.
    Move,
    /// Resized it.
    Size,
    /// Another `WM_SYSCOMMAND`, by its number.
    Other(u64),
}

/// What the user did with the clipboard or the last change of an edit control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EditCommand {
    /// `WM_CUT`.
    Cut,
    /// `WM_COPY`.
    Copy,
    /// `WM_PASTE`.
    Paste,
    /// `WM_CLEAR`.
    Clear,
    /// `WM_UNDO` or `EM_UNDO`.
    Undo,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference over")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// What the user did.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Action {
    /// A click about which the log says nothing more specific.
    Click {
        /// The mouse button.
        button: Button,
        /// Whether it was a double click.
        double: bool,
        /// The part of the window.
        part: Part,
        /// The point in the window's client coordinates.
        point: Option<(i32, i32)>,
        /// The keys held, such as `Ctrl+Shift`; empty if none.
        modifiers: String,
        /// The item at the point.
        item: Option<Item>,
        /// Whether a third click followed a double one.
        #[serde(skip_serializing_if = "is_false")]
        triple: bool,
    },
    /// The user pressed a push button.
    Press {
        /// With the mouse or with keys.
        by: Means,
        /// Whether it was a double click.
        double: bool,
    },
    /// The user pressed a button and moved the pointer away before releasing it.
    PressAndLeave,
    /// The user changed a check box.
    SetCheck {
        /// The state afterwards: 0 unchecked, 1 checked, 2 indeterminate.
        state: u64,
        /// With the mouse or with keys.
        by: Means,
    },
    /// The user chose a radio button.
    Choose {
        /// With the mouse or with keys.
        by: Means,
    },
    /// The user typed text.
    Type {
        /// The characters typed.
        text: String,
        /// The whole text of the field afterwards.
        result: Option<String>,
        /// Whether the recorder redacted the characters.
        #[serde(rename = "veiled")]
        redacted: bool,
    },
    /// The user typed into a password field, whose text the log does not hold.
    TypeSecret {
        /// The name under which a replay asks for it.
        name: String,
    },
    /// The user used the clipboard or undo.
    Edit {
        /// Which command.
        command: EditCommand,
        /// With the mouse or with keys.
        by: Means,
        /// The text that went to or came from the clipboard.
        text: Option<String>,
        /// The whole text of the field afterwards.
        result: Option<String>,
    },
    /// The user selected items of a list, combo box, tree or tab control.
    Select {
        /// The items.
        items: Vec<Item>,
        /// How the selection relates to the previous one.
        selection: Selection,
        /// With the mouse or with keys.
        by: Means,
        /// Everything selected afterwards, where the log says so.
        #[serde(skip_serializing_if = "Option::is_none")]
        now: Option<Vec<Item>>,
    },
    /// The user changed the check box of an item.
    CheckItem {
        /// The item.
        item: Item,
        /// Whether it is checked afterwards; tree views do not report it.
        checked: Option<bool>,
    },
    /// The user expanded or collapsed a branch of a tree.
    Expand {
        /// The item.
        item: Item,
        /// Whether it is expanded afterwards.
        open: bool,
    },
    /// The user double-clicked an item or pressed Enter on it.
    Activate {
        /// The item.
        item: Option<Item>,
        /// With the mouse or with keys.
        by: Means,
    },
    /// The user began to edit the label of an item.
    EditLabel {
        /// The item.
        item: Item,
    },
    /// The user finished editing the label of an item.
    Rename {
        /// The item.
        item: Item,
        /// The new label; none if the user cancelled.
        text: Option<String>,
    },
    /// The user opened the list of a combo box and closed it without a choice.
    OpenList {
        /// With the mouse or with keys.
        by: Means,
    },
    /// The user clicked the arrow of a split button or a tool.
    OpenMenuOf {
        /// The tool; none for a split button.
        item: Option<Item>,
    },
    /// The user used a menu.
    Menu {
        /// The labels from the top menu to the item.
        path: Vec<String>,
        /// The command id of the item.
        command: Option<u64>,
        /// Where the menu came from.
        origin: MenuOrigin,
        /// Whether the user chose an item; if not, the menu was cancelled.
        chosen: bool,
        /// With the mouse or with keys.
        by: Means,
        /// The click that opened the menu, in the target's client coordinates.
        #[serde(skip_serializing_if = "Option::is_none")]
        point: Option<(i32, i32)>,
    },
    /// The user pressed an accelerator.
    Shortcut {
        /// The keys, such as `Ctrl+S`.
        keys: String,
        /// The command id.
        command: u64,
        /// The labels of the menu item with the same command.
        path: Option<Vec<String>>,
    },
    /// The user closed, minimised, moved or resized a window.
    Window {
        /// What was done.
        command: WindowCommand,
        /// With the mouse or with keys.
        by: Means,
        /// Left, top, right and bottom afterwards.
        rect: Option<[i32; 4]>,
    },
    /// The user pressed a key about which the log says nothing more specific.
    Keys {
        /// The keys, such as `Ctrl+Down`.
        keys: String,
        /// How often.
        times: usize,
    },
    /// The user moved a slider or changed the number of a spin control.
    SetValue {
        /// The value afterwards.
        value: i64,
    },
    /// The user used a scroll bar.
    Scroll {
        /// Whether it is the vertical one.
        vertical: bool,
        /// The scroll request, such as `SB_LINEDOWN`.
        request: u64,
        /// The position, for requests that carry one.
        position: Option<i64>,
        /// How often.
        times: usize,
    },
    /// The user turned the mouse wheel.
    Wheel {
        /// The rotation; 120 for one notch.
        turn: i64,
        /// Whether it is the horizontal wheel.
        horizontal: bool,
        /// The keys held, as `MK_` flags.
        modifiers: u64,
    },
    /// The user dragged something.
    Drag {
        /// The item dragged.
        item: Option<Item>,
        /// The window it was dropped on.
        to: Option<Box<Place>>,
        /// Where the drag began, in client coordinates.
        from: Option<(i32, i32)>,
        /// Where the drag ended, in client coordinates.
        point: Option<(i32, i32)>,
    },
    /// The user drew a line with the pointer where only points are known.
    Stroke {
        /// The points, in ten-thousandths of the window's width and height.
        points: Vec<(i32, i32)>,
    },
    /// The user dropped files from another program.
    Drop {
        /// Their paths.
        files: Vec<String>,
    },
    /// The user changed a date picker or a calendar.
    SetDate {
        /// The date, or the first one of a range; none if the field was cleared.
        from: Option<String>,
        /// The last date of a range.
        to: Option<String>,
    },
    /// The user clicked a column header.
    ClickColumn {
        /// The column.
        item: Item,
        /// Whether it was a double click.
        double: bool,
    },
    /// The user moved a column.
    MoveColumn {
        /// The column.
        item: Item,
        /// Its position afterwards.
        order: Option<i64>,
    },
    /// The user resized a column.
    SizeColumn {
        /// The column.
        item: Item,
        /// Its width afterwards, in pixels.
        width: Option<i64>,
    },
    /// The user clicked a tool of a tool bar.
    Tool {
        /// The tool.
        item: Item,
        /// The labels of the menu item with the same command.
        path: Option<Vec<String>>,
    },
    /// The user clicked a link in a text.
    Link {
        /// The position among the links.
        index: Option<i64>,
        /// The link's id or address.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// The user pressed a system-wide hot key.
    HotKey {
        /// The id the program registered.
        number: u64,
        /// The virtual key and modifiers.
        code: u64,
    },
    /// The user pressed a shell key or button, such as Back.
    AppCommand {
        /// The command number.
        number: u64,
    },
    /// Something happened to the program from outside; only generated sessions contain it.
    Interrupt {
        /// What happened.
        what: Interruption,
    },
}
