//! Positions, coalesced: of a window that moves again and again, as a drag makes it do, the first place and the last are kept.
//!
//! A burst lasts until a message of another kind is recorded. What comes in between is counted as turned away; the last place is
//! asked of the window when the burst ends.

/// The windows that moved in the present burst.
pub(crate) struct Positions {
    /// Handle, and whether it moved again since it was recorded.
    moved: [(usize, bool); MAX],
    len: usize,
}

const MAX: usize = 64;

impl Positions {
    pub(crate) const fn new() -> Self {
        Self { moved: [(0, false); MAX], len: 0 }
    }

    /// A window has moved: whether to record that now. A change of visibility is always recorded.
    pub(crate) fn is_wanted(&mut self, hwnd: usize, shows_or_hides: bool) -> bool {
        let known = self.moved[..self.len].iter_mut().find(|(window, _)| *window == hwnd);
        match known {
            Some((_, again)) => {
                *again = !shows_or_hides;
                shows_or_hides
            }
            None => {
                if let Some(place) = self.moved.get_mut(self.len) {
                    *place = (hwnd, false);
                    self.len += 1;
                }
                true
            }
        }
    }

    /// The burst ends if one is on: the next window whose last place has not been recorded, then nothing.
    #[inline]
    pub(crate) fn next_due(&mut self) -> Option<usize> {
        while self.len > 0 {
            self.len -= 1;
            let (window, again) = self.moved[self.len];
            if again {
                return Some(window);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(positions: &mut Positions) -> Vec<usize> {
        std::iter::from_fn(|| positions.next_due()).collect()
    }

    #[test]
    fn first_and_last_place_are_kept() {
        let mut positions = Positions::new();
        assert!(positions.is_wanted(1, false) && positions.is_wanted(2, false));
        assert!(!positions.is_wanted(1, false) && !positions.is_wanted(1, false));
        assert_eq!(due(&mut positions), [1]);
        assert!(positions.is_wanted(1, false), "another burst");
        assert!(due(&mut positions).is_empty());
    }

    #[test]
    fn showing_and_hiding_is_never_left_out() {
        let mut positions = Positions::new();
        assert!(
            positions.is_wanted(1, false) && !positions.is_wanted(1, false) && positions.is_wanted(1, true)
        );
        assert!(due(&mut positions).is_empty(), "the last place was recorded with it");
    }

    #[test]
    fn more_windows_than_can_be_remembered_are_all_recorded() {
        let mut positions = Positions::new();
        assert!((1..=MAX + 5).all(|hwnd| positions.is_wanted(hwnd, false)));
        assert!(positions.is_wanted(MAX + 5, false));
        assert!(due(&mut positions).is_empty());
    }
}
