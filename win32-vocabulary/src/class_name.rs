//! What the spelling of a class name says: the part that stays from run to run, the words it is made of, the
//! toolkit, and whether it may be an edit.
//!
//! Windows does not distinguish upper and lower case in class names. Names are compared as ASCII; other
//! characters are equal only to themselves.

use crate::toolkit::Toolkit;

/// A class name: UTF-8 as logs have it, or UTF-16 as Windows has it.
pub trait ClassName {
    /// The number of its units.
    fn count(&self) -> usize;

    /// A unit; anything that is not ASCII may be any value from 0x80 up.
    fn unit(&self, index: usize) -> u16;

    /// Whether it is this name, which is ASCII.
    fn is_name(&self, name: &str) -> bool {
        self.count() == name.len() && has_at(self, 0, name)
    }

    /// Whether it begins with these characters, which are ASCII.
    fn has_prefix(&self, prefix: &str) -> bool {
        self.count() >= prefix.len() && has_at(self, 0, prefix)
    }

    /// Whether these characters, which are ASCII, are anywhere in it.
    fn has_part(&self, part: &str) -> bool {
        let places = (self.count() + 1).saturating_sub(part.len());
        (0..places).any(|at| has_at(self, at, part))
    }
}

impl ClassName for str {
    fn count(&self) -> usize {
        self.len()
    }

    fn unit(&self, index: usize) -> u16 {
        u16::from(self.as_bytes()[index])
    }
}

impl ClassName for [u16] {
    fn count(&self) -> usize {
        self.len()
    }

    fn unit(&self, index: usize) -> u16 {
        self[index]
    }
}

/// A unit in lower case.
pub(crate) fn fold(unit: u16) -> u16 {
    if (0x41..=0x5A).contains(&unit) { unit | 0x20 } else { unit }
}

fn has_at<N: ClassName + ?Sized>(name: &N, at: usize, part: &str) -> bool {
    part.bytes().enumerate().all(|(i, byte)| fold(name.unit(at + i)) == fold(u16::from(byte)))
}

/// Prefixes that toolkits give to their classes. A class with a *shared* prefix says nothing about which
/// window it is: the toolkit gives it to windows of every kind.
#[rustfmt::skip]
const PREFIXES: &[(&str, Toolkit, bool)] = &[
    ("#", Toolkit::Windows, true),
    ("Afx:", Toolkit::Mfc, true), ("Afx", Toolkit::Mfc, false), ("ATL:", Toolkit::Atl, true),
    ("gdkWindow", Toolkit::Gtk, true), ("HwndWrapper", Toolkit::Wpf, true), ("LCL", Toolkit::Lazarus, false),
    ("Qt", Toolkit::Qt, true), ("SunAwt", Toolkit::Java, true), ("Thunder", Toolkit::VisualBasic, true),
    ("TkTopLevel", Toolkit::Tk, true), ("WindowsForms", Toolkit::WindowsForms, true),
    ("wxWindow", Toolkit::WxWidgets, true), ("_wx_", Toolkit::WxWidgets, false),
];

/// The toolkit that a name without a row in the table belongs to.
pub(crate) fn toolkit(class: &str) -> Toolkit {
    let prefix = PREFIXES.iter().find(|(prefix, ..)| class.has_prefix(prefix));
    prefix.map_or(Toolkit::Unknown, |&(_, toolkit, _)| toolkit)
}

/// Whether a toolkit or Windows gives the class to windows of every kind, so that it does not identify a
/// window.
pub fn is_shared(class: &str) -> bool {
    PREFIXES.iter().any(|&(prefix, _, is_shared)| is_shared && class.has_prefix(prefix))
}

/// The part of a class name that stays from run to run: `Afx:00400000:b:…` → `Afx:`, `ATL:00DD3E20` → `ATL:`,
/// `HwndWrapper[App;;guid]` → `HwndWrapper`, and `WindowsForms10.Window.808.app.0.141b42a_r6_ad1` →
/// `WindowsForms10.Window.808`.
pub fn stable_part(class: &str) -> &str {
    for prefix in ["Afx:", "ATL:", "HwndWrapper"] {
        if class.has_prefix(prefix) {
            return &class[..prefix.len()];
        }
    }
    if class.has_prefix("WindowsForms") {
        // The toolkit, the control and its class style: a form, a menu and a hidden window differ in the last
        // alone.
        const END: &str = ".app.";
        let end = (0..class.len().saturating_sub(END.len() - 1)).find(|&at| has_at(class, at, END));
        return &class[..end.unwrap_or(class.len())];
    }
    class
}

/// The class that a WinForms class was made from: `EDIT` of `WindowsForms10.EDIT.app.0.141b42a_r6_ad1`, as a
/// range.
pub(crate) fn windows_forms_base<N: ClassName + ?Sized>(class: &N) -> Option<(usize, usize)> {
    const PREFIX: &str = "windowsforms";
    if !class.has_prefix(PREFIX) {
        return None;
    }
    let is_dot = |&at: &usize| class.unit(at) == u16::from(b'.');
    let start = (PREFIX.len()..class.count()).find(is_dot)? + 1;
    let end = (start..class.count()).find(is_dot).unwrap_or(class.count());
    Some((start, end))
}

/// Whether a class name has a word, which is given in lower case: `TDBEdit`, `WindowsForms10.EDIT.app.0.1`
/// and `RichEdit20W` have "edit", `REGEDIT` and `EditorFrame` have not.
pub fn has_word(class: &str, word: &str) -> bool {
    first_word(class, &[(word, ())]).is_some()
}

/// What belongs to the first of these words that a class name has.
pub(crate) fn first_word<T: Copy>(class: &str, words: &[(&str, T)]) -> Option<T> {
    let class = stable_part(class).as_bytes();
    let at = |index: usize| class.get(index).copied().unwrap_or(0);
    let begins = |start: usize| {
        let before = start.checked_sub(1).map_or(0, at);
        let is_hump = at(start).is_ascii_uppercase()
            && (before.is_ascii_lowercase() || at(start + 1).is_ascii_lowercase());
        !before.is_ascii_alphabetic() || is_hump
    };
    let ends = |end: usize| {
        !at(end).is_ascii_lowercase() && (!at(end).is_ascii_uppercase() || !at(end - 1).is_ascii_uppercase())
    };
    // Few places begin a word; there, only words before the best so far are of interest.
    let mut words = words;
    let mut found = None;
    for start in (0..class.len()).filter(|&start| begins(start)) {
        let rest = &class[start..];
        let is_here = |&(word, _): &(&str, T)| {
            rest.get(..word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes()))
                && ends(start + word.len())
        };
        if let Some(at) = words.iter().position(is_here) {
            found = Some(words[at].1);
            words = &words[..at];
        }
    }
    found
}

/// Whether the class may be an edit, so that `ES_PASSWORD` may make its windows password fields. Includes
/// classes that are none: masking too much is better than recording a secret.
pub fn may_be_edit<N: ClassName + ?Sized>(class: &N) -> bool {
    ["edit", "text", "memo", "pass"].into_iter().any(|part| class.has_part(part))
}

/// Whether a window of this class may lie around an edit and show the same text: another edit, or a combo
/// box.
pub fn may_hold_edit<N: ClassName + ?Sized>(class: &N) -> bool {
    may_be_edit(class) || class.has_part("combo")
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    #[test]
    fn the_part_that_changes_from_run_to_run_is_removed() {
        for (class, stable) in [
            ("Afx:00400000:b:00010003:00000006:00000000", "Afx:"),
            ("AfxFrameOrView140u", "AfxFrameOrView140u"),
            ("ATL:00DD3E20", "ATL:"),
            ("HwndWrapper[App.exe;;5f6a]", "HwndWrapper"),
            ("WindowsForms10.EDIT.app.0.141b42a_r6_ad1", "WindowsForms10.EDIT"),
            ("windowsforms10.Window.8.APP.0.33c0d9d", "windowsforms10.Window.8"),
            ("WindowsForms10.Window", "WindowsForms10.Window"),
            ("ÄFX:1", "ÄFX:1"),
            ("", ""),
        ] {
            assert_eq!(stable_part(class), stable, "{class}");
        }
    }

    #[test]
    fn words_begin_and_end_where_a_reader_sees_it() {
        for class in
            ["Edit", "RICHEDIT_EDIT", "TEdit", "TDBEdit", "WindowsForms10.EDIT.app.0.1", "Edit2", "my-edit"]
        {
            assert!(has_word(class, "edit"), "{class}");
        }
        for class in ["REGEDIT", "EditorFrame", "Meditation", "ed", ""] {
            assert!(!has_word(class, "edit"), "{class}");
        }
    }

    #[test]
    fn a_class_that_may_hold_a_password_is_rather_taken_for_an_edit() {
        let may = |class: &str| {
            let wide: Vec<u16> = class.encode_utf16().collect();
            assert_eq!(may_be_edit(class), may_be_edit(wide.as_slice()), "{class}");
            may_be_edit(class)
        };
        for class in ["Edit", "RICHEDIT50W", "ThunderRT6TextBox", "TDBMemo", "AwtTextField", "PasswordBox"] {
            assert!(may(class), "{class}");
        }
        for class in ["Button", "Static", "SysTreeView32", "ed", ""] {
            assert!(!may(class), "{class}");
        }
        assert!(may_hold_edit("LCLComboBox") && may_hold_edit("Edit") && !may_hold_edit("#32770"));
    }

    #[test]
    fn shared_classes_do_not_identify_a_window() {
        for class in
            ["#32770", "afx:", "Qt5QWindowIcon", "SunAwtFrame", "WindowsForms10.Window.8", "ThunderRT6Form"]
        {
            assert!(is_shared(class), "{class}");
        }
        for class in ["InvoiceFrame", "AfxFrameOrView140u", "Button", "", "TForm1"] {
            assert!(!is_shared(class), "{class}");
        }
    }
}
