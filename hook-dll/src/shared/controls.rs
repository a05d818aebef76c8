//! What kind of control a window is, and how it is asked without the host noticing.
//!
//! A control is asked by calling the window procedure of its class directly, on its own thread: no message is
//! sent, so no hook and no subclass procedure of the host runs. That is only done where the procedure is the
//! system's own, which the recorder's thread finds out by the modules of the process. A class of a toolkit
//! that was made from the system's (WinForms, Delphi, Visual Basic) is asked by the system's procedure. Where
//! two versions of the common controls are loaded, that is the one which the name of the system's class means
//! while the first control of the class is born: a toolkit that wants another version than the program's has
//! to say so then, too. Of a class whose first birth was not seen it cannot be known.
#![expect(unsafe_code, reason = "calls window procedures of the system")]

use crate::system::guarded::{self, Procedure};
use crate::system::win32::{self, Window};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use windows::core::{PCWSTR, w};

/// A control of the system, or made from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Button,
    Edit,
    RichEdit,
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
    StatusBar,
    Link,
    Other,
}

use Kind::{
    Button, ComboBox, ComboBoxEx, Edit, Header, Link, ListBox, ListView, Other, RichEdit, ScrollBar,
    StatusBar, Tab, ToolBar, TrackBar, TreeView,
};

/// The system's classes, in lower case.
const NATIVE: &[(&str, Kind, PCWSTR)] = &[
    ("button", Button, w!("Button")),
    ("edit", Edit, w!("Edit")),
    ("listbox", ListBox, w!("ListBox")),
    ("combolbox", ListBox, w!("ComboLBox")),
    ("combobox", ComboBox, w!("ComboBox")),
    ("comboboxex32", ComboBoxEx, w!("ComboBoxEx32")),
    ("scrollbar", ScrollBar, w!("ScrollBar")),
    ("syslistview32", ListView, w!("SysListView32")),
    ("systreeview32", TreeView, w!("SysTreeView32")),
    ("systabcontrol32", Tab, w!("SysTabControl32")),
    ("sysheader32", Header, w!("SysHeader32")),
    ("toolbarwindow32", ToolBar, w!("ToolbarWindow32")),
    ("msctls_trackbar32", TrackBar, w!("msctls_trackbar32")),
    ("msctls_statusbar32", StatusBar, w!("msctls_statusbar32")),
    ("syslink", Link, w!("SysLink")),
    ("richedit20w", RichEdit, w!("RichEdit20W")),
    ("richedit20a", RichEdit, w!("RichEdit20A")),
    ("richedit50w", RichEdit, w!("RICHEDIT50W")),
    ("richedit", RichEdit, w!("RichEdit")),
];

/// Classes of Delphi, Lazarus, wxWidgets and Visual Basic, and the system's they are made from.
const TOOLKITS: &[(&str, &str)] = &[
    ("tbutton", "button"),
    ("tbitbtn", "button"),
    ("tcheckbox", "button"),
    ("tradiobutton", "button"),
    ("tdbcheckbox", "button"),
    ("tedit", "edit"),
    ("tmaskedit", "edit"),
    ("tlabelededit", "edit"),
    ("tmemo", "edit"),
    ("tdbedit", "edit"),
    ("tdbmemo", "edit"),
    ("tlistbox", "listbox"),
    ("tchecklistbox", "listbox"),
    ("tdblistbox", "listbox"),
    ("tcombobox", "combobox"),
    ("tdbcombobox", "combobox"),
    ("tscrollbar", "scrollbar"),
    ("tlistview", "syslistview32"),
    ("ttreeview", "systreeview32"),
    ("ttabcontrol", "systabcontrol32"),
    ("tpagecontrol", "systabcontrol32"),
    ("theadercontrol", "sysheader32"),
    ("ttoolbar", "toolbarwindow32"),
    ("ttrackbar", "msctls_trackbar32"),
    ("trichedit", "richedit20w"),
    ("_wx_systabctl32", "systabcontrol32"),
    ("lcllistbox", "listbox"),
    ("lclchecklistbox", "listbox"),
    ("lclcombobox", "combobox"),
    ("thunderrt6commandbutton", "button"),
    ("thunderrt6checkbox", "button"),
    ("thunderrt6optionbutton", "button"),
    ("thunderrt6textbox", "edit"),
    ("thunderrt6listbox", "listbox"),
    ("thunderrt6combobox", "combobox"),
];

/// The system's class that a class is or was made from, as an index into [`NATIVE`], and whether it is
/// that class itself.
fn base_class(class: &[u16]) -> Option<(usize, bool)> {
    let native = |name: &[u16]| NATIVE.iter().position(|&(native, ..)| is_name(name, native));
    if let Some(index) = native(class) {
        return Some((index, true));
    }
    // WindowsForms10.SysListView32.app.0.141b42a_r6_ad1
    let mut parts = class.split(|&unit| unit == u16::from(b'.'));
    if parts.next().is_some_and(|first| first.len() > 12 && is_name(&first[..12], "windowsforms")) {
        return parts.next().and_then(native).map(|index| (index, false));
    }
    let (_, base) = TOOLKITS.iter().find(|&&(made, _)| is_name(class, made))?;
    NATIVE.iter().position(|(native, ..)| native == base).map(|index| (index, false))
}

/// The same for a window, of whose class the system may know more than its name tells.
#[inline(never)]
fn base_of(window: Window) -> Option<(usize, bool)> {
    let mut buffer = [0; 256];
    if let Some(base) = base_class(window.class(&mut buffer)) {
        return Some(base);
    }
    let real = window.real_class(&mut buffer);
    NATIVE.iter().position(|&(native, ..)| is_name(real, native)).map(|index| (index, false))
}

/// Compares with an ASCII text in lower case.
pub(crate) fn is_name(units: &[u16], lower: &str) -> bool {
    let fold = |unit: u16| if (0x41..=0x5A).contains(&unit) { unit + 32 } else { unit };
    units.len() == lower.len()
        && units.iter().zip(lower.bytes()).all(|(&unit, byte)| fold(unit) == u16::from(byte))
}

/// The kind of control a class stands for.
pub(crate) fn kind_of(class: &[u16]) -> Kind {
    base_class(class).map_or(Other, |(index, _)| NATIVE[index].1)
}

/// The kind of control a window is.
pub(crate) fn kind_of_window(window: Window) -> Kind {
    base_of(window).map_or(Other, |(index, _)| NATIVE[index].1)
}

/// Whether a window is an edit, plain or rich.
pub(crate) fn is_edit(window: Window) -> bool {
    matches!(kind_of_window(window), Edit | RichEdit)
}

/// A control of the calling thread that can be asked.
#[derive(Clone, Copy)]
pub(crate) struct Control {
    pub(crate) window: Window,
    pub(crate) kind: Kind,
    procedure: Procedure,
    /// Whether its texts are UTF-16.
    pub(crate) wide: bool,
}

impl Control {
    /// The control a window is, if it is one of the calling thread's and the system's own procedure
    /// for it is known.
    pub(crate) fn of(hwnd: usize) -> Option<Self> {
        let window = Window(hwnd);
        let (thread, _) = window.thread_and_process();
        if thread == 0 || thread != win32::current_thread_id() {
            return None;
        }
        let (index, is_native) = base_of(window)?;
        let (_, kind, name) = NATIVE[index];
        let (wide, narrow) = window.class_procedures();
        if is_native {
            // The class of an ANSI library shows its true procedure only to those who ask as ANSI.
            let (procedure, wide) = if is_system(wide) { (wide, true) } else { (narrow, false) };
            let is_system = is_system(procedure);
            if !is_system {
                UNKNOWN.store(true, Ordering::Release);
            }
            return is_system.then_some(Self { window, kind, procedure, wide });
        }
        let procedure = made_from(window, index).or_else(|| {
            let (procedure, extra) = win32::class_by_name(name)?;
            let is_known = COMMON_CONTROLS.load(Ordering::Acquire) <= 1;
            (is_known && window.class_extra() >= extra).then_some(procedure)
        })?;
        is_system(procedure).then_some(Self { window, kind, procedure, wide: true })
    }

    /// What the control answers to a message; 0 when it cannot.
    pub(crate) fn ask(&self, message: u32, wparam: usize, lparam: isize) -> isize {
        let args = [self.window.0, message as usize, wparam, lparam.cast_unsigned()];
        // SAFETY: `of` made sure of the procedure and of the thread.
        unsafe { guarded::call_procedure(self.procedure, args) }.unwrap_or(0)
    }

    /// The same with a structure that the control fills in.
    pub(crate) fn ask_with<T>(&self, message: u32, wparam: usize, structure: &mut T) -> isize {
        self.ask(message, wparam, std::ptr::from_mut(structure).expose_provenance().cast_signed())
    }

    pub(crate) fn style(&self) -> u32 {
        self.window.style()
    }
}

const MAX_MODULES: usize = 16;
/// First address and end of each module that controls live in.
static MODULES: [(AtomicUsize, AtomicUsize); MAX_MODULES] =
    [const { (AtomicUsize::new(0), AtomicUsize::new(0)) }; MAX_MODULES];
/// How many versions of the common controls are loaded.
static COMMON_CONTROLS: AtomicUsize = AtomicUsize::new(0);
/// A control was met whose module is not known: perhaps one that was loaded since.
static UNKNOWN: AtomicBool = AtomicBool::new(true);

const MAX_MADE: usize = 64;
/// Classes that toolkits made: which class from which of the system's, and the procedure of that one.
static MADE: [(AtomicUsize, AtomicUsize); MAX_MADE] =
    [const { (AtomicUsize::new(0), AtomicUsize::new(0)) }; MAX_MADE];

/// A class of the program and the one it was made from, as one number.
fn made_key(window: Window, index: usize) -> usize {
    usize::from(window.class_atom()) | (index + 1) << 16
}

/// The procedure of the class that the window's was made from, if its first control was seen to be born.
fn made_from(window: Window, index: usize) -> Option<usize> {
    let key = made_key(window, index);
    let found = MADE.iter().find(|(made, _)| made.load(Ordering::Acquire) == key)?;
    Some(found.1.load(Ordering::Acquire)).filter(|&procedure| procedure != 0)
}

/// The first control of a class is born on the calling thread, right now.
pub(crate) fn born(hwnd: usize, class: &[u16]) {
    let window = Window(hwnd);
    let Some((index, false)) = base_class(class) else { return };
    if made_from(window, index).is_some() {
        return;
    }
    let Some((procedure, extra)) = win32::class_by_name(NATIVE[index].2) else { return };
    if window.class_extra() < extra {
        return;
    }
    let key = made_key(window, index);
    let is_free =
        |made: &AtomicUsize| made.compare_exchange(0, key, Ordering::AcqRel, Ordering::Acquire).is_ok();
    if let Some((_, slot)) = MADE.iter().find(|(made, _)| is_free(made)) {
        slot.store(procedure, Ordering::Release);
    }
}

/// A control was born: its library may be a new one, and the user must not have to tell us by the first thing
/// he does to it. For the recorder's thread.
pub(crate) fn expect(hwnd: usize, class: &[u16]) {
    let is_known = match base_class(class) {
        None => true,
        Some((_, true)) => match Window(hwnd).class_procedures() {
            // It is gone already.
            (0, 0) => true,
            (wide, narrow) => is_system(wide) || is_system(narrow),
        },
        Some((index, false)) => win32::class_by_name(NATIVE[index].2).is_none_or(|(wide, _)| is_system(wide)),
    };
    if !is_known {
        UNKNOWN.store(true, Ordering::Release);
    }
}

/// Looks where the system's controls are, if there is a reason to; for the recorder's thread.
pub(crate) fn find_modules() {
    if !UNKNOWN.swap(false, Ordering::AcqRel) {
        return;
    }
    const NAMES: [&str; 5] = ["user32.dll", "comctl32.dll", "riched20.dll", "riched32.dll", "msftedit.dll"];
    let modules = win32::modules();
    let ours = modules.iter().filter(|(name, ..)| NAMES.contains(&name.as_str()));
    COMMON_CONTROLS.store(ours.clone().filter(|(name, ..)| name == NAMES[1]).count(), Ordering::Release);
    let mut ranges = ours.map(|&(_, start, size)| (start, start + size));
    for (start, end) in &MODULES {
        let (from, to) = ranges.next().unwrap_or_default();
        if (start.load(Ordering::Acquire), end.load(Ordering::Acquire)) != (from, to) {
            // Empty while it changes.
            end.store(0, Ordering::Release);
            start.store(from, Ordering::Release);
            end.store(to, Ordering::Release);
        }
    }
}

fn is_system(address: usize) -> bool {
    let within = |(start, end): &(AtomicUsize, AtomicUsize)| {
        address >= start.load(Ordering::Acquire) && address < end.load(Ordering::Acquire)
    };
    address != 0 && MODULES.iter().any(within)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_every_toolkit_are_known() {
        let kind = |name: &str| kind_of(&name.encode_utf16().collect::<Vec<_>>());
        assert_eq!(kind("SysListView32"), ListView);
        assert_eq!(kind("Edit"), Edit);
        assert_eq!(kind("RICHEDIT50W"), RichEdit);
        assert_eq!(kind("WindowsForms10.SysTreeView32.app.0.141b42a_r6_ad1"), TreeView);
        assert_eq!(kind("WindowsForms10.COMBOBOX.app.0.1"), ComboBox);
        assert_eq!(kind("TListBox"), ListBox);
        assert_eq!(kind("LCLComboBox"), ComboBox);
        assert_eq!(kind("ComboLBox"), ListBox);
        assert_eq!(kind("TDBMemo"), Edit);
        assert_eq!(kind("ThunderRT6TextBox"), Edit);
        for other in ["", "MyListBox", "WindowsForms10.Window.8.app.0.1", "WindowsForms10", "edits", "TForm1"]
        {
            assert_eq!(kind(other), Other, "{other}");
        }
        assert!(TOOLKITS.iter().all(|(_, base)| NATIVE.iter().any(|(native, ..)| native == base)));
    }
}
