//! A short ASCII text, built without the heap.

use windows::Win32::Foundation::SYSTEMTIME;

/// The text so far. Characters that do not fit are omitted.
pub(crate) struct AsciiText {
    units: [u16; 512],
    len: usize,
}

impl AsciiText {
    pub(crate) fn new() -> Self {
        Self { units: [0; 512], len: 0 }
    }

    /// `2026-11-16T09:00:00`
    pub(crate) fn date(date: &SYSTEMTIME) -> Self {
        let mut text = Self::new();
        text.push_date(date);
        text
    }

    pub(crate) fn push_date(&mut self, d: &SYSTEMTIME) {
        let parts = [
            (d.wYear, 4, b'-'),
            (d.wMonth, 2, b'-'),
            (d.wDay, 2, b'T'),
            (d.wHour, 2, b':'),
            (d.wMinute, 2, b':'),
        ];
        for (number, width, end) in parts.into_iter().chain([(d.wSecond, 2, 0)]) {
            for place in (0..width).rev() {
                self.push(b'0' + (number / 10u16.pow(place) % 10) as u8);
            }
            if end != 0 {
                self.push(end);
            }
        }
    }

    pub(crate) fn push(&mut self, character: u8) {
        if let Some(slot) = self.units.get_mut(self.len) {
            *slot = u16::from(character);
            self.len += 1;
        }
    }

    pub(crate) fn push_number(&mut self, number: u32) {
        let digits = number.checked_ilog10().unwrap_or(0);
        for place in (0..=digits).rev() {
            self.push(b'0' + (number / 10u32.pow(place) % 10) as u8);
        }
    }

    pub(crate) fn units(&self) -> &[u16] {
        &self.units[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_built_of_numbers_and_dates() {
        let mut text = AsciiText::new();
        text.push_number(0);
        text.push(b',');
        text.push_number(1_204_050);
        assert_eq!(String::from_utf16_lossy(text.units()), "0,1204050");
        let date = SYSTEMTIME {
            wYear: 2026,
            wMonth: 3,
            wDay: 9,
            wHour: 7,
            wMinute: 5,
            wSecond: 59,
            ..Default::default()
        };
        assert_eq!(String::from_utf16_lossy(AsciiText::date(&date).units()), "2026-03-09T07:05:59");
    }
}
