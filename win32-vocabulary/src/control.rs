//! What a control is, whichever toolkit made it, and what follows from that.
//!
//! Each question is a `match` without a wildcard: whoever adds a control is led to every decision by the
//! compiler. Decisions that need more than the control itself (a message, a style, a step) stay in the crates
//! that make them, in the same form.

use crate::styles::{
    BS_3STATE, BS_AUTO3STATE, BS_AUTOCHECKBOX, BS_AUTORADIOBUTTON, BS_CHECKBOX, BS_GROUPBOX, BS_RADIOBUTTON,
    BS_TYPEMASK, ES_PASSWORD,
};

macro_rules! controls {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {
        /// A control, or another window that Windows knows by its class.
        ///
        /// Controls are told apart here if they take other messages ([`Edit`](Self::Edit) and
        /// [`RichEdit`](Self::RichEdit)), even where their user sees no difference. Code that speaks to the
        /// user compares [`name`](Self::name) or [`noun`](Self::noun), or asks [`is_edit`](Self::is_edit) and
        /// its like.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Control {
            $($(#[$doc])* $name),+
        }

        impl Control {
            /// Every control.
            pub const ALL: &[Self] = &[$(Self::$name),+];
        }
    };
}

controls! {
    /// A push button, or a button of a kind that only its style tells.
    Button,
    /// A check box.
    CheckBox,
    /// A radio button.
    RadioButton,
    /// The frame around a group of controls.
    GroupBox,
    /// An edit of user32, of one line or several.
    Edit,
    /// A rich edit.
    RichEdit,
    /// Scintilla: an edit that takes messages of its own.
    CodeEdit,
    /// A static text or picture.
    Label,
    /// A list box.
    ListBox,
    /// The list that a combo box drops down.
    DropList,
    /// A combo box.
    ComboBox,
    /// A combo box with pictures, around an ordinary one.
    ComboBoxEx,
    /// A list with columns or icons.
    ListView,
    /// A tree.
    TreeView,
    /// The tabs above pages.
    Tab,
    /// The headers above columns.
    Header,
    /// A tool bar.
    ToolBar,
    /// The bar that tool bars lie in.
    Rebar,
    /// A status bar.
    StatusBar,
    /// A progress bar.
    ProgressBar,
    /// A slider.
    TrackBar,
    /// A scroll bar that is a window.
    ScrollBar,
    /// Two arrows that change a number.
    UpDown,
    /// A field with a date or a time.
    DatePicker,
    /// A calendar of one or more months.
    Calendar,
    /// A field that shows a key combination.
    HotKey,
    /// Four fields for an IP address.
    IpAddress,
    /// A text with links.
    Link,
    /// An open menu.
    Menu,
    /// A tool tip.
    ToolTip,
    /// The default window of an input method.
    InputMethod,
    /// A shadow, a list of suggestions, the clipboard's owner.
    SystemPopup,
    /// A dialog box.
    Dialog,
    /// The window that MDI children lie in.
    MdiClient,
    /// A window of the program's own, or a class that is not in the table.
    Other,
}

use Control::*;

impl Control {
    /// The control among those that share a class: the style of a button tells a check box from a push
    /// button.
    #[must_use]
    pub const fn with_style(self, style: u32) -> Self {
        match self {
            Button => match style & BS_TYPEMASK {
                BS_CHECKBOX | BS_AUTOCHECKBOX | BS_3STATE | BS_AUTO3STATE => CheckBox,
                BS_RADIOBUTTON | BS_AUTORADIOBUTTON => RadioButton,
                BS_GROUPBOX => GroupBox,
                _ => Button,
            },
            CheckBox | RadioButton | GroupBox | Edit | RichEdit | CodeEdit | Label | ListBox | DropList
            | ComboBox | ComboBoxEx | ListView | TreeView | Tab | Header | ToolBar | Rebar | StatusBar
            | ProgressBar | TrackBar | ScrollBar | UpDown | DatePicker | Calendar | HotKey | IpAddress
            | Link | Menu | ToolTip | InputMethod | SystemPopup | Dialog | MdiClient | Other => self,
        }
    }

    /// Its name in JSON and in usage models. Controls between which a user sees no difference share one.
    pub const fn name(self) -> &'static str {
        match self {
            Button => "button",
            CheckBox => "check_box",
            RadioButton => "radio_button",
            GroupBox => "group_box",
            Edit | RichEdit | CodeEdit => "edit",
            Label => "label",
            ListBox => "list",
            DropList => "drop_list",
            ComboBox | ComboBoxEx => "combo",
            ListView => "list_view",
            TreeView => "tree",
            Tab => "tab",
            Header => "header",
            ToolBar => "tool_bar",
            StatusBar => "status_bar",
            TrackBar => "track_bar",
            ScrollBar => "scroll_bar",
            UpDown => "spin",
            DatePicker => "date_picker",
            Calendar => "calendar",
            HotKey => "hot_key",
            IpAddress => "ip_address",
            Link => "link",
            Menu => "menu",
            ToolTip => "tool_tip",
            Rebar | ProgressBar | InputMethod | SystemPopup | Dialog | MdiClient | Other => "other",
        }
    }

    /// The control with this [`name`](Self::name), the plainest if several have it.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == Other.name() {
            return Some(Other);
        }
        Self::ALL.iter().copied().find(|control| control.name() == name)
    }

    /// What a person calls it.
    pub const fn noun(self) -> &'static str {
        match self {
            Button => "button",
            CheckBox => "check box",
            RadioButton => "radio button",
            GroupBox => "group",
            Edit | RichEdit | CodeEdit => "text field",
            Label => "label",
            ListBox | ListView | DropList => "list",
            ComboBox | ComboBoxEx => "combo box",
            TreeView => "tree",
            Tab => "tabs",
            Header => "column header",
            ToolBar => "tool bar",
            StatusBar => "status bar",
            TrackBar => "slider",
            ScrollBar => "scroll bar",
            UpDown => "arrows",
            DatePicker => "date field",
            Calendar => "calendar",
            HotKey => "key field",
            IpAddress => "address field",
            Link => "link",
            Menu => "menu",
            ToolTip => "tip",
            Rebar | ProgressBar | InputMethod | SystemPopup | Dialog | MdiClient | Other => "area",
        }
    }

    /// Whether its user sees a pane or a window rather than a control.
    pub const fn is_area(self) -> bool {
        match self {
            Rebar | ProgressBar | InputMethod | SystemPopup | Dialog | MdiClient | Other => true,
            Button | CheckBox | RadioButton | GroupBox | Edit | RichEdit | CodeEdit | Label | ListBox
            | DropList | ComboBox | ComboBoxEx | ListView | TreeView | Tab | Header | ToolBar | StatusBar
            | TrackBar | ScrollBar | UpDown | DatePicker | Calendar | HotKey | IpAddress | Link | Menu
            | ToolTip => false,
        }
    }

    /// Whether its user types text into it that it keeps as one text.
    pub const fn is_edit(self) -> bool {
        match self {
            Edit | RichEdit | CodeEdit => true,
            Button | CheckBox | RadioButton | GroupBox | Label | ListBox | DropList | ComboBox
            | ComboBoxEx | ListView | TreeView | Tab | Header | ToolBar | Rebar | StatusBar | ProgressBar
            | TrackBar | ScrollBar | UpDown | DatePicker | Calendar | HotKey | IpAddress | Link | Menu
            | ToolTip | InputMethod | SystemPopup | Dialog | MdiClient | Other => false,
        }
    }

    /// Whether it takes the `EM_` messages of an edit.
    pub const fn takes_edit_messages(self) -> bool {
        match self {
            Edit | RichEdit => true,
            CodeEdit | Button | CheckBox | RadioButton | GroupBox | Label | ListBox | DropList | ComboBox
            | ComboBoxEx | ListView | TreeView | Tab | Header | ToolBar | Rebar | StatusBar | ProgressBar
            | TrackBar | ScrollBar | UpDown | DatePicker | Calendar | HotKey | IpAddress | Link | Menu
            | ToolTip | InputMethod | SystemPopup | Dialog | MdiClient | Other => false,
        }
    }

    /// Whether a check box, a radio button or a push button.
    pub const fn is_button(self) -> bool {
        match self {
            Button | CheckBox | RadioButton => true,
            GroupBox | Edit | RichEdit | CodeEdit | Label | ListBox | DropList | ComboBox | ComboBoxEx
            | ListView | TreeView | Tab | Header | ToolBar | Rebar | StatusBar | ProgressBar | TrackBar
            | ScrollBar | UpDown | DatePicker | Calendar | HotKey | IpAddress | Link | Menu | ToolTip
            | InputMethod | SystemPopup | Dialog | MdiClient | Other => false,
        }
    }

    /// Whether it takes the `LB_` messages of a list box.
    pub const fn is_list_box(self) -> bool {
        match self {
            ListBox | DropList => true,
            Button | CheckBox | RadioButton | GroupBox | Edit | RichEdit | CodeEdit | Label | ComboBox
            | ComboBoxEx | ListView | TreeView | Tab | Header | ToolBar | Rebar | StatusBar | ProgressBar
            | TrackBar | ScrollBar | UpDown | DatePicker | Calendar | HotKey | IpAddress | Link | Menu
            | ToolTip | InputMethod | SystemPopup | Dialog | MdiClient | Other => false,
        }
    }

    /// Whether a combo box of either kind.
    pub const fn is_combo_box(self) -> bool {
        match self {
            ComboBox | ComboBoxEx => true,
            Button | CheckBox | RadioButton | GroupBox | Edit | RichEdit | CodeEdit | Label | ListBox
            | DropList | ListView | TreeView | Tab | Header | ToolBar | Rebar | StatusBar | ProgressBar
            | TrackBar | ScrollBar | UpDown | DatePicker | Calendar | HotKey | IpAddress | Link | Menu
            | ToolTip | InputMethod | SystemPopup | Dialog | MdiClient | Other => false,
        }
    }

    /// Whether it shows items, and not a picture of the program's own.
    pub const fn has_items(self) -> bool {
        match self {
            ListBox | DropList | ComboBox | ComboBoxEx | ListView | TreeView | Tab | Header | ToolBar => true,
            Button | CheckBox | RadioButton | GroupBox | Edit | RichEdit | CodeEdit | Label | Rebar
            | StatusBar | ProgressBar | TrackBar | ScrollBar | UpDown | DatePicker | Calendar | HotKey
            | IpAddress | Link | Menu | ToolTip | InputMethod | SystemPopup | Dialog | MdiClient | Other => {
                false
            }
        }
    }

    /// Whether the text it shows is its name.
    pub const fn shows_its_name(self) -> bool {
        match self {
            Button | CheckBox | RadioButton | GroupBox | Label | Link => true,
            Edit | RichEdit | CodeEdit | ListBox | DropList | ComboBox | ComboBoxEx | ListView | TreeView
            | Tab | Header | ToolBar | Rebar | StatusBar | ProgressBar | TrackBar | ScrollBar | UpDown
            | DatePicker | Calendar | HotKey | IpAddress | Menu | ToolTip | InputMethod | SystemPopup
            | Dialog | MdiClient | Other => false,
        }
    }

    /// Whether it keeps its text itself, so that the text Windows has for the window is not the one it shows.
    pub const fn keeps_own_text(self) -> bool {
        match self {
            Edit | RichEdit | ComboBox | ComboBoxEx => true,
            CodeEdit | Button | CheckBox | RadioButton | GroupBox | Label | ListBox | DropList | ListView
            | TreeView | Tab | Header | ToolBar | Rebar | StatusBar | ProgressBar | TrackBar | ScrollBar
            | UpDown | DatePicker | Calendar | HotKey | IpAddress | Link | Menu | ToolTip | InputMethod
            | SystemPopup | Dialog | MdiClient | Other => false,
        }
    }

    /// Whether `WM_SETTEXT` sets a text that Windows does not have: a status bar takes it for its first part,
    /// while Windows keeps the name that the bar was created with.
    pub const fn takes_text(self) -> bool {
        match self {
            StatusBar => true,
            Edit | RichEdit | ComboBox | ComboBoxEx | CodeEdit | Button | CheckBox | RadioButton
            | GroupBox | Label | ListBox | DropList | ListView | TreeView | Tab | Header | ToolBar
            | Rebar | ProgressBar | TrackBar | ScrollBar | UpDown | DatePicker | Calendar | HotKey
            | IpAddress | Link | Menu | ToolTip | InputMethod | SystemPopup | Dialog | MdiClient | Other => {
                self.keeps_own_text()
            }
        }
    }

    /// The style bit that makes it a password field. A class without a row may be one as well:
    /// [`may_be_edit`](crate::class_name::may_be_edit).
    pub const fn password_style(self) -> Option<u32> {
        match self {
            Edit | RichEdit => Some(ES_PASSWORD),
            CodeEdit | Button | CheckBox | RadioButton | GroupBox | Label | ListBox | DropList | ComboBox
            | ComboBoxEx | ListView | TreeView | Tab | Header | ToolBar | Rebar | StatusBar | ProgressBar
            | TrackBar | ScrollBar | UpDown | DatePicker | Calendar | HotKey | IpAddress | Link | Menu
            | ToolTip | InputMethod | SystemPopup | Dialog | MdiClient | Other => None,
        }
    }

    /// Whether it comes and goes by itself: a replay neither waits for it nor misses it.
    pub const fn is_transient(self) -> bool {
        match self {
            DropList | Menu | ToolTip | InputMethod | SystemPopup => true,
            Button | CheckBox | RadioButton | GroupBox | Edit | RichEdit | CodeEdit | Label | ListBox
            | ComboBox | ComboBoxEx | ListView | TreeView | Tab | Header | ToolBar | Rebar | StatusBar
            | ProgressBar | TrackBar | ScrollBar | UpDown | DatePicker | Calendar | HotKey | IpAddress
            | Link | Dialog | MdiClient | Other => false,
        }
    }

    /// Whether it may count clicks by the clock instead of taking Windows' word for a double click, as rich
    /// edits and windows drawn by the program do.
    pub const fn counts_clicks(self) -> bool {
        match self {
            Button | CheckBox | RadioButton | GroupBox | Edit | ComboBox | ComboBoxEx | ScrollBar | Tab
            | Header | ToolBar | TrackBar | UpDown => false,
            RichEdit | CodeEdit | Label | ListBox | DropList | ListView | TreeView | Rebar | StatusBar
            | ProgressBar | DatePicker | Calendar | HotKey | IpAddress | Link | Menu | ToolTip
            | InputMethod | SystemPopup | Dialog | MdiClient | Other => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_tells_the_kind_of_a_button_and_nothing_else() {
        let with = |style: u32| Button.with_style(0x5001_0000 | style);
        assert_eq!(
            [0, 1, 3, 5, 9, 7, 11].map(with),
            [Button, Button, CheckBox, CheckBox, RadioButton, GroupBox, Button]
        );
        assert_eq!(Edit.with_style(3), Edit);
    }

    #[test]
    fn names_lead_back_to_a_control_with_that_name() {
        for control in Control::ALL {
            assert_eq!(Control::from_name(control.name()).map(Control::name), Some(control.name()));
        }
        assert_eq!([Control::from_name("edit"), Control::from_name("combo")], [Some(Edit), Some(ComboBox)]);
        assert_eq!([Control::from_name("other"), Control::from_name("nothing")], [Some(Other), None]);
    }
}
