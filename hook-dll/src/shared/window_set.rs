//! A set of windows that a callback may ask and change without locking.

use std::sync::atomic::{AtomicUsize, Ordering};

const MAX: usize = 256;

/// A set of window handles; as many as fit.
pub(crate) struct WindowSet {
    windows: [AtomicUsize; MAX],
    /// How many places have ever been used, so that the usual look-up ends at once.
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

    /// Puts a window in; false when there are too many.
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

    /// Forgets a window.
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
    fn windows_come_and_go() {
        let set = WindowSet::new();
        assert!(!set.contains(77) && set.insert(77) && set.insert(77) && set.contains(77));
        set.remove(77);
        assert!(!set.contains(77) && !set.contains(0));
        assert!((1..=MAX).all(|hwnd| set.insert(hwnd)) && !set.insert(MAX + 1));
    }
}
