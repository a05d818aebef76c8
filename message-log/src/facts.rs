//! The meaning of a message's numbers, as named facts.
//!
//! The callback only copies wParam and lParam; this module derives facts from them, on the recorder's own
//! thread or when a ring is recovered. It never replaces a fact that exists.

use crate::{Event, Key, Kind, Param, Params, Point, Type, Value};
use win32_vocabulary::commands::SC_MASK;
use win32_vocabulary::messages::{
    WM_ACTIVATE, WM_APPCOMMAND, WM_COMMAND, WM_CONTEXTMENU, WM_ENABLE, WM_HOTKEY, WM_HSCROLL, WM_IME_CHAR,
    WM_INITMENUPOPUP, WM_KEYFIRST, WM_KEYLAST, WM_KILLFOCUS, WM_MDIACTIVATE, WM_MENUCOMMAND, WM_MENUSELECT,
    WM_MOUSEFIRST, WM_MOUSEHWHEEL, WM_MOUSELAST, WM_MOUSEWHEEL, WM_NCMOUSEMOVE, WM_NCXBUTTONDBLCLK,
    WM_NCXBUTTONDOWN, WM_SETFOCUS, WM_SHOWWINDOW, WM_SYSCOMMAND, WM_VSCROLL, WM_XBUTTONDBLCLK,
    WM_XBUTTONDOWN, is_character,
};
use win32_vocabulary::scroll::{SB_THUMBPOSITION, SB_THUMBTRACK};

/// Adds the facts that wParam and lParam of a message imply.
pub fn add_facts(event: &mut Event) {
    let Kind::Message(message) = event.kind else { return };
    let (w, l) = (message.wparam, message.lparam);
    let is_masked = event.params.get(Key::Masked).is_some();
    let mut put = |key: Key, value: Value| {
        if event.params.get(key).is_none() {
            event.params.push(Param::Known(key, value));
        }
    };
    if (WM_MOUSEFIRST..=WM_MOUSELAST).contains(&message.number)
        && !matches!(message.number, WM_MOUSEWHEEL | WM_MOUSEHWHEEL)
    {
        let point = Point { x: i32::from(low(l) as i16), y: i32::from(high(l) as i16) };
        put(Key::PointClient, Value::Point(point));
        if (WM_XBUTTONDOWN..=WM_XBUTTONDBLCLK).contains(&message.number) {
            put(Key::Button, Value::Unsigned(high(w).cast_unsigned()));
        }
        return;
    }
    let mut add = |key: Key, value: i64| {
        let value = match key.kind() {
            Type::Signed => Value::Signed(value),
            Type::Flag => Value::Flag(value != 0),
            _ => Value::Unsigned(value.cast_unsigned()),
        };
        put(key, value);
    };
    match message.number {
        WM_COMMAND => {
            add(Key::Command, low(w));
            add(Key::Source, l.cast_signed());
            // 0 from a menu, 1 from an accelerator; otherwise the code of the control.
            if l == 0 {
                add(Key::Accelerator, high(w));
            } else {
                add(Key::Notification, high(w));
            }
        }
        // Windows uses the low four bits itself.
        WM_SYSCOMMAND => add(Key::Command, (w & u64::from(SC_MASK)).cast_signed()),
        WM_HSCROLL | WM_VSCROLL => {
            add(Key::ScrollRequest, low(w));
            // The other requests carry no position.
            if [SB_THUMBPOSITION, SB_THUMBTRACK].map(i64::from).contains(&low(w)) {
                add(Key::ScrollPosition, i64::from(high(w) as i16));
            }
            add(Key::ScrollBar, l.cast_signed());
        }
        WM_INITMENUPOPUP => {
            add(Key::MenuHandle, w.cast_signed());
            add(Key::MenuItem, low(l));
        }
        WM_MENUSELECT => {
            add(Key::MenuItem, low(w));
            add(Key::MenuFlags, high(w));
            add(Key::MenuHandle, l.cast_signed());
        }
        WM_MENUCOMMAND => {
            add(Key::MenuItem, w.cast_signed());
            add(Key::MenuHandle, l.cast_signed());
        }
        WM_SETFOCUS | WM_KILLFOCUS | WM_CONTEXTMENU => add(Key::OtherWindow, w.cast_signed()),
        WM_ACTIVATE => {
            add(Key::Active, low(w));
            add(Key::OtherWindow, l.cast_signed());
        }
        WM_ENABLE => add(Key::Enabled, w.cast_signed()),
        WM_SHOWWINDOW => add(Key::Shown, w.cast_signed()),
        // Keys and characters; a masked message has neither.
        WM_KEYFIRST..=WM_KEYLAST | WM_IME_CHAR if !is_masked => {
            let key = if is_character(message.number) { Key::Character } else { Key::KeyCode };
            add(key, w.cast_signed());
        }
        WM_MOUSEWHEEL | WM_MOUSEHWHEEL => add(Key::Wheel, i64::from(high(w) as i16)),
        // The window that is deactivated, and the one that is activated.
        WM_MDIACTIVATE => add(Key::OtherWindow, l.cast_signed()),
        WM_HOTKEY => {
            add(Key::Command, w.cast_signed());
            add(Key::KeyCode, high(l));
        }
        // The upper four bits are the device that sent the command.
        WM_APPCOMMAND => add(Key::Command, high(l) & 0x0FFF),
        // For an X button, wParam contains both the hit test and the button.
        WM_NCMOUSEMOVE..=WM_NCXBUTTONDBLCLK => {
            add(Key::HitTest, i64::from(low(w) as i16));
            if message.number >= WM_NCXBUTTONDOWN {
                add(Key::Button, high(w));
            }
        }
        _ => {}
    }
}

/// wParam and lParam as far as the facts of a message imply them, otherwise 0: the inverse of [`add_facts`].
/// Only numbers that differ from these are written.
pub(crate) fn implied_numbers(number: u32, params: &Params) -> (u64, u64) {
    let value_of = |key: Key| match params.get(key) {
        Some(Value::Unsigned(n)) => *n,
        Some(Value::Signed(n)) => n.cast_unsigned(),
        Some(Value::Flag(flag)) => u64::from(*flag),
        Some(Value::Point(p)) => word(p.x) | word(p.y) << 16,
        _ => 0,
    };
    let words = |low: Key, high: Key| value_of(low) & 0xFFFF | (value_of(high) & 0xFFFF) << 16;
    match number {
        WM_COMMAND => {
            let source = value_of(Key::Source);
            let high = if source == 0 { Key::Accelerator } else { Key::Notification };
            (words(Key::Command, high), source)
        }
        WM_SYSCOMMAND => (value_of(Key::Command), 0),
        WM_HSCROLL | WM_VSCROLL => (value_of(Key::ScrollRequest), value_of(Key::ScrollBar)),
        WM_INITMENUPOPUP => (value_of(Key::MenuHandle), value_of(Key::MenuItem)),
        WM_MENUSELECT => (words(Key::MenuItem, Key::MenuFlags), value_of(Key::MenuHandle)),
        WM_MENUCOMMAND => (value_of(Key::MenuItem), value_of(Key::MenuHandle)),
        WM_SETFOCUS | WM_KILLFOCUS | WM_CONTEXTMENU => (value_of(Key::OtherWindow), 0),
        WM_ACTIVATE => (value_of(Key::Active), value_of(Key::OtherWindow)),
        WM_ENABLE => (value_of(Key::Enabled), 0),
        WM_SHOWWINDOW => (value_of(Key::Shown), 0),
        WM_KEYFIRST..=WM_KEYLAST | WM_IME_CHAR => {
            (value_of(if is_character(number) { Key::Character } else { Key::KeyCode }), 0)
        }
        WM_MOUSEWHEEL | WM_MOUSEHWHEEL => (0, 0),
        WM_MOUSEFIRST..=WM_MOUSELAST => (0, value_of(Key::PointClient)),
        WM_MDIACTIVATE => (0, value_of(Key::OtherWindow)),
        _ => (0, 0),
    }
}

fn word(n: i32) -> u64 {
    u64::from(n as u16)
}

fn low(n: u64) -> i64 {
    (n & 0xFFFF).cast_signed()
}

fn high(n: u64) -> i64 {
    (n >> 16 & 0xFFFF).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hook, Message, Params, Stamp};
    use win32_vocabulary::commands::SC_CLOSE;
    use win32_vocabulary::keys::VK_F1;
    use win32_vocabulary::messages::{WM_CHAR, WM_KEYDOWN, WM_LBUTTONDOWN, WM_LBUTTONUP, WM_SETTEXT};

    #[track_caller]
    fn check(number: u32, wparam: u64, lparam: u64, expected: Params) {
        let message = Message {
            number,
            hwnd: 1,
            window_id: 0,
            hook: Hook::Sent,
            depth: 0,
            posted_at: 0,
            wparam,
            lparam,
        };
        let mut event = Event::new(Stamp { sequence: 1, time: 0, thread: 1 }, Kind::Message(message));
        add_facts(&mut event);
        assert_eq!(event.params, expected);
        let once = event.clone();
        add_facts(&mut event);
        assert_eq!(event, once, "facts are added once");
    }

    #[test]
    fn facts_imply_the_numbers_they_were_made_of() {
        let message = |number, wparam, lparam| {
            let message = Message { number, wparam, lparam, ..Message::default() };
            let mut event = Event::new(Stamp { sequence: 1, time: 0, thread: 1 }, Kind::Message(message));
            add_facts(&mut event);
            (implied_numbers(number, &event.params), (wparam, lparam))
        };
        for (number, w, l) in [
            (WM_COMMAND, 0x0400_0480, 65_746),
            (WM_COMMAND, 0x1_0007, 0),
            (WM_MENUSELECT, 0x8090_05DC, 65_650),
            (WM_SETFOCUS, 657_844, 0),
            (WM_ACTIVATE, 2, 919_280),
            (WM_SHOWWINDOW, 1, 0),
            (WM_KEYDOWN, VK_F1.into(), 0),
            (WM_LBUTTONUP, 0, 0xFFFE_000C),
        ] {
            let (implied, given) = message(number, w, l);
            assert_eq!(implied, given, "{number:#x}");
        }
    }

    #[test]
    fn numbers_become_facts() {
        let facts = Params::new;
        let click = facts().with_number(Key::Command, 31_067).with_number(Key::Source, 919_280);
        check(WM_COMMAND, 31_067, 919_280, click.with_number(Key::Notification, 0));
        let accelerator = facts().with_number(Key::Command, 7).with_number(Key::Source, 0);
        check(WM_COMMAND, 0x1_0007, 0, accelerator.with(Key::Accelerator, Value::Flag(true)));
        check(
            WM_LBUTTONDOWN,
            1,
            0xFFFE_000C,
            facts().with(Key::PointClient, Value::Point(Point { x: 12, y: -2 })),
        );
        check(WM_CHAR, 0xE4, 1, facts().with_number(Key::Character, 0xE4));
        check(WM_KEYDOWN, VK_F1.into(), 1, facts().with_number(Key::KeyCode, VK_F1.into()));
        check(WM_MOUSEWHEEL, 0xFF88_0000, 0, facts().with_number(Key::Wheel, -120));
        check(WM_SYSCOMMAND, (SC_CLOSE | 3).into(), 0, facts().with_number(Key::Command, SC_CLOSE.into()));
        let x_button = facts().with(Key::PointClient, Value::Point(Point { x: 3, y: 4 }));
        check(WM_XBUTTONDOWN, 0x2_0040, 0x4_0003, x_button.with_number(Key::Button, 2));
        check(
            WM_NCXBUTTONDOWN,
            0x1_0002,
            0,
            facts().with_number(Key::HitTest, 2).with_number(Key::Button, 1),
        );
        check(WM_APPCOMMAND, 9, 0x8005_0000, facts().with_number(Key::Command, 5));
        let hot_key = facts().with_number(Key::Command, 77).with_number(Key::KeyCode, VK_F1.into());
        check(WM_HOTKEY, 77, 0x70_0002, hot_key);
        check(WM_SETTEXT, 0, 77, facts());
    }
}
