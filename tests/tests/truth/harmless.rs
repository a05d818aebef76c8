//! Clicks that do nothing anyone would miss do not make a verdict less than `passed`, where a standard
//! control or dialog says so. In a window of the program's own class nothing tells whether a click met
//! anything.

use harness::Window;
use harness::protocol::Button;

use crate::program::{MORE, REMOVED, RESIZED, Session, UNCHANGED, check};

const LIST_VIEW: i32 = 101;
const LIST_BOX: i32 = 102;
const OPEN: i32 = 105;
const DONE: i32 = 106;
const OK: i32 = 1;

#[test]
fn clicks_on_empty_areas_are_harmless() {
    check(&Session {
        kind: "harmless",
        arguments: &[],
        drive: |scene| {
            for list in [LIST_VIEW, LIST_BOX] {
                scene.click_in(list, 70, 170)?;
            }
            scene.click(DONE)?;
            scene.expect("DONE")?;
            scene.close()
        },
        outcome: &["DONE"],
        // The first list is gone.
        variants: &[(UNCHANGED, "passed"), (MORE, "passed"), (RESIZED, "passed"), (REMOVED, "blocked")],
    });
}

#[test]
fn clicks_on_the_background_of_a_dialog_are_harmless() {
    check(&Session {
        kind: "harmless",
        arguments: &[],
        drive: |scene| {
            scene.click(OPEN)?;
            // On the label and beside it.
            let click = |dialog: &Window, y| {
                let frame = dialog.rect;
                scene.stage.input.click(Button::Left, frame.left + 40, frame.top + y)
            };
            let clicks = |dialog: &Window| click(dialog, 44).and_then(|()| click(dialog, 120));
            scene.answer("Empty", clicks, OK)?;
            scene.click(DONE)?;
            scene.expect("DONE")?;
            scene.close()
        },
        outcome: &["DONE"],
        variants: &[(UNCHANGED, "passed"), (MORE, "passed"), (RESIZED, "passed")],
    });
}

#[test]
fn a_click_on_the_background_of_a_window_of_its_own_class() {
    check(&Session {
        kind: "harmless",
        arguments: &[],
        drive: |scene| {
            let frame = scene.main.rect;
            scene.stage.input.click(Button::Left, frame.right - 60, frame.bottom - 40)?;
            scene.click(DONE)?;
            scene.expect("DONE")?;
            scene.close()
        },
        outcome: &["DONE"],
        variants: &[(UNCHANGED, "unverified"), (MORE, "unverified"), (RESIZED, "unverified")],
    });
}
