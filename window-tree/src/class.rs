//! What a class name says: which part of it stays from run to run, which words it is made of, and whether the window keeps its own text.

use message_log::Text;
use std::borrow::Cow;

/// A class name without the parts that change from run to run:
/// `Afx:00400000:b:…` → `Afx:`, `ATL:00DD3E20` → `ATL:`, `HwndWrapper[App;;guid]` → `HwndWrapper`, and
/// `WindowsForms10.Window.808.app.0.141b42a_r6_ad1` → `WindowsForms10.Window.808`. Lower case, since Windows does not tell them apart.
pub fn normal_class(class: &Text) -> Cow<'_, str> {
    let class = class.to_string_lossy();
    let stable = stable_part(&class);
    match (class, stable) {
        (Cow::Borrowed(class), len) if !class[..len].bytes().any(|b| b.is_ascii_uppercase()) => {
            Cow::Borrowed(&class[..len])
        }
        (class, len) => Cow::Owned(class[..len].to_ascii_lowercase()),
    }
}

/// The same as the program spells it, for people to read.
pub fn stable_class(class: &Text) -> String {
    let class = class.to_string_lossy();
    class[..stable_part(&class)].to_owned()
}

/// How much of the name stays.
fn stable_part(class: &str) -> usize {
    let starts = |prefix: &str| class.get(..prefix.len()).is_some_and(|s| s.eq_ignore_ascii_case(prefix));
    for prefix in ["Afx:", "ATL:"] {
        if starts(prefix) {
            return prefix.len();
        }
    }
    if starts("HwndWrapper") {
        return "HwndWrapper".len();
    }
    if starts("WindowsForms") {
        // The toolkit, the control and its class style: a form, a menu and a hidden helper differ in the last alone.
        return class.to_ascii_lowercase().find(".app.").unwrap_or(class.len());
    }
    class.len()
}

/// Whether a class, as [`normal_class`] has it, is one that a toolkit or the system gives to windows of every kind, so that it says nothing about which one it is.
pub(crate) fn is_shared(class: &str) -> bool {
    const SHARED: [&str; 11] = [
        "#",
        "afx:",
        "atl:",
        "gdkwindow",
        "hwndwrapper",
        "qt",
        "sunawt",
        "thunder",
        "tktoplevel",
        "windowsforms",
        "wxwindow",
    ];
    SHARED.iter().any(|shared| class.starts_with(shared))
}

/// Whether windows of this class keep their own text, which the system does not know: edits and combo boxes of every toolkit.
pub fn keeps_own_text(class: &Text) -> bool {
    // A drop-down's list (ComboLBox) is a list; its text is the system's.
    ["edit", "richedit", "combobox"].iter().any(|word| has_word(class, word))
}

/// Whether a class name has a word, which is given in lower case: `TDBEdit`, `WindowsForms10.EDIT.app.0.1` and `RichEdit20W` have “edit”, `REGEDIT` and
/// `EditorFrame` have not.
pub fn has_word(class: &Text, word: &str) -> bool {
    let class = class.to_string_lossy();
    let class = &class.as_bytes()[..stable_part(&class)];
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
    let mut places = class.windows(word.len()).enumerate();
    places.any(|(start, part)| {
        part.eq_ignore_ascii_case(word.as_bytes()) && begins(start) && ends(start + word.len())
    })
}

/// Whether windows of this class take WM_SETTEXT for themselves: besides those above, status bars, whose first part it sets while the
/// system keeps the name they were made with.
pub(crate) fn takes_text(class: &Text) -> bool {
    keeps_own_text(class) || normal_class(class) == "msctls_statusbar32"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_from_run_to_run_is_removed() {
        let check = |class: &str, normal: &str| assert_eq!(normal_class(&class.into()), normal, "{class}");
        check("Afx:00400000:b:00010003:00000006:00000000", "afx:");
        check("Afx:RibbonBar:400000:8:10003", "afx:");
        check("AfxFrameOrView140u", "afxframeorview140u");
        check("ATL:00DD3E20", "atl:");
        check("HwndWrapper[App.exe;;5f6a]", "hwndwrapper");
        check("WindowsForms10.EDIT.app.0.141b42a_r6_ad1", "windowsforms10.edit");
        check("WindowsForms10.Window.8.app.0.33c0d9d", "windowsforms10.window.8");
        check("#32770", "#32770");
        check("Button", "button");
        check("", "");
        check("ÄFX:1", "Äfx:1");
    }

    #[test]
    fn edits_and_combos_of_every_toolkit_keep_their_text() {
        for class in [
            "Edit",
            "RICHEDIT50W",
            "TEdit",
            "TDBEdit",
            "LCLComboBox",
            "ComboBox",
            "ComboBoxEx32",
            "WindowsForms10.EDIT.app.0.1",
        ] {
            assert!(keeps_own_text(&class.into()), "{class}");
        }
        for class in
            ["Button", "Static", "ComboLBox", "SysListView32", "REGEDIT", "EditorFrame", "Meditation", ""]
        {
            assert!(!keeps_own_text(&class.into()), "{class}");
        }
    }
}
