//! Where windows were last told to be, in which window, and whether they were told to be shown: a message
//! that says so again is not recorded.
//!
//! ShowWindow sends two messages, and programs arrange windows again and again where they are. A keyframe
//! tells what nobody sent, so that what was told before it counts no more.

use message_log::Rect;
use std::sync::atomic::{AtomicU32, Ordering};

const PLACES: usize = 128;

/// How often everything was told anew.
static KEYFRAMES: AtomicU32 = AtomicU32::new(1);

/// A keyframe is about to be taken, or messages went by unseen: from here on whatever comes is news.
pub(crate) fn forget_all() {
    KEYFRAMES.fetch_add(1, Ordering::Release);
}

/// What is known of a window.
#[derive(Clone, Copy)]
struct Window {
    hwnd: usize,
    /// 0 for a window of its own.
    parent: usize,
    /// [`Rect::words`]: a rectangle stored by its edges could not be loaded as a whole soon.
    place: [u64; 2],
    /// Since which keyframe.
    since: u32,
    /// Which of the others are known.
    knows: u8,
    is_shown: bool,
}

const PARENT: u8 = 1;
const PLACE: u8 = 2;
const SHOWN: u8 = 4;

impl Window {
    /// Nothing is known of it.
    const fn new(hwnd: usize, since: u32) -> Self {
        Self { hwnd, parent: 0, place: [0; 2], since, knows: 0, is_shown: false }
    }

    /// Whether this is news, and from now on it is not.
    fn learn<T: PartialEq>(&mut self, what: u8, field: impl FnOnce(&mut Self) -> &mut T, value: T) -> bool {
        let was_known = self.knows & what != 0;
        self.knows |= what;
        let field = field(self);
        let is_same = *field == value;
        *field = value;
        !(was_known && is_same)
    }
}

/// What a thread's windows were told lately, the last of each place.
pub(crate) struct LastReported([Window; PLACES]);

impl LastReported {
    pub(crate) const fn new() -> Self {
        Self([Window::new(0, 0); PLACES])
    }

    fn at(&mut self, hwnd: usize) -> &mut Window {
        &mut self.0[(hwnd >> 1) % PLACES]
    }

    /// What is known of a window, nothing yet if it is another than the last of its place.
    fn window(&mut self, hwnd: usize) -> &mut Window {
        let since = KEYFRAMES.load(Ordering::Acquire);
        let window = self.at(hwnd);
        if (window.hwnd, window.since) != (hwnd, since) {
            *window = Window::new(hwnd, since);
        }
        window
    }

    /// A window is born there, in that window: another may have had its handle.
    #[inline]
    pub(crate) fn on_created(&mut self, hwnd: usize, place: [u64; 2], parent: usize) {
        let since = KEYFRAMES.load(Ordering::Acquire);
        *self.at(hwnd) = Window { hwnd, parent, place, since, knows: PARENT | PLACE, is_shown: false };
    }

    /// A window is gone: another will have its handle.
    pub(crate) fn on_destroyed(&mut self, hwnd: usize) {
        *self.window(hwnd) = Window::new(0, 0);
    }

    /// A window is shown in another: whether that is news.
    pub(crate) fn set_parent(&mut self, hwnd: usize, parent: usize) -> bool {
        self.window(hwnd).learn(PARENT, |window| &mut window.parent, parent)
    }

    /// A window has another style, which may show or hide it.
    pub(crate) fn on_style_changed(&mut self, hwnd: usize) {
        self.window(hwnd).knows &= !SHOWN;
    }

    /// A window is shown or hidden: whether that is new.
    pub(crate) fn show(&mut self, hwnd: usize, is_shown: bool) -> bool {
        self.window(hwnd).learn(SHOWN, |window| &mut window.is_shown, is_shown)
    }

    /// A window is put somewhere, shown or hidden, or all of it: whether any of that is new.
    pub(crate) fn put(&mut self, hwnd: usize, place: Option<Rect>, is_shown: Option<bool>) -> bool {
        let window = self.window(hwnd);
        let is_elsewhere =
            place.is_some_and(|place| window.learn(PLACE, |window| &mut window.place, place.words()));
        let is_other =
            is_shown.is_some_and(|shown| window.learn(SHOWN, |window| &mut window.is_shown, shown));
        is_elsewhere || is_other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A keyframe of one test is one of all.
    static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());

    #[test]
    fn what_is_told_again_is_no_news() {
        let _alone = ALONE.lock();
        let mut told = LastReported::new();
        let [here, there] = [3, 4].map(|left| Rect { left, ..Rect::default() });
        told.on_created(2, here.words(), 8);
        assert!(told.show(2, true) && !told.show(2, true));
        assert!(!told.put(2, Some(here), Some(true)), "as it was born and shown");
        assert!(told.put(2, Some(here), Some(false)) && !told.show(2, false));
        assert!(
            told.put(2, Some(there), None)
                && !told.put(2, Some(there), None)
                && told.put(2, Some(here), None)
        );
        told.on_style_changed(2);
        assert!(told.show(2, false), "a style may have shown it");
        told.on_created(2, here.words(), 8);
        assert!(told.show(2, false), "another window of the same handle");
        assert!(!told.put(2, None, Some(false)), "hidden where it is");
        told.on_destroyed(2);
        assert!(told.put(2, Some(here), None));
    }

    #[test]
    fn another_parent_is_told_once() {
        let _alone = ALONE.lock();
        let mut told = LastReported::new();
        assert!(told.set_parent(2, 8), "nobody saw it born");
        told.on_created(2, [0; 2], 8);
        assert!(!told.set_parent(2, 8) && told.set_parent(2, 6) && !told.set_parent(2, 6));
        assert!(told.set_parent(2, 0), "a window of its own");
    }

    #[test]
    fn nothing_is_known_of_other_windows_and_after_a_keyframe() {
        let _alone = ALONE.lock();
        let mut told = LastReported::new();
        assert!(told.show(2, true) && told.show(4, true) && told.show(2 + 2 * PLACES, true));
        assert!(told.show(2, true), "its place was taken");
        assert!(!told.show(4, true));
        forget_all();
        assert!(told.show(4, true) && !told.show(4, true));
    }
}
