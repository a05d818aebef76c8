//! The byte-rate budget: how much may be recorded in a second, and what is left out first when a
//! host sends more.
//!
//! One bucket for the whole process, kept as a moment in ticks: the moment at which all that was recorded so
//! far is paid for at the sustained rate. How far it lies ahead of now is the debt. A thread counts what it
//! records by itself and adds it here in stretches, so that few callbacks write to what all of them share;
//! each asks one word of flags whether its category of message is left out just now. The recorder's thread
//! takes the flags back once most of the debt is paid, and then a keyframe tells what was missed.

use crate::shared::filter::Handling;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Bytes of records per second, for as long as one likes, unless the host says otherwise.
pub(crate) const SUSTAINED: u32 = 256 << 10;
/// How many seconds of that may be recorded at once before anything is left out: 4 MiB.
const BURST: u64 = 16;
/// So many seconds more for each category that is left out later than the first.
const RESERVE: u64 = 2;
/// What was left out is recorded again when so many seconds are left to pay.
const CALM: u64 = 8;

/// A category of messages, in the order in which they are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Category {
    /// What moves, and moves again: the pointer, windows, scroll bars, the highlight of a menu. The next
    /// one says it anew.
    Movement,
    /// How windows look: texts, styles, shown or not, and messages that only the host asked for. A
    /// keyframe says it anew.
    Appearance,
    /// What the application was told: commands, notifications, menus, the focus.
    Notification,
    /// Windows that come and go.
    Lifecycle,
    /// What the user's hands did: keys and buttons.
    UserInput,
}

/// All kinds, first to go first, with their names in the log.
pub(crate) const CATEGORIES: [(Category, &str); 5] = [
    (Category::Movement, "motion"),
    (Category::Appearance, "looks"),
    (Category::Notification, "reports"),
    (Category::Lifecycle, "births"),
    (Category::UserInput, "hands"),
];

impl Category {
    /// The category of a message.
    #[inline(always)]
    pub(crate) fn of(handling: Handling) -> Self {
        match handling {
            Handling::Move | Handling::Position | Handling::Scroll | Handling::MenuSelect => Self::Movement,
            Handling::Reject
            | Handling::Inspect
            | Handling::Plain
            | Handling::Text
            | Handling::Check
            | Handling::Show
            | Handling::Style
            | Handling::PasswordChar => Self::Appearance,
            Handling::Notify
            | Handling::Command
            | Handling::SysCommand
            | Handling::MenuOpen
            | Handling::MenuCommand
            | Handling::FocusIn
            | Handling::FocusOut => Self::Notification,
            Handling::Create | Handling::Destroy => Self::Lifecycle,
            Handling::Press
            | Handling::NonClientPress
            | Handling::ScreenPoint
            | Handling::Release
            | Handling::Key
            | Handling::Ime
            | Handling::EndsTyping
            | Handling::Drop
            | Handling::Edit => Self::UserInput,
        }
    }

    fn bit(self) -> u32 {
        1 << self as u8
    }

    /// The debt beyond which it is left out, in seconds.
    fn limit(self) -> u64 {
        BURST + RESERVE * u64::from(self as u8)
    }
}

/// The budget of a process.
pub(crate) struct Budget {
    /// When all that was recorded is paid for, in ticks.
    paid_at: AtomicU64,
    /// Ticks of a second; 0 before the clock is known.
    second: AtomicU64,
    /// Ticks of a byte at the sustained rate, times 2^16; 0 before the clock is known, when
    /// everything is free.
    price: AtomicU64,
    /// Kinds left out now, a bit each.
    shed: AtomicU32,
}

impl Budget {
    pub(crate) const fn new() -> Self {
        Self {
            paid_at: AtomicU64::new(0),
            second: AtomicU64::new(0),
            price: AtomicU64::new(0),
            shed: AtomicU32::new(0),
        }
    }

    /// Another session, with so many bytes a second on a clock of so many ticks a second.
    pub(crate) fn begin(&self, bytes_per_second: u32, ticks_per_second: u64) {
        self.paid_at.store(0, Ordering::Relaxed);
        self.shed.store(0, Ordering::Relaxed);
        self.refine(bytes_per_second, ticks_per_second);
    }

    /// The clock is known better.
    pub(crate) fn refine(&self, bytes_per_second: u32, ticks_per_second: u64) {
        self.second.store(ticks_per_second, Ordering::Relaxed);
        self.price.store((ticks_per_second << 16) / u64::from(bytes_per_second.max(1)), Ordering::Relaxed);
    }

    /// Whether a message of this category is recorded.
    #[inline]
    pub(crate) fn admits(&self, category: Category) -> bool {
        self.shed.load(Ordering::Relaxed) & category.bit() == 0
    }

    /// Counts a stretch of records. Of two threads that do so at the same moment one may not be counted:
    /// rare, and no matter, while a locked addition would be one in a recorded message.
    #[cold]
    pub(crate) fn charge(&self, bytes: usize, tick: u64) {
        let second = self.second.load(Ordering::Relaxed);
        let cost = (bytes as u64).saturating_mul(self.price.load(Ordering::Relaxed)) >> 16;
        let debt = debt(self.paid_at.load(Ordering::Relaxed), tick, second) + cost;
        self.paid_at.store(tick + debt, Ordering::Relaxed);
        let over = CATEGORIES.iter().filter(|(category, _)| debt > category.limit() * second);
        let bits = over.fold(0, |bits, (category, _)| bits | category.bit());
        if bits != 0 {
            self.shed.fetch_or(bits, Ordering::Relaxed);
        }
    }

    /// Kinds left out now, a bit each; 0 when everything is recorded.
    pub(crate) fn shed(&self) -> u32 {
        self.shed.load(Ordering::Relaxed)
    }

    /// Records everything again if most of the debt is paid; whether that begins now.
    pub(crate) fn recover(&self, tick: u64) -> bool {
        let second = self.second.load(Ordering::Relaxed);
        debt(self.paid_at.load(Ordering::Relaxed), tick, second) <= CALM * second
            && self.shed.swap(0, Ordering::Relaxed) != 0
    }
}

/// Ticks to pay for. More than can ever be are of a counter that began anew while the machine slept.
#[inline]
fn debt(paid_at: u64, tick: u64, second: u64) -> u64 {
    let debt = paid_at.saturating_sub(tick);
    if debt <= 4 * BURST * second { debt } else { 0 }
}

/// The names of kinds, given a bit each.
pub(crate) fn names(bits: u32) -> String {
    let names = CATEGORIES.iter().filter(|(category, _)| bits & category.bit() != 0).map(|&(_, name)| name);
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::filter::{COMMANDS, INPUT, STRUCTURE};

    const SECOND: u64 = 2_000_000_000;

    fn budget() -> Budget {
        let budget = Budget::new();
        budget.begin(SUSTAINED, SECOND);
        budget
    }

    /// Records messages of one category of 1 KiB each, so many a second; how many were left out.
    fn flood(budget: &Budget, category: Category, from: u64, seconds: u64, per_second: u64) -> u64 {
        let mut left_out = 0;
        for i in 0..seconds * per_second {
            let tick = from + i * SECOND / per_second;
            if i % (per_second / 20).max(1) == 0 {
                budget.recover(tick);
            }
            if budget.admits(category) { budget.charge(1024, tick) } else { left_out += 1 }
        }
        left_out
    }

    #[test]
    fn the_sustained_rate_goes_on_for_ever_and_a_burst_is_free() {
        let budget = budget();
        assert_eq!(flood(&budget, Category::Movement, SECOND, 600, 255), 0);
        // At once: what the bucket holds, and not much more.
        let left_out = flood(&budget, Category::Movement, 1000 * SECOND, 1, 4096);
        assert_eq!(left_out, 0);
        assert!(flood(&budget, Category::Movement, 1001 * SECOND, 1, 4096) > 3000);
    }

    #[test]
    fn a_flood_gets_the_sustained_rate_on_the_average() {
        let budget = budget();
        let (seconds, per_second) = (120, 4096);
        let left_out = flood(&budget, Category::Appearance, SECOND, seconds, per_second);
        let recorded = (seconds * per_second - left_out) << 10;
        let allowed = u64::from(SUSTAINED) * (BURST + RESERVE + seconds);
        assert!(recorded <= allowed + (64 << 10), "{recorded} of {allowed}");
        assert!(recorded > allowed * 9 / 10, "{recorded} of {allowed}");
    }

    #[test]
    fn kinds_go_in_their_order_and_come_back_together() {
        let budget = budget();
        for (at, (category, name)) in CATEGORIES.into_iter().enumerate() {
            let mut tick = SECOND;
            // A flood of the last category still recorded takes the next one with it.
            while budget.admits(category) {
                budget.charge(1024, tick);
                tick += 1;
            }
            let gone: Vec<_> = CATEGORIES
                .iter()
                .filter(|(category, _)| !budget.admits(*category))
                .map(|(_, n)| *n)
                .collect();
            assert_eq!(gone.len(), at + 1, "{gone:?}");
            assert_eq!(gone.last(), Some(&name));
        }
        assert_eq!(names(budget.shed()), "motion, looks, reports, births, hands");
        assert!(!budget.recover(2 * SECOND), "a second pays for 256 KiB");
        assert!(budget.recover(20 * SECOND) && !budget.recover(20 * SECOND));
        assert_eq!(budget.shed(), 0);
    }

    #[test]
    fn a_counter_that_begins_anew_is_no_debt() {
        let budget = budget();
        flood(&budget, Category::Appearance, 1_000_000 * SECOND, 2, 4096);
        assert!(!budget.admits(Category::Appearance));
        // Asleep, and the processor counts from zero again.
        assert!(budget.recover(5));
        budget.charge(1024, 6);
        assert!(budget.admits(Category::Movement));
    }

    #[test]
    fn every_message_of_the_hands_is_the_last_to_go() {
        for &(_, handling, name) in INPUT {
            let category = Category::of(handling);
            let is_less = ["WM_MOUSEMOVE", "WM_SETFOCUS", "WM_KILLFOCUS"].contains(&name);
            assert_eq!(category == Category::UserInput, !is_less, "{name}");
        }
        for &(_, handling, name) in STRUCTURE {
            let is_birth = ["WM_CREATE", "WM_DESTROY", "WM_NCDESTROY"].contains(&name);
            assert_eq!(Category::of(handling) == Category::Lifecycle, is_birth, "{name}");
        }
        assert!(
            COMMANDS
                .iter()
                .all(|&(_, handling, _)| Category::of(handling) as u8 <= Category::UserInput as u8)
        );
    }
}
