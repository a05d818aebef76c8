//! Push buttons, check boxes, radio buttons, and the arrows of split buttons, tools and bands.

use super::gui::{Details, Gui};
use super::plan::{Perform, Preparation, notify, send_command};
use message_log::Rect;
use replay_link::{Trouble, Window};
use win32_vocabulary::Control;
use win32_vocabulary::class_messages::{RB_PUSHCHEVRON, TB_GETRECT};
use win32_vocabulary::messages::{BM_CLICK, BM_GETCHECK, BM_SETCHECK};
use win32_vocabulary::notifications::{BCN_DROPDOWN, BN_CLICKED, TBN_DROPDOWN};
use win32_vocabulary::styles::{BS_AUTO3STATE, BS_AUTOCHECKBOX, BS_AUTORADIOBUTTON, BS_TYPEMASK};

/// In a dialog that is not active BM_CLICK may do nothing, so the button gets the focus first.
pub(crate) fn press(gui: &dyn Gui, button: Window) {
    gui.focus(button);
    gui.send(button, BM_CLICK, 0, 0);
}

pub(crate) fn set_check(gui: &dyn Gui, button: Window, state: u32) {
    gui.focus(button);
    let now = gui.ask(button, BM_GETCHECK, 0, 0);
    let wanted = state as isize;
    let after_click = match gui.style(button) & BS_TYPEMASK {
        BS_AUTOCHECKBOX => Some(isize::from(now == 0)),
        BS_AUTO3STATE => Some((now + 1) % 3),
        BS_AUTORADIOBUTTON => Some(1),
        // The application changes the state itself when it gets the click.
        _ => None,
    };
    if after_click.is_none_or(|after| after == wanted) {
        gui.send(button, BM_CLICK, 0, 0);
    } else {
        if now != wanted {
            gui.send(button, BM_SETCHECK, state as usize, 0);
        }
        send_command(gui, button, BN_CLICKED);
    }
}

/// Sends what the arrow of a button, tool or band sends; the program decides what opens.
pub(crate) fn drop_down(on: &Preparation<'_>, item: Option<u32>) -> Result<Perform, Trouble> {
    let window = on.window;
    match (on.control(), item) {
        (Control::ToolBar, Some(command)) => Ok(Box::new(move |gui| {
            let (_, rect) = gui.ask_rect(window, TB_GETRECT, command as usize, Rect::default());
            notify(gui, window, TBN_DROPDOWN, Details::Tool { command: command as i32, rect });
        })),
        (Control::Rebar, Some(band)) => Ok(Box::new(move |gui| {
            gui.send(window, RB_PUSHCHEVRON, band as usize, 0);
        })),
        (control, _) if control.is_button() => Ok(Box::new(move |gui| {
            gui.focus(window);
            let (right, bottom) = gui.client_size(window).unwrap_or_default();
            let rect = Rect { left: 0, top: 0, right, bottom };
            notify(gui, window, BCN_DROPDOWN, Details::DropDown { rect });
        })),
        _ => Err(Trouble::Unable("the log does not say whose arrow it was".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{CONTROL, Fake, command, focus, notice, send};
    use crate::act::gui::Payload;
    use replay_link::Act;
    use win32_vocabulary::styles::BS_CHECKBOX;

    #[test]
    fn a_press_gives_the_button_the_focus_first() {
        for class in ["Button", "TBitBtn", "ThunderRT6CheckBox", "Owned"] {
            let calls = Fake::with(class).act(Act::Press).unwrap();
            assert_eq!(calls, [focus(), send(CONTROL, BM_CLICK, 0, 0)], "{class}");
        }
    }

    #[test]
    fn a_check_box_is_clicked_where_a_click_gives_the_state() {
        let click = [focus(), send(CONTROL, BM_CLICK, 0, 0)];
        let calls = |style, now: isize, state| {
            let fake = Fake::with("TCheckBox").style(style).answer(BM_GETCHECK, &[now]);
            fake.act(Act::SetCheck { state }).unwrap()
        };
        assert_eq!(calls(BS_AUTOCHECKBOX, 0, 1), click);
        assert_eq!(calls(BS_AUTO3STATE, 1, 2), click);
        assert_eq!(calls(BS_AUTORADIOBUTTON, 0, 1), click);
        // The program changes the state of other kinds itself.
        assert_eq!(calls(BS_CHECKBOX, 0, 1), click);
    }

    #[test]
    fn another_state_is_set_and_the_parent_notified() {
        let calls = |now: isize, state| {
            let fake = Fake::with("Button").style(BS_AUTO3STATE).answer(BM_GETCHECK, &[now]);
            fake.act(Act::SetCheck { state }).unwrap()
        };
        assert_eq!(calls(0, 2), [focus(), send(CONTROL, BM_SETCHECK, 2, 0), command(0)]);
        assert_eq!(calls(2, 2), [focus(), command(0)], "it has that state already");
    }

    #[test]
    fn the_arrow_of_each_kind_of_button_notifies_in_its_own_way() {
        let act = |item| Act::DropDown { item };
        let rect = Rect { left: 0, top: 0, right: 200, bottom: 60 };
        let split = Fake::with("Button").act(act(None)).unwrap();
        assert_eq!(split, [focus(), notice(BCN_DROPDOWN, Details::DropDown { rect })]);
        let rect = Rect { left: 3, top: 0, right: 30, bottom: 22 };
        let bar = Fake::with("ToolbarWindow32").fills(TB_GETRECT, Payload::Rect(rect));
        assert_eq!(
            bar.act(act(Some(9))).unwrap(),
            [notice(TBN_DROPDOWN, Details::Tool { command: 9, rect })]
        );
        let rebar = Fake::with("ReBarWindow32").act(act(Some(2))).unwrap();
        assert_eq!(rebar, [send(CONTROL, RB_PUSHCHEVRON, 2, 0)]);
        assert!(Fake::with("ReBarWindow32").act(act(None)).is_err());
        assert!(Fake::with("Edit").act(act(Some(1))).is_err());
    }
}
