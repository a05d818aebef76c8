//! Which module prepares which act.

use super::gui::{Call, Gui};
use super::plan::{Perform, Preparation, Prepared, calls, check_available, point_pair, sends};
use super::{
    buttons, columns, dates, keys, links, lists, menu_bar, mouse, text, tool_bars, trees, values, windows,
};
use replay_link::{Act, Trouble, Window};
use win32_vocabulary::commands::SC_KEYMENU;
use win32_vocabulary::messages::{WM_APPCOMMAND, WM_CLOSE, WM_HOTKEY, WM_SYSCOMMAND};

/// Checks whether an act can be performed now, and prepares it.
pub(crate) fn prepare(gui: &dyn Gui, window: Window, act: Act) -> Result<Prepared, Trouble> {
    check_available(gui, window, &act)?;
    let mut preparation = Preparation::new(gui, window);
    let perform = perform(&mut preparation, act)?;
    Ok(Prepared { remarks: preparation.remarks, perform })
}

fn perform(on: &mut Preparation<'_>, act: Act) -> Result<Perform, Trouble> {
    let window = on.window;
    Ok(match act {
        Act::Command { id, accelerator, path } => menu_bar::command(on, id, accelerator, &path)?,
        Act::EnterMenu => sends(window, WM_SYSCOMMAND, SC_KEYMENU as usize, 0),
        Act::SysCommand { code } => windows::system_command(window, code)?,
        Act::Close => sends(window, WM_CLOSE, 0, 0),
        Act::Place { rect } => windows::place(window, rect),
        Act::Focus => Box::new(move |gui| gui.focus(window)),
        Act::Blur => calls(Call::Blur),
        Act::Leave { to } => windows::leave(on, Window(to))?,
        Act::SetDpi { from, to } => windows::set_dpi(on, from, to)?,
        Act::Press => Box::new(move |gui| buttons::press(gui, window)),
        Act::SetCheck { state } => Box::new(move |gui| buttons::set_check(gui, window, state)),
        Act::DropDown { item } => buttons::drop_down(on, item)?,
        Act::Type { text } => Box::new(move |gui| text::type_characters(gui, window, &text)),
        Act::TypeKeys { text } => Box::new(move |gui| keys::type_keys(gui, window, text)),
        Act::SetText { text } => Box::new(move |gui| text::set(gui, window, &text)),
        Act::Edit { message } => Box::new(move |gui| text::edit(gui, window, message)),
        Act::Key { code, modifiers } => Box::new(move |gui| keys::press(gui, window, code, modifiers)),
        Act::HotKey { id, code } => Box::new(move |gui| {
            gui.post(window, WM_HOTKEY, id as usize, point_pair(0, code as i32));
        }),
        Act::AppCommand { number } => {
            sends(window, WM_APPCOMMAND, window.0 as usize, point_pair(0, number as i32))
        }
        Act::Click { button, times, point, modifiers } => {
            Box::new(move |gui| mouse::click(gui, window, button, times, point, modifiers))
        }
        Act::Stroke { points } => Box::new(move |gui| mouse::stroke(gui, window, &points)),
        Act::Wheel { turn, horizontal, modifiers } => {
            Box::new(move |gui| mouse::turn_wheel(gui, window, turn, horizontal, modifiers))
        }
        Act::DropFiles { files, point } => windows::drop_files(on, &files, point)?,
        Act::Select { items, add } => lists::select(on, &items, add)?,
        Act::Deselect { items } => lists::deselect(on, &items)?,
        Act::ClickItem { item, x } => lists::click_item(on, &item, x)?,
        Act::CheckItem { item, checked } => lists::check_item(on, &item, checked)?,
        Act::Activate { item } => lists::activate(on, &item)?,
        Act::EditLabel { item } => lists::edit_label(on, &item)?,
        Act::Rename { item, text } => lists::rename(on, &item, text)?,
        Act::Expand { item, open } => trees::expand_item(on, &item, open)?,
        Act::ClickColumn { index } => columns::click(on, index)?,
        Act::SizeColumn { index, width } => columns::resize(on, index, width)?,
        Act::MoveColumn { index, order } => columns::reorder(on, index, order)?,
        Act::Link { index, name } => links::follow(on, index, name.as_deref())?,
        Act::Tool { command } => tool_bars::click(on, command)?,
        Act::SetValue { value } => values::set(on, value)?,
        Act::Scroll { vertical, request, position } => {
            Box::new(move |gui| values::scroll(gui, window, vertical, request, position))
        }
        Act::SetDate { date, until } => dates::set(on, date.as_deref(), until.as_deref())?,
        Act::ChooseInMenu { .. }
        | Act::Hover { .. }
        | Act::Grab { .. }
        | Act::DropAt { .. }
        | Act::RightClickItem { .. } => {
            return Err(Trouble::Unable("the agent's worker performs this act, not one GUI thread".into()));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{CONTROL, Fake, focus, post, send};
    use replay_link::ItemRef;

    #[test]
    fn plain_acts_are_one_call() {
        let acts = [
            (Act::Close, send(CONTROL, WM_CLOSE, 0, 0)),
            (Act::EnterMenu, send(CONTROL, WM_SYSCOMMAND, SC_KEYMENU as usize, 0)),
            (Act::Focus, focus()),
            (Act::Blur, Call::Blur),
            (Act::HotKey { id: 3, code: 0x70 }, post(CONTROL, WM_HOTKEY, 3, 0x70 << 16)),
            (Act::AppCommand { number: 1 }, send(CONTROL, WM_APPCOMMAND, CONTROL.0 as usize, 1 << 16)),
        ];
        for (act, call) in acts {
            assert_eq!(Fake::with("Frame").act(act).unwrap(), [call]);
        }
    }

    #[test]
    fn a_window_that_a_user_could_not_use_is_refused() {
        let disabled = Fake::with("Button").change(|control| control.is_disabled = true);
        assert_eq!(disabled.act(Act::Press), Err(Trouble::Disabled));
        assert!(
            disabled.act(Act::Place { rect: [0; 4] }).is_ok(),
            "a dialog disables its owner, which still moves"
        );
        let hidden = Fake::with("Frame").change(|control| control.is_hidden = true);
        assert_eq!(hidden.act(Act::Press), Err(Trouble::Hidden));
        assert!(hidden.act(Act::HotKey { id: 1, code: 1 }).is_ok());
        assert!(hidden.act(Act::Command { id: 1, accelerator: false, path: Vec::new() }).is_ok());
        let mut gone = Fake::with("Button");
        gone.windows.clear();
        assert_eq!(gone.act(Act::Press), Err(Trouble::Gone));
    }

    #[test]
    fn acts_of_the_real_pointer_and_of_open_menus_are_left_to_the_worker() {
        for act in [
            Act::Hover { point: (0, 0) },
            Act::Grab { item: None, point: (0, 0) },
            Act::DropAt { point: (0, 0) },
            Act::RightClickItem { item: ItemRef::default() },
            Act::ChooseInMenu { path: Vec::new(), command: None },
        ] {
            assert!(Fake::with("ListBox").act(act).is_err());
        }
    }
}
