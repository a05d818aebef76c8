//! Items of lists, combo boxes, list views, trees and tabs: found by text first and by index second.

use super::gui::Gui;
use super::plan::Preparation;
use replay_link::{ItemRef, Trouble, Window};
use win32_vocabulary::Control;
use win32_vocabulary::class_messages::CBEM_GETCOMBOCONTROL;
use win32_vocabulary::items::{TVGN_CHILD, TVGN_NEXT, TVGN_ROOT};
use win32_vocabulary::messages::{
    CB_GETCOUNT, LB_GETCOUNT, LVM_GETITEMCOUNT, TCM_GETITEMCOUNT, TVM_GETNEXTITEM,
};
use win32_vocabulary::styles::{
    CBS_HASSTRINGS, CBS_OWNERDRAWFIXED, CBS_OWNERDRAWVARIABLE, LBS_HASSTRINGS, LBS_NODATA,
    LBS_OWNERDRAWFIXED, LBS_OWNERDRAWVARIABLE,
};

/// Only so many items are searched for a text.
const MAX_SEARCHED: usize = 20_000;
/// The recorder truncates longer texts.
const MAX_RECORDED: usize = 250;

/// The combo box inside an extended one, or the combo box itself.
pub(crate) fn inner_combo(gui: &dyn Gui, window: Window) -> Window {
    if gui.control(window) == Control::ComboBoxEx {
        Window(gui.ask(window, CBEM_GETCOMBOCONTROL, 0, 0).cast_unsigned() as u64)
    } else {
        window
    }
}

pub(crate) fn count(gui: &dyn Gui, window: Window, control: Control) -> usize {
    let count = match control {
        Control::ListBox => gui.ask(window, LB_GETCOUNT, 0, 0),
        Control::ComboBox | Control::ComboBoxEx => gui.ask(inner_combo(gui, window), CB_GETCOUNT, 0, 0),
        Control::ListView => gui.ask(window, LVM_GETITEMCOUNT, 0, 0),
        Control::Tab => gui.ask(window, TCM_GETITEMCOUNT, 0, 0),
        _ => 0,
    };
    usize::try_from(count).unwrap_or(0)
}

/// The text of an item; none in an owner-drawn list that keeps numbers instead.
pub(crate) fn text(gui: &dyn Gui, window: Window, control: Control, index: usize) -> Option<String> {
    let style = gui.style(window);
    let has_strings = match control {
        Control::ListBox => {
            let is_owner_drawn = style & (LBS_OWNERDRAWFIXED | LBS_OWNERDRAWVARIABLE) != 0;
            style & LBS_NODATA == 0 && (!is_owner_drawn || style & LBS_HASSTRINGS != 0)
        }
        Control::ComboBox => {
            let is_owner_drawn = style & (CBS_OWNERDRAWFIXED | CBS_OWNERDRAWVARIABLE) != 0;
            !is_owner_drawn || style & CBS_HASSTRINGS != 0
        }
        _ => true,
    };
    if has_strings { gui.item_text(window, control, index) } else { None }
}

/// The index of an item: the one with its text, which is the recorded one if several have it. Without a
/// recorded text, the recorded index.
pub(crate) fn find(on: &mut Preparation<'_>, control: Control, item: &ItemRef) -> Result<usize, Trouble> {
    let (gui, window) = (on.gui, on.window);
    let count = count(gui, window, control);
    let recorded = item.index.and_then(|index| usize::try_from(index).ok()).filter(|index| *index < count);
    let missing = || Trouble::NoItem(item.name());
    let Some(wanted) = item.path.last() else {
        let index = recorded.ok_or_else(missing)?;
        on.remark(format!("item {} was found by its place: it has no recorded text", index + 1));
        return Ok(index);
    };
    let has_text =
        |index: &usize| text(gui, window, control, *index).is_some_and(|text| is_called(&text, wanted));
    if let Some(index) = recorded.filter(has_text) {
        return Ok(index);
    }
    let found = (0..count.min(MAX_SEARCHED)).find(has_text).ok_or_else(missing)?;
    if let Some(index) = item.index {
        on.remark(format!(
            "{} was found by its text: it is item {} now and was item {}",
            item.name(),
            found + 1,
            index.saturating_add(1)
        ));
    }
    Ok(found)
}

/// The handle of a tree's item: along the recorded texts, or along the recorded indexes where
/// there are no texts.
pub(crate) fn find_in_tree(on: &mut Preparation<'_>, item: &ItemRef) -> Result<isize, Trouble> {
    let (gui, tree) = (on.gui, on.window);
    let missing = || Trouble::NoItem(item.name());
    let by_text = || {
        let mut at = None;
        for wanted in &item.path {
            at = Some(children(gui, tree, at).find(|child| is_called(&gui.tree_text(tree, *child), wanted))?);
        }
        at
    };
    // From the root to the item.
    let by_index = || {
        let mut way: Vec<isize> = Vec::new();
        for index in item.index_path.as_deref()?.split('/') {
            way.push(children(gui, tree, way.last().copied()).nth(index.parse().ok()?)?);
        }
        Some(way)
    };
    let way = by_index().unwrap_or_default();
    let indexed = way.last().copied();
    if item.path.is_empty() {
        let found = indexed.ok_or_else(missing)?;
        on.remark(format!("item {} was found by its place: it has no recorded text", item.name()));
        return Ok(found);
    }
    let has_text = |(at, wanted): (&isize, &String)| is_called(&gui.tree_text(tree, *at), wanted);
    // Siblings may share a text: then the recorded index decides.
    if way.len() == item.path.len() && way.iter().zip(&item.path).all(has_text) {
        return Ok(way[way.len() - 1]);
    }
    if let Some(found) = by_text() {
        if let Some(path) = &item.index_path {
            on.remark(format!("{} was found by its text: its place is no longer {path}", item.name()));
        }
        return Ok(found);
    }
    // A branch above may count what is in it: "Inbox (3)".
    let found = indexed.filter(|at| item.path.last().is_some_and(|last| has_text((at, last))));
    let found = found.ok_or_else(missing)?;
    on.remark(format!(
        "{} was found by its text and its place: a branch above it has another text",
        item.name()
    ));
    Ok(found)
}

/// Whether an item has a recorded text, of which the log keeps one line.
fn is_called(text: &str, wanted: &str) -> bool {
    let one_line =
        || text.split(char::is_control).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    text == wanted
        || one_line() == wanted
        || wanted.encode_utf16().count() >= MAX_RECORDED && one_line().starts_with(wanted)
}

/// The items of a tree below one, or at its root.
pub(crate) fn children(gui: &dyn Gui, tree: Window, of: Option<isize>) -> impl Iterator<Item = isize> {
    let next = move |relation: u32, item: isize| {
        Some(gui.ask(tree, TVM_GETNEXTITEM, relation as usize, item)).filter(|found| *found != 0)
    };
    let first = of.map_or_else(|| next(TVGN_ROOT, 0), |item| next(TVGN_CHILD, item));
    std::iter::successors(first, move |item| next(TVGN_NEXT, *item))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{CONTROL, Fake, item, path};

    fn found(fake: &Fake, item: &ItemRef) -> (Result<usize, Trouble>, Vec<String>) {
        let on = &mut Preparation::new(fake, CONTROL);
        let found = find(on, on.control(), item);
        (found, std::mem::take(&mut on.remarks))
    }

    fn found_in_tree(fake: &Fake, item: &ItemRef) -> (Result<isize, Trouble>, Vec<String>) {
        let on = &mut Preparation::new(fake, CONTROL);
        let found = find_in_tree(on, item);
        (found, std::mem::take(&mut on.remarks))
    }

    #[test]
    fn an_item_is_found_by_text_and_by_its_place_where_texts_repeat() {
        let list = Fake::with("ListBox").items(&["red", "blue", "red", "a\r\nb"]);
        let at = |text: &str, index| ItemRef { index: Some(index), ..item(text) };
        assert_eq!(found(&list, &at("red", 2)), (Ok(2), vec![]));
        assert_eq!(found(&list, &item("red")), (Ok(0), vec![]));
        assert_eq!(found(&list, &item("a b")), (Ok(3), vec![]), "the log keeps one line");
        let (index, remarks) = found(&list, &at("blue", 0));
        let remark = "\"blue\" was found by its text: it is item 2 now and was item 1";
        assert_eq!((index, remarks), (Ok(1), vec![remark.to_owned()]));
        let (index, remarks) = found(&list, &ItemRef { index: Some(3), ..ItemRef::default() });
        assert_eq!((index, remarks.len()), (Ok(3), 1), "no recorded text");
        assert_eq!(found(&list, &at("green", 1)).0, Err(Trouble::NoItem("\"green\"".into())));
        assert!(found(&list, &ItemRef { index: Some(4), ..ItemRef::default() }).0.is_err());
    }

    #[test]
    fn a_list_that_draws_numbers_has_no_texts() {
        let texts = |style| {
            let list = Fake::with("ListBox").items(&["red"]).style(style);
            text(&list, CONTROL, Control::ListBox, 0)
        };
        assert_eq!(texts(LBS_OWNERDRAWFIXED), None);
        assert_eq!(texts(LBS_NODATA), None);
        assert_eq!(texts(LBS_OWNERDRAWVARIABLE | LBS_HASSTRINGS), Some("red".into()));
    }

    #[test]
    fn a_tree_is_followed_by_texts_and_by_places() {
        let nodes = [(1, 0, "Mail"), (2, 1, "Inbox (3)"), (3, 2, "Old"), (4, 1, "Sent"), (5, 1, "Sent")];
        let tree = Fake::with("SysTreeView32").nodes(&nodes);
        let at = |texts: &[&str], places: &str| ItemRef { index_path: Some(places.into()), ..path(texts) };
        assert_eq!(found_in_tree(&tree, &path(&["Mail", "Sent"])), (Ok(4), vec![]));
        assert_eq!(found_in_tree(&tree, &at(&["Mail", "Sent"], "0/2")), (Ok(5), vec![]), "siblings alike");
        let (item, remarks) = found_in_tree(&tree, &at(&["Mail", "Sent"], "0/7"));
        let remark = "\"Mail > Sent\" was found by its text: its place is no longer 0/7";
        assert_eq!((item, remarks), (Ok(4), vec![remark.to_owned()]));
        let (item, remarks) = found_in_tree(&tree, &at(&["Mail", "Inbox", "Old"], "0/0/0"));
        assert_eq!((item, remarks.len()), (Ok(3), 1), "a branch above counts what is in it");
        let (item, remarks) = found_in_tree(&tree, &at(&[], "0/1"));
        assert_eq!((item, remarks.len()), (Ok(4), 1));
        assert!(found_in_tree(&tree, &path(&["Mail", "Drafts"])).0.is_err());
    }
}
