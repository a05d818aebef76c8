//! Where windows were last told to be, in which window, and whether they were told to be shown: a message that says so again is not recorded.
//!
//! ShowWindow sends two messages, and programs arrange windows again and again where they are. A keyframe tells what nobody sent, so that what was told before
//! it counts no more.

use message_log::Rect;
use std::sync::atomic::{AtomicU32, Ordering};

const PLACES: usize = 128;

/// How often everything was told anew.
static KEYFRAMES: AtomicU32 = AtomicU32::new(1);

/// A keyframe is about to be taken, or messages went by unseen: from here on whatever comes is news.
pub(crate) fn forget_all() {
    KEYFRAMES.fetch_add(1, Ordering::Release);
}

#[derive(Clone, Copy)]
struct Window {
    hwnd: usize,
    /// Since which keyframe.
    since: u32,
    place: Option<Rect>,
    is_shown: Option<bool>,
    /// 0 for a window of its own.
    parent: Option<usize>,
}

/// What a thread's windows were told lately, the last of each place.
pub(crate) struct Told([Window; PLACES]);

impl Told {
    pub(crate) const fn new() -> Self {
        Self([Window { hwnd: 0, since: 0, place: None, is_shown: None, parent: None }; PLACES])
    }

    /// What is known of a window, nothing yet if it is another than the last of its place.
    fn window(&mut self, hwnd: usize) -> &mut Window {
        let since = KEYFRAMES.load(Ordering::Acquire);
        let window = &mut self.0[(hwnd >> 1) % PLACES];
        if (window.hwnd, window.since) != (hwnd, since) {
            *window = Window { hwnd, since, place: None, is_shown: None, parent: None };
        }
        window
    }

    /// A window was born there, in that window, or is gone: another may have had its handle, or will.
    pub(crate) fn see_life(&mut self, hwnd: usize, born: Option<(Rect, usize)>) {
        let window = self.window(hwnd);
        let (place, parent) = born.unzip();
        *window = Window { place, is_shown: None, parent, ..*window };
    }

    /// A window is shown in another: whether that is news.
    pub(crate) fn put_below(&mut self, hwnd: usize, parent: usize) -> bool {
        self.window(hwnd).parent.replace(parent) != Some(parent)
    }

    /// A window has another style, which may show or hide it.
    pub(crate) fn see_style(&mut self, hwnd: usize) {
        self.window(hwnd).is_shown = None;
    }

    /// A window is shown or hidden: whether that is new.
    pub(crate) fn show(&mut self, hwnd: usize, is_shown: bool) -> bool {
        self.window(hwnd).is_shown.replace(is_shown) != Some(is_shown)
    }

    /// A window is put somewhere, shown or hidden, or all of it: whether any of that is new.
    pub(crate) fn put(&mut self, hwnd: usize, place: Option<Rect>, is_shown: Option<bool>) -> bool {
        let window = self.window(hwnd);
        let is_there = place.is_none_or(|place| window.place.replace(place) == Some(place));
        let is_so = is_shown.is_none_or(|is_shown| window.is_shown.replace(is_shown) == Some(is_shown));
        !(is_there && is_so)
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
        let mut told = Told::new();
        let [here, there] = [3, 4].map(|left| Rect { left, ..Rect::default() });
        told.see_life(2, Some((here, 8)));
        assert!(told.show(2, true) && !told.show(2, true));
        assert!(!told.put(2, Some(here), Some(true)), "as it was born and shown");
        assert!(told.put(2, Some(here), Some(false)) && !told.show(2, false));
        assert!(
            told.put(2, Some(there), None)
                && !told.put(2, Some(there), None)
                && told.put(2, Some(here), None)
        );
        told.see_style(2);
        assert!(told.show(2, false), "a style may have shown it");
        told.see_life(2, Some((here, 8)));
        assert!(told.show(2, false), "another window of the same handle");
        assert!(!told.put(2, None, Some(false)), "hidden where it is");
        told.see_life(2, None);
        assert!(told.put(2, Some(here), None));
    }

    #[test]
    fn another_parent_is_told_once() {
        let _alone = ALONE.lock();
        let mut told = Told::new();
        assert!(told.put_below(2, 8), "nobody saw it born");
        told.see_life(2, Some((Rect::default(), 8)));
        assert!(!told.put_below(2, 8) && told.put_below(2, 6) && !told.put_below(2, 6));
        assert!(told.put_below(2, 0), "a window of its own");
    }

    #[test]
    fn nothing_is_known_of_other_windows_and_after_a_keyframe() {
        let _alone = ALONE.lock();
        let mut told = Told::new();
        assert!(told.show(2, true) && told.show(4, true) && told.show(2 + 2 * PLACES, true));
        assert!(told.show(2, true), "its place was taken");
        assert!(!told.show(4, true));
        forget_all();
        assert!(told.show(4, true) && !told.show(4, true));
    }
}
