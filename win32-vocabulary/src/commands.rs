//! Numbers of commands: of the system menu, and of the buttons that dialogs have in common.

names! {
    table NAMES;
    u32;
    SC_SIZE = 0xF000, SC_MOVE = 0xF010, SC_MINIMIZE = 0xF020, SC_MAXIMIZE = 0xF030, SC_NEXTWINDOW = 0xF040,
    SC_PREVWINDOW = 0xF050, SC_CLOSE = 0xF060, SC_VSCROLL = 0xF070, SC_HSCROLL = 0xF080,
    SC_MOUSEMENU = 0xF090, SC_KEYMENU = 0xF100, SC_RESTORE = 0xF120, SC_TASKLIST = 0xF130,
    SC_HOTKEY = 0xF150, SC_DEFAULT = 0xF160, SC_CONTEXTHELP = 0xF180,
}

names! {
    u32;
    IDOK = 0x1, IDCANCEL = 0x2, IDABORT = 0x3, IDRETRY = 0x4, IDIGNORE = 0x5, IDYES = 0x6, IDNO = 0x7,
    IDCLOSE = 0x8, IDHELP = 0x9,
}

/// The bits of `WM_SYSCOMMAND`'s wParam that are the command. Windows uses the other four itself.
pub const SC_MASK: u32 = 0xFFF0;

/// The name of a command of `WM_SYSCOMMAND`.
pub fn name(command: u32) -> Option<&'static str> {
    let command = command & SC_MASK;
    NAMES.iter().find(|&&(known, _)| known == command).map(|&(_, name)| name)
}
