//! Which names and values an event has in XML, in both directions.

use super::element::{Element, WrittenParam, is_true, shorten};
use super::lines::Lines;
use super::{FORMAT_VERSION, KEYFRAME, MESSAGE, ROOT, WINDOW};
use crate::{
    DamageKind, Event, Hook, Key, Keyframe, Kind, Message, Param, Params, Point, Rect, SegmentHead, Stamp,
    Type, Value,
};
use chrono::DateTime;
use std::str::FromStr;

/// What one record of a file is.
#[derive(Debug)]
pub(crate) enum Written {
    /// The first record of a segment.
    Head(SegmentHead),
    /// A keyframe whose windows, so many, follow.
    Keyframe(Event, usize),
    /// A window of the keyframe before.
    Window(Params),
    /// Any other event.
    Event(Event),
}

/// Kinds that are an element with params and nothing else.
const PLAIN: [(&str, Kind); 9] = [
    ("session", Kind::Session),
    ("thread", Kind::Thread),
    ("mark", Kind::Mark),
    ("act", Kind::Act),
    ("gap", Kind::Gap),
    ("crash", Kind::Crash),
    ("hang", Kind::Hang),
    ("recording", Kind::Recording),
    ("statistics", Kind::Statistics),
];

// ---- writing -------------------------------------------------------------------------------------

/// The opening tag of the root, which a live segment never closes.
pub(super) fn write_head(lines: &mut Lines<'_>, head: &SegmentHead) {
    lines.begin(ROOT);
    lines.number("version", u64::from(FORMAT_VERSION));
    lines.string("session", &head.session);
    lines.number("segment", head.number);
    lines.number("time", head.time);
    // Whatever else a log says there is no time, and the schema says so.
    let is_time = DateTime::parse_from_rfc3339(&head.wall).is_ok() && head.wall.contains('T');
    lines.string("wall", if is_time { &head.wall } else { "" });
    lines.end_tag();
    lines.end_line();
}

/// One line for an event, and for a keyframe one more for each window.
pub(super) fn write_event(lines: &mut Lines<'_>, event: &Event) {
    match &event.kind {
        Kind::Message(message) => {
            lines.begin(MESSAGE);
            lines.number("type", u64::from(message.number));
            write_stamp(lines, event.stamp);
            write_message(lines, message);
            lines.end_tag();
            lines.param(Key::WindowHwnd.name(), itoa::Buffer::new().format(message.hwnd));
            write_params(lines, &event.params);
            lines.end();
        }
        Kind::Keyframe(keyframe) => {
            lines.begin(KEYFRAME);
            write_stamp(lines, event.stamp);
            lines.number("windows", keyframe.windows.len() as u64);
            if let Some(thread) = keyframe.of_thread {
                lines.number("of", u64::from(thread));
            }
            if !keyframe.complete {
                lines.string("complete", "false");
            }
            write_content(lines, &event.params);
            for window in &keyframe.windows {
                lines.begin(WINDOW);
                write_content(lines, window);
            }
        }
        plain => {
            let name = PLAIN.iter().find(|(_, kind)| kind == plain).map_or("mark", |(name, _)| name);
            lines.begin(name);
            write_stamp(lines, event.stamp);
            write_content(lines, &event.params);
        }
    }
}

fn write_content(lines: &mut Lines<'_>, params: &Params) {
    if params.is_empty() {
        return lines.end_empty();
    }
    lines.end_tag();
    write_params(lines, params);
    lines.end();
}

fn write_stamp(lines: &mut Lines<'_>, stamp: Option<Stamp>) {
    if let Some(stamp) = stamp {
        lines.number("seq", stamp.sequence);
        lines.number("time", stamp.time);
        lines.number("thread", u64::from(stamp.thread));
    }
}

fn write_message(lines: &mut Lines<'_>, message: &Message) {
    match message.hook {
        Hook::Unknown => {}
        Hook::Posted => lines.string("hook", "posted"),
        Hook::Sent => lines.string("hook", "sent"),
    }
    lines.number_unless_0("depth", u64::from(message.depth));
    lines.number_unless_0("posted", u64::from(message.posted_at));
    lines.number_unless_0("w", message.wparam);
    lines.number_unless_0("l", message.lparam);
    lines.number_unless_0("birth", message.birth);
}

fn write_params(lines: &mut Lines<'_>, params: &Params) {
    let mut digits = itoa::Buffer::new();
    for param in params {
        match param {
            Param::Known(key, Value::Unsigned(n)) => lines.param(key.name(), digits.format(*n)),
            Param::Known(key, Value::Signed(n)) => lines.param(key.name(), digits.format(*n)),
            Param::Known(key, Value::Text(text)) => lines.param_text(key.name(), text),
            Param::Known(key, Value::Flag(b)) => lines.param(key.name(), if *b { "true" } else { "false" }),
            Param::Known(key, Value::Point(p)) => lines.param(key.name(), &format!("{},{}", p.x, p.y)),
            Param::Known(key, Value::Rect(r)) => {
                lines.param(key.name(), &format!("{},{},{},{}", r.left, r.top, r.right, r.bottom));
            }
            Param::Other(name, text) => lines.param_other(name, text),
        }
    }
}

// ---- reading -------------------------------------------------------------------------------------

/// The meaning of an element. What is wrong with it is listed; `None` where nothing is left of it.
pub(crate) fn read(element: &Element<'_>, damage: &mut Vec<DamageKind>) -> Option<Written> {
    let unreadable = |reason: String| DamageKind::Unreadable { element: shorten(element.name), reason };
    let mut attributes = Attributes { element, wrong: None };
    let written = match element.name {
        ROOT => Written::Head(read_head(&mut attributes)),
        WINDOW => Written::Window(read_params(&element.params, damage)),
        MESSAGE => Written::Event(read_message(&mut attributes, damage)),
        KEYFRAME => {
            let windows = attributes.number("windows");
            let keyframe = Keyframe {
                of_thread: element.attribute("of").map(|_| attributes.number_u32("of")),
                windows: Vec::new(),
                complete: element.attribute("complete").is_none_or(is_true),
            };
            let stamp = attributes.stamp();
            let params = read_params(&element.params, damage);
            let event = Event { stamp, kind: Kind::Keyframe(keyframe), params };
            Written::Keyframe(event, usize::try_from(windows).unwrap_or(usize::MAX))
        }
        name => {
            let Some((_, kind)) = PLAIN.iter().find(|(n, _)| *n == name) else {
                damage.push(DamageKind::UnknownElement { element: shorten(name) });
                return None;
            };
            let params = read_params(&element.params, damage);
            Written::Event(Event { stamp: attributes.stamp(), kind: kind.clone(), params })
        }
    };
    match attributes.wrong {
        None => Some(written),
        // Even a head that is scratched says that another segment begins.
        Some(name) if matches!(written, Written::Head(_)) => {
            damage.push(unreadable(format!("\"{name}\" is missing or no number")));
            Some(written)
        }
        // A number we cannot read makes the record a guess; a guess is not an event.
        Some(name) => {
            damage.push(unreadable(format!("\"{name}\" is missing or no number")));
            None
        }
    }
}

/// Numbers of a record's attributes, remembering the first that is wrong.
struct Attributes<'e, 'a> {
    element: &'e Element<'a>,
    wrong: Option<&'static str>,
}

impl Attributes<'_, '_> {
    /// A number of any width.
    fn read<N: FromStr>(&mut self, name: &'static str, value: &str) -> Option<N> {
        let number = value.parse().ok();
        if number.is_none() {
            self.wrong.get_or_insert(name);
        }
        number
    }

    /// A number that must be there.
    fn present<N: Default>(&mut self, name: &'static str, number: Option<N>) -> N {
        if number.is_none() {
            self.wrong.get_or_insert(name);
        }
        number.unwrap_or_default()
    }

    fn number(&mut self, name: &'static str) -> u64 {
        let value = self.element.attribute(name).and_then(|v| v.parse().ok());
        value.unwrap_or_else(|| {
            self.wrong.get_or_insert(name);
            0
        })
    }

    fn number_or_0(&mut self, name: &'static str) -> u64 {
        if self.element.attribute(name).is_some() { self.number(name) } else { 0 }
    }

    fn number_u32(&mut self, name: &'static str) -> u32 {
        u32::try_from(self.number(name)).unwrap_or_else(|_| {
            self.wrong.get_or_insert(name);
            0
        })
    }

    /// All three or none: other makers' logs have no stamps, ours have whole ones.
    fn stamp(&mut self) -> Option<Stamp> {
        ["seq", "time", "thread"].iter().any(|name| self.element.attribute(name).is_some()).then(|| Stamp {
            sequence: self.number("seq"),
            time: self.number("time"),
            thread: self.number_u32("thread"),
        })
    }

    fn string(&self, name: &str) -> String {
        self.element.string(name)
    }
}

fn read_head(attributes: &mut Attributes<'_, '_>) -> SegmentHead {
    SegmentHead {
        version: attributes.number_u32("version"),
        session: attributes.string("session"),
        number: attributes.number_or_0("segment"),
        time: attributes.number_or_0("time"),
        wall: attributes.string("wall"),
    }
}

fn read_message(attributes: &mut Attributes<'_, '_>, damage: &mut Vec<DamageKind>) -> Event {
    let element = attributes.element;
    // The first one is the message's own; further ones are facts like any other.
    let handle =
        |p: &WrittenParam<'_>| if p.is(Key::WindowHwnd.name()) { p.raw().parse().ok() } else { None };
    let own = element.params.iter().position(|p| handle(p).is_some());
    let hwnd = own.and_then(|i| handle(&element.params[i])).unwrap_or_default();
    let facts = element.params.iter().enumerate().filter(|(i, _)| Some(*i) != own).map(|(_, p)| p);
    let mut message = Message { hwnd, ..Message::default() };
    let ([mut number, mut thread], [mut seq, mut time]) = ([None; 2], [None; 2]);
    // In one go: looking for each by its name would take longer than all the rest.
    for (name, value) in element.attributes() {
        match name {
            "type" => number = attributes.read("type", value),
            "seq" => seq = attributes.read("seq", value),
            "time" => time = attributes.read("time", value),
            "thread" => thread = attributes.read("thread", value),
            "hook" => match value {
                "posted" => message.hook = Hook::Posted,
                "sent" => message.hook = Hook::Sent,
                _ => damage.push(DamageKind::WrongType { name: "hook".into() }),
            },
            "depth" => message.depth = attributes.read("depth", value).unwrap_or_default(),
            "posted" => message.posted_at = attributes.read("posted", value).unwrap_or_default(),
            "w" => message.wparam = attributes.read("w", value).unwrap_or_default(),
            "l" => message.lparam = attributes.read("l", value).unwrap_or_default(),
            "birth" => message.birth = attributes.read("birth", value).unwrap_or_default(),
            _ => {}
        }
    }
    message.number = attributes.present("type", number);
    let stamp = (seq.is_some() || time.is_some() || thread.is_some()).then(|| Stamp {
        sequence: attributes.present("seq", seq),
        time: attributes.present("time", time),
        thread: attributes.present("thread", thread),
    });
    Event { stamp, kind: Kind::Message(message), params: read_params(facts, damage) }
}

fn read_params<'e, 'a: 'e>(
    written: impl IntoIterator<Item = &'e WrittenParam<'a>>,
    damage: &mut Vec<DamageKind>,
) -> Params {
    let written = written.into_iter();
    let mut params = Params::with_capacity(written.size_hint().1.unwrap_or_default());
    for param in written {
        let Some(key) = param.key() else {
            damage.push(DamageKind::UnknownParam { name: shorten(&param.name()) });
            params.push(read_other(param));
            continue;
        };
        match read_value(key, param) {
            Some(value) => params.push(Param::Known(key, value)),
            None => {
                damage.push(DamageKind::WrongType { name: key.name().into() });
                params.push(read_other(param));
            }
        }
    }
    params
}

fn read_other(param: &WrittenParam<'_>) -> Param {
    let text = param.text().unwrap_or_else(|| param.raw().into());
    Param::Other(param.name().into_owned(), text)
}

fn read_value(key: Key, param: &WrittenParam<'_>) -> Option<Value> {
    if key.kind() == Type::Text {
        return param.text().map(Value::Text);
    }
    let value = param.value()?;
    Some(match key.kind() {
        Type::Unsigned => Value::Unsigned(value.parse().ok()?),
        Type::Signed => Value::Signed(value.parse().ok()?),
        Type::Flag => Value::Flag(value.parse().ok()?),
        Type::Point => {
            let [x, y] = read_numbers(&value)?;
            Value::Point(Point { x, y })
        }
        Type::Rect => {
            let [left, top, right, bottom] = read_numbers(&value)?;
            Value::Rect(Rect { left, top, right, bottom })
        }
        Type::Text => return None,
    })
}

fn read_numbers<const N: usize>(value: &str) -> Option<[i32; N]> {
    let mut numbers = [0; N];
    let mut parts = value.split(',');
    for number in &mut numbers {
        *number = parts.next()?.parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}
