//! Buttons of tool bars.

use super::mouse;
use super::plan::{Perform, Preparation, middle};
use message_log::Rect;
use replay_link::{PointerButton, Trouble};
use win32_vocabulary::Control;
use win32_vocabulary::class_messages::{
    TB_COMMANDTOINDEX, TB_GETITEMRECT, TB_ISBUTTONENABLED, TB_ISBUTTONHIDDEN,
};

/// Clicks the button: then check buttons and groups change, and the bar notifies its parent.
pub(crate) fn click(on: &Preparation<'_>, command: u32) -> Result<Perform, Trouble> {
    on.require(Control::ToolBar, "has tools")?;
    let (gui, bar) = (on.gui, on.window);
    // WM_COMMAND has 16 bits of a command that the tool bar knows whole: wxWidgets counts below zero.
    let negative = i32::from(command as u16 as i16).cast_unsigned();
    let find = |command: u32| usize::try_from(gui.ask(bar, TB_COMMANDTOINDEX, command as usize, 0)).ok();
    let found = [command, negative].into_iter().find_map(|command| Some((command, find(command)?)));
    let (command, index) = found.ok_or_else(|| Trouble::NoItem(command.to_string()))?;
    if gui.ask(bar, TB_ISBUTTONENABLED, command as usize, 0) == 0 {
        return Err(Trouble::Disabled);
    }
    if gui.ask(bar, TB_ISBUTTONHIDDEN, command as usize, 0) != 0 {
        return Err(Trouble::Hidden);
    }
    let (answer, rect) = gui.ask_rect(bar, TB_GETITEMRECT, index, Rect::default());
    if answer == 0 {
        return Err(Trouble::Hidden);
    }
    let at = middle(rect);
    Ok(Box::new(move |gui| mouse::click(gui, bar, PointerButton::Left, 1, (at.x, at.y), 0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{CONTROL, Fake, post};
    use crate::act::gui::Payload;
    use replay_link::Act;
    use win32_vocabulary::messages::WM_LBUTTONDOWN;
    use win32_vocabulary::mouse::MK_LBUTTON;

    fn bar() -> Fake {
        let rect = Rect { left: 20, top: 2, right: 40, bottom: 22 };
        let bar = Fake::with("ToolbarWindow32").fills(TB_GETITEMRECT, Payload::Rect(rect));
        bar.answer(TB_COMMANDTOINDEX, &[1]).answer(TB_ISBUTTONENABLED, &[1])
    }

    #[test]
    fn a_tool_is_clicked_in_its_middle() {
        let press = post(CONTROL, WM_LBUTTONDOWN, MK_LBUTTON as usize, 12 << 16 | 30);
        assert!(bar().act(Act::Tool { command: 40 }).unwrap().contains(&press));
        // wxWidgets: not found as 65000, found as a negative number.
        assert!(bar().answer(TB_COMMANDTOINDEX, &[-1, 1]).act(Act::Tool { command: 65000 }).is_ok());
    }

    #[test]
    fn a_tool_that_cannot_be_clicked_is_refused() {
        let act = || Act::Tool { command: 40 };
        assert_eq!(bar().answer(TB_COMMANDTOINDEX, &[-1]).act(act()), Err(Trouble::NoItem("40".into())));
        assert_eq!(bar().answer(TB_ISBUTTONENABLED, &[0]).act(act()), Err(Trouble::Disabled));
        assert_eq!(bar().answer(TB_ISBUTTONHIDDEN, &[1]).act(act()), Err(Trouble::Hidden));
        assert_eq!(bar().answer(TB_GETITEMRECT, &[0]).act(act()), Err(Trouble::Hidden));
        assert!(Fake::with("ReBarWindow32").act(act()).is_err());
    }
}
