//! Combines the positions of a window that moves repeatedly, as during a drag: only the first and the
//! last are recorded.
//!
//! A burst lasts until a message of another kind is recorded. Messages in between are counted as rejected.
//! When the burst ends, the callback gets the window's rectangle and records it, unless the window is where
//! it was last reported.

use message_log::Rect;

/// The windows that moved in the current burst.
pub(crate) struct MovementBurst {
    moved: [Moved; MAX],
    len: usize,
}

#[derive(Clone, Copy)]
struct Moved {
    hwnd: usize,
    /// The rectangle recorded.
    recorded: Rect,
    /// Whether it has moved since.
    again: bool,
}

const MAX: usize = 64;

impl MovementBurst {
    pub(crate) const fn new() -> Self {
        let recorded = Rect { left: 0, top: 0, right: 0, bottom: 0 };
        Self { moved: [Moved { hwnd: 0, recorded, again: false }; MAX], len: 0 }
    }

    /// A window has moved: whether to record that now. A change of visibility is always recorded.
    pub(crate) fn should_record(&mut self, hwnd: usize, place: Rect, shows_or_hides: bool) -> bool {
        let known = self.moved[..self.len].iter_mut().find(|moved| moved.hwnd == hwnd);
        match known {
            Some(moved) if shows_or_hides => {
                *moved = Moved { hwnd, recorded: place, again: false };
                true
            }
            Some(moved) => {
                moved.again = true;
                false
            }
            None => {
                if let Some(free) = self.moved.get_mut(self.len) {
                    *free = Moved { hwnd, recorded: place, again: false };
                    self.len += 1;
                }
                true
            }
        }
    }

    /// Whether a burst is in progress.
    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        self.len > 0
    }

    /// Ends the burst: returns the next window that has moved since, with the rectangle recorded, and
    /// finally nothing.
    pub(crate) fn take_next(&mut self) -> Option<(usize, Rect)> {
        while self.len > 0 {
            self.len -= 1;
            let Moved { hwnd, recorded, again } = self.moved[self.len];
            if again {
                return Some((hwnd, recorded));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(positions: &mut MovementBurst) -> Vec<usize> {
        std::iter::from_fn(|| positions.take_next()).map(|(hwnd, _)| hwnd).collect()
    }

    #[test]
    fn the_first_and_the_last_rectangle_are_recorded() {
        let mut positions = MovementBurst::new();
        assert!(
            positions.should_record(1, Rect::default(), false)
                && positions.should_record(2, Rect::default(), false)
        );
        assert!(
            !positions.should_record(1, Rect::default(), false)
                && !positions.should_record(1, Rect::default(), false)
        );
        assert_eq!(due(&mut positions), [1]);
        assert!(positions.should_record(1, Rect::default(), false), "another burst");
        assert!(due(&mut positions).is_empty());
    }

    #[test]
    fn the_recorded_rectangle_is_returned() {
        let mut positions = MovementBurst::new();
        let at = |left| Rect { left, ..Rect::default() };
        assert!(positions.should_record(1, at(3), false) && !positions.should_record(1, at(4), false));
        assert_eq!(positions.take_next(), Some((1, at(3))));
    }

    #[test]
    fn showing_and_hiding_is_always_recorded() {
        let mut positions = MovementBurst::new();
        assert!(
            positions.should_record(1, Rect::default(), false)
                && !positions.should_record(1, Rect::default(), false)
                && positions.should_record(1, Rect::default(), true)
        );
        assert!(due(&mut positions).is_empty(), "the last place was recorded with it");
    }

    #[test]
    fn more_windows_than_can_be_remembered_are_all_recorded() {
        let mut positions = MovementBurst::new();
        assert!((1..=MAX + 5).all(|hwnd| positions.should_record(hwnd, Rect::default(), false)));
        assert!(positions.should_record(MAX + 5, Rect::default(), false));
        assert!(due(&mut positions).is_empty());
    }
}
