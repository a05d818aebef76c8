//! What is recorded: the live types that every other part of Dashcam uses.
//!
//! An event has a stamp, a kind and named facts. `xml/` defines how it is written as XML, `record.rs` how it
//! is written into a ring; nothing of either is visible here.

use crate::{Key, Param, Params, Text, Value};

/// The place of an event: in its thread's order, and in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp {
    /// The thread's own count of records, including dropped and shed ones.
    pub sequence: u64,
    /// Microseconds since the start of the session, on a monotonic clock.
    pub time: u64,
    /// The number of the thread in the session, from 1 and never reused; 0 is the recorder itself.
    pub thread: u32,
}

/// Which hook delivered a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Hook {
    /// Unknown (a log of another maker).
    #[default]
    Unknown,
    /// WH_GETMESSAGE: removed from the queue.
    Posted,
    /// WH_CALLWNDPROC: sent.
    Sent,
}

/// A window message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Message {
    // Not beside `depth`, with which it shares a word of a ring record: a load that covers two smaller stores
    // stalls until both are through.
    /// `MSG.time` of a posted message.
    pub posted_at: u32,
    /// Its number; [`crate::message_name`] names it.
    pub number: u32,
    /// The window it was delivered to.
    pub hwnd: u64,
    /// The window id; 0 if unknown.
    pub window_id: u64,
    /// The hook that delivered it.
    pub hook: Hook,
    /// Bytes of stack in use at the callback: a deeper message was sent while handling a shallower one.
    pub depth: u32,
    /// The raw wParam.
    pub wparam: u64,
    /// The raw lParam.
    pub lparam: u64,
}

/// The whole window tree at one moment, or the part of one thread.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keyframe {
    /// The thread whose windows these are; `None` for all.
    pub of_thread: Option<u32>,
    /// The `window.*` facts of each window, parents before children.
    pub windows: Vec<Params>,
    /// False if windows are missing: the log is damaged, or the keyframe contains only the windows that got
    /// another parent or id, which no message reports.
    pub complete: bool,
}

/// What kind of event it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// The session's head: application, command line, modules.
    Session,
    /// A thread was hooked.
    Thread,
    /// The window tree.
    Keyframe(Keyframe),
    /// A window message.
    Message(Message),
    /// A mark of the host: `text`.
    Mark,
    /// Something was done to a window on behalf of the user, by other means than mouse and keyboard:
    /// `window.hwnd`, `text`.
    Act,
    /// Records are missing here: `gap.dropped`, `gap.shed`, `reason`.
    Gap,
    /// The application crashed: `crash.*`.
    Crash,
    /// A thread was not responding: `hang.millis`.
    Hang,
    /// The state of recording changed: `state`, `reason`.
    Recording,
    /// Counters so far.
    Statistics,
}

/// A recorded event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its place; `None` in logs of other makers, whose only order is that of the file.
    pub stamp: Option<Stamp>,
    /// What it is.
    pub kind: Kind,
    /// Its facts.
    pub params: Params,
}

impl Event {
    /// An event without facts.
    pub fn new(stamp: Stamp, kind: Kind) -> Self {
        Self { stamp: Some(stamp), kind, params: Params::new() }
    }

    /// Adds a number.
    #[must_use]
    pub fn with_number(mut self, key: Key, value: i64) -> Self {
        self.params = self.params.with_number(key, value);
        self
    }

    /// Adds a text.
    #[must_use]
    pub fn with_text(mut self, key: Key, text: impl Into<Text>) -> Self {
        self.params = self.params.with_text(key, text);
        self
    }

    /// Adds a value of any type.
    #[must_use]
    pub fn with(mut self, key: Key, value: Value) -> Self {
        self.params.push(Param::Known(key, value));
        self
    }

    /// The message, if it is one.
    pub fn message(&self) -> Option<&Message> {
        match &self.kind {
            Kind::Message(message) => Some(message),
            _ => None,
        }
    }
}

/// The first record of every segment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SegmentHead {
    /// The version of the format; [`crate::FORMAT_VERSION`] if we wrote it, 0 in logs of other makers.
    pub version: u32,
    /// The name of the session, globally unique.
    pub session: String,
    /// The number of the segment in its session; 0 is the session head, which is kept as long as the session.
    pub number: u64,
    /// Microseconds since the start of the session.
    pub time: u64,
    /// The same moment on the wall clock, RFC 3339 with offset.
    pub wall: String,
}
