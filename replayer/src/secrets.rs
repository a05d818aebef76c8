//! `dashcam check --secrets`: a customer's own words, looked for in a log before it is sent.
//!
//! Looked for are the words in every text of every record, in what was typed character by character, and in
//! the bytes of the files as UTF-8, UTF-16 and XML, without regard to case. A word that is found is named by
//! its line, and never printed.

use crate::text_file;
use anyhow::Context;
use message_log::{Event, Kind, Param, Params, Value, message_name, message_number};
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};
use std::io::{self, Read};
use std::path::Path;

/// Places told for each word.
const PLACES: usize = 20;
/// A word of a letter or two is everywhere.
const SHORTEST: usize = 3;
/// Bytes of a file looked at at once.
const PIECE: u64 = 8 << 20;
/// Characters remembered of what was typed into a window.
const TYPED: usize = 1024;

/// The search for all words.
pub(crate) struct Search {
    words: Vec<Word>,
    /// What was typed into each window lately.
    typed: HashMap<u64, String>,
}

struct Word {
    line: usize,
    text: String,
    /// As bytes in a file, lower case.
    forms: Vec<Vec<u8>>,
    found: BTreeSet<String>,
    count: u64,
}

/// A word that was found.
#[derive(Serialize)]
pub(crate) struct Found {
    /// Its line in the file of words.
    pub(crate) line: usize,
    /// How often.
    pub(crate) count: u64,
    /// Where, the first places.
    pub(crate) places: Vec<String>,
}

impl Search {
    /// Reads words, one per line.
    pub(crate) fn read(file: &Path) -> anyhow::Result<Self> {
        let none = || {
            format!(
                "{} has no words of at least {SHORTEST} letters: write one into each line",
                file.display()
            )
        };
        Self::new(&text_file::read(file)?).with_context(none)
    }

    fn new(text: &str) -> Option<Self> {
        let words = text
            .trim_start_matches('\u{feff}')
            .lines()
            .zip(1..)
            .map(|(word, line)| (fold(word.trim()), line));
        let words: Vec<Word> = words
            .filter(|(text, _)| text.chars().count() >= SHORTEST)
            .map(|(text, line)| Word::new(text, line))
            .collect();
        (!words.is_empty()).then(|| Self { words, typed: HashMap::new() })
    }

    pub(crate) fn word_count(&self) -> usize {
        self.words.len()
    }

    /// Looks at an event.
    pub(crate) fn take(&mut self, event: &Event) {
        let at = event
            .stamp
            .map(|stamp| format!("record {} of thread {}", stamp.sequence, stamp.thread))
            .unwrap_or_default();
        let what = event.message().map(|message| message_name(message.number)).unwrap_or_default();
        self.look_at(&event.params, &format!("{at} {what}"));
        match &event.kind {
            Kind::Keyframe(keyframe) => {
                keyframe.windows.iter().for_each(|window| self.look_at(window, &format!("{at} keyframe")));
            }
            Kind::Message(message) if Some(message.number) == message_number("WM_CHAR") => {
                let typed = self.typed.entry(message.hwnd).or_default();
                match char::from_u32(message.wparam as u32) {
                    Some('\u{8}') => drop(typed.pop()),
                    Some(c) => typed.extend(c.to_lowercase()),
                    None => {}
                }
                if typed.len() > 2 * TYPED {
                    *typed = typed.chars().skip(TYPED / 2).collect();
                }
                for word in self.words.iter_mut().filter(|word| typed.ends_with(&word.text)) {
                    word.note(|| format!("{at} the end of what was typed"));
                }
            }
            _ => {}
        }
    }

    fn look_at(&mut self, params: &Params, at: &str) {
        for param in params.iter() {
            let (name, text) = match param {
                Param::Known(key, Value::Text(text)) => (key.name(), text.to_string_lossy()),
                Param::Other(name, text) => (name.as_str(), text.to_string_lossy()),
                Param::Known(..) => continue,
            };
            let text = fold(&text);
            for word in self.words.iter_mut().filter(|word| text.contains(&word.text)) {
                word.note(|| format!("{at} {name}"));
            }
        }
    }

    /// Looks at the bytes of a file, whatever they are, a piece at a time.
    pub(crate) fn look_into(&mut self, name: &str, mut file: impl Read) -> io::Result<()> {
        let overlap = self.words.iter().flat_map(|word| &word.forms).map(Vec::len).max().unwrap_or_default();
        let (mut piece, mut before) = (Vec::new(), 0u64);
        loop {
            let kept = piece.len();
            let read = file.by_ref().take(PIECE).read_to_end(&mut piece)?;
            piece[kept..].make_ascii_lowercase();
            for word in &mut self.words {
                if let Some(at) = word.forms.iter().find_map(|form| memchr::memmem::find(&piece, form)) {
                    word.note(|| format!("{name} at byte {}", before + at as u64));
                }
            }
            if read == 0 {
                return Ok(());
            }
            let gone = piece.len().saturating_sub(overlap);
            piece.drain(..gone);
            before += gone as u64;
        }
    }

    pub(crate) fn found(self) -> Vec<Found> {
        let found = self.words.into_iter().filter(|word| word.count > 0);
        found
            .map(|word| Found {
                line: word.line,
                count: word.count,
                places: word.found.into_iter().collect(),
            })
            .collect()
    }
}

impl Word {
    fn new(text: String, line: usize) -> Self {
        let xml = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        let forms = vec![text.as_bytes().to_vec(), xml.as_bytes().to_vec(), wide(&text), wide(&xml)];
        Self { line, text, forms, found: BTreeSet::new(), count: 0 }
    }

    fn note(&mut self, place: impl FnOnce() -> String) {
        self.count += 1;
        if self.found.len() < PLACES {
            self.found.insert(place());
        }
    }
}

fn fold(text: &str) -> String {
    text.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use message_log::{Key, Keyframe, Message, Stamp};

    fn search(words: &str) -> Search {
        Search::new(words).expect("words")
    }

    fn event(kind: Kind) -> Event {
        Event::new(Stamp { sequence: 7, time: 0, thread: 1 }, kind)
    }

    fn lines(search: Search) -> Vec<usize> {
        search.found().into_iter().map(|found| found.line).collect()
    }

    #[test]
    fn words_are_found_in_every_text_and_never_told() {
        let mut search = search("Müller & Söhne\r\nnowhere\n\nok\n4711-<x>\n");
        assert_eq!(search.word_count(), 3, "a word of two letters is none");
        search.take(&event(Kind::Mark).with_text(Key::Text, "an order of MÜLLER & SÖHNE today"));
        let windows = vec![Params::new().with_text(Key::WindowName, "No. 4711-<X>")];
        search.take(&event(Kind::Keyframe(Keyframe { of_thread: None, windows, complete: true })));
        let found = search.found();
        assert_eq!(found.iter().map(|found| found.line).collect::<Vec<_>>(), [1, 5]);
        assert_eq!(found[1].places, ["record 7 of thread 1 keyframe window.name"]);
        let told = serde_json::to_string(&found).unwrap().to_lowercase();
        assert!(!told.contains("ller") && !told.contains("4711"), "{told}");
    }

    #[test]
    fn what_was_typed_is_put_together_by_window() {
        let mut search = search("geheim\nhidden");
        let typed = |search: &mut Search, hwnd: u64, text: &str| {
            for c in text.chars() {
                let message =
                    Message { number: 0x102, hwnd, wparam: u64::from(u32::from(c)), ..Message::default() };
                search.take(&event(Kind::Message(message)));
            }
        };
        for part in ["ge", "he", "im"] {
            typed(&mut search, 1, part);
            typed(&mut search, 2, "hi");
        }
        typed(&mut search, 2, "xx\u{8}\u{8}dden");
        assert_eq!(lines(search), [1, 2]);
    }

    #[test]
    fn bytes_are_searched_in_all_forms_also_across_pieces() {
        let forms: [&[u8]; 3] = [b"..SECRET&1..", b"..secret&amp;1", b"S\0e\0c\0r\0e\0t\0&\0\x31\0"];
        for bytes in forms {
            let mut found = search("secret&1\nother");
            found.look_into("file", bytes).unwrap();
            assert_eq!(lines(found), [1]);
        }
        let mut across = search("secret");
        let bytes = [vec![b'x'; PIECE as usize - 3], b"secret".to_vec()].concat();
        across.look_into("file", &bytes[..]).unwrap();
        assert_eq!(across.found()[0].places, [format!("file at byte {}", PIECE - 3)]);
    }

    #[test]
    fn a_file_without_words_is_refused() {
        assert!(Search::new("").is_none() && Search::new("a\n  \nbb\n").is_none());
    }
}
