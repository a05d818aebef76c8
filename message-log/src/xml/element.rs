//! A record as written: an element with attributes and possibly `param` children.
//!
//! These are the written types. They contain names and values as strings and do not interpret them.

use super::escape;
use super::{ESCAPED, PARAM, ROOT};
use crate::{Key, Text};
use memchr::memchr2;
use quick_xml::events::Event;
use quick_xml::events::attributes::{Attribute, Attributes};
use quick_xml::name::QName;
use quick_xml::{Reader, XmlVersion};
use smallvec::SmallVec;
use std::borrow::Cow;

/// More facts than any record has; the limit bounds memory.
pub(crate) const MAX_PARAMS: usize = 65_536;

/// An element of one record, borrowed from the file; values are unchanged, with their references.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Element<'a> {
    pub(crate) name: &'a str,
    attributes: SmallVec<[(&'a str, &'a str); 16]>,
    pub(crate) params: SmallVec<[WrittenParam<'a>; 4]>,
}

/// A fact: an attribute, or `<param name="…" value="…"/>`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct WrittenParam<'a> {
    name: &'a str,
    value: &'a str,
    escaped: bool,
}

impl<'a> WrittenParam<'a> {
    /// The name; if it cannot be decoded, it stays as it is.
    pub(crate) fn name(&self) -> Cow<'a, str> {
        resolve(self.name).unwrap_or(Cow::Borrowed(self.name))
    }

    /// Whether it has this name, which contains nothing that XML escapes.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name == name || self.name() == name
    }

    /// The key of the fact.
    pub(crate) fn key(&self) -> Option<Key> {
        Key::from_name(self.name).or_else(|| Key::from_name(&self.name()))
    }

    /// The value as a string; `None` if it has an undefined reference.
    pub(crate) fn value(&self) -> Option<Cow<'a, str>> {
        resolve(self.value)
    }

    /// The value as text; `None` if its references or escapes are invalid.
    pub(crate) fn text(&self) -> Option<Text> {
        let value = self.value()?;
        if self.escaped { escape::unescape(&value) } else { Some(Text::from(value.into_owned())) }
    }

    /// The value as in the file.
    pub(crate) fn raw(&self) -> &'a str {
        self.value
    }
}

impl<'a> Element<'a> {
    /// Takes a record that is exactly as `lines.rs` writes it. Returns false if it differs in one byte; the
    /// content is meaningless then.
    pub(crate) fn take_line(&mut self, raw: &'a str) -> bool {
        ElementLine::new(raw).fill(self).is_some()
    }

    /// Parses any XML; returns the reason if that fails. A missing end tag is not an error here.
    pub(crate) fn parse(raw: &'a str) -> Result<Self, String> {
        let mut reader = Reader::from_str(raw);
        reader.config_mut().check_end_names = false;
        let mut element = Self::default();
        let mut begin = 0;
        loop {
            let event = reader.read_event().map_err(|e| e.to_string())?;
            let end = usize::try_from(reader.buffer_position()).unwrap_or(raw.len());
            match event {
                Event::Start(_) | Event::Empty(_) => {
                    let tag = raw.get(begin..end).unwrap_or_default();
                    element.take(tag.trim_start_matches('<').trim_end_matches('>'))?;
                }
                Event::Text(text) if text.trim_ascii().is_empty() => {}
                Event::End(_) | Event::Comment(_) => {}
                Event::Eof if element.name.is_empty() => return Err("no element".into()),
                Event::Eof => return Ok(element),
                _ => return Err("something else than params inside".into()),
            }
            begin = end;
        }
    }

    /// Takes the content of a tag: that of the record itself or of one of its params.
    fn take(&mut self, tag: &'a str) -> Result<(), String> {
        let tag = tag.trim_end_matches('/');
        let name_len = tag.find(|c: char| c.is_ascii_whitespace()).unwrap_or(tag.len());
        let mut attributes = Attributes::new(tag, name_len);
        let attributes = attributes.with_checks(false).map(|attribute| {
            let attribute = attribute.map_err(|e| e.to_string())?;
            match attribute.value {
                Cow::Borrowed(value) => Ok((attribute.key.into_inner(), value)),
                Cow::Owned(_) => Err("an attribute that is not in the file".to_string()),
            }
        });
        if self.name.is_empty() {
            self.name = &tag[..name_len];
            self.attributes = attributes.collect::<Result<_, _>>()?;
            return Ok(());
        }
        if &tag[..name_len] != PARAM {
            return Err(format!("<{}> inside", shorten(&tag[..name_len])));
        }
        let (mut name, mut value, mut escaped) = (None, None, false);
        for attribute in attributes {
            match attribute? {
                ("name", v) => name = Some(v),
                ("value", v) => value = Some(v),
                ("escaped", v) => escaped = is_true(v),
                _ => {}
            }
        }
        let (Some(name), Some(value)) = (name, value) else {
            return Err("a param without name or value".into());
        };
        if self.params.len() == MAX_PARAMS {
            return Err("too many facts".into());
        }
        self.params.push(WrittenParam { name, value, escaped });
        Ok(())
    }

    /// All attributes as in the file.
    pub(crate) fn attributes(&self) -> impl ExactSizeIterator<Item = (&'a str, &'a str)> {
        self.attributes.iter().copied()
    }

    /// An attribute that is a fact; only a text can be escaped.
    pub(crate) fn fact(&self, name: &'a str, value: &'a str, is_text: bool) -> WrittenParam<'a> {
        let is_named = |names: &str| names.split(' ').any(|n| n == name);
        WrittenParam { name, value, escaped: is_text && self.attribute(ESCAPED).is_some_and(is_named) }
    }

    /// The value of an attribute as in the file.
    pub(crate) fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(n, _)| *n == name).map(|(_, v)| *v)
    }

    /// The value of an attribute with its references resolved.
    pub(crate) fn string(&self, name: &str) -> String {
        self.attribute(name).and_then(resolve).unwrap_or_default().into_owned()
    }
}

/// A boolean as XML defines it.
pub(crate) fn is_true(value: &str) -> bool {
    matches!(value, "true" | "1")
}

/// Resolves references and normalises white space as XML requires.
pub(crate) fn resolve(value: &str) -> Option<Cow<'_, str>> {
    if !value.bytes().any(|b| matches!(b, b'&' | b'\t' | b'\n' | b'\r')) {
        return Some(Cow::Borrowed(value));
    }
    Attribute { key: QName("value"), value: Cow::Borrowed(value) }
        .normalized_value(XmlVersion::Implicit1_0)
        .ok()
}

/// Records exactly as `lines.rs` writes them: parsed in one pass, without support for what else XML allows. A
/// record that differs in one byte is left to the XML parser.
struct ElementLine<'a> {
    raw: &'a str,
    at: usize,
}

impl<'a> ElementLine<'a> {
    fn new(raw: &'a str) -> Self {
        Self { raw, at: 0 }
    }

    /// Fills an empty element in place: it is too large to be moved for each record.
    fn fill(&mut self, element: &mut Element<'a>) -> Option<()> {
        self.skip("<")?;
        element.name = self.name(u8::is_ascii_lowercase)?;
        if element.name == PARAM {
            return None;
        }
        while self.skip(" ").is_some() {
            element.attributes.push(self.attribute()?);
        }
        if self.skip("/>").is_some() {
            return self.is_at_end().then_some(());
        }
        self.skip(">")?;
        while self.skip("<param name=\"").is_some() {
            let name = self.value()?;
            self.skip(" value=\"")?;
            let value = self.value()?;
            let escaped = self.skip(" escaped=\"true\"").is_some();
            self.skip("/>")?;
            if element.params.len() == MAX_PARAMS {
                return None;
            }
            element.params.push(WrittenParam { name, value, escaped });
        }
        // The head of a segment is a tag without an end tag; every other record has one.
        if !self.is_at_end() {
            self.skip("</")?;
            self.skip(element.name)?;
            self.skip(">")?;
        } else if element.name != ROOT {
            return None;
        }
        (self.is_at_end() && (element.name != ROOT || element.params.is_empty())).then_some(())
    }

    fn attribute(&mut self) -> Option<(&'a str, &'a str)> {
        let name = self.name(|b| b.is_ascii_alphabetic() || *b == b'.')?;
        self.skip("=\"")?;
        Some((name, self.value()?))
    }

    fn name(&mut self, is_part: impl Fn(&u8) -> bool) -> Option<&'a str> {
        let rest = &self.raw.as_bytes()[self.at..];
        let len = rest.iter().position(|b| !is_part(b)).filter(|&len| len > 0)?;
        self.at += len;
        self.raw.get(self.at - len..self.at)
    }

    /// The text before the next quote; skips the quote.
    fn value(&mut self) -> Option<&'a str> {
        let rest = &self.raw.as_bytes()[self.at..];
        // Most values are a few digits: a loop beats a vectorised search.
        let len = match rest.iter().take(16).position(|&b| matches!(b, b'"' | b'<')) {
            Some(len) => len,
            None => 16 + memchr2(b'"', b'<', rest.get(16..)?)?,
        };
        // A `<` is not allowed here; the XML parser gives the better message.
        if rest[len] == b'<' {
            return None;
        }
        let value = self.raw.get(self.at..self.at + len)?;
        self.at += len + 1;
        Some(value)
    }

    fn skip(&mut self, expected: &str) -> Option<()> {
        self.raw.as_bytes()[self.at..].starts_with(expected.as_bytes()).then(|| self.at += expected.len())
    }

    fn is_at_end(&self) -> bool {
        self.at == self.raw.len()
    }
}

/// The beginning of a name from a file, so that a report stays readable.
pub(crate) fn shorten(name: &str) -> String {
    name.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::super::lines::Lines;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// If the fast parser succeeds, its result is that of the XML parser.
        #[test]
        fn both_parsers_agree(
            parts in proptest::collection::vec(prop_oneof![
                Just("<msg"), Just(" type=\"513\""), Just(" seq=\"1\""), Just(">"), Just("/>"), Just("</msg>"),
                Just("<param name=\"text\" value=\""), Just("\"/>"), Just("\" escaped=\"true\"/>"), Just("a &amp; b"),
                Just("\\u0000"), Just("<"), Just("\""), Just(" "), Just("\n"), Just("é"), Just("'"), Just("<dashcam"),
                Just("<mark seq=\"1\" time=\"2\" thread=\"3\">"), Just("</mark>"), Just("a rather long value without end"),
            ], 0..12)
        ) {
            let raw = parts.concat();
            let mut element = Element::default();
            if element.take_line(&raw) {
                prop_assert_eq!(Element::parse(&raw), Ok(element));
            }
        }
    }

    #[test]
    fn what_is_written_takes_the_fast_way() {
        let mut out = Vec::new();
        let mut lines = Lines::new(&mut out);
        lines.begin("mark");
        lines.number("seq", 7);
        lines.end_tag();
        lines.param("window.hwnd", "1");
        lines.param_text("text", &"a < b\0".into());
        lines.end();
        let line = std::str::from_utf8(&out).unwrap().trim_end();
        let mut element = Element::default();
        assert!(element.take_line(line));
        assert_eq!(element.attribute("seq"), Some("7"));
        assert_eq!(element.params[1].text(), Some("a < b\0".into()));
        assert!(element.params[1].escaped);
    }
}
