//! Every control recorded with real pointer and keys, replayed in a fresh instance, and compared: what the
//! parents were told, and the state of every control of the page after each interaction. `docs/coverage.md`
//! is made from these rows.

mod bars;
mod buttons;
mod dialogs;
mod edits;
mod lists;
mod mouse;
mod programs;
mod ranges;
mod row;
mod session;
mod table;
mod views;
mod windows;

use anyhow::{Result, ensure};
use harness::stage;
use row::Chapter;
use serde_json::Value;
use session::{Outcome, Part};

/// Records and replays a chapter; each row's assertion is its own, and all that fail are told.
fn check(chapter: &Chapter) {
    stage(|stage| {
        let outcome = session::run(stage, chapter)?;
        session::keep(stage, chapter.name);
        let wrong = failures(chapter, &outcome);
        ensure!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), steps(&outcome));
        ensure!(is_pass(&outcome.replay), "{}\n{}", verdict(&outcome), steps(&outcome));
        table::check(chapter.name, &table::section(chapter, &outcome.plans))
    });
}

/// Whether every step had its effects. What was done by position is unverified; here the journals verify it.
fn is_pass(replay: &Value) -> bool {
    ["passed", "unverified"].iter().any(|verdict| replay["verdict"] == *verdict)
}

fn verdict(outcome: &Outcome) -> String {
    let fields = ["verdict", "step", "reason", "expected", "actual", "difference"];
    fields.map(|field| outcome.replay[field].to_string()).join(" ")
}

/// The steps with their acts, for the one who looks into a failure.
fn steps(outcome: &Outcome) -> String {
    let steps = outcome.plans.iter().flatten();
    let line = |step: &Value| {
        let acts: Vec<_> =
            step["acts"].as_array().into_iter().flatten().map(|act| act["act"].to_string()).collect();
        format!("  {} {} => {} {}", step["number"], step["text"], acts.join(", "), step["blocked"])
    };
    format!("{}\n{}", steps.map(line).collect::<Vec<_>>().join("\n"), verdict(outcome))
}

fn failures(chapter: &Chapter, outcome: &Outcome) -> Vec<String> {
    let rows = chapter.rows.iter().zip(&outcome.journals);
    rows.filter_map(|(row, (recorded, replayed))| {
        let wrong = compare(row.told, recorded, replayed).err()?;
        Some(format!("✗ {}, {}: {wrong:#}", row.control, row.interaction))
    })
    .collect()
}

fn compare(told: &[&str], recorded: &Part, replayed: &Part) -> Result<()> {
    for (name, part) in [("recorded", recorded), ("replayed", replayed)] {
        let mut lines = part.told.iter();
        for wanted in told {
            ensure!(
                lines.any(|line| line.contains(wanted)),
                "{name}: nobody was told {wanted:?}, but\n    {}",
                part.told.join("\n    ")
            );
        }
    }
    ensure!(!replayed.states.is_empty(), "it was not replayed as far as this");
    for state in &recorded.states {
        ensure!(
            replayed.states.contains(state),
            "recorded {state}\n  but now  {}\n  told then:\n    {}\n  told now:\n    {}",
            replayed.states.iter().find(|line| same_control(line, state)).map_or("nothing", String::as_str),
            recorded.told.join("\n    "),
            replayed.told.join("\n    "),
        );
    }
    Ok(())
}

fn same_control(a: &str, b: &str) -> bool {
    a.split(' ').nth(1) == b.split(' ').nth(1)
}

/// Items go by their text first: in a list of another order it wins, and the report says so; where it is gone
/// the step is blocked.
#[test]
fn coverage_items_in_another_order() {
    stage(|stage| {
        let chapter = &lists::ITEMS;
        let (recorded, log) = session::record(stage, chapter)?;
        ensure!(
            recorded[0].told.iter().any(|line| line.contains(r#"item=2 text="Single 3""#)),
            "{recorded:?}"
        );
        let (replay, replayed) = session::replay(stage, chapter, &log, &["--items", "reversed"])?;
        ensure!(is_pass(&replay), "{replay:#}");
        ensure!(
            replayed[0].told.iter().any(|line| line.contains(r#"item=27 text="Single 3""#)),
            "{replayed:?}"
        );
        let states = &replayed[0].states;
        ensure!(states.iter().any(|state| state.contains("STATE 1302 ListBox selected=8,10,")), "{states:?}");
        let remarks = replay["steps"].to_string();
        ensure!(remarks.contains("was found by its text: it is item 28 now and was item 3"), "{remarks}");
        let (replay, _) = session::replay(stage, chapter, &log, &["--items", "renamed"])?;
        ensure!(replay["verdict"] == "blocked" && replay["step"] == 1, "{replay:#}");
        Ok(())
    });
}

/// The same of a tree, where the text is the whole path.
#[test]
fn coverage_branches_in_another_order() {
    stage(|stage| {
        let chapter = &views::BRANCHES;
        let (_, log) = session::record(stage, chapter)?;
        let (replay, replayed) = session::replay(stage, chapter, &log, &["--items", "reversed"])?;
        ensure!(is_pass(&replay), "{replay:#}");
        compare(chapter.rows[0].told, &replayed[0], &replayed[0])?;
        let states = &replayed[0].states;
        ensure!(states.iter().any(|state| state.contains(" Cat( A kind of it*)")), "{states:?}");
        let remarks = replay["steps"].to_string();
        ensure!(remarks.contains("was found by its text: its place is no longer"), "{remarks}");
        let (replay, _) = session::replay(stage, chapter, &log, &["--items", "renamed"])?;
        ensure!(replay["verdict"] == "blocked" && replay["step"] == 1, "{replay:#}");
        Ok(())
    });
}

macro_rules! chapters {
    ($($(#[$of:meta])* $name:ident $chapter:path;)*) => {
        $(#[test]
        $(#[$of])*
        fn $name() {
            check(&$chapter);
        })*
    };
}

chapters! {
    coverage_buttons buttons::BUTTONS;
    coverage_icons views::ICONS;
    coverage_bars bars::BARS;
    coverage_menus bars::MENUS;
    coverage_canvas mouse::CANVAS;
    coverage_edits edits::EDITS;
    coverage_lists lists::LISTS;
    coverage_combos lists::COMBOS;
    coverage_list_views views::VIEWS;
    coverage_trees views::TREES;
    coverage_ranges ranges::RANGES;
    coverage_dates ranges::DATES;
    coverage_drag mouse::DRAG;
    coverage_dialogs dialogs::DIALOGS;
    coverage_windows windows::WINDOWS;
}
