//! Frequent messages: rejected ones, clicks, characters, texts, new windows.

use crate::recorder::{Failure, Recorder, posted, sent};
use crate::row::Row;
use crate::scene::{Windows, paper, paper_file};
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::hint::black_box;
use win32_vocabulary::messages::{WM_CHAR, WM_CREATE, WM_LBUTTONDOWN, WM_NCHITTEST, WM_SETTEXT};
use windows::Win32::UI::WindowsAndMessaging::{CREATESTRUCTW, CWPSTRUCT, HMENU, WS_CHILD};
use windows::core::{PCWSTR, w};

const TEXT: &str = "Rechnung 4711 an Ärzte und Söhne, Köln 1";
const WIDE: PCWSTR = w!("Rechnung 4711 an Ärzte und Söhne, Köln 1");
const MAPPED: usize = 1 << 20;

pub(crate) fn rows(recorder: &Recorder, windows: &Windows) -> Result<(), Failure> {
    let edit = windows.edit;
    let hit_test = sent(edit, WM_NCHITTEST, 0, 0);
    let click = posted(edit, WM_LBUTTONDOWN, 1, 0x0007_000C);
    let character = posted(edit, WM_CHAR, 0x61, 1);
    let (set_text, create) = (naming(windows), creation(windows));
    let create = birth(windows, &create);
    let empty = || recorder.empty(&click);
    let rejected = || recorder.sent(&hit_test);
    let recorded = || recorder.posted(&click);
    let typed = || recorder.posted(&character);
    let named = || recorder.sent(&set_text);
    let born = || recorder.sent(&create);
    let file = RefCell::new(paper_file()?);
    let paper_click = || paper(&mut file.borrow_mut(), edit, WM_LBUTTONDOWN, "");
    let paper_text = || paper(&mut file.borrow_mut(), windows.main, WM_SETTEXT, TEXT);
    let copy = Copy::new()?;
    // A header of 80 bytes and a text; a WM_CREATE also has style, rectangle, parent, id and class.
    let (copy_click, copy_text) = (|| copy.record(80), || copy.record(80 + 8 + 80));
    let copy_birth = || copy.record(80 + 200);

    let tails = recorder.tails([&recorded, &typed, &copy_click]);
    let times = recorder.measure([
        &empty,
        &rejected,
        &recorded,
        &typed,
        &named,
        &born,
        &paper_click,
        &paper_text,
        &copy_click,
        &copy_text,
        &copy_birth,
    ]);
    let [empty, rejected, recorded, typed, named, born, rest @ ..] = times;
    let [paper_click, paper_text, copy_click, copy_text, copy_birth] = rest;
    let row = |name: &str, ours, reference, floor| {
        Row::new(&format!("callback, {name}"), "ns", ours)
            .reference(("the paper's way", reference))
            .floor(("rdtsc and a copy of the record", floor))
    };
    row("rejected message", rejected, paper_click, 0.0)
        .floor(("an empty body", empty))
        .wanted(json!({ "over_floor": 5.0 }))
        .bound(json!({ "max_ratio": 0.01, "max_floor_ratio": 4.0 }))
        .print();
    for (name, ours) in [("recorded click", recorded), ("recorded character", typed)] {
        row(name, ours, paper_click, copy_click)
            .wanted(json!({ "times_floor": 3.0, "at_most": 100.0 }))
            .bound(json!({ "max_ratio": 0.05, "max_floor_ratio": 4.0 }))
            .print();
    }
    for (name, ours) in [("recorded click", tails[0]), ("recorded character", tails[1])] {
        Row::new(&format!("callback, {name}, all but one of a thousand"), "ns", ours)
            .floor(("rdtsc and a copy of the record", tails[2]))
            .wanted(json!({ "at_most": 1000.0 }))
            .bound(json!({ "max_floor_ratio": 10.0 }))
            .print();
    }
    let texts = [
        ("recorded WM_SETTEXT of 40 characters", named, copy_text),
        ("recorded WM_CREATE with class and name", born, copy_birth),
    ];
    for (name, ours, floor) in texts {
        row(name, ours, paper_text, floor)
            .wanted(json!({ "times_floor": 4.0 }))
            .bound(json!({ "max_ratio": 0.1, "max_floor_ratio": 6.0 }))
            .print();
    }
    Ok(())
}

/// A WM_SETTEXT with 40 characters.
pub(crate) fn naming(windows: &Windows) -> CWPSTRUCT {
    sent(windows.main, WM_SETTEXT, 0, WIDE.0.expose_provenance().cast_signed())
}

/// The CREATESTRUCT of a control.
pub(crate) fn creation(windows: &Windows) -> CREATESTRUCTW {
    CREATESTRUCTW {
        hwndParent: windows.main,
        hMenu: HMENU(std::ptr::without_provenance_mut(1001)),
        style: WS_CHILD.0.cast_signed(),
        lpszName: WIDE,
        lpszClass: w!("Edit"),
        ..Default::default()
    }
}

/// Its WM_CREATE.
pub(crate) fn birth(windows: &Windows, create: &CREATESTRUCTW) -> CWPSTRUCT {
    sent(windows.edit, WM_CREATE, 0, std::ptr::from_ref(create).expose_provenance().cast_signed())
}

/// The floor: a time stamp, and a copy into mapped memory.
struct Copy {
    memory: RefCell<memmap2::MmapMut>,
    source: [u8; 512],
    at: Cell<usize>,
}

impl Copy {
    fn new() -> std::io::Result<Self> {
        let mut memory = memmap2::MmapMut::map_anon(MAPPED)?;
        memory.fill(1);
        Ok(Self { memory: RefCell::new(memory), source: [7; 512], at: Cell::new(0) })
    }

    #[expect(unsafe_code, reason = "reads the time stamp counter")]
    fn record(&self, bytes: usize) {
        let begin = self.at.get() % (MAPPED - self.source.len());
        let mut memory = self.memory.borrow_mut();
        memory[begin..begin + bytes].copy_from_slice(black_box(&self.source[..bytes]));
        // SAFETY: every x64 processor has the instruction.
        let tick = unsafe { std::arch::x86_64::_rdtsc() };
        memory[begin..begin + 8].copy_from_slice(&tick.to_le_bytes());
        self.at.set(begin + bytes);
    }
}
