//! The text of traces and of sets of traces: what `generator.rs` builds in Rust, written in a file.
//!
//! ```text
//! let login = type "test" into "User" >> type "1234" into "Password" >> click "Sign in"
//!
//! click "Enter" *>> (login >> assert displayed "Welcome" | click "Cancel")
//! >> gorilla 50 (when displayed "Login" then login)
//! ```

use crate::event::{Action, Event};
use crate::generator::{Generator, Texts, gorilla, monkey, relevant_monkey};
use crate::property::Property;
use crate::target::{Target, coordinate};
use crate::text::{Complaint, Cursor, Parsed};
use crate::trace::Trace;
use std::collections::HashMap;

/// A program's area for `monkey`, where none is given.
const AREA: [i32; 4] = [0, 0, 800, 600];
/// Deeper nesting is a mistake, or malice.
const MAX_DEPTH: usize = 200;

/// Reads a set of traces. A property that never can hold is a complaint.
pub fn read(text: &str) -> Result<Generator, Complaint> {
    let mut reader = Reader { cursor: Cursor::new(text), defined: HashMap::new(), depth: 0 };
    while reader.cursor.eat_word("let") {
        let at = reader.cursor.position();
        let name =
            reader.cursor.name("a name", |word| !is_taken(word)).ok_or_else(|| reader.cursor.complaint())?;
        if reader.defined.contains_key(name) {
            return reader.cursor.wrong(at, format!("`{name}` is defined twice"));
        }
        reader.cursor.need("=")?;
        let generator = reader.choice()?;
        reader.defined.insert(name.to_owned(), generator);
    }
    let generator = reader.choice()?;
    if !reader.cursor.is_at_end() {
        reader.cursor.expect("the end of the file");
        return reader.cursor.fail();
    }
    Ok(generator)
}

/// One event, or a trace in parentheses.
pub(crate) fn single(cursor: &mut Cursor<'_>) -> Parsed<Trace> {
    let at = cursor.position();
    let mut reader = Reader { cursor: cursor.clone(), defined: HashMap::new(), depth: 0 };
    let generator = reader.postfix();
    *cursor = reader.cursor;
    generator?
        .only()
        .map_or_else(|| cursor.wrong(at, "only one trace can stand here, not a choice of several"), Ok)
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    defined: HashMap<String, Generator>,
    depth: usize,
}

const WORDS: &[&str] = &[
    "let",
    "unit",
    "assert",
    "when",
    "then",
    "optional",
    "repeat",
    "monkey",
    "relevant-monkey",
    "gorilla",
    "preserves",
    "any",
    "within",
];

fn is_taken(word: &str) -> bool {
    WORDS.contains(&word) || Event::FIRST_WORDS.contains(&word)
}

impl Reader<'_> {
    fn choice(&mut self) -> Parsed<Generator> {
        let mut it = self.sequence()?;
        while self.cursor.eat("|") {
            it = it | self.sequence()?;
        }
        Ok(it)
    }

    fn sequence(&mut self) -> Parsed<Generator> {
        let mut it = self.preserved()?;
        loop {
            if self.cursor.eat(">>") {
                it = it >> self.preserved()?;
            } else if self.cursor.eat("*>>") {
                it = it.interruptible(self.preserved()?);
            } else {
                return Ok(it);
            }
        }
    }

    fn preserved(&mut self) -> Parsed<Generator> {
        let mut it = self.postfix()?;
        while self.cursor.eat_word("preserves") {
            it = it.preserves(Property::parse(&mut self.cursor)?);
        }
        Ok(it)
    }

    fn postfix(&mut self) -> Parsed<Generator> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.cursor.wrong(self.cursor.position(), "nested too deeply");
        }
        let mut it = self.primary()?;
        if self.cursor.eat("?") {
            it = it.attempt();
        }
        // To try what is tried is the same.
        while self.cursor.eat("?") {}
        self.depth -= 1;
        Ok(it)
    }

    fn times(&mut self) -> Parsed<usize> {
        let at = self.cursor.position();
        let times = self.cursor.integer("a number")?;
        let valid = usize::try_from(times).ok().filter(|times| (1..=100_000).contains(times));
        valid.map_or_else(|| self.cursor.wrong(at, "a number between 1 and 100000 is needed"), Ok)
    }

    fn primary(&mut self) -> Parsed<Generator> {
        if self.cursor.eat("(") {
            let it = self.choice()?;
            self.cursor.need(")")?;
            return Ok(it);
        }
        let words = ["unit", "assert", "when", "optional", "repeat", "monkey", "relevant-monkey", "gorilla"];
        match self.cursor.eat_any(&words) {
            Some("unit") => Ok(Generator::Unit),
            Some("assert") => Property::parse(&mut self.cursor).map(Generator::Assert),
            Some("when") => {
                let property = Property::parse(&mut self.cursor)?;
                if !self.cursor.eat_word("then") {
                    return self.cursor.fail();
                }
                Ok(Generator::When(property, Box::new(self.postfix()?)))
            }
            Some("optional") => Ok(self.postfix()?.optional()),
            Some("repeat") => {
                let times = self.times()?;
                Ok(self.postfix()?.repeat(times))
            }
            Some("monkey") => {
                let times = self.times()?;
                let area = if self.cursor.eat_word("within") { self.area()? } else { AREA };
                Ok(monkey(times, area))
            }
            Some("relevant-monkey") => Ok(relevant_monkey(self.times()?)),
            Some(_) => {
                let times = self.times()?;
                Ok(gorilla(times, self.postfix()?))
            }
            None => self.event(),
        }
    }

    fn area(&mut self) -> Parsed<[i32; 4]> {
        self.cursor.need("(")?;
        let mut area = [0; 4];
        for side in &mut area {
            *side = coordinate(&mut self.cursor)?;
        }
        self.cursor.need(")")?;
        Ok(area)
    }

    /// An event, one of a set of events, or a name.
    fn event(&mut self) -> Parsed<Generator> {
        let here = self.cursor.clone();
        if self.cursor.eat_word("type") && self.cursor.eat_word("any") {
            let texts = match self.cursor.eat("(") {
                false => Texts::UpTo(self.times()?),
                true => {
                    let mut texts = vec![self.cursor.string("a text in quotation marks")?];
                    while !self.cursor.eat(")") {
                        texts.push(self.cursor.string("a text in quotation marks")?);
                    }
                    Texts::OneOf(texts)
                }
            };
            let target =
                if self.cursor.eat_word("into") { Target::parse(&mut self.cursor)? } else { Target::Focus };
            return Ok(Generator::Type(texts, target));
        }
        self.cursor = here.clone();
        for word in ["click", "double-click", "right-click"] {
            if self.cursor.eat_word(word) && self.cursor.eat_word("within") {
                let action = match word {
                    "click" => Action::Click(Vec::new()),
                    "double-click" => Action::DoubleClick(Vec::new()),
                    _ => Action::RightClick(Vec::new()),
                };
                return Ok(Generator::Point(action, self.area()?));
            }
            self.cursor = here.clone();
        }
        if let Some(event) = Event::parse_if(&mut self.cursor)? {
            // `sleep 10 to 200`
            if let Action::Sleep(least) = event.action
                && self.cursor.eat_word("to")
            {
                let most = u64::from(crate::event::number(&mut self.cursor)?);
                return Ok(Generator::Sleep(least, most.max(least)));
            }
            return Ok(event.into());
        }
        let at = self.cursor.position();
        let name = self.cursor.name("a name that is defined with `let`", |word| !is_taken(word));
        let name = name.ok_or_else(|| self.cursor.complaint())?;
        match self.defined.get(name) {
            Some(generator) => Ok(generator.clone()),
            None => self.cursor.wrong(at, format!("`{name}` is not defined: `let {name} = …` would do it")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn complaints_name_place_and_expectation() {
        for (text, expected) in [
            ("", "line 1, column 1: expected `let`, `(`, `unit`, `assert`"),
            ("click \"a\" >>", "line 1, column 13: expected `(`, `unit`"),
            (
                "click \"a\" click \"b\"",
                "line 1, column 11: expected `/`, `&`, `nth`, `in`, `?`, `preserves`, `>>`, `*>>`, `|` or the end of the file, found `click`",
            ),
            ("login", "line 1, column 1: `login` is not defined"),
            ("let a = skip let a = skip a", "line 1, column 18: `a` is defined twice"),
            ("repeat 0 skip", "line 1, column 8: a number between"),
            ("when displayed \"x\" click \"y\"", "expected"),
            ("assert exists \"x\" and not exists \"x\"", "line 1, column 8: this never can hold"),
            ("type any () into *", "line 1, column 11: expected a text in quotation marks"),
            ("select \"a\"", "line 1, column 11: expected `>` or `in`, found the end of the file"),
        ] {
            let found = complaint(text);
            assert!(found.contains(expected), "{text}: {found}");
        }
        for nested in ["(", "optional ", "repeat 2 ", "when exists \"a\" then "] {
            assert!(complaint(&nested.repeat(100_000)).contains("nested too deeply"), "{nested}");
        }
        assert!(complaint(&format!("click {}", "id 1 in ".repeat(100_000))).contains("nested too deeply"));
        assert!(read(&format!("skip{}", "?".repeat(100_000))).is_ok());
        for nested in ["(", "not ", "exists \"a\" implies "] {
            let text = format!("assert {}", nested.repeat(100_000));
            assert!(complaint(&text).contains("nested too deeply"), "{nested}");
        }
        assert!(read("assert not (exists \"x\" and not exists \"x\")").is_ok());
    }

    #[test]
    fn traces_are_read_as_they_are_written() {
        for text in [
            "click \"a\" >> type \"x\" into id 4 >> assert (enabled \"a\" or checked \"b\")",
            "(click * >> keys \"F2\")?",
            "when displayed \"x\" then (click \"y\" >> (close)?)",
            "unit",
        ] {
            let trace =
                read(text).unwrap_or_else(|complaint| panic!("{}", complaint.show(text))).only().unwrap();
            assert_eq!(read(&trace.to_string()).unwrap().only(), Some(trace.clone()));
            assert_eq!(read(&trace.to_file()).unwrap().only(), Some(trace));
        }
    }

    #[test]
    fn the_text_means_what_the_combinators_mean() {
        use crate::generator::{click, interrupts, typed, when};
        let displayed = || Property::Displayed(Target::named("x"));
        for (text, generator) in [
            ("click \"a\" >> click \"b\" | click \"c\"", click("a") >> click("b") | click("c")),
            ("optional click \"a\"", click("a").optional()),
            ("repeat 3 (click \"a\")?", click("a").attempt().repeat(3)),
            ("click \"a\" *>> click \"b\"", click("a") >> interrupts().attempt().repeat(3) >> click("b")),
            ("click \"a\" preserves displayed \"x\"", click("a").preserves(displayed())),
            (
                "gorilla 5 when displayed \"x\" then click \"a\"",
                gorilla(5, when(displayed()).then(click("a"))),
            ),
            ("relevant-monkey 9", relevant_monkey(9)),
            ("monkey 9 within (1 2 3 4)", monkey(9, [1, 2, 3, 4])),
            ("let a = type \"t\" into id 1 a >> a", typed("t", Target::id(1)) >> typed("t", Target::id(1))),
        ] {
            assert_eq!(read(text), Ok(generator), "{text}");
        }
    }
}
