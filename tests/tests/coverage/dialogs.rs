//! Dialogs of the program and of the system.

use crate::row::{Chapter, Gap, Row, Scene, row};
use anyhow::Result;
use harness::gallery::child;
use harness::protocol::Button;
use harness::wait::DEADLINE;
use harness::{wait_until, window};

/// Opens a dialog by its button, does something in it, and waits until it is gone.
fn in_dialog(scene: &Scene<'_>, button: &str, act: impl FnOnce(&Scene<'_>) -> Result<()>) -> Result<()> {
    let dialog = window().class("#32770").of_process(scene.main.pid);
    scene.click(button)?;
    scene.stage.wait_for(&dialog)?;
    act(scene)?;
    scene.stage.wait_gone(&dialog)?;
    scene.wait_enabled()
}

const DIALOG_ROWS: &[Row] = &[
    row(
        "dialog",
        "opened, typed into, a check box, Enter",
        |scene| {
            scene.click("IDC_OPEN_MODAL")?;
            let modal = scene.shown("Modal")?;
            scene.type_text("abc")?;
            scene.expect(r#"2800 EN_CHANGE text="abc""#)?;
            scene.stage.input.click_window(&child(scene.stage, &modal, "IDC_MODAL_CHECK")?)?;
            scene.expect("2801 BN_CLICKED")?;
            scene.keys(&["Return"])?;
            scene.expect("DIALOG modal result=1")?;
            scene.gone("Modal")
        },
        &[r#"2800 EN_CHANGE text="abc""#, "2801 BN_CLICKED checked=1", "DIALOG modal result=1"],
    ),
    row(
        "dialog",
        "from a dialog, and a box from that",
        |scene| {
            scene.click("IDC_OPEN_MODAL")?;
            scene.shown("Modal")?;
            scene.keys(&["alt+a"])?;
            scene.shown("Modal from modal")?;
            scene.stage.probe.release_modifiers()?;
            scene.keys(&["Down"])?;
            scene.expect("2803 LBN_SELCHANGE item=")?;
            scene.keys(&["alt+b"])?;
            scene.shown("Third level")?;
            scene.keys(&["Escape"])?;
            scene.expect("BOX result=2")?;
            scene.stage.wait_gone(&scene.window("Third level"))?;
            scene.keys(&["Escape"])?;
            scene.expect("DIALOG nested result=2")?;
            scene.stage.wait_gone(&scene.window("Modal from modal"))?;
            scene.keys(&["Escape"])?;
            scene.expect("DIALOG modal result=2")?;
            scene.gone("Modal")
        },
        &["2803 LBN_SELCHANGE item=", "BOX result=2", "DIALOG nested result=2", "DIALOG modal result=2"],
    ),
    row(
        "dialog",
        "from the menu, a question from that answered no, left by Esc",
        |scene| {
            // Alt and F would be a button of this page.
            scene.click_at(Button::Left, scene.main.rect.left + 20, scene.main.rect.top + 35)?;
            scene.menu()?;
            scene.keys(&["s"])?;
            let dialog = window().class("#32770").of_process(scene.main.pid);
            scene.stage.wait_for(&dialog)?;
            scene.type_text(r"C:\windows\win.ini")?;
            scene.keys(&["Return"])?;
            wait_until("the question", DEADLINE, || {
                let windows = scene.stage.probe.windows()?.into_iter();
                let own = windows.filter(|it| it.visible && it.pid == scene.main.pid && it.class == "#32770");
                Ok((own.count() == 2).then_some(()))
            })?;
            scene.keys(&["alt+n", "Escape"])?;
            scene.expect("DIALOG save result=0")?;
            scene.stage.wait_gone(&dialog)?;
            scene.wait_enabled()
        },
        &["DIALOG save opened", "DIALOG save result=0"],
    ),
    row(
        "dialog",
        "moved by its title bar",
        |scene| {
            scene.click("IDC_OPEN_MODAL")?;
            let modal = scene.shown("Modal")?;
            let from = (modal.rect.left + 60, modal.rect.top + 13);
            scene.stage.input.drag(from, (from.0 + 80, from.1 + 40))?;
            scene.keys(&["Escape"])?;
            scene.expect("DIALOG modal result=2")?;
            scene.gone("Modal")
        },
        &["DIALOG modal result=2"],
    ),
    row(
        "message box",
        "answered by Enter",
        |scene| {
            scene.click("IDC_OPEN_BOX")?;
            scene.shown("Message box")?;
            scene.keys(&["Return"])?;
            scene.expect("BOX result=1")?;
            scene.gone("Message box")
        },
        &["BOX result=1"],
    ),
    row(
        "property sheet",
        "a name typed, another tab, left by Esc",
        |scene| {
            in_dialog(scene, "IDC_OPEN_SHEET", |scene| {
                let sheet = scene.stage.wait_for(&window().class("#32770").of_process(scene.main.pid))?;
                let name = child(scene.stage, &sheet, "IDC_SHEET_NAME")?;
                scene.stage.input.click_window(&name)?;
                scene.keys(&["ctrl+a"])?;
                scene.type_text("Anna")?;
                scene.expect(r#"2810 EN_CHANGE text="Anna""#)?;
                let tabs = wait_until("the sheet's tabs", DEADLINE, || {
                    let children = scene.stage.probe.children(&sheet)?;
                    Ok(children.into_iter().find(|child| child.class == "SysTabControl32"))
                })?;
                scene.click_at(Button::Left, tabs.rect.left + 80, tabs.rect.top + 10)?;
                child(scene.stage, &sheet, "IDC_SHEET_COLOUR")?;
                scene.keys(&["Escape"])
            })
        },
        &[r#"2810 EN_CHANGE text="Anna""#, "PSN_SETACTIVE 144", "DIALOG sheet result=0"],
    ),
    row(
        "wizard",
        "an agreement, next, a choice, next, finish",
        |scene| {
            in_dialog(scene, "IDC_OPEN_WIZARD", |scene| {
                let wizard = scene.stage.wait_for(&window().class("#32770").of_process(scene.main.pid))?;
                scene.stage.input.click_window(&child(scene.stage, &wizard, "IDC_WIZARD_AGREE")?)?;
                scene.expect("2820 BN_CLICKED checked=1")?;
                scene.keys(&["alt+n"])?;
                scene.expect("PSN_SETACTIVE 147")?;
                scene.stage.input.click_window(&child(scene.stage, &wizard, "IDC_WIZARD_LARGE")?)?;
                scene.expect("2822 BN_CLICKED checked=1")?;
                scene.keys(&["alt+n"])?;
                scene.expect("PSN_SETACTIVE 148")?;
                scene.keys(&["Return"])
            })?;
            scene.expect("DIALOG wizard result=")
        },
        &["PSN_WIZNEXT 146", "2822 BN_CLICKED checked=1", "PSN_WIZNEXT 147", "PSN_WIZFINISH 148"],
    ),
    row(
        "find dialog",
        "a text, case, find next, closed",
        |scene| {
            let dialog = window().class("#32770").of_process(scene.main.pid);
            scene.click("IDC_OPEN_FIND")?;
            scene.stage.wait_for(&dialog)?;
            scene.type_text("lamp")?;
            scene.keys(&["alt+c", "Return"])?;
            scene.expect(r#"FIND next text="lamp""#)?;
            scene.keys(&["Escape"])?;
            scene.expect("FIND closed")?;
            scene.stage.wait_gone(&dialog)?;
            scene.wait_enabled()
        },
        &[r#"FIND next text="lamp" with="" case=1"#, "FIND closed"],
    ),
    row(
        "replace dialog",
        "two texts, replace all, closed",
        |scene| {
            let dialog = window().class("#32770").of_process(scene.main.pid);
            scene.click("IDC_OPEN_REPLACE")?;
            scene.stage.wait_for(&dialog)?;
            scene.keys(&["ctrl+a"])?;
            scene.type_text("red")?;
            scene.keys(&["Tab"])?;
            scene.type_text("blue")?;
            scene.keys(&["alt+a"])?;
            scene.expect("FIND replace-all")?;
            scene.keys(&["Escape"])?;
            scene.expect("FIND closed")?;
            scene.stage.wait_gone(&dialog)?;
            scene.wait_enabled()
        },
        &[r#"FIND replace-all text="red" with="blue""#, "FIND closed"],
    ),
    row(
        "open dialog",
        "a file name, Esc",
        |scene| {
            in_dialog(scene, "IDC_OPEN_FILE", |scene| {
                scene.type_text("no-such-file.txt")?;
                scene.keys(&["Escape"])
            })?;
            scene.expect("DIALOG open result=0")
        },
        &["DIALOG open result=0"],
    ),
    row(
        "open dialog",
        "the name of a file and Enter",
        |scene| {
            in_dialog(scene, "IDC_OPEN_FILE", |scene| {
                scene.type_text(r"C:\windows\win.ini")?;
                scene.keys(&["Return"])
            })?;
            scene.expect("DIALOG open result=1")
        },
        &[r#"DIALOG open result=1 file="C:\windows\win.ini""#],
    ),
    row(
        "save dialog",
        "a file name and Enter",
        |scene| {
            in_dialog(scene, "IDC_OPEN_SAVE", |scene| {
                scene.type_text(r"C:\windows\temp\dashcam-coverage.txt")?;
                scene.keys(&["Return"])
            })?;
            scene.expect("DIALOG save result=1")
        },
        &[r#"DIALOG save result=1 file="C:\windows\temp\dashcam-coverage.txt""#],
    ),
    row(
        "save dialog",
        "a file that exists: the question whether to replace it, answered no, then yes",
        |scene| {
            in_dialog(scene, "IDC_OPEN_SAVE", |scene| {
                scene.type_text(r"C:\windows\win.ini")?;
                scene.keys(&["Return"])?;
                scene.keys(&["alt+n"])?;
                scene.keys(&["Return"])?;
                scene.keys(&["alt+y"])
            })?;
            scene.expect("DIALOG save result=1")
        },
        &[r#"DIALOG save result=1 file="C:\windows\win.ini""#],
    ),
    row(
        "colour dialog",
        "OK",
        |scene| {
            in_dialog(scene, "IDC_OPEN_COLOUR", |scene| scene.keys(&["Return"]))?;
            scene.expect("DIALOG colour result=1")
        },
        &["DIALOG colour result=1 rgb=0000ff"],
    ),
    row(
        "font dialog",
        "as it is, OK",
        |scene| {
            in_dialog(scene, "IDC_OPEN_FONT", |scene| scene.keys(&["Return"]))?;
            scene.expect("DIALOG font result=1")
        },
        &["DIALOG font result=1 face="],
    ),
    row(
        "font dialog",
        "a face and a size typed, a style by arrow, strike-out, OK",
        |scene| {
            in_dialog(scene, "IDC_OPEN_FONT", |scene| {
                scene.keys(&["ctrl+a"])?;
                scene.type_text("Courier New")?;
                scene.keys(&["Tab", "Down", "Tab", "ctrl+a"])?;
                scene.type_text("14")?;
                scene.keys(&["alt+k", "Return"])
            })?;
            scene.expect("DIALOG font result=1")
        },
        &["DIALOG font result=1 face="],
    ),
    row(
        "print dialog",
        "without a printer: its box answered",
        |scene| {
            in_dialog(scene, "IDC_OPEN_PRINT", |scene| scene.keys(&["Return"]))?;
            scene.expect("DIALOG print result=0")
        },
        &["DIALOG print result=0"],
    ),
    row(
        "folder dialog",
        "left by Esc",
        |scene| {
            in_dialog(scene, "IDC_OPEN_FOLDER", |scene| scene.keys(&["Escape"]))?;
            scene.expect("DIALOG folder result=0")
        },
        &["DIALOG folder result=0"],
    ),
    row(
        "folder dialog",
        "a branch opened and a folder chosen by arrow keys, Enter",
        |scene| {
            in_dialog(scene, "IDC_OPEN_FOLDER", |scene| scene.keys(&["Down", "Return"]))?;
            scene.expect("DIALOG folder result=1")
        },
        &["DIALOG folder result=1 path="],
    ),
];

const DIALOG_GAPS: &[Gap] = &[
    Gap {
        control: "property sheet",
        interaction: "Ctrl and Tab",
        why: "Wine's property sheet does not know the key",
        instead: "the tab that it came to is selected",
    },
    Gap {
        control: "print dialog",
        interaction: "copies and OK",
        why: "the prefix has no printer",
        instead: "the same controls as in every other dialog",
    },
    Gap {
        control: "the shell's new file dialog",
        interaction: "file name and OK",
        why: "Wine shows the old one in its place",
        instead: "the same edit and button, where their classes are the system's",
    },
];

pub(crate) const DIALOGS: Chapter = Chapter::new("dialogs", "dialogs", DIALOG_ROWS).gaps(DIALOG_GAPS);
