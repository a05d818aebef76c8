//! A record as it is written: an element with attributes and `param` children.
//!
//! These are the written types. They know names and values as strings, nothing of what they mean.

use super::PARAM;
use super::escape;
use crate::Text;
use quick_xml::events::attributes::Attributes;
use quick_xml::events::{BytesEnd, BytesStart, Event};
use quick_xml::{Reader, Writer, XmlVersion};
use std::borrow::Cow;

/// An element of one record, borrowed from the file.
#[derive(Debug, Default)]
pub(crate) struct Element<'a> {
    pub(crate) name: &'a str,
    attributes: Vec<(&'a str, Cow<'a, str>)>,
    pub(crate) params: Vec<WrittenParam<'a>>,
}

/// `<param name="…" value="…"/>`
#[derive(Debug)]
pub(crate) struct WrittenParam<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) value: Cow<'a, str>,
    escaped: bool,
}

impl WrittenParam<'_> {
    /// The value as text; `None` when its escapes are wrong.
    pub(crate) fn text(&self) -> Option<Text> {
        if self.escaped { escape::unescape(&self.value) } else { Some(Text::from(self.value.as_ref())) }
    }
}

impl<'a> Element<'a> {
    /// Parses one framed record; the reason where that fails. A missing end tag is no failure here.
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
                Event::End(_) => {}
                Event::Eof if element.name.is_empty() => return Err("no element".into()),
                Event::Eof => return Ok(element),
                _ => return Err("something else than params inside".into()),
            }
            begin = end;
        }
    }

    /// Takes the content of a tag: the record's own or one of its params.
    fn take(&mut self, tag: &'a str) -> Result<(), String> {
        let tag = tag.trim_end_matches('/');
        let name_len = tag.find(|c: char| c.is_ascii_whitespace()).unwrap_or(tag.len());
        let mut attributes = Attributes::new(tag, name_len);
        let attributes = attributes.with_checks(false).map(|attribute| {
            let attribute = attribute.map_err(|e| e.to_string())?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|e| e.to_string())?;
            Ok::<_, String>((attribute.key.into_inner(), value))
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
                ("escaped", v) => escaped = v == "true",
                _ => {}
            }
        }
        let (Some(name), Some(value)) = (name, value) else {
            return Err("a param without name or value".into());
        };
        self.params.push(WrittenParam { name, value, escaped });
        Ok(())
    }

    /// The value of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| *n == name).map(|(_, v)| v.as_ref())
    }
}

/// The beginning of a name from a file, so that a report stays readable.
pub(crate) fn shorten(name: &str) -> String {
    name.chars().take(40).collect()
}

/// Writes elements, each a line. One buffer serves all of them.
pub(super) struct Lines<'w> {
    writer: Writer<&'w mut Vec<u8>>,
    tag: String,
    name: &'static str,
}

impl<'w> Lines<'w> {
    pub(super) fn new(out: &'w mut Vec<u8>) -> Self {
        Self { writer: Writer::new(out), tag: String::with_capacity(256), name: "" }
    }

    /// Begins the start tag of a record.
    pub(super) fn begin(&mut self, name: &'static str) {
        self.name = name;
        self.tag.clear();
        self.tag.push_str(name);
    }

    pub(super) fn number(&mut self, name: &str, value: u64) {
        let mut digits = itoa::Buffer::new();
        self.push_attribute(name, digits.format(value));
    }

    pub(super) fn number_unless_0(&mut self, name: &str, value: u64) {
        if value != 0 {
            self.number(name, value);
        }
    }

    pub(super) fn string(&mut self, name: &str, value: &str) {
        self.open_attribute(name);
        escape::push_lossy(&mut self.tag, value);
        self.tag.push('"');
    }

    /// Ends the start tag; params may follow.
    pub(super) fn end_tag(&mut self) {
        self.emit(|tag| Event::Start(tag), self.name.len());
    }

    /// Ends the record as an element without content, and its line.
    pub(super) fn end_empty(&mut self) {
        self.emit(|tag| Event::Empty(tag), self.name.len());
        self.writer.get_mut().push(b'\n');
    }

    /// Ends the record and its line.
    pub(super) fn end(&mut self) {
        // Writing to memory cannot fail.
        let _ = self.writer.write_event(Event::End(BytesEnd::new(self.name)));
        self.end_line();
    }

    pub(super) fn end_line(&mut self) {
        self.writer.get_mut().push(b'\n');
    }

    /// A param whose value needs no escaping.
    pub(super) fn param(&mut self, name: &str, value: &str) {
        self.begin_param(name);
        self.tag.push_str(value);
        self.end_param(false);
    }

    pub(super) fn param_text(&mut self, name: &str, text: &Text) {
        self.begin_param(name);
        let escaped = escape::push_text(&mut self.tag, text);
        self.end_param(escaped);
    }

    fn begin_param(&mut self, name: &str) {
        self.tag.clear();
        self.tag.push_str("param name=\"");
        escape::push_lossy(&mut self.tag, name);
        self.tag.push_str("\" value=\"");
    }

    fn end_param(&mut self, escaped: bool) {
        self.tag.push_str(if escaped { "\" escaped=\"true\"" } else { "\"" });
        self.emit(|tag| Event::Empty(tag), PARAM.len());
    }

    fn open_attribute(&mut self, name: &str) {
        self.tag.push(' ');
        self.tag.push_str(name);
        self.tag.push_str("=\"");
    }

    fn push_attribute(&mut self, name: &str, value: &str) {
        self.open_attribute(name);
        self.tag.push_str(value);
        self.tag.push('"');
    }

    fn emit(&mut self, event: impl FnOnce(BytesStart<'_>) -> Event<'_>, name_len: usize) {
        // Writing to memory cannot fail.
        let _ = self.writer.write_event(event(BytesStart::from_content(self.tag.as_str(), name_len)));
    }
}
