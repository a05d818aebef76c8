//! Reading texts: a cursor that remembers what it would have taken at the furthest place, so that a complaint
//! says what was expected there.
//!
//! Blanks, commas and comments (`#` to the end of the line) stand between words and mean nothing.

use std::fmt;

/// A place in a text, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

/// What is wrong with a text, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The place.
    pub at: Position,
    /// A fragment of a sentence.
    pub message: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.at.line, self.at.column, self.message)
    }
}

impl std::error::Error for Complaint {}

impl Complaint {
    /// The complaint with the line it is about and a mark below it.
    pub fn show(&self, text: &str) -> String {
        let line = text.lines().nth(self.at.line.saturating_sub(1)).unwrap_or_default().replace('\t', " ");
        let margin = self.at.line.to_string();
        let blank = " ".repeat(margin.len());
        let mark = " ".repeat(self.at.column.saturating_sub(1));
        format!("{self}\n{blank} |\n{margin} | {line}\n{blank} | {mark}^")
    }
}

/// A place in a text that is read from front to back.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// What would have been taken at the furthest place looked at.
    expected: Vec<String>,
    expected_at: usize,
}

pub(crate) type Parsed<T> = Result<T, Complaint>;

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let mut cursor = Self { text, at: 0, expected: Vec::new(), expected_at: 0 };
        cursor.skip_blanks();
        cursor
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    pub(crate) fn position(&self) -> Position {
        self.position_of(self.at)
    }

    fn position_of(&self, at: usize) -> Position {
        let before = &self.text[..at];
        let line = before.matches('\n').count() + 1;
        let column = before[before.rfind('\n').map_or(0, |end| end + 1)..].chars().count() + 1;
        Position { line, column }
    }

    fn skip_blanks(&mut self) {
        loop {
            self.at = self.text.len()
                - self.rest().trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
            if !self.rest().starts_with('#') {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn forward(&mut self, len: usize) {
        self.at += len;
        self.skip_blanks();
    }

    /// Notes what could have stood here.
    pub(crate) fn expect(&mut self, what: &str) {
        if self.at > self.expected_at {
            self.expected.clear();
            self.expected_at = self.at;
        }
        if self.at == self.expected_at && !self.expected.iter().any(|known| known == what) {
            self.expected.push(what.to_owned());
        }
    }

    /// What was expected, and what stands there instead.
    pub(crate) fn complaint(&self) -> Complaint {
        let at = self.position_of(self.expected_at);
        let found = found(&self.text[self.expected_at..]);
        let expected = match self.expected.as_slice() {
            [] => return Complaint { at, message: format!("{found} is not understood") },
            [one] => one.clone(),
            [most @ .., last] => format!("{} or {last}", most.join(", ")),
        };
        Complaint { at, message: format!("expected {expected}, found {found}") }
    }

    pub(crate) fn fail<T>(&self) -> Parsed<T> {
        Err(self.complaint())
    }

    /// A complaint about a place.
    pub(crate) fn wrong<T>(&self, at: Position, message: impl Into<String>) -> Parsed<T> {
        Err(Complaint { at, message: message.into() })
    }

    /// Takes a sign.
    pub(crate) fn eat(&mut self, sign: &str) -> bool {
        let is_here = self.rest().starts_with(sign);
        match is_here {
            true => self.forward(sign.len()),
            false => self.expect(&format!("`{sign}`")),
        }
        is_here
    }

    pub(crate) fn need(&mut self, sign: &str) -> Parsed<()> {
        if self.eat(sign) { Ok(()) } else { self.fail() }
    }

    /// The word that stands here; not taken.
    pub(crate) fn peek_word(&self) -> Option<&'a str> {
        let rest = self.rest();
        let starts = |c: char| c.is_alphabetic() || c == '_';
        rest.chars().next().filter(|&c| starts(c))?;
        let mut chars = rest.char_indices().peekable();
        let mut end = rest.len();
        while let Some((at, c)) = chars.next() {
            let goes_on = c.is_alphanumeric()
                || c == '_'
                || c == '-' && chars.peek().is_some_and(|&(_, next)| starts(next));
            if !goes_on {
                end = at;
                break;
            }
        }
        Some(&rest[..end])
    }

    /// Takes this word.
    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let is_here = self.peek_word() == Some(word);
        match is_here {
            true => self.forward(word.len()),
            false => self.expect(&format!("`{word}`")),
        }
        is_here
    }

    /// Takes one of these words.
    pub(crate) fn eat_any(&mut self, words: &[&'static str]) -> Option<&'static str> {
        words.iter().find(|word| self.eat_word(word)).copied()
    }

    /// Takes a word that `is` accepts; `what` says what it would be.
    pub(crate) fn name(&mut self, what: &str, is: impl Fn(&str) -> bool) -> Option<&'a str> {
        let word = self.peek_word().filter(|word| is(word));
        match word {
            Some(word) => self.forward(word.len()),
            None => self.expect(what),
        }
        word
    }

    /// Takes a whole number.
    pub(crate) fn integer(&mut self, what: &str) -> Parsed<i64> {
        let rest = self.rest();
        let digits = rest.strip_prefix('-').unwrap_or(rest);
        let len = rest.len() - digits.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        match rest[..len].parse() {
            Ok(number) => {
                self.forward(len);
                Ok(number)
            }
            Err(_) if len > 1 => {
                self.wrong(self.position(), format!("the number {} is too large", &rest[..len]))
            }
            Err(_) => {
                self.expect(what);
                self.fail()
            }
        }
    }

    pub(crate) fn is_integer(&self) -> bool {
        self.rest().trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit())
    }

    pub(crate) fn is_string(&self) -> bool {
        self.rest().starts_with('"')
    }

    /// Takes a text in quotation marks; `\"`, `\\`, `\n` and `\t` as usual.
    pub(crate) fn string(&mut self, what: &str) -> Parsed<String> {
        if !self.is_string() {
            self.expect(what);
            return self.fail();
        }
        let (start, mut text) = (self.position(), String::new());
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.forward(at + 1);
                    return Ok(text);
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, c @ ('"' | '\\'))) => text.push(c),
                    Some((_, c)) => text.extend(['\\', c]),
                    None => break,
                },
                c => text.push(c),
            }
        }
        self.wrong(start, "the text has no closing `\"`")
    }

    /// Takes the words between two signs as they stand; a backslash before the closing one keeps it.
    pub(crate) fn raw(&mut self, open: &str, close: char) -> Parsed<Vec<(Position, String)>> {
        self.need_open(open)?;
        let (start, mut words) = (self.position(), Vec::new());
        let mut word: Option<(Position, String)> = None;
        loop {
            let mut chars = self.rest().chars();
            match (chars.next(), chars.next()) {
                (None, _) => return self.wrong(start, format!("`{open}` has no closing `{close}`")),
                (Some('\\'), Some(c)) if c == close => {
                    word.get_or_insert_with(|| (self.position_of(self.at), String::new())).1.push(c);
                    self.at += 2;
                }
                (Some(c), _) if c == close => {
                    words.extend(word);
                    self.forward(c.len_utf8());
                    return Ok(words);
                }
                (Some('#'), _) if word.is_none() => {
                    self.at += self.rest().find('\n').unwrap_or(self.rest().len());
                }
                (Some(c), _) if c.is_whitespace() => {
                    words.extend(word.take());
                    self.at += c.len_utf8();
                }
                (Some(c), _) => {
                    word.get_or_insert_with(|| (self.position_of(self.at), String::new())).1.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
    }

    fn need_open(&mut self, open: &str) -> Parsed<()> {
        if !self.rest().starts_with(open) {
            self.expect(&format!("`{open}`"));
            return self.fail();
        }
        self.at += open.len();
        Ok(())
    }

    /// Takes a block in braces as it stands, with braces inside.
    pub(crate) fn block(&mut self) -> Parsed<String> {
        self.need_open("{")?;
        let (start, rest) = (self.position(), self.rest());
        let (mut depth, mut is_escaped) = (0_usize, false);
        for (at, c) in rest.char_indices() {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '{' => depth += 1,
                '}' if depth == 0 => {
                    self.forward(at + 1);
                    return Ok(rest[..at].trim().to_owned());
                }
                '}' => depth -= 1,
                _ => {}
            }
        }
        self.wrong(start, "`{` has no closing `}`")
    }
}

/// What stands at the beginning of a text, in short.
fn found(rest: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    match rest.chars().next() {
        None => "the end of the file".into(),
        Some('"') => "a text in quotation marks".into(),
        Some(c) if is_word(c) => {
            let word: String = rest.chars().take_while(|&c| is_word(c)).take(40).collect();
            format!("`{word}`")
        }
        Some('-') => {
            format!("`{}`", rest.chars().take_while(|c| "->".contains(*c)).take(4).collect::<String>())
        }
        Some(c) => format!("`{}`", c.escape_debug()),
    }
}

/// A text in quotation marks, as [`Cursor::string`] reads it.
pub(crate) fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_could_have_stood_there_is_named() {
        let mut cursor = Cursor::new("one two\n  three");
        assert!(cursor.eat_word("one") && cursor.eat_word("two"));
        assert!(!cursor.eat_word("four") && !cursor.eat("("));
        let complaint = cursor.complaint();
        assert_eq!(complaint.to_string(), "line 2, column 3: expected `four` or `(`, found `three`");
        assert!(complaint.show("one two\n  three").ends_with("2 |   three\n  |   ^"));
    }

    #[test]
    fn texts_come_back_as_they_were() {
        for text in ["", "plain", "a \"quote\"", "back\\slash", "two\nlines\tand a tab", "ünï"] {
            assert_eq!(Cursor::new(&quoted(text)).string("a text"), Ok(text.to_owned()));
        }
        assert!(Cursor::new("\"open").string("a text").is_err());
    }
}
