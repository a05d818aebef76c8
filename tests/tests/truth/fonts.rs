//! A combo box that refills another one and reports that one's choice while its own is handled.

use crate::program::{MORE, REMOVED, RESIZED, Session, UNCHANGED, check};

const FONT: i32 = 101;
const APPLY: i32 = 103;

#[test]
fn a_combo_box_that_refills_another() {
    check(&Session {
        kind: "fonts",
        arguments: &[],
        drive: |scene| {
            // The second entry of the list below the edit.
            scene.click_in(FONT, 30, 47)?;
            scene.click(APPLY)?;
            scene.expect("FONT Courier, Western")?;
            scene.close()
        },
        outcome: &["FONT Courier, Western"],
        variants: &[(UNCHANGED, "passed"), (MORE, "passed"), (RESIZED, "passed"), (REMOVED, "blocked")],
    });
}
