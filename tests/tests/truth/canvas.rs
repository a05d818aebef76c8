//! A window that draws itself: what a click or a drag places depends on where the page lies.

use anyhow::Result;

use crate::program::{COVERED, MORE, REMOVED, RESIZED, RESIZED_FIXED, Session, UNCHANGED, check};
use crate::scene::Scene;

const CANVAS: i32 = 101;

fn draw(scene: &Scene<'_>) -> Result<()> {
    scene.click_in(CANVAS, 300, 130)?;
    scene.expect(OUTCOME[0])?;
    scene.drag_in(CANVAS, (140, 250), (340, 200))?;
    scene.expect(OUTCOME[1])?;
    scene.close()
}

const OUTCOME: &[&str] = &["DOT 14,6", "LINE 3,14 16,11"];

/// The variants of a canvas; `nothing_drawn` is the verdict where no click has any effect.
macro_rules! variants {
    ($nothing_drawn:literal) => {
        &[
            (UNCHANGED, "unverified"),
            (MORE, "unverified"),
            (RESIZED, "unverified"),
            (RESIZED_FIXED, "unverified"),
            (REMOVED, $nothing_drawn),
            // Another window is under the first point.
            (COVERED, "blocked"),
        ]
    };
}

#[test]
fn a_canvas_with_a_page_in_its_middle() {
    check(&Session {
        kind: "canvas",
        arguments: &[],
        drive: draw,
        outcome: OUTCOME,
        variants: variants!("unverified"),
    });
}

/// That something has changed does not tell what.
#[test]
fn a_canvas_whose_title_says_that_it_has_changed() {
    check(&Session {
        kind: "canvas",
        arguments: &["--marked"],
        drive: draw,
        outcome: OUTCOME,
        variants: variants!("diverged"),
    });
}

/// Nor does a button that a first change enables.
#[test]
fn a_canvas_beside_a_button_that_a_change_enables() {
    check(&Session {
        kind: "canvas",
        arguments: &["--undo"],
        drive: |scene| {
            scene.click_in(CANVAS, 300, 100)?;
            scene.expect("DOT 14,4")?;
            scene.close()
        },
        outcome: &["DOT 14,4"],
        variants: variants!("diverged"),
    });
}
