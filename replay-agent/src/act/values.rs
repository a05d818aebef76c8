//! Controls that stand between two numbers: track bars, spin controls, scroll bars.

use super::gui::{Call, Details, Gui};
use super::plan::{Perform, Preparation, notify, word_pair};
use replay_link::{Trouble, Window};
use win32_vocabulary::Control;
use win32_vocabulary::class_messages::{TBM_GETPOS, TBM_SETPOS, UDM_GETBUDDY, UDM_GETPOS32, UDM_SETPOS32};
use win32_vocabulary::messages::{EM_SETSEL, WM_HSCROLL, WM_VSCROLL};
use win32_vocabulary::notifications::UDN_DELTAPOS;
use win32_vocabulary::scroll::{
    SB_CTL, SB_ENDSCROLL, SB_HORZ, SB_THUMBPOSITION, SB_THUMBTRACK, SB_VERT, TB_ENDTRACK, TB_THUMBPOSITION,
};
use win32_vocabulary::styles::{SBS_VERT, TBS_VERT, UDS_HORZ};

/// Sends a scroll message to the parent, or to the window itself for a bar of its own.
fn send_scroll(gui: &dyn Gui, window: Window, to: Window, vertical: bool, request: u32, position: i32) {
    let message = if vertical { WM_VSCROLL } else { WM_HSCROLL };
    let control = if window == to { 0 } else { window.0.cast_signed() as isize };
    gui.send(to, message, word_pair(request as i32, position), control);
}

/// The value of a track bar or a spin control.
pub(crate) fn set(on: &Preparation<'_>, value: i32) -> Result<Perform, Trouble> {
    let window = on.window;
    match on.control() {
        Control::TrackBar => Ok(Box::new(move |gui| set_track_bar(gui, window, value))),
        Control::UpDown => Ok(Box::new(move |gui| set_spin(gui, window, value))),
        _ => Err(on.not_a_control_that("has a value")),
    }
}

fn set_track_bar(gui: &dyn Gui, bar: Window, value: i32) {
    gui.focus(bar);
    gui.send(bar, TBM_SETPOS, 1, value as isize);
    let value = gui.ask(bar, TBM_GETPOS, 0, 0) as i32;
    let vertical = gui.style(bar) & TBS_VERT != 0;
    if let Some(parent) = gui.parent(bar) {
        send_scroll(gui, bar, parent, vertical, TB_THUMBPOSITION, value);
        send_scroll(gui, bar, parent, vertical, TB_ENDTRACK, 0);
    }
}

/// The parent may refuse the change; otherwise it gets the new value.
fn set_spin(gui: &dyn Gui, spin: Window, value: i32) {
    let buddy = Window(gui.ask(spin, UDM_GETBUDDY, 0, 0).cast_unsigned() as u64);
    if buddy.0 != 0 {
        gui.focus(buddy);
    }
    let position = gui.ask(spin, UDM_GETPOS32, 0, 0) as i32;
    let delta = value.wrapping_sub(position);
    if notify(gui, spin, UDN_DELTAPOS, Details::Spin { position, delta }) != 0 {
        return;
    }
    gui.send(spin, UDM_SETPOS32, 0, value as isize);
    let value = gui.ask(spin, UDM_GETPOS32, 0, 0) as i32;
    if gui.control(buddy).takes_edit_messages() {
        // The number is selected, as after a click.
        gui.send(buddy, EM_SETSEL, 0, -1);
    }
    if let Some(parent) = gui.parent(spin) {
        let vertical = gui.style(spin) & UDS_HORZ == 0;
        send_scroll(gui, spin, parent, vertical, SB_THUMBPOSITION, value);
        send_scroll(gui, spin, parent, vertical, SB_ENDSCROLL, value);
    }
}

/// A scroll bar. A position is set before it is sent: the message has room for sixteen bits only, so
/// applications ask for it.
pub(crate) fn scroll(gui: &dyn Gui, window: Window, vertical: bool, request: u32, position: Option<i32>) {
    let is_control = gui.control(window) == Control::ScrollBar;
    let vertical = if is_control { gui.style(window) & SBS_VERT != 0 } else { vertical };
    let to = if is_control { gui.parent(window).unwrap_or(window) } else { window };
    let is_thumb = request == SB_THUMBPOSITION || request == SB_THUMBTRACK;
    let position = position.filter(|_| is_thumb);
    if let Some(position) = position {
        let bar = match (is_control, vertical) {
            (true, _) => SB_CTL,
            (false, true) => SB_VERT,
            (false, false) => SB_HORZ,
        };
        gui.call(&mut Call::SetScrollPosition { window, bar: bar as i32, position });
    }
    send_scroll(gui, window, to, vertical, request, position.unwrap_or(0));
    if request != SB_ENDSCROLL {
        send_scroll(gui, window, to, vertical, SB_ENDSCROLL, 0);
    }
    if is_thumb && !is_control {
        // The window may have scrolled by the difference to a position that it had already.
        gui.call(&mut Call::Repaint(window));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{CONTROL, Fake, PARENT, focus, notice, send};
    use replay_link::Act;
    use win32_vocabulary::scroll::SB_LINEDOWN;

    fn scrolled(message: u32, request: u32, position: i32) -> Call {
        send(PARENT, message, word_pair(request as i32, position), CONTROL.0 as isize)
    }

    #[test]
    fn a_track_bar_reports_the_value_it_took() {
        let bar = Fake::with("TTrackBar").answer(TBM_GETPOS, &[40]).style(TBS_VERT);
        assert_eq!(
            bar.act(Act::SetValue { value: 50 }).unwrap(),
            [
                focus(),
                send(CONTROL, TBM_SETPOS, 1, 50),
                scrolled(WM_VSCROLL, TB_THUMBPOSITION, 40),
                scrolled(WM_VSCROLL, TB_ENDTRACK, 0),
            ]
        );
    }

    #[test]
    fn a_spin_control_asks_its_parent_first() {
        let spin = || {
            let spin = Fake::with("msctls_updown32").window(6, "TMaskEdit", Some(PARENT));
            spin.answer(UDM_GETBUDDY, &[6]).answer(UDM_GETPOS32, &[10, 12])
        };
        let asked = notice(UDN_DELTAPOS, Details::Spin { position: 10, delta: 2 });
        assert_eq!(
            spin().act(Act::SetValue { value: 12 }).unwrap(),
            [
                Call::Focus(Window(6)),
                asked.clone(),
                send(CONTROL, UDM_SETPOS32, 0, 12),
                send(Window(6), EM_SETSEL, 0, -1),
                scrolled(WM_VSCROLL, SB_THUMBPOSITION, 12),
                scrolled(WM_VSCROLL, SB_ENDSCROLL, 12),
            ]
        );
        let refused = spin().veto(UDN_DELTAPOS).act(Act::SetValue { value: 12 }).unwrap();
        assert_eq!(refused, [Call::Focus(Window(6)), asked]);
        assert!(Fake::with("Edit").act(Act::SetValue { value: 1 }).is_err());
    }

    #[test]
    fn a_scroll_bar_control_reports_to_its_parent_and_a_bar_of_a_window_to_the_window() {
        let thumb = |vertical| Act::Scroll { vertical, request: SB_THUMBPOSITION, position: Some(70_000) };
        let position =
            |bar: u32| Call::SetScrollPosition { window: CONTROL, bar: bar as i32, position: 70_000 };
        let control = Fake::with("TScrollBar").style(SBS_VERT);
        assert_eq!(
            control.act(thumb(false)).unwrap(),
            [
                position(SB_CTL),
                scrolled(WM_VSCROLL, SB_THUMBPOSITION, 70_000),
                scrolled(WM_VSCROLL, SB_ENDSCROLL, 0),
            ]
        );
        let own = |request, position| send(CONTROL, WM_HSCROLL, word_pair(request as i32, position), 0);
        assert_eq!(
            Fake::with("Canvas").act(thumb(false)).unwrap(),
            [position(SB_HORZ), own(SB_THUMBPOSITION, 70_000), own(SB_ENDSCROLL, 0), Call::Repaint(CONTROL),]
        );
        let line = Act::Scroll { vertical: false, request: SB_LINEDOWN, position: Some(3) };
        assert_eq!(Fake::with("Canvas").act(line).unwrap(), [own(SB_LINEDOWN, 0), own(SB_ENDSCROLL, 0)]);
        let end = Act::Scroll { vertical: false, request: SB_ENDSCROLL, position: None };
        assert_eq!(Fake::with("Canvas").act(end).unwrap(), [own(SB_ENDSCROLL, 0)]);
    }
}
