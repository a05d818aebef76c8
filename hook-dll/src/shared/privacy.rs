//! Which windows are private, and how their texts are redacted.
//!
//! A password field is *secret*: nothing of its content is recorded, not even the length. A window, class or
//! control id that the host names is *redacted*: another character of its kind replaces every letter and
//! digit, so that length and shape remain.
//!
//! The recorder decides when a window is created, when it gets the focus or a text, when it becomes a
//! password field, and in a keyframe. A private window stays private until it is destroyed, because a "show
//! password" button does not make a secret public. Toolkits create the field again for such a button: an
//! edit that is created where a secret one was destroyed is secret too. So is the combo box or edit that
//! contains a secret field.

use crate::shared::controls::QueryableControl;
use crate::shared::window_set::WindowSet;
use crate::system::window::Window;
use message_log::Rect;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use win32_vocabulary::class_name::{may_be_edit, may_hold_edit};
use win32_vocabulary::keys::{VK_NUMPAD0, VK_NUMPAD9, VK_OEM_1, VK_OEM_102, VK_OEM_PERIOD};
use win32_vocabulary::messages::EM_GETPASSWORDCHAR;
use win32_vocabulary::styles::ES_PASSWORD;

/// How private a window is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(crate) enum Privacy {
    Public,
    Redacted,
    Secret,
}

/// Whether any window has ever been private. In most programs none is, and then this is all a callback reads.
static ANY: AtomicBool = AtomicBool::new(false);
static SECRET: WindowSet = WindowSet::new();
static REDACTED: WindowSet = WindowSet::new();
/// Set when there are more private windows than fit: from then on every text is secret.
static TOO_MANY: AtomicBool = AtomicBool::new(false);

/// Windows checked lately, so that not every text causes another check.
static CHECKED: [AtomicUsize; 64] = [const { AtomicUsize::new(0) }; 64];

/// Where secret windows were destroyed lately, each as a hash of parent and rectangle; and how many were.
static DESTROYED_SECRETS: [AtomicU64; 32] = [const { AtomicU64::new(0) }; 32];
static DESTROYED_COUNT: AtomicUsize = AtomicUsize::new(0);

/// How many windows around a secret one are checked.
const MAX_AROUND: usize = 3;

/// What a host has masked besides passwords.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct MaskRules {
    pub(crate) classes: Vec<Vec<u16>>,
    pub(crate) ids: Vec<i32>,
}

impl MaskRules {
    #[inline]
    fn has(&self, class: &[u16], id: Option<i32>) -> bool {
        !(self.classes.is_empty() && self.ids.is_empty()) && self.names(class, id)
    }

    #[inline(never)]
    fn names(&self, class: &[u16], id: Option<i32>) -> bool {
        let fold = |unit: &u16| if (0x41..=0x5A).contains(unit) { unit + 32 } else { *unit };
        let same = |masks: &Vec<u16>| masks.iter().map(fold).eq(class.iter().map(fold));
        self.classes.iter().any(same) || id.is_some_and(|id| self.ids.contains(&id))
    }
}

/// What is known of a window's privacy.
#[inline]
pub(crate) fn privacy_of(hwnd: usize) -> Privacy {
    if ANY.load(Ordering::Acquire) { known_privacy(hwnd) } else { Privacy::Public }
}

fn known_privacy(hwnd: usize) -> Privacy {
    if SECRET.contains(hwnd) || TOO_MANY.load(Ordering::Relaxed) {
        Privacy::Secret
    } else if REDACTED.contains(hwnd) {
        Privacy::Redacted
    } else {
        Privacy::Public
    }
}

/// The same after a check of the window itself, before its first text.
pub(crate) fn determine(
    hwnd: usize,
    class: &[u16],
    style: u32,
    id: Option<i32>,
    masks: &MaskRules,
) -> Privacy {
    mark_if_private(hwnd, class, style, id, masks);
    privacy_of(hwnd)
}

/// Marks a window that is private from the beginning.
#[inline]
pub(crate) fn mark_if_private(hwnd: usize, class: &[u16], style: u32, id: Option<i32>, masks: &MaskRules) {
    if style & ES_PASSWORD != 0 && is_edit(hwnd, class) {
        make_secret(hwnd);
    } else if masks.has(class, id) {
        redact_window(hwnd);
    }
}

/// The privacy of a window that is created at this place in its parent.
#[inline]
pub(crate) fn inherit(hwnd: usize, class: &[u16], parent: usize, place: impl Fn() -> Rect) -> Privacy {
    if ANY.load(Ordering::Acquire) { inherit_known(hwnd, class, parent, place()) } else { Privacy::Public }
}

#[inline(never)]
fn inherit_known(hwnd: usize, class: &[u16], parent: usize, place: Rect) -> Privacy {
    let known = known_privacy(hwnd);
    let was_secret =
        || DESTROYED_COUNT.load(Ordering::Relaxed) > 0 && was_secret_here(hash_of(parent, place));
    if known < Privacy::Secret && (SECRET.contains(parent) || was_secret()) && is_edit(hwnd, class) {
        make_secret(hwnd);
        return privacy_of(hwnd);
    }
    known
}

fn was_secret_here(number: u64) -> bool {
    DESTROYED_SECRETS.iter().any(|destroyed| destroyed.load(Ordering::Relaxed) == number)
}

/// A hash of a parent and a rectangle in it, which is not zero.
fn hash_of(parent: usize, place: Rect) -> u64 {
    let Rect { left, top, right, bottom } = place;
    let mix = |number: u64, part: i32| {
        (number ^ u64::from(part.cast_unsigned())).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(23)
    };
    [left, top, right, bottom].into_iter().fold(parent as u64 + 1, mix) | 1
}

/// The privacy of a window that may not have been checked yet.
pub(crate) fn check(hwnd: usize, masks: &MaskRules) -> Privacy {
    match privacy_of(hwnd) {
        Privacy::Public if CHECKED[place(hwnd)].load(Ordering::Relaxed) != hwnd => check_first(hwnd, masks),
        known => known,
    }
}

#[cold]
fn check_first(hwnd: usize, masks: &MaskRules) -> Privacy {
    let window = Window(hwnd);
    let mut buffer = [0; 256];
    let class = window.class(&mut buffer);
    CHECKED[place(hwnd)].store(hwnd, Ordering::Relaxed);
    if hides_text(hwnd) {
        make_secret(hwnd);
    }
    determine(hwnd, class, window.style(), window.control_id(), masks)
}

/// Whether an edit of the calling thread shows a password character. A rich edit does so without ES_PASSWORD.
fn hides_text(hwnd: usize) -> bool {
    QueryableControl::of(hwnd)
        .filter(|edit| edit.control.takes_edit_messages())
        .is_some_and(|edit| edit.query(EM_GETPASSWORDCHAR, 0, 0) != 0)
}

/// Has every window checked again, after windows were created and destroyed unseen.
pub(crate) fn forget_checked() {
    CHECKED.iter().for_each(|window| window.store(0, Ordering::Relaxed));
}

/// Has a window checked again, after its style changed.
pub(crate) fn check_again(hwnd: usize) {
    let _ = CHECKED[place(hwnd)].compare_exchange(hwnd, 0, Ordering::Relaxed, Ordering::Relaxed);
}

fn place(hwnd: usize) -> usize {
    (hwnd >> 1) % CHECKED.len()
}

/// Makes a window secret, and the combo boxes and edits that contain it.
pub(crate) fn make_secret(hwnd: usize) {
    ANY.store(true, Ordering::Release);
    let mut window = Some(Window(hwnd));
    for _ in 0..=MAX_AROUND {
        let Some(secret) = window else { break };
        if !SECRET.insert(secret.0) {
            TOO_MANY.store(true, Ordering::Release);
        }
        window = secret.parent().filter(|around| {
            let mut buffer = [0; 256];
            let class = around.class(&mut buffer);
            may_hold_edit(class)
        });
    }
}

/// Makes the texts of a window redacted.
pub(crate) fn redact_window(hwnd: usize) {
    ANY.store(true, Ordering::Release);
    if !REDACTED.insert(hwnd) {
        TOO_MANY.store(true, Ordering::Release);
    }
}

/// Forgets a window that is destroyed, and remembers for a while where a secret one was.
pub(crate) fn on_destroyed(hwnd: usize) {
    let window = Window(hwnd);
    if SECRET.contains(hwnd)
        && let (Some(parent), Some(place)) = (window.parent(), window.place())
    {
        let place = Rect { left: place.left, top: place.top, right: place.right, bottom: place.bottom };
        let next = DESTROYED_COUNT.fetch_add(1, Ordering::Relaxed) % DESTROYED_SECRETS.len();
        DESTROYED_SECRETS[next].store(hash_of(parent.0, place), Ordering::Relaxed);
    }
    remove(hwnd);
}

/// Forgets a window that does not exist any more: its handle will mean another.
fn remove(hwnd: usize) {
    SECRET.remove(hwnd);
    REDACTED.remove(hwnd);
    check_again(hwnd);
}

/// Whether ES_PASSWORD may make a window a password field: by the name of its class, or of the class
/// it derives from.
fn is_edit(hwnd: usize, class: &[u16]) -> bool {
    may_be_edit(class) || derives_from_edit(hwnd)
}

#[cold]
fn derives_from_edit(hwnd: usize) -> bool {
    may_be_edit(Window(hwnd).real_class(&mut [0; 256]))
}

/// Another character of the same kind.
pub(crate) fn redact_unit(unit: u16) -> u16 {
    u16::from(match unit {
        0x30..=0x39 => b'9',
        0x41..=0x5A => b'X',
        0x61..=0x7A | 0x80.. => b'x',
        0x21..=0x7F => b'#',
        // Blanks, tabs and line ends belong to the shape, and so do the control characters of keys.
        0..=0x20 => return unit,
    })
}

/// Redacts a text in bytes: UTF-16 or an ANSI code page.
#[cold]
pub(crate) fn redact_text(text: &mut [u8], wide: bool) {
    if wide {
        for unit in text.chunks_exact_mut(2) {
            let redacted = redact_unit(u16::from_le_bytes([unit[0], unit[1]]));
            unit.copy_from_slice(&redacted.to_le_bytes());
        }
    } else {
        for byte in text {
            *byte = redact_unit(u16::from(*byte)) as u8;
        }
    }
}

/// Another key of the same kind. Keys that move, delete or command stay.
pub(crate) fn redact_key(key: u32) -> u32 {
    const DIGITS: std::ops::RangeInclusive<u32> = b'0' as u32..=b'9' as u32;
    const LETTERS: std::ops::RangeInclusive<u32> = b'A' as u32..=b'Z' as u32;
    match key {
        _ if DIGITS.contains(&key) => u32::from(b'9'),
        _ if LETTERS.contains(&key) => u32::from(b'X'),
        VK_NUMPAD0..=VK_NUMPAD9 => VK_NUMPAD9,
        VK_OEM_1..=VK_OEM_102 => VK_OEM_PERIOD,
        _ => key,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use win32_vocabulary::keys::{VK_DELETE, VK_RETURN};

    fn wide(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    #[test]
    fn passwords_are_secret_and_what_the_host_names_is_redacted() {
        let masks = MaskRules { classes: vec![wide("PatientName")], ids: vec![4711] };
        let nothing = MaskRules::default();
        assert_eq!(determine(901, &wide("Edit"), ES_PASSWORD, Some(5), &nothing), Privacy::Secret);
        assert_eq!(determine(902, &wide("Button"), ES_PASSWORD, Some(5), &nothing), Privacy::Public);
        assert_eq!(determine(903, &wide("PATIENTNAME"), 0, None, &masks), Privacy::Redacted);
        assert_eq!(determine(904, &wide("Edit"), 0, Some(4711), &masks), Privacy::Redacted);
        assert_eq!(determine(904, &wide("Edit"), ES_PASSWORD, Some(4711), &masks), Privacy::Secret);
        // Until the window is destroyed.
        assert_eq!(determine(901, &wide("Edit"), 0, Some(5), &nothing), Privacy::Secret);
        [901, 903, 904].into_iter().for_each(remove);
        assert_eq!(privacy_of(901), Privacy::Public);
    }

    #[test]
    fn an_edit_created_where_a_secret_one_was_destroyed_is_secret() {
        let place = Rect { left: 8, top: 8, right: 208, bottom: 30 };
        ANY.store(true, Ordering::Release);
        DESTROYED_SECRETS[0].store(hash_of(700, place), Ordering::Relaxed);
        DESTROYED_COUNT.fetch_add(1, Ordering::Relaxed);
        let edit = wide("WindowsForms10.EDIT.app.0.1");
        assert_eq!(inherit(911, &wide("Button"), 700, || place), Privacy::Public);
        assert_eq!(inherit(911, &edit, 701, || place), Privacy::Public, "another parent");
        assert_eq!(inherit(911, &edit, 700, || Rect { top: 40, ..place }), Privacy::Public, "another place");
        assert_eq!(inherit(911, &edit, 700, || place), Privacy::Secret);
        // Inside a secret one, wherever that is.
        assert_eq!(inherit(912, &wide("TInnerEdit"), 911, || Rect { top: 1, ..place }), Privacy::Secret);
        [911, 912].into_iter().for_each(remove);
        DESTROYED_SECRETS[0].store(0, Ordering::Relaxed);
    }

    #[test]
    fn a_redacted_text_keeps_only_its_shape() {
        let mut text: Vec<u8> = wide("Ähm, Order 66\r\n").into_iter().flat_map(u16::to_le_bytes).collect();
        redact_text(&mut text, true);
        let units = text.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
        assert_eq!(String::from_utf16(&units.collect::<Vec<_>>()).unwrap(), "xxx# Xxxxx 99\r\n");
        let mut text = *b"Dr. No";
        redact_text(&mut text, false);
        assert_eq!(&text, b"Xx# Xx");
        assert_eq!(
            [u32::from(b'Q'), u32::from(b'3'), VK_RETURN, VK_DELETE].map(redact_key),
            [u32::from(b'X'), u32::from(b'9'), VK_RETURN, VK_DELETE]
        );
    }
}
