//! Sets of traces (ChimpCheck's Figure 9 and 10): what may be done, in any of many ways. A generator is a
//! `proptest` strategy, so a failing trace shrinks, its seed is kept, and it can be pinned.
//!
//! ```
//! use scenario::{Generator, click, typed, when, Property, Target};
//! let login = typed("test", Target::id(1)) >> click("Sign in").optional();
//! let session = login | click("Cancel").repeat(3).attempt();
//! # let _ = session;
//! ```

use crate::event::{Action, Direction, Event, Interrupt};
use crate::property::Property;
use crate::target::Target;
use crate::trace::Trace;
use proptest::prop_oneof;
use proptest::strategy::{BoxedStrategy, Just, NewTree, Strategy, Union};
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;
use std::ops::{BitOr, RangeInclusive, Shr};

/// A set of traces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Generator {
    /// Nothing.
    Unit,
    /// One event.
    Event(Event),
    /// One of these texts, or any printable text up to a length, typed.
    Type(Texts, Target),
    /// A click of any kind at any point of an area: left, top, right, bottom.
    Point(Action, [i32; 4]),
    /// Some milliseconds between these.
    Sleep(u64, u64),
    /// This has to be true.
    Assert(Property),
    /// One after the other.
    Sequence(Vec<Generator>),
    /// One of them.
    Choice(Vec<Generator>),
    /// What cannot be done is left out.
    Try(Box<Generator>),
    /// Only if this is true then.
    When(Property, Box<Generator>),
    /// Once or more, up to so many times; each time another one of the set.
    Repeat(usize, Box<Generator>),
}

/// A set of texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Texts {
    /// These.
    OneOf(Vec<String>),
    /// All of printable characters up to this length.
    UpTo(usize),
}

/// A click on a widget with this name.
pub fn click(name: &str) -> Generator {
    Event::new(Action::Click(Vec::new()), Target::named(name)).into()
}

/// A text typed into a widget.
pub fn typed(text: &str, target: Target) -> Generator {
    Event::new(Action::Type(text.into()), target).into()
}

/// A property that has to be true.
pub fn assert(property: Property) -> Generator {
    Generator::Assert(property)
}

/// The beginning of a guarded generator.
pub fn when(property: Property) -> When {
    When(property)
}

/// See [`when`].
#[derive(Debug, Clone)]
pub struct When(Property);

impl When {
    /// This is done only if the property holds then.
    pub fn then(self, generator: impl Into<Generator>) -> Generator {
        Generator::When(self.0, Box::new(generator.into()))
    }
}

/// What happens to a program from outside: any interrupt.
pub fn interrupts() -> Generator {
    let event = |interrupt: &Interrupt| Event::new(Action::Interrupt(*interrupt), Target::Focus).into();
    Generator::Choice(Interrupt::ALL.iter().map(event).collect())
}

/// Up to so many events at random points of an area, keys, and interrupts, each of them tried.
pub fn monkey(events: usize, area: [i32; 4]) -> Generator {
    let at = |action| Generator::Point(action, area).attempt();
    let any = at(Action::Click(Vec::new()))
        | at(Action::DoubleClick(Vec::new()))
        | at(Action::RightClick(Vec::new()))
        | (at(Action::Click(Vec::new())) >> Generator::Type(Texts::UpTo(12), Target::Focus).attempt())
        | keys().attempt()
        | Generator::Sleep(0, 50).attempt();
    (any | interrupts().attempt()).repeat(events)
}

/// Up to so many events at widgets for which they make sense, and interrupts, each of them tried.
pub fn relevant_monkey(events: usize) -> Generator {
    (relevant() | interrupts().attempt()).repeat(events)
}

/// Any of the things users do. Each kind is as likely as any other, however many events are of it.
fn relevant() -> Generator {
    let on = |action| Generator::from(Event::new(action, Target::Any));
    let rare = on(Action::DoubleClick(Vec::new()))
        | on(Action::RightClick(Vec::new()))
        | on(Action::Scroll(Direction::Up, 3))
        | on(Action::Scroll(Direction::Down, 3))
        | Generator::Sleep(0, 50);
    on(Action::Click(Vec::new())).attempt()
        | Generator::from(Event::new(Action::Menu(Vec::new()), Target::Focus)).attempt()
        | on(Action::Select(Vec::new())).attempt()
        | Generator::Type(Texts::UpTo(12), Target::Any).attempt()
        | keys().attempt()
        | rare.attempt()
}

/// Keys that mean something in most programs.
fn keys() -> Generator {
    const KEYS: [&str; 11] =
        ["Enter", "Esc", "Tab", "Space", "Delete", "Insert", "F2", "Home", "End", "Up", "Down"];
    let key = |keys: &&str| Event::new(Action::Keys((*keys).into()), Target::Focus).into();
    Generator::Choice(KEYS.iter().map(key).collect())
}

/// Up to so many times: first one of the given set, then something relevant or an interrupt.
pub fn gorilla(times: usize, first: impl Into<Generator>) -> Generator {
    (first.into() >> (relevant() | interrupts().attempt())).repeat(times)
}

impl Generator {
    /// This or nothing.
    pub fn optional(self) -> Self {
        // What comes first is what a failing trace shrinks to.
        Self::from(Event::new(Action::Skip, Target::Focus)) | self
    }

    /// Once or more, up to so many times.
    pub fn repeat(self, times: usize) -> Self {
        Self::Repeat(times.max(1), Box::new(self))
    }

    /// What cannot be done is left out.
    pub fn attempt(self) -> Self {
        Self::Try(Box::new(self))
    }

    /// This and then the other, with up to three interrupts in between (`*>>`), each of them tried.
    pub fn interruptible(self, next: impl Into<Self>) -> Self {
        self >> interrupts().attempt().repeat(3) >> next.into()
    }

    /// The property holds before and after.
    pub fn preserves(self, property: Property) -> Self {
        assert(property.clone()) >> self >> assert(property)
    }

    /// Whether a trace is one of the set: Figure 10, asked the other way round.
    pub fn contains(&self, trace: &Trace) -> bool {
        let parts = trace.parts();
        self.ends(parts, 0).contains(&parts.len())
    }

    /// Where a trace of the set could end that begins with this part.
    fn ends(&self, parts: &[Trace], from: usize) -> BTreeSet<usize> {
        let one = |is: bool| if is { BTreeSet::from([from + 1]) } else { BTreeSet::new() };
        let part = parts.get(from);
        match (self, part) {
            (Self::Sequence(all), _) => all.iter().fold(BTreeSet::from([from]), |starts, generator| {
                starts.into_iter().flat_map(|start| generator.ends(parts, start)).collect()
            }),
            (Self::Choice(all), _) => all.iter().flat_map(|generator| generator.ends(parts, from)).collect(),
            (Self::Repeat(times, inner), _) => {
                let (mut all, mut last) = (BTreeSet::new(), BTreeSet::from([from]));
                for _ in 0..*times {
                    last = last.into_iter().flat_map(|start| inner.ends(parts, start)).collect();
                    all.extend(last.iter().copied());
                }
                all
            }
            (_, None) => BTreeSet::new(),
            (Self::Unit, Some(part)) => one(*part == Trace::Unit),
            (Self::Event(event), Some(part)) => one(*part == Trace::Event(event.clone())),
            (Self::Assert(property), Some(part)) => one(*part == Trace::Assert(property.clone())),
            (Self::Try(inner), Some(Trace::Try(part))) => one(inner.contains(part)),
            (Self::When(property, inner), Some(Trace::When(given, part))) => {
                one(property == given && inner.contains(part))
            }
            (
                Self::Type(texts, target),
                Some(Trace::Event(Event { action: Action::Type(text), target: given })),
            ) => one(target == given && texts.contains(text)),
            (Self::Point(action, [left, top, right, bottom]), Some(Trace::Event(event))) => {
                match event.target {
                    Target::Point(x, y) => one(event.action == *action
                        && (*left..=*right).contains(&x)
                        && (*top..=*bottom).contains(&y)),
                    _ => BTreeSet::new(),
                }
            }
            (Self::Sleep(least, most), Some(Trace::Event(Event { action: Action::Sleep(millis), .. }))) => {
                one((least..=most).contains(&millis))
            }
            _ => BTreeSet::new(),
        }
    }

    /// All properties in it.
    pub fn properties(&self) -> Vec<&Property> {
        match self {
            Self::Assert(property) => vec![property],
            Self::Sequence(all) | Self::Choice(all) => all.iter().flat_map(Self::properties).collect(),
            Self::Try(inner) | Self::Repeat(_, inner) => inner.properties(),
            Self::When(property, inner) => std::iter::once(property).chain(inner.properties()).collect(),
            _ => Vec::new(),
        }
    }

    /// All events and properties it is made of, but for those drawn by chance.
    pub fn contents(&self) -> (Vec<&Event>, Vec<&Property>) {
        match self {
            Self::Unit | Self::Type(..) | Self::Point(..) | Self::Sleep(..) => (Vec::new(), Vec::new()),
            Self::Event(event) => (vec![event], Vec::new()),
            Self::Assert(property) => (Vec::new(), vec![property]),
            Self::Try(inner) | Self::Repeat(_, inner) => inner.contents(),
            Self::When(property, inner) => {
                let (events, mut properties) = inner.contents();
                properties.push(property);
                (events, properties)
            }
            Self::Sequence(all) | Self::Choice(all) => {
                let (events, properties): (Vec<_>, Vec<_>) = all.iter().map(Self::contents).unzip();
                (events.concat(), properties.concat())
            }
        }
    }

    /// The only trace of the set, if there is only one.
    pub fn only(&self) -> Option<Trace> {
        Some(match self {
            Self::Unit => Trace::Unit,
            Self::Event(event) => event.clone().into(),
            Self::Assert(property) => Trace::Assert(property.clone()),
            Self::Sequence(all) => Trace::sequence(all.iter().map(Self::only).collect::<Option<Vec<_>>>()?),
            Self::Try(inner) => Trace::Try(Box::new(inner.only()?)),
            Self::When(property, inner) => Trace::When(property.clone(), Box::new(inner.only()?)),
            _ => return None,
        })
    }

    fn strategy(&self) -> BoxedStrategy<Trace> {
        match self {
            Self::Unit => Just(Trace::Unit).boxed(),
            Self::Event(event) => Just(Trace::Event(event.clone())).boxed(),
            Self::Assert(property) => Just(Trace::Assert(property.clone())).boxed(),
            Self::Type(texts, target) => {
                let target = target.clone();
                texts
                    .strategy()
                    .prop_map(move |text| Event::new(Action::Type(text), target.clone()).into())
                    .boxed()
            }
            Self::Point(action, [left, top, right, bottom]) => {
                let action = action.clone();
                let point = (span(*left, *right), span(*top, *bottom));
                point.prop_map(move |(x, y)| Event::new(action.clone(), Target::Point(x, y)).into()).boxed()
            }
            Self::Sleep(least, most) => (*least..=(*most).max(*least))
                .prop_map(|millis| Event::new(Action::Sleep(millis), Target::Focus).into())
                .boxed(),
            Self::Sequence(all) => {
                let all: Vec<BoxedStrategy<Trace>> = all.iter().map(Self::strategy).collect();
                all.prop_map(Trace::sequence).boxed()
            }
            Self::Choice(all) => Union::new(all.iter().map(Self::strategy)).boxed(),
            Self::Try(inner) => inner.strategy().prop_map(|trace| Trace::Try(Box::new(trace))).boxed(),
            Self::When(property, inner) => {
                let property = property.clone();
                inner.strategy().prop_map(move |trace| Trace::When(property.clone(), Box::new(trace))).boxed()
            }
            Self::Repeat(times, inner) => {
                proptest::collection::vec(inner.strategy(), 1..=*times).prop_map(Trace::sequence).boxed()
            }
        }
    }
}

fn span(from: i32, to: i32) -> RangeInclusive<i32> {
    from..=to.max(from)
}

impl Texts {
    fn contains(&self, text: &str) -> bool {
        match self {
            Self::OneOf(texts) => texts.iter().any(|known| known == text),
            Self::UpTo(most) => text.chars().count() <= *most && text.chars().all(is_printable),
        }
    }

    fn strategy(&self) -> BoxedStrategy<String> {
        match self {
            Self::OneOf(texts) => proptest::sample::select(texts.clone()).boxed(),
            // Half of all fields want a number, and most others a word.
            Self::UpTo(most) => {
                let most = *most;
                let printable = proptest::char::any().prop_filter("printable", |c| is_printable(*c));
                let any = proptest::collection::vec(printable, 0..=most).prop_map(String::from_iter);
                let cut = move |text: String| text.chars().take(most).collect::<String>();
                let number =
                    prop_oneof![(0..100_u32).prop_map(|n| n.to_string()), "-?[0-9]{1,6}[.,][0-9]{1,2}"];
                prop_oneof![number.prop_map(cut), "[a-z]{1,8}".prop_map(cut), any].boxed()
            }
        }
    }
}

/// What a keyboard could have typed.
fn is_printable(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{2028}'..='\u{202e}' | '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..='\u{10ffff}')
}

impl Strategy for Generator {
    type Tree = <BoxedStrategy<Trace> as Strategy>::Tree;
    type Value = Trace;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        self.strategy().new_tree(runner)
    }
}

impl From<Event> for Generator {
    fn from(event: Event) -> Self {
        Self::Event(event)
    }
}

/// One after the other (`:>>`).
impl<G: Into<Generator>> Shr<G> for Generator {
    type Output = Self;

    fn shr(self, next: G) -> Self {
        let parts = |generator| match generator {
            Self::Sequence(parts) => parts,
            one => vec![one],
        };
        let mut all = parts(self);
        all.extend(parts(next.into()));
        Self::Sequence(all)
    }
}

/// One of the two (`<+>`).
impl<G: Into<Generator>> BitOr<G> for Generator {
    type Output = Self;

    fn bitor(self, other: G) -> Self {
        let parts = |generator| match generator {
            Self::Choice(parts) => parts,
            one => vec![one],
        };
        let mut all = parts(self);
        all.extend(parts(other.into()));
        Self::Choice(all)
    }
}
