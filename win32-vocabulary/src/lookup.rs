//! From the name of a class to the control: by its row, or by the words of a name that has none.

use crate::class_name::first_word;
use crate::classes::Class;
use crate::control::Control::{self, *};

/// Words by which classes that have no row are recognised, the most telling first: programs derive classes of
/// their own and keep the name of what they derive from.
#[rustfmt::skip]
const WORDS: &[(&str, Control)] = &[
    ("syslistview32", ListView), ("tlistview", ListView), ("wxlistctrl", ListView),
    ("systreeview32", TreeView), ("ttreeview", TreeView),
    ("systabcontrol32", Tab), ("tpagecontrol", Tab), ("ttabcontrol", Tab), ("systabctl32", Tab),
    ("sysheader32", Header), ("theadercontrol", Header),
    ("toolbarwindow32", ToolBar), ("ttoolbar", ToolBar), ("afxcontrolbar", ToolBar), ("afxtoolbar", ToolBar),
    ("msctls_statusbar32", StatusBar), ("tstatusbar", StatusBar),
    ("msctls_trackbar32", TrackBar), ("ttrackbar", TrackBar),
    ("msctls_updown32", UpDown), ("tupdown", UpDown),
    ("sysdatetimepick32", DatePicker), ("tdatetimepicker", DatePicker),
    ("sysmonthcal32", Calendar), ("tmonthcalendar", Calendar),
    ("msctls_hotkey32", HotKey), ("thotkey", HotKey),
    ("sysipaddress32", IpAddress), ("syslink", Link),
    ("tooltips_class32", ToolTip),
    ("combolbox", DropList), ("combobox", ComboBox),
    ("listbox", ListBox),
    ("scrollbar", ScrollBar),
    ("tcheckbox", CheckBox), ("tradiobutton", RadioButton), ("tgroupbox", GroupBox),
    ("checkbox", CheckBox), ("optionbutton", RadioButton), ("textbox", Edit),
    ("tbitbtn", Button), ("tmemo", Edit), ("richedit", RichEdit), ("scintilla", CodeEdit), ("edit", Edit),
    ("static", Label), ("tlabel", Label), ("button", Button),
];

impl Control {
    /// The control that a window of exactly this class is; [`Other`] without a row. For code that sends
    /// messages, which must not mistake one control for another.
    pub fn of_class(class: &str) -> Self {
        Class::find(class).map_or(Other, |class| class.control)
    }

    /// The same for a class that may be derived from one in the table and says so in its name, such as
    /// `AcmeListBox`. For code that describes windows.
    pub fn guess(class: &str) -> Self {
        Class::find(class).map_or_else(|| Self::by_words(class), |class| class.control)
    }

    fn by_words(class: &str) -> Self {
        first_word(class, WORDS).unwrap_or(Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_classes_are_recognised_by_their_words() {
        for (class, control) in [
            ("AfxControlBar140u", ToolBar),
            ("AcmeListBox", ListBox),
            ("TTntEdit.UnicodeClass", Edit),
            ("REGEDIT", Other),
            ("EditorFrame", Other),
            ("Statistics", Other),
            ("GalleryCanvas", Other),
        ] {
            assert_eq!((Control::guess(class), Control::of_class(class)), (control, Other), "{class}");
        }
    }

    /// A class and a class derived from it are the same to their user.
    #[test]
    fn words_and_rows_agree() {
        for class in crate::CLASSES {
            let by_words = Control::by_words(class.name);
            let is_same = by_words.name() == class.control.name() || by_words == Other;
            assert!(is_same, "{}: {:?} by its row, {by_words:?} by its words", class.name, class.control);
        }
    }
}
