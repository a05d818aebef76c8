//! What can be said of a scene, and whether it is true.

use crate::scene::{Scene, Widget};
use crate::target::Target;
use crate::text::{Cursor, Parsed, quoted};
use regex_lite::Regex;
use std::fmt;

/// Something that is true of a scene, or not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// There is such a widget.
    Exists(Target),
    /// One is shown.
    Displayed(Target),
    /// One is shown and takes input.
    Enabled(Target),
    /// One is checked.
    Checked(Target),
    /// One has the focus.
    Focused(Target),
    /// One holds exactly this text.
    TextEquals(Target, String),
    /// One holds a text in which this regular expression is found.
    TextMatches(Target, String),
    /// So many are shown.
    Count(Target, Comparison, u32),
    /// A predicate of the user's own, by its name.
    Predicate(String, Vec<String>),
    /// It is not so.
    Not(Box<Property>),
    /// Both.
    And(Box<Property>, Box<Property>),
    /// One of them, or both.
    Or(Box<Property>, Box<Property>),
    /// If the first, then the second.
    Implies(Box<Property>, Box<Property>),
}

/// How a number is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "their names say it")]
pub enum Comparison {
    Equal,
    Less,
    Greater,
}

/// Answers predicates of the user's own: none if there is no such predicate.
pub type Predicates<'a> = dyn FnMut(&str, &[String], &Scene) -> Option<bool> + 'a;

impl Property {
    /// The name of a predicate of the user's own that it asks.
    pub fn predicate_name(&self) -> Option<&str> {
        match self {
            Self::Predicate(name, _) => Some(name),
            Self::Not(it) => it.predicate_name(),
            Self::And(a, b) | Self::Or(a, b) | Self::Implies(a, b) => {
                a.predicate_name().or_else(|| b.predicate_name())
            }
            _ => None,
        }
    }

    /// Whether it holds; the error names a predicate nobody has defined.
    pub fn holds(&self, scene: &Scene, predicates: &mut Predicates<'_>) -> Result<bool, String> {
        let some = |target, is: &dyn Fn(&Widget) -> bool| Ok(scene.find(target).into_iter().any(is));
        match self {
            Self::Exists(target) => some(target, &|_| true),
            Self::Displayed(target) => some(target, &|widget| widget.is_displayed),
            Self::Enabled(target) => some(target, &Widget::is_available),
            Self::Checked(target) => some(target, &|widget| widget.is_checked == Some(true)),
            Self::Focused(target) => some(target, &|widget| widget.is_focused),
            Self::TextEquals(target, text) => some(target, &|widget| widget.text == *text),
            Self::TextMatches(target, pattern) => {
                let pattern = Regex::new(pattern).map_err(|error| error.to_string())?;
                some(target, &|widget| pattern.is_match(&widget.text))
            }
            Self::Count(target, comparison, number) => {
                let count = scene.find(target).into_iter().filter(|widget| widget.is_displayed).count();
                Ok(comparison.holds(count, *number as usize))
            }
            Self::Predicate(name, args) => predicates(name, args, scene)
                .ok_or_else(|| format!("nobody has defined the predicate {name}")),
            Self::Not(it) => it.holds(scene, predicates).map(|holds| !holds),
            Self::And(a, b) => Ok(a.holds(scene, predicates)? && b.holds(scene, predicates)?),
            Self::Or(a, b) => Ok(a.holds(scene, predicates)? || b.holds(scene, predicates)?),
            Self::Implies(a, b) => Ok(!a.holds(scene, predicates)? || b.holds(scene, predicates)?),
        }
    }

    /// Whether no scene at all could have it. Decided for up to sixteen different claims; larger ones are
    /// taken to be possible.
    pub fn is_impossible(&self) -> bool {
        let mut claims = Vec::new();
        self.claims(&mut claims);
        if claims.len() > 16 {
            return false;
        }
        (0..1_u32 << claims.len()).all(|truth| {
            let is_true = |claim: &Self| {
                claims.iter().position(|known| *known == claim).is_some_and(|at| truth >> at & 1 == 1)
            };
            !self.would_hold(&is_true) || !is_consistent(&claims, &is_true)
        })
    }

    fn claims<'a>(&'a self, into: &mut Vec<&'a Self>) {
        match self {
            Self::Not(it) => it.claims(into),
            Self::And(a, b) | Self::Or(a, b) | Self::Implies(a, b) => {
                a.claims(into);
                b.claims(into);
            }
            claim if !into.contains(&claim) => into.push(claim),
            _ => {}
        }
    }

    fn would_hold(&self, is_true: &dyn Fn(&Self) -> bool) -> bool {
        match self {
            Self::Not(it) => !it.would_hold(is_true),
            Self::And(a, b) => a.would_hold(is_true) && b.would_hold(is_true),
            Self::Or(a, b) => a.would_hold(is_true) || b.would_hold(is_true),
            Self::Implies(a, b) => !a.would_hold(is_true) || b.would_hold(is_true),
            claim => is_true(claim),
        }
    }

    /// The target of a claim about a widget that is there.
    fn subject(&self) -> Option<&Target> {
        match self {
            Self::Exists(target)
            | Self::Displayed(target)
            | Self::Enabled(target)
            | Self::Checked(target)
            | Self::Focused(target)
            | Self::TextEquals(target, _)
            | Self::TextMatches(target, _) => Some(target),
            Self::Count(target, Comparison::Greater, _) => Some(target),
            Self::Count(target, Comparison::Equal, 1..) => Some(target),
            _ => None,
        }
    }
}

/// Whether these claims can be true and false together: what has a state exists, what is enabled is shown,
/// and some number fits all that is said of it.
fn is_consistent(claims: &[&Property], is_true: &dyn Fn(&Property) -> bool) -> bool {
    claims.iter().filter(|claim| is_true(claim)).all(|claim| {
        let is_denied = |other: &&Property| match (other, claim) {
            (Property::Exists(target), _) => claim.subject() == Some(target),
            (Property::Displayed(target), Property::Enabled(enabled)) => target == enabled,
            _ => false,
        };
        !claims.iter().filter(|other| !is_true(other)).any(is_denied)
    }) && claims.iter().all(|claim| match claim {
        Property::Count(target, ..) => some_number_fits(target, claims, is_true),
        _ => true,
    })
}

/// Whether so many widgets can be there as these claims say. If any number will do, one beside those
/// that are named does.
fn some_number_fits(target: &Target, claims: &[&Property], is_true: &dyn Fn(&Property) -> bool) -> bool {
    let said: Vec<(bool, Comparison, usize)> = claims
        .iter()
        .filter_map(|claim| match claim {
            Property::Count(of, comparison, number) if of == target => {
                Some((is_true(claim), *comparison, *number as usize))
            }
            _ => None,
        })
        .collect();
    let fits = |count: usize| said.iter().all(|&(holds, how, number)| how.holds(count, number) == holds);
    fits(0) || said.iter().any(|&(_, _, number)| fits(number) || fits(number + 1))
}

impl Comparison {
    fn holds(self, count: usize, number: usize) -> bool {
        match self {
            Self::Equal => count == number,
            Self::Less => count < number,
            Self::Greater => count > number,
        }
    }
}

impl Property {
    /// Reads one; that it can hold at all is part of that.
    pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        let at = cursor.position();
        let property = Self::implication(cursor, 0)?;
        if property.is_impossible() {
            return cursor.wrong(at, format!("this never can hold: {property}"));
        }
        Ok(property)
    }

    fn implication(cursor: &mut Cursor<'_>, depth: usize) -> Parsed<Self> {
        let first = Self::alternatives(cursor, depth)?;
        if !cursor.eat_word("implies") {
            return Ok(first);
        }
        Ok(Self::Implies(Box::new(first), Box::new(Self::implication(cursor, depth + 1)?)))
    }

    fn alternatives(cursor: &mut Cursor<'_>, depth: usize) -> Parsed<Self> {
        let mut it = Self::conjunction(cursor, depth)?;
        while cursor.eat_word("or") {
            it = Self::Or(Box::new(it), Box::new(Self::conjunction(cursor, depth)?));
        }
        Ok(it)
    }

    fn conjunction(cursor: &mut Cursor<'_>, depth: usize) -> Parsed<Self> {
        let mut it = Self::claim(cursor, depth)?;
        while cursor.eat_word("and") {
            it = Self::And(Box::new(it), Box::new(Self::claim(cursor, depth)?));
        }
        Ok(it)
    }

    fn claim(cursor: &mut Cursor<'_>, depth: usize) -> Parsed<Self> {
        /// Deeper nesting is a mistake, or malice.
        const MAX_DEPTH: usize = 200;
        if depth > MAX_DEPTH {
            return cursor.wrong(cursor.position(), "nested too deeply");
        }
        if cursor.eat_word("not") {
            return Ok(Self::Not(Box::new(Self::claim(cursor, depth + 1)?)));
        }
        if cursor.eat("(") {
            let it = Self::implication(cursor, depth + 1)?;
            cursor.need(")")?;
            return Ok(it);
        }
        let words = ["exists", "displayed", "enabled", "checked", "focused", "text", "count"];
        let Some(word) = cursor.eat_any(&words) else { return Self::predicate(cursor) };
        let target = Target::parse(cursor)?;
        Ok(match word {
            "exists" => Self::Exists(target),
            "displayed" => Self::Displayed(target),
            "enabled" => Self::Enabled(target),
            "checked" => Self::Checked(target),
            "focused" => Self::Focused(target),
            "text" if cursor.eat_word("equals") => {
                Self::TextEquals(target, cursor.string("a text in quotation marks")?)
            }
            "text" if cursor.eat_word("matches") => {
                let at = cursor.position();
                let pattern = cursor.string("a regular expression in quotation marks")?;
                if let Err(error) = Regex::new(&pattern) {
                    return cursor.wrong(at, format!("this is no regular expression: {error}"));
                }
                Self::TextMatches(target, pattern)
            }
            "text" => return cursor.fail(),
            _ => {
                let signs = [("=", Comparison::Equal), ("<", Comparison::Less), (">", Comparison::Greater)];
                let Some((_, comparison)) = signs.into_iter().find(|(sign, _)| cursor.eat(sign)) else {
                    return cursor.fail();
                };
                Self::Count(target, comparison, crate::event::number(cursor)?)
            }
        })
    }

    fn predicate(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        const TAKEN: [&str; 5] = ["and", "or", "implies", "then", "not"];
        let Some(name) = cursor.name("a predicate of your own", |word| !TAKEN.contains(&word)) else {
            return cursor.fail();
        };
        cursor.need("(")?;
        let mut args = Vec::new();
        while !cursor.eat(")") {
            args.push(match cursor.is_integer() {
                true => cursor.integer("a number")?.to_string(),
                false => cursor.string("a text in quotation marks or a number")?,
            });
        }
        Ok(Self::Predicate(name.into(), args))
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exists(target) => write!(f, "exists {target}"),
            Self::Displayed(target) => write!(f, "displayed {target}"),
            Self::Enabled(target) => write!(f, "enabled {target}"),
            Self::Checked(target) => write!(f, "checked {target}"),
            Self::Focused(target) => write!(f, "focused {target}"),
            Self::TextEquals(target, text) => write!(f, "text {target} equals {}", quoted(text)),
            Self::TextMatches(target, pattern) => write!(f, "text {target} matches {}", quoted(pattern)),
            Self::Count(target, comparison, number) => {
                let sign = match comparison {
                    Comparison::Equal => '=',
                    Comparison::Less => '<',
                    Comparison::Greater => '>',
                };
                write!(f, "count {target} {sign} {number}")
            }
            Self::Predicate(name, args) => {
                let args: Vec<String> = args.iter().map(|arg| quoted(arg)).collect();
                write!(f, "{name}({})", args.join(", "))
            }
            Self::Not(it) => write!(f, "not {}", Inner(it)),
            Self::And(a, b) => write!(f, "{} and {}", Inner(a), Inner(b)),
            Self::Or(a, b) => write!(f, "{} or {}", Inner(a), Inner(b)),
            Self::Implies(a, b) => write!(f, "{} implies {}", Inner(a), Inner(b)),
        }
    }
}

/// A property inside another one.
struct Inner<'a>(&'a Property);

impl fmt::Display for Inner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Property::And(..) | Property::Or(..) | Property::Implies(..) => write!(f, "({})", self.0),
            simple => simple.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Property {
        let mut cursor = Cursor::new(text);
        let property = Property::implication(&mut cursor, 0)
            .unwrap_or_else(|complaint| panic!("{}", complaint.show(text)));
        assert!(cursor.is_at_end(), "{text}");
        property
    }

    #[test]
    fn properties_are_read_as_they_are_written() {
        for text in [
            "exists \"OK\"",
            "not displayed id 7",
            "(exists \"a\" and enabled \"b\") or not (checked \"c\" or focused \"d\")",
            "text id 4 equals \"12.50\" implies count role dialog < 1",
            "text id 4 matches \"^[0-9]+$\"",
            "playing(\"song\", \"3\")",
        ] {
            assert_eq!(parse(text).to_string(), text);
        }
    }

    #[test]
    fn what_never_can_hold_is_known() {
        for text in [
            "exists \"a\" and not exists \"a\"",
            "enabled \"a\" and not displayed \"a\"",
            "not (exists \"a\" or not exists \"a\")",
            "count \"a\" < 0",
            "count \"a\" = 2 and not exists \"a\"",
            "count \"a\" > 2 and count \"a\" < 1",
            "count \"a\" > 2 and count \"a\" < 3",
            "count \"a\" = 2 and count \"a\" = 3",
            "count \"a\" = 2 and not count \"a\" < 3",
        ] {
            assert!(parse(text).is_impossible(), "{text}");
        }
        for text in [
            "exists \"a\"",
            "not exists \"a\"",
            "count \"a\" < 1 or count \"a\" > 7",
            "count \"a\" > 2 and count \"a\" < 4",
            "count \"a\" > 2 and count \"b\" < 1",
            "not count \"a\" = 0 and not count \"a\" = 1",
            "exists \"a\" and not displayed \"a\"",
        ] {
            assert!(!parse(text).is_impossible(), "{text}");
        }
    }
}
