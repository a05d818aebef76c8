//! Which window a handle means, since handles are reused; and where it was last told to be, since no message
//! says when it moves below another window or gets another id.

use message_log::{Event, Key, Kind, Params};
use std::collections::{HashMap, HashSet};

const WM_CREATE: u32 = 0x0001;
const WM_NCDESTROY: u32 = 0x0082;
/// How long after a message its window is looked at, in microseconds: programs arrange a window right
/// after its birth.
const WATCH: u64 = 1_000_000;
const HWND_MESSAGE: u64 = if cfg!(target_pointer_width = "64") { u64::MAX - 2 } else { 0xFFFF_FFFD };

/// What is known of a window that lives.
struct LiveWindow {
    window_id: u64,
    /// Whether its WM_CREATE has been seen or must have passed.
    is_created: bool,
    /// When a keyframe last saw it: a WM_CREATE of before, read later, is its own.
    seen: u64,
    /// Parent and id as last told; none for message-only windows, which are nowhere.
    place: Option<(u64, i64)>,
}

/// The windows of the session.
#[derive(Default)]
pub(crate) struct WindowIds {
    live: HashMap<u64, LiveWindow>,
    last: u64,
    /// Windows that got messages although nobody saw their birth: a thread was hooked in the midst of it.
    pub(crate) unknown: HashSet<u64>,
    /// Windows that got a message lately, and until when they are looked at.
    watched: HashMap<u64, u64>,
}

impl WindowIds {
    fn entry(&mut self, hwnd: u64, is_created: bool) -> &mut LiveWindow {
        let last = &mut self.last;
        self.live.entry(hwnd).or_insert_with(|| {
            *last += 1;
            LiveWindow { window_id: *last, is_created, seen: 0, place: None }
        })
    }

    /// The number of a window that is there now, and is known from now on.
    pub(crate) fn id_of(&mut self, hwnd: u64, now: u64) -> u64 {
        self.unknown.remove(&hwnd);
        let live = self.entry(hwnd, true);
        live.is_created = true;
        live.seen = now;
        live.window_id
    }

    /// Gives a message the birth number of its window.
    pub(crate) fn assign(&mut self, event: &mut Event) {
        let time = event.stamp.map_or(0, |stamp| stamp.time);
        let Kind::Message(message) = &mut event.kind else { return };
        let hwnd = message.hwnd;
        if hwnd == 0 {
            return;
        }
        // A window gets a few messages before WM_CREATE; a second WM_CREATE is another window, whose
        // predecessor died unseen.
        let is_create = message.number == WM_CREATE;
        let is_other = |live: &LiveWindow| live.is_created && live.seen < time;
        if is_create && self.live.get(&hwnd).is_some_and(is_other) {
            self.live.remove(&hwnd);
        }
        let live = self.entry(hwnd, is_create);
        live.is_created |= is_create;
        if is_create && live.seen < time && event.params.unsigned(Key::WindowOwner) != Some(HWND_MESSAGE) {
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

    /// Windows with recent messages that are not where they were told to be; `place` says where they are.
    pub(crate) fn reparented(&mut self, now: u64, place: impl Fn(u64) -> Option<(u64, i64)>) -> Vec<u64> {
        let live = &self.live;
        let is_moved = |hwnd: &u64| {
            let told = live.get(hwnd).and_then(|live| live.place);
            told.is_some() && place(*hwnd).is_some_and(|now| Some(now) != told)
        };
        let mut reparented: Vec<u64> = self.watched.keys().copied().filter(is_moved).collect();
        self.watched.retain(|_, until| *until > now);
        reparented.sort_by_key(|hwnd| live[hwnd].window_id);
        reparented
    }

    /// A keyframe has told where these are.
    pub(crate) fn set_places(&mut self, windows: &[Params]) {
        for window in windows {
            let hwnd = window.unsigned(Key::WindowHwnd).unwrap_or_default();
            if let Some(live) = self.live.get_mut(&hwnd) {
                live.place = Some(place_in(window));
            }
        }
    }
}

/// Parent and id as a keyframe or a WM_CREATE tells them.
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
        assert_eq!(message(&mut ids, 1, 14), 3, "its predecessor died unseen");
    }

    #[test]
    fn a_birth_read_behind_the_keyframe_that_saw_it_is_the_same_window() {
        let mut ids = WindowIds::default();
        assert_eq!(ids.id_of(7, 100), 1);
        assert_eq!(message(&mut ids, 1, 99), 1);
        assert_eq!(message(&mut ids, 1, 101), 2);
    }

    #[test]
    fn a_window_that_moves_is_told_once() {
        let mut ids = WindowIds::default();
        message(&mut ids, 1, 10);
        assert!(ids.reparented(20, |_| Some((3, 5))).is_empty());
        assert!(ids.reparented(20, |_| None).is_empty(), "it is gone");
        assert_eq!(ids.reparented(20, |_| Some((4, 5))), [7]);
        ids.set_places(&[Params::new().with_number(Key::WindowHwnd, 7).with_number(Key::WindowParent, 4)]);
        assert!(ids.reparented(20, |_| Some((4, 0))).is_empty());
        ids.reparented(10 + WATCH, |_| None);
        assert!(ids.reparented(10 + WATCH, |_| Some((9, 9))).is_empty(), "nothing happened to it for long");
    }
}
