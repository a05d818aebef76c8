//! MovementBurst, coalesced: of a window that moves again and again, as a drag makes it do, the first place
//! and the last are kept.
//!
//! A burst lasts until a message of another kind is recorded. What comes in between is counted as turned
//! away; the last place is asked of the window when the burst ends, and recorded unless the window is back
//! where it was last told to be.

use message_log::Rect;

/// The windows that moved in the present burst.
pub(crate) struct MovementBurst {
    moved: [Moved; MAX],
    len: usize,
}

#[derive(Clone, Copy)]
struct Moved {
    hwnd: usize,
    /// The place recorded.
    told: Rect,
    /// Whether it moved again since.
    again: bool,
}

const MAX: usize = 64;

impl MovementBurst {
    pub(crate) const fn new() -> Self {
        let told = Rect { left: 0, top: 0, right: 0, bottom: 0 };
        Self { moved: [Moved { hwnd: 0, told, again: false }; MAX], len: 0 }
    }

    /// A window has moved to a place: whether to record that now. A change of visibility is always recorded.
    pub(crate) fn is_relevant(&mut self, hwnd: usize, place: Rect, shows_or_hides: bool) -> bool {
        let known = self.moved[..self.len].iter_mut().find(|moved| moved.hwnd == hwnd);
        match known {
            Some(moved) if shows_or_hides => {
                *moved = Moved { hwnd, told: place, again: false };
                true
            }
            Some(moved) => {
                moved.again = true;
                false
            }
            None => {
                if let Some(free) = self.moved.get_mut(self.len) {
                    *free = Moved { hwnd, told: place, again: false };
                    self.len += 1;
                }
                true
            }
        }
    }

    /// Whether a burst is on.
    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        self.len > 0
    }

    /// The burst ends if one is on: the next window that moved since its place was recorded, with that
    /// place, then nothing.
    pub(crate) fn next_due(&mut self) -> Option<(usize, Rect)> {
        while self.len > 0 {
            self.len -= 1;
            let Moved { hwnd, told, again } = self.moved[self.len];
            if again {
                return Some((hwnd, told));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(positions: &mut MovementBurst) -> Vec<usize> {
        std::iter::from_fn(|| positions.next_due()).map(|(hwnd, _)| hwnd).collect()
    }

    #[test]
    fn first_and_last_place_are_kept() {
        let mut positions = MovementBurst::new();
        assert!(
            positions.is_relevant(1, Rect::default(), false)
                && positions.is_relevant(2, Rect::default(), false)
        );
        assert!(
            !positions.is_relevant(1, Rect::default(), false)
                && !positions.is_relevant(1, Rect::default(), false)
        );
        assert_eq!(due(&mut positions), [1]);
        assert!(positions.is_relevant(1, Rect::default(), false), "another burst");
        assert!(due(&mut positions).is_empty());
    }

    #[test]
    fn the_place_told_comes_along() {
        let mut positions = MovementBurst::new();
        let at = |left| Rect { left, ..Rect::default() };
        assert!(positions.is_relevant(1, at(3), false) && !positions.is_relevant(1, at(4), false));
        assert_eq!(positions.next_due(), Some((1, at(3))));
    }

    #[test]
    fn showing_and_hiding_is_never_left_out() {
        let mut positions = MovementBurst::new();
        assert!(
            positions.is_relevant(1, Rect::default(), false)
                && !positions.is_relevant(1, Rect::default(), false)
                && positions.is_relevant(1, Rect::default(), true)
        );
        assert!(due(&mut positions).is_empty(), "the last place was recorded with it");
    }

    #[test]
    fn more_windows_than_can_be_remembered_are_all_recorded() {
        let mut positions = MovementBurst::new();
        assert!((1..=MAX + 5).all(|hwnd| positions.is_relevant(hwnd, Rect::default(), false)));
        assert!(positions.is_relevant(MAX + 5, Rect::default(), false));
        assert!(due(&mut positions).is_empty());
    }
}
