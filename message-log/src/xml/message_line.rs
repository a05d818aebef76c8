//! Messages exactly as `event.rs` writes them: from a line to an event in one pass.
//!
//! Expects attributes in the order in which they are written, numbers as plain digits and texts without
//! escapes, so that it searches for nothing. A line that differs in one byte is left to `element.rs`.

use super::element::{MAX_PARAMS, resolve};
use super::event::{FIRST_THREAD, HOOKS, complete};
use crate::{Event, Key, Message, Param, Params, Point, Rect, Stamp, Text, Type, Value};

/// The event of a line without its line end; `None` if the line is not exactly as we write it.
pub(crate) fn read_message(line: &[u8]) -> Option<Event> {
    let mut line = Line(line);
    line.skip(b"<msg type=\"").then_some(())?;
    let number = line.number_u32()?;
    line.skip(b" seq=\"").then_some(())?;
    let sequence = line.number()?;
    line.skip(b" time=\"").then_some(())?;
    let time = line.number()?;
    let thread = if line.skip(b" thread=\"") { line.number_u32()? } else { FIRST_THREAD };
    let hook = if line.skip(b" hook=\"") { Some(line.hook()?) } else { None };
    let depth = if line.skip(b" depth=\"") { line.number_u32()? } else { 0 };
    let posted_at = if line.skip(b" posted=\"") { line.number_u32()? } else { 0 };
    let wparam = if line.skip(b" w=\"") { Some(line.number()?) } else { None };
    let lparam = if line.skip(b" l=\"") { Some(line.number()?) } else { None };
    let window_id = if line.skip(b" birth=\"") { line.number()? } else { 0 };
    let mut params = Params::new();
    while line.skip(b" ") {
        let name = line.until(b'=')?;
        line.skip(b"\"").then_some(())?;
        // The message's own window, as an attribute.
        let key = Key::from_bytes(name).filter(|&key| key != Key::WindowHwnd)?;
        params.push(Param::Known(key, line.value(key)?));
    }
    line.skip(b"><param name=\"window.hwnd\" value=\"").then_some(())?;
    let hwnd = line.number()?;
    while line.skip(b"/><param name=\"") {
        let key = Key::from_bytes(line.until(b'"')?)?;
        line.skip(b" value=\"").then_some(())?;
        params.push(Param::Known(key, line.value(key)?));
    }
    if !line.skip(b"/></msg>") || !line.0.is_empty() || params.len() >= MAX_PARAMS {
        return None;
    }
    let message = Message { number, hwnd, window_id, depth, posted_at, ..Message::default() };
    let stamp = Stamp { sequence, time, thread };
    Some(complete(Some(stamp), message, hook, [wparam, lparam], params))
}

/// The rest of a line.
struct Line<'a>(&'a [u8]);

impl<'a> Line<'a> {
    #[inline]
    fn skip<const N: usize>(&mut self, expected: &[u8; N]) -> bool {
        match self.0.split_first_chunk::<N>() {
            Some((found, rest)) if found == expected => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    /// The bytes before `end`; skips them and `end`.
    #[inline]
    fn until(&mut self, end: u8) -> Option<&'a [u8]> {
        let len = self.0.iter().position(|&byte| byte == end)?;
        let found = &self.0[..len];
        self.0 = &self.0[len + 1..];
        Some(found)
    }

    /// The number before `end`; skips it and `end`.
    #[inline]
    fn digits(&mut self, end: u8) -> Option<u64> {
        let (mut number, mut len) = (0u64, 0);
        let behind = loop {
            let byte = *self.0.get(len)?;
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break byte;
            }
            number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
            len += 1;
        };
        // A number with more digits may overflow.
        if behind != end || len == 0 || len > 19 {
            return None;
        }
        self.0 = &self.0[len + 1..];
        Some(number)
    }

    #[inline]
    fn number(&mut self) -> Option<u64> {
        self.digits(b'"')
    }

    #[inline]
    fn number_u32(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    #[inline]
    fn signed(&mut self, end: u8) -> Option<i64> {
        let is_negative = self.skip(b"-");
        let number = i64::try_from(self.digits(end)?).ok()?;
        Some(if is_negative { -number } else { number })
    }

    fn coordinate(&mut self, end: u8) -> Option<i32> {
        i32::try_from(self.signed(end)?).ok()
    }

    #[cold]
    fn hook(&mut self) -> Option<crate::Hook> {
        let name = self.until(b'"')?;
        HOOKS.iter().find(|(hook, _)| hook.as_bytes() == name).map(|(_, hook)| *hook)
    }

    /// The value of a fact; skips it and the quote after it.
    #[inline]
    fn value(&mut self, key: Key) -> Option<Value> {
        Some(match key.kind() {
            Type::Unsigned => Value::Unsigned(self.number()?),
            Type::Signed => Value::Signed(self.signed(b'"')?),
            Type::Text => {
                let len = self.0.iter().position(|byte| matches!(byte, b'"' | b'<' | 0..b' '))?;
                let (text, rest) = self.0.split_at(len);
                self.0 = rest.strip_prefix(b"\"")?;
                Value::Text(Text::from(resolve(std::str::from_utf8(text).ok()?)?.into_owned()))
            }
            Type::Flag if self.skip(b"true\"") => Value::Flag(true),
            Type::Flag => self.skip(b"false\"").then_some(Value::Flag(false))?,
            Type::Point => Value::Point(Point { x: self.coordinate(b',')?, y: self.coordinate(b'"')? }),
            Type::Rect => Value::Rect(Rect {
                left: self.coordinate(b',')?,
                top: self.coordinate(b',')?,
                right: self.coordinate(b',')?,
                bottom: self.coordinate(b'"')?,
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::element::Element;
    use super::super::event::{WrittenRecord, read};
    use super::*;
    use crate::{Hook, Kind, encode};
    use proptest::prelude::*;
    use win32_vocabulary::messages::WM_COMMAND;

    /// The result of the general parser.
    fn slowly(line: &str) -> Option<Event> {
        let element = Element::parse(line).ok()?;
        let mut damage = Vec::new();
        match read(&element, &mut damage) {
            Some(WrittenRecord::Event(event)) if damage.is_empty() => Some(event),
            _ => None,
        }
    }

    #[test]
    fn what_is_written_is_read_in_one_pass() {
        let stamp = Stamp { sequence: 7, time: 1234, thread: 3 };
        let message = Message {
            number: WM_COMMAND,
            hwnd: 919_280,
            window_id: 4,
            hook: Hook::Posted,
            depth: 1840,
            posted_at: 0,
            wparam: 5,
            lparam: 6,
        };
        let event = Event::new(stamp, Kind::Message(message))
            .with_text(Key::Text, "Ärzte, Söhne > 'all'")
            .with_number(Key::Notification, -12)
            .with(Key::WindowRect, Value::Rect(Rect { left: -8, top: 0, right: 640, bottom: 480 }))
            .with(Key::Timer, Value::Flag(true))
            .with_number(Key::Command, 31_067)
            .with_text(Key::WindowClass, "#32770");
        let mut line = Vec::new();
        encode(&event, &mut line);
        assert_eq!(read_message(line.trim_ascii_end()), Some(event));
    }

    proptest! {
        /// If this parser returns an event, the general parser returns the same one without damage.
        #[test]
        fn both_ways_agree(
            parts in proptest::collection::vec(prop_oneof![
                Just(" thread=\"2\""), Just(" hook=\"posted\""), Just(" hook=\"odd\""), Just(" depth=\"1840\""), Just(" depth=\"4294967296\""),
                Just(" posted=\"9\""), Just(" w=\"+1\""), Just(" w=\"007\""), Just(" l=\"18446744073709551615\""), Just(" birth=\"3\""),
                Just(" seq=\"9\""), Just(" text=\"a &amp; b\""), Just(" text=\"a\tb\""), Just(" text=\"日本\""), Just(" text=\"a > b\""), Just(" text=\"\""),
                Just(" notification=\"-5\""), Just(" notification=\"--5\""), Just(" notification=\"-9223372036854775808\""), Just(" point=\"1,-2\""), Just(" point=\"1\""),
                Just(" window.rect=\"0,0,99999999999,1\""), Just(" window.rect=\"-1,2,3,4\""), Just(" timer=\"true\""), Just(" timer=\"1\""), Just(" odd=\"1\""),
                Just(" window.hwnd=\"5\""), Just(" escaped=\"text\""), Just(" text=\"\\u0000\""), Just("  "),
            ], 0..6),
            params in proptest::collection::vec(prop_oneof![
                Just("<param name=\"window.hwnd\" value=\"12\"/>"), Just("<param name=\"command\" value=\"7\"/>"), Just("<param name=\"window.class\" value=\"x\" escaped=\"true\"/>"),
                Just("<param name=\"window.class\" value=\"Edit\"/>"), Just("<param name=\"odd\" value=\"Edit\"/>"), Just("<param name=\"source\" value=\"\"/>"), Just(" "), Just("<param/>"),
            ], 0..4),
            end in prop_oneof![8 => Just("</msg>"), 1 => Just(""), 1 => Just("</msg> "), 1 => Just("</mark>")],
        ) {
            let line = format!("<msg type=\"513\" seq=\"1\" time=\"2\"{}>{}{end}", parts.concat(), params.concat());
            if let Some(event) = read_message(line.as_bytes()) {
                prop_assert_eq!(Some(event), slowly(&line), "{}", line);
            }
        }
    }
}
