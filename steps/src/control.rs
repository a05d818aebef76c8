//! What kind of control a window is, whatever toolkit made it, and what that means for the words.

use window_tree::{Node, has_word};

const WS_CHILD: u64 = 0x4000_0000;
const WS_CAPTION: u64 = 0x00C0_0000;

/// A control as its user sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Control {
    /// A push button.
    Button,
    /// A check box.
    CheckBox,
    /// A radio button.
    RadioButton,
    /// A frame with a title around other controls.
    GroupBox,
    /// A field for text.
    Edit,
    /// A static text or picture.
    Label,
    /// A list box.
    List,
    /// A combo box.
    Combo,
    /// A list view.
    ListView,
    /// A tree view.
    Tree,
    /// A tab control.
    Tab,
    /// The column headers of a list.
    Header,
    /// A tool bar.
    ToolBar,
    /// A status bar.
    StatusBar,
    /// A slider.
    TrackBar,
    /// A scroll bar that is a window of its own.
    ScrollBar,
    /// An up-down control.
    Spin,
    /// A field for a date.
    DatePicker,
    /// A month calendar.
    Calendar,
    /// A field for a key combination.
    HotKey,
    /// A field for an IP address.
    IpAddress,
    /// A text with links.
    Link,
    /// The list of a drop-down.
    DropList,
    /// A pop-up menu.
    Menu,
    /// A tool tip.
    ToolTip,
    /// A window of its own, a pane, or something drawn by the program.
    Other,
}

use Control::*;

/// Words of class names, most telling first: `TButton`, `WindowsForms10.BUTTON`, `Button`.
#[rustfmt::skip]
const CLASSES: &[(&str, Control)] = &[
    ("syslistview32", ListView), ("tlistview", ListView), ("wxlistctrl", ListView),
    ("systreeview32", Tree), ("ttreeview", Tree),
    ("systabcontrol32", Tab), ("tpagecontrol", Tab), ("ttabcontrol", Tab), ("systabctl32", Tab),
    ("sysheader32", Header), ("theadercontrol", Header),
    ("toolbarwindow32", ToolBar), ("ttoolbar", ToolBar), ("afxcontrolbar", ToolBar), ("afxtoolbar", ToolBar),
    ("msctls_statusbar32", StatusBar), ("tstatusbar", StatusBar),
    ("msctls_trackbar32", TrackBar), ("ttrackbar", TrackBar),
    ("msctls_updown32", Spin), ("tupdown", Spin),
    ("sysdatetimepick32", DatePicker), ("tdatetimepicker", DatePicker),
    ("sysmonthcal32", Calendar), ("tmonthcalendar", Calendar),
    ("msctls_hotkey32", HotKey), ("thotkey", HotKey),
    ("sysipaddress32", IpAddress), ("syslink", Link),
    ("tooltips_class32", ToolTip), ("#32768", Menu),
    ("combolbox", DropList), ("combobox", Combo),
    ("listbox", List),
    ("scrollbar", ScrollBar),
    ("tcheckbox", CheckBox), ("tradiobutton", RadioButton), ("tgroupbox", GroupBox),
    ("checkbox", CheckBox), ("optionbutton", RadioButton), ("textbox", Edit),
    ("tbitbtn", Button), ("tmemo", Edit), ("richedit", Edit), ("scintilla", Edit), ("edit", Edit),
    ("static", Label), ("tlabel", Label), ("button", Button),
];

impl Control {
    /// The kind of a window.
    pub fn of(node: &Node) -> Self {
        let Some(class) = node.class() else { return Other };
        // A window with a title bar is no control, whatever it calls itself: `RegEdit_RegEdit`.
        let style = node.style().unwrap_or(0);
        if style & WS_CHILD == 0 && style & WS_CAPTION == WS_CAPTION {
            return Other;
        }
        let found = CLASSES.iter().find(|(word, _)| has_word(class, word)).map_or(Other, |(_, kind)| *kind);
        match found {
            Button => match node.style().unwrap_or(0) & 0xF {
                2 | 3 | 5 | 6 => CheckBox,
                4 | 9 => RadioButton,
                7 => GroupBox,
                _ => Button,
            },
            kind => kind,
        }
    }

    /// Whether it is named by the text it shows.
    pub fn shows_its_name(self) -> bool {
        matches!(self, Button | CheckBox | RadioButton | GroupBox | Label | Link)
    }

    /// Whether a check box, a radio button or a push button.
    pub fn is_button(self) -> bool {
        matches!(self, Button | CheckBox | RadioButton)
    }

    /// Whether the window is known to show items, and no picture of the program's own.
    pub fn has_items(self) -> bool {
        matches!(self, List | Combo | ListView | Tree | Tab | Header | ToolBar | DropList)
    }

    /// What one calls it.
    pub fn noun(self) -> &'static str {
        match self {
            Button => "button",
            CheckBox => "check box",
            RadioButton => "radio button",
            GroupBox => "group",
            Edit => "text field",
            Label => "label",
            List | ListView | DropList => "list",
            Combo => "combo box",
            Tree => "tree",
            Tab => "tabs",
            Header => "column header",
            ToolBar => "tool bar",
            StatusBar => "status bar",
            TrackBar => "slider",
            ScrollBar => "scroll bar",
            Spin => "arrows",
            DatePicker => "date field",
            Calendar => "calendar",
            HotKey => "key field",
            IpAddress => "address field",
            Link => "link",
            Menu => "menu",
            ToolTip => "tip",
            Other => "area",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use message_log::{Event, Key, Kind, Message, Stamp, Value};
    use window_tree::Tree;

    /// The kind of a child window.
    fn kind(class: &str, style: u64) -> Control {
        window(class, style | WS_CHILD)
    }

    fn window(class: &str, style: u64) -> Control {
        let message = Message { number: 1, hwnd: 7, window_id: 1, ..Message::default() };
        let event = Event::new(Stamp { sequence: 1, time: 0, thread: 1 }, Kind::Message(message))
            .with_text(Key::WindowClass, class)
            .with(Key::WindowStyle, Value::Unsigned(style));
        let mut tree = Tree::new();
        tree.apply(&event);
        Control::of(tree.get(7).unwrap())
    }

    #[test]
    fn controls_of_every_toolkit_are_known() {
        assert_eq!(kind("Button", 0), Button);
        assert_eq!(kind("Button", 0x5001_0003), CheckBox);
        assert_eq!(kind("WindowsForms10.BUTTON.app.0.141b42a_r6_ad1", 9), RadioButton);
        assert_eq!(kind("TButton", 1), Button);
        assert_eq!(kind("TCheckBox", 0), CheckBox);
        assert_eq!(kind("RICHEDIT50W", 0), Edit);
        assert_eq!(kind("TComboBox", 0), Combo);
        assert_eq!(kind("ComboLBox", 0), DropList);
        assert_eq!(kind("WindowsForms10.SysListView32.app.0.1", 0), ListView);
        assert_eq!(kind("Static", 0), Label);
        assert_eq!(kind("ThunderRT6CommandButton", 0), Button);
        assert_eq!(kind("ThunderRT6OptionButton", 0), RadioButton);
        assert_eq!(kind("TCheckListBox", 0), List);
        assert_eq!(kind("LCLComboBox", 0), Combo);
        assert_eq!(kind("_wx_SysTabCtl32", 0), Tab);
        assert_eq!(kind("AfxControlBar140u", 0), ToolBar);
        assert_eq!(kind("GalleryCanvas", 0), Other);
    }

    #[test]
    fn a_frame_is_no_control_whatever_it_calls_itself() {
        assert_eq!(window("RegEdit_RegEdit", 0x14CF_0000), Other);
        assert_eq!(kind("REGEDIT", 0), Other);
        assert_eq!(kind("EditorFrame", 0), Other);
        assert_eq!(kind("Statistics", 0), Other);
        assert_eq!(window("tooltips_class32", 0x8000_0000), ToolTip);
    }
}
