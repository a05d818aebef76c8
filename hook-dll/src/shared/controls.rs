//! Which control a window is, and how the recorder queries it without the host noticing.
//!
//! The recorder queries a control by calling the window procedure of its class directly, on its own thread:
//! no message is sent, so no hook and no subclass procedure of the host runs. It calls only procedures that
//! belong to Windows, which the recorder thread recognises by the modules they lie in.
//!
//! A class that a toolkit derived from one of Windows (WinForms, Delphi, Visual Basic) is queried by the
//! procedure of the latter. If two versions of the common controls are loaded, that is the procedure which
//! the name of the Windows class means while the first control of the derived class is created: a toolkit
//! that wants another version than the program's activates it for this moment. For a class whose first
//! control the recorder did not see, it is unknown.
#![expect(unsafe_code, reason = "calls window procedures of Windows")]

use crate::system::guarded::plain_data::PlainData;
use crate::system::guarded::{self, Procedure};
use crate::system::modules;
use crate::system::threads;
use crate::system::window::{self, Window};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use win32_vocabulary::{Class, Control};
use windows::core::PCWSTR;

/// Whether the recorder queries a control of this kind.
const fn is_queried(control: Control) -> bool {
    use Control::*;
    match control {
        Button | CheckBox | RadioButton | Edit | RichEdit | ListBox | DropList | ComboBox | ComboBoxEx
        | ScrollBar | ListView | TreeView | Tab | Header | ToolBar | TrackBar | StatusBar | Link => true,
        GroupBox | CodeEdit | Label | Rebar | ProgressBar | UpDown | DatePicker | Calendar | HotKey
        | IpAddress | Menu | ToolTip | InputMethod | SystemPopup | Dialog | MdiClient | Other => false,
    }
}

/// The class of Windows that a class is or derives from, and whether it is that class itself; none if the
/// recorder does not query such controls.
fn base_class(class: &[u16]) -> Option<(&'static Class, bool)> {
    let found = Class::find(class)?;
    let base = found.base().filter(|base| is_queried(base.control))?;
    Some((base, class.len() == base.name.len() && found.index() == base.index()))
}

/// The same for a window. Windows may know more of its class than the name says.
#[inline(never)]
fn base_of(window: Window) -> Option<(&'static Class, bool)> {
    let mut buffer = [0; 256];
    if let Some(base) = base_class(window.class(&mut buffer)) {
        return Some(base);
    }
    base_class(window.real_class(&mut buffer))
        .filter(|&(_, is_native)| is_native)
        .map(|(base, _)| (base, false))
}

/// The control that a class stands for, as far as the recorder queries it.
pub(crate) fn control_of_class(class: &[u16]) -> Control {
    base_class(class).map_or(Control::Other, |(base, _)| base.control)
}

/// The control that a window is, as far as the recorder queries it.
pub(crate) fn control_of(window: Window) -> Control {
    base_of(window).map_or(Control::Other, |(base, _)| base.control)
}

/// Whether a window is an edit, plain or rich.
pub(crate) fn is_edit(window: Window) -> bool {
    control_of(window).takes_edit_messages()
}

/// A control of the calling thread that can be queried.
#[derive(Clone, Copy)]
pub(crate) struct QueryableControl {
    pub(crate) window: Window,
    pub(crate) control: Control,
    procedure: Procedure,
    /// Whether its texts are UTF-16.
    pub(crate) wide: bool,
}

impl QueryableControl {
    /// The control that a window is, if the window belongs to the calling thread and Windows' own procedure
    /// for it is known.
    pub(crate) fn of(hwnd: usize) -> Option<Self> {
        let window = Window(hwnd);
        let (thread, _) = window.thread_and_process();
        if thread == 0 || thread != threads::current_thread_id() {
            return None;
        }
        let (base, is_native) = base_of(window)?;
        let control = base.control;
        let (wide, narrow) = window.class_procedures();
        if is_native {
            // The class of an ANSI library shows its true procedure to ANSI code only.
            let (procedure, wide) = if is_system(wide) { (wide, true) } else { (narrow, false) };
            let is_system = is_system(procedure);
            if !is_system {
                HAS_UNKNOWN_MODULE.store(true, Ordering::Release);
            }
            return is_system.then_some(Self { window, control, procedure, wide });
        }
        let procedure = derived_procedure(window, base).or_else(|| {
            let (procedure, extra) = window::class_by_name(PCWSTR(base.wide.as_ptr()))?;
            let is_unambiguous = COMMON_CONTROLS.load(Ordering::Acquire) <= 1;
            (is_unambiguous && window.class_extra() >= extra).then_some(procedure)
        })?;
        is_system(procedure).then_some(Self { window, control, procedure, wide: true })
    }

    /// What the control answers to a message without pointers; 0 when it cannot.
    pub(crate) fn query(&self, message: u32, wparam: usize, lparam: isize) -> isize {
        let args = [self.window.0, message as usize, wparam, lparam.cast_unsigned()];
        // SAFETY: `of` made sure that the procedure is Windows' own for this class and that the calling
        // thread owns the window. A message that the control writes to memory for gets its address from
        // `query_with` or `query_text`, which borrow that memory.
        unsafe { guarded::call_procedure(self.procedure, args) }.unwrap_or(0)
    }

    /// The same for a message with a structure that the control fills in.
    pub(crate) fn query_with<T: PlainData>(&self, message: u32, wparam: usize, structure: &mut T) -> isize {
        self.query(message, wparam, std::ptr::from_mut(structure).expose_provenance().cast_signed())
    }

    /// The same for a message with a buffer that the control writes a text to. The caller makes sure that it
    /// is long enough. Returns the number of units written.
    pub(crate) fn query_text(&self, message: u32, wparam: usize, text: &mut [u16]) -> usize {
        let to = text.as_mut_ptr().expose_provenance().cast_signed();
        usize::try_from(self.query(message, wparam, to)).unwrap_or(0).min(text.len())
    }

    pub(crate) fn style(&self) -> u32 {
        self.window.style()
    }
}

const MAX_MODULES: usize = 16;
/// First address and end of each module that contains controls.
static MODULES: [(AtomicUsize, AtomicUsize); MAX_MODULES] =
    [const { (AtomicUsize::new(0), AtomicUsize::new(0)) }; MAX_MODULES];
/// How many versions of the common controls are loaded.
static COMMON_CONTROLS: AtomicUsize = AtomicUsize::new(0);
/// Whether a control was found whose module is not known: perhaps it was loaded since.
static HAS_UNKNOWN_MODULE: AtomicBool = AtomicBool::new(true);

const MAX_DERIVED: usize = 64;
/// Classes that toolkits derived: the key of class and base, and the procedure of the base.
static DERIVED: [(AtomicUsize, AtomicUsize); MAX_DERIVED] =
    [const { (AtomicUsize::new(0), AtomicUsize::new(0)) }; MAX_DERIVED];

/// The class of a window and the one it derives from, as one number.
fn derived_key(window: Window, base: &Class) -> usize {
    usize::from(window.class_atom()) | (base.index() + 1) << 16
}

/// The procedure of the class that the window's class derives from, if `on_created` saw its first control.
fn derived_procedure(window: Window, base: &Class) -> Option<usize> {
    let key = derived_key(window, base);
    let found = DERIVED.iter().find(|(derived, _)| derived.load(Ordering::Acquire) == key)?;
    Some(found.1.load(Ordering::Acquire)).filter(|&procedure| procedure != 0)
}

/// Called on the thread that creates a control of a class for the first time.
pub(crate) fn on_created(hwnd: usize, class: &[u16]) {
    let window = Window(hwnd);
    let Some((base, false)) = base_class(class) else { return };
    if derived_procedure(window, base).is_some() {
        return;
    }
    let Some((procedure, extra)) = window::class_by_name(PCWSTR(base.wide.as_ptr())) else { return };
    if window.class_extra() < extra {
        return;
    }
    let key = derived_key(window, base);
    let is_free =
        |derived: &AtomicUsize| derived.compare_exchange(0, key, Ordering::AcqRel, Ordering::Acquire).is_ok();
    if let Some((_, slot)) = DERIVED.iter().find(|(derived, _)| is_free(derived)) {
        slot.store(procedure, Ordering::Release);
    }
}

/// Checks whether a new control lies in a module that is not known yet, so that the module is known before
/// the user first uses the control. For the recorder thread.
pub(crate) fn expect_module_of(hwnd: usize, class: &[u16]) {
    let is_known = match base_class(class) {
        None => true,
        Some((_, true)) => match Window(hwnd).class_procedures() {
            // The window does not exist any more.
            (0, 0) => true,
            (wide, narrow) => is_system(wide) || is_system(narrow),
        },
        Some((base, false)) => {
            let known = window::class_by_name(PCWSTR(base.wide.as_ptr()));
            known.is_none_or(|(wide, _)| is_system(wide))
        }
    };
    if !is_known {
        HAS_UNKNOWN_MODULE.store(true, Ordering::Release);
    }
}

/// Finds the modules that contain the controls of Windows, if there is a reason to. For the recorder thread.
pub(crate) fn find_modules() {
    if !HAS_UNKNOWN_MODULE.swap(false, Ordering::AcqRel) {
        return;
    }
    const NAMES: [&str; 5] = ["user32.dll", "comctl32.dll", "riched20.dll", "riched32.dll", "msftedit.dll"];
    let modules = modules::modules();
    let ours = modules.iter().filter(|(name, ..)| NAMES.contains(&name.as_str()));
    COMMON_CONTROLS.store(ours.clone().filter(|(name, ..)| name == NAMES[1]).count(), Ordering::Release);
    let mut ranges = ours.map(|&(_, start, size)| (start, start + size));
    for (start, end) in &MODULES {
        let (from, to) = ranges.next().unwrap_or_default();
        if (start.load(Ordering::Acquire), end.load(Ordering::Acquire)) != (from, to) {
            // The range is empty while it changes.
            end.store(0, Ordering::Release);
            start.store(from, Ordering::Release);
            end.store(to, Ordering::Release);
        }
    }
}

fn is_system(address: usize) -> bool {
    let contains = |(start, end): &(AtomicUsize, AtomicUsize)| {
        address >= start.load(Ordering::Acquire) && address < end.load(Ordering::Acquire)
    };
    address != 0 && MODULES.iter().any(contains)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(name: &str) -> Option<(&'static str, bool)> {
        let (base, is_native) = base_class(&name.encode_utf16().collect::<Vec<_>>())?;
        Some((base.name, is_native))
    }

    #[test]
    fn classes_of_every_toolkit_are_known() {
        for (class, expected) in [
            ("SysListView32", ("SysListView32", true)),
            ("EDIT", ("Edit", true)),
            ("RICHEDIT50W", ("RICHEDIT50W", true)),
            ("WindowsForms10.SysTreeView32.app.0.141b42a_r6_ad1", ("SysTreeView32", false)),
            ("WindowsForms10.COMBOBOX.app.0.1", ("ComboBox", false)),
            ("TListBox", ("ListBox", false)),
            ("LCLComboBox", ("ComboBox", false)),
            ("ComboLBox", ("ComboLBox", true)),
            ("TDBMemo", ("Edit", false)),
            ("TCheckBox", ("Button", false)),
            ("ThunderRT6TextBox", ("Edit", false)),
        ] {
            assert_eq!(base(class), Some(expected), "{class}");
        }
        for other in ["", "MyListBox", "WindowsForms10.Window.8.app.0.1", "WindowsForms10", "edits", "TForm1"]
        {
            assert_eq!(base(other), None, "{other}");
        }
    }

    /// A class of Windows that is queried is one whose window procedure the recorder calls: each is a
    /// decision.
    #[test]
    fn the_classes_of_windows_that_are_queried() {
        let is_native = |name: &&str| base(name).is_some_and(|(_, is_native)| is_native);
        let names = win32_vocabulary::CLASSES.iter().map(|class| class.name);
        let expected = "Button Edit ListBox ComboLBox ComboBox ComboBoxEx32 ScrollBar SysListView32 \
            SysTreeView32 SysTabControl32 SysHeader32 ToolbarWindow32 msctls_statusbar32 msctls_trackbar32 \
            SysLink RichEdit RichEdit20A RichEdit20W RICHEDIT50W";
        assert_eq!(names.filter(is_native).collect::<Vec<_>>().join(" "), expected);
    }

    /// The procedures of these classes may lie in modules other than those of the controls.
    #[test]
    fn classes_that_are_never_queried_have_no_base() {
        for class in ["Static", "IME", "#32770", "msctls_updown32", "TUpDown", "Scintilla", "TGroupBox"] {
            assert_eq!(base(class), None, "{class}");
        }
    }
}
