//! What a class name says: which part of it stays from run to run, and whether the window keeps its own text.

use message_log::Text;
use std::borrow::Cow;

/// A class name without the parts that change from run to run:
/// `Afx:00400000:b:…` → `Afx:`, `ATL:00DD3E20` → `ATL:`, `HwndWrapper[App;;guid]` → `HwndWrapper`, and
/// `WindowsForms10.EDIT.app.0.141b42a_r6_ad1` → `WindowsForms10.EDIT`. Lower case, since Windows does not tell them apart.
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
        // The first two parts are the toolkit and the control: WindowsForms10.EDIT
        let mut dots = class.match_indices('.').map(|(at, _)| at);
        return dots.nth(1).unwrap_or(class.len());
    }
    class.len()
}

/// Whether windows of this class keep their own text, which the system does not know: edits and combo boxes of every toolkit.
pub fn keeps_own_text(class: &Text) -> bool {
    let class = normal_class(class);
    // A drop-down's list (ComboLBox) is a list; its text is the system's.
    class.contains("edit") || class.contains("combobox")
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
        check("WindowsForms10.Window.8.app.0.33c0d9d", "windowsforms10.window");
        check("#32770", "#32770");
        check("Button", "button");
        check("", "");
        check("ÄFX:1", "Äfx:1");
    }

    #[test]
    fn edits_and_combos_of_every_toolkit_keep_their_text() {
        for class in
            ["Edit", "RICHEDIT50W", "TEdit", "ComboBox", "ComboBoxEx32", "WindowsForms10.EDIT.app.0.1"]
        {
            assert!(keeps_own_text(&class.into()), "{class}");
        }
        for class in ["Button", "Static", "ComboLBox", "SysListView32", ""] {
            assert!(!keeps_own_text(&class.into()), "{class}");
        }
    }
}
