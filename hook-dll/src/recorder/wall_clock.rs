//! The wall clock, which the log only notes: times in it come from `clock.rs`.

use chrono::{DateTime, FixedOffset, Local, SecondsFormat, Utc};
use parking_lot::Mutex;
use std::time::{Duration, Instant};

/// How long the cached offset of the wall clock is valid.
const OFFSET_AGE: Duration = Duration::from_secs(60);

/// The wall clock as text.
pub(crate) fn wall() -> String {
    local_time().to_rfc3339_opts(SecondsFormat::Millis, false)
}

/// The wall clock. The offset from UTC is read once a minute, because that takes long.
pub(crate) fn local_time() -> DateTime<FixedOffset> {
    static OFFSET: Mutex<Option<(Instant, FixedOffset)>> = Mutex::new(None);
    let mut known = OFFSET.lock();
    known.take_if(|(asked, _)| asked.elapsed() >= OFFSET_AGE);
    let (_, offset) = *known.get_or_insert_with(|| (Instant::now(), *Local::now().offset()));
    Utc::now().with_timezone(&offset)
}
