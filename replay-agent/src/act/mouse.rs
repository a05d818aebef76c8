//! Clicks, strokes and the wheel, as messages of the mouse.

use super::gui::{Call, Gui};
use super::plan::{middle, point_pair, word_pair};
use message_log::Rect;
use replay_link::{PointerButton, Window};
use win32_vocabulary::Control;
use win32_vocabulary::keys::{VK_LBUTTON, VK_MBUTTON, VK_RBUTTON, VK_XBUTTON1, VK_XBUTTON2};
use win32_vocabulary::messages::{
    WM_LBUTTONDOWN, WM_LBUTTONUP, WM_MBUTTONDOWN, WM_MOUSEHWHEEL, WM_MOUSEMOVE, WM_MOUSEWHEEL,
    WM_RBUTTONDOWN, WM_XBUTTONDOWN,
};
use win32_vocabulary::mouse::{
    MK_CONTROL, MK_LBUTTON, MK_MBUTTON, MK_RBUTTON, MK_SHIFT, MK_XBUTTON1, MK_XBUTTON2, WHEEL_DELTA,
};

/// A button in the words of messages.
struct ButtonCodes {
    /// The message of the press; the release follows it, then the double click.
    down: u32,
    /// Its bit among the held buttons.
    held: u32,
    /// Its virtual key.
    key: u32,
    /// Which of the X buttons it is.
    number: i32,
}

fn codes_of(button: PointerButton) -> ButtonCodes {
    let codes = |down, held, key, number| ButtonCodes { down, held, key, number };
    match button {
        PointerButton::Left => codes(WM_LBUTTONDOWN, MK_LBUTTON, VK_LBUTTON, 0),
        PointerButton::Right => codes(WM_RBUTTONDOWN, MK_RBUTTON, VK_RBUTTON, 0),
        PointerButton::Middle => codes(WM_MBUTTONDOWN, MK_MBUTTON, VK_MBUTTON, 0),
        PointerButton::X1 => codes(WM_XBUTTONDOWN, MK_XBUTTON1, VK_XBUTTON1, 1),
        PointerButton::X2 => codes(WM_XBUTTONDOWN, MK_XBUTTON2, VK_XBUTTON2, 2),
    }
}

/// The held keys as mouse messages have them.
fn held_keys(modifiers: u8) -> u32 {
    let shift = if modifiers & 1 != 0 { MK_SHIFT } else { 0 };
    let control = if modifiers & 2 != 0 { MK_CONTROL } else { 0 };
    shift | control
}

/// Whether a window may find out what lies below the pointer only when the pointer moves, as windows do that
/// the program draws.
const fn needs_move_first(control: Control) -> bool {
    use Control::*;
    match control {
        GroupBox | CodeEdit | Label | DropList | StatusBar | ProgressBar | IpAddress | Menu | ToolTip
        | InputMethod | SystemPopup | Dialog | MdiClient | Other => true,
        Button | CheckBox | RadioButton | Edit | RichEdit | ListBox | ComboBox | ComboBoxEx | ListView
        | TreeView | Tab | Header | ToolBar | Rebar | TrackBar | ScrollBar | UpDown | DatePicker
        | Calendar | HotKey | Link => false,
    }
}

/// Posts press and release once, twice or three times.
pub(crate) fn click(
    gui: &dyn Gui,
    window: Window,
    button: PointerButton,
    times: u8,
    (x, y): (i32, i32),
    modifiers: u8,
) {
    let ButtonCodes { down, held: bit, key, number } = codes_of(button);
    let (up, double_click, key) = (down + 1, down + 2, key as usize);
    let held = held_keys(modifiers);
    let wparam = |bits: u32| word_pair(bits as i32, number);
    let at = point_pair(x, y);
    gui.call(&mut Call::Activate(window));
    gui.call(&mut Call::HoldKeys { modifiers, also: Some(key) });
    if needs_move_first(gui.control(window)) {
        gui.post(window, WM_MOUSEMOVE, wparam(held), at);
    }
    let second = if gui.takes_double_clicks(window) { double_click } else { down };
    // A window tells a third click from a first one by the clock alone.
    for press in [down, second, down].into_iter().take(times.into()) {
        // All are posted before any is taken: a list runs a loop of its own after the press.
        gui.call(&mut Call::TurnKey { key, is_down: true });
        gui.post(window, press, wparam(held | bit), at);
        gui.call(&mut Call::TurnKey { key, is_down: false });
        gui.post(window, up, wparam(held), at);
    }
    gui.call(&mut Call::RestoreKeys);
}

/// Posts a press at the first point, moves along the others, and a release at the last.
pub(crate) fn stroke(gui: &dyn Gui, window: Window, points: &[(i32, i32)]) {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
    let key = VK_LBUTTON as usize;
    gui.call(&mut Call::Activate(window));
    gui.call(&mut Call::HoldKeys { modifiers: 0, also: Some(key) });
    gui.post(window, WM_LBUTTONDOWN, MK_LBUTTON as usize, point_pair(first.0, first.1));
    for point in &points[1..] {
        gui.post(window, WM_MOUSEMOVE, MK_LBUTTON as usize, point_pair(point.0, point.1));
    }
    gui.call(&mut Call::TurnKey { key, is_down: false });
    gui.post(window, WM_LBUTTONUP, 0, point_pair(last.0, last.1));
    gui.call(&mut Call::RestoreKeys);
}

/// Turns the wheel notch by notch, as if the pointer were over the middle of the window.
pub(crate) fn turn_wheel(gui: &dyn Gui, window: Window, turn: i32, horizontal: bool, modifiers: u8) {
    const NOTCH: i32 = WHEEL_DELTA as i32;
    const MAX_NOTCHES: i32 = 1000;
    let (right, bottom) = gui.client_size(window).unwrap_or_default();
    let at = gui.to_screen(window, middle(Rect { left: 0, top: 0, right, bottom }));
    let number = if horizontal { WM_MOUSEHWHEEL } else { WM_MOUSEWHEEL };
    gui.call(&mut Call::HoldKeys { modifiers, also: None });
    let mut left = turn.clamp(-MAX_NOTCHES * NOTCH, MAX_NOTCHES * NOTCH);
    while left != 0 {
        let delta = left.clamp(-NOTCH, NOTCH);
        left -= delta;
        gui.post(window, number, word_pair(held_keys(modifiers) as i32, delta), point_pair(at.x, at.y));
    }
    gui.call(&mut Call::RestoreKeys);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{CONTROL, Fake, post};
    use replay_link::Act;
    use win32_vocabulary::messages::WM_LBUTTONDBLCLK;

    const AT: isize = 20 << 16 | 10;

    fn clicked(fake: &Fake, button: PointerButton, times: u8, modifiers: u8) -> Vec<Call> {
        fake.act(Act::Click { button, times, point: (10, 20), modifiers }).unwrap()
    }

    fn begin(modifiers: u8, key: u32) -> [Call; 2] {
        [Call::Activate(CONTROL), Call::HoldKeys { modifiers, also: Some(key as usize) }]
    }

    /// A press and a release, with the button's state turned before each.
    fn pair(key: u32, down: u32, up: u32, held: u32, bit: u32, high: usize) -> [Call; 4] {
        let turn = |is_down| Call::TurnKey { key: key as usize, is_down };
        let message = |number, bits| post(CONTROL, number, bits as usize | high << 16, AT);
        [turn(true), message(down, held | bit), turn(false), message(up, held)]
    }

    #[test]
    fn a_click_is_a_press_and_a_release_with_the_modifiers_held() {
        let calls = clicked(&Fake::with("Button"), PointerButton::Left, 1, 3);
        let held = MK_SHIFT | MK_CONTROL;
        let left = pair(VK_LBUTTON, WM_LBUTTONDOWN, WM_LBUTTONUP, held, MK_LBUTTON, 0);
        assert_eq!(calls, [&begin(3, VK_LBUTTON)[..], &left, &[Call::RestoreKeys]].concat());
    }

    #[test]
    fn each_button_has_its_own_messages() {
        for (button, key, down, bit, high) in [
            (PointerButton::Right, VK_RBUTTON, WM_RBUTTONDOWN, MK_RBUTTON, 0),
            (PointerButton::Middle, VK_MBUTTON, WM_MBUTTONDOWN, MK_MBUTTON, 0),
            (PointerButton::X1, VK_XBUTTON1, WM_XBUTTONDOWN, MK_XBUTTON1, 1),
            (PointerButton::X2, VK_XBUTTON2, WM_XBUTTONDOWN, MK_XBUTTON2, 2),
        ] {
            let calls = clicked(&Fake::with("TCheckBox"), button, 1, 0);
            let messages = pair(key, down, down + 1, 0, bit, high);
            assert_eq!(calls, [&begin(0, key)[..], &messages, &[Call::RestoreKeys]].concat(), "{button:?}");
        }
    }

    #[test]
    fn a_double_click_has_its_own_message_where_the_class_wants_it() {
        let single = || pair(VK_LBUTTON, WM_LBUTTONDOWN, WM_LBUTTONUP, 0, MK_LBUTTON, 0);
        let double = pair(VK_LBUTTON, WM_LBUTTONDBLCLK, WM_LBUTTONUP, 0, MK_LBUTTON, 0);
        let fake = Fake::with("Edit").change(|control| control.takes_double_clicks = true);
        let calls = clicked(&fake, PointerButton::Left, 3, 0);
        let expected = [&begin(0, VK_LBUTTON)[..], &single(), &double, &single(), &[Call::RestoreKeys]];
        assert_eq!(calls, expected.concat());
        let calls = clicked(&Fake::with("Edit"), PointerButton::Left, 2, 0);
        let expected = [&begin(0, VK_LBUTTON)[..], &single(), &single(), &[Call::RestoreKeys]];
        assert_eq!(calls, expected.concat());
    }

    #[test]
    fn what_the_program_draws_itself_gets_a_move_first() {
        let moved = post(CONTROL, WM_MOUSEMOVE, 0, AT);
        for class in ["Canvas", "Static", "msctls_statusbar32"] {
            assert!(clicked(&Fake::with(class), PointerButton::Left, 1, 0).contains(&moved), "{class}");
        }
        for class in ["Edit", "TDBEdit", "TRadioButton", "SysListView32", "ScrollBar"] {
            assert!(!clicked(&Fake::with(class), PointerButton::Left, 1, 0).contains(&moved), "{class}");
        }
    }

    #[test]
    fn a_stroke_presses_at_its_first_point_and_releases_at_its_last() {
        let key = VK_LBUTTON as usize;
        let calls = Fake::with("Canvas").act(Act::Stroke { points: vec![(1, 2), (3, 4), (-5, 6)] }).unwrap();
        let at = |x: i32, y: i32| point_pair(x, y);
        let held = MK_LBUTTON as usize;
        assert_eq!(
            calls[2..],
            [
                post(CONTROL, WM_LBUTTONDOWN, held, at(1, 2)),
                post(CONTROL, WM_MOUSEMOVE, held, at(3, 4)),
                post(CONTROL, WM_MOUSEMOVE, held, at(-5, 6)),
                Call::TurnKey { key, is_down: false },
                post(CONTROL, WM_LBUTTONUP, 0, at(-5, 6)),
                Call::RestoreKeys,
            ]
        );
        assert!(Fake::with("Canvas").act(Act::Stroke { points: Vec::new() }).unwrap().is_empty());
    }

    #[test]
    fn the_wheel_turns_notch_by_notch_over_the_middle_of_the_window() {
        let wheel =
            |turn, horizontal| Fake::with("Edit").act(Act::Wheel { turn, horizontal, modifiers: 2 }).unwrap();
        let notch =
            |number, delta| post(CONTROL, number, word_pair(MK_CONTROL as i32, delta), point_pair(200, 230));
        let hold = Call::HoldKeys { modifiers: 2, also: None };
        let calls = wheel(-200, false);
        assert_eq!(
            calls,
            [hold.clone(), notch(WM_MOUSEWHEEL, -120), notch(WM_MOUSEWHEEL, -80), Call::RestoreKeys]
        );
        assert_eq!(wheel(120, true), [hold, notch(WM_MOUSEHWHEEL, 120), Call::RestoreKeys]);
        assert_eq!(wheel(i32::MAX, false).len(), 1002, "a damaged log does not fill the queue");
    }
}
