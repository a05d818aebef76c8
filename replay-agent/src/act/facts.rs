//! Everything a control says of itself, for comparing two runs: text, check state, selection, items, range
//! and position, date, menu.
//!
//! A kind of control reports only what it has. The text of a private field is never asked for, nor its
//! selection, which may say how long the text is.

use super::gui::{Date, Gui, Menu, Payload, Tool};
use super::privacy::is_private;
use super::{items, selected};
use replay_link::{Trouble, Window};
use win32_vocabulary::Control;
use win32_vocabulary::class_messages::{
    DTM_GETSYSTEMTIME, MCM_GETCURSEL, PBM_GETPOS, PBM_GETRANGE, SB_GETPARTS, TB_BUTTONCOUNT, TBM_GETPOS,
    TBM_GETRANGEMAX, TBM_GETRANGEMIN, UDM_GETPOS32,
};
use win32_vocabulary::items::{
    GDT_VALID, LVIS_STATEIMAGEMASK, STATE_IMAGE_SHIFT, TBSTATE_CHECKED, TBSTATE_ENABLED, TBSTATE_HIDDEN,
    TVIS_EXPANDED, TVIS_STATEIMAGEMASK,
};
use win32_vocabulary::messages::{
    BM_GETCHECK, EM_GETSEL, HDM_GETITEMCOUNT, LVM_GETHEADER, LVM_GETITEMSTATE, TVM_GETITEMSTATE,
};

/// Of more items than these only the number is reported.
const MAX_ITEMS: usize = 500;
/// Longer texts are truncated: a document is no property.
const MAX_TEXT: usize = 65_536;

/// Stands for the text of a private field, whatever its length.
pub(crate) const MASK: &str = "••••";

type Facts = Vec<(String, String)>;

/// All that can be read of a window beyond what a snapshot has.
pub(crate) fn of(gui: &dyn Gui, window: Window) -> Result<Facts, Trouble> {
    if !gui.exists(window) {
        return Err(Trouble::Gone);
    }
    let mut facts = Facts::new();
    let mut add = |name: &str, value: Option<String>| {
        facts.extend(value.map(|value| (name.to_owned(), value)));
    };
    let control = gui.control(window);
    let is_private = is_private(gui, window);
    let text = || gui.text(window).chars().take(MAX_TEXT).collect();
    add("text", Some(if is_private { MASK.into() } else { text() }));
    if control.is_button() {
        add("checked", Some(gui.ask(window, BM_GETCHECK, 0, 0).to_string()));
    }
    let rows = rows(gui, window, control);
    add("count", rows.as_ref().map(|(count, _)| count.to_string()));
    add("items", rows.and_then(|(_, rows)| rows).map(|rows| rows.join("\n")));
    add("selection", if is_private { None } else { selection(gui, window, control) });
    let range = range(gui, window, control);
    add("range", range.map(|(least, most, _)| format!("{least}..{most}")));
    add("position", range.map(|(_, _, position)| position.to_string()));
    add("date", date(gui, window, control));
    add("menu", gui.menu_bar(window).map(|menu| menu_lines(gui, menu, 0).join("\n")));
    Ok(facts)
}

/// How many items there are, and their texts with all columns and states.
fn rows(gui: &dyn Gui, window: Window, control: Control) -> Option<(usize, Option<Vec<String>>)> {
    let all = |count: usize, row: &dyn Fn(usize) -> String| {
        Some((count, (count <= MAX_ITEMS).then(|| (0..count).map(row).collect::<Vec<_>>())))
    };
    let number = |message| usize::try_from(gui.ask(window, message, 0, 0)).unwrap_or(0);
    match control {
        Control::ListBox | Control::ComboBox | Control::ComboBoxEx | Control::Tab => {
            let row = |index| items::text(gui, window, control, index).unwrap_or_default();
            all(items::count(gui, window, control), &row)
        }
        Control::ListView => {
            let columns = columns(gui, window).max(1);
            let row = |row| {
                let cells: Vec<String> =
                    (0..columns).map(|column| gui.cell_text(window, row, column)).collect();
                format!("{}{}", check_mark(list_state(gui, window, row)), cells.join("\t"))
            };
            all(items::count(gui, window, control), &row)
        }
        Control::TreeView => {
            let found = branch(gui, window, None, 0);
            Some((found.len(), (found.len() <= MAX_ITEMS).then_some(found)))
        }
        Control::ToolBar => {
            all(number(TB_BUTTONCOUNT), &|index| gui.tool(window, index).map(tool_words).unwrap_or_default())
        }
        Control::Header => Some((number(HDM_GETITEMCOUNT), None)),
        Control::StatusBar => all(number(SB_GETPARTS), &|index| gui.status_text(window, index)),
        _ => None,
    }
}

fn columns(gui: &dyn Gui, view: Window) -> usize {
    const MAX_COLUMNS: usize = 64;
    match Window(gui.ask(view, LVM_GETHEADER, 0, 0).cast_unsigned() as u64) {
        Window(0) => 0,
        header => usize::try_from(gui.ask(header, HDM_GETITEMCOUNT, 0, 0)).unwrap_or(0).min(MAX_COLUMNS),
    }
}

fn list_state(gui: &dyn Gui, view: Window, row: usize) -> isize {
    gui.ask(view, LVM_GETITEMSTATE, row, LVIS_STATEIMAGEMASK as isize)
}

/// The check box of an item, by the number of its state image: 0 without one, 1 not checked, 2 checked.
fn check_mark(state: isize) -> &'static str {
    match (state & LVIS_STATEIMAGEMASK as isize) >> STATE_IMAGE_SHIFT {
        1 => "[ ] ",
        2 => "[x] ",
        _ => "",
    }
}

/// The items of a tree, indented by their depth; `+` is closed, `-` open.
fn branch(gui: &dyn Gui, tree: Window, of: Option<isize>, depth: usize) -> Vec<String> {
    const MAX_DEPTH: usize = 64;
    let mut found = Vec::new();
    if depth > MAX_DEPTH {
        return found;
    }
    let mask = (TVIS_EXPANDED | TVIS_STATEIMAGEMASK) as isize;
    for item in items::children(gui, tree, of) {
        let state = gui.ask(tree, TVM_GETITEMSTATE, item.cast_unsigned(), mask);
        let (pad, check) = ("  ".repeat(depth), check_mark(state));
        let below = branch(gui, tree, Some(item), depth + 1);
        let mark = match (below.is_empty(), state & TVIS_EXPANDED as isize != 0) {
            (true, _) => "",
            (false, true) => "- ",
            (false, false) => "+ ",
        };
        found.push(format!("{pad}{mark}{check}{}", gui.tree_text(tree, item)));
        found.extend(below);
        if found.len() > MAX_ITEMS {
            break;
        }
    }
    found
}

/// The command of a tool and its state.
fn tool_words(tool: Tool) -> String {
    let has = |bit: u32| u32::from(tool.state) & bit != 0;
    let mut words = vec![tool.command.to_string()];
    for (is, word) in [
        (has(TBSTATE_CHECKED), "checked"),
        (!has(TBSTATE_ENABLED), "disabled"),
        (has(TBSTATE_HIDDEN), "hidden"),
    ] {
        words.extend(is.then(|| word.to_owned()));
    }
    words.join(" ")
}

fn selection(gui: &dyn Gui, window: Window, control: Control) -> Option<String> {
    if control.takes_edit_messages() {
        let packed = gui.ask(window, EM_GETSEL, 0, 0) as u32;
        return Some(format!("{}..{}", packed & 0xFFFF, packed >> 16));
    }
    selected::texts(gui, window).ok().map(|texts| texts.join("\n"))
}

/// Least, most and position.
fn range(gui: &dyn Gui, window: Window, control: Control) -> Option<(i32, i32, i32)> {
    let ask = |message, wparam| gui.ask(window, message, wparam, 0) as i32;
    match control {
        Control::TrackBar => Some((ask(TBM_GETRANGEMIN, 0), ask(TBM_GETRANGEMAX, 0), ask(TBM_GETPOS, 0))),
        Control::UpDown => {
            let (least, most) = gui.spin_range(window);
            Some((least, most, ask(UDM_GETPOS32, 0)))
        }
        Control::ProgressBar => Some((ask(PBM_GETRANGE, 1), ask(PBM_GETRANGE, 0), ask(PBM_GETPOS, 0))),
        _ => gui.scroll_info(window, control == Control::ScrollBar),
    }
}

fn date(gui: &dyn Gui, window: Window, control: Control) -> Option<String> {
    let message = match control {
        Control::DatePicker => DTM_GETSYSTEMTIME,
        Control::Calendar => MCM_GETCURSEL,
        _ => return None,
    };
    let mut payload = Payload::Date(Date::default());
    let answer = gui.exchange(window, message, 0, &mut payload);
    let Payload::Date(date) = payload else { return None };
    let (year, month, day) = (date.year, date.month, date.day);
    let (hour, minute, second) = (date.hour, date.minute, date.second);
    Some(match control {
        Control::DatePicker if answer == GDT_VALID as isize => {
            format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
        }
        Control::Calendar if answer != 0 => format!("{year:04}-{month:02}-{day:02}"),
        _ => "none".into(),
    })
}

/// The items of a menu, those of sub-menus indented.
fn menu_lines(gui: &dyn Gui, menu: Menu, depth: usize) -> Vec<String> {
    const MAX_DEPTH: usize = 8;
    let mut found = Vec::new();
    for position in 0..gui.menu_len(menu) {
        let mut words = vec![gui.menu_label(menu, position)];
        if gui.is_menu_item_disabled(menu, position) {
            words.push("(disabled)".into());
        }
        if gui.is_menu_item_checked(menu, position) {
            words.push("(checked)".into());
        }
        found.push(format!("{}{}", "  ".repeat(depth), words.join(" ")));
        if let Some(inner) = gui.sub_menu(menu, position).filter(|_| depth < MAX_DEPTH) {
            found.extend(menu_lines(gui, inner, depth + 1));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{CONTROL, Fake};
    use win32_vocabulary::items::GDT_NONE;
    use win32_vocabulary::messages::{LB_GETCOUNT, LB_GETCURSEL, LVM_GETNEXTITEM, WM_GETTEXT};
    use win32_vocabulary::styles::ES_PASSWORD;

    fn facts(fake: &Fake) -> Vec<(String, String)> {
        of(fake, CONTROL).unwrap()
    }

    fn fact(fake: &Fake, name: &str) -> Option<String> {
        facts(fake).into_iter().find(|(found, _)| found == name).map(|(_, value)| value)
    }

    #[test]
    fn nobody_asks_for_a_private_text_or_its_selection() {
        for class in ["Edit", "TMaskEdit", "RICHEDIT50W", "Vault"] {
            let fake =
                Fake::with(class).style(ES_PASSWORD).change(|control| control.text = "Sesame99".into());
            assert_eq!(facts(&fake), [("text".to_owned(), MASK.to_owned())], "{class}");
            assert!(fake.asked(WM_GETTEXT).is_empty() && fake.asked(EM_GETSEL).is_empty(), "{class}");
        }
        let public = Fake::with("TMaskEdit").change(|control| control.text = "12:30".into());
        assert_eq!(fact(&public, "text"), Some("12:30".into()));
        assert_eq!(fact(&public, "selection"), Some("0..0".into()));
    }

    #[test]
    fn every_class_of_button_reports_its_check_state() {
        for class in ["Button", "TCheckBox", "TDBCheckBox", "ThunderRT6OptionButton"] {
            let fake = Fake::with(class).answer(BM_GETCHECK, &[1]);
            assert_eq!(fact(&fake, "checked"), Some("1".into()), "{class}");
        }
        assert_eq!(fact(&Fake::with("Static"), "checked"), None);
    }

    #[test]
    fn items_come_with_columns_and_check_boxes() {
        let view = Fake::with("SysListView32").items(&["Iron", "Gold"]).answer(LVM_GETHEADER, &[9]);
        let view = view.answer_of(Window(9), HDM_GETITEMCOUNT, &[2]);
        let view = view.answer(LVM_GETITEMSTATE, &[1 << 12, 2 << 12]).answer(LVM_GETNEXTITEM, &[1, -1]);
        assert_eq!(fact(&view, "items"), Some("[ ] Iron\tIron.1\n[x] Gold\tGold.1".into()));
        assert_eq!(fact(&view, "count"), Some("2".into()));
        let tools = Fake::with("TToolBar").items(&["Bold", "Italic"]).answer(TB_BUTTONCOUNT, &[2]);
        assert_eq!(fact(&tools, "items"), Some("400 checked\n401".into()));
        let status = Fake::with("TStatusBar").items(&["Ready", "Ln 1"]).answer(SB_GETPARTS, &[2]);
        assert_eq!(fact(&status, "items"), Some("Ready\nLn 1".into()));
        let many = Fake::with("ListBox").answer(LB_GETCOUNT, &[100_000]);
        assert_eq!((fact(&many, "count"), fact(&many, "items")), (Some("100000".into()), None));
    }

    #[test]
    fn a_tree_shows_its_branches_and_a_list_what_is_selected() {
        let nodes = [(1, 0, "Root"), (2, 1, "Leaf"), (3, 0, "Last")];
        let tree =
            Fake::with("TTreeView").nodes(&nodes).answer(TVM_GETITEMSTATE, &[TVIS_EXPANDED as isize, 0]);
        assert_eq!(fact(&tree, "items"), Some("- Root\n  Leaf\nLast".into()));
        let list = Fake::with("TDBListBox").items(&["Iron", "Gold"]).answer(LB_GETCURSEL, &[1]);
        assert_eq!(fact(&list, "selection"), Some("Gold".into()));
    }

    #[test]
    fn ranges_and_dates_are_reported() {
        let bar = Fake::with("msctls_trackbar32").answer(TBM_GETRANGEMAX, &[9]).answer(TBM_GETPOS, &[4]);
        assert_eq!((fact(&bar, "range"), fact(&bar, "position")), (Some("0..9".into()), Some("4".into())));
        assert_eq!(fact(&Fake::with("TScrollBar"), "position"), Some("7".into()));
        let date = Date { year: 2026, month: 11, day: 16, ..Date::default() };
        let filled = |class, message| Fake::with(class).fills(message, Payload::Date(date));
        let picker = filled("SysDateTimePick32", DTM_GETSYSTEMTIME);
        assert_eq!(fact(&picker, "date"), Some("2026-11-16T00:00:00".into()));
        let empty = Fake::with("SysDateTimePick32").answer(DTM_GETSYSTEMTIME, &[GDT_NONE as isize]);
        assert_eq!(fact(&empty, "date"), Some("none".into()));
        let calendar = filled("SysMonthCal32", MCM_GETCURSEL).answer(MCM_GETCURSEL, &[1]);
        assert_eq!(fact(&calendar, "date"), Some("2026-11-16".into()));
    }
}
