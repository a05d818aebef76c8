//! The windows that get the messages, and the paper's way of recording a message.
#![expect(unsafe_code, reason = "makes windows and asks them")]

use std::fs::File;
use std::io::Write;
use win32_vocabulary::styles::{BS_AUTOCHECKBOX, LBS_NOTIFY};
use windows::Win32::Foundation::{HWND, LPARAM, WPARAM};
use windows::Win32::UI::WindowsAndMessaging::{
    AppendMenuW, CreateMenu, CreatePopupMenu, CreateWindowExW, GetClassNameW, GetDlgCtrlID, GetParent, HMENU,
    InternalGetWindowText, LB_ADDSTRING, LB_SETCURSEL, MF_POPUP, MF_STRING, SendMessageW, SetMenu,
    WINDOW_EX_STYLE, WINDOW_STYLE, WS_CHILD, WS_OVERLAPPEDWINDOW,
};
use windows::core::{PCWSTR, w};

/// The program's windows.
#[derive(Clone, Copy)]
pub(crate) struct Windows {
    pub(crate) main: HWND,
    pub(crate) edit: HWND,
    pub(crate) check: HWND,
    pub(crate) list: HWND,
    pub(crate) popup: HMENU,
}

fn window(
    class: PCWSTR,
    name: PCWSTR,
    style: u32,
    parent: Option<HWND>,
    id: usize,
) -> windows::core::Result<HWND> {
    let (ex, style) = (WINDOW_EX_STYLE(0), WINDOW_STYLE(style));
    let id = HMENU(std::ptr::without_provenance_mut(id));
    // SAFETY: the texts end in a zero, and the classes belong to Windows.
    unsafe { CreateWindowExW(ex, class, name, style, 10, 10, 300, 200, parent, Some(id), None, None) }
}

impl Windows {
    pub(crate) fn open() -> windows::core::Result<Self> {
        let main = window(w!("#32770"), w!("Rechnung 4711"), WS_OVERLAPPEDWINDOW.0, None, 0)?;
        let child = |class, name, style: u32, id| window(class, name, WS_CHILD.0 | style, Some(main), id);
        let edit = child(w!("Edit"), w!("a text of forty characters, more or less"), 0, 1001)?;
        let check = child(w!("Button"), w!("Gift wrap"), BS_AUTOCHECKBOX, 1002)?;
        let list = child(w!("ListBox"), w!(""), LBS_NOTIFY, 1003)?;
        for _ in 0..100 {
            let text = w!("an entry of the list").0.expose_provenance().cast_signed();
            // SAFETY: the window is ours and the text ends in a zero.
            unsafe { SendMessageW(list, LB_ADDSTRING, None, Some(LPARAM(text))) };
        }
        // SAFETY: the window is ours.
        unsafe { SendMessageW(list, LB_SETCURSEL, Some(WPARAM(50)), None) };
        // SAFETY: no preconditions.
        let (bar, popup) = (unsafe { CreateMenu() }?, unsafe { CreatePopupMenu() }?);
        for id in 1..=20 {
            // SAFETY: the menu is ours and the text ends in a zero.
            unsafe { AppendMenuW(popup, MF_STRING, id, w!("An &item\tCtrl+I")) }?;
        }
        // SAFETY: both menus are ours.
        unsafe { AppendMenuW(bar, MF_POPUP, popup.0.expose_provenance(), w!("&File")) }?;
        // SAFETY: window and menu are ours.
        unsafe { SetMenu(main, Some(bar)) }?;
        Ok(Self { main, edit, check, list, popup })
    }
}

/// The paper's way: gets the names, formats the line, writes and flushes it.
pub(crate) fn paper(file: &mut File, window: HWND, number: u32, text: &str) {
    let (mut class, mut name) = ([0; 256], [0; 256]);
    // SAFETY: GetClassNameW writes to the local buffer alone, whose length it gets.
    let class_len = unsafe { GetClassNameW(window, &mut class) } as usize;
    // SAFETY: InternalGetWindowText writes to the local buffer alone, whose length it gets.
    let name_len = unsafe { InternalGetWindowText(window, &mut name) }.max(0) as usize;
    // SAFETY: both functions accept any handle.
    let (parent, id) = (unsafe { GetParent(window) }.unwrap_or_default(), unsafe { GetDlgCtrlID(window) });
    let param = |name: &str, value: &str| format!("<param name=\"{name}\" value=\"{value}\"/>");
    let line = format!(
        "<msg type=\"{number}\">{}{}{}{}{}{}</msg>\n",
        param("window.hwnd", &window.0.addr().to_string()),
        param("window.parent.hwnd", &parent.0.addr().to_string()),
        param("window.resourceId", &id.to_string()),
        param("window.class", &String::from_utf16_lossy(&class[..class_len])),
        param("window.name", &String::from_utf16_lossy(&name[..name_len])),
        param("text", text),
    );
    file.write_all(line.as_bytes()).expect("the paper's log can be written");
    file.flush().expect("the paper's log can be flushed");
}

/// A file for the paper's way.
pub(crate) fn paper_file() -> std::io::Result<File> {
    File::create(std::env::temp_dir().join("dashcam-bench-paper.xml"))
}
