//! Text: typed character by character, set as a whole, or changed by an editing command.

use super::gui::Gui;
use replay_link::{Act, Window};
use win32_vocabulary::messages::{EM_REPLACESEL, EM_SETSEL, WM_CHAR, WM_SETTEXT};

const LINE_FEED: u16 = 10;
const CARRIAGE_RETURN: u16 = 13;

/// Posts WM_CHAR for each UTF-16 unit. A queue holds ten thousand messages at most, so longer texts are sent.
pub(crate) fn type_characters(gui: &dyn Gui, window: Window, text: &str) {
    gui.focus(window);
    let units: Vec<u16> = text.encode_utf16().collect();
    let is_posted = units.len() <= Act::MOST_POSTED;
    for unit in units {
        // The Enter key types a carriage return.
        let unit = if unit == LINE_FEED { CARRIAGE_RETURN } else { unit };
        if is_posted {
            gui.post(window, WM_CHAR, usize::from(unit), 1);
        } else {
            gui.send(window, WM_CHAR, usize::from(unit), 1);
        }
    }
}

/// Replaces the whole text of an edit, also of the edit in a combo box.
pub(crate) fn set(gui: &dyn Gui, window: Window, text: &str) {
    gui.focus(window);
    if gui.control(window).takes_edit_messages() {
        replace_all(gui, window, text);
    } else if let Some(edit) = edit_of_combo(gui, window) {
        replace_all(gui, edit, text);
    } else {
        gui.send_text(window, WM_SETTEXT, 0, text);
    }
}

/// The parent gets EN_CHANGE for a replaced selection, but not for WM_SETTEXT in an edit of several lines.
pub(crate) fn replace_all(gui: &dyn Gui, edit: Window, text: &str) {
    gui.send(edit, EM_SETSEL, 0, -1);
    gui.send_text(edit, EM_REPLACESEL, 1, text);
}

/// Cut, copy, paste, clear, undo.
pub(crate) fn edit(gui: &dyn Gui, window: Window, message: u32) {
    gui.focus(window);
    gui.send(window, message, 0, 0);
}

fn edit_of_combo(gui: &dyn Gui, window: Window) -> Option<Window> {
    if !gui.control(window).is_combo_box() {
        return None;
    }
    gui.descendants(window).into_iter().find(|child| gui.control(*child).takes_edit_messages())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{CONTROL, Fake, focus, post, send, send_with};
    use crate::act::gui::Payload;
    use win32_vocabulary::messages::WM_UNDO;

    #[test]
    fn characters_are_posted_and_a_line_end_is_the_enter_key() {
        let calls = Fake::with("TMaskEdit").act(Act::Type { text: "a\né".into() }).unwrap();
        let character = |unit| post(CONTROL, WM_CHAR, unit, 1);
        assert_eq!(calls, [focus(), character(0x61), character(13), character(0xE9)]);
    }

    #[test]
    fn more_than_a_queue_takes_is_sent() {
        let calls = Fake::with("Edit").act(Act::Type { text: "x".repeat(Act::MOST_POSTED + 1) }).unwrap();
        assert_eq!(calls.len(), Act::MOST_POSTED + 2);
        assert_eq!(calls[1], send(CONTROL, WM_CHAR, 0x78, 1));
        let calls = Fake::with("Edit").act(Act::Type { text: "x".repeat(Act::MOST_POSTED) }).unwrap();
        assert_eq!(calls[1], post(CONTROL, WM_CHAR, 0x78, 1));
    }

    #[test]
    fn an_edit_of_any_toolkit_has_its_selection_replaced() {
        let text = || Payload::Text("new".into());
        for class in ["Edit", "RICHEDIT50W", "TDBEdit", "TLabeledEdit", "ThunderRT6TextBox"] {
            let calls = Fake::with(class).act(Act::SetText { text: "new".into() }).unwrap();
            let replaced = send_with(CONTROL, EM_REPLACESEL, 1, text());
            assert_eq!(calls, [focus(), send(CONTROL, EM_SETSEL, 0, -1), replaced], "{class}");
        }
        let calls = Fake::with("Canvas").act(Act::SetText { text: "new".into() }).unwrap();
        assert_eq!(calls, [focus(), send_with(CONTROL, WM_SETTEXT, 0, text())]);
    }

    #[test]
    fn the_edit_inside_a_combo_box_takes_its_text() {
        let combo = Fake::with("TComboBox").window(5, "Edit", Some(CONTROL));
        let calls = combo.act(Act::SetText { text: "new".into() }).unwrap();
        let replaced = send_with(Window(5), EM_REPLACESEL, 1, Payload::Text("new".into()));
        assert_eq!(calls, [focus(), send(Window(5), EM_SETSEL, 0, -1), replaced]);
    }

    #[test]
    fn an_editing_command_is_its_message() {
        let calls = Fake::with("Edit").act(Act::Edit { message: WM_UNDO }).unwrap();
        assert_eq!(calls, [focus(), send(CONTROL, WM_UNDO, 0, 0)]);
    }
}
