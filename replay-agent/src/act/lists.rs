//! Items of lists, combo boxes, list views and tabs, and of trees where an act means both: selected, clicked,
//! checked, activated, renamed.

use super::gui::{Details, Gui, Payload};
use super::items::{find, find_in_tree, inner_combo};
use super::plan::{Perform, Preparation, middle, notify, send_command};
use super::{mouse, selected, text, trees};
use message_log::Rect;
use replay_link::{ItemRef, PointerButton, Trouble, Window};
use win32_vocabulary::Control;
use win32_vocabulary::items::{LVIS_FOCUSED, LVIS_SELECTED, LVIS_STATEIMAGEMASK, STATE_IMAGE_SHIFT};
use win32_vocabulary::keys::{VK_ESCAPE, VK_RETURN};
use win32_vocabulary::messages::{
    CB_GETCURSEL, CB_GETDROPPEDSTATE, CB_SETCURSEL, CB_SHOWDROPDOWN, LB_GETITEMRECT, LB_GETSEL,
    LB_SETCARETINDEX, LB_SETCURSEL, LB_SETSEL, LB_SETTOPINDEX, LVM_EDITLABELW, LVM_ENSUREVISIBLE,
    LVM_GETEDITCONTROL, LVM_SETITEMSTATE, LVM_SETSELECTIONMARK, TCM_SETCURSEL, TVM_EDITLABELW,
    TVM_ENDEDITLABELNOW, TVM_GETEDITCONTROL, WM_CHAR, WM_KEYDOWN,
};
use win32_vocabulary::notifications::{
    CBN_SELCHANGE, CBN_SELENDOK, LBN_DBLCLK, LBN_SELCHANGE, LVN_ITEMACTIVATE, NM_DBLCLK, TCN_SELCHANGE,
    TCN_SELCHANGING,
};
use win32_vocabulary::styles::{CBS_DROPDOWNLIST, LBS_EXTENDEDSEL, LBS_MULTIPLESEL, LBS_NOTIFY};

/// The state images of check boxes.
const UNCHECKED: u32 = 1 << STATE_IMAGE_SHIFT;
const CHECKED: u32 = 2 << STATE_IMAGE_SHIFT;

fn find_all(on: &mut Preparation<'_>, control: Control, items: &[ItemRef]) -> Result<Vec<usize>, Trouble> {
    items.iter().map(|item| find(on, control, item)).collect()
}

pub(crate) fn select(on: &mut Preparation<'_>, items: &[ItemRef], add: bool) -> Result<Perform, Trouble> {
    let (window, control) = (on.window, on.control());
    match control {
        Control::TreeView => {
            let item = items.last().map(|item| find_in_tree(on, item)).transpose()?;
            return Ok(Box::new(move |gui| trees::select_and_focus(gui, window, item.unwrap_or(0))));
        }
        Control::ListBox | Control::ComboBox | Control::ComboBoxEx | Control::ListView | Control::Tab => {}
        _ => {
            let class = on.gui.class(window);
            return Err(Trouble::Unable(format!("a window of class {class:?} is not known as a list")));
        }
    }
    let found = find_all(on, control, items)?;
    Ok(Box::new(move |gui| {
        gui.focus(window);
        match control {
            Control::ListBox => select_in_list_box(gui, window, &found, add),
            Control::ListView => select_in_list_view(gui, window, &found, add),
            Control::Tab => select_tab(gui, window, found.last().copied().unwrap_or(0)),
            _ => select_in_combo(gui, inner_combo(gui, window), found.last().copied()),
        }
    }))
}

pub(crate) fn deselect(on: &mut Preparation<'_>, items: &[ItemRef]) -> Result<Perform, Trouble> {
    let (window, control) = (on.window, on.control());
    if !matches!(control, Control::ListBox | Control::ListView) {
        return Err(on.not_a_control_that("has items to deselect"));
    }
    let found = find_all(on, control, items)?;
    Ok(Box::new(move |gui| {
        gui.focus(window);
        for index in found {
            if control == Control::ListView {
                set_item_state(gui, window, index, 0, LVIS_SELECTED);
            } else {
                gui.send(window, LB_SETSEL, 0, index as isize);
            }
        }
        if control == Control::ListBox {
            send_command(gui, window, LBN_SELCHANGE);
        }
    }))
}

/// Clicks at half the height of the item, wherever it is by then.
pub(crate) fn click_item(on: &mut Preparation<'_>, item: &ItemRef, x: i32) -> Result<Perform, Trouble> {
    on.require(Control::ListBox, "is a list of lines")?;
    let (list, index) = (on.window, find(on, Control::ListBox, item)?);
    Ok(Box::new(move |gui| {
        let height = || middle(gui.ask_rect(list, LB_GETITEMRECT, index, Rect::default()).1).y;
        let is_visible = |y: i32| gui.client_size(list).is_some_and(|(_, bottom)| (0..bottom).contains(&y));
        if !is_visible(height()) {
            gui.send(list, LB_SETTOPINDEX, index, 0);
        }
        mouse::click(gui, list, PointerButton::Left, 1, (x, height()), 0);
    }))
}

fn select_in_list_box(gui: &dyn Gui, list: Window, found: &[usize], add: bool) {
    let style = gui.style(list);
    if style & (LBS_MULTIPLESEL | LBS_EXTENDEDSEL) == 0 {
        gui.send(list, LB_SETCURSEL, found.last().copied().unwrap_or(usize::MAX), 0);
    } else {
        if !add {
            gui.send(list, LB_SETSEL, 0, -1);
        }
        for &index in found {
            if gui.ask(list, LB_GETSEL, index, 0) == 0 {
                gui.send(list, LB_SETSEL, 1, index as isize);
            }
        }
        if let Some(&last) = found.last() {
            gui.send(list, LB_SETCARETINDEX, last, 0);
        }
    }
    if style & LBS_NOTIFY != 0 {
        send_command(gui, list, LBN_SELCHANGE);
    }
}

fn select_in_combo(gui: &dyn Gui, combo: Window, index: Option<usize>) {
    let wanted = index.unwrap_or(usize::MAX);
    let is_editable = gui.style(combo) & CBS_DROPDOWNLIST != CBS_DROPDOWNLIST;
    let list = if is_editable { gui.list_of_combo(combo) } else { None };
    match list {
        // The edit takes the text over only once the parent has been notified: who compares the
        // two sees it change.
        Some(list) => gui.send(list, LB_SETCURSEL, wanted, 0),
        None => gui.send(combo, CB_SETCURSEL, wanted, 0),
    };
    send_command(gui, combo, CBN_SELENDOK);
    send_command(gui, combo, CBN_SELCHANGE);
    if list.is_some() {
        let now = gui.ask(combo, CB_GETCURSEL, 0, 0);
        if now >= 0 {
            gui.send(combo, CB_SETCURSEL, now.cast_unsigned(), 0);
        }
    }
    if gui.ask(combo, CB_GETDROPPEDSTATE, 0, 0) != 0 {
        gui.send(combo, CB_SHOWDROPDOWN, 0, 0);
    }
}

fn set_item_state(gui: &dyn Gui, view: Window, index: usize, state: u32, mask: u32) {
    gui.exchange(view, LVM_SETITEMSTATE, index, &mut Payload::ListItemState { state, mask });
}

fn select_in_list_view(gui: &dyn Gui, view: Window, found: &[usize], add: bool) {
    const BOTH: u32 = LVIS_SELECTED | LVIS_FOCUSED;
    if !add {
        for index in selected::in_list_view(gui, view) {
            if !found.contains(&index) {
                set_item_state(gui, view, index, 0, LVIS_SELECTED);
            }
        }
    }
    for &index in found {
        set_item_state(gui, view, index, BOTH, BOTH);
    }
    if let Some(&last) = found.last() {
        gui.send(view, LVM_SETSELECTIONMARK, 0, last as isize);
        gui.send(view, LVM_ENSUREVISIBLE, last, 0);
    }
}

fn select_tab(gui: &dyn Gui, tabs: Window, index: usize) {
    if notify(gui, tabs, TCN_SELCHANGING, Details::None) == 0 {
        gui.send(tabs, TCM_SETCURSEL, index, 0);
        notify(gui, tabs, TCN_SELCHANGE, Details::None);
    }
}

pub(crate) fn check_item(
    on: &mut Preparation<'_>,
    item: &ItemRef,
    checked: bool,
) -> Result<Perform, Trouble> {
    let window = on.window;
    let state = if checked { CHECKED } else { UNCHECKED };
    match on.control() {
        Control::ListView => {
            let index = find(on, Control::ListView, item)?;
            Ok(Box::new(move |gui| {
                gui.focus(window);
                set_item_state(gui, window, index, state, LVIS_STATEIMAGEMASK);
            }))
        }
        Control::TreeView => {
            let item = find_in_tree(on, item)?;
            Ok(Box::new(move |gui| trees::check(gui, window, item, state)))
        }
        _ => Err(on.not_a_control_that("has items with check boxes")),
    }
}

/// A double click on an item, as its parent learns of it.
pub(crate) fn activate(on: &mut Preparation<'_>, item: &ItemRef) -> Result<Perform, Trouble> {
    /// LBN_DBLCLK, which is CBN_DBLCLK too.
    const DOUBLE_CLICK: i32 = LBN_DBLCLK;
    let (window, control) = (on.window, on.control());
    match control {
        Control::ListBox | Control::ComboBox => {
            let select = select(on, std::slice::from_ref(item), false)?;
            Ok(Box::new(move |gui| {
                select(gui);
                send_command(gui, window, DOUBLE_CLICK);
            }))
        }
        Control::ListView => {
            let index = find(on, control, item)?;
            Ok(Box::new(move |gui| {
                gui.focus(window);
                select_in_list_view(gui, window, &[index], false);
                for code in [NM_DBLCLK, LVN_ITEMACTIVATE] {
                    notify(gui, window, code, Details::ListItem { index: index as i32 });
                }
            }))
        }
        Control::TreeView => {
            let item = find_in_tree(on, item)?;
            Ok(Box::new(move |gui| trees::activate(gui, window, item)))
        }
        _ => Err(on.not_a_control_that("has items to activate")),
    }
}

/// Begins to edit the label of an item.
pub(crate) fn edit_label(on: &mut Preparation<'_>, item: &ItemRef) -> Result<Perform, Trouble> {
    let (window, control) = (on.window, on.control());
    let (message, index, handle) = match control {
        Control::TreeView => (TVM_EDITLABELW, 0, find_in_tree(on, item)?),
        Control::ListView => (LVM_EDITLABELW, find(on, control, item)?, 0),
        _ => return Err(on.not_a_control_that("has items to rename")),
    };
    Ok(Box::new(move |gui| {
        gui.focus(window);
        gui.send(window, message, index, handle);
    }))
}

/// Gives an item another text, or gives up what was begun. A replayed key may have begun the edit
/// already; Enter ends it.
pub(crate) fn rename(
    on: &mut Preparation<'_>,
    item: &ItemRef,
    new_text: Option<String>,
) -> Result<Perform, Trouble> {
    let (window, control) = (on.window, on.control());
    let (ask, begin, place) = match control {
        Control::ListView => {
            (LVM_GETEDITCONTROL, LVM_EDITLABELW, find(on, control, item).map(|index| (index, 0)))
        }
        Control::TreeView => {
            (TVM_GETEDITCONTROL, TVM_EDITLABELW, find_in_tree(on, item).map(|item| (0, item)))
        }
        _ => return Err(on.not_a_control_that("has items to rename")),
    };
    let edit_of = move |gui: &dyn Gui| {
        Some(Window(gui.ask(window, ask, 0, 0).cast_unsigned() as u64)).filter(|edit| edit.0 != 0)
    };
    let open = edit_of(on.gui);
    let Some(new_text) = new_text else {
        return Ok(Box::new(move |gui| match open {
            Some(_) if control == Control::TreeView => {
                gui.send(window, TVM_ENDEDITLABELNOW, 1, 0);
            }
            Some(edit) => end_label_edit(gui, edit, VK_ESCAPE),
            None => {}
        }));
    };
    // While its label is being edited an item may have no text to be found by.
    let place = if open.is_none() { Some(place?) } else { None };
    Ok(Box::new(move |gui| {
        if let Some((index, handle)) = place {
            gui.focus(window);
            gui.send(window, begin, index, handle);
        }
        let Some(edit) = edit_of(gui) else { return };
        if gui.text(edit) != new_text {
            text::replace_all(gui, edit, &new_text);
        }
        if control == Control::TreeView {
            gui.send(window, TVM_ENDEDITLABELNOW, 0, 0);
        } else {
            end_label_edit(gui, edit, VK_RETURN);
        }
    }))
}

/// Ends the edit of a list view's label. Some versions take the key, others its character;
/// LVM_CANCELEDITLABEL keeps the text under Wine.
fn end_label_edit(gui: &dyn Gui, edit: Window, key: u32) {
    gui.send(edit, WM_KEYDOWN, key as usize, 1);
    gui.send(edit, WM_CHAR, key as usize, 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{CONTROL, Fake, command, focus, item, notice, path, post, send, send_with};
    use crate::act::gui::Call;
    use replay_link::Act;
    use win32_vocabulary::items::TVGN_CARET;
    use win32_vocabulary::messages::{
        EM_REPLACESEL, EM_SETSEL, LVM_GETNEXTITEM, TVM_SELECTITEM, WM_LBUTTONDOWN,
    };
    use win32_vocabulary::mouse::MK_LBUTTON;
    use win32_vocabulary::styles::CBS_DROPDOWN;

    const METALS: [&str; 3] = ["Iron", "Copper", "Silver"];

    fn select(texts: &[&str], add: bool) -> Act {
        Act::Select { items: texts.iter().map(|text| item(text)).collect(), add }
    }

    fn item_state(index: usize, state: u32, mask: u32) -> Call {
        send_with(CONTROL, LVM_SETITEMSTATE, index, Payload::ListItemState { state, mask })
    }

    #[test]
    fn a_list_box_of_any_toolkit_selects_and_notifies() {
        for class in ["ListBox", "TDBListBox", "LCLCheckListBox", "ThunderRT6ListBox"] {
            let list = Fake::with(class).style(LBS_NOTIFY).items(&METALS);
            let calls = list.act(select(&["Copper"], false)).unwrap();
            assert_eq!(calls, [focus(), send(CONTROL, LB_SETCURSEL, 1, 0), command(1)], "{class}");
        }
        let silent = Fake::with("ListBox").items(&METALS).act(select(&[], false)).unwrap();
        assert_eq!(silent, [focus(), send(CONTROL, LB_SETCURSEL, usize::MAX, 0)], "nothing is selected");
    }

    #[test]
    fn a_list_box_of_several_selections_replaces_or_adds() {
        let list = || Fake::with("ListBox").style(LBS_EXTENDEDSEL).items(&METALS).answer(LB_GETSEL, &[0, 1]);
        let calls = list().act(select(&["Iron", "Silver"], false)).unwrap();
        let none = send(CONTROL, LB_SETSEL, 0, -1);
        let (first, caret) = (send(CONTROL, LB_SETSEL, 1, 0), send(CONTROL, LB_SETCARETINDEX, 2, 0));
        // The third is selected already.
        assert_eq!(calls, [focus(), none, first.clone(), caret.clone()]);
        assert_eq!(list().act(select(&["Iron", "Silver"], true)).unwrap(), [focus(), first, caret]);
    }

    #[test]
    fn a_combo_box_tells_its_parent_before_its_edit_changes() {
        let list = Window(8);
        let combo = Fake::with("TDBComboBox").style(CBS_DROPDOWN).items(&METALS).answer(CB_GETCURSEL, &[2]);
        let combo = combo.change(|control| control.list_of_combo = Some(list));
        let calls = combo.act(select(&["Silver"], false)).unwrap();
        let reported = [command(9), command(1)];
        assert_eq!(calls[..2], [focus(), send(list, LB_SETCURSEL, 2, 0)]);
        assert_eq!(calls[2..4], reported);
        assert_eq!(calls[4..], [send(CONTROL, CB_SETCURSEL, 2, 0)]);

        let fixed = Fake::with("ComboBox").style(CBS_DROPDOWNLIST).items(&METALS);
        let calls = fixed.answer(CB_GETDROPPEDSTATE, &[1]).act(select(&["Copper"], false)).unwrap();
        let expected = [focus(), send(CONTROL, CB_SETCURSEL, 1, 0), command(9), command(1)];
        assert_eq!(calls[..4], expected);
        assert_eq!(calls[4..], [send(CONTROL, CB_SHOWDROPDOWN, 0, 0)], "an open list closes");
    }

    #[test]
    fn a_list_view_keeps_only_what_is_wanted_selected() {
        let view = Fake::with("TListView").items(&METALS).answer(LVM_GETNEXTITEM, &[0, 1, -1]);
        let calls = view.act(select(&["Copper", "Silver"], false)).unwrap();
        let both = LVIS_SELECTED | LVIS_FOCUSED;
        assert_eq!(
            calls,
            [
                focus(),
                item_state(0, 0, LVIS_SELECTED),
                item_state(1, both, both),
                item_state(2, both, both),
                send(CONTROL, LVM_SETSELECTIONMARK, 0, 2),
                send(CONTROL, LVM_ENSUREVISIBLE, 2, 0),
            ]
        );
    }

    #[test]
    fn a_tab_changes_unless_its_parent_refuses() {
        let changing = || notice(TCN_SELCHANGING, Details::None);
        let tabs = Fake::with("TPageControl").items(&METALS);
        let calls = tabs.act(select(&["Silver"], false)).unwrap();
        let (set, changed) = (send(CONTROL, TCM_SETCURSEL, 2, 0), notice(TCN_SELCHANGE, Details::None));
        assert_eq!(calls, [focus(), changing(), set, changed]);
        let tabs = Fake::with("SysTabControl32").items(&METALS).veto(TCN_SELCHANGING);
        assert_eq!(tabs.act(select(&["Silver"], false)).unwrap(), [focus(), changing()]);
    }

    #[test]
    fn a_tree_without_a_selection_gets_the_focus_after_it_has_one() {
        let tree = || Fake::with("TTreeView").nodes(&[(10, 0, "Root"), (11, 10, "Leaf")]);
        let act = || Act::Select { items: vec![path(&["Root", "Leaf"])], add: false };
        let selected = send(CONTROL, TVM_SELECTITEM, TVGN_CARET as usize, 11);
        assert_eq!(tree().act(act()).unwrap(), [selected.clone(), focus()]);
        let with_selection = tree().change(|control| control.selected_node = 10);
        assert_eq!(with_selection.act(act()).unwrap(), [focus(), selected]);
    }

    #[test]
    fn items_are_deselected_one_by_one() {
        let act = || Act::Deselect { items: vec![item("Copper")] };
        let calls = Fake::with("ListBox").items(&METALS).act(act()).unwrap();
        assert_eq!(calls, [focus(), send(CONTROL, LB_SETSEL, 0, 1), command(1)]);
        let calls = Fake::with("SysListView32").items(&METALS).act(act()).unwrap();
        assert_eq!(calls, [focus(), item_state(1, 0, LVIS_SELECTED)]);
        assert!(Fake::with("ComboBox").items(&METALS).act(act()).is_err());
    }

    #[test]
    fn a_click_on_an_item_scrolls_it_into_view_if_need_be() {
        let rect = |top| Payload::Rect(Rect { left: 0, top, right: 100, bottom: top + 20 });
        let act = || Act::ClickItem { item: item("Silver"), x: 6 };
        let list = |top| Fake::with("LCLCheckListBox").items(&METALS).fills(LB_GETITEMRECT, rect(top));
        let calls = list(40).act(act()).unwrap();
        assert!(
            calls.contains(&post(CONTROL, WM_LBUTTONDOWN, MK_LBUTTON as usize, 50 << 16 | 6)),
            "{calls:?}"
        );
        assert_eq!(list(400).act(act()).unwrap()[0], send(CONTROL, LB_SETTOPINDEX, 2, 0));
        assert!(Fake::with("SysListView32").items(&METALS).act(act()).is_err());
    }

    #[test]
    fn a_check_box_of_an_item_is_set() {
        let act = || Act::CheckItem { item: item("Copper"), checked: true };
        let calls = Fake::with("SysListView32").items(&METALS).act(act()).unwrap();
        assert_eq!(calls, [focus(), item_state(1, CHECKED, LVIS_STATEIMAGEMASK)]);
        assert!(Fake::with("ListBox").items(&METALS).act(act()).is_err());
    }

    #[test]
    fn a_double_click_on_an_item_is_reported_as_its_control_does() {
        let act = || Act::Activate { item: item("Copper") };
        let calls = Fake::with("ListBox").items(&METALS).act(act()).unwrap();
        assert_eq!(calls, [focus(), send(CONTROL, LB_SETCURSEL, 1, 0), command(2)]);
        let calls =
            Fake::with("SysListView32").items(&METALS).answer(LVM_GETNEXTITEM, &[-1]).act(act()).unwrap();
        let activated = Details::ListItem { index: 1 };
        assert_eq!(
            calls[calls.len() - 2..],
            [notice(NM_DBLCLK, activated.clone()), notice(LVN_ITEMACTIVATE, activated)]
        );
        assert!(Fake::with("Button").act(act()).is_err());
    }

    #[test]
    fn a_label_is_edited_and_renamed() {
        let view = || Fake::with("SysListView32").items(&METALS);
        let tree = || Fake::with("SysTreeView32").nodes(&[(10, 0, "Copper")]);
        let edit = || Act::EditLabel { item: item("Copper") };
        assert_eq!(view().act(edit()).unwrap(), [focus(), send(CONTROL, LVM_EDITLABELW, 1, 0)]);
        assert_eq!(tree().act(edit()).unwrap(), [focus(), send(CONTROL, TVM_EDITLABELW, 0, 10)]);

        let label = Window(30);
        let rename = |text: Option<&str>| Act::Rename { item: item("Copper"), text: text.map(Into::into) };
        let replaced =
            [send(label, EM_SETSEL, 0, -1), send_with(label, EM_REPLACESEL, 1, Payload::Text("Tin".into()))];
        let view = view().answer(LVM_GETEDITCONTROL, &[0, 30]);
        let calls = view.act(rename(Some("Tin"))).unwrap();
        assert_eq!(calls[..2], [focus(), send(CONTROL, LVM_EDITLABELW, 1, 0)]);
        assert_eq!(calls[2..4], replaced);
        let enter = |number| send(label, number, VK_RETURN as usize, 1);
        assert_eq!(calls[4..], [enter(WM_KEYDOWN), enter(WM_CHAR)]);

        // A label under edit may not be found by its text any more.
        let open = Fake::with("SysTreeView32").nodes(&[(10, 0, "")]).answer(TVM_GETEDITCONTROL, &[30]);
        let calls = open.act(rename(Some("Tin"))).unwrap();
        assert_eq!(calls[..2], replaced);
        assert_eq!(calls[2..], [send(CONTROL, TVM_ENDEDITLABELNOW, 0, 0)]);
        let given_up = tree().answer(TVM_GETEDITCONTROL, &[30]).act(rename(None)).unwrap();
        assert_eq!(given_up, [send(CONTROL, TVM_ENDEDITLABELNOW, 1, 0)]);
    }

    #[test]
    fn what_has_no_items_is_refused_before_anything_is_done() {
        for act in [
            select(&["Iron"], false),
            Act::EditLabel { item: item("Iron") },
            Act::Rename { item: item("Iron"), text: None },
        ] {
            let error = Fake::with("Canvas").act(act).unwrap_err();
            assert!(matches!(&error, Trouble::Unable(why) if why.contains("\"Canvas\"")), "{error:?}");
        }
        let missing = Fake::with("ListBox").items(&METALS).act(select(&["Gold"], false));
        assert_eq!(missing, Err(Trouble::NoItem("\"Gold\"".into())));
    }
}
