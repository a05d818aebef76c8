//! Which windows are private, for a callback to ask without locking.
//!
//! A window gets in when it is created as a password field, when it becomes one, or when the host says so, and stays in: a
//! "show password" button does not make a secret public. It leaves with its death, since handles are reused.

use std::sync::atomic::{AtomicUsize, Ordering};

const MAX: usize = 256;
static WINDOWS: [AtomicUsize; MAX] = [const { AtomicUsize::new(0) }; MAX];
/// How many places have ever been used, so that the usual look-up ends at once.
static USED: AtomicUsize = AtomicUsize::new(0);

/// Whether a window is private.
#[inline]
pub(crate) fn contains(hwnd: usize) -> bool {
    let used = USED.load(Ordering::Acquire).min(MAX);
    hwnd != 0 && WINDOWS[..used].iter().any(|window| window.load(Ordering::Relaxed) == hwnd)
}

/// Makes a window private; false when there are too many, and the caller must not record it at all.
pub(crate) fn insert(hwnd: usize) -> bool {
    if hwnd == 0 || contains(hwnd) {
        return true;
    }
    for (i, window) in WINDOWS.iter().enumerate() {
        if window.compare_exchange(0, hwnd, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
            USED.fetch_max(i + 1, Ordering::AcqRel);
            return true;
        }
    }
    false
}

/// Forgets a window that is gone.
pub(crate) fn remove(hwnd: usize) {
    for window in &WINDOWS {
        let _ = window.compare_exchange(hwnd, 0, Ordering::AcqRel, Ordering::Relaxed);
    }
}

/// Whether a class is one whose style bit 0x20 means a password (ES_PASSWORD).
pub(crate) fn is_edit_class(class: &[u16]) -> bool {
    const EDIT: [u16; 4] = [b'e' as u16, b'd' as u16, b'i' as u16, b't' as u16];
    let lower = |c: u16| if (u16::from(b'A')..=u16::from(b'Z')).contains(&c) { c + 32 } else { c };
    class.windows(EDIT.len()).any(|w| w.iter().zip(EDIT).all(|(&c, e)| lower(c) == e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_come_and_go() {
        assert!(!contains(77));
        assert!(insert(77) && insert(77) && contains(77));
        remove(77);
        assert!(!contains(77) && !contains(0));
    }

    #[test]
    fn edits_of_every_toolkit_are_known() {
        let is = |name: &str| is_edit_class(&name.encode_utf16().collect::<Vec<_>>());
        assert!(is("Edit") && is("RICHEDIT50W") && is("TEdit") && is("WindowsForms10.EDIT.app.0.1"));
        assert!(!is("Button") && !is("ed") && !is(""));
    }
}
