//! Lists that hold no texts: which item is meant, only the program knows.

use anyhow::Result;

use crate::program::{MORE, REMOVED, RESIZED, REVERSED, Session, UNCHANGED, Variant, check};
use crate::scene::Scene;

const LIST: i32 = 101;
const TEXT: i32 = 102;
const SAVE: i32 = 103;
const RENAME: i32 = 104;
const DELETE: i32 = 105;
const YES: i32 = 6;
/// Beside an owner-drawn list.
const USE: i32 = 102;

/// The names lie in the order alpha, beta, gamma, delta, epsilon.
const BETA: i32 = 1;
const GAMMA: i32 = 2;

/// Clicks on a row of a list view.
fn click_row(scene: &Scene<'_>, row: i32) -> Result<()> {
    const FIRST: i32 = 23;
    const HEIGHT: i32 = 13;
    scene.click_in(LIST, 30, FIRST + row * HEIGHT)
}

/// Nothing on the screen tells which item was saved to or renamed, but the item's own text.
fn save_and_rename(scene: &Scene<'_>) -> Result<()> {
    scene.type_into(TEXT, "kept")?;
    click_row(scene, GAMMA)?;
    scene.click(SAVE)?;
    scene.expect("SAVE gamma.log: kept")?;
    click_row(scene, BETA)?;
    scene.click(RENAME)?;
    scene.expect("RENAME beta.doc: kept")?;
    scene.close()
}

/// The box names the item.
fn delete(scene: &Scene<'_>) -> Result<()> {
    click_row(scene, GAMMA)?;
    scene.click(DELETE)?;
    scene.answer("Delete", |_| Ok(()), YES)?;
    scene.expect("DELETE gamma.log")?;
    scene.close()
}

const SAVED_AND_RENAMED: &[&str] = &["SAVE gamma.log: kept", "RENAME beta.doc: kept"];

/// The log has no text of the items.
const BY_POSITION: &[Variant] = &[
    (UNCHANGED, "unverified"),
    (MORE, "unverified"),
    (REVERSED, "unverified"),
    (RESIZED, "unverified"),
    (REMOVED, "unverified"),
];

/// The box has another text than the recorded one.
const ASKED_FIRST: &[Variant] =
    &[(UNCHANGED, "unverified"), (MORE, "diverged"), (RESIZED, "unverified"), (REMOVED, "diverged")];

#[test]
fn a_callback_list_with_commands_on_its_items() {
    check(&Session {
        kind: "callback",
        arguments: &[],
        drive: save_and_rename,
        outcome: SAVED_AND_RENAMED,
        variants: BY_POSITION,
    });
}

#[test]
fn a_virtual_list_with_commands_on_its_items() {
    check(&Session {
        kind: "virtual",
        arguments: &[],
        drive: save_and_rename,
        outcome: SAVED_AND_RENAMED,
        variants: BY_POSITION,
    });
}

#[test]
fn a_callback_list_that_asks_before_it_deletes() {
    check(&Session {
        kind: "callback",
        arguments: &[],
        drive: delete,
        outcome: &["DELETE gamma.log"],
        variants: ASKED_FIRST,
    });
}

#[test]
fn a_virtual_list_that_asks_before_it_deletes() {
    check(&Session {
        kind: "virtual",
        arguments: &[],
        drive: delete,
        outcome: &["DELETE gamma.log"],
        variants: ASKED_FIRST,
    });
}

#[test]
fn an_owner_drawn_list_box_without_strings() {
    check(&Session {
        kind: "drawn",
        arguments: &[],
        drive: |scene| {
            for (row, name) in [(BETA, "beta.doc"), (GAMMA, "gamma.log")] {
                scene.click_in(LIST, 30, 11 + row * 20)?;
                scene.click(USE)?;
                scene.expect(&format!("USE {name}"))?;
            }
            scene.close()
        },
        outcome: &["USE beta.doc", "USE gamma.log"],
        variants: BY_POSITION,
    });
}
