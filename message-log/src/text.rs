//! Text as Windows has it: any sequence of UTF-16 units, including lone surrogates.
//!
//! Stored as generalised UTF-8 in which a lone surrogate is encoded in three bytes of its own (WTF-8), so
//! nearly every text is a plain `&str`. The conversion is lossless in both directions.

use std::borrow::Cow;
use std::fmt;

/// The text of a window, an item, a file name: anything that Windows keeps as UTF-16.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text {
    bytes: Vec<u8>,
}

impl Text {
    /// The text of any UTF-16 units.
    pub fn from_wide(units: impl IntoIterator<Item = u16>) -> Self {
        let mut text = Self::default();
        text.extend_wide(units);
        text
    }

    fn extend_wide(&mut self, units: impl IntoIterator<Item = u16>) {
        for unit in char::decode_utf16(units) {
            match unit {
                Ok(c) => self.push(c),
                Err(lone) => self.push_unit(lone.unpaired_surrogate()),
            }
        }
    }

    /// Appends a character.
    pub fn push(&mut self, c: char) {
        self.bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }

    /// Appends one UTF-16 unit; a low surrogate after a high one completes its character.
    pub fn push_unit(&mut self, unit: u16) {
        if let Some(c) = char::from_u32(u32::from(unit)) {
            return self.push(c);
        }
        if let (true, Some(high)) = (unit >= 0xDC00, self.trailing_high_surrogate()) {
            self.bytes.truncate(self.bytes.len() - 3);
            let scalar = 0x1_0000 + (u32::from(high - 0xD800) << 10) + u32::from(unit - 0xDC00);
            return self.push(char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let low = |shift: u16| 0x80 | ((unit >> shift) & 0x3F) as u8;
        self.bytes.extend_from_slice(&[0xED, low(6), low(0)]);
    }

    fn trailing_high_surrogate(&self) -> Option<u16> {
        match self.bytes.as_slice() {
            [.., 0xED, b @ 0xA0..=0xAF, c] => Some(0xD000 | (u16::from(b & 0x3F) << 6) | u16::from(c & 0x3F)),
            _ => None,
        }
    }

    /// Appends plain text.
    pub fn push_str(&mut self, s: &str) {
        self.bytes.extend_from_slice(s.as_bytes());
    }

    /// The UTF-16 units, unchanged.
    pub fn to_wide(&self) -> Vec<u16> {
        let mut units = Vec::with_capacity(self.bytes.len());
        for chunk in self.chunks() {
            match chunk {
                Chunk::Str(s) => units.extend(s.encode_utf16()),
                Chunk::Lone(unit) => units.push(unit),
            }
        }
        units
    }

    /// The text, unless it contains a lone surrogate.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// The text for display: lone surrogates become U+FFFD.
    pub fn to_string_lossy(&self) -> Cow<'_, str> {
        match self.as_str() {
            Some(s) => Cow::Borrowed(s),
            None => Cow::Owned(
                self.chunks().map(|c| if let Chunk::Str(s) = c { s } else { "\u{FFFD}" }).collect(),
            ),
        }
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    fn chunks(&self) -> impl Iterator<Item = Chunk<'_>> {
        let mut rest = self.bytes.as_slice();
        std::iter::from_fn(move || match std::str::from_utf8(rest) {
            _ if rest.is_empty() => None,
            Ok(s) => {
                rest = &[];
                Some(Chunk::Str(s))
            }
            Err(e) if e.valid_up_to() > 0 => {
                let (valid, tail) = rest.split_at(e.valid_up_to());
                rest = tail;
                Some(Chunk::Str(std::str::from_utf8(valid).unwrap_or_default()))
            }
            // Only `push_unit` writes bytes that are not UTF-8, three at a time.
            Err(_) => {
                let (unit, tail) = rest.split_at(rest.len().min(3));
                rest = tail;
                let low = |i: usize| u16::from(unit.get(i).copied().unwrap_or_default() & 0x3F);
                Some(Chunk::Lone(0xD000 | (low(1) << 6) | low(2)))
            }
        })
    }
}

enum Chunk<'a> {
    Str(&'a str),
    Lone(u16),
}

impl From<&str> for Text {
    fn from(s: &str) -> Self {
        Self { bytes: s.as_bytes().to_vec() }
    }
}

impl From<String> for Text {
    fn from(s: String) -> Self {
        Self { bytes: s.into_bytes() }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_string_lossy())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Some(s) => fmt::Debug::fmt(s, f),
            None => write!(f, "Text({:x?})", self.to_wide()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_utf16_comes_back(units: Vec<u16>) {
            let text = Text::from_wide(units.iter().copied());
            prop_assert_eq!(text.to_wide(), units);
        }

        #[test]
        fn surrogates_pushed_one_by_one_join(units in proptest::collection::vec(0xD7F0u16..0xE010, 0..20)) {
            let mut text = Text::default();
            units.iter().for_each(|&u| text.push_unit(u));
            prop_assert_eq!(text, Text::from_wide(units));
        }
    }

    #[test]
    fn a_lone_surrogate_is_visible_to_people_as_a_replacement() {
        let text = Text::from_wide([0x61, 0xD800, 0x62]);
        assert_eq!(text.as_str(), None);
        assert_eq!(text.to_string(), "a\u{FFFD}b");
    }
}
