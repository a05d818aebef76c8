//! What is selected in a control.

use super::gui::Gui;
use super::items;
use replay_link::{Trouble, Window};
use win32_vocabulary::Control;
use win32_vocabulary::items::{LVNI_SELECTED, TVGN_CARET};
use win32_vocabulary::messages::{
    CB_GETCURSEL, LB_GETCURSEL, LB_GETSEL, LVM_GETNEXTITEM, TCM_GETCURSEL, TVM_GETNEXTITEM,
};
use win32_vocabulary::styles::{LBS_EXTENDEDSEL, LBS_MULTIPLESEL};

/// The texts of the selected items.
pub(crate) fn texts(gui: &dyn Gui, window: Window) -> Result<Vec<String>, Trouble> {
    let control = gui.control(window);
    let one = |index: isize| usize::try_from(index).into_iter().collect::<Vec<usize>>();
    let selected = match control {
        Control::ListBox if gui.style(window) & (LBS_MULTIPLESEL | LBS_EXTENDEDSEL) != 0 => {
            let is_selected = |index: &usize| gui.ask(window, LB_GETSEL, *index, 0) > 0;
            (0..items::count(gui, window, control)).filter(is_selected).collect()
        }
        Control::ListBox => one(gui.ask(window, LB_GETCURSEL, 0, 0)),
        Control::ComboBox | Control::ComboBoxEx => {
            one(gui.ask(items::inner_combo(gui, window), CB_GETCURSEL, 0, 0))
        }
        Control::ListView => in_list_view(gui, window),
        Control::Tab => one(gui.ask(window, TCM_GETCURSEL, 0, 0)),
        Control::TreeView => {
            let item = gui.ask(window, TVM_GETNEXTITEM, TVGN_CARET as usize, 0);
            return Ok((item != 0).then(|| gui.tree_text(window, item)).into_iter().collect());
        }
        _ => return Err(Trouble::Unable("the control has no items".into())),
    };
    Ok(selected
        .into_iter()
        .map(|index| items::text(gui, window, control, index).unwrap_or_default())
        .collect())
}

/// The indexes of the selected items of a list view.
pub(crate) fn in_list_view(gui: &dyn Gui, view: Window) -> Vec<usize> {
    let next = |after: isize| gui.ask(view, LVM_GETNEXTITEM, after.cast_unsigned(), LVNI_SELECTED as isize);
    let is_item = |index: &isize| *index >= 0;
    let all = std::iter::successors(Some(next(-1)).filter(is_item), |last| Some(next(*last)).filter(is_item));
    all.filter_map(|index| usize::try_from(index).ok()).collect()
}
