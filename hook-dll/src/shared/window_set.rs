//! A set of windows that callbacks read and change without locking.

use std::sync::atomic::{AtomicUsize, Ordering};

const MAX: usize = 256;

/// A set of at most 256 window handles.
pub(crate) struct WindowSet {
    windows: [AtomicUsize; MAX],
    /// How many slots have ever been used, so that a look-up in an empty set ends at once.
    used: AtomicUsize,
}

impl WindowSet {
    pub(crate) const fn new() -> Self {
        Self { windows: [const { AtomicUsize::new(0) }; MAX], used: AtomicUsize::new(0) }
    }

    #[inline]
    pub(crate) fn contains(&self, hwnd: usize) -> bool {
        let used = self.used.load(Ordering::Acquire);
        used != 0 && self.is_among(used, hwnd)
    }

    #[inline(never)]
    fn is_among(&self, used: usize, hwnd: usize) -> bool {
        hwnd != 0 && self.windows[..used.min(MAX)].iter().any(|window| window.load(Ordering::Relaxed) == hwnd)
    }

    /// Inserts a window; false when the set is full.
    pub(crate) fn insert(&self, hwnd: usize) -> bool {
        if hwnd == 0 || self.contains(hwnd) {
            return true;
        }
        for (i, window) in self.windows.iter().enumerate() {
            if window.compare_exchange(0, hwnd, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                self.used.fetch_max(i + 1, Ordering::AcqRel);
                return true;
            }
        }
        false
    }

    /// Removes a window.
    pub(crate) fn remove(&self, hwnd: usize) {
        if self.contains(hwnd) {
            for window in &self.windows {
                let _ = window.compare_exchange(hwnd, 0, Ordering::AcqRel, Ordering::Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_inserted_and_removed() {
        let set = WindowSet::new();
        assert!(!set.contains(77) && set.insert(77) && set.insert(77) && set.contains(77));
        set.remove(77);
        assert!(!set.contains(77) && !set.contains(0));
        assert!((1..=MAX).all(|hwnd| set.insert(hwnd)) && !set.insert(MAX + 1));
    }
}
