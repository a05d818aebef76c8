//! Messages for which the callback queries a control, a menu or an edit.

use crate::recorder::{Failure, Recorder, posted, sent};
use crate::row::Row;
use crate::scene::{Windows, paper, paper_file};
use serde_json::json;
use std::cell::RefCell;
use win32_vocabulary::messages::{
    WM_CHAR, WM_COMMAND, WM_INITMENUPOPUP, WM_KILLFOCUS, WM_MENUSELECT, WM_SETFOCUS,
};
use win32_vocabulary::notifications::LBN_SELCHANGE;
use windows::Win32::Foundation::HWND;

pub(crate) fn rows(recorder: &Recorder, windows: &Windows) -> Result<(), Failure> {
    let Windows { main, edit, check, list, popup } = *windows;
    let handle = |window: HWND| window.0.expose_provenance().cast_signed();
    let button = sent(main, WM_COMMAND, 1002, handle(check));
    let choice = sent(main, WM_COMMAND, 1003 | (LBN_SELCHANGE as usize) << 16, handle(list));
    let open = sent(main, WM_INITMENUPOPUP, popup.0.expose_provenance(), 0);
    let select = sent(main, WM_MENUSELECT, 7, popup.0.expose_provenance().cast_signed());
    let focus = sent(edit, WM_SETFOCUS, 0, 0);
    let character = posted(edit, WM_CHAR, 0x61, 1);
    let leave = sent(edit, WM_KILLFOCUS, 0, 0);
    let nothing = posted(edit, 0, 0, 0);
    recorder.sent(&open);
    recorder.sent(&focus);
    let empty = || recorder.empty(&nothing);
    let button = || recorder.sent(&button);
    let choice = || recorder.sent(&choice);
    let select = || recorder.sent(&select);
    let result = || {
        recorder.posted(&character);
        recorder.sent(&leave);
    };
    let file = RefCell::new(paper_file()?);
    let paper = || paper(&mut file.borrow_mut(), check, WM_COMMAND, "");
    let [empty, button, choice, select, result, paper] =
        recorder.measure([&empty, &button, &choice, &select, &result, &paper]);
    for (name, ours) in [
        ("a check box's command with its state", button),
        ("a list box's choice with its text", choice),
        ("a menu item with the way to it", select),
        ("an edit's text of 40 characters when it is left, and a character", result),
    ] {
        Row::new(&format!("callback, {name}"), "ns", ours)
            .reference(("the paper's way", paper))
            .floor(("an empty body", empty))
            .bound(json!({ "max_ratio": 1.0 }))
            .print();
    }
    Ok(())
}
