//! Whether the text of a window is private. In doubt it is.

use super::gui::Gui;
use replay_link::Window;
use win32_vocabulary::Control;
use win32_vocabulary::messages::EM_GETPASSWORDCHAR;
use win32_vocabulary::styles::ES_PASSWORD;

/// Whether nobody may ask for the text of a window.
///
/// A password field says so by its style or by its password character, whatever the class is called. A class
/// that the vocabulary does not know counts as an edit: it may have been made from one.
pub(crate) fn is_private(gui: &dyn Gui, window: Window) -> bool {
    let control = gui.control(window);
    if control.is_combo_box() {
        return gui.descendants(window).into_iter().any(|inner| is_password_field(gui, inner));
    }
    is_password_field(gui, window)
}

fn is_password_field(gui: &dyn Gui, window: Window) -> bool {
    let style = match (gui.control(window), gui.parent(window)) {
        (Control::Other, Some(_)) => ES_PASSWORD,
        (control, _) => match control.password_style() {
            Some(style) => style,
            None => return false,
        },
    };
    gui.style(window) & style != 0 || gui.ask(window, EM_GETPASSWORDCHAR, 0, 0) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{CONTROL, Fake};

    #[test]
    fn a_password_field_is_private_whatever_its_class_is_called() {
        let edits = win32_vocabulary::CLASSES.iter().filter(|class| class.control.takes_edit_messages());
        let classes: Vec<&str> =
            edits.map(|class| class.name).chain(["SecretBox", "WindowsForms10.EDIT.app.0.1"]).collect();
        assert!(classes.len() > 10, "{classes:?}");
        for class in classes {
            assert!(is_private(&Fake::with(class).style(ES_PASSWORD), CONTROL), "{class} by its style");
            let fake = Fake::with(class).answer(EM_GETPASSWORDCHAR, &[0x2A]);
            assert!(is_private(&fake, CONTROL), "{class} by its character");
            assert!(!is_private(&Fake::with(class), CONTROL), "{class} without either");
        }
    }

    #[test]
    fn a_combo_box_is_private_if_the_edit_in_it_is() {
        let combo = || Fake::with("ComboBox").window(5, "Edit", Some(CONTROL));
        assert!(!is_private(&combo(), CONTROL));
        assert!(is_private(&combo().answer_of(Window(5), EM_GETPASSWORDCHAR, &[0x2A]), CONTROL));
    }

    #[test]
    fn the_bit_means_something_else_for_other_controls_and_for_frames() {
        for class in ["Button", "ListBox", "SysListView32", "Static", "#32770"] {
            assert!(!is_private(&Fake::with(class).style(ES_PASSWORD), CONTROL), "{class}");
        }
        let frame = Fake::with("Frame").style(ES_PASSWORD).change(|window| window.parent = None);
        assert!(!is_private(&frame, CONTROL));
    }
}
