//! What a message's numbers mean, as named facts.
//!
//! The callback copies wParam and lParam and goes on; what can be told from them is told here, on the recorder's own thread or
//! when a ring is recovered. Facts that are there already are left alone.

use crate::{Event, Key, Kind, Param, Params, Point, Type, Value};

const WM_ACTIVATE: u32 = 0x0006;
const WM_SETFOCUS: u32 = 0x0007;
const WM_KILLFOCUS: u32 = 0x0008;
const WM_ENABLE: u32 = 0x000A;
const WM_SHOWWINDOW: u32 = 0x0018;
const WM_CONTEXTMENU: u32 = 0x007B;
const WM_COMMAND: u32 = 0x0111;
const WM_SYSCOMMAND: u32 = 0x0112;
const WM_HSCROLL: u32 = 0x0114;
const WM_VSCROLL: u32 = 0x0115;
const WM_INITMENUPOPUP: u32 = 0x0117;
const WM_MENUSELECT: u32 = 0x011F;
const WM_MENUCOMMAND: u32 = 0x0126;
const WM_MOUSEWHEEL: u32 = 0x020A;
const WM_MOUSEHWHEEL: u32 = 0x020E;
const WM_MDIACTIVATE: u32 = 0x0222;
const WM_HOTKEY: u32 = 0x0312;
const WM_APPCOMMAND: u32 = 0x0319;

/// Adds the facts that wParam and lParam of a message stand for.
pub fn add_facts(event: &mut Event) {
    let Kind::Message(message) = event.kind else { return };
    let (w, l) = (message.wparam, message.lparam);
    let is_masked = event.params.get(Key::Masked).is_some();
    let mut put = |key: Key, value: Value| {
        if event.params.get(key).is_none() {
            event.params.push(Param::Known(key, value));
        }
    };
    if (0x0200..=0x020E).contains(&message.number)
        && !matches!(message.number, WM_MOUSEWHEEL | WM_MOUSEHWHEEL)
    {
        let point = Point { x: i32::from(low(l) as i16), y: i32::from(high(l) as i16) };
        put(Key::PointClient, Value::Point(point));
        if (0x020B..=0x020D).contains(&message.number) {
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
            // From a menu 0, from an accelerator 1; otherwise the control's own code.
            if l == 0 {
                add(Key::Accelerator, high(w));
            } else {
                add(Key::Notification, high(w));
            }
        }
        // The system uses the low four bits itself.
        WM_SYSCOMMAND => add(Key::Command, (w & 0xFFF0).cast_signed()),
        WM_HSCROLL | WM_VSCROLL => {
            add(Key::ScrollRequest, low(w));
            // SB_THUMBPOSITION and SB_THUMBTRACK; the others tell no position.
            if matches!(low(w), 4 | 5) {
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
        // Keys and characters; a masked one has neither.
        0x0100..=0x0109 | 0x0286 if !is_masked => {
            let key = if is_character(message.number) { Key::Character } else { Key::KeyCode };
            add(key, w.cast_signed());
        }
        WM_MOUSEWHEEL | WM_MOUSEHWHEEL => add(Key::Wheel, i64::from(high(w) as i16)),
        // The window deactivated, and the one activated.
        WM_MDIACTIVATE => add(Key::OtherWindow, l.cast_signed()),
        WM_HOTKEY => {
            add(Key::Command, w.cast_signed());
            add(Key::KeyCode, high(l));
        }
        // The device that sent it is in the upper four bits.
        WM_APPCOMMAND => add(Key::Command, high(l) & 0x0FFF),
        // The hit test of an X button shares wParam with the button.
        0x00A0..=0x00AD => {
            add(Key::HitTest, i64::from(low(w) as i16));
            if message.number >= 0x00AB {
                add(Key::Button, high(w));
            }
        }
        _ => {}
    }
}

/// wParam and lParam as the facts of a message tell them, 0 where they do not: [`add_facts`] turned round. What is written of a
/// message is what differs from this.
pub(crate) fn told_numbers(number: u32, params: &Params) -> (u64, u64) {
    let told = |key: Key| match params.get(key) {
        Some(Value::Unsigned(n)) => *n,
        Some(Value::Signed(n)) => n.cast_unsigned(),
        Some(Value::Flag(flag)) => u64::from(*flag),
        Some(Value::Point(p)) => word(p.x) | word(p.y) << 16,
        _ => 0,
    };
    let words = |low: Key, high: Key| told(low) & 0xFFFF | (told(high) & 0xFFFF) << 16;
    match number {
        WM_COMMAND => {
            let source = told(Key::Source);
            let high = if source == 0 { Key::Accelerator } else { Key::Notification };
            (words(Key::Command, high), source)
        }
        WM_SYSCOMMAND => (told(Key::Command), 0),
        WM_HSCROLL | WM_VSCROLL => (told(Key::ScrollRequest), told(Key::ScrollBar)),
        WM_INITMENUPOPUP => (told(Key::MenuHandle), told(Key::MenuItem)),
        WM_MENUSELECT => (words(Key::MenuItem, Key::MenuFlags), told(Key::MenuHandle)),
        WM_MENUCOMMAND => (told(Key::MenuItem), told(Key::MenuHandle)),
        WM_SETFOCUS | WM_KILLFOCUS | WM_CONTEXTMENU => (told(Key::OtherWindow), 0),
        WM_ACTIVATE => (told(Key::Active), told(Key::OtherWindow)),
        WM_ENABLE => (told(Key::Enabled), 0),
        WM_SHOWWINDOW => (told(Key::Shown), 0),
        0x0100..=0x0109 | 0x0286 => {
            (told(if is_character(number) { Key::Character } else { Key::KeyCode }), 0)
        }
        WM_MOUSEWHEEL | WM_MOUSEHWHEEL => (0, 0),
        0x0200..=0x020E => (0, told(Key::PointClient)),
        WM_MDIACTIVATE => (0, told(Key::OtherWindow)),
        _ => (0, 0),
    }
}

/// Whether the message is of a character rather than of a key.
fn is_character(number: u32) -> bool {
    matches!(number, 0x0102 | 0x0103 | 0x0106 | 0x0107 | 0x0109 | 0x0286)
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
    fn facts_tell_the_numbers_they_were_made_of() {
        let message = |number, wparam, lparam| {
            let message = Message { number, wparam, lparam, ..Message::default() };
            let mut event = Event::new(Stamp { sequence: 1, time: 0, thread: 1 }, Kind::Message(message));
            add_facts(&mut event);
            (told_numbers(number, &event.params), (wparam, lparam))
        };
        for (number, w, l) in [
            (WM_COMMAND, 0x0400_0480, 65_746),
            (WM_COMMAND, 0x1_0007, 0),
            (WM_MENUSELECT, 0x8090_05DC, 65_650),
            (WM_SETFOCUS, 657_844, 0),
            (WM_ACTIVATE, 2, 919_280),
            (WM_SHOWWINDOW, 1, 0),
            (0x0100, 0x70, 0),
            (0x0202, 0, 0xFFFE_000C),
        ] {
            let (told, given) = message(number, w, l);
            assert_eq!(told, given, "{number:#x}");
        }
    }

    #[test]
    fn numbers_become_facts() {
        let facts = Params::new;
        let click = facts().with_number(Key::Command, 31_067).with_number(Key::Source, 919_280);
        check(273, 31_067, 919_280, click.with_number(Key::Notification, 0));
        let accelerator = facts().with_number(Key::Command, 7).with_number(Key::Source, 0);
        check(273, 0x1_0007, 0, accelerator.with(Key::Accelerator, Value::Flag(true)));
        check(513, 1, 0xFFFE_000C, facts().with(Key::PointClient, Value::Point(Point { x: 12, y: -2 })));
        check(258, 0xE4, 1, facts().with_number(Key::Character, 0xE4));
        check(256, 0x70, 1, facts().with_number(Key::KeyCode, 0x70));
        check(0x20A, 0xFF88_0000, 0, facts().with_number(Key::Wheel, -120));
        check(0x112, 0xF063, 0, facts().with_number(Key::Command, 0xF060));
        let x_button = facts().with(Key::PointClient, Value::Point(Point { x: 3, y: 4 }));
        check(0x20B, 0x2_0040, 0x4_0003, x_button.with_number(Key::Button, 2));
        check(0xAB, 0x1_0002, 0, facts().with_number(Key::HitTest, 2).with_number(Key::Button, 1));
        check(0x319, 9, 0x8005_0000, facts().with_number(Key::Command, 5));
        let hot_key = facts().with_number(Key::Command, 77).with_number(Key::KeyCode, 0x70);
        check(0x312, 77, 0x70_0002, hot_key);
        check(12, 0, 77, facts());
    }
}
