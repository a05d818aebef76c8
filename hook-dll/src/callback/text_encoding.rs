//! Whether the text of a message is UTF-16 or of an ANSI code page.

use crate::callback::observed_message::ObservedMessage;
use crate::system::window::Window;
use crate::system::{guarded, process};

/// Whether the text of a message is UTF-16. A Unicode window gets that. An ANSI window gets what was sent: a
/// second byte of zero means UTF-16. Under Wine a hook sees a text of SendMessageA to a Unicode window before
/// it is converted.
pub(crate) fn is_wide(observed: &ObservedMessage) -> bool {
    if guarded::read(observed.pointer::<[u16; 4]>()).is_some_and(|start| begins_wide(&start)) {
        return true;
    }
    if Window(observed.hwnd).is_unicode() {
        if !process::is_wine() {
            return true;
        }
        let mut start = [0; 64];
        let len = guarded::read_text(observed.pointer(), 1, &mut start);
        return match len {
            1 => is_whole(&guarded::read(observed.pointer::<[u16; 8]>()).unwrap_or_default()),
            len => !looks_like_ascii(&start[..len]),
        };
    }
    guarded::read(observed.pointer::<[u8; 2]>())
        .is_some_and(|[first, second]| first != 0 && second == 0 && !is_one_letter(observed))
}

/// Whether a text begins with so many ASCII characters of two bytes that it is UTF-16, whatever the window
/// is. Most texts do, and then no call is needed.
fn begins_wide(start: &[u16; 4]) -> bool {
    start.iter().all(|unit| matches!(unit, 0x20..=0x7E))
}

/// Whether bytes without a zero are ASCII rather than UTF-16: all are ASCII characters, they are a number or
/// more than two, and their second bytes are not those of kana.
fn looks_like_ascii(bytes: &[u8]) -> bool {
    let is_ascii = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n');
    let is_number = bytes.len() == 2 && bytes.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'-'));
    let kana = bytes.iter().skip(1).step_by(2).filter(|&&byte| byte == 0x30).count();
    is_number || bytes.len() > 2 && bytes.iter().all(is_ascii) && kana * 4 <= bytes.len()
}

/// Whether a text that begins with an ASCII letter and a zero continues as UTF-16. After a single letter of
/// ANSI text comes anything.
fn is_whole(units: &[u16]) -> bool {
    let text = units.split(|&unit| unit == 0).next().unwrap_or_default();
    // The last unit may be half of a surrogate pair.
    let text = if text.len() == units.len() { &text[..text.len() - 1] } else { text };
    // The first character does not count.
    char::decode_utf16(text.iter().skip(1).copied()).all(|c| {
        c.is_ok_and(|c| {
            let is_private = matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{FFF0}'..='\u{FFFF}');
            matches!(c, '\t' | '\r' | '\n') || !c.is_control() && !is_private
        })
    })
}

/// Whether "A\0" is one ANSI letter rather than the beginning of a UTF-16 text.
fn is_one_letter(observed: &ObservedMessage) -> bool {
    guarded::read(observed.pointer::<[u8; 4]>()).is_none_or(|bytes| bytes[3] != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_in_place_of_utf_16_is_noticed() {
        assert!(looks_like_ascii(b"selection = 5..5, line count=1"));
        assert!(looks_like_ascii(b"10 of 20 files"));
        assert!(looks_like_ascii(b"42") && looks_like_ascii(b"-7"), "a number, not one rare sign");
        // What a reader of bytes sees of UTF-16: up to the first zero.
        let bytes = |text: &str| {
            text.encode_utf16().flat_map(u16::to_le_bytes).take_while(|&b| b != 0).collect::<Vec<_>>()
        };
        for wide in ["selection", "x", "日本語のテキスト", "あい", "ひらがなだけのぶん", "Ωμέγα", "文書", ""]
        {
            assert!(!looks_like_ascii(&bytes(wide)), "{wide}");
        }
    }

    #[test]
    fn what_begins_with_letters_of_two_bytes_is_wide() {
        let start = |bytes: &[u8; 8]| {
            begins_wide(&std::array::from_fn(|i| u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]])))
        };
        assert!(start(b"R\0e\0c\0h\0"));
        for other in [b"Rechnung", b"R\0echnun", b"R\0e\0c\0\0\0", b"\xE5\x65\x2C\x67\x9E\x8A\x6E\x30"] {
            assert!(!start(other), "{other:?}");
        }
    }

    #[test]
    fn one_letter_of_one_byte_is_told_from_a_text() {
        let units = |text: &str| text.encode_utf16().chain([0, 0xDEAD]).collect::<Vec<u16>>();
        for wide in ["7", "7 pieces", "3月", "x\r\ny", "A😀", "\u{B}<<"] {
            assert!(is_whole(&units(wide)), "{wide}");
        }
        assert!(is_whole(&units("ABCDEFG😀")[..8]), "cut within a pair");
        // What lies behind it on the stack: numbers, halves of pointers.
        for behind in [[1, 0], [0x10, 0x4141], [0xD812, 0x41], [0xFFFF, 0], [0xE0A0, 3]] {
            assert!(!is_whole(&[u16::from(b'7'), behind[0], behind[1], 0]), "{behind:?}");
        }
    }
}
