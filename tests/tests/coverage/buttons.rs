//! Buttons of every kind.

use crate::row::{Chapter, Row};

const ROWS: &[Row] = &[
    Row {
        control: "push button",
        interaction: "click",
        drive: |scene| {
            scene.click("IDC_PUSH")?;
            scene.expect("WM_COMMAND 1100 BN_CLICKED")
        },
        told: &["WM_COMMAND 1100 BN_CLICKED"],
    },
    Row {
        control: "push button",
        interaction: "Space",
        drive: |scene| {
            scene.keys(&["space"])?;
            scene.expect("WM_COMMAND 1100 BN_CLICKED")
        },
        told: &["WM_COMMAND 1100 BN_CLICKED"],
    },
    Row {
        control: "push button",
        interaction: "Enter on the default button",
        drive: |scene| {
            scene.keys(&["Tab", "Return"])?;
            scene.expect("WM_COMMAND 1101 BN_CLICKED")
        },
        told: &["WM_COMMAND 1101 BN_CLICKED"],
    },
    Row {
        control: "push button",
        interaction: "pressed, released beside it",
        drive: |scene| scene.drag(("IDC_PUSH", 20, 8), ("IDC_PUSH", 20, 200)),
        told: &[],
    },
    Row {
        control: "push button",
        interaction: "pressed, released on another button",
        drive: |scene| scene.drag(("IDC_PUSH", 20, 8), ("IDC_DEFAULT", 20, 8)),
        told: &[],
    },
    Row {
        control: "push button",
        interaction: "double click, where it tells so",
        drive: |scene| {
            scene.double_click_in("IDC_DOUBLE", 20, 8)?;
            scene.expect("WM_COMMAND 1124 BN_DBLCLK")
        },
        told: &["WM_COMMAND 1124 BN_CLICKED", "WM_COMMAND 1124 BN_DBLCLK"],
    },
    Row {
        control: "owner-drawn button",
        interaction: "click",
        drive: |scene| {
            scene.click("IDC_OWNER_DRAWN_BUTTON")?;
            scene.expect("WM_COMMAND 1103 BN_CLICKED")
        },
        told: &["WM_COMMAND 1103 BN_CLICKED"],
    },
    Row {
        control: "command link",
        interaction: "click",
        drive: |scene| {
            scene.click("IDC_COMMAND_LINK")?;
            scene.expect("WM_COMMAND 1105 BN_CLICKED")
        },
        told: &["WM_COMMAND 1105 BN_CLICKED"],
    },
    Row {
        control: "command link",
        interaction: "Alt and its letter",
        drive: |scene| {
            scene.keys(&["alt+l"])?;
            scene.expect("WM_COMMAND 1105 BN_CLICKED")
        },
        told: &["WM_COMMAND 1105 BN_CLICKED"],
    },
    Row {
        control: "split button",
        interaction: "click on its main part",
        drive: |scene| {
            scene.click_in("IDC_SPLIT", 20, 10)?;
            scene.expect("WM_COMMAND 1104 BN_CLICKED")
        },
        told: &["WM_COMMAND 1104 BN_CLICKED"],
    },
    Row {
        control: "split button",
        interaction: "its arrow, then an item of the menu",
        drive: |scene| {
            let split = scene.rect("IDC_SPLIT")?;
            scene.click_in("IDC_SPLIT", split.right - split.left - 8, 10)?;
            scene.expect("BCN_DROPDOWN")?;
            scene.menu()?;
            scene.keys(&["b"])?;
            scene.expect("WM_COMMAND 4051 menu")
        },
        told: &["WM_COMMAND 4051 menu"],
    },
    Row {
        control: "check box",
        interaction: "click, on and off",
        drive: |scene| {
            scene.click("IDC_CHECK_OFF")?;
            scene.expect("WM_COMMAND 1107 BN_CLICKED checked=1")?;
            scene.click("IDC_CHECK_OFF")?;
            scene.expect("WM_COMMAND 1107 BN_CLICKED checked=0")
        },
        told: &["WM_COMMAND 1107 BN_CLICKED checked=1", "WM_COMMAND 1107 BN_CLICKED checked=0"],
    },
    Row {
        control: "check box",
        interaction: "Alt and its letter, then Space",
        drive: |scene| {
            scene.keys(&["alt+i"])?;
            scene.expect("WM_COMMAND 1106 BN_CLICKED checked=0")?;
            scene.keys(&["space"])?;
            scene.expect("WM_COMMAND 1106 BN_CLICKED checked=1")
        },
        told: &["WM_COMMAND 1106 BN_CLICKED checked=0", "WM_COMMAND 1106 BN_CLICKED checked=1"],
    },
    Row {
        control: "check box",
        interaction: "that the program sets itself",
        drive: |scene| {
            scene.click("IDC_CHECK_MANUAL")?;
            scene.expect("WM_COMMAND 1108 BN_CLICKED")
        },
        told: &["WM_COMMAND 1108 BN_CLICKED checked=0"],
    },
    Row {
        control: "check box",
        interaction: "of three states, through all of them",
        drive: |scene| {
            for state in [1, 2, 0] {
                scene.click("IDC_THREE_STATE")?;
                scene.expect(&format!("WM_COMMAND 1110 BN_CLICKED checked={state}"))?;
            }
            scene.click("IDC_THREE_STATE_MIXED")?;
            scene.expect("WM_COMMAND 1111 BN_CLICKED checked=0")
        },
        told: &[
            "WM_COMMAND 1110 BN_CLICKED checked=1",
            "WM_COMMAND 1110 BN_CLICKED checked=2",
            "WM_COMMAND 1110 BN_CLICKED checked=0",
            "WM_COMMAND 1111 BN_CLICKED checked=0",
        ],
    },
    Row {
        control: "check box",
        interaction: "that looks like a button",
        drive: |scene| {
            scene.click("IDC_CHECK_PUSH_LIKE")?;
            scene.expect("WM_COMMAND 1112 BN_CLICKED checked=1")
        },
        told: &["WM_COMMAND 1112 BN_CLICKED checked=1"],
    },
    Row {
        control: "radio button",
        interaction: "click",
        drive: |scene| {
            scene.click("IDC_APPLE")?;
            scene.expect("WM_COMMAND 1114 BN_CLICKED checked=1")
        },
        told: &["WM_COMMAND 1114 BN_CLICKED checked=1"],
    },
    Row {
        control: "radio button",
        interaction: "arrow keys",
        drive: |scene| {
            scene.keys(&["Down"])?;
            scene.expect("WM_COMMAND 1115 BN_CLICKED checked=1")?;
            scene.keys(&["Down"])?;
            scene.expect("WM_COMMAND 1116 BN_CLICKED checked=1")
        },
        told: &["WM_COMMAND 1115 BN_CLICKED checked=1", "WM_COMMAND 1116 BN_CLICKED checked=1"],
    },
    Row {
        control: "button",
        interaction: "enabled by a check box, then clicked",
        drive: |scene| {
            scene.click("IDC_ENABLE")?;
            scene.expect("WM_COMMAND 1121 BN_CLICKED checked=1")?;
            scene.click("IDC_DISABLED")?;
            scene.expect("WM_COMMAND 1102 BN_CLICKED")
        },
        told: &["WM_COMMAND 1121 BN_CLICKED checked=1", "WM_COMMAND 1102 BN_CLICKED"],
    },
    Row {
        control: "button",
        interaction: "one of two with the same text",
        drive: |scene| {
            scene.click("IDC_TWIN_2")?;
            scene.expect("WM_COMMAND 1123 BN_CLICKED")
        },
        told: &["WM_COMMAND 1123 BN_CLICKED"],
    },
];

pub(crate) const BUTTONS: Chapter = Chapter { name: "buttons", page: "buttons", rows: ROWS, gaps: &[], options: &[] };
