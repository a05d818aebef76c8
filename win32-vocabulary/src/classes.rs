//! The table of window classes: one row per class, with the control it is, the toolkit that defines it, and
//! the class of Windows that it was made from.

use crate::class_name::{self, ClassName, fold, windows_forms_base};
use crate::control::Control::{self, *};
use crate::toolkit::Toolkit::{self, Delphi, Lazarus, Scintilla, VisualBasic, Windows, WxWidgets};

impl Toolkit {
    /// The toolkit of a class: by its row, else by its prefix.
    pub fn of_class(class: &str) -> Self {
        match Class::find(class) {
            Some(_) if windows_forms_base(class).is_some() => Self::WindowsForms,
            Some(class) => class.toolkit,
            None => class_name::toolkit(class),
        }
    }
}

/// A row of the table.
#[derive(Debug)]
pub struct Class {
    /// As its toolkit spells it.
    pub name: &'static str,
    /// The same in UTF-16 with a zero at the end, for calls to Windows.
    pub wide: &'static [u16],
    /// Which control it is.
    pub control: Control,
    /// Who defines it.
    pub toolkit: Toolkit,
    /// The row itself.
    row: usize,
    /// The row of the class of Windows whose procedure handles its windows.
    base: Option<usize>,
}

impl Class {
    /// The row of a class: of exactly this name in any case, or of the class that a WinForms class was made
    /// from. Allocates nothing and takes some tens of nanoseconds; a callback may use it.
    pub fn find<N: ClassName + ?Sized>(class: &N) -> Option<&'static Self> {
        let (start, end) = windows_forms_base(class).unwrap_or((0, class.count()));
        let len = end - start;
        let rows = OF_LENGTH.get(len..len + 2)?;
        let mut name = [0; LONGEST];
        for (byte, at) in name.iter_mut().zip(start..end) {
            *byte = u8::try_from(fold(class.unit(at))).unwrap_or(0);
        }
        let row = SORTED[rows[0]..rows[1]].iter().find(|row| row.0[..len] == name[..len])?;
        Some(&CLASSES[row.1])
    }

    /// The class of Windows whose window procedure handles windows of this class: the class itself if Windows
    /// defines it; none if its toolkit draws the control itself.
    pub fn base(&self) -> Option<&'static Self> {
        self.base.map(|row| &CLASSES[row])
    }

    /// Its place in [`CLASSES`].
    pub const fn index(&self) -> usize {
        self.row
    }
}

/// Defines [`CLASSES`] and the names that `made from` refers to.
macro_rules! classes {
    ($($toolkit:ident: $($name:literal $control:ident $(from $base:literal)?),+;)+) => {
        const NAMES: &[&str] = &[$($($name),+),+];

        /// Every class that is known by its name.
        pub static CLASSES: &[Class] = &[$($(
            Class {
                name: $name,
                wide: &const { wide::<{ $name.len() + 1 }>($name) },
                control: $control,
                toolkit: $toolkit,
                row: const { row($name) },
                base: const { base($name, $toolkit, [$($base)?].as_slice()) },
            }
        ),+),+];
    };
}

classes! {
    Windows:
        "Button" Button,
        "Edit" Edit,
        "Static" Label,
        "ListBox" ListBox,
        "ComboLBox" DropList,
        "ComboBox" ComboBox,
        "ComboBoxEx32" ComboBoxEx,
        "ScrollBar" ScrollBar,
        "SysListView32" ListView,
        "SysTreeView32" TreeView,
        "SysTabControl32" Tab,
        "SysHeader32" Header,
        "ToolbarWindow32" ToolBar,
        "ReBarWindow32" Rebar,
        "msctls_statusbar32" StatusBar,
        "msctls_progress32" ProgressBar,
        "msctls_trackbar32" TrackBar,
        "msctls_updown32" UpDown,
        "SysDateTimePick32" DatePicker,
        "SysMonthCal32" Calendar,
        "msctls_hotkey32" HotKey,
        "SysIPAddress32" IpAddress,
        "SysLink" Link,
        "RichEdit" RichEdit,
        "RichEdit20A" RichEdit,
        "RichEdit20W" RichEdit,
        "RICHEDIT50W" RichEdit,
        "tooltips_class32" ToolTip,
        "#32768" Menu,
        "#32770" Dialog,
        "MDIClient" MdiClient,
        "IME" InputMethod,
        "MSCTFIME UI" InputMethod,
        "SysShadow" SystemPopup,
        "Auto-Suggest Dropdown" SystemPopup,
        "CLIPBRDWNDCLASS" SystemPopup;
    Delphi:
        "TButton" Button from "Button",
        "TBitBtn" Button from "Button",
        "TCheckBox" CheckBox from "Button",
        "TRadioButton" RadioButton from "Button",
        "TDBCheckBox" CheckBox from "Button",
        "TGroupBox" GroupBox,
        "TEdit" Edit from "Edit",
        "TMaskEdit" Edit from "Edit",
        "TLabeledEdit" Edit from "Edit",
        "TMemo" Edit from "Edit",
        "TDBEdit" Edit from "Edit",
        "TDBMemo" Edit from "Edit",
        "TRichEdit" RichEdit from "RichEdit20W",
        "TDBRichEdit" RichEdit from "RichEdit20W",
        "TListBox" ListBox from "ListBox",
        "TCheckListBox" ListBox from "ListBox",
        "TDBListBox" ListBox from "ListBox",
        "TComboBox" ComboBox from "ComboBox",
        "TDBComboBox" ComboBox from "ComboBox",
        "TScrollBar" ScrollBar from "ScrollBar",
        "TListView" ListView from "SysListView32",
        "TTreeView" TreeView from "SysTreeView32",
        "TTabControl" Tab from "SysTabControl32",
        "TPageControl" Tab from "SysTabControl32",
        "THeaderControl" Header from "SysHeader32",
        "TToolBar" ToolBar from "ToolbarWindow32",
        "TStatusBar" StatusBar from "msctls_statusbar32",
        "TProgressBar" ProgressBar from "msctls_progress32",
        "TTrackBar" TrackBar from "msctls_trackbar32",
        "TUpDown" UpDown from "msctls_updown32",
        "TDateTimePicker" DatePicker from "SysDateTimePick32",
        "TMonthCalendar" Calendar from "SysMonthCal32",
        "THotKey" HotKey from "msctls_hotkey32";
    Lazarus:
        "LCLListBox" ListBox from "ListBox",
        "LCLCheckListBox" ListBox from "ListBox",
        "LCLComboBox" ComboBox from "ComboBox";
    VisualBasic:
        "ThunderRT6CommandButton" Button from "Button",
        "ThunderRT6CheckBox" CheckBox from "Button",
        "ThunderRT6OptionButton" RadioButton from "Button",
        "ThunderRT6TextBox" Edit from "Edit",
        "ThunderRT6ListBox" ListBox from "ListBox",
        "ThunderRT6ComboBox" ComboBox from "ComboBox";
    WxWidgets:
        "_wx_SysTabCtl32" Tab from "SysTabControl32";
    Scintilla:
        "Scintilla" CodeEdit;
}

/// The length of the longest name.
const LONGEST: usize = {
    let (mut longest, mut row) = (0, 0);
    while row < NAMES.len() {
        if NAMES[row].len() > longest {
            longest = NAMES[row].len();
        }
        row += 1;
    }
    longest
};

/// The names in lower case and their rows, by length.
static SORTED: [([u8; LONGEST], usize); NAMES.len()] = {
    let mut sorted = [([0; LONGEST], 0); NAMES.len()];
    let (mut len, mut next) = (0, 0);
    while len <= LONGEST {
        let mut row = 0;
        while row < NAMES.len() {
            if NAMES[row].len() == len {
                let mut at = 0;
                while at < len {
                    sorted[next].0[at] = NAMES[row].as_bytes()[at].to_ascii_lowercase();
                    at += 1;
                }
                sorted[next].1 = row;
                next += 1;
            }
            row += 1;
        }
        len += 1;
    }
    sorted
};

/// Where in [`SORTED`] the names of each length begin.
static OF_LENGTH: [usize; LONGEST + 2] = {
    let mut first = [0; LONGEST + 2];
    let mut len = 0;
    while len <= LONGEST {
        let (mut count, mut row) = (0, 0);
        while row < NAMES.len() {
            count += (NAMES[row].len() == len) as usize;
            row += 1;
        }
        first[len + 1] = first[len] + count;
        len += 1;
    }
    first
};

/// ASCII in UTF-16 with a zero at the end.
const fn wide<const N: usize>(name: &str) -> [u16; N] {
    let mut units = [0; N];
    let mut at = 0;
    while at < name.len() {
        units[at] = name.as_bytes()[at] as u16;
        at += 1;
    }
    units
}

/// The row of the class that this one was made from; a class of Windows is its own.
const fn base(name: &str, toolkit: Toolkit, made_from: &[&str]) -> Option<usize> {
    match (toolkit, made_from) {
        (Windows, []) => Some(row(name)),
        (_, []) => None,
        (_, [base, ..]) => Some(row(base)),
    }
}

/// The row of a name.
const fn row(name: &str) -> usize {
    let mut row = 0;
    while !is_same(NAMES[row].as_bytes(), name.as_bytes()) {
        row += 1;
        assert!(row < NAMES.len(), "a class is made from one that has no row");
    }
    row
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    fn find(name: &str) -> Option<&'static Class> {
        let wide: Vec<u16> = name.encode_utf16().collect();
        let (narrow, wide) = (Class::find(name), Class::find(wide.as_slice()));
        assert_eq!(narrow.map(Class::index), wide.map(Class::index), "{name}");
        narrow
    }

    #[test]
    fn every_row_is_found_in_any_case() {
        for (row, class) in CLASSES.iter().enumerate() {
            for name in [class.name, &class.name.to_ascii_lowercase(), &class.name.to_ascii_uppercase()] {
                assert_eq!(find(name).map(Class::index), Some(row), "{name}");
            }
            let wide: Vec<u16> = class.name.encode_utf16().chain([0]).collect();
            assert_eq!(class.wide, wide);
            assert!(
                class.base().is_none_or(|base| base.toolkit == Windows && base.base == Some(base.index()))
            );
        }
    }

    #[test]
    fn a_windows_forms_class_is_the_one_it_was_made_from() {
        for (class, name) in [
            ("WindowsForms10.SysTreeView32.app.0.141b42a_r6_ad1", "SysTreeView32"),
            ("WindowsForms10.COMBOBOX.app.0.1", "ComboBox"),
            ("WindowsForms10.BUTTON", "Button"),
        ] {
            assert_eq!(find(class).map(|class| class.name), Some(name));
            assert_eq!(Toolkit::of_class(class), Toolkit::WindowsForms);
        }
    }

    #[test]
    fn only_whole_names_are_found() {
        let long = "x".repeat(300);
        for class in [
            "",
            "MyListBox",
            "edits",
            "Edi",
            "WindowsForms10.Window.8.app.0.1",
            "WindowsForms10",
            "Édit",
            &long,
        ] {
            assert!(find(class).is_none(), "{class}");
        }
        assert!(find("TForm1").is_none() && Class::find([0xFFFF; 4].as_slice()).is_none());
    }

    #[test]
    fn a_class_without_a_row_shows_its_toolkit_by_its_prefix() {
        for (class, toolkit) in [
            ("TEdit", Delphi),
            ("Button", Windows),
            ("HwndWrapper[App;;1]", Toolkit::Wpf),
            ("Qt5QWindowIcon", Toolkit::Qt),
            ("AfxFrameOrView140u", Toolkit::Mfc),
            ("InvoiceFrame", Toolkit::Unknown),
        ] {
            assert_eq!(Toolkit::of_class(class), toolkit, "{class}");
        }
    }
}
