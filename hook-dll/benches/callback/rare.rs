//! Kinds that ask the control, the menu or the edit.

use crate::recorder::{Failure, Recorder, posted, sent};
use crate::row::Row;
use crate::scene::{Windows, paper, paper_file};
use serde_json::json;
use std::cell::RefCell;
use windows::Win32::Foundation::HWND;

pub(crate) fn rows(recorder: &Recorder, windows: &Windows) -> Result<(), Failure> {
    let Windows { main, edit, check, list, popup } = *windows;
    let handle = |window: HWND| window.0.expose_provenance().cast_signed();
    let button = sent(main, 0x0111, 1002, handle(check));
    let choice = sent(main, 0x0111, 1003 | 1 << 16, handle(list));
    let open = sent(main, 0x0117, popup.0.expose_provenance(), 0);
    let select = sent(main, 0x011F, 7, popup.0.expose_provenance().cast_signed());
    let focus = sent(edit, 0x0007, 0, 0);
    let character = posted(edit, 0x0102, 0x61, 1);
    let leave = sent(edit, 0x0008, 0, 0);
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
    let paper = || paper(&mut file.borrow_mut(), check, 0x0111, "");
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
