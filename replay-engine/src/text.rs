//! The texts of live controls, and live windows in words.

use crate::driver::{Answer, Driver, Question};
use window_tree::{Sketch, Tree};

/// Whether two texts are equal apart from the kind of line end and invisible characters.
pub(crate) fn same_text(a: &str, b: &str) -> bool {
    let plain = |text: &str| {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        text.chars().filter(|c| matches!(c, '\n' | '\t') || !c.is_control()).collect::<String>()
    };
    a == b || plain(a).trim_end_matches('\n') == plain(b).trim_end_matches('\n')
}

/// The text of a control, if it reports one.
pub(crate) fn text_of(driver: &mut dyn Driver, hwnd: u64) -> Option<String> {
    match driver.ask(hwnd, &Question::Text) {
        Ok(Answer::Text(text)) => Some(text),
        _ => None,
    }
}

/// A window in words.
pub(crate) fn describe_window(tree: &Tree, hwnd: u64) -> String {
    tree.get(hwnd).map_or_else(|| format!("{hwnd:#x}"), |node| Sketch::of(node).to_string())
}
