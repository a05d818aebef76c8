//! What kind of control a window is, by its class or the class it was made from.

#[cfg(windows)]
use replay_link::Window;

/// A control that can be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Edit,
    ListBox,
    ComboBox,
    ComboBoxEx,
    ScrollBar,
    ListView,
    TreeView,
    Tab,
    Header,
    ToolBar,
    TrackBar,
    UpDown,
    DatePicker,
    Calendar,
    Button,
    Link,
    Rebar,
    HotKey,
    Other,
}

/// The system's classes and those of Delphi, Lazarus, wxWidgets and Visual Basic, in lower case.
const CLASSES: &[(&str, Kind)] = &[
    ("edit", Kind::Edit),
    ("richedit", Kind::Edit),
    ("richedit20a", Kind::Edit),
    ("richedit20w", Kind::Edit),
    ("richedit50w", Kind::Edit),
    ("listbox", Kind::ListBox),
    ("combobox", Kind::ComboBox),
    ("comboboxex32", Kind::ComboBoxEx),
    ("scrollbar", Kind::ScrollBar),
    ("syslistview32", Kind::ListView),
    ("systreeview32", Kind::TreeView),
    ("systabcontrol32", Kind::Tab),
    ("sysheader32", Kind::Header),
    ("toolbarwindow32", Kind::ToolBar),
    ("msctls_trackbar32", Kind::TrackBar),
    ("msctls_updown32", Kind::UpDown),
    ("sysdatetimepick32", Kind::DatePicker),
    ("sysmonthcal32", Kind::Calendar),
    ("button", Kind::Button),
    ("syslink", Kind::Link),
    ("rebarwindow32", Kind::Rebar),
    ("msctls_hotkey32", Kind::HotKey),
    ("thotkey", Kind::HotKey),
    ("tbutton", Kind::Button),
    ("tedit", Kind::Edit),
    ("tmemo", Kind::Edit),
    ("trichedit", Kind::Edit),
    ("tlistbox", Kind::ListBox),
    ("tcombobox", Kind::ComboBox),
    ("tscrollbar", Kind::ScrollBar),
    ("tlistview", Kind::ListView),
    ("ttreeview", Kind::TreeView),
    ("ttabcontrol", Kind::Tab),
    ("tpagecontrol", Kind::Tab),
    ("theadercontrol", Kind::Header),
    ("ttoolbar", Kind::ToolBar),
    ("ttrackbar", Kind::TrackBar),
    ("tupdown", Kind::UpDown),
    ("tdatetimepicker", Kind::DatePicker),
    ("tmonthcalendar", Kind::Calendar),
    ("tchecklistbox", Kind::ListBox),
    ("lcllistbox", Kind::ListBox),
    ("lclchecklistbox", Kind::ListBox),
    ("lclcombobox", Kind::ComboBox),
    ("_wx_systabctl32", Kind::Tab),
    ("thunderrt6textbox", Kind::Edit),
    ("thunderrt6listbox", Kind::ListBox),
    ("thunderrt6combobox", Kind::ComboBox),
];

/// The kind of control a window is.
#[cfg(windows)]
pub(crate) fn kind_of(window: Window) -> Kind {
    kind_of_class(&window.class().to_string_lossy())
}

/// Whether a window may tell clicks of its own apart by the clock, as rich edits and canvases do. The rest
/// take the system's word for a double click.
#[cfg(windows)]
pub(crate) fn counts_clicks(window: Window) -> bool {
    class_counts_clicks(&window.class().to_string_lossy())
}

fn class_counts_clicks(class: &str) -> bool {
    use Kind::{Button, ComboBox, ComboBoxEx, Edit, Header, ScrollBar, Tab, ToolBar, TrackBar, UpDown};
    match kind_of_class(class) {
        Edit => class.to_lowercase().contains("rich"),
        Button | ComboBox | ComboBoxEx | ScrollBar | Tab | Header | ToolBar | TrackBar | UpDown => false,
        _ => true,
    }
}

fn kind_of_class(class: &str) -> Kind {
    let class = class.to_lowercase();
    // WindowsForms10.SysListView32.app.0.141b42a_r6_ad1
    let mut parts = class.split('.');
    let is_forms = parts.next().is_some_and(|first| first.starts_with("windowsforms"));
    let base = if is_forms { parts.next().unwrap_or_default() } else { &class };
    CLASSES.iter().find(|(name, _)| *name == base).map_or(Kind::Other, |(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_every_toolkit_are_known() {
        for (class, kind) in [
            ("SysListView32", Kind::ListView),
            ("RICHEDIT50W", Kind::Edit),
            ("WindowsForms10.SysTreeView32.app.0.141b42a_r6_ad1", Kind::TreeView),
            ("TListBox", Kind::ListBox),
            ("LCLComboBox", Kind::ComboBox),
            ("_wx_SysTabCtl32", Kind::Tab),
            ("MyListBox", Kind::Other),
            ("", Kind::Other),
        ] {
            assert_eq!(kind_of_class(class), kind, "{class}");
        }
    }

    #[test]
    fn what_has_a_clock_of_its_own_is_kept_apart() {
        for class in ["RICHEDIT50W", "TRichEdit", "Canvas", "SysListView32", ""] {
            assert!(class_counts_clicks(class), "{class}");
        }
        for class in ["Edit", "TMemo", "Button", "ToolbarWindow32"] {
            assert!(!class_counts_clicks(class), "{class}");
        }
    }
}
