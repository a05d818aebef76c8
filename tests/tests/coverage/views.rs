//! List views and trees.

use crate::row::{Chapter, Row, Scene, row};
use anyhow::Result;

/// A row of a list view: the header is its first 20 pixels.
const fn line(n: i32) -> i32 {
    26 + n * 13
}

fn click_line(scene: &Scene<'_>, n: i32) -> Result<()> {
    scene.click_in("IDC_LV_REPORT", 60, line(n))
}

const VIEW_ROWS: &[Row] = &[
    row(
        "list view, report",
        "click, Shift and arrows",
        |scene| {
            click_line(scene, 1)?;
            scene.expect("1500 LVN_ITEMCHANGED item=1 selected=1")?;
            scene.keys(&["shift+Down", "shift+Down"])?;
            scene.expect("1500 LVN_ITEMCHANGED item=3 selected=1")
        },
        &["1500 LVN_ITEMCHANGED item=1 selected=1", "1500 LVN_ITEMCHANGED item=3 selected=1"],
    ),
    row(
        "list view, report",
        "Ctrl and click, on and off",
        |scene| {
            scene.click_holding("ctrl", "IDC_LV_REPORT", 60, line(5))?;
            scene.expect("1500 LVN_ITEMCHANGED item=5 selected=1")?;
            scene.click_holding("ctrl", "IDC_LV_REPORT", 60, line(2))?;
            scene.expect("1500 LVN_ITEMCHANGED item=2 selected=0")
        },
        &["1500 LVN_ITEMCHANGED item=5 selected=1", "1500 LVN_ITEMCHANGED item=2 selected=0"],
    ),
    row(
        "list view, report",
        "Shift and click",
        |scene| {
            click_line(scene, 0)?;
            scene.expect("1500 LVN_ITEMCHANGED item=0 selected=1")?;
            scene.click_holding("shift", "IDC_LV_REPORT", 60, line(3))?;
            scene.expect("1500 LVN_ITEMCHANGED item=3 selected=1")
        },
        &["1500 LVN_ITEMCHANGED item=0 selected=1", "1500 LVN_ITEMCHANGED item=3 selected=1"],
    ),
    row(
        "list view, report",
        "type-ahead",
        |scene| {
            scene.type_text("ta")?;
            scene.expect("1500 LVN_ITEMCHANGED item=7 selected=1")
        },
        &["1500 LVN_ITEMCHANGED item=7 selected=1"],
    ),
    row(
        "list view, report",
        "check box of an item, by Space and by click",
        |scene| {
            scene.keys(&["Home", "space"])?;
            scene.expect("1500 LVN_ITEMCHANGED item=0 checked=1")?;
            scene.click_in("IDC_LV_REPORT", 12, line(4))?;
            scene.expect("1500 LVN_ITEMCHANGED item=4 checked=1")
        },
        &["1500 LVN_ITEMCHANGED item=0 checked=1", "1500 LVN_ITEMCHANGED item=4 checked=1"],
    ),
    row(
        "list view, report",
        "double click on an item",
        |scene| {
            scene.double_click_in("IDC_LV_REPORT", 60, line(2))?;
            scene.expect("1500 LVN_ITEMACTIVATE item=2")
        },
        &["1500 LVN_ITEMACTIVATE item=2"],
    ),
    row(
        "list view, report",
        "marquee selection",
        |scene| {
            let list = scene.rect("IDC_LV_REPORT")?;
            let width = list.right - list.left;
            scene.drag(("IDC_LV_REPORT", width - 30, line(4)), ("IDC_LV_REPORT", 40, line(1)))?;
            scene.expect("1500 LVN_ITEMCHANGED item=1 selected=1")
        },
        &["1500 LVN_ITEMCHANGED item=1 selected=1"],
    ),
    row(
        "list view, report",
        "label edit: F2, typing, Enter",
        |scene| {
            click_line(scene, 6)?;
            scene.expect("1500 LVN_ITEMCHANGED item=6 selected=1")?;
            scene.keys(&["F2"])?;
            scene.expect("1500 LVN_BEGINLABELEDIT item=6")?;
            scene.type_text("Missive")?;
            scene.keys(&["Return"])?;
            scene.expect(r#"1500 LVN_ENDLABELEDIT item=6 text="Missive""#)
        },
        &[r#"1500 LVN_ENDLABELEDIT item=6 text="Missive""#],
    ),
    row(
        "list view, report",
        "label edit given up by Esc",
        |scene| {
            scene.keys(&["F2"])?;
            scene.expect("1500 LVN_BEGINLABELEDIT item=6")?;
            scene.keys(&["x", "Escape"])?;
            scene.expect("1500 LVN_ENDLABELEDIT item=6 cancelled")
        },
        &["1500 LVN_ENDLABELEDIT item=6 cancelled"],
    ),
    row(
        "list view, report",
        "sorted by a click on the header",
        |scene| {
            scene.click_in("IDC_LV_REPORT", 20, 10)?;
            scene.expect("1500 LVN_COLUMNCLICK column=0")
        },
        &["1500 LVN_COLUMNCLICK column=0"],
    ),
    row(
        "list view, report",
        "width of a column by dragging its edge",
        |scene| scene.drag(("IDC_LV_REPORT", 110, 10), ("IDC_LV_REPORT", 150, 10)),
        &[],
    ),
    row(
        "list view, virtual",
        "click, End, Shift and Up",
        |scene| {
            scene.click_in("IDC_LV_VIRTUAL", 40, line(1))?;
            scene.expect("1501 LVN_ITEMCHANGED item=1 selected=1")?;
            scene.keys(&["End"])?;
            scene.expect("1501 LVN_ITEMCHANGED item=99999 selected=1")
        },
        &["1501 LVN_ITEMCHANGED item=99999 selected=1"],
    ),
    row(
        "list view, texts by callback",
        "click, Down",
        |scene| {
            scene.click_in("IDC_LV_CALLBACK", 40, line(1))?;
            scene.keys(&["Down"])?;
            scene.expect("1502 LVN_ITEMCHANGED item=2 selected=1")
        },
        &["1502 LVN_ITEMCHANGED item=2 selected=1"],
    ),
    row(
        "list view, full rows",
        "right click on an item",
        |scene| {
            scene.right_click_in("IDC_LV_FULL_ROW", 40, line(2))?;
            scene.expect("1503 NM_RCLICK")
        },
        &["1503 LVN_ITEMCHANGED item=2 selected=1"],
    ),
];

pub(crate) const VIEWS: Chapter = Chapter::new("list_views", "list-views", VIEW_ROWS);

const ICON_ROWS: &[Row] = &[
    row(
        "list view, icons",
        "click, Right",
        |scene| {
            scene.click_in("IDC_LV_ICON", 40, 25)?;
            scene.expect("1600 LVN_ITEMCHANGED item=0 selected=1")?;
            scene.keys(&["Right"])?;
            scene.expect("1600 LVN_ITEMCHANGED item=1 selected=1")
        },
        &["1600 LVN_ITEMCHANGED item=0 selected=1", "1600 LVN_ITEMCHANGED item=1 selected=1"],
    ),
    row(
        "list view, small icons",
        "click, Down",
        |scene| {
            scene.click_in("IDC_LV_SMALL_ICON", 30, 10)?;
            scene.expect("1601 LVN_ITEMCHANGED item=0 selected=1")?;
            scene.keys(&["Right"])
        },
        &["1601 LVN_ITEMCHANGED item=0 selected=1"],
    ),
    row(
        "list view, list",
        "click, Down",
        |scene| {
            scene.click_in("IDC_LV_LIST", 30, 10)?;
            scene.expect("1602 LVN_ITEMCHANGED item=0 selected=1")?;
            scene.keys(&["Down"])?;
            scene.expect("1602 LVN_ITEMCHANGED item=1 selected=1")
        },
        &["1602 LVN_ITEMCHANGED item=0 selected=1", "1602 LVN_ITEMCHANGED item=1 selected=1"],
    ),
    row(
        "list view, groups",
        "Home, Down",
        |scene| {
            scene.click("IDC_LV_GROUPS")?;
            scene.keys(&["Home", "Down"])?;
            scene.expect("1603 LVN_ITEMCHANGED item=1 selected=1")
        },
        &["1603 LVN_ITEMCHANGED item=1 selected=1"],
    ),
    row(
        "list view, groups",
        "an item by click",
        |scene| {
            scene.click_in("IDC_LV_GROUPS", 30, line(3))?;
            scene.expect("1603 LVN_ITEMCHANGED item=2 selected=1")
        },
        &["1603 LVN_ITEMCHANGED item=2 selected=1"],
    ),
];

pub(crate) const ICONS: Chapter = Chapter::new("icons", "icons", ICON_ROWS);

const TREE_ROWS: &[Row] = &[
    row(
        "tree, filled when opened",
        "expanded, an item chosen and collapsed by keys",
        |scene| {
            scene.click("IDC_TREE_LAZY")?;
            scene.keys(&["Home", "Right", "Down"])?;
            scene.expect(r#"1702 TVN_SELCHANGED text="Drive A.1""#)?;
            scene.keys(&["Left", "Left"])?;
            scene.expect(r#"1702 TVN_ITEMEXPANDED collapse text="Drive A""#)
        },
        &[
            r#"1702 TVN_ITEMEXPANDED expand text="Drive A""#,
            r#"1702 TVN_SELCHANGED text="Drive A.1""#,
            r#"1702 TVN_ITEMEXPANDED collapse text="Drive A""#,
        ],
    ),
    row(
        "tree, filled when opened",
        "two levels by double click",
        |scene| {
            scene.double_click_in("IDC_TREE_LAZY", 50, 10)?;
            scene.expect(r#"1702 TVN_ITEMEXPANDED expand text="Drive A""#)?;
            scene.double_click_in("IDC_TREE_LAZY", 70, 26)?;
            scene.expect(r#"1702 TVN_ITEMEXPANDED expand text="Drive A.1""#)
        },
        &[
            r#"1702 TVN_ITEMEXPANDED expand text="Drive A""#,
            r#"1702 TVN_ITEMEXPANDED expand text="Drive A.1""#,
        ],
    ),
    row(
        "tree",
        "an item by click",
        |scene| {
            scene.click_in("IDC_TREE_PLAIN", 55, 10)?;
            scene.expect(r#"1700 TVN_SELCHANGED text="Animals""#)
        },
        &[r#"1700 TVN_SELCHANGED text="Animals""#],
    ),
    row(
        "tree",
        "expanded and collapsed by its plus sign",
        |scene| {
            scene.click_in("IDC_TREE_PLAIN", 11, 10)?;
            scene.expect(r#"1700 TVN_ITEMEXPANDED expand text="Animals""#)?;
            scene.click_in("IDC_TREE_PLAIN", 62, 26)?;
            scene.expect(r#"1700 TVN_SELCHANGED text="Cat""#)?;
            scene.click_in("IDC_TREE_PLAIN", 11, 10)?;
            scene.expect(r#"1700 TVN_ITEMEXPANDED collapse text="Animals""#)
        },
        &[
            r#"1700 TVN_ITEMEXPANDED expand text="Animals""#,
            r#"1700 TVN_ITEMEXPANDED collapse text="Animals""#,
        ],
    ),
    row(
        "tree",
        "a double click on its plus sign: expanded and collapsed again",
        |scene| {
            scene.double_click_in("IDC_TREE_PLAIN", 11, 10)?;
            scene.expect(r#"1700 TVN_ITEMEXPANDED collapse text="Animals""#)
        },
        &[
            r#"1700 TVN_ITEMEXPANDED expand text="Animals""#,
            r#"1700 TVN_ITEMEXPANDED collapse text="Animals""#,
        ],
    ),
    row(
        "tree",
        "type-ahead",
        |scene| {
            scene.type_text("m")?;
            scene.expect(r#"1700 TVN_SELCHANGED text="Minerals""#)
        },
        &[r#"1700 TVN_SELCHANGED text="Minerals""#],
    ),
    row(
        "tree",
        "label edit: a click on the selected item, typing, Enter",
        |scene| {
            // The double click of the row before is over by the time that its label is edited.
            let plain = scene.rect("IDC_TREE_PLAIN")?;
            let minerals = plain.top + 10 + 16 * 5;
            scene.click_at(harness::protocol::Button::Left, plain.left + 55, minerals)?;
            scene.expect("1700 TVN_BEGINLABELEDIT")?;
            scene.type_text("Stones")?;
            scene.keys(&["Return"])?;
            scene.expect(r#"1700 TVN_ENDLABELEDIT item=0 text="Stones""#)
        },
        &[r#"1700 TVN_ENDLABELEDIT item=0 text="Stones""#],
    ),
    row(
        "tree with check boxes",
        "Space on an item",
        |scene| {
            scene.click_in("IDC_TREE_CHECKS", 65, 10)?;
            scene.keys(&["space"])?;
            scene.expect("CHECK 1701")
        },
        &[r#"CHECK 1701 text="Animals" checked=0"#],
    ),
    row(
        "tree with check boxes",
        "click on the box of the selected item",
        |scene| {
            scene.click_in("IDC_TREE_CHECKS", 28, 10)?;
            scene.expect("CHECK 1701")
        },
        &[r#"CHECK 1701 text="Animals" checked=1"#],
    ),
    row(
        "tree",
        "an item dragged onto another",
        |scene| {
            // Animals is closed, Plants open: Oak, Rose, Fern.
            scene.drag_item(("IDC_TREE_PLAIN", 75, 10 + 16 * 3), ("IDC_TREE_PLAIN", 55, 10))?;
            scene.expect(r#"DRAGGED text="Rose""#)
        },
        &[r#"DRAGGED text="Rose" to="Animals""#],
    ),
];

const BRANCH_ROWS: &[Row] = &[row(
    "tree",
    "branches that are in another order in the replay",
    |scene| {
        // In the other order there is an item of the same name at the same place.
        scene.click_in("IDC_TREE_PLAIN", 55, 10)?;
        scene.keys(&["Right", "Down", "Right", "Down"])?;
        scene.expect(r#"1700 TVN_SELCHANGED text="A kind of it""#)
    },
    &[r#"1700 TVN_SELCHANGED text="Cat""#, r#"1700 TVN_SELCHANGED text="A kind of it""#],
)];

/// Replayed in galleries whose trees are otherwise.
pub(crate) const BRANCHES: Chapter = Chapter::new("branches", "trees", BRANCH_ROWS);

pub(crate) const TREES: Chapter = Chapter::new("trees", "trees", TREE_ROWS);
