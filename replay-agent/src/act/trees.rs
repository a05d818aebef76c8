//! Items of trees.

use super::gui::{Details, Gui, Payload};
use super::items::find_in_tree;
use super::keys::key_lparam;
use super::plan::{Perform, Preparation, code_by_charset, notify};
use replay_link::{ItemRef, Trouble, Window};
use win32_vocabulary::Control;
use win32_vocabulary::items::{
    TVE_COLLAPSE, TVE_EXPAND, TVGN_CARET, TVIS_EXPANDED, TVIS_EXPANDEDONCE, TVIS_STATEIMAGEMASK,
};
use win32_vocabulary::keys::VK_SPACE;
use win32_vocabulary::messages::{
    TVM_EXPAND, TVM_GETITEMSTATE, TVM_GETNEXTITEM, TVM_SELECTITEM, TVM_SETITEMW, WM_CHAR, WM_KEYDOWN,
    WM_KEYUP,
};
use win32_vocabulary::notifications::{
    NM_DBLCLK, TVN_ITEMEXPANDEDA, TVN_ITEMEXPANDEDW, TVN_ITEMEXPANDINGA, TVN_ITEMEXPANDINGW,
};

/// A tree without a selection makes one by itself when it gets the focus, unless it is clicked.
fn has_selection(gui: &dyn Gui, tree: Window) -> bool {
    gui.ask(tree, TVM_GETNEXTITEM, TVGN_CARET as usize, 0) != 0
}

fn select(gui: &dyn Gui, tree: Window, item: isize) {
    gui.send(tree, TVM_SELECTITEM, TVGN_CARET as usize, item);
}

fn state_of(gui: &dyn Gui, tree: Window, item: isize) -> u32 {
    const EVERYTHING: isize = 0xF0FF;
    gui.ask(tree, TVM_GETITEMSTATE, item.cast_unsigned(), EVERYTHING) as u32
}

pub(crate) fn select_and_focus(gui: &dyn Gui, tree: Window, item: isize) {
    let had_selection = has_selection(gui, tree);
    if had_selection {
        gui.focus(tree);
    }
    select(gui, tree, item);
    if !had_selection {
        gui.focus(tree);
    }
}

/// Presses the space bar: the parent learns of the change only by the key.
pub(crate) fn check(gui: &dyn Gui, tree: Window, item: isize, state: u32) {
    gui.focus(tree);
    if state_of(gui, tree, item) & TVIS_STATEIMAGEMASK == state {
        return;
    }
    select(gui, tree, item);
    for (number, is_up) in [(WM_KEYDOWN, false), (WM_CHAR, false), (WM_KEYUP, true)] {
        let lparam = key_lparam(VK_SPACE, gui.scan_code(VK_SPACE), false, is_up);
        gui.send(tree, number, VK_SPACE as usize, lparam);
    }
    if state_of(gui, tree, item) & TVIS_STATEIMAGEMASK != state {
        let mut change = Payload::TreeItemState { item, state, mask: TVIS_STATEIMAGEMASK };
        gui.exchange(tree, TVM_SETITEMW, 0, &mut change);
    }
}

pub(crate) fn expand_item(on: &mut Preparation<'_>, item: &ItemRef, open: bool) -> Result<Perform, Trouble> {
    on.require(Control::TreeView, "opens and closes branches")?;
    let (tree, item) = (on.window, find_in_tree(on, item)?);
    Ok(Box::new(move |gui| expand(gui, tree, item, open)))
}

/// TVM_EXPAND notifies the parent only the first time; afterwards this sends what a click would.
fn expand(gui: &dyn Gui, tree: Window, item: isize, open: bool) {
    // A click on the sign of a branch selects nothing.
    if has_selection(gui, tree) {
        gui.focus(tree);
    }
    let state = state_of(gui, tree, item);
    if (state & TVIS_EXPANDED != 0) == open {
        return;
    }
    let action = if open { TVE_EXPAND } else { TVE_COLLAPSE };
    let report = |wide: i32, narrow: i32| {
        let code = code_by_charset(gui, tree, wide, narrow);
        notify(gui, tree, code, Details::TreeItem { action, item, state })
    };
    let was_expanded_before = state & TVIS_EXPANDEDONCE != 0;
    if was_expanded_before && report(TVN_ITEMEXPANDINGW, TVN_ITEMEXPANDINGA) != 0 {
        return;
    }
    gui.send(tree, TVM_EXPAND, action as usize, item);
    if was_expanded_before {
        report(TVN_ITEMEXPANDEDW, TVN_ITEMEXPANDEDA);
    }
}

/// A double click, which opens or closes the branch unless the parent handles it.
pub(crate) fn activate(gui: &dyn Gui, tree: Window, item: isize) {
    gui.focus(tree);
    select(gui, tree, item);
    if notify(gui, tree, NM_DBLCLK, Details::None) == 0 {
        expand(gui, tree, item, state_of(gui, tree, item) & TVIS_EXPANDED == 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{CONTROL, Fake, focus, item, notice, send, send_with};
    use crate::act::gui::Call;
    use replay_link::Act;
    use win32_vocabulary::messages::CCM_GETUNICODEFORMAT;

    fn tree() -> Fake {
        Fake::with("SysTreeView32").nodes(&[(10, 0, "Root")])
    }

    fn state(state: u32) -> isize {
        state as isize
    }

    fn space() -> [Call; 3] {
        let message = |number, is_up| {
            let lparam = key_lparam(VK_SPACE, VK_SPACE & 0x7F, false, is_up);
            send(CONTROL, number, VK_SPACE as usize, lparam)
        };
        [message(WM_KEYDOWN, false), message(WM_CHAR, false), message(WM_KEYUP, true)]
    }

    #[test]
    fn a_check_box_in_a_tree_takes_the_space_bar() {
        let act = || Act::CheckItem { item: item("Root"), checked: true };
        let (unchecked, checked) = (state(1 << 12), state(2 << 12));
        let select = send(CONTROL, TVM_SELECTITEM, TVGN_CARET as usize, 10);
        let by_key = [&[focus(), select][..], &space()].concat();
        let calls = tree().answer(TVM_GETITEMSTATE, &[unchecked, checked]).act(act()).unwrap();
        assert_eq!(calls, by_key);
        let set = Payload::TreeItemState { item: 10, state: 2 << 12, mask: TVIS_STATEIMAGEMASK };
        let calls = tree().answer(TVM_GETITEMSTATE, &[unchecked]).act(act()).unwrap();
        assert_eq!(calls, [&by_key[..], &[send_with(CONTROL, TVM_SETITEMW, 0, set)]].concat());
        assert_eq!(tree().answer(TVM_GETITEMSTATE, &[checked]).act(act()).unwrap(), [focus()]);
    }

    #[test]
    fn a_branch_notifies_by_itself_only_the_first_time() {
        let act = |open| Act::Expand { item: item("Root"), open };
        let expand = |action: u32| send(CONTROL, TVM_EXPAND, action as usize, 10);
        assert_eq!(tree().act(act(true)).unwrap(), [expand(TVE_EXPAND)]);
        let reported =
            |code, state| notice(code, Details::TreeItem { action: TVE_COLLAPSE, item: 10, state });
        let open = TVIS_EXPANDED | TVIS_EXPANDEDONCE;
        let opened = || tree().answer(TVM_GETITEMSTATE, &[state(open)]);
        assert_eq!(
            opened().act(act(false)).unwrap(),
            [reported(TVN_ITEMEXPANDINGW, open), expand(TVE_COLLAPSE), reported(TVN_ITEMEXPANDEDW, open),]
        );
        let refused = opened().veto(TVN_ITEMEXPANDINGW).act(act(false)).unwrap();
        assert_eq!(refused, [reported(TVN_ITEMEXPANDINGW, open)]);
        let ansi = opened().answer(CCM_GETUNICODEFORMAT, &[0]).act(act(false)).unwrap();
        assert_eq!(ansi[0], reported(TVN_ITEMEXPANDINGA, open));
        assert!(opened().act(act(true)).unwrap().is_empty(), "it is open already");
        assert!(Fake::with("ListBox").act(act(true)).is_err());
    }

    #[test]
    fn a_double_click_opens_a_branch_unless_the_parent_handles_it() {
        let act = || Act::Activate { item: item("Root") };
        let clicked = [
            focus(),
            send(CONTROL, TVM_SELECTITEM, TVGN_CARET as usize, 10),
            notice(NM_DBLCLK, Details::None),
        ];
        let expanded = [send(CONTROL, TVM_EXPAND, TVE_EXPAND as usize, 10)];
        assert_eq!(tree().act(act()).unwrap(), [&clicked[..], &expanded].concat());
        assert_eq!(tree().veto(NM_DBLCLK).act(act()).unwrap(), clicked);
    }
}
