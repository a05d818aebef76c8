//! Everything a control says of itself, for comparing two runs: text, check state, selection, items, range
//! and position, date, menu.
//!
//! Asked on the control's own thread. What a kind of control does not have is not told; the text of a
//! password field never is.

use crate::controls::{Kind, kind_of};
use crate::items;
use crate::win32::{self, Menu, send, send_with};
use replay_link::{Answer, Question, Trouble, Window};
use windows::Win32::Foundation::SYSTEMTIME;
use windows::Win32::UI::Controls::{LVITEMW, TBBUTTON};
use windows::core::PWSTR;

/// Of more items than these only the number is told.
const ITEMS: usize = 500;
/// Longer texts are cut: a document is no property.
const TEXT: usize = 65_536;

/// What stands for the text of a password field, whatever its length.
const MASK: &str = "••••";

type Facts = Vec<(String, String)>;

/// All that can be read of a window beyond what a snapshot has.
pub(crate) fn of(window: Window) -> Result<Facts, Trouble> {
    if window.thread_and_process().0 == 0 {
        return Err(Trouble::Gone);
    }
    let mut facts = Facts::new();
    let mut tell = |name: &str, value: Option<String>| {
        facts.extend(value.map(|value| (name.to_owned(), value)));
    };
    let (kind, class) = (kind_of(window), base_class(window));
    tell("text", text(window, kind));
    if is_button(&class) {
        tell("checked", Some(number(window, 0x00F0, 0)));
    }
    let items = rows(window, kind, &class);
    tell("count", items.as_ref().map(|(count, _)| count.to_string()));
    tell("items", items.and_then(|(_, rows)| rows).map(|rows| rows.join("\n")));
    // The selection may say how long the text is.
    tell("selection", if is_private(window, kind) { None } else { selection(window, kind) });
    let (range, position) = range(window, kind, &class);
    tell("range", range.map(|(least, most)| format!("{least}..{most}")));
    tell("position", position.map(|position| position.to_string()));
    tell("date", date(window, kind));
    tell("menu", Menu::of(window).map(|menu| lines(menu, 0).join("\n")));
    Ok(facts)
}

/// The class in lower case; of a WinForms control the class it was made from.
fn base_class(window: Window) -> String {
    let class = window.class().to_string_lossy().to_lowercase();
    match class.split('.').collect::<Vec<_>>()[..] {
        [first, base, ..] if first.starts_with("windowsforms") => base.to_owned(),
        _ => class,
    }
}

fn is_button(class: &str) -> bool {
    matches!(class, "button" | "tbutton" | "tcheckbox" | "tradiobutton")
}

fn number(window: Window, message: u32, wparam: usize) -> String {
    send(window, message, wparam, 0).to_string()
}

/// Whether nobody may ask for the text of a window. A class that is not known counts as an edit: it may have
/// been made from one.
pub(crate) fn is_private(window: Window, kind: Kind) -> bool {
    const ES_PASSWORD: u32 = 0x20;
    const EM_GETPASSWORDCHAR: u32 = 0x00D2;
    let may_be_edit = kind == Kind::Edit || kind == Kind::Other && window.parent().is_some();
    may_be_edit && (window.style() & ES_PASSWORD != 0 || send(window, EM_GETPASSWORDCHAR, 0, 0) != 0)
}

fn text(window: Window, kind: Kind) -> Option<String> {
    if is_private(window, kind) {
        return Some(MASK.into());
    }
    match items::ask(window, &Question::Text) {
        Ok(Answer::Text(text)) => Some(text.chars().take(TEXT).collect()),
        _ => None,
    }
}

/// How many items there are, and their texts with all columns and states.
fn rows(window: Window, kind: Kind, class: &str) -> Option<(usize, Option<Vec<String>>)> {
    let all = |count: usize, row: &dyn Fn(usize) -> String| {
        Some((count, (count <= ITEMS).then(|| (0..count).map(row).collect::<Vec<_>>())))
    };
    match kind {
        Kind::ListBox | Kind::ComboBox | Kind::ComboBoxEx | Kind::Tab => {
            let row = |index| items::text(window, kind, index).unwrap_or_default();
            all(items::count(window, kind), &row)
        }
        Kind::ListView => {
            let columns = columns(window).max(1);
            let row = |row| {
                let cells: Vec<String> = (0..columns).map(|column| cell(window, row, column)).collect();
                format!("{}{}", check_mark(list_state(window, row)), cells.join("\t"))
            };
            all(items::count(window, kind), &row)
        }
        Kind::TreeView => {
            let found = branch(window, None, 0);
            Some((found.len(), (found.len() <= ITEMS).then_some(found)))
        }
        Kind::ToolBar => {
            const TB_BUTTONCOUNT: u32 = 0x0418;
            let count = usize::try_from(send(window, TB_BUTTONCOUNT, 0, 0)).unwrap_or(0);
            all(count, &|index| tool(window, index))
        }
        Kind::Header => all(header_count(window), &|index| index.to_string()).map(|(count, _)| (count, None)),
        _ if class == "msctls_statusbar32" || class == "tstatusbar" => {
            const SB_GETPARTS: u32 = 0x0406;
            let count = usize::try_from(send(window, SB_GETPARTS, 0, 0)).unwrap_or(0);
            all(count, &|index| part(window, index))
        }
        _ => None,
    }
}

fn header_count(header: Window) -> usize {
    const HDM_GETITEMCOUNT: u32 = 0x1200;
    usize::try_from(send(header, HDM_GETITEMCOUNT, 0, 0)).unwrap_or(0)
}

fn columns(view: Window) -> usize {
    const LVM_GETHEADER: u32 = 0x101F;
    match Window(send(view, LVM_GETHEADER, 0, 0).cast_unsigned() as u64) {
        Window(0) => 0,
        header => header_count(header).min(64),
    }
}

fn cell(view: Window, row: usize, column: usize) -> String {
    const LVM_GETITEMTEXTW: u32 = 0x1073;
    let mut units = [0u16; 1024];
    let mut item = LVITEMW {
        iSubItem: column as i32,
        pszText: PWSTR(units.as_mut_ptr()),
        cchTextMax: units.len() as i32,
        ..Default::default()
    };
    let len = send_with(view, LVM_GETITEMTEXTW, row, &mut item);
    String::from_utf16_lossy(&units[..usize::try_from(len).unwrap_or(0).min(units.len())])
}

/// The number of the state image: 0 without one, 1 not checked, 2 checked.
fn list_state(view: Window, row: usize) -> isize {
    const LVM_GETITEMSTATE: u32 = 0x102C;
    const IMAGE: isize = 0xF000;
    (send(view, LVM_GETITEMSTATE, row, IMAGE) & IMAGE) >> 12
}

fn check_mark(image: isize) -> &'static str {
    match image {
        1 => "[ ] ",
        2 => "[x] ",
        _ => "",
    }
}

/// The items of a tree, indented by their depth; `+` is closed, `-` open.
fn branch(tree: Window, of: Option<isize>, depth: usize) -> Vec<String> {
    const TVM_GETITEMSTATE: u32 = 0x1127;
    const EXPANDED: isize = 0x20;
    const IMAGE: isize = 0xF000;
    const DEEPEST: usize = 64;
    let mut found = Vec::new();
    if depth > DEEPEST {
        return found;
    }
    for item in items::children(tree, of) {
        let state = send(tree, TVM_GETITEMSTATE, item.cast_unsigned(), EXPANDED | IMAGE);
        let (pad, check) = ("  ".repeat(depth), check_mark((state & IMAGE) >> 12));
        let below = branch(tree, Some(item), depth + 1);
        let mark = match (below.is_empty(), state & EXPANDED != 0) {
            (true, _) => "",
            (false, true) => "- ",
            (false, false) => "+ ",
        };
        found.push(format!("{pad}{mark}{check}{}", items::tree_text(tree, item)));
        found.extend(below);
        if found.len() > ITEMS {
            break;
        }
    }
    found
}

/// A button of a tool bar: its command and its state.
fn tool(bar: Window, index: usize) -> String {
    const TB_GETBUTTON: u32 = 0x0417;
    const CHECKED: u8 = 1;
    const ENABLED: u8 = 4;
    const HIDDEN: u8 = 8;
    let mut button = TBBUTTON::default();
    if send_with(bar, TB_GETBUTTON, index, &mut button) == 0 {
        return String::new();
    }
    let state = button.fsState;
    let mut words = vec![button.idCommand.to_string()];
    for (is, word) in [
        (state & CHECKED != 0, "checked"),
        (state & ENABLED == 0, "disabled"),
        (state & HIDDEN != 0, "hidden"),
    ] {
        words.extend(is.then(|| word.to_owned()));
    }
    words.join(" ")
}

/// A part of a status bar.
fn part(bar: Window, index: usize) -> String {
    const SB_GETTEXTLENGTHW: u32 = 0x040C;
    const SB_GETTEXTW: u32 = 0x040D;
    let len = usize::try_from(send(bar, SB_GETTEXTLENGTHW, index, 0) & 0xFFFF).unwrap_or(0);
    let mut units = vec![0u16; len + 2];
    let at = units.as_mut_ptr().expose_provenance().cast_signed();
    send(bar, SB_GETTEXTW, index, at);
    String::from_utf16_lossy(&units[..len])
}

fn selection(window: Window, kind: Kind) -> Option<String> {
    const EM_GETSEL: u32 = 0x00B0;
    if kind == Kind::Edit {
        let packed = send(window, EM_GETSEL, 0, 0) as u32;
        return Some(format!("{}..{}", packed & 0xFFFF, packed >> 16));
    }
    match items::ask(window, &Question::Selection) {
        Ok(Answer::Texts(texts)) => Some(texts.join("\n")),
        _ => None,
    }
}

fn range(window: Window, kind: Kind, class: &str) -> (Option<(i64, i64)>, Option<i64>) {
    let ask = |message, wparam| send(window, message, wparam, 0) as i32;
    let whole = |least: i32, most: i32, position: i32| {
        (Some((i64::from(least), i64::from(most))), Some(i64::from(position)))
    };
    match kind {
        Kind::TrackBar => whole(ask(0x0401, 0), ask(0x0402, 0), ask(0x0400, 0)),
        Kind::UpDown => {
            const UDM_GETRANGE32: u32 = 0x0470;
            const UDM_GETPOS32: u32 = 0x0472;
            let (mut least, mut most) = (0i32, 0i32);
            let at = (&raw mut least).expose_provenance();
            send_with(window, UDM_GETRANGE32, at, &mut most);
            whole(least, most, ask(UDM_GETPOS32, 0))
        }
        _ if class == "msctls_progress32" || class == "tprogressbar" => {
            const PBM_GETRANGE: u32 = 0x0407;
            const PBM_GETPOS: u32 = 0x0408;
            whole(ask(PBM_GETRANGE, 1), ask(PBM_GETRANGE, 0), ask(PBM_GETPOS, 0))
        }
        _ => match win32::scroll_info(window, kind == Kind::ScrollBar) {
            Some((least, most, position)) => whole(least, most, position),
            None => (None, None),
        },
    }
}

fn date(window: Window, kind: Kind) -> Option<String> {
    const GET: u32 = 0x1001;
    const VALID: isize = 0;
    if !matches!(kind, Kind::DatePicker | Kind::Calendar) {
        return None;
    }
    let mut time = SYSTEMTIME::default();
    let said = send_with(window, GET, 0, &mut time);
    let is_given = if kind == Kind::DatePicker { said == VALID } else { said != 0 };
    let SYSTEMTIME {
        wYear: year,
        wMonth: month,
        wDay: day,
        wHour: hour,
        wMinute: minute,
        wSecond: second,
        ..
    } = time;
    let given = match kind {
        Kind::DatePicker => format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"),
        _ => format!("{year:04}-{month:02}-{day:02}"),
    };
    Some(if is_given { given } else { "none".into() })
}

/// The items of a menu, those of sub-menus indented.
fn lines(menu: Menu, depth: usize) -> Vec<String> {
    const DEEPEST: usize = 8;
    let mut found = Vec::new();
    for position in 0..menu.len() {
        let (mut words, sub) = (vec![menu.label(position)], menu.sub_menu(position));
        if menu.is_disabled(position) {
            words.push("(disabled)".into());
        }
        if menu.is_checked(position) {
            words.push("(checked)".into());
        }
        found.push(format!("{}{}", "  ".repeat(depth), words.join(" ")));
        if let Some(sub) = sub.filter(|_| depth < DEEPEST) {
            found.extend(lines(sub, depth + 1));
        }
    }
    found
}
