//! From the bytes of a file to UTF-8: removes the byte-order mark and converts UTF-16.
//!
//! UTF-8 passes through unchecked, because a flipped bit should cost one record and not the file. A file
//! without a byte-order mark is UTF-16 if it contains a word that every log contains in that encoding.

use encoding_rs::{Decoder, Encoding, UTF_8, UTF_16LE};
use memchr::memmem;
use std::io::{self, Read};

/// How many bytes are searched to detect the encoding.
const SNIFF: usize = 64 << 10;

/// A file, decoded to UTF-8.
pub(crate) struct Source<R> {
    pub(crate) inner: R,
    /// Bytes read while detecting the encoding and not yet returned.
    head: Vec<u8>,
    decoder: Option<Decoder>,
    /// Whether the file contained invalid UTF-16.
    pub(crate) bad_text: bool,
}

impl<R: Read> Source<R> {
    pub(crate) fn new(mut inner: R) -> io::Result<Self> {
        let mut head = Vec::new();
        inner.by_ref().take(SNIFF as u64).read_to_end(&mut head)?;
        let decoder = match Encoding::for_bom(&head) {
            Some((encoding, mark)) if encoding == UTF_8 => {
                head.drain(..mark);
                None
            }
            Some((utf16, mark)) => {
                head.drain(..mark);
                Some(utf16.new_decoder_without_bom_handling())
            }
            None => find_utf16(&head).map(|at| {
                // A file whose beginning is missing may begin in the middle of a unit.
                head.drain(..at % 2);
                UTF_16LE.new_decoder_without_bom_handling()
            }),
        };
        Ok(Self { inner, head, decoder, bad_text: false })
    }

    /// Appends about `want` more bytes of text; returns false at the end.
    pub(crate) fn fill(&mut self, out: &mut Vec<u8>, want: usize) -> io::Result<bool> {
        let mut raw = std::mem::take(&mut self.head);
        let more = raw.len() < want;
        if self.decoder.is_none() && raw.is_empty() {
            return Ok(self.inner.by_ref().take(want as u64).read_to_end(out)? > 0);
        }
        let read = if more {
            self.inner.by_ref().take((want - raw.len()) as u64).read_to_end(&mut raw)?
        } else {
            0
        };
        let last = more && read == 0;
        match &mut self.decoder {
            None => out.extend_from_slice(&raw),
            Some(decoder) => {
                let room = decoder.max_utf8_buffer_length(raw.len()).unwrap_or(raw.len() * 3 + 8);
                let start = out.len();
                out.resize(start + room, 0);
                let (_, _, written, bad) = decoder.decode_to_utf8(&raw, &mut out[start..], last);
                out.truncate(start + written);
                self.bad_text |= bad;
                if last {
                    // A decoder must not be used after its end.
                    self.decoder = Some(UTF_16LE.new_decoder_without_bom_handling());
                }
            }
        }
        Ok(!raw.is_empty())
    }
}

/// The offset of a UTF-16LE unit, if the file contains a word that every log contains, in that encoding, or
/// if every second byte is zero as in Latin text.
fn find_utf16(head: &[u8]) -> Option<usize> {
    const WORDS: [&str; 4] = ["<dashcam", "<msg", "UL:", "<param"];
    let wide = WORDS.iter().filter_map(|word| {
        let wide: Vec<u8> = word.encode_utf16().flat_map(u16::to_le_bytes).collect();
        memmem::find(head, &wide)
    });
    let plain = WORDS.iter().filter_map(|word| memmem::find(head, word.as_bytes()));
    // In a concatenation of logs in both encodings, the first one decides.
    let spelt = wide.min();
    if let Some(plain) = plain.min() {
        return spelt.filter(|&wide| wide < plain);
    }
    spelt.or_else(|| {
        let zeros = |from: usize| head.iter().skip(from).step_by(2).filter(|&&b| b == 0).count();
        (zeros(1) > head.len() / 8 && zeros(0) <= head.len() / 64).then_some(0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        for want in [1, 7, SNIFF * 2] {
            let mut source = Source::new(bytes).unwrap();
            let mut out = Vec::new();
            while source.fill(&mut out, want).unwrap() {}
            assert_eq!(String::from_utf8_lossy(&out), expected, "in pieces of {want}");
            assert!(!source.bad_text);
        }
    }

    fn utf16(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn every_encoding_becomes_utf8() {
        let text = "<msg type=\"1\"/> ü 日 😀\n";
        check(text.as_bytes(), text);
        check(&[b"\xEF\xBB\xBF", text.as_bytes()].concat(), text);
        check(&utf16(text), text);
        check(&[b"\xFF\xFE".as_slice(), &utf16(text)].concat(), text);
    }

    #[test]
    fn a_utf16_trace_is_known_before_its_first_usage_line() {
        check(&utf16("09:00 the host says hello"), "09:00 the host says hello");
    }

    #[test]
    fn a_large_utf16_file_is_whole() {
        let text = "UL:<msg type=\"1\"/> 日本\n".repeat(20_000);
        check(&utf16(&text), &text);
    }

    #[test]
    fn a_half_unit_at_the_end_is_reported() {
        let mut bytes = utf16("<msg type=\"1\"/>");
        bytes.push(7);
        let mut source = Source::new(bytes.as_slice()).unwrap();
        let mut out = Vec::new();
        while source.fill(&mut out, 1 << 20).unwrap() {}
        assert!(source.bad_text);
    }
}
