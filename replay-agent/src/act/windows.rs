//! Acts on whole windows: place, system commands, another program in front, another
//! resolution, files dropped.

use super::gui::{Call, Payload};
use super::plan::{Perform, Preparation, calls, sends, word_pair};
use message_log::Rect;
use replay_link::{Trouble, Window};
use win32_vocabulary::commands::{
    SC_HSCROLL, SC_KEYMENU, SC_MASK, SC_MOUSEMENU, SC_MOVE, SC_SIZE, SC_VSCROLL,
};
use win32_vocabulary::messages::{
    WM_DPICHANGED, WM_DPICHANGED_AFTERPARENT, WM_DPICHANGED_BEFOREPARENT, WM_DROPFILES, WM_ENTERSIZEMOVE,
    WM_EXITSIZEMOVE, WM_SYSCOMMAND,
};
use win32_vocabulary::styles::WS_EX_ACCEPTFILES;

pub(crate) fn system_command(window: Window, code: u32) -> Result<Perform, Trouble> {
    let code = code & SC_MASK;
    if matches!(code, SC_SIZE | SC_MOVE | SC_VSCROLL | SC_HSCROLL | SC_MOUSEMENU | SC_KEYMENU) {
        let reason = format!("the system command {code:#06x} starts a loop that wants a real pointer");
        return Err(Trouble::Unable(reason));
    }
    Ok(sends(window, WM_SYSCOMMAND, code as usize, 0))
}

pub(crate) fn place(window: Window, rect: [i32; 4]) -> Perform {
    Box::new(move |gui| {
        gui.send(window, WM_ENTERSIZEMOVE, 0, 0);
        gui.call(&mut Call::Place { window, rect });
        gui.send(window, WM_EXITSIZEMOVE, 0, 0);
    })
}

pub(crate) fn leave(on: &Preparation<'_>, to: Window) -> Result<Perform, Trouble> {
    if !on.gui.is_foreground() {
        return Err(Trouble::Unable("the program is not in front".into()));
    }
    Ok(calls(Call::BringToFront(to)))
}

/// Sends what the system sends when a window moves to a screen of another resolution; children get a
/// message before and after it if the window's awareness says so. The suggested rectangle keeps the place
/// and the size in inches.
pub(crate) fn set_dpi(on: &Preparation<'_>, from: u32, to: u32) -> Result<Perform, Trouble> {
    let window = on.window;
    let dpi = on.gui.dpi(window).ok_or_else(|| {
        Trouble::Unable(
            "the program does not adapt itself to the resolution of a screen: the system sends it nothing"
                .into(),
        )
    })?;
    Ok(Box::new(move |gui| {
        let children = if dpi.tells_children { gui.descendants(window) } else { Vec::new() };
        children.iter().rev().for_each(|child| {
            gui.send(*child, WM_DPICHANGED_BEFOREPARENT, 0, 0);
        });
        let Rect { left, top, right, bottom } = gui.screen_rect(window);
        let scaled = |length: i32| (i64::from(length) * i64::from(to) / i64::from(from.max(1))) as i32;
        let rect = Rect { left, top, right: left + scaled(right - left), bottom: top + scaled(bottom - top) };
        gui.exchange(window, WM_DPICHANGED, word_pair(to as i32, to as i32), &mut Payload::Rect(rect));
        children.iter().for_each(|child| {
            gui.send(*child, WM_DPICHANGED_AFTERPARENT, 0, 0);
        });
    }))
}

pub(crate) fn drop_files(
    on: &Preparation<'_>,
    files: &[String],
    point: (i32, i32),
) -> Result<Perform, Trouble> {
    let (gui, window) = (on.gui, on.window);
    if gui.ex_style(window) & WS_EX_ACCEPTFILES == 0 {
        return Err(Trouble::Unable("the window does not take files".into()));
    }
    let list = gui.file_list(files, point).ok_or_else(|| Trouble::Unable("no memory".into()))?;
    Ok(Box::new(move |gui| gui.post(window, WM_DROPFILES, list, 0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{CONTROL, Fake, post, send, send_with};
    use crate::act::gui::Dpi;
    use replay_link::Act;
    use win32_vocabulary::commands::SC_MAXIMIZE;

    #[test]
    fn a_system_command_that_wants_the_pointer_is_refused() {
        for code in [SC_SIZE, SC_MOVE | 2, SC_VSCROLL, SC_HSCROLL, SC_MOUSEMENU, SC_KEYMENU] {
            assert!(Fake::with("Frame").act(Act::SysCommand { code }).is_err(), "{code:#x}");
        }
        let calls = Fake::with("Frame").act(Act::SysCommand { code: SC_MAXIMIZE | 2 }).unwrap();
        assert_eq!(calls, [send(CONTROL, WM_SYSCOMMAND, SC_MAXIMIZE as usize, 0)]);
    }

    #[test]
    fn a_window_is_placed_as_a_user_would_size_it() {
        let rect = [1, 2, 30, 40];
        let calls = Fake::with("Frame").act(Act::Place { rect }).unwrap();
        let place = Call::Place { window: CONTROL, rect };
        let (enter, exit) = (send(CONTROL, WM_ENTERSIZEMOVE, 0, 0), send(CONTROL, WM_EXITSIZEMOVE, 0, 0));
        assert_eq!(calls, [enter, place, exit]);
    }

    #[test]
    fn another_program_comes_to_the_front_only_from_the_front() {
        let mut fake = Fake::with("Frame");
        assert_eq!(fake.act(Act::Leave { to: 9 }).unwrap(), [Call::BringToFront(Window(9))]);
        fake.is_foreground = false;
        assert!(fake.act(Act::Leave { to: 9 }).is_err());
    }

    #[test]
    fn another_resolution_keeps_the_size_in_inches() {
        let window = |tells_children| {
            let fake = Fake::with("Frame").window(5, "Edit", Some(CONTROL));
            fake.change(|window| window.dpi = Some(Dpi { value: 96, tells_children }))
        };
        let suggested = Rect { left: 100, top: 200, right: 400, bottom: 290 };
        let changed = send_with(CONTROL, WM_DPICHANGED, 144 | 144 << 16, Payload::Rect(suggested));
        let act = || Act::SetDpi { from: 96, to: 144 };
        let alone = window(false).act(act()).unwrap();
        assert_eq!(alone, std::slice::from_ref(&changed));
        let child = Window(5);
        let before = send(child, WM_DPICHANGED_BEFOREPARENT, 0, 0);
        let after = send(child, WM_DPICHANGED_AFTERPARENT, 0, 0);
        assert_eq!(window(true).act(act()).unwrap(), [before, changed, after]);
        assert!(Fake::with("Frame").act(act()).is_err(), "it does not adapt itself");
    }

    #[test]
    fn files_are_dropped_on_what_takes_them() {
        let act = || Act::DropFiles { files: vec!["a".into(), "b".into()], point: (1, 2) };
        assert!(Fake::with("Edit").act(act()).is_err());
        let fake = Fake::with("Edit").change(|control| control.ex_style = WS_EX_ACCEPTFILES);
        assert_eq!(fake.act(act()).unwrap(), [post(CONTROL, WM_DROPFILES, 2, 0)]);
    }
}
