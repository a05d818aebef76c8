//! Properties of a class name in the form that logs have.

use message_log::Text;
use std::borrow::Cow;
use win32_vocabulary::{Control, class_name};

/// The part of a class name that stays from run to run, in lower case, since Windows does not tell upper from
/// lower case: `afx:` of `Afx:00400000:b:…`.
pub fn normal_class(class: &Text) -> Cow<'_, str> {
    let class = class.to_string_lossy();
    let len = class_name::stable_part(&class).len();
    match class {
        Cow::Borrowed(class) if !class[..len].bytes().any(|b| b.is_ascii_uppercase()) => {
            Cow::Borrowed(&class[..len])
        }
        class => Cow::Owned(class[..len].to_ascii_lowercase()),
    }
}

/// The same as the program spells it, for people to read.
pub fn stable_class(class: &Text) -> String {
    class_name::stable_part(&class.to_string_lossy()).to_owned()
}

/// Whether windows of this class keep their own text, which Windows does not know: edits and combo boxes of
/// every toolkit.
pub fn keeps_own_text(class: &Text) -> bool {
    Control::guess(&class.to_string_lossy()).keeps_own_text()
}

/// Whether a class name has a word: [`class_name::has_word`].
pub fn has_word(class: &Text, word: &str) -> bool {
    class_name::has_word(&class.to_string_lossy(), word)
}

/// Whether windows of this class take `WM_SETTEXT` for themselves: [`Control::takes_text`].
pub(crate) fn takes_text(class: &Text) -> bool {
    Control::guess(&class.to_string_lossy()).takes_text()
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
        assert_eq!(stable_class(&"WindowsForms10.EDIT.app.0.1".into()), "WindowsForms10.EDIT");
    }

    #[test]
    fn edits_and_combos_of_every_toolkit_keep_their_text() {
        for class in [
            "Edit",
            "RICHEDIT50W",
            "TEdit",
            "TDBEdit",
            "TMemo",
            "ThunderRT6TextBox",
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
