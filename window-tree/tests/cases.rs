//! Golden cases of matching: each file in `cases/` is a pair of trees and the decision, with all its reasons.
//!
//! A file has four parts, each after a line that ends in a colon: its subject, the recorded tree with a `*`
//! before the target, the live tree, and the decision. `UPDATE_GOLDENS=1` writes the last part anew: read it
//! before you commit it.

mod support;

use std::fs;
use std::path::PathBuf;
use window_tree::{Outcome, Snapshot, Target, locate};

#[test]
fn every_case_is_decided_as_written() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 20, "only {} cases", files.len());
    let update = std::env::var_os("UPDATE_GOLDENS").is_some();
    let mut wrong = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let (head, expected) = text.split_once("decision:\n").unwrap_or_else(|| panic!("{}", file.display()));
        let decision = decide(head);
        let lines: String = decision.lines().map(|line| format!("  {line}\n")).collect();
        if update {
            fs::write(&file, format!("{head}decision:\n{lines}")).unwrap();
        } else if lines != expected {
            wrong.push(format!("{}\nexpected:\n{expected}decided:\n{lines}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn decide(head: &str) -> String {
    let part = |name: &str| {
        let from = head.find(name).unwrap_or_else(|| panic!("no {name} in {head}")) + name.len();
        let rest = &head[from..];
        let end = rest.find("\nlive:").unwrap_or(rest.len());
        rest[..end].trim_matches('\n').to_owned()
    };
    let (recorded, wanted) = support::parse(&part("recorded:\n"), 0x1000);
    let (live, _) = support::parse(&part("live:\n"), 0x2000);
    let target =
        Target::of(&recorded, wanted.expect("a window with a *")).expect("a window that can be looked for");
    let decision = locate(&target, &Snapshot::of(&live));
    // The subject line must state the kind of decision, so that an update cannot reverse it by accident.
    let word = match decision.outcome {
        Outcome::Match(_) => "match",
        Outcome::Ambiguous { .. } => "ambiguous",
        Outcome::Absent { .. } => "absent",
    };
    let about = head.lines().next().unwrap_or_default();
    assert!(about.contains(word), "decided {word}, but the case says: {about}\n{decision}");
    decision.to_string()
}
