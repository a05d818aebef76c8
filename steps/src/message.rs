//! The messages of a gesture: user input, and messages that show what the input meant.

use super::input::{Input, point};
use super::place::Place;
use message_log::{Event, Key, Message, Params, Point};
use win32_vocabulary::keys::{
    VK_CAPITAL, VK_CONTROL, VK_LCONTROL, VK_LMENU, VK_LSHIFT, VK_LWIN, VK_MENU, VK_NUMLOCK, VK_RCONTROL,
    VK_RMENU, VK_RSHIFT, VK_RWIN, VK_SCROLL, VK_SHIFT,
};
use win32_vocabulary::messages::{WM_KEYDOWN, WM_KEYUP, WM_SYSKEYDOWN, WM_SYSKEYUP};

/// Which message of the log it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct MessageId {
    /// The session's number of the thread.
    pub thread: u32,
    /// The thread's count; in logs of other makers the event's place in the log.
    pub sequence: u64,
}

/// A message that the user caused.
#[derive(Debug, Clone)]
pub(crate) struct InputMessage {
    pub id: MessageId,
    /// Microseconds since the session's start.
    pub time: u64,
    pub kind: Input,
    pub hwnd: u64,
    pub modifiers: u64,
    pub hit_test: i32,
    /// Bytes of stack in use when it was taken from the queue; 0 when not known.
    pub depth: u32,
    pub text: Option<String>,
    pub point: Option<Point>,
    /// The top-level window a button was released over, and the point in there, where that is another window
    /// than the message's. No window: none of the program's.
    pub over: Option<Option<(u64, Point)>>,
    /// Whether it came from the queue.
    pub is_fresh: bool,
    /// Whether it stands for another of its kind: the window is private.
    pub is_redacted: bool,
}

impl InputMessage {
    pub(crate) fn new(id: MessageId, kind: Input, message: &Message, event: &Event) -> Self {
        let text = |key| event.params.text(key).map(|text| text.to_string_lossy().into_owned());
        Self {
            id,
            time: event.stamp.map_or(0, |stamp| stamp.time),
            kind,
            hwnd: message.hwnd,
            modifiers: event.params.unsigned(Key::KeyModifiers).unwrap_or(0) & 0xF,
            depth: message.depth,
            hit_test: event.params.signed(Key::HitTest).unwrap_or(0) as i32,
            text: text(Key::Masked).or_else(|| text(Key::Text)),
            point: point(event, Key::PointClient),
            over: event
                .params
                .unsigned(Key::OverWindow)
                .map(|window| Some((window, point(event, Key::OverPoint)?)).filter(|_| window != 0)),
            is_fresh: kind.begins(message.hook),
            is_redacted: event.params.flag(Key::WindowMasked) == Some(true),
        }
    }
}

impl InputMessage {
    /// Whether it is a key that means nothing alone.
    pub(crate) fn is_modifier(&self) -> bool {
        matches!(self.kind, Input::Key { code, .. } if is_modifier(code))
    }
}

/// A message that shows what an input meant.
#[derive(Debug, Clone)]
pub(crate) struct ObservedMessage {
    pub number: u32,
    pub hwnd: u64,
    pub params: Params,
    /// The control it came from, where there is one.
    pub source: Option<Place>,
}

impl ObservedMessage {
    pub(crate) fn code(&self) -> i32 {
        self.params.signed(Key::Notification).unwrap_or(0) as i32
    }

    pub(crate) fn command(&self) -> u64 {
        self.params.unsigned(Key::Command).unwrap_or(0)
    }

    pub(crate) fn text(&self, key: Key) -> Option<String> {
        self.params.text(key).map(|text| text.to_string_lossy().into_owned())
    }
}

/// The modifiers that are down after a key: 1 Shift, 2 Ctrl, 4 Alt, 8 Windows.
pub(crate) fn modifiers(before: u64, message: u32, code: u32) -> u64 {
    let bit = match code {
        VK_SHIFT | VK_LSHIFT | VK_RSHIFT => 1,
        VK_CONTROL | VK_LCONTROL | VK_RCONTROL => 2,
        VK_MENU | VK_LMENU | VK_RMENU => 4,
        VK_LWIN | VK_RWIN => 8,
        _ => 0,
    };
    match message {
        WM_KEYDOWN | WM_SYSKEYDOWN => before | bit,
        WM_KEYUP | WM_SYSKEYUP => before & !bit,
        _ => before,
    }
}

/// Shift, Ctrl, Alt, the Windows keys, and the locks.
fn is_modifier(code: u32) -> bool {
    matches!(
        code,
        VK_SHIFT..=VK_MENU
            | VK_CAPITAL
            | VK_LWIN
            | VK_RWIN
            | VK_NUMLOCK
            | VK_SCROLL
            | VK_LSHIFT..=VK_RMENU
    )
}
