//! Programs that end without WM_QUIT and without an exception.

use anyhow::{Result, ensure};
use harness::protocol::Button;
use harness::wait::DEADLINE;
use harness::window;

use crate::program::{MORE, RESIZED, Session, UNCHANGED, Variant, check};
use crate::scene::Scene;

const VARIANTS: &[Variant] = &[(UNCHANGED, "reproduced"), (MORE, "reproduced"), (RESIZED, "reproduced")];

/// Opens the menu and chooses the command by its letter.
fn choose(scene: &Scene<'_>, letter: &str, code: i32) -> Result<()> {
    // The menu bar lies above the client area, whose height is known.
    let frame = scene.main.rect;
    scene.stage.input.click(Button::Left, frame.left + 20, frame.bottom - 372)?;
    scene.stage.wait_for(&window().class("#32768"))?;
    scene.stage.input.press(letter)?;
    let ended = scene.dashcam.wait(DEADLINE)?;
    ensure!(ended == code, "exit code {ended:#x}, not {code:#x}: {}", scene.dashcam.stderr()?);
    Ok(())
}

#[test]
fn a_program_that_aborts() {
    check(&Session {
        kind: "ends",
        arguments: &[],
        drive: |scene| choose(scene, "a", 3),
        outcome: &["ABORT"],
        variants: VARIANTS,
    });
}

#[test]
fn a_program_that_exits_at_once() {
    check(&Session {
        kind: "ends",
        arguments: &[],
        drive: |scene| choose(scene, "x", 3),
        outcome: &["EXIT"],
        variants: VARIANTS,
    });
}
