//! List boxes and combo boxes.

use crate::row::{Chapter, Row, row};

const LISTS_ROWS: &[Row] = &[
    row(
        "list box",
        "click, Home, arrow",
        |scene| {
            scene.click_in("IDC_LIST_SINGLE", 20, 24)?;
            scene.expect("1300 LBN_SELCHANGE item=1")?;
            scene.keys(&["Home", "Down", "Down"])?;
            scene.expect("1300 LBN_SELCHANGE item=2")
        },
        &["1300 LBN_SELCHANGE item=1", "1300 LBN_SELCHANGE item=0", "1300 LBN_SELCHANGE item=2"],
    ),
    row(
        "list box",
        "type-ahead",
        |scene| {
            scene.type_text("s")?;
            scene.expect("1300 LBN_SELCHANGE item=3")
        },
        &["1300 LBN_SELCHANGE item=3"],
    ),
    row(
        "list box",
        "double click",
        |scene| {
            scene.double_click_in("IDC_LIST_SINGLE", 20, 47)?;
            scene.expect("1300 LBN_DBLCLK item=3")
        },
        &["1300 LBN_DBLCLK item=3"],
    ),
    row(
        "list box",
        "an item beyond the view, by End",
        |scene| {
            scene.keys(&["End"])?;
            scene.expect("1300 LBN_SELCHANGE item=29")
        },
        &["1300 LBN_SELCHANGE item=29"],
    ),
    row(
        "list box, multiple selection",
        "items selected and deselected by click",
        |scene| {
            scene.click_in("IDC_LIST_MULTIPLE", 20, 8)?;
            scene.expect("1301 LBN_SELCHANGE items=0,1,4")?;
            scene.click_in("IDC_LIST_MULTIPLE", 20, 24)?;
            scene.expect("1301 LBN_SELCHANGE items=0,4")
        },
        &["1301 LBN_SELCHANGE items=0,1,4", "1301 LBN_SELCHANGE items=0,4"],
    ),
    row(
        "list box, extended selection",
        "click, Shift and click, Ctrl and click",
        |scene| {
            scene.click_in("IDC_LIST_EXTENDED", 20, 8)?;
            scene.expect("1302 LBN_SELCHANGE items=0")?;
            scene.click_holding("shift", "IDC_LIST_EXTENDED", 20, 47)?;
            scene.expect("1302 LBN_SELCHANGE items=0,1,2,3")?;
            scene.click_holding("ctrl", "IDC_LIST_EXTENDED", 20, 24)?;
            scene.expect("1302 LBN_SELCHANGE items=0,2,3")
        },
        &["1302 LBN_SELCHANGE items=0,1,2,3", "1302 LBN_SELCHANGE items=0,2,3"],
    ),
    row(
        "list box, extended selection",
        "Home, Shift and arrows",
        |scene| {
            scene.keys(&["Home", "shift+Down", "shift+Down"])?;
            scene.expect("1302 LBN_SELCHANGE items=0,1,2")
        },
        &["1302 LBN_SELCHANGE items=0,1,2"],
    ),
    row(
        "list box, extended selection",
        "a stretch by dragging",
        |scene| {
            scene.drag(("IDC_LIST_EXTENDED", 20, 8), ("IDC_LIST_EXTENDED", 20, 60))?;
            scene.expect("1302 LBN_SELCHANGE items=0,1,2,3,4")
        },
        &["1302 LBN_SELCHANGE items=0,1,2,3,4"],
    ),
    row(
        "list box, owner-drawn, rows of variable height",
        "click, Down",
        |scene| {
            scene.click_in("IDC_LIST_VARIABLE", 30, 26)?;
            scene.expect("1303 LBN_SELCHANGE item=1")?;
            scene.keys(&["Down"])?;
            scene.expect("1303 LBN_SELCHANGE item=2")
        },
        &["1303 LBN_SELCHANGE item=1", "1303 LBN_SELCHANGE item=2"],
    ),
    row(
        "list box without strings",
        "click, Home",
        |scene| {
            scene.click_in("IDC_LIST_NO_STRINGS", 30, 40)?;
            scene.keys(&["Home"])?;
            scene.expect("1304 LBN_SELCHANGE item=0")
        },
        &["1304 LBN_SELCHANGE item=2", "1304 LBN_SELCHANGE item=0"],
    ),
    row(
        "list box with columns",
        "click in the second column, Right",
        |scene| {
            scene.click_in("IDC_LIST_COLUMNS", 90, 8)?;
            scene.keys(&["Right"])?;
            scene.expect("1305 LBN_SELCHANGE")
        },
        &["1305 LBN_SELCHANGE"],
    ),
];

pub(crate) const LISTS: Chapter = Chapter::new("lists", "lists", LISTS_ROWS);

const COMBO_ROWS: &[Row] = &[
    row(
        "combo box, fixed list",
        "opened by click, Down, Enter",
        |scene| {
            scene.click("IDC_COMBO_LIST")?;
            scene.expect("1402 CBN_DROPDOWN")?;
            scene.keys(&["Down", "Return"])?;
            scene.expect("1402 CBN_CLOSEUP")
        },
        &[r#"1402 CBN_SELCHANGE item=1 text="Copper""#],
    ),
    row(
        "combo box, fixed list",
        "arrows with the list closed",
        |scene| {
            scene.keys(&["Down", "Down"])?;
            scene.expect(r#"1402 CBN_SELCHANGE item=3 text="Silver""#)
        },
        &[r#"1402 CBN_SELCHANGE item=3 text="Silver""#],
    ),
    row(
        "combo box, fixed list",
        "type-ahead",
        |scene| {
            scene.type_text("g")?;
            scene.expect(r#"1402 CBN_SELCHANGE item=4 text="Gold""#)
        },
        &[r#"1402 CBN_SELCHANGE item=4 text="Gold""#],
    ),
    row(
        "combo box, fixed list",
        "F4, arrow, Enter",
        |scene| {
            scene.keys(&["F4"])?;
            scene.expect("1402 CBN_DROPDOWN")?;
            scene.keys(&["Down", "Return"])?;
            scene.expect("1402 CBN_CLOSEUP")
        },
        &[r#"1402 CBN_SELCHANGE item=5 text="Tin""#],
    ),
    row(
        "combo box, sorted",
        "an item by mouse",
        |scene| {
            scene.click("IDC_COMBO_SORTED")?;
            scene.expect("1403 CBN_DROPDOWN")?;
            let combo = scene.rect("IDC_COMBO_SORTED")?;
            scene.click_in("IDC_COMBO_SORTED", 30, combo.bottom - combo.top + 24)?;
            scene.expect("1403 CBN_CLOSEUP")
        },
        &["1403 CBN_SELCHANGE"],
    ),
    row(
        "combo box, owner-drawn",
        "opened and left by Esc, then an arrow",
        |scene| {
            scene.click("IDC_COMBO_OWNER_DRAWN")?;
            scene.expect("1404 CBN_DROPDOWN")?;
            scene.keys(&["Escape"])?;
            scene.expect("1404 CBN_CLOSEUP")?;
            scene.keys(&["Down"])?;
            scene.expect("1404 CBN_SELCHANGE item=3")
        },
        &["1404 CBN_SELCHANGE item=3"],
    ),
    row(
        "combo box, drop-down",
        "typing into its edit",
        |scene| {
            scene.click_in("IDC_COMBO_DROP_DOWN", 20, 10)?;
            scene.keys(&["ctrl+a"])?;
            scene.type_text("Brass")?;
            scene.expect(r#"1401 CBN_EDITCHANGE text="Brass""#)
        },
        &[r#"1401 CBN_EDITCHANGE text="Brass""#],
    ),
    row(
        "combo box, drop-down",
        "an item by F4, Down, Enter",
        |scene| {
            scene.keys(&["F4"])?;
            scene.expect("1401 CBN_DROPDOWN")?;
            scene.keys(&["Down", "Return"])?;
            scene.expect("1401 CBN_CLOSEUP")
        },
        &["1401 CBN_SELCHANGE"],
    ),
    row(
        "combo box, simple",
        "click in its list",
        |scene| {
            scene.click_in("IDC_COMBO_SIMPLE", 30, 50)?;
            scene.expect("1400 CBN_SELCHANGE")
        },
        &["1400 CBN_SELCHANGE"],
    ),
    row(
        "combo box, long list",
        "an item far down by Page Down",
        |scene| {
            scene.click("IDC_COMBO_LONG")?;
            scene.expect("1408 CBN_DROPDOWN")?;
            scene.keys(&["Next", "Next", "Return"])?;
            scene.expect("1408 CBN_CLOSEUP")
        },
        &["1408 CBN_SELCHANGE"],
    ),
    row(
        "ComboBoxEx",
        "an item of the fixed list",
        |scene| {
            scene.click("IDC_COMBO_EX_LIST")?;
            scene.expect("1406 CBN_DROPDOWN")?;
            scene.keys(&["Down", "Return"])?;
            scene.expect("1406 CBN_CLOSEUP")
        },
        &[r#"1406 CBN_SELCHANGE item=2 text="Zinc""#],
    ),
    row(
        "ComboBoxEx",
        "typing into its edit",
        |scene| {
            scene.click_in("IDC_COMBO_EX", 60, 10)?;
            scene.keys(&["ctrl+a"])?;
            scene.type_text("Bronze")?;
            scene.expect("1405 CBN_EDITCHANGE")
        },
        &["1405 CBN_EDITCHANGE"],
    ),
];

pub(crate) const COMBOS: Chapter = Chapter::new("combos", "combos", COMBO_ROWS);

const ITEM_ROWS: &[Row] = &[row(
    "list box",
    "items that are in another order in the replay",
    |scene| {
        scene.click_in("IDC_LIST_SINGLE", 20, 34)?;
        scene.keys(&["Home", "Down", "Down"])?;
        scene.expect("1300 LBN_SELCHANGE item=2")?;
        scene.click_in("IDC_LIST_EXTENDED", 20, 21)?;
        scene.expect("1302 LBN_SELCHANGE items=1")?;
        scene.click_holding("ctrl", "IDC_LIST_EXTENDED", 20, 47)?;
        scene.expect("1302 LBN_SELCHANGE items=1,3")
    },
    &["1300 LBN_SELCHANGE item=2"],
)];

/// Replayed in galleries whose lists are otherwise.
pub(crate) const ITEMS: Chapter = Chapter::new("items", "lists", ITEM_ROWS);
