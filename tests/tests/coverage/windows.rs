//! Windows of every kind.

use crate::row::{Chapter, Gap, Row, Scene, row};
use anyhow::Result;
use harness::gallery::child;
use harness::protocol::{Button, Rect};
use harness::wait::DEADLINE;
use harness::{Window, wait_until, window};

/// The second document of the MDI frame, once its place is right.
fn document(scene: &Scene<'_>, mdi: &Window, is_there: impl Fn(Rect) -> bool) -> Result<Window> {
    wait_until("the document", DEADLINE, || {
        let children = scene.stage.probe.children(mdi)?;
        let document = children.into_iter().find(|child| child.title == "Document 2" && child.visible);
        Ok(document.filter(|document| is_there(document.rect)))
    })
}

/// Clicks a button of a document's title bar, counted from the right.
fn button_of(scene: &Scene<'_>, document: &Window, number: i32) -> Result<()> {
    scene.click_at(Button::Left, document.rect.right - 14 - 18 * number, document.rect.top + 13)
}

const WINDOW_ROWS: &[Row] = &[
    row(
        "window of a second thread",
        "a check box, closed by its button",
        |scene| {
            scene.click("IDC_OPEN_SECOND")?;
            let second = scene.shown("Second thread")?;
            scene.stage.input.click_window(&child(scene.stage, &second, "IDC_SECOND_CHECK")?)?;
            scene.expect("2853 BN_CLICKED checked=1")?;
            scene.click_at(Button::Left, second.rect.right - 14, second.rect.top + 13)?;
            scene.expect("SECOND closed")?;
            scene.gone("Second thread")?;
            scene.click_in("IDC_PAGES", 20, 240)
        },
        &["2853 BN_CLICKED checked=1", "SECOND closed"],
    ),
    row(
        "window of a program without Unicode",
        "a check box, a text, closed by Alt and F4",
        |scene| {
            scene.click("IDC_OPEN_ANSI")?;
            let ansi = scene.stage.wait_for(&window().class("GalleryAnsi"))?;
            scene.stage.input.click_window(&child(scene.stage, &ansi, "IDC_ANSI_CHECK")?)?;
            scene.expect("2904 BN_CLICKED checked=1")?;
            scene.stage.input.click_window(&child(scene.stage, &ansi, "IDC_ANSI_EDIT")?)?;
            scene.keys(&["End"])?;
            scene.type_text("ß")?;
            scene.expect(r#"2901 EN_CHANGE text="fünfß""#)?;
            scene.keys(&["alt+F4"])?;
            scene.stage.wait_gone(&window().class("GalleryAnsi"))?;
            // Wine misses the release of a key whose press closed the window.
            scene.stage.probe.release_modifiers()?;
            scene.wait_enabled()?;
            scene.click_in("IDC_PAGES", 20, 240)
        },
        &["2904 BN_CLICKED checked=1", r#"2901 EN_CHANGE text="fünfß""#],
    ),
    row(
        "window that appears late, of a worker thread",
        "waited for, closed by Esc",
        |scene| {
            scene.click("IDC_OPEN_LATE")?;
            let late = scene.shown("Late")?;
            scene.click_at(Button::Left, late.rect.right - 14, late.rect.top + 13)?;
            scene.expect("LATE closed")?;
            scene.gone("Late")?;
            scene.click_in("IDC_PAGES", 20, 240)
        },
        &["LATE closed"],
    ),
    row(
        "window that comes and goes by itself",
        "opened; the replay does not wait for what nothing is done to",
        |scene| {
            scene.click("IDC_OPEN_TIMED")?;
            scene.expect("TIMED vanished")
        },
        &["2504 BN_CLICKED"],
    ),
    row(
        "window whose title is the time and a temporary path, another in every run",
        "closed by its button",
        |scene| {
            scene.click("IDC_OPEN_CLOCK")?;
            let clock = scene.shown("Clock")?;
            scene.stage.input.click_window(&child(scene.stage, &clock, "IDC_CLOCK_CLOSE")?)?;
            scene.expect("CLOCK closed")?;
            scene.gone("Clock")
        },
        &["CLOCK opened", "2960 BN_CLICKED", "CLOCK closed"],
    ),
    row(
        "MDI",
        "typed, tiled, cascaded, a document closed, all closed",
        |scene| {
            scene.click("IDC_OPEN_MDI")?;
            let mdi = scene.stage.wait_for(&window().class("GalleryMdiFrame").of_process(scene.main.pid))?;
            let edit = wait_until("a document", DEADLINE, || {
                let children = scene.stage.probe.children(&mdi)?;
                Ok(children.into_iter().find(|child| child.class == "Edit" && child.visible))
            })?;
            scene.stage.input.click_window(&edit)?;
            scene.type_text("draft")?;
            scene.expect(r#"2951 EN_CHANGE text="draft""#)?;
            scene.keys(&["alt+w", "v"])?;
            scene.expect("WM_COMMAND 4062 menu")?;
            scene.keys(&["alt+w", "c"])?;
            scene.expect("WM_COMMAND 4063 menu")?;
            scene.keys(&["ctrl+F4"])?;
            scene.keys(&["alt+F4"])?;
            scene.expect("MDI closed")?;
            scene.stage.wait_gone(&window().class("GalleryMdiFrame").of_process(scene.main.pid))?;
            scene.stage.probe.release_modifiers()?;
            scene.wait_enabled()?;
            scene.click_in("IDC_PAGES", 20, 240)
        },
        &[r#"2951 EN_CHANGE text="draft""#, "WM_COMMAND 4062 menu", "WM_COMMAND 4063 menu", "MDI closed"],
    ),
    row(
        "MDI",
        "a document minimised, restored and maximised by its buttons",
        |scene| {
            scene.click("IDC_OPEN_MDI")?;
            let frame = window().class("GalleryMdiFrame").of_process(scene.main.pid);
            let mdi = scene.stage.wait_for(&frame)?;
            let minimise = document(scene, &mdi, |_| true)?;
            button_of(scene, &minimise, 2)?;
            let icon = document(scene, &mdi, |rect| rect.bottom - rect.top < 60)?;
            scene.stage.input.double_click(icon.rect.left + 40, icon.rect.top + 10)?;
            let restored = document(scene, &mdi, |rect| rect == minimise.rect)?;
            button_of(scene, &restored, 1)?;
            document(scene, &mdi, |rect| rect.bottom - rect.top > 350)?;
            scene.keys(&["alt+F4"])?;
            scene.expect("MDI closed")?;
            scene.stage.wait_gone(&frame)?;
            scene.stage.probe.release_modifiers()?;
            scene.wait_enabled()?;
            scene.click_in("IDC_PAGES", 20, 240)
        },
        &["MDI closed"],
    ),
    row(
        "MDI",
        "another document activated by click and by Ctrl and Tab, typed into",
        |scene| {
            scene.click("IDC_OPEN_MDI")?;
            let frame = window().class("GalleryMdiFrame").of_process(scene.main.pid);
            let mdi = scene.stage.wait_for(&frame)?;
            document(scene, &mdi, |_| true)?;
            let first = wait_until("the first document", DEADLINE, || {
                let children = scene.stage.probe.children(&mdi)?;
                Ok(children.into_iter().find(|child| child.title == "Document 1" && child.visible))
            })?;
            scene.click_at(Button::Left, first.rect.left + 60, first.rect.top + 13)?;
            scene.type_text("one")?;
            scene.expect(r#"2951 EN_CHANGE text="one""#)?;
            scene.keys(&["ctrl+Tab"])?;
            scene.type_text("two")?;
            scene.expect(r#"2951 EN_CHANGE text="two""#)?;
            scene.keys(&["alt+F4"])?;
            scene.expect("MDI closed")?;
            scene.stage.wait_gone(&frame)?;
            scene.stage.probe.release_modifiers()?;
            scene.wait_enabled()?;
            scene.click_in("IDC_PAGES", 20, 240)
        },
        &[r#"2951 EN_CHANGE text="one""#, r#"2951 EN_CHANGE text="two""#, "MDI closed"],
    ),
    row(
        "docking pane, re-parented",
        "floated by its button, typed into, docked by the button again",
        |scene| {
            scene.click("IDC_DOCK_FLOAT")?;
            scene.expect("DOCK floating")?;
            let floating = scene.shown("Floating pane")?;
            scene.stage.input.click_window(&child(scene.stage, &floating, "IDC_DOCK_EDIT")?)?;
            scene.type_text("afloat")?;
            scene.expect(r#"2511 EN_CHANGE text="afloat""#)?;
            scene.stage.input.click_window(&child(scene.stage, &floating, "IDC_DOCK_FLOAT")?)?;
            scene.expect("DOCK docked")?;
            scene.gone("Floating pane")?;
            scene.click("IDC_DOCK_EDIT")?;
            scene.keys(&["End"])?;
            scene.type_text("!")?;
            scene.expect(r#"2511 EN_CHANGE text="afloat!""#)
        },
        &[
            "DOCK floating",
            r#"2511 EN_CHANGE text="afloat""#,
            "DOCK docked",
            r#"2511 EN_CHANGE text="afloat!""#,
        ],
    ),
    row(
        "docking pane, re-parented",
        "dragged out by its grip, its frame dragged back over the dock",
        |scene| {
            let dock = scene.rect("IDC_DOCK")?;
            let grip = (dock.left + 5, dock.top + 60);
            scene.stage.input.drag(grip, (grip.0 + 420, grip.1 - 60))?;
            scene.expect("DOCK floating")?;
            let floating = scene.shown("Floating pane")?;
            let title = (floating.rect.left + 40, floating.rect.top + 8);
            let by = (dock.left + 20 - floating.rect.left, dock.top + 20 - floating.rect.top);
            scene.stage.input.drag(title, (title.0 + by.0, title.1 + by.1))?;
            scene.expect("DOCK docked")?;
            scene.gone("Floating pane")
        },
        &["DOCK floating", "DOCK docked"],
    ),
    row(
        "splash screen",
        "clicked away",
        |scene| {
            scene.click("IDC_OPEN_SPLASH")?;
            let splash = scene.stage.wait_for(&window().class("GallerySplash").of_process(scene.main.pid))?;
            scene.stage.input.click_window(&splash)?;
            scene.expect("SPLASH clicked")?;
            scene.expect("SPLASH gone")?;
            scene.wait_enabled()
        },
        &["2508 BN_CLICKED", "SPLASH clicked"],
    ),
    row(
        "splash screen",
        "seen until it goes",
        |scene| {
            scene.click("IDC_OPEN_SPLASH")?;
            scene.expect("SPLASH gone")
        },
        &["2508 BN_CLICKED"],
    ),
    row(
        "icon beside the clock",
        "an item of its menu, by mouse and by key",
        |scene| {
            scene.click("IDC_OPEN_TRAY")?;
            scene.expect("TRAY added")?;
            // The menu comes long after the last thing done to the program itself, as it does for a user.
            scene.click("IDC_OPEN_TIMED")?;
            scene.expect("TIMED vanished")?;
            // Wine draws the icons at the right end of its bar.
            let bar = scene.stage.wait_for(&window().class("Shell_TrayWnd"))?.rect;
            let (x, y) = (bar.right - 11, i32::midpoint(bar.top, bar.bottom));
            scene.click_at(Button::Right, x, y)?;
            let menu = scene.menu()?;
            scene.click_at(Button::Left, menu.rect.left + 30, menu.rect.bottom - 10)?;
            scene.expect("WM_COMMAND 4093 menu")?;
            scene.expect("TRAY removed")?;
            scene.wait_enabled()?;
            scene.click_in("IDC_PAGES", 20, 240)
        },
        &["TRAY added", "WM_COMMAND 4093 menu", "TRAY removed"],
    ),
    row(
        "main window",
        "made larger by its lower edge",
        |scene| {
            let main = scene.main.rect;
            let edge = ((main.left + main.right) / 2, main.bottom - 2);
            scene.stage.input.drag(edge, (edge.0, edge.1 - 40))?;
            wait_until("the smaller window", DEADLINE, || {
                let now =
                    window().class("GalleryFrame").of_process(scene.main.pid).find(&scene.stage.probe)?;
                Ok(now.filter(|now| now.rect.bottom < main.bottom))
            })
            .map(drop)
        },
        &[],
    ),
];

const WINDOW_GAPS: &[Gap] = &[Gap {
    control: "icon beside the clock",
    interaction: "a click that opens no menu; a menu that tells no WM_COMMAND",
    why: "the icon's message is the program's own, and nothing tells it from others",
    instead: "nothing at a click; *blocked* at such a menu",
}];

pub(crate) const WINDOWS: Chapter = Chapter::new("windows", "windows", WINDOW_ROWS).gaps(WINDOW_GAPS);
