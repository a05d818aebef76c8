//! A real program, real keys, a real pointer: what every other end-to-end test relies on.

use anyhow::{Context, Result, ensure};
use harness::wait::DEADLINE;
use harness::{Input, Program, Stage, Window, stage, wait_until, window};

#[test]
fn typed_text_arrives_complete_and_in_order() {
    stage(|stage| {
        let (_, _, edit) = open_notepad(stage)?;
        stage.input.click_window(&edit)?;
        let pangram = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich: 100 € für ÄÖÜ?! -- @home {x|y} É ж";
        stage.input.type_text(pangram)?;
        wait_for_text(stage, &edit, pangram)?;
        // More than any queue or keyboard buffer on the way would lose unnoticed.
        let mut expected = pangram.to_owned();
        for line in 1..=8 {
            let more =
                format!("\nLine {line}: The quick brown fox jumps over the lazy dog; äöüß ÄÖÜ 0123456789");
            stage.input.type_text(&more)?;
            expected += &more.replace('\n', "\r\n");
        }
        wait_for_text(stage, &edit, &expected)
    });
}

#[test]
fn a_dialog_opens_and_closes_by_keyboard() {
    stage(|stage| {
        let (notepad, main, edit) = open_notepad(stage)?;
        stage.input.click_window(&edit)?;
        // On Windows an empty notepad has nothing to find.
        stage.input.type_text("x")?;
        wait_for_text(stage, &edit, "x")?;
        stage.input.press("ctrl+f")?;
        let dialog = window().class("#32770").of(&notepad);
        let found = stage.wait_for(&dialog)?;
        ensure!(found.owner == main.hwnd, "the dialog belongs to {:#x}, not to {main}", found.owner);
        stage.input.press("Escape")?;
        stage.wait_gone(&dialog)
    });
}

#[test]
fn a_program_is_closed_as_a_user_would() {
    stage(|stage| {
        let (notepad, _, edit) = open_notepad(stage)?;
        stage.input.click_window(&edit)?;
        stage.input.type_text("unsaved")?;
        wait_for_text(stage, &edit, "unsaved")?;
        stage.input.press("alt+F4")?;
        let question = stage.wait_for(&window().class("#32770").of(&notepad))?;
        let texts: Vec<String> =
            stage.probe.children(&question)?.into_iter().map(|child| child.title).collect();
        ensure!(texts.iter().any(|text| text.contains("save")), "no question about saving: {texts:?}");
        stage.input.press("alt+n")?;
        let code = notepad.wait(DEADLINE)?;
        ensure!(code == 0, "notepad ended with {code}");
        Ok(())
    });
}

#[test]
fn the_pointer_drags_and_double_clicks() {
    stage(|stage| {
        let (_, main, edit) = open_notepad(stage)?;
        stage.input.click_window(&edit)?;
        stage.input.type_text("first second")?;
        wait_for_text(stage, &edit, "first second")?;
        // The first word lies in the upper left corner; typing replaces what is selected.
        stage.input.double_click(edit.rect.left + 12, edit.rect.top + 8)?;
        stage.input.type_text("1st ")?;
        wait_for_text(stage, &edit, "1st second")?;
        let (x, y) = (main.rect.centre().0, main.rect.top + 12);
        stage.input.drag((x, y), (x + 60, y + 40))?;
        wait_until("notepad to be moved", DEADLINE, || {
            let windows = stage.probe.windows()?;
            let now = windows.iter().find(|window| window.hwnd == main.hwnd).context("notepad is gone")?;
            Ok((now.rect.left > main.rect.left && now.rect.top > main.rect.top).then_some(()))
        })
    });
}

/// Under Wine the other tests take the X server's input; this is the way that Windows takes.
#[test]
fn input_by_windows_itself_arrives_too() {
    stage(|stage| {
        let input = Input::by_send_input(&stage.probe);
        let (notepad, _, edit) = open_notepad(stage)?;
        input.click_window(&edit)?;
        input.type_text("Größe XL @ 5 € ☃\nsecond line")?;
        wait_for_text(stage, &edit, "Größe XL @ 5 € ☃\r\nsecond line")?;
        input.press("ctrl+Home")?;
        input.press("shift+End")?;
        input.type_text("first line")?;
        wait_for_text(stage, &edit, "first line\r\nsecond line")?;
        input.press("alt+F4")?;
        stage.wait_for(&window().class("#32770").of(&notepad))?;
        input.press("alt+n")?;
        let code = notepad.wait(DEADLINE)?;
        ensure!(code == 0, "notepad ended with {code}");
        Ok(())
    });
}

fn open_notepad(stage: &Stage) -> Result<(Program, Window, Window)> {
    let program = stage.start("notepad", &[])?;
    let main = stage.wait_for(&window().class("Notepad").of(&program))?;
    let edit = wait_until("the edit of notepad", DEADLINE, || {
        Ok(stage.probe.children(&main)?.into_iter().find(|child| child.class == "Edit"))
    })?;
    Ok((program, main, edit))
}

fn wait_for_text(stage: &Stage, control: &Window, expected: &str) -> Result<()> {
    let mut text = String::new();
    let arrived = wait_until("the typed text", DEADLINE, || {
        text = stage.probe.text(control)?;
        Ok((text == expected).then_some(()))
    });
    arrived.with_context(|| format!("expected {expected:?}\n     got {text:?}"))
}
