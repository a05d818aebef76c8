//! Buttons of every kind.

use crate::row::{Chapter, Row, row};

const ROWS: &[Row] = &[
    row(
        "push button",
        "click",
        |scene| {
            scene.click("IDC_PUSH")?;
            scene.expect("WM_COMMAND 1100 BN_CLICKED")
        },
        &["WM_COMMAND 1100 BN_CLICKED"],
    ),
    row(
        "push button",
        "Space",
        |scene| {
            scene.keys(&["space"])?;
            scene.expect("WM_COMMAND 1100 BN_CLICKED")
        },
        &["WM_COMMAND 1100 BN_CLICKED"],
    ),
    row(
        "push button",
        "Enter on the default button",
        |scene| {
            scene.keys(&["Tab", "Return"])?;
            scene.expect("WM_COMMAND 1101 BN_CLICKED")
        },
        &["WM_COMMAND 1101 BN_CLICKED"],
    ),
    row(
        "push button",
        "pressed, released beside it",
        |scene| scene.drag(("IDC_PUSH", 20, 8), ("IDC_PUSH", 20, 200)),
        &[],
    ),
    row(
        "push button",
        "pressed, released on another button",
        |scene| scene.drag(("IDC_PUSH", 20, 8), ("IDC_DEFAULT", 20, 8)),
        &[],
    ),
    row(
        "push button",
        "double click, where it tells so",
        |scene| {
            scene.double_click_in("IDC_DOUBLE", 20, 8)?;
            scene.expect("WM_COMMAND 1124 BN_DBLCLK")
        },
        &["WM_COMMAND 1124 BN_CLICKED", "WM_COMMAND 1124 BN_DBLCLK"],
    ),
    row(
        "owner-drawn button",
        "click",
        |scene| {
            scene.click("IDC_OWNER_DRAWN_BUTTON")?;
            scene.expect("WM_COMMAND 1103 BN_CLICKED")
        },
        &["WM_COMMAND 1103 BN_CLICKED"],
    ),
    row(
        "command link",
        "click",
        |scene| {
            scene.click("IDC_COMMAND_LINK")?;
            scene.expect("WM_COMMAND 1105 BN_CLICKED")
        },
        &["WM_COMMAND 1105 BN_CLICKED"],
    ),
    row(
        "command link",
        "Alt and its letter",
        |scene| {
            scene.keys(&["alt+l"])?;
            scene.expect("WM_COMMAND 1105 BN_CLICKED")
        },
        &["WM_COMMAND 1105 BN_CLICKED"],
    ),
    row(
        "split button",
        "click on its main part",
        |scene| {
            scene.click_in("IDC_SPLIT", 20, 10)?;
            scene.expect("WM_COMMAND 1104 BN_CLICKED")
        },
        &["WM_COMMAND 1104 BN_CLICKED"],
    ),
    row(
        "split button",
        "its arrow, then an item of the menu",
        |scene| {
            let split = scene.rect("IDC_SPLIT")?;
            scene.click_in("IDC_SPLIT", split.right - split.left - 8, 10)?;
            scene.expect("BCN_DROPDOWN")?;
            scene.menu()?;
            scene.keys(&["b"])?;
            scene.expect("WM_COMMAND 4051 menu")
        },
        &["WM_COMMAND 4051 menu"],
    ),
    row(
        "check box",
        "click, on and off",
        |scene| {
            scene.click("IDC_CHECK_OFF")?;
            scene.expect("WM_COMMAND 1107 BN_CLICKED checked=1")?;
            scene.click("IDC_CHECK_OFF")?;
            scene.expect("WM_COMMAND 1107 BN_CLICKED checked=0")
        },
        &["WM_COMMAND 1107 BN_CLICKED checked=1", "WM_COMMAND 1107 BN_CLICKED checked=0"],
    ),
    row(
        "check box",
        "Alt and its letter, then Space",
        |scene| {
            scene.keys(&["alt+i"])?;
            scene.expect("WM_COMMAND 1106 BN_CLICKED checked=0")?;
            scene.keys(&["space"])?;
            scene.expect("WM_COMMAND 1106 BN_CLICKED checked=1")
        },
        &["WM_COMMAND 1106 BN_CLICKED checked=0", "WM_COMMAND 1106 BN_CLICKED checked=1"],
    ),
    row(
        "check box",
        "that the program sets itself",
        |scene| {
            scene.click("IDC_CHECK_MANUAL")?;
            scene.expect("WM_COMMAND 1108 BN_CLICKED")
        },
        &["WM_COMMAND 1108 BN_CLICKED checked=0"],
    ),
    row(
        "check box",
        "of three states, through all of them",
        |scene| {
            for state in [1, 2, 0] {
                scene.click("IDC_THREE_STATE")?;
                scene.expect(&format!("WM_COMMAND 1110 BN_CLICKED checked={state}"))?;
            }
            scene.click("IDC_THREE_STATE_MIXED")?;
            scene.expect("WM_COMMAND 1111 BN_CLICKED checked=0")
        },
        &[
            "WM_COMMAND 1110 BN_CLICKED checked=1",
            "WM_COMMAND 1110 BN_CLICKED checked=2",
            "WM_COMMAND 1110 BN_CLICKED checked=0",
            "WM_COMMAND 1111 BN_CLICKED checked=0",
        ],
    ),
    row(
        "check box",
        "that looks like a button",
        |scene| {
            scene.click("IDC_CHECK_PUSH_LIKE")?;
            scene.expect("WM_COMMAND 1112 BN_CLICKED checked=1")
        },
        &["WM_COMMAND 1112 BN_CLICKED checked=1"],
    ),
    row(
        "radio button",
        "click",
        |scene| {
            scene.click("IDC_APPLE")?;
            scene.expect("WM_COMMAND 1114 BN_CLICKED checked=1")
        },
        &["WM_COMMAND 1114 BN_CLICKED checked=1"],
    ),
    row(
        "radio button",
        "arrow keys",
        |scene| {
            scene.keys(&["Down"])?;
            scene.expect("WM_COMMAND 1115 BN_CLICKED checked=1")?;
            scene.keys(&["Down"])?;
            scene.expect("WM_COMMAND 1116 BN_CLICKED checked=1")
        },
        &["WM_COMMAND 1115 BN_CLICKED checked=1", "WM_COMMAND 1116 BN_CLICKED checked=1"],
    ),
    row(
        "button",
        "enabled by a check box, then clicked",
        |scene| {
            scene.click("IDC_ENABLE")?;
            scene.expect("WM_COMMAND 1121 BN_CLICKED checked=1")?;
            scene.click("IDC_DISABLED")?;
            scene.expect("WM_COMMAND 1102 BN_CLICKED")
        },
        &["WM_COMMAND 1121 BN_CLICKED checked=1", "WM_COMMAND 1102 BN_CLICKED"],
    ),
    row(
        "button",
        "one of two with the same text",
        |scene| {
            scene.click("IDC_TWIN_2")?;
            scene.expect("WM_COMMAND 1123 BN_CLICKED")
        },
        &["WM_COMMAND 1123 BN_CLICKED"],
    ),
];

pub(crate) const BUTTONS: Chapter = Chapter::new("buttons", "buttons", ROWS);
