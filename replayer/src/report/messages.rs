//! The messages behind each step: what the hooks saw of it, as rows of a table.

use message_log::{Event, Hook, Key, Message, Param, Type, Value, message_name};
use replay_engine::bounded;
use serde::Serialize;
use std::collections::HashMap;
use steps::Step;

/// Rows of one step; more are counted.
const MAX_ROWS: usize = 40;
const MAX_FACTS: usize = 160;

/// A message for people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) hwnd: u64,
    /// Microseconds since the session's start.
    pub(crate) time: u64,
    /// In how many other messages it was sent.
    pub(crate) level: usize,
    pub(crate) is_posted: bool,
    /// What it tells, in words.
    pub(crate) facts: String,
}

/// The rows of one step.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    pub(crate) rows: Vec<Row>,
    /// How many there are in all.
    pub(crate) total: usize,
    /// Stack depths of the messages still being handled, by thread.
    open: HashMap<u32, Vec<u32>>,
}

/// Which step each message belongs to.
#[derive(Debug)]
pub(crate) struct Behind {
    /// First and last sequence of a thread, with the step's place; sorted.
    spans: HashMap<u32, Vec<(u64, u64, usize)>>,
    pub(crate) steps: Vec<Rows>,
}

impl Behind {
    pub(crate) fn new(steps: &[Step]) -> Self {
        let mut spans: HashMap<u32, Vec<(u64, u64, usize)>> = HashMap::new();
        for (place, step) in steps.iter().enumerate() {
            for span in &step.messages {
                spans.entry(span.thread).or_default().push((span.first, span.last, place));
            }
        }
        spans.values_mut().for_each(|spans| spans.sort_unstable());
        Self { spans, steps: vec![Rows::default(); steps.len()] }
    }

    /// Takes an event; `number` is its place in the log.
    pub(crate) fn take(&mut self, event: &Event, number: u64) {
        let Some(message) = event.message() else { return };
        let (thread, sequence, time) =
            event.stamp.map_or((0, number, 0), |stamp| (stamp.thread, stamp.sequence, stamp.time));
        let Some(spans) = self.spans.get(&thread) else { return };
        let next = spans.partition_point(|(first, ..)| *first <= sequence);
        let Some((_, last, place)) = next.checked_sub(1).map(|place| spans[place]) else { return };
        if sequence <= last {
            self.steps[place].add(message, event, thread, time);
        }
    }
}

impl Rows {
    fn add(&mut self, message: &Message, event: &Event, thread: u32, time: u64) {
        self.total += 1;
        let open = self.open.entry(thread).or_default();
        open.retain(|depth| *depth < message.depth);
        let level = open.len();
        open.push(message.depth);
        if self.rows.len() < MAX_ROWS {
            self.rows.push(Row {
                name: message_name(message.number).into_owned(),
                hwnd: message.hwnd,
                time,
                level,
                is_posted: message.hook == Hook::Posted,
                facts: facts(event),
            });
        }
    }
}

/// Everything but what the tree knows of the window.
fn facts(event: &Event) -> String {
    let told = event.params.iter().filter_map(|param| match param {
        Param::Known(Key::WindowHwnd, _) => None,
        Param::Known(key, value) if !key.name().starts_with("window.") => {
            Some(format!("{} {}", key.name(), shown(*key, value)))
        }
        Param::Known(..) => None,
        Param::Other(name, text) => Some(format!("{name} {:?}", text.to_string_lossy())),
    });
    bounded(&told.collect::<Vec<_>>().join(", "), MAX_FACTS)
}

fn shown(key: Key, value: &Value) -> String {
    match value {
        Value::Unsigned(number) if key.kind() == Type::Unsigned && *number > 0xFFFF => format!("{number:#x}"),
        Value::Unsigned(number) => number.to_string(),
        Value::Signed(number) => number.to_string(),
        Value::Text(text) => format!("“{}”", bounded(&text.to_string_lossy(), 60)),
        Value::Flag(flag) => flag.to_string(),
        Value::Point(point) => format!("{}, {}", point.x, point.y),
        Value::Rect(rect) => format!("{}, {}, {}, {}", rect.left, rect.top, rect.right, rect.bottom),
    }
}
