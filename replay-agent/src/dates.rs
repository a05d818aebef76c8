//! Dates as the log has them.

/// A moment, with its day of the week as Windows wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Date {
    pub(crate) year: u16,
    pub(crate) month: u16,
    pub(crate) day: u16,
    /// 0 is Sunday.
    pub(crate) weekday: u16,
    pub(crate) hour: u16,
    pub(crate) minute: u16,
    pub(crate) second: u16,
}

/// `2026-11-16T09:00:00`, or the day alone.
pub(crate) fn parse(text: &str) -> Option<Date> {
    let mut numbers = text.split(['-', 'T', ' ', ':']).map(|part| part.parse::<u16>().ok());
    let mut next = || numbers.next();
    let (year, month, day) = (next()??, next()??, next()??);
    let mut rest = || next().map_or(Some(0), |number| number);
    let (hour, minute, second) = (rest()?, rest()?, rest()?);
    let is_date = (1601..=30_827).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    let is_time = hour < 24 && minute < 60 && second < 60;
    let weekday = || weekday(year, month, day);
    (is_date && is_time).then(|| Date { year, month, day, weekday: weekday(), hour, minute, second })
}

/// 0 is Sunday (Sakamoto's way).
fn weekday(year: u16, month: u16, day: u16) -> u16 {
    const SHIFT: [u32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
    let year = u32::from(year) - u32::from(month < 3);
    let shift = SHIFT[usize::from(month.clamp(1, 12)) - 1];
    ((year + year / 4 - year / 100 + year / 400 + shift + u32::from(day)) % 7) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_with_and_without_a_time() {
        let date = Date { year: 2026, month: 11, day: 16, weekday: 1, hour: 9, minute: 5, second: 59 };
        assert_eq!(parse("2026-11-16T09:05:59"), Some(date));
        assert_eq!(parse("2024-02-29").unwrap().weekday, 4);
        for bad in ["", "2026", "2026-13-01", "2026-01-00", "2026-01-01T24:00:00", "soon"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
