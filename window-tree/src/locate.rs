//! Finds a recorded window among live ones: the paper's table along the ancestry, with rules for what the
//! table leaves open.
//!
//! On each level, the windows with the best score are the *rivals*. They are compared with the rivals in the
//! recording, which are the siblings that were already similar then. If there are as many, the order of
//! creation decides; if there are fewer, the window itself may be missing; if there are more, there is no
//! answer. `docs/matching.md` explains every rule with its reason. An unbroken tie or a missing window is an
//! answer; a neighbour never is.

use crate::decision::{Candidate, Decision, Match, Outcome, Step};
use crate::score::{BY_NAME, DOUBTFUL, Score, compare};
use crate::sketch::Sketch;
use crate::snapshot::{Siblings, Snapshot};
use crate::target::{Level, Target, are_alike, has_telling_contents};
use std::cmp::Ordering;
use std::collections::HashSet;
use win32_vocabulary::class_name::is_shared;

/// The most candidates that a decision lists.
const LISTED: usize = 20;
/// The most equal windows of a higher level whose contents are searched.
const LOOKED_INTO: usize = 16;
/// The most siblings on each side that are checked for equal ids.
const ASKED: usize = 32;

/// Finds a recorded window among live ones.
pub fn locate(target: &Target, live: &Snapshot<'_>) -> Decision {
    let owner = target.owner.as_ref().and_then(|owner| locate(owner, live).found()).map(|found| found.hwnd);
    let mut steps = Vec::new();
    let outcome = descend(&target.levels, 0, owner, live, &mut steps);
    Decision { outcome, steps }
}

fn descend(
    levels: &[Level],
    parent: u64,
    owner: Option<u64>,
    live: &Snapshot<'_>,
    steps: &mut Vec<Step>,
) -> Outcome {
    let Some((level, below)) = levels.split_first() else {
        return Outcome::Absent { reason: "nothing is looked for".into() };
    };
    let (choice, step) = choose(level, parent, owner, live);
    steps.push(step);
    match choice {
        Choice::Missing(reason) => Outcome::Absent { reason },
        Choice::Unclear(candidates) => Outcome::Ambiguous { candidates },
        Choice::One(found) if below.is_empty() => Outcome::Match(found),
        Choice::One(found) => {
            weaken(descend(below, found.hwnd, None, live, steps), found.weakest, found.by_order)
        }
        Choice::Several(candidates, _) if below.is_empty() => Outcome::Ambiguous { candidates },
        Choice::Several(candidates, points) => {
            weaken(look_into(&candidates, below, live, steps), points, false)
        }
    }
}

/// Equal windows may have different contents: perhaps only one of them contains the target.
fn look_into(candidates: &[u64], below: &[Level], live: &Snapshot<'_>, steps: &mut Vec<Step>) -> Outcome {
    let mut found = Vec::new();
    for &candidate in candidates.iter().take(LOOKED_INTO) {
        let mut inside = Vec::new();
        match descend(below, candidate, None, live, &mut inside) {
            Outcome::Match(it) if it.score >= DOUBTFUL => found.push((it, inside)),
            // Windows that cannot be distinguished by their contents cannot be distinguished at all.
            Outcome::Ambiguous { candidates } => return Outcome::Ambiguous { candidates },
            _ => {}
        }
    }
    match (found.len(), candidates.len() <= LOOKED_INTO) {
        (0, _) => Outcome::Absent { reason: "none of the equal windows above has it".into() },
        (1, true) => {
            let (it, inside) = found.swap_remove(0);
            steps.extend(inside);
            Outcome::Match(it)
        }
        _ => Outcome::Ambiguous { candidates: found.into_iter().map(|(it, _)| it.hwnd).collect() },
    }
}

/// The match with what was found out about a window above it.
fn weaken(outcome: Outcome, points: u8, by_order: bool) -> Outcome {
    match outcome {
        Outcome::Match(it) => {
            Outcome::Match(Match { weakest: it.weakest.min(points), by_order: it.by_order || by_order, ..it })
        }
        other => other,
    }
}

enum Choice {
    One(Match),
    /// Equal windows, with their points.
    Several(Vec<u64>, u8),
    /// What identifies them is contradictory, and their contents would not help.
    Unclear(Vec<u64>),
    Missing(String),
}

fn choose(level: &Level, parent: u64, owner: Option<u64>, live: &Snapshot<'_>) -> (Choice, Step) {
    let siblings = &*live.children(parent);
    let wanted = &level.sketch;
    let ids_kept = ids_kept(level, siblings);
    let with_ids = ids_kept != Ordering::Less;
    // A name that controls of other classes also have identifies nothing without the class: some toolkits
    // give one name to all of them.
    let has_name = |it: &Sketch| it.name == wanted.name && it.class != wanted.class;
    let is_shared_name = parent != 0 && level.siblings.iter().any(has_name);
    let rate = |it: &Sketch| match compare(wanted, it, with_ids) {
        score if score.points == BY_NAME && is_shared_name => Score::default(),
        score => score,
    };
    let mut scored = candidates(wanted, siblings, with_ids, rate);
    // A window with another owner is another window, even if it looks the same.
    let is_owned = |it: &Sketch, by: u64| it.owner == by || it.owner == 0;
    scored.retain(|&(i, _)| owner.is_none_or(|owner| is_owned(&siblings.windows[i], owner)));
    let is_meant = |it: &Sketch| owner.is_none() || is_owned(it, wanted.owner);
    let step = |because: String| step(wanted, &scored, siblings, because);
    let missing = |reason: &str| (Choice::Missing(reason.into()), step(reason.into()));

    let Some(best) = scored.iter().map(|(_, score)| *score).max() else {
        return missing("nothing like it is there");
    };
    let is_doubtful = best.points < DOUBTFUL;
    if is_doubtful && with_ids && wanted.id.is_some() && neighbours_have_their_ids(level, siblings) {
        return missing("its id is gone, while those of its neighbours are there");
    }
    // With an equal class or name alone, only a window of the same kind qualifies: with or without an id as
    // before, and with the same contents. If no child has these, the ids inside have been renumbered, and
    // order and number must decide.
    let is_kind = |it: &Sketch| it.id.is_some() == wanted.id.is_some();
    let is_alike = |it: &Sketch| are_alike(&level.contents, |wanted| live.children(it.hwnd).has(wanted));
    let mut rivals: Vec<&Sketch> = scored
        .iter()
        .filter(|(_, score)| *score == best)
        .map(|(i, _)| &siblings.windows[*i])
        .filter(|it| !is_doubtful || is_kind(it))
        .collect();
    // From 4 points up the ids are equal, which is cheap to see.
    let can_be = |it: &Sketch| best.points < 4 || it.id == wanted.id;
    let mut recorded: Vec<usize> = (0..level.siblings.len())
        .filter(|&i| can_be(&level.siblings[i]))
        .filter(|&i| rate(&level.siblings[i]) >= best && is_meant(&level.siblings[i]))
        .filter(|&i| !is_doubtful || is_kind(&level.siblings[i]))
        .collect();
    if is_doubtful && (parent == 0 || rivals.iter().any(|it| is_alike(it))) {
        rivals.retain(|it| is_alike(it));
        recorded.retain(|&i| level.alike[i]);
    }
    if rivals.is_empty() {
        return missing("windows of its class are there, but with other contents");
    }
    // Hidden windows that a toolkit creates on demand (Tk) may exist or not: then the visible ones decide, if
    // there are as many.
    if wanted.is_shown && rivals.len() != recorded.len() {
        let then = recorded.iter().filter(|&&i| level.siblings[i].is_shown).count();
        if then == rivals.iter().filter(|it| it.is_shown).count() {
            rivals.retain(|it| it.is_shown);
            recorded.retain(|&i| level.siblings[i].is_shown);
        }
    }
    let points = best.points;
    if rivals.len() > recorded.len() {
        let reason = format!("alike now {}, recorded {}: which is it?", rivals.len(), recorded.len());
        return match is_doubtful {
            true => missing(&reason),
            false => (Choice::Several(rivals.iter().map(|it| it.hwnd).collect(), points), step(reason)),
        };
    }
    if rivals.len() < recorded.len() {
        return missing(&format!(
            "alike now {}, recorded {}: it may be the missing one",
            rivals.len(),
            recorded.len()
        ));
    }
    let place = recorded.iter().position(|&i| i == level.place).unwrap_or(0);
    if let (4, Ordering::Equal, [found]) = (points, ids_kept, &rivals[..])
        && let Some(other) = order_contradicts(level, siblings, found)
    {
        let reason = "its id says one, its place another, and ids around have changed";
        return (Choice::Unclear(vec![found.hwnd, other]), step(reason.into()));
    }
    let because = match rivals.len() {
        1 => format!("score {points}"),
        n => format!("score {points}, number {} of {n} alike", place + 1),
    };
    let next =
        scored.iter().filter(|(_, score)| *score != best).map(|(_, score)| score.points).max().unwrap_or(0);
    let margin = if rivals.len() > 1 { 0 } else { points - next };
    // A window without alternatives is certain, whatever its name is now.
    let is_only = is_doubtful
        && rivals.len() == 1
        && best.same_class
        && wanted.id.is_none()
        && (has_telling_contents(level) && is_alike(rivals[0])
            || only_numbers_differ(&wanted.name, &rivals[0].name)
            || scored.len() == 1 && says_all_by_class(level, rivals[0], parent));
    let weakest = if is_only { points.max(DOUBTFUL) } else { points };
    let by_order = rivals.len() > 1;
    let found = Match { hwnd: rivals[place].hwnd, score: points, margin, weakest, by_order };
    (Choice::One(found), step(because))
}

/// Whether the only window of a class must be the right one: a top-level window of the program's own class,
/// or a child without any name.
fn says_all_by_class(level: &Level, found: &Sketch, parent: u64) -> bool {
    match parent {
        0 => !is_shared(&level.sketch.class),
        _ => level.sketch.name.is_empty() && found.name.is_empty(),
    }
}

/// Whether two names differ in digits only, such as a time or a count in a title.
fn only_numbers_differ(a: &str, b: &str) -> bool {
    let words = |text: &str| text.chars().filter(|c| !c.is_numeric()).collect::<String>();
    a.chars().any(char::is_alphabetic) && words(a) == words(b)
}

/// Every window with a score, in the order of creation. Windows with an equal class only are left out, but
/// for one, if others are better: there may be thousands, and they change nothing.
fn candidates(
    wanted: &Sketch,
    siblings: &Siblings,
    with_ids: bool,
    rate: impl Fn(&Sketch) -> Score,
) -> Vec<(usize, Score)> {
    let id = wanted.id.as_ref().filter(|_| with_ids);
    let mut places = [siblings.with_id(id), siblings.with_name(&wanted.name)].concat();
    places.sort_unstable();
    places.dedup();
    let score = |i: &usize| (*i, rate(&siblings.windows[*i]));
    let mut scored: Vec<_> = places.iter().map(score).filter(|(_, score)| score.points > 0).collect();
    let others =
        siblings.with_class(&wanted.class).iter().filter(|&place| places.binary_search(place).is_err());
    let is_decided = scored.iter().any(|(_, score)| score.points > 1);
    scored.extend(others.take(if is_decided { LISTED } else { usize::MAX }).map(score));
    scored.sort_by_key(|(i, _)| *i);
    scored
}

/// Whether ids still have the same meaning. Looks at neighbours that name and class identify, and returns
/// whether more of them have kept their ids than have another one now, fewer, or as many. Windows' own ids
/// (IDOK and so on) never change and prove nothing.
fn ids_kept(level: &Level, siblings: &Siblings) -> Ordering {
    let near = neighbours(level);
    let (mut kept, mut moved) = (0, 0);
    for it in near.iter().filter(|it| it.id.is_some() && !it.has_standard_id()) {
        let is_same = |other: &&Sketch| other.name == it.name && other.class == it.class;
        let places =
            if it.name.is_empty() { siblings.with_class(&it.class) } else { siblings.with_name(&it.name) };
        // With so many windows of its class, it is not the only one.
        let few = places.iter().take(ASKED).map(|&i| &siblings.windows[i]);
        let found: Vec<&Sketch> = few.filter(is_same).collect();
        if let ([found], 1, true) = (&found[..], near.iter().filter(is_same).count(), places.len() < ASKED) {
            kept += usize::from(found.id == it.id);
            moved += usize::from(found.id.is_some() && found.id != it.id);
        }
    }
    kept.cmp(&moved)
}

/// If only the id supports a window, and the order among its kind supports another: the handle of that other
/// window, if ids around it have changed too. Then ids may have been shifted or windows replaced, and there
/// is no answer.
fn order_contradicts(level: &Level, siblings: &Siblings, found: &Sketch) -> Option<u64> {
    let is_kind = |it: &&Sketch| it.class == level.sketch.class && it.id.is_some();
    let recorded: Vec<&Sketch> = level.siblings.iter().filter(is_kind).collect();
    let now: Vec<&Sketch> = siblings.windows.iter().filter(is_kind).collect();
    let place = recorded.iter().position(|it| it.hwnd == level.sketch.hwnd)?;
    let by_order = now.get(place).filter(|it| it.hwnd != found.hwnd)?;
    if recorded.len() != now.len() {
        return None;
    }
    let ids = |windows: &[&Sketch]| windows.iter().map(|it| it.id.clone()).collect::<HashSet<_>>();
    (ids(&recorded) != ids(&now)).then_some(by_order.hwnd)
}

/// Whether a neighbour with this id exists: then ids have not been renumbered.
fn neighbours_have_their_ids(level: &Level, siblings: &Siblings) -> bool {
    let others = neighbours(level).iter().filter(|it| it.hwnd != level.sketch.hwnd && !it.has_standard_id());
    others.into_iter().any(|it| siblings.has(it))
}

fn neighbours(level: &Level) -> &[Sketch] {
    let end = level.siblings.len().min(level.place + ASKED + 1);
    &level.siblings[level.place.saturating_sub(ASKED)..end]
}

fn step(wanted: &Sketch, scored: &[(usize, Score)], siblings: &Siblings, because: String) -> Step {
    let mut best: Vec<_> = scored.iter().collect();
    best.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
    let candidate = |&&(i, score): &&(usize, Score)| Candidate {
        sketch: siblings.windows[i].clone(),
        score: score.points,
    };
    let candidates = best.iter().take(LISTED).map(candidate).collect();
    Step { wanted: wanted.clone(), candidates, total: scored.len(), because }
}
