//! Items of lists, combo boxes, list views, trees and tabs: found by text first and by place second, and
//! what is selected.

use crate::controls::{Kind, kind_of};
use crate::facts;
use crate::win32::{Menu, client_size, focused, send, send_with};
use replay_link::{Answer, ItemRef, Question, Trouble, Window};
use std::cell::RefCell;
use windows::Win32::UI::Controls::{CBEIF_TEXT, TCIF_TEXT};
use windows::Win32::UI::Controls::{
    COMBOBOXEXITEMW, HTREEITEM, LVITEMW, TBBUTTON, TCITEMW, TVIF_TEXT, TVITEMW,
};
use windows::core::PWSTR;

/// More items than this are searched by the control itself, if it can.
const MANY: usize = 20_000;
/// Longer texts of items are cut; no item shows so much.
const TEXT: usize = 4096;

const LB_GETSEL: u32 = 0x0187;
const LB_GETCURSEL: u32 = 0x0188;
const LB_GETTEXT: u32 = 0x0189;
const LB_GETTEXTLEN: u32 = 0x018A;
const LB_GETCOUNT: u32 = 0x018B;
const CB_GETCOUNT: u32 = 0x0146;
const CB_GETCURSEL: u32 = 0x0147;
const CB_GETLBTEXT: u32 = 0x0148;
const CB_GETLBTEXTLEN: u32 = 0x0149;
const CBEM_GETITEMW: u32 = 0x040D;
const CBEM_GETCOMBOCONTROL: u32 = 0x0406;
const LVM_GETITEMCOUNT: u32 = 0x1004;
const LVM_GETNEXTITEM: u32 = 0x100C;
const LVM_GETITEMTEXTW: u32 = 0x1073;
const TVM_GETNEXTITEM: u32 = 0x110A;
const TVM_GETITEMW: u32 = 0x113E;
const TCM_GETITEMCOUNT: u32 = 0x1304;
const TCM_GETCURSEL: u32 = 0x130B;
const TCM_GETITEMW: u32 = 0x133C;
const BM_GETCHECK: u32 = 0x00F0;

/// The combo box inside an extended one, or the combo box itself.
pub(crate) fn inner_combo(window: Window) -> Window {
    if kind_of(window) == Kind::ComboBoxEx {
        Window(send(window, CBEM_GETCOMBOCONTROL, 0, 0).cast_unsigned() as u64)
    } else {
        window
    }
}

/// Whether items have texts: an owner-drawn list without strings gives numbers instead.
fn has_strings(window: Window, kind: Kind) -> bool {
    let style = window.style();
    match kind {
        Kind::ListBox => style & 0x2000 == 0 && (style & 0x30 == 0 || style & 0x40 != 0),
        Kind::ComboBox => style & 0x30 == 0 || style & 0x200 != 0,
        _ => true,
    }
}

/// How many items there are.
pub(crate) fn count(window: Window, kind: Kind) -> usize {
    let count = match kind {
        Kind::ListBox => send(window, LB_GETCOUNT, 0, 0),
        Kind::ComboBox | Kind::ComboBoxEx => send(inner_combo(window), CB_GETCOUNT, 0, 0),
        Kind::ListView => send(window, LVM_GETITEMCOUNT, 0, 0),
        Kind::Tab => send(window, TCM_GETITEMCOUNT, 0, 0),
        _ => 0,
    };
    usize::try_from(count).unwrap_or(0)
}

/// The text of an item.
pub(crate) fn text(window: Window, kind: Kind, index: usize) -> Option<String> {
    if !has_strings(window, kind) {
        return None;
    }
    let mut units = [0u16; TEXT];
    match kind {
        Kind::ListBox => long_text(window, LB_GETTEXTLEN, LB_GETTEXT, index),
        Kind::ComboBox => long_text(window, CB_GETLBTEXTLEN, CB_GETLBTEXT, index),
        Kind::ComboBoxEx => {
            let mut item = COMBOBOXEXITEMW {
                mask: CBEIF_TEXT,
                iItem: index as isize,
                pszText: PWSTR(units.as_mut_ptr()),
                cchTextMax: TEXT as i32,
                ..Default::default()
            };
            (send_with(window, CBEM_GETITEMW, 0, &mut item) != 0).then(|| until_zero(&units))
        }
        Kind::ListView => {
            let mut item =
                LVITEMW { pszText: PWSTR(units.as_mut_ptr()), cchTextMax: TEXT as i32, ..Default::default() };
            let len = send_with(window, LVM_GETITEMTEXTW, index, &mut item);
            // The control may hand out a text of its own instead of filling ours; it copies in this message.
            Some(String::from_utf16_lossy(&units[..usize::try_from(len).unwrap_or(0).min(TEXT)]))
        }
        Kind::Tab => {
            let mut item = TCITEMW {
                mask: TCIF_TEXT,
                pszText: PWSTR(units.as_mut_ptr()),
                cchTextMax: TEXT as i32,
                ..Default::default()
            };
            (send_with(window, TCM_GETITEMW, index, &mut item) != 0).then(|| until_zero(&units))
        }
        _ => None,
    }
}

fn long_text(window: Window, ask_len: u32, ask_text: u32, index: usize) -> Option<String> {
    let len = usize::try_from(send(window, ask_len, index, 0)).ok()?;
    let mut units = vec![0u16; len + 2];
    let at = units.as_mut_ptr().expose_provenance().cast_signed();
    let len = usize::try_from(send(window, ask_text, index, at)).ok()?;
    Some(String::from_utf16_lossy(&units[..len.min(units.len())]))
}

fn until_zero(units: &[u16]) -> String {
    let len = units.iter().position(|unit| *unit == 0).unwrap_or(units.len());
    String::from_utf16_lossy(&units[..len])
}

thread_local! {
    /// By what items were found, where that is not by their text at their place.
    static REMARKS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Another act begins on this thread.
pub(crate) fn begin_remarks() {
    REMARKS.take();
}

/// What is to be known of the items found since.
pub(crate) fn remarks() -> Vec<String> {
    REMARKS.take()
}

pub(crate) fn remark(text: String) {
    REMARKS.with_borrow_mut(|remarks| remarks.push(text));
}

/// The place of an item: the one with its text, which is the recorded one if several have it. Where no text
/// is recorded, the recorded place.
pub(crate) fn find(window: Window, kind: Kind, item: &ItemRef) -> Result<usize, Trouble> {
    let count = count(window, kind);
    let place = item.index.and_then(|index| usize::try_from(index).ok()).filter(|index| *index < count);
    let missing = || Trouble::NoItem(item.name());
    let Some(wanted) = item.path.last() else {
        let place = place.ok_or_else(missing)?;
        remark(format!("item {place} was found by its place: it has no recorded text"));
        return Ok(place);
    };
    let has_text = |index: usize| text(window, kind, index).is_some_and(|text| is_called(&text, wanted));
    if let Some(place) = place.filter(|index| has_text(*index)) {
        return Ok(place);
    }
    let found = (0..count.min(MANY)).find(|index| has_text(*index)).ok_or_else(missing)?;
    if let Some(index) = item.index {
        remark(format!("{} was found by its text: it is item {found} now and was item {index}", item.name()));
    }
    Ok(found)
}

/// An item of a tree: along the texts; along the places where there are none.
pub(crate) fn find_in_tree(tree: Window, item: &ItemRef) -> Result<isize, Trouble> {
    let missing = || Trouble::NoItem(item.name());
    let by_text = || {
        let mut at = None;
        for wanted in &item.path {
            at = Some(children(tree, at).find(|child| is_called(&tree_text(tree, *child), wanted))?);
        }
        at
    };
    // From the root to the item.
    let by_place = || {
        let mut way: Vec<isize> = Vec::new();
        for place in item.index_path.as_deref()?.split('/') {
            way.push(children(tree, way.last().copied()).nth(place.parse().ok()?)?);
        }
        Some(way)
    };
    let way = by_place().unwrap_or_default();
    let placed = way.last().copied();
    if item.path.is_empty() {
        let placed = placed.ok_or_else(missing)?;
        remark(format!("item {} was found by its place: it has no recorded text", item.name()));
        return Ok(placed);
    }
    let is_named = |(at, wanted): (&isize, &String)| is_called(&tree_text(tree, *at), wanted);
    // Siblings may share a text: then the recorded place decides.
    if way.len() == item.path.len() && way.iter().zip(&item.path).all(is_named) {
        return Ok(way[way.len() - 1]);
    }
    if let Some(found) = by_text() {
        if let Some(path) = &item.index_path {
            remark(format!("{} was found by its text: its place is no longer {path}", item.name()));
        }
        return Ok(found);
    }
    // A branch above may count what is in it: "Inbox (3)".
    let found = placed.filter(|placed| item.path.last().is_some_and(|last| is_named((placed, last))));
    let found = found.ok_or_else(missing)?;
    remark(format!(
        "{} was found by its text and its place: a branch above it is called otherwise",
        item.name()
    ));
    Ok(found)
}

/// Whether an item has a recorded text, of which the log keeps one line.
fn is_called(text: &str, wanted: &str) -> bool {
    let one_line =
        || text.split(char::is_control).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    // The recorder cuts very long ones.
    const CUT: usize = 250;
    text == wanted
        || one_line() == wanted
        || wanted.encode_utf16().count() >= CUT && one_line().starts_with(wanted)
}

/// The items of a tree below one, or at its root.
pub(crate) fn children(tree: Window, of: Option<isize>) -> impl Iterator<Item = isize> {
    const ROOT: usize = 0;
    const NEXT: usize = 1;
    const CHILD: usize = 4;
    let step =
        move |kind: usize, item: isize| Some(send(tree, TVM_GETNEXTITEM, kind, item)).filter(|i| *i != 0);
    let first = of.map_or_else(|| step(ROOT, 0), |item| step(CHILD, item));
    std::iter::successors(first, move |item| step(NEXT, *item))
}

/// The text of an item of a tree.
pub(crate) fn tree_text(tree: Window, item: isize) -> String {
    let mut units = [0u16; TEXT];
    let mut asked = TVITEMW {
        mask: TVIF_TEXT,
        hItem: HTREEITEM(item),
        pszText: PWSTR(units.as_mut_ptr()),
        cchTextMax: TEXT as i32,
        ..Default::default()
    };
    send_with(tree, TVM_GETITEMW, 0, &mut asked);
    until_zero(&units)
}

/// The places of the selected items of a list view.
pub(crate) fn selected_in_list_view(view: Window) -> Vec<usize> {
    const SELECTED: isize = 2;
    let next = |after: isize| send(view, LVM_GETNEXTITEM, after.cast_unsigned(), SELECTED);
    let is_item = |index: &isize| *index >= 0;
    let all = std::iter::successors(Some(next(-1)).filter(is_item), |last| Some(next(*last)).filter(is_item));
    all.filter_map(|index| usize::try_from(index).ok()).collect()
}

/// Answers a question on the control's own thread.
pub(crate) fn ask(window: Window, question: &Question) -> Result<Answer, Trouble> {
    if window.thread_and_process().0 == 0 {
        return Err(Trouble::Gone);
    }
    match question {
        Question::Text if facts::is_private(window, kind_of(window)) => {
            Err(Trouble::Unable("the text of a password field is never read".into()))
        }
        Question::Text => Ok(Answer::Text(crate::win32::text_of(window))),
        Question::Checked => Ok(Answer::Number(send(window, BM_GETCHECK, 0, 0) as i64)),
        Question::Selection => selection(window).map(Answer::Texts),
        Question::Facts => facts::of(window).map(Answer::Facts),
        Question::ClientSize => {
            client_size(window).map(|(width, height)| Answer::Size(width, height)).ok_or(Trouble::Gone)
        }
        Question::Menu => Ok(Answer::Texts(menu(window))),
        Question::Items => offered(window).map(Answer::Texts),
        Question::Focus => Ok(Answer::Number(focused() as i64)),
        Question::Dpi => Ok(Answer::Number(crate::win32::dpi(window).map_or(0, |dpi| i64::from(dpi.value)))),
    }
}

/// The commands of a menu bar with their texts. A program may make an open menu depend on what is selected;
/// this is the menu as it stands.
fn menu(window: Window) -> Vec<String> {
    let mut commands = Vec::new();
    if let Some(bar) = Menu::of(window) {
        list_menu(bar, &[], &mut commands);
    }
    commands
}

/// In the order a user reads them.
fn list_menu(menu: Menu, above: &[String], commands: &mut Vec<String>) {
    const MOST: usize = 10_000;
    const DEEPEST: usize = 9;
    for position in 0..menu.len() {
        let path = [above, &[menu.text(position).replace('\t', " ")]].concat();
        match menu.sub_menu(position) {
            Some(below) if path.len() < DEEPEST => list_menu(below, &path, commands),
            None if commands.len() < MOST => {
                commands.push(format!("{}\t{}", menu.command(position), path.join("\t")));
            }
            _ => {}
        }
    }
}

/// What can be chosen in a control, as far as a user would look.
fn offered(window: Window) -> Result<Vec<String>, Trouble> {
    const MOST: usize = 1000;
    let kind = kind_of(window);
    let plain = |text: String| text.replace(['\t', '\r', '\n'], " ");
    let all = match kind {
        Kind::ListBox | Kind::ComboBox | Kind::ComboBoxEx | Kind::ListView | Kind::Tab => {
            let texts = (0..count(window, kind).min(MOST)).filter_map(|index| text(window, kind, index));
            texts.map(plain).collect()
        }
        Kind::TreeView => {
            let mut found = Vec::new();
            let mut open: Vec<(Option<isize>, String)> = vec![(None, String::new())];
            while let Some((of, above)) = open.pop().filter(|_| found.len() < MOST) {
                for item in children(window, of).take(MOST) {
                    let path = format!("{above}{}", plain(tree_text(window, item)));
                    open.push((Some(item), format!("{path}\t")));
                    found.push(path);
                }
            }
            found
        }
        Kind::ToolBar => tools(window, MOST),
        _ => return Err(Trouble::Unable("the control has no items".into())),
    };
    Ok(all.into_iter().filter(|line: &String| !line.is_empty()).collect())
}

/// The tools that take a click, each with its command and its text.
fn tools(bar: Window, most: usize) -> Vec<String> {
    const TB_GETBUTTON: u32 = 0x0417;
    const TB_BUTTONCOUNT: u32 = 0x0418;
    const TB_GETBUTTONTEXTW: u32 = 0x044B;
    const ENABLED: u8 = 4;
    const HIDDEN: u8 = 8;
    const SEPARATOR: u8 = 1;
    let tool = |index: usize| {
        let mut button = TBBUTTON::default();
        let is_there = send_with(bar, TB_GETBUTTON, index, &mut button) != 0
            && button.fsState & (ENABLED | HIDDEN) == ENABLED
            && button.fsStyle & SEPARATOR == 0;
        let command = button.idCommand;
        let len = || usize::try_from(send(bar, TB_GETBUTTONTEXTW, command as usize, 0)).unwrap_or(0);
        is_there.then(|| {
            let mut units = vec![0u16; len() + 1];
            let at = units.as_mut_ptr().expose_provenance().cast_signed();
            send(bar, TB_GETBUTTONTEXTW, command as usize, at);
            format!("{command}\t{}", until_zero(&units).replace('\t', " "))
        })
    };
    let count = usize::try_from(send(bar, TB_BUTTONCOUNT, 0, 0)).unwrap_or(0);
    (0..count.min(most)).filter_map(tool).collect()
}

fn selection(window: Window) -> Result<Vec<String>, Trouble> {
    const CARET: usize = 9;
    let kind = kind_of(window);
    let one = |index: isize| usize::try_from(index).into_iter().collect::<Vec<usize>>();
    let selected = match kind {
        Kind::ListBox if window.style() & 0x0808 != 0 => {
            (0..count(window, kind)).filter(|index| send(window, LB_GETSEL, *index, 0) > 0).collect()
        }
        Kind::ListBox => one(send(window, LB_GETCURSEL, 0, 0)),
        Kind::ComboBox | Kind::ComboBoxEx => one(send(inner_combo(window), CB_GETCURSEL, 0, 0)),
        Kind::ListView => selected_in_list_view(window),
        Kind::Tab => one(send(window, TCM_GETCURSEL, 0, 0)),
        Kind::TreeView => {
            let item = send(window, TVM_GETNEXTITEM, CARET, 0);
            return Ok((item != 0).then(|| tree_text(window, item)).into_iter().collect());
        }
        _ => return Err(Trouble::Unable("the control has no items".into())),
    };
    Ok(selected.into_iter().map(|index| text(window, kind, index).unwrap_or_default()).collect())
}
