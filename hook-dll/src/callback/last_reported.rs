//! The position, parent and visibility of windows as last recorded: a message that repeats them
//! is not recorded.
//!
//! ShowWindow sends two messages, and programs often move windows to where they are. A keyframe may differ
//! from what the messages said, so whatever was recorded before it no longer counts.

use message_log::Rect;
use std::sync::atomic::{AtomicU32, Ordering};

const SLOTS: usize = 128;

/// The number of keyframes so far.
static KEYFRAMES: AtomicU32 = AtomicU32::new(1);

/// Forgets everything, before a keyframe or after messages were missed: whatever comes next is recorded.
pub(crate) fn forget_all() {
    KEYFRAMES.fetch_add(1, Ordering::Release);
}

/// What was recorded of a window.
#[derive(Clone, Copy)]
struct Window {
    hwnd: usize,
    /// 0 for a top-level window.
    parent: usize,
    /// [`Rect::words`]: a load of the whole rectangle right after stores of its edges would stall.
    place: [u64; 2],
    /// The number of keyframes at that time.
    since: u32,
    /// Which of the fields are known.
    known: u8,
    is_shown: bool,
}

const PARENT: u8 = 1;
const PLACE: u8 = 2;
const SHOWN: u8 = 4;

impl Window {
    /// A window of which nothing is known.
    const fn new(hwnd: usize, since: u32) -> Self {
        Self { hwnd, parent: 0, place: [0; 2], since, known: 0, is_shown: false }
    }

    /// Sets a field; whether that changes it.
    fn set<T: PartialEq>(&mut self, what: u8, field: impl FnOnce(&mut Self) -> &mut T, value: T) -> bool {
        let was_known = self.known & what != 0;
        self.known |= what;
        let field = field(self);
        let is_same = *field == value;
        *field = value;
        !(was_known && is_same)
    }
}

/// What was recorded of a thread's windows: a cache with one window per slot.
pub(crate) struct LastReported([Window; SLOTS]);

impl LastReported {
    pub(crate) const fn new() -> Self {
        Self([Window::new(0, 0); SLOTS])
    }

    fn at(&mut self, hwnd: usize) -> &mut Window {
        &mut self.0[(hwnd >> 1) % SLOTS]
    }

    /// The entry of a window, empty if another one was in its slot.
    fn window(&mut self, hwnd: usize) -> &mut Window {
        let since = KEYFRAMES.load(Ordering::Acquire);
        let window = self.at(hwnd);
        if (window.hwnd, window.since) != (hwnd, since) {
            *window = Window::new(hwnd, since);
        }
        window
    }

    /// A window is created. Another may have had its handle.
    #[inline]
    pub(crate) fn on_created(&mut self, hwnd: usize, place: [u64; 2], parent: usize) {
        let since = KEYFRAMES.load(Ordering::Acquire);
        *self.at(hwnd) = Window { hwnd, parent, place, since, known: PARENT | PLACE, is_shown: false };
    }

    /// A window is destroyed.
    pub(crate) fn on_destroyed(&mut self, hwnd: usize) {
        *self.window(hwnd) = Window::new(0, 0);
    }

    /// A window is shown in this parent; whether the parent is different.
    pub(crate) fn set_parent(&mut self, hwnd: usize, parent: usize) -> bool {
        self.window(hwnd).set(PARENT, |window| &mut window.parent, parent)
    }

    /// A window gets another style, which may show or hide it.
    pub(crate) fn on_style_changed(&mut self, hwnd: usize) {
        self.window(hwnd).known &= !SHOWN;
    }

    /// A window is shown or hidden; whether that is different.
    pub(crate) fn set_shown(&mut self, hwnd: usize, is_shown: bool) -> bool {
        self.window(hwnd).set(SHOWN, |window| &mut window.is_shown, is_shown)
    }

    /// A window is moved, shown or hidden; whether any of that is different.
    pub(crate) fn set_place(&mut self, hwnd: usize, place: Option<Rect>, is_shown: Option<bool>) -> bool {
        let window = self.window(hwnd);
        let is_elsewhere =
            place.is_some_and(|place| window.set(PLACE, |window| &mut window.place, place.words()));
        let is_other = is_shown.is_some_and(|shown| window.set(SHOWN, |window| &mut window.is_shown, shown));
        is_elsewhere || is_other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keyframes are counted for the whole process, so the tests run one after the other.
    static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());

    #[test]
    fn what_repeats_the_last_report_is_not_recorded() {
        let _alone = ALONE.lock();
        let mut reported = LastReported::new();
        let [here, there] = [3, 4].map(|left| Rect { left, ..Rect::default() });
        reported.on_created(2, here.words(), 8);
        assert!(reported.set_shown(2, true) && !reported.set_shown(2, true));
        assert!(!reported.set_place(2, Some(here), Some(true)), "as it was created and shown");
        assert!(reported.set_place(2, Some(here), Some(false)) && !reported.set_shown(2, false));
        assert!(
            reported.set_place(2, Some(there), None)
                && !reported.set_place(2, Some(there), None)
                && reported.set_place(2, Some(here), None)
        );
        reported.on_style_changed(2);
        assert!(reported.set_shown(2, false), "a style may have shown it");
        reported.on_created(2, here.words(), 8);
        assert!(reported.set_shown(2, false), "another window of the same handle");
        assert!(!reported.set_place(2, None, Some(false)), "hidden where it is");
        reported.on_destroyed(2);
        assert!(reported.set_place(2, Some(here), None));
    }

    #[test]
    fn another_parent_is_reported_once() {
        let _alone = ALONE.lock();
        let mut reported = LastReported::new();
        assert!(reported.set_parent(2, 8), "its creation was not seen");
        reported.on_created(2, [0; 2], 8);
        assert!(!reported.set_parent(2, 8) && reported.set_parent(2, 6) && !reported.set_parent(2, 6));
        assert!(reported.set_parent(2, 0), "a top-level window");
    }

    #[test]
    fn nothing_is_known_of_other_windows_or_after_a_keyframe() {
        let _alone = ALONE.lock();
        let mut reported = LastReported::new();
        assert!(
            reported.set_shown(2, true)
                && reported.set_shown(4, true)
                && reported.set_shown(2 + 2 * SLOTS, true)
        );
        assert!(reported.set_shown(2, true), "another window has its slot");
        assert!(!reported.set_shown(4, true));
        forget_all();
        assert!(reported.set_shown(4, true) && !reported.set_shown(4, true));
    }
}
