//! The sessions behind the recordings of `tests/recordings/steps`: real input in real programs. Each action
//! waits for its effect, so that every run gives the same steps.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use harness::gallery::{Gallery, child};
use harness::invoice::{Invoice, crash_session, id};
use harness::protocol::{Button, Rect};
use harness::wait::DEADLINE;
use harness::{Recording, Stage, folders, wait_until, window};

/// Plays a session and returns the folder of its log.
pub(crate) type Session = fn(&Stage) -> Result<PathBuf>;

/// Every session by the name of its recording.
pub(crate) const SESSIONS: &[(&str, Session)] = &[
    ("buttons", buttons),
    ("edits", edits),
    ("lists", lists),
    ("combos", combos),
    ("list-views", list_views),
    ("trees", trees),
    ("ranges", ranges),
    ("dates", dates),
    ("bars-and-tabs", bars_and_tabs),
    ("dialogs", dialogs),
    ("common-dialogs", common_dialogs),
    ("canvas", canvas),
    ("drag", drag),
    ("menus", menus),
    ("windows", windows),
    ("frames", frames),
    ("items", items),
    ("invoice-crash", invoice_crash),
    ("invoice", invoice),
    ("invoice-tour", invoice_tour),
    ("notepad", notepad),
    ("wordpad", wordpad),
];

fn play(stage: &Stage, page: &str, act: impl FnOnce(&Gallery<'_>) -> Result<()>) -> Result<PathBuf> {
    let gallery = Gallery::open_recorded(stage, page)?;
    let recording = gallery.recording.as_ref().context("not recorded")?;
    recording.wait_known(&gallery.main)?;
    act(&gallery)?;
    gallery.close()?;
    Ok(recording.folder.clone())
}

fn point(rect: Rect, x: i32, y: i32) -> (i32, i32) {
    (rect.left + x, rect.top + y)
}

pub(crate) fn buttons(stage: &Stage) -> Result<PathBuf> {
    play(stage, "buttons", |gallery| {
        gallery.click("IDC_CHECK_OFF")?;
        gallery.expect("WM_COMMAND 1107 BN_CLICKED checked=1")?;
        gallery.click("IDC_CHECK_OFF")?;
        gallery.expect("WM_COMMAND 1107 BN_CLICKED checked=0")?;
        gallery.click("IDC_THREE_STATE")?;
        gallery.click("IDC_THREE_STATE")?;
        gallery.expect("WM_COMMAND 1110 BN_CLICKED checked=2")?;
        gallery.click("IDC_APPLE")?;
        gallery.expect("WM_COMMAND 1114 BN_CLICKED checked=1")?;
        gallery.keys(&["Down"])?;
        gallery.expect("WM_COMMAND 1115 BN_CLICKED checked=1")?;
        gallery.click("IDC_OWNER_DRAWN_BUTTON")?;
        gallery.expect("WM_COMMAND 1103 BN_CLICKED")?;
        gallery.click("IDC_PUSH")?;
        gallery.expect("WM_COMMAND 1100 BN_CLICKED")?;
        gallery.keys(&["Tab", "Return"])?;
        gallery.expect("WM_COMMAND 1101 BN_CLICKED")?;
        gallery.keys(&["alt+l"])?;
        gallery.expect("WM_COMMAND 1105 BN_CLICKED")?;
        gallery.keys(&["alt+i"])?;
        gallery.expect("WM_COMMAND 1106 BN_CLICKED checked=0")?;
        gallery.keys(&["space"])?;
        gallery.expect("WM_COMMAND 1106 BN_CLICKED checked=1")?;
        gallery.click("IDC_ENABLE")?;
        gallery.click("IDC_DISABLED")?;
        gallery.expect("WM_COMMAND 1102 BN_CLICKED")?;
        let (x, y) = gallery.control("IDC_DOUBLE")?.rect.centre();
        stage.input.double_click(x, y)?;
        gallery.expect("WM_COMMAND 1124 BN_DBLCLK")?;
        // Presses the button and releases it elsewhere.
        let push = gallery.control("IDC_PUSH")?.rect.centre();
        stage.input.drag(push, (push.0, push.1 + 200))?;
        gallery.click("IDC_TWIN_2")?;
        gallery.expect("WM_COMMAND 1123 BN_CLICKED")
    })
}

pub(crate) fn edits(stage: &Stage) -> Result<PathBuf> {
    play(stage, "edits", |gallery| {
        gallery.click("IDC_NAME")?;
        gallery.type_text("Jürgen")?;
        gallery.expect(r#"WM_COMMAND 1201 EN_CHANGE text="Jürgen""#)?;
        gallery.keys(&["ctrl+a", "ctrl+c", "Tab", "ctrl+v"])?;
        gallery.expect(r#"WM_COMMAND 1203 EN_CHANGE text="Jürgen""#)?;
        gallery.click("IDC_PASSWORD")?;
        gallery.type_text("swordfish")?;
        gallery.expect("WM_COMMAND 1205 EN_CHANGE length=9")?;
        gallery.click("IDC_NOTES")?;
        gallery.type_text("one\ntwo")?;
        gallery.expect("1217 EN_CHANGE")?;
        gallery.keys(&["BackSpace", "BackSpace", "ctrl+z"])?;
        gallery.click("IDC_UPPER")?;
        gallery.type_text("loud")?;
        gallery.expect(r#"WM_COMMAND 1209 EN_CHANGE text="LOUD""#)?;
        let upper = gallery.control("IDC_UPPER")?.rect.centre();
        stage.input.double_click(upper.0 - 60, upper.1)?;
        gallery.click("IDC_UNLABELLED")?;
        gallery.type_text("x")?;
        gallery.expect("1224 EN_CHANGE")?;
        gallery.click("IDC_RICH")?;
        gallery.keys(&["ctrl+End"])?;
        gallery.type_text(" It is.")?;
        gallery.expect("Rich text. It is.")?;
        gallery.keys(&["F5"])?;
        gallery.type_text(" Yes")?;
        gallery.expect("It is. Yes")
    })
}

pub(crate) fn lists(stage: &Stage) -> Result<PathBuf> {
    play(stage, "lists", |gallery| {
        let single = gallery.control("IDC_LIST_SINGLE")?.rect;
        let (x, y) = point(single, 20, 24);
        gallery.click_at(Button::Left, x, y)?;
        gallery.expect("WM_COMMAND 1300 LBN_SELCHANGE")?;
        gallery.keys(&["Home"])?;
        gallery.expect("WM_COMMAND 1300 LBN_SELCHANGE item=0")?;
        stage.input.double_click(x, y + 32)?;
        gallery.expect("WM_COMMAND 1300 LBN_DBLCLK")?;
        let several = gallery.control("IDC_LIST_MULTIPLE")?.rect;
        for row in [8, 40] {
            let (x, y) = point(several, 20, row);
            gallery.click_at(Button::Left, x, y)?;
        }
        gallery.expect("WM_COMMAND 1301 LBN_SELCHANGE")?;
        let extended = gallery.control("IDC_LIST_EXTENDED")?.rect;
        let (x, y) = point(extended, 20, 8);
        gallery.click_at(Button::Left, x, y)?;
        gallery.keys(&["shift+Down", "shift+Down"])?;
        gallery.expect("WM_COMMAND 1302 LBN_SELCHANGE")?;
        gallery.click("IDC_LIST_NO_STRINGS")?;
        gallery.keys(&["Home"])?;
        gallery.expect("WM_COMMAND 1304")?;
        gallery.click("IDC_LIST_ADD")?;
        gallery.expect("WM_COMMAND 1306 BN_CLICKED")
    })
}

pub(crate) fn combos(stage: &Stage) -> Result<PathBuf> {
    play(stage, "combos", |gallery| {
        gallery.click("IDC_COMBO_LIST")?;
        gallery.expect("WM_COMMAND 1402 CBN_DROPDOWN")?;
        gallery.keys(&["Down", "Return"])?;
        gallery.expect(r#"WM_COMMAND 1402 CBN_SELCHANGE item=1 text="Copper""#)?;
        gallery.expect("WM_COMMAND 1402 CBN_CLOSEUP")?;
        gallery.click("IDC_COMBO_SORTED")?;
        gallery.expect("WM_COMMAND 1403 CBN_DROPDOWN")?;
        let sorted = gallery.control("IDC_COMBO_SORTED")?.rect;
        gallery.click_at(Button::Left, sorted.left + 30, sorted.bottom + 24)?;
        gallery.expect("WM_COMMAND 1403 CBN_CLOSEUP")?;
        gallery.click("IDC_COMBO_OWNER_DRAWN")?;
        gallery.expect("WM_COMMAND 1404 CBN_DROPDOWN")?;
        gallery.keys(&["Escape"])?;
        gallery.expect("WM_COMMAND 1404 CBN_CLOSEUP")?;
        gallery.keys(&["Down"])?;
        gallery.expect("WM_COMMAND 1404 CBN_SELCHANGE")?;
        gallery.click("IDC_COMBO_DROP_DOWN")?;
        gallery.keys(&["ctrl+a"])?;
        gallery.type_text("Brass")?;
        gallery.expect("WM_COMMAND 1401 CBN_EDITCHANGE")?;
        gallery.keys(&["Tab"])?;
        gallery.click("IDC_COMBO_LONG")?;
        gallery.expect("WM_COMMAND 1408 CBN_DROPDOWN")?;
        gallery.keys(&["F4"])?;
        gallery.expect("WM_COMMAND 1408 CBN_CLOSEUP")
    })
}

pub(crate) fn list_views(stage: &Stage) -> Result<PathBuf> {
    play(stage, "list-views", |gallery| {
        let list = gallery.control("IDC_LV_REPORT")?.rect;
        let row = |n: i32| point(list, 60, 28 + n * 17);
        let (x, y) = row(1);
        gallery.click_at(Button::Left, x, y)?;
        gallery.expect("WM_NOTIFY 1500 LVN_ITEMCHANGED item=1 selected=1")?;
        gallery.keys(&["shift+Down", "shift+Down"])?;
        gallery.expect("WM_NOTIFY 1500 LVN_ITEMCHANGED item=3 selected=1")?;
        gallery.keys(&["Home", "space"])?;
        gallery.expect("WM_NOTIFY 1500 LVN_ITEMCHANGED item=0 checked=1")?;
        let (x, y) = row(2);
        stage.input.double_click(x, y)?;
        gallery.expect("WM_NOTIFY 1500 LVN_ITEMACTIVATE")?;
        gallery.click_at(Button::Left, list.left + 20, list.top + 10)?;
        gallery.expect("WM_NOTIFY 1500 LVN_COLUMNCLICK")?;
        gallery.click("IDC_LV_VIRTUAL")?;
        gallery.keys(&["End"])?;
        gallery.expect("WM_NOTIFY 1501 LVN_ITEMCHANGED item=99999 selected=1")?;
        gallery.click("IDC_LV_CALLBACK")?;
        gallery.keys(&["Home"])?;
        gallery.expect("WM_NOTIFY 1502 LVN_ITEMCHANGED item=0 selected=1")?;
        let full = gallery.control("IDC_LV_FULL_ROW")?.rect;
        let (x, y) = point(full, 40, 28);
        gallery.click_at(Button::Right, x, y)?;
        gallery.expect("WM_NOTIFY 1503 NM_RCLICK")?;
        gallery.click_at(Button::Left, x, y)?;
        gallery.keys(&["Return"])?;
        gallery.expect("WM_COMMAND 1 dialog key")?;
        // Into the list again, and another name for an item.
        let (x, y) = row(1);
        gallery.click_at(Button::Left, x, y)?;
        gallery.keys(&["F2"])?;
        Ok(())
    })
}

pub(crate) fn trees(stage: &Stage) -> Result<PathBuf> {
    play(stage, "trees", |gallery| {
        gallery.click("IDC_TREE_LAZY")?;
        gallery.keys(&["Home", "Right", "Down"])?;
        gallery.expect(r#"WM_NOTIFY 1702 TVN_ITEMEXPANDED expand text="Drive A""#)?;
        gallery.expect(r#"WM_NOTIFY 1702 TVN_SELCHANGED text="Drive A.1""#)?;
        gallery.keys(&["Left", "Left"])?;
        gallery.expect(r#"WM_NOTIFY 1702 TVN_ITEMEXPANDED collapse text="Drive A""#)?;
        let plain = gallery.control("IDC_TREE_PLAIN")?.rect;
        let (x, y) = point(plain, 50, 10);
        gallery.click_at(Button::Left, x, y)?;
        gallery.expect("WM_NOTIFY 1700 TVN_SELCHANGED")?;
        // The plus sign, then the name.
        let (x, y) = point(plain, 11, 10);
        gallery.click_at(Button::Left, x, y)?;
        gallery.expect("WM_NOTIFY 1700 TVN_ITEMEXPANDED")?;
        let checks = gallery.control("IDC_TREE_CHECKS")?.rect;
        let (x, y) = point(checks, 60, 10);
        gallery.click_at(Button::Left, x, y)?;
        gallery.keys(&["space"])?;
        stage.input.double_click(x, y + 18)?;
        gallery.expect("WM_NOTIFY 1701 NM_DBLCLK")
    })
}

pub(crate) fn ranges(stage: &Stage) -> Result<PathBuf> {
    play(stage, "ranges", |gallery| {
        gallery.click("IDC_TRACK_HORIZONTAL")?;
        gallery.keys(&["Home", "Right", "Right"])?;
        gallery.expect("WM_HSCROLL 1800")?;
        let bar = gallery.control("IDC_SCROLL_HORIZONTAL")?.rect;
        gallery.click_at(Button::Left, bar.right - 6, (bar.top + bar.bottom) / 2)?;
        gallery.expect("WM_HSCROLL 1803 SB_LINE")?;
        gallery.click_at(Button::Left, bar.right - 40, (bar.top + bar.bottom) / 2)?;
        gallery.expect("WM_HSCROLL 1803 SB_PAGE")?;
        let vertical = gallery.control("IDC_SCROLL_VERTICAL")?.rect;
        let x = (vertical.left + vertical.right) / 2;
        stage.input.drag((x, vertical.top + 24), (x, vertical.top + 80))?;
        gallery.expect("WM_VSCROLL 1804")?;
        let alone = gallery.control("IDC_UPDOWN_ALONE")?.rect;
        gallery.click_at(Button::Left, (alone.left + alone.right) / 2, alone.top + 5)?;
        gallery.expect("1808")?;
        gallery.click("IDC_UPDOWN_EDIT")?;
        gallery.keys(&["Up", "Up"])?;
        gallery.expect("1806 EN_CHANGE")?;
        let (x, y) = gallery.control("IDC_SCROLLER")?.rect.centre();
        stage.input.wheel(x, y, -2)?;
        let scroller = gallery.control("IDC_SCROLLER")?.rect;
        gallery.click_at(Button::Left, scroller.right - 9, scroller.bottom - 27)?;
        gallery.expect("WM_VSCROLL")
    })
}

pub(crate) fn dates(stage: &Stage) -> Result<PathBuf> {
    play(stage, "dates", |gallery| {
        let short = gallery.control("IDC_DATE_SHORT")?.rect;
        let (x, y) = point(short, 12, 10);
        gallery.click_at(Button::Left, x, y)?;
        gallery.keys(&["Up"])?;
        gallery.expect("WM_NOTIFY 1900 DTN_DATETIMECHANGE")?;
        let (x, y) = gallery.control("IDC_CALENDAR")?.rect.centre();
        gallery.click_at(Button::Left, x, y)?;
        gallery.expect("WM_NOTIFY 1906 MCN_SELECT")?;
        gallery.click("IDC_HOT_KEY")?;
        gallery.keys(&["ctrl+k"])?;
        let address = gallery.control("IDC_IP_ADDRESS")?.rect;
        let (x, y) = point(address, 20, 10);
        gallery.click_at(Button::Left, x, y)?;
        gallery.keys(&["ctrl+a"])?;
        gallery.type_text("10.")?;
        gallery.expect("WM_NOTIFY 1909 IPN_FIELDCHANGED")
    })
}

pub(crate) fn bars_and_tabs(stage: &Stage) -> Result<PathBuf> {
    play(stage, "more", |gallery| {
        let tabs = gallery.control("IDC_TABS")?.rect;
        let (x, y) = point(tabs, 90, 10);
        gallery.click_at(Button::Left, x, y)?;
        gallery.expect("WM_NOTIFY 2009 TCN_SELCHANGE")?;
        gallery.keys(&["Right"])?;
        let header = gallery.control("IDC_HEADER")?.rect;
        let (x, y) = point(header, 20, 10);
        gallery.click_at(Button::Left, x, y)?;
        gallery.expect("2000 HDN_ITEMCLICK")?;
        let bar = gallery.control("IDC_TOOLBAR")?.rect;
        let (x, y) = point(bar, 12, 12);
        gallery.click_at(Button::Left, x, y)?;
        gallery.expect("tool bar")?;
        let link = gallery.control("IDC_SYSLINK")?.rect;
        let (x, y) = point(link, 62, 8);
        gallery.click_at(Button::Left, x, y)?;
        gallery.expect("2006 NM_CLICK")
    })
}

pub(crate) fn dialogs(stage: &Stage) -> Result<PathBuf> {
    play(stage, "dialogs", |gallery| {
        let pid = gallery.main.pid;
        gallery.click("IDC_OPEN_MODAL")?;
        let modal = stage.wait_for(&window().title("Modal").of_process(pid))?;
        stage.input.type_text("abc")?;
        gallery.expect(r#"WM_COMMAND 2800 EN_CHANGE text="abc""#)?;
        stage.input.click_window(&child(stage, &modal, "IDC_MODAL_CHECK")?)?;
        gallery.expect("2801 BN_CLICKED")?;
        stage.input.press("alt+a")?;
        stage.wait_for(&window().title("Modal from modal").of_process(pid))?;
        stage.input.press("Escape")?;
        gallery.expect("DIALOG nested result=2")?;
        let from = (modal.rect.left + 60, modal.rect.top + 13);
        stage.input.drag(from, (from.0 + 80, from.1 + 40))?;
        stage.input.press("Return")?;
        gallery.expect("DIALOG modal result=1")?;
        gallery.wait_enabled()?;
        gallery.click("IDC_OPEN_BOX")?;
        let question = window().title("Message box").of_process(pid);
        stage.wait_for(&question)?;
        stage.input.press("Return")?;
        gallery.expect("BOX result=1")?;
        stage.wait_gone(&question)?;
        gallery.wait_enabled()?;
        gallery.click("IDC_OPEN_SHEET")?;
        let sheet = stage.wait_for(&window().class("#32770").of_process(pid))?;
        let tabs = wait_until("the sheet's tabs", DEADLINE, || {
            let children = stage.probe.children(&sheet)?;
            Ok(children.into_iter().find(|child| child.class == "SysTabControl32"))
        })?;
        let (x, y) = point(tabs.rect, 80, 10);
        stage.input.click(Button::Left, x, y)?;
        let colour = child(stage, &sheet, "IDC_SHEET_COLOUR")?;
        stage.input.click_window(&colour)?;
        stage.input.press("Escape")?;
        stage.input.press("Escape")?;
        stage.wait_gone(&window().class("#32770").of_process(pid))?;
        gallery.wait_enabled()
    })
}

pub(crate) fn common_dialogs(stage: &Stage) -> Result<PathBuf> {
    play(stage, "dialogs", |gallery| {
        let dialog = window().class("#32770").of_process(gallery.main.pid);
        gallery.click("IDC_OPEN_FILE")?;
        stage.wait_for(&dialog)?;
        stage.input.type_text("no-such-file.txt")?;
        stage.input.press("Escape")?;
        stage.wait_gone(&dialog)?;
        gallery.wait_enabled()?;
        gallery.click("IDC_OPEN_FONT")?;
        stage.wait_for(&dialog)?;
        stage.input.press("Return")?;
        stage.wait_gone(&dialog)?;
        gallery.wait_enabled()?;
        gallery.click("IDC_OPEN_FIND")?;
        stage.wait_for(&dialog)?;
        stage.input.type_text("lamp")?;
        stage.input.press("alt+c")?;
        stage.input.press("Return")?;
        stage.input.press("Escape")?;
        stage.wait_gone(&dialog)
    })
}

pub(crate) fn canvas(stage: &Stage) -> Result<PathBuf> {
    play(stage, "canvas", |gallery| {
        let (x, y) = gallery.control("IDC_CANVAS")?.rect.centre();
        stage.input.drag((x, y), (x + 80, y + 40))?;
        gallery.expect("STROKE 1 from=")?;
        stage.input.drag((x, y + 50), (x - 80, y + 50))?;
        gallery.expect("STROKE 2 from=")?;
        gallery.click("IDC_CANVAS_UNDO")?;
        gallery.expect("2202 BN_CLICKED")?;
        gallery.click_at(Button::Left, x + 10, y + 10)?;
        gallery.click("IDC_CANVAS_CLEAR")?;
        gallery.expect("2201 BN_CLICKED")
    })
}

pub(crate) fn drag(stage: &Stage) -> Result<PathBuf> {
    play(stage, "drag", |gallery| {
        gallery.drag_items()?;
        let left = gallery.control("IDC_SPLITTER_LEFT")?.rect;
        let splitter = (left.right + 3, (left.top + left.bottom) / 2);
        stage.input.drag(splitter, (splitter.0 + 40, splitter.1))
    })
}

pub(crate) fn menus(stage: &Stage) -> Result<PathBuf> {
    play(stage, "menus", |gallery| {
        gallery.click("IDC_EVENTS")?;
        gallery.keys(&["alt+v", "l"])?;
        gallery.expect("WM_COMMAND 4024 menu")?;
        gallery.keys(&["ctrl+b"])?;
        gallery.expect("WM_COMMAND 4030 accelerator")?;
        // By the pointer: the bar, then the item.
        let main = gallery.main.rect;
        gallery.click_at(Button::Left, main.left + 20, main.top + 35)?;
        wait_until("the open menu", DEADLINE, || {
            Ok(stage.probe.windows()?.into_iter().find(|w| w.visible && w.class == "#32768"))
        })?;
        gallery.click_at(Button::Left, main.left + 40, main.top + 60)?;
        gallery.expect("WM_COMMAND 4000 menu")?;
        gallery.keys(&["alt+e", "Escape", "Escape"])?;
        gallery.choose_from_context_menus()?;
        gallery.open_context_menu("IDC_PANEL_RETURN", "WM_CONTEXTMENU 2401")?;
        gallery.keys(&["Escape"])?;
        gallery.keys(&["F1"])?;
        let about = window().class("#32770").of_process(gallery.main.pid);
        stage.wait_for(&about)?;
        gallery.keys(&["Return"])?;
        stage.wait_gone(&about)?;
        gallery.wait_enabled()
    })
}

pub(crate) fn windows(stage: &Stage) -> Result<PathBuf> {
    play(stage, "windows", |gallery| {
        let main = gallery.main.rect;
        gallery.use_windows_of_other_kinds()?;
        stage.input.press("alt+F4")?;
        stage.wait_gone(&window().class("GalleryAnsi"))?;
        gallery.wait_enabled()?;
        // Smaller by its lower edge.
        let edge = ((main.left + main.right) / 2, main.bottom - 2);
        stage.input.drag(edge, (edge.0, edge.1 - 40))
    })
}

/// MDI, the system menu, the title bar.
pub(crate) fn frames(stage: &Stage) -> Result<PathBuf> {
    play(stage, "windows", |gallery| {
        let pid = gallery.main.pid;
        gallery.click("IDC_OPEN_MDI")?;
        let mdi = stage.wait_for(&window().class("GalleryMdiFrame").of_process(pid))?;
        let edit = wait_until("a document", DEADLINE, || {
            let children = stage.probe.children(&mdi)?;
            Ok(children.into_iter().find(|child| child.class == "Edit" && child.visible))
        })?;
        stage.input.click_window(&edit)?;
        stage.input.type_text("draft")?;
        gallery.expect(r#"2951 EN_CHANGE text="draft""#)?;
        stage.input.press("alt+w")?;
        stage.input.press("v")?;
        stage.input.press("alt+F4")?;
        gallery.expect("MDI closed")?;
        stage.wait_gone(&window().class("GalleryMdiFrame").of_process(pid))?;
        gallery.wait_enabled()?;
        gallery.click("IDC_OPEN_TWIN")?;
        // The title bar of the main window: larger, and as it was.
        let main = gallery.main.rect;
        stage.input.double_click(main.left + 300, main.top + 13)?;
        wait_until("the large window", DEADLINE, || {
            let now = window().class("GalleryFrame").of_process(pid).find(&stage.probe)?;
            Ok(now.filter(|now| now.rect.right > main.right))
        })?;
        stage.input.press("alt+space")?;
        stage.input.press("r")?;
        wait_until("the window as before", DEADLINE, || {
            let now = window().class("GalleryFrame").of_process(pid).find(&stage.probe)?;
            Ok(now.filter(|now| now.rect.right == main.right))
        })
        .map(drop)
    })
}

/// A split button, and the check boxes of a tree.
pub(crate) fn items(stage: &Stage) -> Result<PathBuf> {
    play(stage, "buttons", |gallery| {
        let split = gallery.control("IDC_SPLIT")?.rect;
        gallery.click_at(Button::Left, split.right - 8, split.centre().1)?;
        gallery.expect("BCN_DROPDOWN")?;
        gallery.keys(&["Down", "Return"])?;
        gallery.turn_to("trees")?;
        let checks = gallery.control("IDC_TREE_CHECKS")?.rect;
        let (x, y) = point(checks, 28, 10);
        gallery.click_at(Button::Left, x, y)?;
        gallery.expect("1701 NM_CLICK")
    })
}

/// The planted crash of the invoice sample, as its README describes it.
pub(crate) fn invoice_crash(stage: &Stage) -> Result<PathBuf> {
    let journal = stage.folder().join("invoice.journal");
    let program = folders::for_windows(&folders::sample("invoice"));
    let (dashcam, log) = Recording::run(stage, &program, &["--journal", &folders::for_windows(&journal)])?;
    let main = stage.wait_for(&window().class("InvoiceFrame"))?;
    log.wait_known(&main)?;
    crash_session(&stage.probe, &stage.input, &main, &journal, |_| Ok(()))?;
    let code = dashcam.wait(DEADLINE)?;
    ensure!(code != 0, "it did not crash");
    Ok(log.folder)
}

/// A day in the invoice sample without its crash: an item added, edited and removed, options, the About box,
/// and the end without saving.
pub(crate) fn invoice(stage: &Stage) -> Result<PathBuf> {
    let invoice = Invoice::open_recorded(stage, &[])?;
    let recording = invoice.recording.as_ref().context("not recorded")?;
    recording.wait_known(&invoice.main)?;
    invoice.add("blue lamp", "4.20", true)?;
    invoice.add("tea", "2", false)?;
    invoice.keys(&["Home", "F2"])?;
    let edit = invoice.dialog("Edit item")?;
    invoice.click(&edit, "IDOK")?;
    invoice.expect("EDIT row=0")?;
    invoice.wait_title("Invoice")?;
    invoice.keys(&["Delete"])?;
    invoice.expect("REMOVE row=0")?;
    invoice.keys(&["alt+t", "o"])?;
    let options = invoice.dialog("Options")?;
    invoice.click(&options, "IDOK")?;
    invoice.expect("DIALOG options result=1")?;
    invoice.wait_title("Invoice")?;
    invoice.keys(&["F1"])?;
    invoice.dialog("About")?;
    invoice.keys(&["Return"])?;
    invoice.expect("DIALOG about result")?;
    invoice.wait_title("Invoice")?;
    invoice.close()?;
    Ok(recording.folder.clone())
}

/// Everything the invoice sample can do, so that each of its seeded faults shows somewhere.
pub(crate) fn invoice_tour(stage: &Stage) -> Result<PathBuf> {
    let invoice = Invoice::open_recorded(stage, &[])?;
    let recording = invoice.recording.as_ref().context("not recorded")?;
    recording.wait_known(&invoice.main)?;
    invoice.keys(&["Insert"])?;
    let add = invoice.dialog("Add item")?;
    invoice.click(&add, "IDC_DESCRIPTION")?;
    invoice.type_text("Green tea from Assam")?;
    let spin = invoice.control(&add, id("IDC_QUANTITY_SPIN")?)?.rect;
    stage.input.click(Button::Left, i32::midpoint(spin.left, spin.right), spin.top + 5)?;
    invoice.click(&add, "IDC_PRICE")?;
    invoice.keys(&["ctrl+a"])?;
    invoice.type_text("4.20")?;
    invoice.click(&add, "IDC_GIFT_WRAP")?;
    invoice.click(&add, "IDOK")?;
    invoice.expect("ADD row=0")?;
    invoice.wait_title("Invoice")?;
    invoice.keys(&["Insert"])?;
    let add = invoice.dialog("Add item")?;
    invoice.click(&add, "IDC_DESCRIPTION")?;
    invoice.type_text("Book")?;
    invoice.click(&add, "IDC_PRICE")?;
    invoice.keys(&["ctrl+a"])?;
    invoice.type_text("10")?;
    invoice.click(&add, "IDC_VAT_REDUCED")?;
    let date = invoice.control(&add, id("IDC_DELIVERY")?)?.rect;
    stage.input.click(Button::Left, date.left + 12, date.centre().1)?;
    invoice.keys(&["Up", "Return"])?;
    invoice.expect("ADD row=1")?;
    invoice.wait_title("Invoice")?;
    invoice.keys(&["Insert"])?;
    let add = invoice.dialog("Add item")?;
    invoice.click(&add, "IDC_DESCRIPTION")?;
    invoice.type_text("Nothing")?;
    invoice.click(&add, "IDCANCEL")?;
    invoice.expect("DIALOG item result=0")?;
    invoice.wait_title("Invoice")?;
    invoice.keys(&["ctrl+Up"])?;
    invoice.expect("MOVE from=1 to=0")?;
    let list = invoice.control(&invoice.main, id("IDC_ITEMS")?)?.rect;
    stage.input.click(Button::Left, list.left + 40, list.top + 10)?;
    invoice.expect("SORT")?;
    for is_first in [true, false] {
        invoice.keys(&["alt+t", "o"])?;
        let options = invoice.dialog("Options")?;
        if is_first {
            invoice.click(&options, "IDC_CUSTOMER")?;
            invoice.type_text("Ada")?;
            invoice.click(&options, "IDC_DISCOUNT")?;
            invoice.click(&options, "IDOK")?;
            invoice.expect("OPTIONS")?;
        } else {
            invoice.click(&options, "IDCANCEL")?;
        }
        invoice.wait_title("Invoice")?;
    }
    invoice.keys(&["Home", "F2"])?;
    let edit = invoice.dialog("Edit item")?;
    invoice.click(&edit, "IDCANCEL")?;
    invoice.wait_title("Invoice")?;
    invoice.keys(&["alt+i", "r"])?;
    invoice.expect("REMOVE row=0")?;
    invoice.keys(&["Home", "Delete"])?;
    invoice.expect("REMOVE row=0")?;
    invoice.keys(&["F1"])?;
    let about = invoice.dialog("About Invoice")?;
    invoice.click(&about, "IDOK")?;
    invoice.wait_title("Invoice")?;
    invoice.close()?;
    Ok(recording.folder.clone())
}

pub(crate) fn notepad(stage: &Stage) -> Result<PathBuf> {
    let (dashcam, log) = Recording::run(stage, "notepad", &[])?;
    let main = stage.wait_for(&window().class("Notepad"))?;
    log.wait_known(&main)?;
    let edit = wait_until("notepad's edit", DEADLINE, || {
        Ok(stage.probe.children(&main)?.into_iter().find(|child| child.class == "Edit"))
    })?;
    let dialog = window().class("#32770");
    stage.input.click_window(&edit)?;
    stage.input.type_text("blue lamp")?;
    wait_until("the text", DEADLINE, || Ok((stage.probe.text(&edit)? == "blue lamp").then_some(())))?;
    stage.input.press("ctrl+f")?;
    stage.wait_for(&dialog)?;
    stage.input.type_text("lamp")?;
    stage.input.press("Escape")?;
    stage.wait_gone(&dialog)?;
    stage.input.click_window(&edit)?;
    stage.input.press("alt+h")?;
    stage.input.press("a")?;
    stage.wait_for(&dialog)?;
    stage.input.press("Return")?;
    stage.wait_gone(&dialog)?;
    stage.input.click_window(&edit)?;
    stage.input.press("alt+F4")?;
    stage.wait_for(&dialog)?;
    stage.input.press("alt+n")?;
    ensure!(dashcam.wait(DEADLINE)? == 0, "{}", dashcam.stderr()?);
    Ok(log.folder)
}

pub(crate) fn wordpad(stage: &Stage) -> Result<PathBuf> {
    let program = r"C:\Program Files\Windows NT\Accessories\wordpad.exe";
    let (dashcam, log) = Recording::run(stage, program, &[])?;
    let main = stage.wait_for(&window().class("WORDPADTOP"))?;
    log.wait_known(&main)?;
    let edit = wait_until("wordpad's edit", DEADLINE, || {
        let children = stage.probe.children(&main)?.into_iter();
        Ok(children.into_iter().find(|child| child.class.to_lowercase().contains("richedit")))
    })?;
    stage.input.click_window(&edit)?;
    stage.input.type_text("bold words")?;
    wait_until("the text", DEADLINE, || Ok((stage.probe.text(&edit)? == "bold words").then_some(())))?;
    stage.input.press("ctrl+a")?;
    stage.input.press("ctrl+b")?;
    // A combo box of a tool bar, and a dialog by a menu.
    let bars = stage.probe.children(&main)?;
    let bar =
        bars.iter().find(|child| child.class == "ToolbarWindow32" && child.visible).context("no tool bar")?;
    let (x, y) = point(bar.rect, 12, 12);
    let _ = (x, y);
    let combo = bars.iter().rfind(|child| child.class.starts_with("ComboBoxEx") && child.visible);
    let combo = combo.context("no combo box")?;
    stage.input.click(Button::Left, combo.rect.right - 8, combo.rect.centre().1)?;
    stage.input.press("Down")?;
    stage.input.press("Return")?;
    stage.input.press("alt+o")?;
    stage.input.press("f")?;
    stage.wait_for(&window().class("#32770"))?;
    stage.input.press("Escape")?;
    stage.wait_gone(&window().class("#32770"))?;
    stage.input.click_window(&edit)?;
    stage.input.press("alt+F4")?;
    stage.wait_for(&window().class("#32770"))?;
    stage.input.press("alt+n")?;
    ensure!(dashcam.wait(DEADLINE)? == 0, "{}", dashcam.stderr()?);
    Ok(log.folder)
}
