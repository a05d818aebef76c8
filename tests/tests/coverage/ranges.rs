//! What stands somewhere between two numbers, dates, keys and addresses.

use crate::row::{Chapter, Gap, Row, row};

const RANGE_ROWS: &[Row] = &[
    row(
        "track bar",
        "Home, arrows, Page Down",
        |scene| {
            scene.click_in("IDC_TRACK_HORIZONTAL", 200, 12)?;
            scene.keys(&["Home", "Right", "Right", "Next"])?;
            scene.expect("WM_HSCROLL 1800 TB_PAGEDOWN pos=22")
        },
        &["WM_HSCROLL 1800"],
    ),
    row(
        "track bar",
        "thumb dragged",
        |scene| {
            scene.drag(("IDC_TRACK_RANGE", 14, 12), ("IDC_TRACK_RANGE", 160, 12))?;
            scene.expect("WM_HSCROLL 1802")
        },
        &["WM_HSCROLL 1802"],
    ),
    row(
        "track bar, upright",
        "End",
        |scene| {
            scene.click_in("IDC_TRACK_VERTICAL", 14, 150)?;
            scene.keys(&["End"])?;
            scene.expect("WM_VSCROLL 1801 TB_BOTTOM pos=50")
        },
        &["WM_VSCROLL 1801"],
    ),
    row(
        "scroll bar control",
        "a line and a page by click",
        |scene| {
            let bar = scene.rect("IDC_SCROLL_HORIZONTAL")?;
            let width = bar.right - bar.left;
            scene.click_in("IDC_SCROLL_HORIZONTAL", width - 6, 8)?;
            scene.expect("WM_HSCROLL 1803 SB_LINEDOWN")?;
            scene.click_in("IDC_SCROLL_HORIZONTAL", width - 40, 8)?;
            scene.expect("WM_HSCROLL 1803 SB_PAGEDOWN")
        },
        &["WM_HSCROLL 1803 SB_LINEDOWN", "WM_HSCROLL 1803 SB_PAGEDOWN"],
    ),
    row(
        "scroll bar control",
        "End and Home: bottom and top",
        |scene| {
            scene.keys(&["End"])?;
            scene.expect("WM_HSCROLL 1803 SB_BOTTOM")?;
            scene.keys(&["Home"])?;
            scene.expect("WM_HSCROLL 1803 SB_TOP")
        },
        &["WM_HSCROLL 1803 SB_BOTTOM", "WM_HSCROLL 1803 SB_TOP"],
    ),
    row(
        "scroll bar control",
        "thumb dragged",
        |scene| {
            scene.drag(("IDC_SCROLL_VERTICAL", 8, 46), ("IDC_SCROLL_VERTICAL", 8, 100))?;
            scene.expect("WM_VSCROLL 1804 SB_THUMBPOSITION")
        },
        &["WM_VSCROLL 1804 SB_THUMB"],
    ),
    row(
        "window's own scroll bars",
        "a line and a page by click",
        |scene| {
            let window = scene.rect("IDC_SCROLLER")?;
            let (width, height) = (window.right - window.left, window.bottom - window.top);
            scene.click_in("IDC_SCROLLER", width - 9, height - 27)?;
            scene.expect("WM_VSCROLL 1805 SB_LINEDOWN pos=10")?;
            scene.click_in("IDC_SCROLLER", width - 9, height - 50)?;
            scene.expect("WM_VSCROLL 1805 SB_PAGEDOWN")
        },
        &["WM_VSCROLL 1805 SB_LINEDOWN pos=10", "WM_VSCROLL 1805 SB_PAGEDOWN"],
    ),
    row(
        "window's own scroll bars",
        "thumb dragged, in a program that reads SIF_TRACKPOS",
        |scene| {
            let window = scene.rect("IDC_SCROLLER")?;
            let height = window.bottom - window.top;
            scene.drag(("IDC_SCROLLER", 40, height - 9), ("IDC_SCROLLER", 90, height - 9))?;
            scene.expect("WM_HSCROLL 1805 SB_THUMBPOSITION")
        },
        &["WM_HSCROLL 1805 SB_THUMB"],
    ),
    row(
        "window's own scroll bars",
        "the wheel, down and up",
        |scene| {
            let (x, y) = scene.point("IDC_SCROLLER", 100, 100)?;
            scene.click_in("IDC_SCROLLER", 100, 100)?;
            scene.stage.input.wheel(x, y, -3)?;
            scene.expect("WM_VSCROLL 1805 SB_LINEDOWN")?;
            scene.stage.input.wheel(x, y, 2)?;
            scene.expect("WM_VSCROLL 1805 SB_LINEUP")
        },
        &["WM_VSCROLL 1805 SB_LINEDOWN", "WM_VSCROLL 1805 SB_LINEUP"],
    ),
    row(
        "spin with a buddy",
        "arrow keys in the edit, then a click on its arrow",
        |scene| {
            scene.click("IDC_UPDOWN_EDIT")?;
            scene.keys(&["Up", "Up"])?;
            scene.expect(r#"1806 EN_CHANGE text="44""#)?;
            scene.click_in("IDC_UPDOWN_BUDDY", 5, 5)?;
            scene.expect(r#"1806 EN_CHANGE text="45""#)
        },
        &[r#"1806 EN_CHANGE text="44""#, r#"1806 EN_CHANGE text="45""#],
    ),
    row(
        "spin with a buddy",
        "a number typed",
        |scene| {
            scene.click_in("IDC_UPDOWN_EDIT", 20, 10)?;
            scene.keys(&["ctrl+a"])?;
            scene.type_text("77")?;
            scene.expect(r#"1806 EN_CHANGE text="77""#)
        },
        &[r#"1806 EN_CHANGE text="77""#],
    ),
    row(
        "spin without a buddy",
        "click on its upper arrow",
        |scene| {
            scene.click_in("IDC_UPDOWN_ALONE", 8, 5)?;
            scene.expect("1808 UDN_DELTAPOS")
        },
        &["1808 UDN_DELTAPOS"],
    ),
    row(
        "spin, lying",
        "click on its right arrow",
        |scene| {
            let spin = scene.rect("IDC_UPDOWN_HORIZONTAL")?;
            scene.click_in("IDC_UPDOWN_HORIZONTAL", spin.right - spin.left - 6, 8)?;
            scene.expect("1809 UDN_DELTAPOS")
        },
        &["1809 UDN_DELTAPOS"],
    ),
    row("progress bar", "looked at", |_| Ok(()), &[]),
];

pub(crate) const RANGES: Chapter = Chapter::new("ranges", "ranges", RANGE_ROWS);

const DATE_ROWS: &[Row] = &[
    row(
        "date picker",
        "a field by arrow keys",
        |scene| {
            scene.click_in("IDC_DATE_SHORT", 12, 10)?;
            scene.keys(&["Up"])?;
            scene.expect("1900 DTN_DATETIMECHANGE")
        },
        &["1900 DTN_DATETIMECHANGE"],
    ),
    row(
        "date picker",
        "the next field, digits",
        |scene| {
            scene.keys(&["Right", "1", "7", "Right"])?;
            scene.expect("1900 DTN_DATETIMECHANGE")
        },
        &["1900 DTN_DATETIMECHANGE"],
    ),
    row(
        "date picker",
        "check box of an optional date",
        |scene| {
            scene.click_in("IDC_DATE_OPTIONAL", 10, 10)?;
            scene.expect("1904 DTN_DATETIMECHANGE time=2024")
        },
        &["1904 DTN_DATETIMECHANGE time=2024"],
    ),
    row(
        "date picker",
        "time by arrow keys",
        |scene| {
            scene.click_in("IDC_DATE_TIME", 12, 10)?;
            scene.keys(&["Up"])?;
            scene.expect("1902 DTN_DATETIMECHANGE")
        },
        &["1902 DTN_DATETIMECHANGE"],
    ),
    row(
        "date picker",
        "a day from the drop-down calendar",
        |scene| {
            let picker = scene.rect("IDC_DATE_LONG")?;
            scene.click_in("IDC_DATE_LONG", picker.right - picker.left - 8, 10)?;
            scene.expect("1901 DTN_DROPDOWN")?;
            let calendar = scene.stage.wait_for(&harness::window().class("SysMonthCal32"))?;
            let (x, y) = calendar.rect.centre();
            scene.click_at(harness::protocol::Button::Left, x, y + 20)?;
            scene.expect("1901 DTN_CLOSEUP")
        },
        &["1901 DTN_DATETIMECHANGE"],
    ),
    row(
        "month calendar",
        "a day",
        |scene| {
            let (x, y) = scene.rect("IDC_CALENDAR")?.centre();
            scene.click_at(harness::protocol::Button::Left, x, y)?;
            scene.expect("1906 MCN_SELECT")
        },
        &["1906 MCN_SELECT"],
    ),
    row(
        "month calendar",
        "several days by dragging",
        |scene| {
            let calendar = scene.rect("IDC_CALENDAR_RANGE")?;
            let (x, y) = ((calendar.right - calendar.left) / 2, (calendar.bottom - calendar.top) / 2);
            scene.drag(("IDC_CALENDAR_RANGE", x - 20, y), ("IDC_CALENDAR_RANGE", x + 60, y))?;
            scene.expect("1907 MCN_SELECT")
        },
        &["1907 MCN_SELECT"],
    ),
    row(
        "hot key field",
        "keys pressed in it",
        |scene| {
            scene.click("IDC_HOT_KEY_EMPTY")?;
            scene.keys(&["ctrl+shift+j"])?;
            scene.expect("1910 EN_CHANGE key=74 modifiers=3")?;
            // Every key pressed in there is taken for one.
            scene.click_in("IDC_IP_ADDRESS", 16, 10)
        },
        &["1910 EN_CHANGE key=74 modifiers=3"],
    ),
    row(
        "IP address",
        "all fields typed, points between",
        |scene| {
            scene.click_in("IDC_IP_ADDRESS", 16, 10)?;
            scene.keys(&["Home"])?;
            scene.keys(&["ctrl+a"])?;
            scene.type_text("10.20.30.40")?;
            scene.expect("1909 EN_CHANGE address=10.20.30.40")
        },
        &["1909 EN_CHANGE address=10.20.30.40"],
    ),
];

const DATE_GAPS: &[Gap] = &[];

pub(crate) const DATES: Chapter = Chapter::new("dates", "dates", DATE_ROWS).gaps(DATE_GAPS);
