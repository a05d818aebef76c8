//! Text fields: typing, the clipboard, selection by mouse, and what a keyboard can do.

use crate::row::{Chapter, Gap, Row, row};

const ROWS: &[Row] = &[
    row(
        "edit",
        "typing, with letters of other languages",
        |scene| {
            scene.click("IDC_NAME")?;
            scene.type_text("Jürgen é €")?;
            scene.expect(r#"1201 EN_CHANGE text="Jürgen é €""#)
        },
        &[r#"1201 EN_CHANGE text="Jürgen é €""#],
    ),
    row(
        "edit",
        "Backspace, Home, Delete, Shift and arrows",
        |scene| {
            scene.keys(&["BackSpace", "BackSpace", "Home", "Delete", "shift+Right", "shift+Right"])?;
            scene.expect(r#"1201 EN_CHANGE text="ürgen é""#)
        },
        &[r#"1201 EN_CHANGE text="ürgen é""#],
    ),
    row(
        "edit",
        "copy and paste by keys",
        |scene| {
            scene.keys(&["ctrl+a", "ctrl+c", "Tab", "ctrl+v"])?;
            scene.expect(r#"1203 EN_CHANGE text="ürgen é""#)
        },
        &[r#"1203 EN_CHANGE text="ürgen é""#],
    ),
    row(
        "edit",
        "undo",
        |scene| {
            scene.type_text("x")?;
            scene.expect(r#"1203 EN_CHANGE text="ürgen éx""#)?;
            scene.keys(&["ctrl+z"])?;
            scene.expect("1203 EN_CHANGE")
        },
        &["1203 EN_CHANGE"],
    ),
    row(
        "edit",
        "a password, given by --secret",
        |scene| {
            scene.click("IDC_PASSWORD")?;
            scene.type_text("swordfish")?;
            scene.expect("1205 EN_CHANGE length=9 hash=7e976e90")?;
            // Keys pressed in there are not recorded.
            scene.click("IDC_NAME")
        },
        &["1205 EN_CHANGE length=9 hash=7e976e90"],
    ),
    row(
        "edit",
        "of capital letters, of digits, of limited length",
        |scene| {
            scene.click("IDC_UPPER")?;
            scene.type_text("loud")?;
            scene.expect(r#"1209 EN_CHANGE text="LOUD""#)?;
            scene.click("IDC_NUMBER")?;
            scene.keys(&["ctrl+a"])?;
            scene.type_text("4711")?;
            scene.expect("1207 EN_CHANGE")?;
            scene.click("IDC_LIMITED")?;
            scene.keys(&["End"])?;
            scene.type_text("abcdefghijklmnop")?;
            scene.expect("1213 EN_MAXTEXT")
        },
        &[r#"1209 EN_CHANGE text="LOUD""#, "1207 EN_CHANGE", "1213 EN_MAXTEXT"],
    ),
    row(
        "edit",
        "several lines",
        |scene| {
            scene.click("IDC_NOTES")?;
            scene.keys(&["ctrl+End"])?;
            scene.type_text("one\ntwo")?;
            scene.expect("two\"")
        },
        &["1217 EN_CHANGE"],
    ),
    row("edit", "a word selected by a double click", |scene| scene.double_click_in("IDC_UPPER", 12, 9), &[]),
    row(
        "edit",
        "text selected by dragging, then typed over",
        |scene| {
            scene.drag(("IDC_NAME", 4, 9), ("IDC_NAME", 150, 9))?;
            scene.type_text("Z")?;
            scene.expect(r#"1201 EN_CHANGE text="Z""#)
        },
        &[r#"1201 EN_CHANGE text="Z""#],
    ),
    row(
        "edit",
        "text selected by dragging, released beyond the window",
        |scene| {
            scene.click("IDC_CITY")?;
            scene.drag(("IDC_CITY", 4, 9), ("IDC_CITY", 600, 9))
        },
        &[],
    ),
    row(
        "edit",
        "auto-repeat of a held key",
        |scene| {
            use harness::protocol::Action;
            let key = |down| Action::Key { key: "q".into(), down };
            scene.click("IDC_UNLABELLED")?;
            scene.stage.input.perform(&[key(true), key(true), key(true), key(false)])?;
            scene.expect("1224 EN_CHANGE")
        },
        &["1224 EN_CHANGE"],
    ),
    row(
        "edit",
        "Caps lock",
        |scene| {
            scene.click("IDC_LOWER")?;
            scene.click("IDC_UNLABELLED")?;
            scene.keys(&["End", "Caps_Lock"])?;
            scene.type_text("w")?;
            scene.keys(&["Caps_Lock"])?;
            scene.expect("1224 EN_CHANGE")
        },
        &["1224 EN_CHANGE"],
    ),
    row(
        "edit",
        "Num lock and digits of the keypad",
        |scene| {
            scene.keys(&["End", "Num_Lock", "KP_7", "Num_Lock"])?;
            Ok(())
        },
        &[],
    ),
    row(
        "edit",
        "dead keys: an accent, then its letter",
        |scene| {
            // Wine keeps one composed character at a time.
            scene.keys(&["dead_acute", "e"])?;
            scene.expect("é")?;
            scene.keys(&["dead_grave", "a"])?;
            scene.expect("éà")
        },
        &["1224 EN_CHANGE", "éà"],
    ),
    row(
        "edit",
        "AltGr and a letter",
        |scene| {
            scene.hold("ISO_Level3_Shift", &[harness::protocol::Action::Press { keys: "q".into() }])?;
            scene.expect("@")
        },
        &["@"],
    ),
    row(
        "edit",
        "characters outside the BMP",
        |scene| {
            harness::Input::by_send_input(&scene.stage.probe).type_text("😀")?;
            scene.expect("😀")
        },
        &["1224 EN_CHANGE", "😀"],
    ),
    row(
        "edit",
        "its own menu, by the menu key: select all",
        |scene| {
            scene.click("IDC_NAME")?;
            scene.keys(&["Menu"])?;
            scene.menu()?;
            scene.keys(&["a"])
        },
        &[],
    ),
    row(
        "program",
        "a hot key of the whole system (RegisterHotKey)",
        |scene| {
            scene.keys(&["ctrl+shift+k"])?;
            scene.expect("WM_HOTKEY 7")
        },
        &["WM_HOTKEY 7"],
    ),
    row(
        "edit",
        "composition of an input method: its result",
        |scene| {
            scene.click("IDC_CITY")?;
            scene.keys(&["End"])?;
            scene.from_outside("compose 日本")?;
            scene.expect("日本")
        },
        &["日本"],
    ),
    row(
        "rich edit",
        "typing, at the end",
        |scene| {
            scene.click("IDC_RICH")?;
            scene.keys(&["ctrl+End"])?;
            scene.type_text(" It is.")?;
            scene.expect("Rich text. It is.")?;
            scene.keys(&["Left", "BackSpace"])?;
            scene.expect("Rich text. It i.")?;
            scene.type_text("s")?;
            scene.expect("Rich text. It is.")
        },
        &["1221 EN_CHANGE text=\"Rich text. It is.\""],
    ),
    row(
        "rich edit",
        "a word selected by a double click, all by a triple click",
        |scene| {
            use harness::protocol::{Action, Button};
            scene.double_click_in("IDC_RICH", 12, 8)?;
            let (x, y) = scene.point("IDC_RICH", 60, 8)?;
            let click = [
                Action::Button { button: Button::Left, down: true },
                Action::Button { button: Button::Left, down: false },
            ];
            let all: Vec<Action> =
                [Action::MoveTo { x, y }].into_iter().chain(click.iter().cloned().cycle().take(6)).collect();
            scene.stage.input.perform(&all)
        },
        &[],
    ),
    row(
        "rich edit",
        "text selected by mouse, and a formatting key",
        |scene| {
            scene.drag(("IDC_RICH", 4, 8), ("IDC_RICH", 40, 8))?;
            scene.keys(&["ctrl+i"])
        },
        &[],
    ),
];

const GAPS: &[Gap] = &[Gap {
    control: "edit for a password",
    interaction: "shortcuts, arrows and the caret inside it",
    why: "keys pressed in there are not recorded, but for Tab, Enter and Esc; not even how many they are",
    instead: "the whole text, as `--secret` gives it",
}];

pub(crate) const EDITS: Chapter =
    Chapter::new("edits", "edits", ROWS).gaps(GAPS).options(&["--secret", "password-1205=swordfish"]);
