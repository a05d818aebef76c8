//! Every class with every answer that this crate gives about it, held to `tests/golden/controls.txt`.
//!
//! `UPDATE_GOLDENS=1 cargo test -p win32-vocabulary --test golden` writes the file anew. Each changed line is
//! a decision: review it.

use std::fmt::Write;
use win32_vocabulary::{CLASSES, Class, Control, Toolkit, class_name};

/// Classes without a row: derived ones, and those that only their toolkit is known of.
const UNLISTED: [&str; 13] = [
    "AcmeListBox",
    "AfxControlBar140u",
    "EditorFrame",
    "HwndWrapper[App.exe;;5f6a]",
    "InvoiceFrame",
    "Qt5QWindowIcon",
    "REGEDIT",
    "SunAwtFrame",
    "ThunderRT6PictureBoxDC",
    "TTntEdit.UnicodeClass",
    "WindowsForms10.EDIT.app.0.141b42a_r6_ad1",
    "WindowsForms10.Window.8.app.0.141b42a_r6_ad1",
    "wxListCtrl",
];

fn describe(class: &str) -> String {
    let row = Class::find(class);
    let control = Control::guess(class);
    let mut line = format!("{class}: {control:?}");
    if row.is_none() && control != Control::Other {
        line.push_str(" by its name");
    }
    write!(line, ", {:?}", Toolkit::of_class(class)).unwrap();
    if let Some(base) = row.and_then(Class::base).filter(|base| base.name != class) {
        write!(line, ", made from {}", base.name).unwrap();
    }
    write!(line, "; {} \"{}\"", control.name(), control.noun()).unwrap();
    if let Some(style) = control.password_style() {
        write!(line, "; password with style {style:#x}").unwrap();
    }
    for (is, answer) in [
        (control.is_edit(), "edit"),
        (control.takes_edit_messages(), "takes EM_"),
        (control.is_button(), "button"),
        (control.is_list_box(), "takes LB_"),
        (control.is_combo_box(), "takes CB_"),
        (control.has_items(), "has items"),
        (control.shows_its_name(), "shows its name"),
        (control.keeps_own_text(), "keeps its text"),
        (control.takes_text(), "takes WM_SETTEXT"),
        (control.is_transient(), "transient"),
        (control.is_area(), "area"),
        (control.counts_clicks(), "counts clicks"),
        (class_name::may_be_edit(class), "may be a password field by its name"),
        (class_name::may_hold_edit(class), "may hold one by its name"),
        (class_name::is_shared(class), "shared class"),
    ] {
        if is {
            write!(line, "; {answer}").unwrap();
        }
    }
    line
}

#[test]
fn every_class_has_the_answers_of_the_golden_file() {
    let classes = CLASSES.iter().map(|class| class.name).chain(UNLISTED);
    let text: String = classes.map(|class| describe(class) + "\n").collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/controls.txt");
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let golden = std::fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    for (line, expected) in text.lines().zip(golden.lines()) {
        assert_eq!(line, expected);
    }
    assert_eq!(text.lines().count(), golden.lines().count());
}
