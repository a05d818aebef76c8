//! The byte budget: how much may be recorded per second, and what is shed first when a host sends more.
//!
//! A leaky bucket for the whole process, stored as a time in ticks: the time at which everything recorded so
//! far is paid for at the sustained rate. The debt is how far that time lies in the future. A thread counts
//! its own bytes and charges them in batches, so that few callbacks write to shared memory. Each callback
//! reads one word of flags: whether its category of messages is being shed. The recorder thread clears the
//! flags when most of the debt is paid, and then takes a keyframe.

use crate::shared::filter::Handling;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Bytes of records per second in the long run, unless the host configures another rate.
pub(crate) const SUSTAINED: u32 = 256 << 10;
/// How many seconds of that may be recorded at once before anything is shed: 4 MiB.
const BURST: u64 = 16;
/// So many seconds more for each category that is left out later than the first.
const RESERVE: u64 = 2;
/// Everything is recorded again when the debt has fallen to so many seconds.
const CALM: u64 = 8;

/// A category of messages. The first is shed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Category {
    /// What changes repeatedly: the pointer, window positions, scroll bars, the highlight of a menu. The next
    /// message replaces the last.
    Movement,
    /// Texts, styles and visibility, and messages that only the host asked for. A keyframe has them again.
    Appearance,
    /// Commands, notifications, menus, the focus.
    Notification,
    /// Windows created and destroyed.
    Lifecycle,
    /// Keys, characters, buttons, the wheel, drops.
    UserInput,
}

/// All categories in the order in which they are shed, with their names in the log.
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

    /// The debt in seconds above which it is shed.
    fn limit(self) -> u64 {
        BURST + RESERVE * u64::from(self as u8)
    }
}

/// The budget of a process.
pub(crate) struct Budget {
    /// The time at which everything recorded is paid for, in ticks.
    paid_at: AtomicU64,
    /// Ticks per second; 0 before the clock is known.
    second: AtomicU64,
    /// Ticks per byte at the sustained rate, times 2^16; 0 before the clock is known, when
    /// everything is free.
    price: AtomicU64,
    /// The categories being shed, one bit each.
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

    /// Starts a session.
    pub(crate) fn begin(&self, bytes_per_second: u32, ticks_per_second: u64) {
        self.paid_at.store(0, Ordering::Relaxed);
        self.shed.store(0, Ordering::Relaxed);
        self.refine(bytes_per_second, ticks_per_second);
    }

    /// Sets the rates, when the clock is known more precisely.
    pub(crate) fn refine(&self, bytes_per_second: u32, ticks_per_second: u64) {
        self.second.store(ticks_per_second, Ordering::Relaxed);
        self.price.store((ticks_per_second << 16) / u64::from(bytes_per_second.max(1)), Ordering::Relaxed);
    }

    /// Whether messages of this category are recorded.
    #[inline]
    pub(crate) fn admits(&self, category: Category) -> bool {
        self.shed.load(Ordering::Relaxed) & category.bit() == 0
    }

    /// Charges a batch of bytes. If two threads do so at the same moment, one of them may be lost: that is
    /// rare and does not matter, and avoids a locked instruction.
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

    /// The categories being shed, one bit each; 0 when everything is recorded.
    pub(crate) fn shed(&self) -> u32 {
        self.shed.load(Ordering::Relaxed)
    }

    /// Records everything again if most of the debt is paid. Returns whether that begins now.
    pub(crate) fn recover(&self, tick: u64) -> bool {
        let second = self.second.load(Ordering::Relaxed);
        debt(self.paid_at.load(Ordering::Relaxed), tick, second) <= CALM * second
            && self.shed.swap(0, Ordering::Relaxed) != 0
    }
}

/// The debt in ticks. Zero if it is impossibly large: the counter restarted while the machine slept.
#[inline]
fn debt(paid_at: u64, tick: u64, second: u64) -> u64 {
    let debt = paid_at.saturating_sub(tick);
    if debt <= 4 * BURST * second { debt } else { 0 }
}

/// The names of categories, given one bit each.
pub(crate) fn names(bits: u32) -> String {
    let names = CATEGORIES.iter().filter(|(category, _)| bits & category.bit() != 0).map(|&(_, name)| name);
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::filter::{COMMANDS, INPUT, STRUCTURE};
    use win32_vocabulary::messages::{
        WM_CREATE, WM_DESTROY, WM_KILLFOCUS, WM_MOUSEMOVE, WM_NCDESTROY, WM_SETFOCUS,
    };

    const SECOND: u64 = 2_000_000_000;

    fn budget() -> Budget {
        let budget = Budget::new();
        budget.begin(SUSTAINED, SECOND);
        budget
    }

    /// Records messages of 1 KiB of one category. Returns how many were shed.
    fn flood(budget: &Budget, category: Category, from: u64, seconds: u64, per_second: u64) -> u64 {
        let mut shed = 0;
        for i in 0..seconds * per_second {
            let tick = from + i * SECOND / per_second;
            if i % (per_second / 20).max(1) == 0 {
                budget.recover(tick);
            }
            if budget.admits(category) { budget.charge(1024, tick) } else { shed += 1 }
        }
        shed
    }

    #[test]
    fn the_sustained_rate_is_never_shed_and_a_burst_is_free() {
        let budget = budget();
        assert_eq!(flood(&budget, Category::Movement, SECOND, 600, 255), 0);
        // At once: what the bucket holds, and little more.
        let shed = flood(&budget, Category::Movement, 1000 * SECOND, 1, 4096);
        assert_eq!(shed, 0);
        assert!(flood(&budget, Category::Movement, 1001 * SECOND, 1, 4096) > 3000);
    }

    #[test]
    fn a_flood_gets_the_sustained_rate_on_average() {
        let budget = budget();
        let (seconds, per_second) = (120, 4096);
        let shed = flood(&budget, Category::Appearance, SECOND, seconds, per_second);
        let recorded = (seconds * per_second - shed) << 10;
        let allowed = u64::from(SUSTAINED) * (BURST + RESERVE + seconds);
        assert!(recorded <= allowed + (64 << 10), "{recorded} of {allowed}");
        assert!(recorded > allowed * 9 / 10, "{recorded} of {allowed}");
    }

    #[test]
    fn categories_are_shed_in_order_and_recorded_again_together() {
        let budget = budget();
        for (at, (category, name)) in CATEGORIES.into_iter().enumerate() {
            let mut tick = SECOND;
            // A flood of the last category that is recorded sheds the next one as well.
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
    fn a_counter_that_restarts_is_no_debt() {
        let budget = budget();
        flood(&budget, Category::Appearance, 1_000_000 * SECOND, 2, 4096);
        assert!(!budget.admits(Category::Appearance));
        // After a sleep the processor counts from zero again.
        assert!(budget.recover(5));
        budget.charge(1024, 6);
        assert!(budget.admits(Category::Movement));
    }

    #[test]
    fn input_of_the_user_is_shed_last() {
        for &(message, handling) in INPUT {
            let is_other = [WM_MOUSEMOVE, WM_SETFOCUS, WM_KILLFOCUS].contains(&message);
            assert_eq!(Category::of(handling) == Category::UserInput, !is_other, "{message:#06x}");
        }
        for &(message, handling) in STRUCTURE {
            let is_lifecycle = [WM_CREATE, WM_DESTROY, WM_NCDESTROY].contains(&message);
            assert_eq!(Category::of(handling) == Category::Lifecycle, is_lifecycle, "{message:#06x}");
        }
        assert!(
            COMMANDS.iter().all(|&(_, handling)| Category::of(handling) as u8 <= Category::UserInput as u8)
        );
    }
}
