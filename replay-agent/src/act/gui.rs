//! What acts need of the application: questions to its windows, and calls that change something, as values.
//!
//! An act decides everything from answers and passes every effect on as a [`Call`]. `gui_thread/live.rs` asks
//! and calls the real windows of the calling thread; the fake of the unit tests answers from tables and
//! records the calls.

use message_log::{Point, Rect};
use replay_link::Window;
use win32_vocabulary::Control;

/// A message with its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) to: Window,
    pub(crate) number: u32,
    pub(crate) wparam: usize,
    pub(crate) payload: Payload,
}

/// What a message's LPARAM is or points to. After the call it holds what the receiver left in the structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Payload {
    Number(isize),
    Text(String),
    Rect(Rect),
    Notification(Notification),
    /// State and mask of a list view's item.
    ListItemState {
        state: u32,
        mask: u32,
    },
    /// State and mask of a tree's item.
    TreeItemState {
        item: isize,
        state: u32,
        mask: u32,
    },
    Column(ColumnChange),
    Date(Date),
    DateRange(Date, Date),
}

/// The structure of WM_NOTIFY.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Notification {
    pub(crate) control: Window,
    pub(crate) id: i32,
    pub(crate) code: i32,
    pub(crate) details: Details,
}

/// What follows the header of a notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Details {
    None,
    /// NMITEMACTIVATE.
    ListItem {
        index: i32,
    },
    /// NMTREEVIEW.
    TreeItem {
        action: u32,
        item: isize,
        state: u32,
    },
    /// NMHEADER.
    Column {
        index: i32,
        change: Option<ColumnChange>,
    },
    /// NMTOOLBAR.
    Tool {
        command: i32,
        rect: Rect,
    },
    /// NMBCDROPDOWN.
    DropDown {
        rect: Rect,
    },
    /// NMUPDOWN.
    Spin {
        position: i32,
        delta: i32,
    },
    /// NMDATETIMECHANGE.
    Date {
        flags: u32,
        date: Date,
    },
    /// NMSELCHANGE.
    Dates {
        first: Date,
        last: Date,
    },
}

/// HDITEM, as far as acts change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnChange {
    Width(i32),
    Order(i32),
}

/// An effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Call {
    Send(Message),
    Post(Message),
    /// Activates the window and gives it the focus, unless a menu is open.
    Focus(Window),
    /// Makes the top-level window of a control the active one, unless a menu is open.
    Activate(Window),
    /// Takes the focus from every window of the thread.
    Blur,
    /// Brings another program's window to the foreground.
    BringToFront(Window),
    Place {
        window: Window,
        rect: [i32; 4],
    },
    SetScrollPosition {
        window: Window,
        bar: i32,
        position: i32,
    },
    Repaint(Window),
    /// Sets the thread's keyboard state, with a button or further key held.
    HoldKeys {
        modifiers: u8,
        also: Option<usize>,
    },
    /// Turns a held key or button down or up behind the messages posted so far.
    TurnKey {
        key: usize,
        is_down: bool,
    },
    /// Restores the keyboard state behind the messages posted so far.
    RestoreKeys,
    PressKey {
        window: Window,
        keystroke: Keystroke,
    },
    TypeKeys {
        window: Window,
        text: String,
    },
}

/// A moment, with its day of the week as Windows wants it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Date {
    pub(crate) year: u16,
    pub(crate) month: u16,
    pub(crate) day: u16,
    /// 0 is Sunday.
    pub(crate) weekday: u16,
    pub(crate) hour: u16,
    pub(crate) minute: u16,
    pub(crate) second: u16,
    pub(crate) millisecond: u16,
}

/// A key message: number, virtual key and LPARAM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyMessage {
    pub(crate) number: u32,
    pub(crate) wparam: usize,
    pub(crate) lparam: isize,
}

/// A key pressed and released with modifiers held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Keystroke {
    pub(crate) modifiers: u8,
    pub(crate) presses: Vec<KeyMessage>,
    /// Posted once the presses have been taken: the character made of the key comes before its release.
    pub(crate) releases: Vec<KeyMessage>,
}

/// A menu of the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Menu(pub(crate) usize);

/// The resolution per inch of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dpi {
    pub(crate) value: u32,
    /// Whether children get messages when it changes (awareness version 2).
    pub(crate) tells_children: bool,
}

/// A button of a tool bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tool {
    pub(crate) command: i32,
    pub(crate) state: u8,
    pub(crate) style: u8,
}

/// A link at a point of a link control.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinkAt {
    pub(crate) index: i32,
    pub(crate) id: String,
    pub(crate) url: String,
}

/// The windows of the calling thread. Of a window that is gone every answer is empty.
pub(crate) trait Gui {
    /// Performs a call and returns its result. A structure comes back in the call as the receiver left it.
    fn call(&self, call: &mut Call) -> isize;

    /// Sends a message that asks and changes nothing.
    fn ask(&self, window: Window, number: u32, wparam: usize, lparam: isize) -> isize;

    fn exists(&self, window: Window) -> bool;
    fn class(&self, window: Window) -> String;
    fn style(&self, window: Window) -> u32;
    fn ex_style(&self, window: Window) -> u32;
    fn id(&self, window: Window) -> i32;
    fn parent(&self, window: Window) -> Option<Window>;
    fn owner(&self, window: Window) -> Option<Window>;
    fn descendants(&self, window: Window) -> Vec<Window>;
    fn is_shown(&self, window: Window) -> bool;
    fn takes_input(&self, window: Window) -> bool;
    /// Whether windows of its class get double clicks.
    fn takes_double_clicks(&self, window: Window) -> bool;
    fn screen_rect(&self, window: Window) -> Rect;
    fn client_size(&self, window: Window) -> Option<(i32, i32)>;
    fn to_screen(&self, window: Window, point: Point) -> Point;
    /// The resolution of a window that adapts itself to its screen.
    fn dpi(&self, window: Window) -> Option<Dpi>;
    /// Whether the application has the foreground window.
    fn is_foreground(&self) -> bool;
    /// The window of the thread that has the focus.
    fn focused(&self) -> Option<Window>;

    /// A list of files in the application's memory, as the WPARAM of WM_DROPFILES; the receiver frees it.
    fn file_list(&self, files: &[String], point: (i32, i32)) -> Option<usize>;
    /// The scan code of a virtual key.
    fn scan_code(&self, key: u32) -> u32;

    fn menu_bar(&self, window: Window) -> Option<Menu>;
    fn menu_len(&self, menu: Menu) -> i32;
    fn menu_command(&self, menu: Menu, position: i32) -> u32;
    fn sub_menu(&self, menu: Menu, position: i32) -> Option<Menu>;
    /// The text of an item; empty for a separator.
    fn menu_label(&self, menu: Menu, position: i32) -> String;
    fn is_menu_item_disabled(&self, menu: Menu, position: i32) -> bool;
    fn is_menu_item_checked(&self, menu: Menu, position: i32) -> bool;

    /// The text a control keeps (WM_GETTEXT).
    fn text(&self, window: Window) -> String;
    /// The text of an item, as far as the kind of control has texts.
    fn item_text(&self, window: Window, control: Control, index: usize) -> Option<String>;
    /// The text of a cell of a list view.
    fn cell_text(&self, view: Window, row: usize, column: usize) -> String;
    fn tree_text(&self, tree: Window, item: isize) -> String;
    fn status_text(&self, bar: Window, index: usize) -> String;
    fn tool(&self, bar: Window, index: usize) -> Option<Tool>;
    fn tool_text(&self, bar: Window, command: i32) -> String;
    /// The list that belongs to a combo box.
    fn list_of_combo(&self, combo: Window) -> Option<Window>;
    fn link_at(&self, window: Window, point: Point) -> Option<LinkAt>;
    /// The range of a spin control.
    fn spin_range(&self, window: Window) -> (i32, i32);
    /// Least, most and position of a scroll bar control, or of the window's own bar, the vertical one first.
    fn scroll_info(&self, window: Window, is_control: bool) -> Option<(i32, i32, i32)>;

    /// The kind of control a window is, by its class.
    fn control(&self, window: Window) -> Control {
        Control::of_class(&self.class(window))
    }

    fn send(&self, to: Window, number: u32, wparam: usize, lparam: isize) -> isize {
        self.exchange(to, number, wparam, &mut Payload::Number(lparam))
    }

    fn send_text(&self, to: Window, number: u32, wparam: usize, text: &str) -> isize {
        self.exchange(to, number, wparam, &mut Payload::Text(text.to_owned()))
    }

    /// Sends a message with a structure, which comes back as the receiver left it.
    fn exchange(&self, to: Window, number: u32, wparam: usize, payload: &mut Payload) -> isize {
        let taken = std::mem::replace(payload, Payload::Number(0));
        let mut call = Call::Send(Message { to, number, wparam, payload: taken });
        let result = self.call(&mut call);
        if let Call::Send(message) = call {
            *payload = message.payload;
        }
        result
    }

    /// Sends a message that fills in a rectangle.
    fn ask_rect(&self, to: Window, number: u32, wparam: usize, rect: Rect) -> (isize, Rect);

    fn post(&self, to: Window, number: u32, wparam: usize, lparam: isize) {
        self.call(&mut Call::Post(Message { to, number, wparam, payload: Payload::Number(lparam) }));
    }

    fn focus(&self, window: Window) {
        self.call(&mut Call::Focus(window));
    }
}
