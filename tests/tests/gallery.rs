//! Tests that the control gallery works as other tests rely on: every control exists under its id, takes real
//! input, and the journal lists the notifications of its parent.

use std::collections::HashMap;

use anyhow::{Context, ensure};
use harness::gallery::{Gallery, IDS, definition, pages};
use harness::wait::DEADLINE;
use harness::{stage, wait_until, window};

#[test]
fn gallery_ids_are_unique() {
    let mut names: HashMap<i32, &str> = HashMap::new();
    for (name, id) in IDS.lines().filter_map(definition) {
        let other = names.insert(id, name);
        assert_eq!(other, None, "{name} has the number of another: {id}");
    }
    assert!(names.len() > 200, "only {} ids were found", names.len());
}

#[test]
fn gallery_pages_show_their_controls() {
    stage(|stage| {
        for (page, names) in pages() {
            let gallery = Gallery::open(stage, page)?;
            for name in names {
                let control = gallery.control(name).with_context(|| format!("page {page}"))?;
                let (inner, outer) = (control.rect, gallery.main.rect);
                ensure!(
                    inner.left >= outer.left && inner.right <= outer.right && inner.bottom <= outer.bottom,
                    "{name} of page {page} is cut off: {control}"
                );
            }
            gallery.close().with_context(|| format!("page {page}"))?;
        }
        Ok(())
    });
}

/// Clicks every control and presses Escape for whatever that opened. The gallery neither crashes nor hangs.
#[test]
fn gallery_survives_a_click_on_everything() {
    stage(|stage| {
        for (page, names) in pages() {
            // Their buttons open windows that Escape does not close.
            if page == "dialogs" || page == "windows" {
                continue;
            }
            let gallery = Gallery::open(stage, page)?;
            for name in names {
                stage.input.click_window(&gallery.control(name)?)?;
                stage.input.press("Escape")?;
            }
            gallery.close().with_context(|| format!("page {page}"))?;
        }
        Ok(())
    });
}

#[test]
fn gallery_buttons_report_their_state() {
    stage(|stage| {
        let gallery = Gallery::open(stage, "buttons")?;
        gallery.click("IDC_CHECK_OFF")?;
        gallery.expect("WM_COMMAND 1107 BN_CLICKED checked=1")?;
        gallery.click("IDC_CHECK_OFF")?;
        gallery.expect("WM_COMMAND 1107 BN_CLICKED checked=0")?;
        gallery.click("IDC_THREE_STATE_MIXED")?;
        gallery.expect("WM_COMMAND 1111 BN_CLICKED checked=0")?;
        gallery.click("IDC_APPLE")?;
        gallery.expect("WM_COMMAND 1114 BN_CLICKED checked=1")?;
        gallery.click("IDC_OWNER_DRAWN_BUTTON")?;
        gallery.expect("WM_COMMAND 1103 BN_CLICKED")?;
        stage.input.press("Return")?;
        gallery.expect("WM_COMMAND 1101 BN_CLICKED").context("Return presses the default button")?;
        gallery.close()
    });
}

#[test]
fn gallery_menus_report_the_choice() {
    stage(|stage| {
        let gallery = Gallery::open(stage, "menus")?;
        gallery.click("IDC_EVENTS")?;
        gallery.keys(&["alt+v", "l"])?;
        gallery.expect("WM_COMMAND 4024 menu")?;
        gallery.keys(&["ctrl+b"])?;
        gallery.expect("WM_COMMAND 4030 accelerator")?;
        gallery.keys(&["alt+f", "r", "2"])?;
        gallery.expect("WM_COMMAND 4201 menu").context("the menu filled while it opens")?;
        gallery.keys(&["alt+o", "d", "d", "d", "c"])?;
        gallery.expect("WM_COMMAND 4302 menu").context("the menu in a menu in a menu")?;
        gallery.choose_from_context_menus()?;
        gallery.close()
    });
}

#[test]
fn gallery_edits_report_their_text_but_no_secret() {
    stage(|stage| {
        let gallery = Gallery::open(stage, "edits")?;
        gallery.click("IDC_NAME")?;
        stage.input.type_text("Jürgen")?;
        gallery.expect(r#"WM_COMMAND 1201 EN_CHANGE text="Jürgen""#)?;
        gallery.click("IDC_UPPER")?;
        stage.input.type_text("loud")?;
        gallery.expect(r#"WM_COMMAND 1209 EN_CHANGE text="LOUD""#)?;
        gallery.click("IDC_RICH")?;
        stage.input.press("ctrl+End")?;
        stage.input.type_text("x")?;
        gallery.expect(r#"WM_COMMAND 1221 EN_CHANGE text="Rich text.x""#)?;
        gallery.click("IDC_PASSWORD")?;
        stage.input.type_text("swordfish")?;
        gallery.expect("WM_COMMAND 1205 EN_CHANGE length=9 hash=7e976e90")?;
        ensure!(!gallery.journal()?.contains("sword"), "the password is in the journal");
        gallery.close()
    });
}

#[test]
fn gallery_lists_report_the_selection() {
    stage(|stage| {
        let gallery = Gallery::open(stage, "combos")?;
        gallery.click("IDC_COMBO_LIST")?;
        gallery.expect("WM_COMMAND 1402 CBN_DROPDOWN")?;
        gallery.keys(&["Down", "Return"])?;
        gallery.expect(r#"WM_COMMAND 1402 CBN_SELCHANGE item=1 text="Copper""#)?;
        gallery.expect("WM_COMMAND 1402 CBN_CLOSEUP")?;
        gallery.turn_to("list-views")?;
        gallery.click("IDC_LV_REPORT")?;
        gallery.keys(&["Home", "space"])?;
        gallery.expect("WM_NOTIFY 1500 LVN_ITEMCHANGED item=0 selected=1")?;
        gallery.expect("WM_NOTIFY 1500 LVN_ITEMCHANGED item=0 checked=1")?;
        gallery.click("IDC_LV_VIRTUAL")?;
        gallery.keys(&["End"])?;
        gallery.expect("WM_NOTIFY 1501 LVN_ITEMCHANGED item=99999 selected=1")?;
        gallery.turn_to("trees")?;
        gallery.click("IDC_TREE_LAZY")?;
        gallery.keys(&["Home", "Right", "Down"])?;
        gallery.expect(r#"WM_NOTIFY 1702 TVN_ITEMEXPANDED expand text="Drive A""#)?;
        gallery.expect(r#"WM_NOTIFY 1702 TVN_SELCHANGED text="Drive A.1""#)?;
        gallery.close()
    });
}

#[test]
fn gallery_canvas_and_drags_follow_the_pointer() {
    stage(|stage| {
        let gallery = Gallery::open(stage, "canvas")?;
        let (x, y) = gallery.control("IDC_CANVAS")?.rect.centre();
        stage.input.drag((x, y), (x + 80, y + 40))?;
        gallery.expect("STROKE 1 from=")?;
        gallery.turn_to("drag")?;
        gallery.drag_items()?;
        gallery.close()
    });
}

#[test]
fn gallery_dialogs_open_and_close() {
    stage(|stage| {
        let gallery = Gallery::open(stage, "dialogs")?;
        let before = gallery.windows()?;
        gallery.click("IDC_OPEN_MODAL")?;
        let modal = stage.wait_for(&window().title("Modal").of_process(gallery.main.pid))?;
        ensure!(modal.owner == gallery.main.hwnd, "{modal} has the owner {:#x}", modal.owner);
        stage.input.type_text("abc")?;
        gallery.expect(r#"WM_COMMAND 2800 EN_CHANGE text="abc""#)?;
        stage.input.press("alt+a")?;
        gallery.expect("DIALOG nested opened")?;
        stage.wait_for(&window().title("Modal from modal").of_process(gallery.main.pid))?;
        stage.input.press("Escape")?;
        gallery.expect("DIALOG nested result=2")?;
        stage.input.press("Return")?;
        gallery.expect("DIALOG modal result=1")?;
        gallery.wait_enabled()?;
        gallery.click("IDC_OPEN_BOX")?;
        let question = window().title("Message box").of_process(gallery.main.pid);
        stage.wait_for(&question)?;
        stage.input.press("Return")?;
        gallery.expect("BOX result=1")?;
        stage.wait_gone(&question)?;
        wait_until("the windows from before", DEADLINE, || Ok((gallery.windows()? == before).then_some(())))?;
        gallery.close()
    });
}

#[test]
fn gallery_threads_have_windows_of_their_own() {
    stage(|stage| {
        let gallery = Gallery::open(stage, "windows")?;
        gallery.use_windows_of_other_kinds()?;
        gallery.click("IDC_OPEN_LATE")?;
        stage.wait_for(&window().title("Late").of_process(gallery.main.pid))?;
        // Closed with windows of two threads still open.
        gallery.close()?;
        gallery.expect("LATE closed")
    });
}
