//! The language of SMID, as published, and beyond it: wherever an action may stand, one of the
//! language of traces may.

use super::{Act, Button, Place, Probability};
use crate::event::{Direction, Event, number};
use crate::keys::of_keysym;
use crate::language;
use crate::property::Property;
use crate::target::{Target, coordinate};
use crate::text::{Cursor, Parsed, Position};
use crate::trace::Trace;

/// A statement of a file.
#[derive(Debug)]
pub(super) enum Statement {
    Initial(Vec<Name>),
    Final(Vec<Name>),
    Region { name: Name, area: [i32; 4] },
    Transition { sources: Sources, acts: Vec<Written>, destination: Destination, at: Position },
}

/// A name and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) at: Position,
}

#[derive(Debug)]
pub(super) enum Sources {
    These(Vec<Name>),
    AllExcept(Vec<Name>),
}

#[derive(Debug)]
pub(super) enum Destination {
    State(Name),
    Stay,
    Pre,
    Post,
}

/// An action as it is written.
#[derive(Debug)]
pub(super) enum Written {
    Act(Act),
    /// One transition for each line of this file.
    Line(Name),
    /// To a region that may be declared later.
    MoveTo(Name),
    Probability(Probability),
}

const RESERVED: &[&str] = &[
    "initial",
    "final",
    "region",
    "all",
    "all-except",
    "stay",
    "pre",
    "post",
    "keys",
    "text",
    "line",
    "move",
    "move-rel",
    "move_rel",
    "movr",
    "click",
    "clik",
    "scroll",
    "scrl",
    "shell",
    "shel",
    "win-change",
    "winc",
    "prob",
    "assert",
    "when",
];

pub(super) fn statements(text: &str) -> Parsed<Vec<Statement>> {
    let mut cursor = Cursor::new(text);
    let mut statements = Vec::new();
    while !cursor.is_at_end() {
        statements.push(statement(&mut cursor)?);
    }
    Ok(statements)
}

fn statement(cursor: &mut Cursor<'_>) -> Parsed<Statement> {
    if cursor.eat_word("initial") {
        return state_list(cursor).map(Statement::Initial);
    }
    if cursor.eat_word("final") {
        return state_list(cursor).map(Statement::Final);
    }
    if cursor.eat_word("region") {
        let name = name(cursor, "a name for the region")?;
        cursor.need("=")?;
        return Ok(Statement::Region { name, area: area(cursor)? });
    }
    let at = cursor.position();
    let sources = if cursor.eat_word("all-except") {
        Sources::AllExcept(states(cursor))
    } else if cursor.eat_word("all") {
        Sources::AllExcept(Vec::new())
    } else {
        let states = states(cursor);
        if states.is_empty() {
            return cursor.fail();
        }
        Sources::These(states)
    };
    cursor.need("--")?;
    let mut acts = Vec::new();
    while let Some(act) = act(cursor)? {
        acts.push(act);
        if cursor.eat("-->") || cursor.eat("->") {
            let destination = destination(cursor)?;
            return Ok(Statement::Transition { sources, acts, destination, at });
        }
    }
    cursor.fail()
}

fn destination(cursor: &mut Cursor<'_>) -> Parsed<Destination> {
    Ok(match cursor.eat_any(&["stay", "pre", "post"]) {
        Some("stay") => Destination::Stay,
        Some("pre") => Destination::Pre,
        Some(_) => Destination::Post,
        None => Destination::State(name(cursor, "a state")?),
    })
}

fn name_if(cursor: &mut Cursor<'_>, what: &str) -> Option<Name> {
    let at = cursor.position();
    cursor.name(what, |word| !RESERVED.contains(&word)).map(|text| Name { text: text.into(), at })
}

fn name(cursor: &mut Cursor<'_>, what: &str) -> Parsed<Name> {
    name_if(cursor, what).ok_or_else(|| cursor.complaint())
}

fn states(cursor: &mut Cursor<'_>) -> Vec<Name> {
    std::iter::from_fn(|| name_if(cursor, "a state")).collect()
}

/// A state, or several in brackets.
fn state_list(cursor: &mut Cursor<'_>) -> Parsed<Vec<Name>> {
    if !cursor.eat("[") {
        return name(cursor, "a state").map(|name| vec![name]);
    }
    let states = states(cursor);
    if states.is_empty() {
        return cursor.fail();
    }
    cursor.need("]")?;
    Ok(states)
}

/// Two or four numbers in parentheses (or brackets, as the manual has them).
fn area(cursor: &mut Cursor<'_>) -> Parsed<[i32; 4]> {
    let close = if cursor.eat("[") { "]" } else { cursor.need("(").map(|()| ")")? };
    let at = cursor.position();
    let (x, y) = (coordinate(cursor)?, coordinate(cursor)?);
    if cursor.eat(close) {
        return Ok([x, y, x, y]);
    }
    let (right, bottom) = (coordinate(cursor)?, coordinate(cursor)?);
    cursor.need(close)?;
    if right < x || bottom < y {
        return cursor.wrong(at, "the box ends before it begins: left, top, right, bottom");
    }
    Ok([x, y, right, bottom])
}

fn act(cursor: &mut Cursor<'_>) -> Parsed<Option<Written>> {
    let act = |act| Ok(Some(Written::Act(act)));
    let opens = |cursor: &Cursor<'_>| cursor.clone().eat("(") || cursor.clone().eat("[");
    let here = cursor.clone();
    match cursor.eat_any(&[
        "keys",
        "text",
        "line",
        "move",
        "move-rel",
        "move_rel",
        "movr",
        "click",
        "clik",
        "scroll",
        "scrl",
        "shell",
        "shel",
        "win-change",
        "winc",
        "prob",
        "assert",
        "when",
    ]) {
        Some("keys") if opens(cursor) => keys(cursor).map(|keys| Some(Written::Act(Act::Keys(keys)))),
        Some("text") => act(Act::Text { text: cursor.string("a text in quotation marks")?, file: None }),
        Some("line") => {
            let at = cursor.position();
            Ok(Some(Written::Line(Name { text: cursor.string("a file in quotation marks")?, at })))
        }
        Some("move") if opens(cursor) => act(Act::Move(Place::Area { region: None, area: area(cursor)? })),
        Some("move") if is_region(cursor) => name(cursor, "a region").map(|name| Some(Written::MoveTo(name))),
        Some("move") => act(Act::Move(Place::Widget(Target::parse(cursor)?))),
        Some("move-rel" | "move_rel" | "movr") => {
            let [x, y, ..] = area(cursor)?;
            act(Act::MoveBy(x, y))
        }
        Some("click" | "clik") if opens(cursor) => {
            let (times, button) = amount(cursor, &["left", "right", "L", "R"])?;
            act(Act::Click(times, if matches!(button, "left" | "L") { Button::Left } else { Button::Right }))
        }
        Some("scroll" | "scrl") if opens(cursor) => {
            let (lines, way) = amount(cursor, &["up", "down", "U", "D"])?;
            act(Act::Scroll(lines, if matches!(way, "up" | "U") { Direction::Up } else { Direction::Down }))
        }
        Some("shell" | "shel") => act(Act::Shell(cursor.block()?)),
        Some("win-change" | "winc") => act(Act::Window(cursor.string("a title in quotation marks")?)),
        Some("prob") => match cursor.eat_any(&["high", "med", "low"]) {
            Some("high") => Ok(Some(Written::Probability(Probability::High))),
            Some("med") => Ok(Some(Written::Probability(Probability::Medium))),
            Some(_) => Ok(Some(Written::Probability(Probability::Low))),
            None => cursor.fail(),
        },
        Some("assert") => act(Act::Do(Trace::Assert(Property::parse(cursor)?))),
        Some("when") => {
            let property = Property::parse(cursor)?;
            if !cursor.eat_word("then") {
                return cursor.fail();
            }
            act(Act::Do(Trace::When(property, Box::new(language::single(cursor)?))))
        }
        // Beyond SMID: `click "OK"`, `menu "File" > "Save"`, `type "x" into id 7`.
        taken => {
            if taken.is_some() {
                *cursor = here;
            }
            Ok(Event::parse_if(cursor)?.map(|event| Written::Act(Act::Do(event.into()))))
        }
    }
}

/// Whether a name of a region stands here, not a widget: a word that begins no target, or behind which
/// something else goes on.
fn is_region(cursor: &Cursor<'_>) -> bool {
    let Some(word) = cursor.peek_word() else { return false };
    let mut behind = cursor.clone();
    behind.eat_word(word);
    let goes_on = behind.eat("-")
        || behind.peek_word().is_some_and(|it| RESERVED.contains(&it) || Event::FIRST_WORDS.contains(&it));
    !Target::FIRST_WORDS.contains(&word)
        || goes_on && (word == "focus" || Target::parse(&mut cursor.clone()).is_err())
}

fn keys(cursor: &mut Cursor<'_>) -> Parsed<Vec<crate::event::Action>> {
    let start = cursor.position();
    let words = cursor.raw("[", ']')?;
    if words.is_empty() {
        return cursor.wrong(start, "at least one key is needed between `[` and `]`");
    }
    words
        .into_iter()
        .map(|(at, word)| of_keysym(&word).or_else(|message| cursor.wrong(at, message)))
        .collect()
}

/// A number and a word, in either order.
fn amount(cursor: &mut Cursor<'_>, words: &[&'static str]) -> Parsed<(u32, &'static str)> {
    cursor.need("(")?;
    let word = cursor.eat_any(words);
    let at = cursor.position();
    let number = number(cursor)?;
    if number == 0 || number > 1000 {
        return cursor.wrong(at, "a number between 1 and 1000 is needed");
    }
    let word = word.or_else(|| cursor.eat_any(words)).ok_or_else(|| cursor.complaint())?;
    cursor.need(")")?;
    Ok((number, word))
}
