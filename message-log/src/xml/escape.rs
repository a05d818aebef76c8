//! How any text survives an XML attribute.
//!
//! Markup and white space become references. What XML 1.0 forbids (most control characters, U+FFFE, U+FFFF,
//! lone surrogates) cannot be written even as a reference: a text that contains any is marked
//! `escaped="true"`, with `\uXXXX` for each and `\\` for a backslash. All other texts, including Windows
//! paths, stay readable.

use crate::Text;

/// Appends the text as an attribute value; returns whether it must be marked as escaped.
pub(super) fn push_text(out: &mut String, text: &Text) -> bool {
    match text
        .as_str()
        .filter(|s| !s.as_bytes().iter().any(|&b| is_suspect(b)) || !s.chars().any(is_forbidden))
    {
        Some(s) => {
            push_str(out, s);
            false
        }
        None => {
            push_escaped(out, text);
            true
        }
    }
}

/// Appends a string as an attribute value; what XML forbids becomes U+FFFD.
pub(super) fn push_lossy(out: &mut String, s: &str) {
    if s.chars().any(is_forbidden) {
        push_str(out, &s.replace(is_forbidden, "\u{FFFD}"));
    } else {
        push_str(out, s);
    }
}

fn push_str(out: &mut String, s: &str) {
    let mut copied = 0;
    for (i, byte) in s.bytes().enumerate() {
        let reference = match byte {
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'&' => "&amp;",
            b'"' => "&quot;",
            b'\t' => "&#9;",
            b'\n' => "&#10;",
            b'\r' => "&#13;",
            _ => continue,
        };
        out.push_str(&s[copied..i]);
        out.push_str(reference);
        copied = i + 1;
    }
    out.push_str(&s[copied..]);
}

fn push_escaped(out: &mut String, text: &Text) {
    let mut units = char::decode_utf16(text.to_wide());
    let mut buffer = [0; 4];
    let escape = |out: &mut String, unit: u32| out.push_str(&format!("\\u{unit:04X}"));
    for unit in &mut units {
        match unit {
            Ok('\\') => out.push_str("\\\\"),
            Ok(c) if is_forbidden(c) => escape(out, u32::from(c)),
            Ok(c) => push_str(out, c.encode_utf8(&mut buffer)),
            Err(lone) => escape(out, u32::from(lone.unpaired_surrogate())),
        }
    }
}

/// Decodes the escapes; `None` if there is one that nobody writes.
pub(super) fn unescape(value: &str) -> Option<Text> {
    let mut text = Text::default();
    let mut rest = value;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(tail) = rest.strip_prefix('\\') {
            text.push('\\');
            rest = tail;
        } else {
            let hex = rest.strip_prefix('u')?.get(..4)?;
            text.push_unit(u16::from_str_radix(hex, 16).ok()?);
            rest = &rest[5..];
        }
    }
    text.push_str(rest);
    Some(text)
}

/// Whether the byte occurs only in characters among which there is a forbidden one.
fn is_suspect(byte: u8) -> bool {
    byte < 0x20 || byte == 0xEF
}

fn is_forbidden(c: char) -> bool {
    matches!(c, '\0'..='\x08' | '\x0B' | '\x0C' | '\x0E'..='\x1F' | '\u{FFFE}' | '\u{FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: Text, written: &str, escaped: bool) {
        let mut out = String::new();
        assert_eq!(push_text(&mut out, &text), escaped);
        assert_eq!(out, written);
    }

    #[test]
    fn paths_stay_readable_and_markup_becomes_references() {
        check(r"C:\temp\new.txt".into(), r"C:\temp\new.txt", false);
        check("<a & \"b\">\r\n\t".into(), "&lt;a &amp; &quot;b&quot;&gt;&#13;&#10;&#9;", false);
        check("ｶﾅ 日本 😀 \u{FFFD}".into(), "ｶﾅ 日本 😀 \u{FFFD}", false);
    }

    #[test]
    fn what_xml_forbids_is_escaped() {
        check("a\0\\\u{FFFE}<".into(), r"a\u0000\\\uFFFE&lt;", true);
        check(Text::from_wide([0xDC00, 0x61, 0xD83D]), r"\uDC00a\uD83D", true);
    }

    #[test]
    fn escapes_that_nobody_writes_are_refused() {
        for bad in [r"\", r"\x", r"\u12", r"\u12G4", r"\ué234"] {
            assert_eq!(unescape(bad), None, "{bad}");
        }
    }

    #[test]
    fn adjacent_escaped_surrogates_join_as_they_were_apart() {
        let text = Text::from_wide([0xD83D, 0x20, 0xDE00]);
        let mut out = String::new();
        push_text(&mut out, &text);
        assert_eq!(unescape(&out), Some(text));
    }
}
