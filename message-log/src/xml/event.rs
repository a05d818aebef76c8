//! The names and values of an event in XML, in both directions.

use super::element::{Element, WrittenParam, is_true, shorten};
use super::lines::Lines;
use super::{ESCAPED, FORMAT_VERSION, KEYFRAME, MESSAGE, ROOT, WINDOW};
use crate::facts::implied_numbers;
use crate::{
    DamageKind, Event, Hook, Key, Keyframe, Kind, Message, Param, Params, Point, Rect, SegmentHead, Stamp,
    Type, Value,
};
use chrono::DateTime;
use smallvec::SmallVec;
use std::str::FromStr;

/// The content of one record of a file.
#[derive(Debug)]
pub(crate) enum WrittenRecord {
    /// The first record of a segment.
    Head(SegmentHead),
    /// A keyframe, followed by this many windows.
    Keyframe(Event, usize),
    /// A window of the preceding keyframe.
    Window(Params),
    /// Any other event.
    Event(Event),
}

/// Kinds that are written as an element with params and nothing else.
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

/// Names of hooks.
pub(super) const HOOKS: [(&str, Hook); 3] =
    [("posted", Hook::Posted), ("sent", Hook::Sent), ("unknown", Hook::Unknown)];

/// The keys that have the paper's names.
const PAPER_KEYS: [Key; 6] =
    [Key::WindowHwnd, Key::WindowParent, Key::WindowResourceId, Key::WindowClass, Key::Command, Key::Source];

/// The attributes that give a record its place.
const STAMP: [&str; 3] = ["seq", "time", "thread"];

/// The thread of a record that states none.
pub(super) const FIRST_THREAD: u32 = 1;

// ---- writing -------------------------------------------------------------------------------------

/// The opening tag of the root, which a live segment never closes.
pub(super) fn write_head(lines: &mut Lines<'_>, head: &SegmentHead) {
    lines.begin(ROOT);
    lines.number("version", u64::from(FORMAT_VERSION));
    lines.string("session", &head.session);
    lines.number("segment", head.number);
    lines.number("time", head.time);
    // A log may contain no other statement of time, and the schema requires this one.
    let is_time = DateTime::parse_from_rfc3339(&head.wall).is_ok() && head.wall.contains('T');
    lines.string("wall", if is_time { &head.wall } else { "" });
    lines.end_tag();
    lines.end_line();
}

/// Writes one line for an event and, for a keyframe, one more per window.
pub(super) fn write_event(lines: &mut Lines<'_>, event: &Event) {
    match &event.kind {
        Kind::Message(message) => {
            lines.begin(MESSAGE);
            lines.number("type", u64::from(message.number));
            write_stamp(lines, event.stamp);
            write_message(lines, message, event);
            write_content(lines, &event.params, Some(message.hwnd));
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
            write_content(lines, &event.params, None);
            for window in &keyframe.windows {
                lines.begin(WINDOW);
                write_content(lines, window, None);
            }
        }
        plain => {
            let name = PLAIN.iter().find(|(_, kind)| kind == plain).map_or("mark", |(name, _)| name);
            lines.begin(name);
            write_stamp(lines, event.stamp);
            write_content(lines, &event.params, None);
        }
    }
}

/// Facts are attributes. Facts with the paper's names are params, as in the paper, and so are those that
/// cannot be attributes: names that are not ours, and names that occur twice. The message's own window is the
/// first param. When read again, attributes come before params.
fn write_content(lines: &mut Lines<'_>, params: &Params, own_window: Option<u64>) {
    let mut seen = KeySet::default();
    let (attributes, children): (SmallVec<[&Param; 16]>, SmallVec<[&Param; 16]>) = params.iter().partition(
        |param| matches!(param, Param::Known(key, _) if !PAPER_KEYS.contains(key) && seen.insert(*key)),
    );
    let mut escaped = String::new();
    for param in attributes {
        if let Param::Known(key, value) = param
            && write_attribute(lines, key.name(), value)
        {
            escaped.push_str(if escaped.is_empty() { "" } else { " " });
            escaped.push_str(key.name());
        }
    }
    if !escaped.is_empty() {
        lines.plain(ESCAPED, &escaped);
    }
    if children.is_empty() && own_window.is_none() {
        return lines.end_empty();
    }
    lines.end_tag();
    if let Some(window) = own_window {
        write_known(lines, Key::WindowHwnd, &Value::Unsigned(window));
    }
    children.into_iter().for_each(|param| write_param(lines, param));
    lines.end();
}

/// The keys that have occurred.
#[derive(Default)]
struct KeySet([u64; 4]);

impl KeySet {
    fn insert(&mut self, key: Key) -> bool {
        let code = usize::from(key as u16);
        let (word, bit) = (&mut self.0[code / 64 % 4], 1 << (code % 64));
        let is_first = *word & bit == 0;
        *word |= bit;
        is_first
    }
}

fn write_stamp(lines: &mut Lines<'_>, stamp: Option<Stamp>) {
    if let Some(stamp) = stamp {
        lines.number("seq", stamp.sequence);
        lines.number("time", stamp.time);
        if stamp.thread != FIRST_THREAD {
            lines.number("thread", u64::from(stamp.thread));
        }
    }
}

fn write_message(lines: &mut Lines<'_>, message: &Message, event: &Event) {
    if message.hook != usual_hook(event.stamp, message) {
        let hook = HOOKS.iter().find(|(_, hook)| *hook == message.hook).map_or("unknown", |(name, _)| name);
        lines.plain("hook", hook);
    }
    lines.number_unless_0("depth", u64::from(message.depth));
    lines.number_unless_0("posted", u64::from(message.posted_at));
    let (wparam, lparam) = implied_numbers(message.number, &event.params);
    if message.wparam != wparam {
        lines.number("w", message.wparam);
    }
    if message.lparam != lparam {
        lines.number("l", message.lparam);
    }
    lines.number_unless_0("birth", message.window_id);
}

/// The hook of a message that states none: a message with a posting time was posted; for other makers'
/// messages it is unknown.
fn usual_hook(stamp: Option<Stamp>, message: &Message) -> Hook {
    match stamp {
        None => Hook::Unknown,
        Some(_) if message.posted_at != 0 => Hook::Posted,
        Some(_) => Hook::Sent,
    }
}

/// Writes a text; returns whether it had to be escaped.
fn write_attribute(lines: &mut Lines<'_>, name: &str, value: &Value) -> bool {
    match value {
        Value::Text(text) => return lines.text(name, text),
        value => with_plain(value, |value| lines.plain(name, value)),
    }
    false
}

fn write_param(lines: &mut Lines<'_>, param: &Param) {
    match param {
        Param::Known(key, value) => write_known(lines, *key, value),
        Param::Other(name, text) => lines.param_other(name, text),
    }
}

fn write_known(lines: &mut Lines<'_>, key: Key, value: &Value) {
    match value {
        Value::Text(text) => lines.param_text(key.name(), text),
        value => with_plain(value, |value| lines.param(key.name(), value)),
    }
}

/// The written form of a value that needs no escaping.
fn with_plain(value: &Value, write: impl FnOnce(&str)) {
    let mut digits = itoa::Buffer::new();
    match value {
        Value::Unsigned(n) => write(digits.format(*n)),
        Value::Signed(n) => write(digits.format(*n)),
        Value::Flag(b) => write(if *b { "true" } else { "false" }),
        Value::Point(p) => write(&format!("{},{}", p.x, p.y)),
        Value::Rect(r) => write(&format!("{},{},{},{}", r.left, r.top, r.right, r.bottom)),
        Value::Text(_) => {}
    }
}

// ---- reading -------------------------------------------------------------------------------------

/// The meaning of an element. Damage is added to the list; `None` if nothing usable is left.
pub(crate) fn read(element: &Element<'_>, damage: &mut Vec<DamageKind>) -> Option<WrittenRecord> {
    let unreadable = |reason: String| DamageKind::Unreadable { element: shorten(element.name), reason };
    let mut attributes = Attributes { element, wrong: None };
    let written = match element.name {
        ROOT => WrittenRecord::Head(read_head(&mut attributes)),
        WINDOW => WrittenRecord::Window(attributes.facts(&[], damage)),
        MESSAGE => WrittenRecord::Event(read_message(&mut attributes, damage)),
        KEYFRAME => {
            let windows = attributes.number("windows");
            let keyframe = Keyframe {
                of_thread: element.attribute("of").map(|_| attributes.number_u32("of")),
                windows: Vec::new(),
                complete: element.attribute("complete").is_none_or(is_true),
            };
            let stamp = attributes.stamp();
            let params = attributes.facts(&["windows", "of", "complete"], damage);
            let event = Event { stamp, kind: Kind::Keyframe(keyframe), params };
            WrittenRecord::Keyframe(event, usize::try_from(windows).unwrap_or(usize::MAX))
        }
        name => {
            let Some((_, kind)) = PLAIN.iter().find(|(n, _)| *n == name) else {
                damage.push(DamageKind::UnknownElement { element: shorten(name) });
                return None;
            };
            let params = attributes.facts(&[], damage);
            WrittenRecord::Event(Event { stamp: attributes.stamp(), kind: kind.clone(), params })
        }
    };
    match attributes.wrong {
        None => Some(written),
        // Even a corrupted head indicates that another segment begins.
        Some(name) if matches!(written, WrittenRecord::Head(_)) => {
            damage.push(unreadable(format!("\"{name}\" is missing or no number")));
            Some(written)
        }
        // With an unreadable number the record would be a guess, and a guess is not an event.
        Some(name) => {
            damage.push(unreadable(format!("\"{name}\" is missing or no number")));
            None
        }
    }
}

/// Reads numbers of a record's attributes and remembers the first invalid one.
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

    /// A mandatory number.
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

    /// All or none: other makers' logs have no stamps, ours have complete ones.
    fn stamp(&mut self) -> Option<Stamp> {
        let is_there = |name: &&str| self.element.attribute(name).is_some();
        STAMP.iter().any(is_there).then(|| Stamp {
            sequence: self.number("seq"),
            time: self.number("time"),
            thread: if is_there(&"thread") { self.number_u32("thread") } else { FIRST_THREAD },
        })
    }

    /// Every attribute that is neither part of the stamp nor in `others`, then every param.
    fn facts(&self, others: &[&str], damage: &mut Vec<DamageKind>) -> Params {
        let element = self.element;
        let is_fact = |name: &str| name != ESCAPED && !STAMP.contains(&name) && !others.contains(&name);
        let attributes = element.attributes().filter(|(name, _)| is_fact(name));
        let mut params =
            Params::with_capacity(attributes.size_hint().1.unwrap_or_default() + element.params.len());
        attributes.for_each(|(name, value)| params.push(read_attribute(element, name, value, damage)));
        element.params.iter().for_each(|param| params.push(read_param(param, damage)));
        params
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
    let mut message = Message::default();
    // Most messages have six attributes that are not facts.
    let mut params =
        Params::with_capacity(element.attributes().len().saturating_sub(6) + element.params.len());
    let ([mut number, mut thread], [mut seq, mut time]) = ([None; 2], [None; 2]);
    let ([mut wparam, mut lparam, mut hwnd], mut hook) = ([None; 3], None);
    // In one pass: a search for each name would take longer than everything else.
    for (name, value) in element.attributes() {
        match name {
            "type" => number = attributes.read("type", value),
            "seq" => seq = attributes.read("seq", value),
            "time" => time = attributes.read("time", value),
            "thread" => thread = attributes.read("thread", value),
            "hook" => match HOOKS.iter().find(|(name, _)| *name == value) {
                Some((_, named)) => hook = Some(*named),
                None => damage.push(DamageKind::WrongType { name: "hook".into() }),
            },
            "depth" => message.depth = attributes.read("depth", value).unwrap_or_default(),
            "posted" => message.posted_at = attributes.read("posted", value).unwrap_or_default(),
            "w" => wparam = attributes.read("w", value),
            "l" => lparam = attributes.read("l", value),
            "birth" => message.window_id = attributes.read("birth", value).unwrap_or_default(),
            "window.hwnd" if hwnd.is_none() => hwnd = attributes.read("window.hwnd", value),
            ESCAPED => {}
            _ => params.push(read_attribute(element, name, value, damage)),
        }
    }
    for param in &element.params {
        // If it is not an attribute, the first param with this name is the message's own window; further ones
        // are ordinary facts.
        match param.raw().parse() {
            Ok(own) if hwnd.is_none() && param.is(Key::WindowHwnd.name()) => hwnd = Some(own),
            _ => params.push(read_param(param, damage)),
        }
    }
    message.number = attributes.present("type", number);
    message.hwnd = hwnd.unwrap_or_default();
    let stamp = (seq.is_some() || time.is_some() || thread.is_some()).then(|| Stamp {
        sequence: attributes.present("seq", seq),
        time: attributes.present("time", time),
        thread: thread.unwrap_or(FIRST_THREAD),
    });
    complete(stamp, message, hook, [wparam, lparam], params)
}

/// Completes a message with what is omitted: numbers that its facts imply, and the usual hook.
pub(super) fn complete(
    stamp: Option<Stamp>,
    mut message: Message,
    hook: Option<Hook>,
    [wparam, lparam]: [Option<u64>; 2],
    params: Params,
) -> Event {
    let implied = implied_numbers(message.number, &params);
    message.wparam = wparam.unwrap_or(implied.0);
    message.lparam = lparam.unwrap_or(implied.1);
    message.hook = hook.unwrap_or_else(|| usual_hook(stamp, &message));
    Event { stamp, kind: Kind::Message(message), params }
}

fn read_attribute<'a>(
    element: &Element<'a>,
    name: &'a str,
    value: &'a str,
    damage: &mut Vec<DamageKind>,
) -> Param {
    let key = Key::from_name(name);
    read_fact(key, &element.fact(name, value, key.is_none_or(|key| key.kind() == Type::Text)), damage)
}

fn read_param(param: &WrittenParam<'_>, damage: &mut Vec<DamageKind>) -> Param {
    read_fact(param.key(), param, damage)
}

fn read_fact(key: Option<Key>, param: &WrittenParam<'_>, damage: &mut Vec<DamageKind>) -> Param {
    let Some(key) = key else {
        damage.push(DamageKind::UnknownParam { name: shorten(&param.name()) });
        return read_other(param);
    };
    if let Some(value) = read_value(key, param) {
        return Param::Known(key, value);
    }
    damage.push(DamageKind::WrongType { name: key.name().into() });
    read_other(param)
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
