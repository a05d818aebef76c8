//! The control gallery does what later tests rely on: every control is there under its id, takes real input, and the
//! journal tells what its parent was told.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use harness::protocol::Button;
use harness::wait::DEADLINE;
use harness::{Program, Stage, Window, folders, stage, wait_until, window};

const IDS: &str = include_str!("../../samples/gallery/resource.h");

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
    stage("gallery_pages_show_their_controls", |stage| {
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

/// A click on every control, and Escape for whatever that opened. Neither crashes nor hangs it.
#[test]
fn gallery_survives_a_click_on_everything() {
    stage("gallery_survives_a_click_on_everything", |stage| {
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
fn gallery_buttons_tell_their_state() {
    stage("gallery_buttons_tell_their_state", |stage| {
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
fn gallery_menus_tell_what_was_chosen() {
    stage("gallery_menus_tell_what_was_chosen", |stage| {
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
        let (x, y) = gallery.control("IDC_PANEL_COMMAND")?.rect.centre();
        stage.input.click(Button::Right, x, y)?;
        gallery.expect("WM_CONTEXTMENU 2400")?;
        gallery.keys(&["b"])?;
        gallery.expect("WM_COMMAND 4051 menu")?;
        let (x, y) = gallery.control("IDC_PANEL_QUIET")?.rect.centre();
        stage.input.click(Button::Right, x, y)?;
        gallery.expect("WM_CONTEXTMENU 2402")?;
        gallery.keys(&["m", "g"])?;
        gallery.expect("TrackPopupMenu returned 4052")?;
        gallery.close()
    });
}

#[test]
fn gallery_edits_tell_their_text_but_no_secret() {
    stage("gallery_edits_tell_their_text_but_no_secret", |stage| {
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
fn gallery_lists_tell_the_selection() {
    stage("gallery_lists_tell_the_selection", |stage| {
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
    stage("gallery_canvas_and_drags_follow_the_pointer", |stage| {
        let gallery = Gallery::open(stage, "canvas")?;
        let (x, y) = gallery.control("IDC_CANVAS")?.rect.centre();
        stage.input.drag((x, y), (x + 80, y + 40))?;
        gallery.expect("STROKE 1 from=")?;
        gallery.turn_to("drag")?;
        let left = gallery.control("IDC_DRAG_LEFT")?.rect;
        let (x, y) = gallery.control("IDC_DRAG_RIGHT")?.rect.centre();
        // Its first row lies below the header.
        stage.input.drag((left.left + 20, left.top + 25), (x, y))?;
        gallery.expect("from=2301 to=2302")?;
        let list = gallery.control("IDC_DRAG_LIST")?.rect;
        stage.input.drag((list.left + 20, list.top + 8), (list.left + 20, list.top + 48))?;
        gallery.expect(r#"MOVED 2300 text="Alpha" from=0"#)?;
        gallery.close()
    });
}

#[test]
fn gallery_dialogs_open_and_close() {
    stage("gallery_dialogs_open_and_close", |stage| {
        let gallery = Gallery::open(stage, "dialogs")?;
        let before = gallery.windows()?;
        gallery.click("IDC_OPEN_MODAL")?;
        let modal = stage.wait_for(&window().title("Modal").of(&gallery.program))?;
        ensure!(modal.owner == gallery.main.hwnd, "{modal} has the owner {:#x}", modal.owner);
        stage.input.type_text("abc")?;
        gallery.expect(r#"WM_COMMAND 2800 EN_CHANGE text="abc""#)?;
        stage.input.press("alt+a")?;
        gallery.expect("DIALOG nested opened")?;
        stage.wait_for(&window().title("Modal from modal").of(&gallery.program))?;
        stage.input.press("Escape")?;
        gallery.expect("DIALOG nested result=2")?;
        stage.input.press("Return")?;
        gallery.expect("DIALOG modal result=1")?;
        gallery.wait_enabled()?;
        gallery.click("IDC_OPEN_BOX")?;
        let question = window().title("Message box").of(&gallery.program);
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
    stage("gallery_threads_have_windows_of_their_own", |stage| {
        let gallery = Gallery::open(stage, "windows")?;
        gallery.click("IDC_OPEN_SECOND")?;
        let second = window().title("Second thread").of(&gallery.program);
        let shown = stage.wait_for(&second)?;
        // By the pointer alone: under Wine a key may still go to the thread that was in front before.
        stage.input.click_window(&child(stage, &shown, "IDC_SECOND_CHECK")?)?;
        gallery.expect("WM_COMMAND 2853 BN_CLICKED checked=1")?;
        stage.input.click(Button::Left, shown.rect.right - 14, shown.rect.top + 13)?;
        gallery.expect("SECOND closed")?;
        stage.wait_gone(&second)?;
        gallery.wait_enabled()?;
        gallery.click("IDC_OPEN_ANSI")?;
        let ansi = stage.wait_for(&window().class("GalleryAnsi").title("Fenster für Ältere"))?;
        stage.input.click_window(&child(stage, &ansi, "IDC_ANSI_CHECK")?)?;
        gallery.expect("WM_COMMAND 2904 BN_CLICKED checked=1")?;
        stage.input.click_window(&child(stage, &ansi, "IDC_ANSI_EDIT")?)?;
        stage.input.press("End")?;
        stage.input.type_text("ß")?;
        gallery.expect(r#"WM_COMMAND 2901 EN_CHANGE text="fünfß""#)?;
        gallery.click("IDC_OPEN_LATE")?;
        stage.wait_for(&window().title("Late").of(&gallery.program))?;
        // Closed with windows of two threads still open.
        gallery.close()?;
        gallery.expect("LATE closed")
    });
}

/// A running gallery.
struct Gallery<'a> {
    stage: &'a Stage,
    program: Program,
    main: Window,
    journal: PathBuf,
}

impl<'a> Gallery<'a> {
    fn open(stage: &'a Stage, page: &str) -> Result<Self> {
        let sample = folders::sample("gallery");
        ensure!(sample.exists(), "{} is missing: run `cargo xtask build`", sample.display());
        let journal = stage.folder().join(format!("{page}.journal"));
        let args = ["--page", page, "--journal", &folders::for_windows(&journal)];
        let program = stage.start(&sample.display().to_string(), &args)?;
        let main = stage.wait_for(&window().class("GalleryFrame").of(&program))?;
        let gallery = Gallery { stage, program, main, journal };
        gallery.expect(&format!("PAGE {page}"))?;
        Ok(gallery)
    }

    /// Closes it as a user would; it must end well.
    fn close(&self) -> Result<()> {
        // By the pointer: a key goes to the thread that is in front, and that may change between two looks.
        let (x, y) = (self.main.rect.right - 14, self.main.rect.top + 13);
        self.stage.input.click(Button::Left, x, y)?;
        let code = self.program.wait(DEADLINE)?;
        ensure!(code == 0, "the gallery ended with {code}");
        let journal = self.journal()?;
        ensure!(journal.ends_with("END\n"), "the journal has no end:\n{journal}");
        Ok(())
    }

    fn journal(&self) -> Result<String> {
        Ok(fs::read_to_string(&self.journal).unwrap_or_default())
    }

    /// Waits for a line that contains `part`.
    fn expect(&self, part: &str) -> Result<()> {
        let found = wait_until(part, DEADLINE, || {
            Ok(self.journal()?.lines().any(|line| line.contains(part)).then_some(()))
        });
        found.with_context(|| format!("the journal:\n{}", self.journal().unwrap_or_default()))
    }

    fn control(&self, name: &str) -> Result<Window> {
        child(self.stage, &self.main, name)
    }

    fn click(&self, name: &str) -> Result<()> {
        self.stage.input.click_window(&self.control(name)?)
    }

    fn keys(&self, keys: &[&str]) -> Result<()> {
        keys.iter().try_for_each(|key| self.stage.input.press(key))
    }

    /// Turns to a later page by keyboard.
    fn turn_to(&self, page: &str) -> Result<()> {
        let expected = format!("PAGE {page}");
        for _ in 0..pages().len() {
            let before = self.journal()?.matches("PAGE ").count();
            self.stage.input.press("ctrl+Next")?;
            wait_until("the next page", DEADLINE, || {
                Ok((self.journal()?.matches("PAGE ").count() > before).then_some(()))
            })?;
            if self.journal()?.lines().any(|line| line == expected) {
                return Ok(());
            }
        }
        bail!("there is no page {page}")
    }

    /// Waits until no modal dialog holds it any more.
    fn wait_enabled(&self) -> Result<()> {
        self.stage.wait_for(&window().class("GalleryFrame").of(&self.program)).map(drop)
    }

    /// The titles of its visible top-level windows.
    fn windows(&self) -> Result<Vec<String>> {
        let windows = self.stage.probe.windows()?.into_iter();
        let own = windows.filter(|window| window.visible && window.pid == self.program.pid());
        Ok(own.map(|window| window.title).collect())
    }
}

fn child(stage: &Stage, parent: &Window, name: &str) -> Result<Window> {
    let id = IDS.lines().filter_map(definition).find(|(found, _)| *found == name);
    let (_, id) = id.with_context(|| format!("{name} is not in resource.h"))?;
    wait_until(&format!("{name} ({id}) to be shown"), DEADLINE, || {
        let children = stage.probe.children(parent)?;
        Ok(children.into_iter().find(|child| child.id == id && child.visible && !is_empty(child)))
    })
}

fn is_empty(window: &Window) -> bool {
    window.rect.right <= window.rect.left || window.rect.bottom <= window.rect.top
}

/// The pages in their order, each with the names of its controls.
fn pages() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut pages = Vec::new();
    let mut inside = false;
    for line in IDS.lines() {
        if line.starts_with("/*") {
            let name = line.strip_prefix("/* Page \"").and_then(|rest| rest.split('"').next());
            pages.extend(name.map(|name| (name, Vec::new())));
            inside = name.is_some();
        } else if let (true, Some((name, _)), Some((_, names))) = (inside, definition(line), pages.last_mut())
        {
            names.push(name);
        }
    }
    pages
}

/// The name and number of a `#define`.
fn definition(line: &str) -> Option<(&str, i32)> {
    let mut words = line.strip_prefix("#define ")?.split_whitespace();
    Some((words.next()?, words.next()?.parse().ok()?))
}
