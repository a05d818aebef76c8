//! No module depends on itself through others. Each file is a module; what only tests use does not count.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use anyhow::Result;

use super::sources::{Source, is_in};
use super::uses::{self, ModulePath, Use};

/// Crates that are not clean yet.
const NOT_YET: &[&str] = &["message-log", "replayer", "scenario"];

/// One sentence per circle of modules: the shortest way round, with the place of each use.
pub(super) fn check(sources: &[Source]) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for (root, files) in crates(sources) {
        if !is_in(&root, NOT_YET) {
            let uses = uses::of_crate(&root, &files)?;
            findings
                .extend(circles(&uses).into_iter().map(|circle| format!("{root}: {}", sentence(&circle))));
        }
    }
    Ok(findings)
}

/// The files of each crate by the folder of its `lib.rs` or `main.rs`; integration tests are no crate here.
fn crates(sources: &[Source]) -> BTreeMap<String, Vec<&Source>> {
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    let is_root = |source: &&Source| source.path.ends_with("/lib.rs") || source.path.ends_with("/main.rs");
    let is_tests = |path: &str| path.contains("/tests/");
    let roots: BTreeSet<String> = sources
        .iter()
        .filter(is_root)
        .map(|source| folder(&source.path))
        .filter(|root| !is_tests(root))
        .collect();
    let mut crates: BTreeMap<String, Vec<&Source>> = BTreeMap::new();
    for source in sources {
        // The innermost root: a program below `src/bin` is a crate of its own.
        let root = roots.iter().rfind(|root| is_in(&source.path, &[root.as_str()]));
        if let Some(root) = root.filter(|_| !is_tests(&source.path)) {
            crates.entry(root.clone()).or_default().push(source);
        }
    }
    crates
}

/// For each set of modules that reach each other: the shortest circle in it.
fn circles(uses: &[Use]) -> Vec<Vec<&Use>> {
    let mut circles: Vec<Vec<&Use>> = Vec::new();
    let mut done: BTreeSet<&ModulePath> = BTreeSet::new();
    let modules: BTreeSet<&ModulePath> = uses.iter().map(|found| &found.from).collect();
    for start in modules {
        if done.contains(start) {
            continue;
        }
        if let Some(circle) = shortest_circle(start, uses) {
            // All that reach this module and are reached by it.
            done.extend(
                reached(start, uses).into_iter().filter(|module| reached(module, uses).contains(start)),
            );
            circles.push(circle);
        }
    }
    circles
}

fn reached<'a>(start: &ModulePath, uses: &'a [Use]) -> BTreeSet<&'a ModulePath> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
    while let Some(module) = open.pop() {
        for found in uses.iter().filter(|found| found.from == *module) {
            if seen.insert(&found.to) {
                open.push(&found.to);
            }
        }
    }
    seen
}

/// The shortest way from a module back to itself, breadth first.
fn shortest_circle<'a>(start: &ModulePath, uses: &'a [Use]) -> Option<Vec<&'a Use>> {
    let (mut ways, mut seen) = (VecDeque::from([Vec::<&Use>::new()]), BTreeSet::new());
    while let Some(way) = ways.pop_front() {
        let at = way.last().map_or(start, |last| &last.to);
        if !way.is_empty() && at == start {
            return Some(way);
        }
        for next in uses.iter().filter(|found| found.from == *at) {
            if seen.insert(&next.to) {
                ways.push_back([&way[..], &[next]].concat());
            }
        }
    }
    None
}

fn sentence(circle: &[&Use]) -> String {
    let name = |path: &ModulePath| if path.is_empty() { "the root".to_owned() } else { path.join("::") };
    let step = |found: &&Use| {
        format!("\n    {} uses {}: {} at {}", name(&found.from), name(&found.to), found.written, found.place)
    };
    let modules: Vec<String> = circle.iter().map(|found| name(&found.from)).collect();
    format!("{} form a cycle{}", modules.join(", "), circle.iter().map(step).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::super::sources::planted;
    use super::*;

    #[test]
    fn a_cycle_is_found_with_its_edges() {
        let files = [
            ("a/src/lib.rs", "mod b; mod c; mod d;"),
            ("a/src/b.rs", "use crate::c::C;\npub struct B;"),
            ("a/src/c.rs", "\nuse crate::d;\npub struct C;"),
            ("a/src/d.rs", "fn f() { assert!(crate::b::B.g()) }"),
        ];
        let found = check(&planted(&files)).unwrap();
        assert_eq!(
            found,
            ["a/src: b, c, d form a cycle\
             \n    b uses c: crate::c::C at a/src/b.rs:1\
             \n    c uses d: crate::d at a/src/c.rs:2\
             \n    d uses b: crate::b::B at a/src/d.rs:1"]
        );
    }

    #[test]
    fn one_direction_is_no_cycle() {
        let files = [
            ("a/src/lib.rs", "mod b; mod c; pub use b::B; #[cfg(test)] mod tests { use crate::b::B; }"),
            ("a/src/b.rs", "use crate::c::C; pub struct B;"),
            ("a/src/c.rs", "pub struct C; #[cfg(test)] mod tests { use crate::b::B; }"),
            ("a/tests/all/main.rs", "mod x; use x::Y;"),
            ("a/tests/all/x.rs", "use super::Z;"),
        ];
        assert_eq!(check(&planted(&files)).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn programs_beside_a_library_are_crates_of_their_own() {
        let files = [
            ("a/src/lib.rs", "mod b; use b::B; pub fn f() {}"),
            ("a/src/b.rs", "pub struct B;"),
            ("a/src/bin/p/main.rs", "mod b; fn f() {}"),
            ("a/src/bin/p/b.rs", "use crate::g; use super::f;"),
        ];
        assert_eq!(check(&planted(&files)).unwrap(), Vec::<String>::new());
    }
}
