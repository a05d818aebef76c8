//! Where an item lies, for the acts that need the pointer.

use super::gui::Gui;
use super::items;
use super::plan::{Preparation, middle};
use message_log::{Point, Rect};
use replay_link::{ItemRef, Trouble, Window};
use win32_vocabulary::Control;
use win32_vocabulary::items::LVIR_LABEL;
use win32_vocabulary::messages::{
    LB_GETITEMRECT, LVM_ENSUREVISIBLE, LVM_GETITEMRECT, TVM_ENSUREVISIBLE, TVM_GETITEMRECT,
};

/// The middle of an item's text in the client area, where the control says it. Scrolls the item into view.
pub(crate) fn of(gui: &dyn Gui, window: Window, item: &ItemRef) -> Result<Option<Point>, Trouble> {
    /// Close enough to the beginning of the text to lie in a short one.
    const INSET: i32 = 8;
    let on = &mut Preparation::new(gui, window);
    let control = on.control();
    let (is_known, rect) = match control {
        Control::ListBox => {
            let index = items::find(on, control, item)?;
            let (answer, rect) = gui.ask_rect(window, LB_GETITEMRECT, index, Rect::default());
            (answer != -1, rect)
        }
        Control::ListView => {
            let index = items::find(on, control, item)?;
            gui.send(window, LVM_ENSUREVISIBLE, index, 0);
            let asked = Rect { left: LVIR_LABEL as i32, ..Rect::default() };
            let (answer, rect) = gui.ask_rect(window, LVM_GETITEMRECT, index, asked);
            (answer != 0, rect)
        }
        Control::TreeView => {
            let handle = items::find_in_tree(on, item)?;
            gui.send(window, TVM_ENSUREVISIBLE, 0, handle);
            // The request has the item's handle where the answer has the rectangle.
            let asked = Rect { left: handle as i32, top: (handle as i64 >> 32) as i32, ..Rect::default() };
            let (answer, rect) = gui.ask_rect(window, TVM_GETITEMRECT, 1, asked);
            (answer != 0, rect)
        }
        _ => (false, Rect::default()),
    };
    Ok(is_known.then(|| Point { x: (rect.left + INSET).min(middle(rect).x), y: middle(rect).y }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{CONTROL, Fake, item};
    use crate::act::gui::Payload;

    #[test]
    fn an_item_is_met_near_the_beginning_of_its_text() {
        let rect = Payload::Rect(Rect { left: 20, top: 40, right: 120, bottom: 60 });
        let near = Ok(Some(Point { x: 28, y: 50 }));
        let list = Fake::with("TListBox").items(&["red", "blue"]).fills(LB_GETITEMRECT, rect.clone());
        assert_eq!(of(&list, CONTROL, &item("blue")), near);
        let view = Fake::with("SysListView32").items(&["red", "blue"]).fills(LVM_GETITEMRECT, rect.clone());
        assert_eq!(of(&view, CONTROL, &item("blue")), near);
        let tree = Fake::with("SysTreeView32").nodes(&[(3, 0, "blue")]).fills(TVM_GETITEMRECT, rect);
        assert_eq!(of(&tree, CONTROL, &item("blue")), near);
        let short = Payload::Rect(Rect { left: 20, top: 40, right: 24, bottom: 60 });
        let list = Fake::with("ListBox").items(&["i"]).fills(LB_GETITEMRECT, short);
        assert_eq!(of(&list, CONTROL, &item("i")), Ok(Some(Point { x: 22, y: 50 })));
        assert_eq!(of(&Fake::with("Canvas"), CONTROL, &item("i")), Ok(None));
    }
}
