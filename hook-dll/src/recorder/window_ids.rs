//! Which window a handle means, because Windows uses handles again; and the parent and id last recorded,
//! because no message reports that they change.

use message_log::{Event, Key, Kind, Params};
use std::collections::{HashMap, HashSet};
use win32_vocabulary::messages::{WM_CREATE, WM_NCDESTROY};
use win32_vocabulary::windows::HWND_MESSAGE;

/// How long after a message its window is checked, in microseconds: programs arrange a window right
/// after its creation.
const WATCH: u64 = 1_000_000;
/// The parent of message-only windows, as a WM_CREATE has it.
const MESSAGE_ONLY: u64 = HWND_MESSAGE as usize as u64;

/// What is known of a window that exists.
struct LiveWindow {
    window_id: u64,
    /// Whether its WM_CREATE was recorded or must have passed.
    is_created: bool,
    /// When it was last in a keyframe: an earlier WM_CREATE that is read later is its own.
    in_keyframe_at: u64,
    /// Parent and control id as last recorded; none for message-only windows.
    place: Option<(u64, i64)>,
}

/// The windows of the session.
#[derive(Default)]
pub(crate) struct WindowIds {
    live: HashMap<u64, LiveWindow>,
    last: u64,
    /// Windows that got messages although their creation was not recorded: a thread was hooked meanwhile.
    pub(crate) unknown: HashSet<u64>,
    /// Windows that got a message lately, and until when they are checked.
    watched: HashMap<u64, u64>,
}

impl WindowIds {
    fn entry(&mut self, hwnd: u64, is_created: bool) -> &mut LiveWindow {
        let last = &mut self.last;
        self.live.entry(hwnd).or_insert_with(|| {
            *last += 1;
            LiveWindow { window_id: *last, is_created, in_keyframe_at: 0, place: None }
        })
    }

    /// The id of a window that exists now and is known from now on.
    pub(crate) fn id_of(&mut self, hwnd: u64, now: u64) -> u64 {
        self.unknown.remove(&hwnd);
        let live = self.entry(hwnd, true);
        live.is_created = true;
        live.in_keyframe_at = now;
        live.window_id
    }

    /// Gives a message the id of its window.
    pub(crate) fn assign(&mut self, event: &mut Event) {
        let time = event.stamp.map_or(0, |stamp| stamp.time);
        let Kind::Message(message) = &mut event.kind else { return };
        let hwnd = message.hwnd;
        if hwnd == 0 {
            return;
        }
        // A window gets a few messages before WM_CREATE. A second WM_CREATE belongs to another window: the
        // destruction of the first was not recorded.
        let is_create = message.number == WM_CREATE;
        let is_other = |live: &LiveWindow| live.is_created && live.in_keyframe_at < time;
        if is_create && self.live.get(&hwnd).is_some_and(is_other) {
            self.live.remove(&hwnd);
        }
        let live = self.entry(hwnd, is_create);
        live.is_created |= is_create;
        if is_create
            && live.in_keyframe_at < time
            && event.params.unsigned(Key::WindowOwner) != Some(MESSAGE_ONLY)
        {
            live.place = Some(place_in(&event.params));
        }
        message.window_id = live.window_id;
        if live.is_created {
            self.unknown.remove(&hwnd);
        } else {
            self.unknown.insert(hwnd);
        }
        self.watched.insert(hwnd, time.saturating_add(WATCH));
        if message.number == WM_NCDESTROY {
            self.live.remove(&hwnd);
            self.unknown.remove(&hwnd);
            self.watched.remove(&hwnd);
        }
    }

    /// Windows with recent messages whose parent or id has changed; `place` returns the current ones.
    pub(crate) fn reparented(&mut self, now: u64, place: impl Fn(u64) -> Option<(u64, i64)>) -> Vec<u64> {
        let live = &self.live;
        let is_moved = |hwnd: &u64| {
            let recorded = live.get(hwnd).and_then(|live| live.place);
            recorded.is_some() && place(*hwnd).is_some_and(|now| Some(now) != recorded)
        };
        let mut reparented: Vec<u64> = self.watched.keys().copied().filter(is_moved).collect();
        self.watched.retain(|_, until| *until > now);
        reparented.sort_by_key(|hwnd| live[hwnd].window_id);
        reparented
    }

    /// Sets parent and id of windows from a keyframe.
    pub(crate) fn set_places(&mut self, windows: &[Params]) {
        for window in windows {
            let hwnd = window.unsigned(Key::WindowHwnd).unwrap_or_default();
            if let Some(live) = self.live.get_mut(&hwnd) {
                live.place = Some(place_in(window));
            }
        }
    }
}

/// Parent and control id in a keyframe or a WM_CREATE.
fn place_in(params: &Params) -> (u64, i64) {
    let parent = params.unsigned(Key::WindowParent).unwrap_or_default();
    (parent, if parent == 0 { 0 } else { params.signed(Key::WindowResourceId).unwrap_or_default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use message_log::{Message, Stamp};

    fn message(ids: &mut WindowIds, number: u32, time: u64) -> u64 {
        let kind = Kind::Message(Message { number, hwnd: 7, ..Message::default() });
        let event = Event::new(Stamp { sequence: 1, time, thread: 1 }, kind);
        let mut event = event.with_number(Key::WindowParent, 3).with_number(Key::WindowResourceId, 5);
        ids.assign(&mut event);
        event.message().unwrap().window_id
    }

    #[test]
    fn a_handle_used_again_is_another_window() {
        let mut ids = WindowIds::default();
        assert_eq!([message(&mut ids, 1, 10), message(&mut ids, 2, 11)], [1, 1]);
        assert_eq!([message(&mut ids, WM_NCDESTROY, 12), message(&mut ids, 1, 13)], [1, 2]);
        assert_eq!(message(&mut ids, 1, 14), 3, "the destruction of the first was not recorded");
    }

    #[test]
    fn a_creation_read_after_the_keyframe_with_the_window_is_the_same_window() {
        let mut ids = WindowIds::default();
        assert_eq!(ids.id_of(7, 100), 1);
        assert_eq!(message(&mut ids, 1, 99), 1);
        assert_eq!(message(&mut ids, 1, 101), 2);
    }

    #[test]
    fn a_reparented_window_is_reported_once() {
        let mut ids = WindowIds::default();
        message(&mut ids, 1, 10);
        assert!(ids.reparented(20, |_| Some((3, 5))).is_empty());
        assert!(ids.reparented(20, |_| None).is_empty(), "it does not exist any more");
        assert_eq!(ids.reparented(20, |_| Some((4, 5))), [7]);
        ids.set_places(&[Params::new().with_number(Key::WindowHwnd, 7).with_number(Key::WindowParent, 4)]);
        assert!(ids.reparented(20, |_| Some((4, 0))).is_empty());
        ids.reparented(10 + WATCH, |_| None);
        assert!(ids.reparented(10 + WATCH, |_| Some((9, 9))).is_empty(), "it got no message for long");
    }
}
