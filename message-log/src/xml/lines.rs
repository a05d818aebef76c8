//! Writes records as they are in a file: one line per element.
//!
//! The counterpart of `element.rs`. One buffer serves all tags. Writing to memory cannot fail, so the results
//! of quick-xml's writer are ignored.

use super::{PARAM, escape};
use crate::Text;
use quick_xml::Writer;
use quick_xml::events::{BytesEnd, BytesStart, Event};

/// Writes elements, one line each.
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

    /// Writes a text; returns whether it had to be escaped, which `escaped` must state.
    pub(super) fn text(&mut self, name: &str, text: &Text) -> bool {
        self.open_attribute(name);
        let is_escaped = escape::push_text(&mut self.tag, text);
        self.tag.push('"');
        is_escaped
    }

    /// An attribute whose value needs no escaping.
    pub(super) fn plain(&mut self, name: &str, value: &str) {
        self.push_attribute(name, value);
    }

    /// Ends the start tag; params may follow.
    pub(super) fn end_tag(&mut self) {
        let tag = BytesStart::from_content(self.tag.as_str(), self.name.len());
        let _ = self.writer.write_event(Event::Start(tag));
    }

    /// Ends the record as an element without content, and its line.
    pub(super) fn end_empty(&mut self) {
        self.emit_empty(self.name.len());
        self.end_line();
    }

    /// Ends the record and its line.
    pub(super) fn end(&mut self) {
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

    /// A param whose name is not ours.
    pub(super) fn param_other(&mut self, name: &str, text: &Text) {
        let mut escaped_name = String::new();
        escape::push_lossy(&mut escaped_name, name);
        self.param_text(&escaped_name, text);
    }

    fn begin_param(&mut self, name: &str) {
        self.tag.clear();
        self.tag.push_str("param name=\"");
        self.tag.push_str(name);
        self.tag.push_str("\" value=\"");
    }

    fn end_param(&mut self, escaped: bool) {
        self.tag.push_str(if escaped { "\" escaped=\"true\"" } else { "\"" });
        self.emit_empty(PARAM.len());
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

    fn emit_empty(&mut self, name_len: usize) {
        let tag = BytesStart::from_content(self.tag.as_str(), name_len);
        let _ = self.writer.write_event(Event::Empty(tag));
    }
}
