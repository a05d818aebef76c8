//! A step: one thing the user did, said so that it can be told and done again.

use super::effects::Effect;
use super::given::MessageId;
use super::input::Button;
use super::place::Place;
use serde::Serialize;

/// One thing the user did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Step {
    /// From 1.
    pub(crate) number: usize,
    /// Microseconds since the session's start.
    pub(crate) time: u64,
    /// The session's number of the thread.
    pub(crate) thread: u32,
    /// How many events of the log came before it.
    pub(crate) first_event: u64,
    /// The window it was done to, as it was then.
    pub(crate) target: Place,
    /// What was done.
    pub(crate) action: Action,
    /// The messages of its thread that it stands for: inputs and what followed from them.
    pub(crate) messages: Vec<Span>,
    /// Those of them that the user's hands made.
    #[serde(skip)]
    pub(crate) inputs: Vec<MessageId>,
    /// What followed, up to the next step.
    pub(crate) effects: Vec<Effect>,
}

/// Messages of one thread, first and last included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Span {
    pub(crate) thread: u32,
    pub(crate) first: u64,
    pub(crate) last: u64,
}

/// How an action was brought about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Means {
    Mouse,
    /// Such as `Enter` or `Ctrl+S`.
    Keys(String),
}

/// An item of a list, tree, tab, header or tool bar: by its text first, by its place second.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Item {
    /// From the root to the item; only a tree has more than one. Empty where texts are not known.
    pub(crate) path: Vec<String>,
    pub(crate) index: Option<i64>,
    /// The places from the root to an item of a tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) index_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) command: Option<u64>,
}

/// Which part of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Part {
    Client,
    TitleBar,
    Frame,
}

/// What a selection does to the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Selection {
    /// These and no others.
    Replace,
    /// These too.
    Add,
    /// These no longer.
    Remove,
}

/// Where a menu came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MenuOrigin {
    Bar,
    System,
    Context,
    /// A button or tool opened it.
    Control,
}

/// What is done to a window as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WindowCommand {
    Close,
    Minimise,
    Maximise,
    Restore,
    Move,
    Size,
    /// Another one, by its number.
    Other(u64),
}

/// What is done with the clipboard or the last change of an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EditCommand {
    Cut,
    Copy,
    Paste,
    Clear,
    Undo,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference over")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Action {
    /// A click of which nothing more is known; `point` in the window's client coordinates.
    Click {
        button: Button,
        double: bool,
        part: Part,
        point: Option<(i32, i32)>,
        modifiers: String,
        item: Option<Item>,
        /// Whether a third click followed a double one.
        #[serde(skip_serializing_if = "is_false")]
        triple: bool,
    },
    /// A push button.
    Press { by: Means, double: bool },
    /// A button was pressed and the pointer moved away before releasing it.
    PressAndLeave,
    /// A check box: 0, 1, or 2 for neither.
    SetCheck { state: u64, by: Means },
    /// A radio button.
    Choose { by: Means },
    /// Text; `result` is all of the field's text afterwards.
    Type { text: String, result: Option<String>, veiled: bool },
    /// A text that is not told.
    TypeSecret { name: String },
    /// Clipboard and undo.
    Edit { command: EditCommand, by: Means, text: Option<String>, result: Option<String> },
    /// Items of a list, combo box, tree or tab.
    Select {
        items: Vec<Item>,
        selection: Selection,
        by: Means,
        /// All that is selected afterwards, where the log tells it.
        #[serde(skip_serializing_if = "Option::is_none")]
        now: Option<Vec<Item>>,
    },
    /// The check box of an item; trees do not tell whether it is on.
    CheckItem { item: Item, checked: Option<bool> },
    /// A branch of a tree.
    Expand { item: Item, open: bool },
    /// A double click or Enter on an item.
    Activate { item: Option<Item>, by: Means },
    /// The name of an item is put under edit, by whatever key or click.
    EditLabel { item: Item },
    /// Another name for an item; none if it was given up.
    Rename { item: Item, text: Option<String> },
    /// The list of a combo box, opened and left.
    OpenList { by: Means },
    /// The arrow of a split button or a tool.
    OpenMenuOf { item: Option<Item> },
    /// An item of a menu; none if the menu was left.
    Menu {
        path: Vec<String>,
        command: Option<u64>,
        origin: MenuOrigin,
        chosen: bool,
        by: Means,
        /// Where the click was that opened it, in the target's client coordinates.
        #[serde(skip_serializing_if = "Option::is_none")]
        point: Option<(i32, i32)>,
    },
    /// A key that is a command of the program.
    Shortcut { keys: String, command: u64, path: Option<Vec<String>> },
    /// Close, minimise and their like.
    Window { command: WindowCommand, by: Means, rect: Option<[i32; 4]> },
    /// Keys that mean something where nothing more is known.
    Keys { keys: String, times: usize },
    /// The position of a slider, or the number of a spin.
    SetValue { value: i64 },
    /// A scroll bar.
    Scroll { vertical: bool, request: u64, position: Option<i64>, times: usize },
    /// 120 to a notch.
    Wheel { turn: i64, horizontal: bool, modifiers: u64 },
    /// From an item or a point to another window or point.
    Drag { item: Option<Item>, to: Option<Box<Place>>, from: Option<(i32, i32)>, point: Option<(i32, i32)> },
    /// A line drawn where nothing but points is known, in ten-thousandths of the window's width and height.
    Stroke { points: Vec<(i32, i32)> },
    /// Files from outside.
    Drop { files: Vec<String> },
    /// A date, or none.
    SetDate { from: Option<String>, to: Option<String> },
    /// A column of a list.
    ClickColumn { item: Item, double: bool },
    /// The place of a column among the others.
    MoveColumn { item: Item, order: Option<i64> },
    /// The width of a column.
    SizeColumn { item: Item, width: Option<i64> },
    /// A button of a tool bar.
    Tool { item: Item, path: Option<Vec<String>> },
    /// A link in a text; its name there is its id or its address.
    Link {
        index: Option<i64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// A key that works everywhere.
    HotKey { number: u64 },
    /// A key or button of the shell.
    AppCommand { number: u64 },
    /// Something from outside, in a log of a session that the agent had.
    Interrupt { what: Interruption },
}

/// What happens to a program from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Interruption {
    /// No window of it has the focus.
    Focus,
    /// Another program comes to the front, and goes.
    Switch,
    /// From a screen of one resolution per inch to one of another.
    Dpi { from: u32, to: u32 },
}
