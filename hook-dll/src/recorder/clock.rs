//! The session's clock: ticks of the processor, calibrated by the monotonic clock. It does not use the wall
//! clock, which may be set, and changes with daylight saving time.

use std::time::{Duration, Instant};

/// How long the rate is refined. Then it stays, so that the time does not jump.
const SETTLED: Duration = Duration::from_secs(10);
/// A difference from the monotonic clock that inaccuracy does not explain: the counter stopped or restarted
/// while the machine slept.
const SLEEP_MICROS: u64 = 1_000_000;

/// The session's clock.
pub(crate) struct Clock {
    start: Instant,
    /// Microseconds since 1970, UTC.
    pub(crate) started: i64,
    pub(crate) base: u64,
    /// Microseconds per tick, times 2^40.
    pub(crate) scale: u64,
    /// Microseconds that the counter missed.
    slept: u64,
}

impl Clock {
    /// A clock that starts now, at this time of the wall clock.
    pub(crate) fn new(ticks: fn() -> u64, started: i64) -> Self {
        let (start, base) = at_once(ticks);
        Self { start, started, base, scale: 1, slept: 0 }
    }

    /// Compares the counter with the monotonic clock.
    pub(crate) fn refine(&mut self, ticks: fn() -> u64) {
        let (now, tick) = at_once(ticks);
        self.compare(now.duration_since(self.start), tick);
    }

    fn compare(&mut self, elapsed: Duration, tick: u64) {
        let micros = elapsed.as_nanos() as f64 / 1000.0;
        if elapsed <= SETTLED || self.scale == 1 {
            let ticks = tick.saturating_sub(self.base).max(1) as f64;
            self.scale = (micros / ticks * (1u64 << 40) as f64) as u64;
        }
        let missed = (micros as u64).saturating_sub(self.time(tick));
        if missed > SLEEP_MICROS {
            self.slept += missed;
        }
    }

    /// Microseconds since the start.
    pub(crate) fn time(&self, tick: u64) -> u64 {
        let counted = (u128::from(tick.saturating_sub(self.base)) * u128::from(self.scale)) >> 40;
        counted as u64 + self.slept
    }

    /// The number of ticks per second, as far as known.
    pub(crate) fn ticks_per_second(&self) -> u64 {
        ((1_000_000u128 << 40) / u128::from(self.scale.max(1))) as u64
    }
}

/// Reads both clocks at the same time: of a few attempts the shortest, because a busy machine may
/// interrupt between them.
fn at_once(ticks: fn() -> u64) -> (Instant, u64) {
    let look = |_| {
        let before = ticks();
        let now = Instant::now();
        (ticks().saturating_sub(before), now, before)
    };
    let (_, now, tick) = (0..8).map(look).min_by_key(|&(took, ..)| took).unwrap_or((0, Instant::now(), 0));
    (now, tick)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const HOUR: u64 = 3600;

    /// A clock of 2 GHz after its first ten seconds.
    fn settled() -> Clock {
        let mut clock = Clock::new(|| 1000, 0);
        clock.compare(SECOND * 10, 1000 + 20_000_000_000);
        clock
    }

    #[test]
    fn ticks_are_time() {
        let clock = settled();
        assert!(clock.time(1000 + 2_000_000_000).abs_diff(1_000_000) <= 1);
        assert!(clock.ticks_per_second().abs_diff(2_000_000_000) < 1000);
        assert_eq!(clock.time(0), 0, "before the start");
    }

    #[test]
    fn a_real_counter_measures_real_time() {
        static BEGIN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        let ticks = || BEGIN.get_or_init(Instant::now).elapsed().as_nanos() as u64;
        let mut clock = Clock::new(ticks, 7);
        let until = Instant::now() + Duration::from_millis(5);
        while Instant::now() < until {}
        clock.refine(ticks);
        let (elapsed, measured) = (clock.start.elapsed().as_micros() as u64, clock.time(ticks()));
        assert!(measured >= elapsed * 9 / 10, "{measured} of {elapsed} microseconds");
        assert_eq!(clock.started, 7);
    }

    #[test]
    fn a_steady_counter_never_jumps() {
        let mut clock = settled();
        for second in (10..100_000).step_by(7) {
            // Off by ten parts in a million, as quartz is.
            clock.compare(SECOND * second, 1000 + u64::from(second) * 1_999_980_000);
            assert_eq!(clock.slept, 0, "after {second} s");
        }
    }

    #[test]
    fn the_time_of_a_sleep_is_counted_whatever_the_counter_did() {
        for (name, tick) in [("stood still", 1000 + 40_000_000_000), ("began anew", 5)] {
            let mut clock = settled();
            clock.compare(SECOND * 20, 1000 + 40_000_000_000);
            let before = clock.time(1000 + 40_000_000_000);
            // A sleep of eight hours counts for the retention.
            clock.compare(SECOND * (20 + 8 * HOUR as u32), tick);
            let after = clock.time(tick + 1);
            let slept = after.saturating_sub(before) / 1_000_000;
            assert!((8 * HOUR - 1..=8 * HOUR + 1).contains(&slept), "{name}: {slept} s");
            assert!(clock.time(tick + 2_000_000_000) >= after, "{name}");
        }
    }
}
