//! The pointer where nothing else is known, and items that are dragged.

use crate::row::{Chapter, Gap, Row, row};
use harness::protocol::{Action, Button};

const CANVAS_ROWS: &[Row] = &[
    row(
        "canvas",
        "a line drawn",
        |scene| {
            scene.drag(("IDC_CANVAS", 100, 100), ("IDC_CANVAS", 180, 140))?;
            scene.expect("STROKE 1 from=")
        },
        &["STROKE 1 from="],
    ),
    row(
        "canvas",
        "a line that ends outside the window",
        |scene| {
            scene.drag(("IDC_CANVAS", 40, 60), ("IDC_CANVAS", -30, 60))?;
            scene.expect("STROKE 2 from=")
        },
        &["STROKE 2 from="],
    ),
    row(
        "canvas",
        "double click",
        |scene| {
            scene.double_click_in("IDC_CANVAS", 200, 50)?;
            scene.expect("DOUBLE CLICK at=")
        },
        &["DOUBLE CLICK at="],
    ),
    row(
        "canvas",
        "right and middle button",
        |scene| {
            scene.right_click_in("IDC_CANVAS", 200, 90)?;
            scene.expect("RIGHT CLICK at=")?;
            let (x, y) = scene.point("IDC_CANVAS", 220, 90)?;
            scene.click_at(Button::Middle, x, y)?;
            scene.expect("MIDDLE CLICK at=")
        },
        &["RIGHT CLICK at=", "MIDDLE CLICK at="],
    ),
    row(
        "canvas",
        "the buttons at the side",
        |scene| {
            let (x, y) = scene.point("IDC_CANVAS", 240, 90)?;
            scene.click_at(Button::Back, x, y)?;
            scene.expect("X BUTTON 1 at=")?;
            scene.click_at(Button::Forward, x, y)?;
            scene.expect("X BUTTON 2 at=")
        },
        &["X BUTTON 1 at=", "X BUTTON 2 at="],
    ),
    row(
        "canvas",
        "the wheel, down, up and sideways",
        |scene| {
            let (x, y) = scene.point("IDC_CANVAS", 240, 90)?;
            scene.stage.input.wheel(x, y, -1)?;
            scene.expect("WHEEL by=-120")?;
            scene.stage.input.wheel(x, y, 1)?;
            scene.expect("WHEEL by=120")?;
            scene.stage.input.perform(&[Action::WheelSideways { notches: 1 }])?;
            scene.expect("WHEEL SIDEWAYS by=120")
        },
        &["WHEEL by=-120", "WHEEL by=120", "WHEEL SIDEWAYS by=120"],
    ),
    row(
        "canvas",
        "buttons beside it",
        |scene| {
            scene.click("IDC_CANVAS_UNDO")?;
            scene.expect("2202 BN_CLICKED")
        },
        &["2202 BN_CLICKED"],
    ),
];

pub(crate) const CANVAS: Chapter = Chapter::new("canvas", "canvas", CANVAS_ROWS);

const DRAG_ROWS: &[Row] = &[
    row(
        "list views",
        "an item dragged from one to another, by the program's own code",
        |scene| {
            scene.drag_item(("IDC_DRAG_LEFT", 20, 42), ("IDC_DRAG_RIGHT", 60, 120))?;
            scene.expect(r#"DRAGGED text="Left 2" from=2301 to=2302"#)
        },
        &[r#"DRAGGED text="Left 2" from=2301 to=2302"#],
    ),
    row(
        "drag list box",
        "an item dragged to another place",
        |scene| {
            scene.drag_item(("IDC_DRAG_LIST", 20, 8), ("IDC_DRAG_LIST", 20, 56))?;
            scene.expect(r#"MOVED 2300 text="Alpha" from=0"#)
        },
        &[r#"MOVED 2300 text="Alpha" from=0"#],
    ),
    row(
        "splitter",
        "dragged",
        |scene| {
            let left = scene.rect("IDC_SPLITTER_LEFT")?;
            let from = (left.right + 3, (left.top + left.bottom) / 2);
            scene.stage.input.drag(from, (from.0 + 40, from.1))?;
            scene.expect("SPLIT 2303")
        },
        &["SPLIT 2303 at="],
    ),
    row(
        "list view and list box",
        "an item dragged from one to the other by OLE (DoDragDrop, RegisterDragDrop)",
        |scene| {
            scene.drag_item(("IDC_OLE_SOURCE", 20, 21), ("IDC_OLE_TARGET", 30, 60))?;
            scene.expect(r#"OLE dropped text="Text 2" on=2308"#)?;
            scene.expect("OLE drag dropped effect=2")
        },
        &[r#"OLE dropped text="Text 2" on=2308"#, "OLE drag dropped effect=2"],
    ),
    row(
        "files from outside",
        "two dropped onto a window (WM_DROPFILES)",
        |scene| {
            let (x, y) = scene.rect("IDC_DROP_TARGET")?.centre();
            scene.stage.input.move_to(x, y)?;
            scene.from_outside("drop C:\\windows\\win.ini|C:\\März.txt")?;
            scene.expect(r#"WM_DROPFILES 2306 file="C:\März.txt""#)
        },
        &[r#"WM_DROPFILES 2306 file="C:\windows\win.ini""#, r#"WM_DROPFILES 2306 file="C:\März.txt""#],
    ),
];

const DRAG_GAPS: &[Gap] = &[Gap {
    control: "OLE drag and drop",
    interaction: "into another program, or from one",
    why: "another program is neither recorded nor replayed",
    instead: "*blocked* at that step; nothing for a drag from another program, and files dropped by it as WM_DROPFILES where that is how the program takes them",
}];

pub(crate) const DRAG: Chapter = Chapter::new("drag", "drag", DRAG_ROWS).gaps(DRAG_GAPS);
