//! `dashcam baseline`: captures the complete state after each step, twice, and takes for volatile what
//! differs between the two.

use super::{find, run};
use crate::baseline_file;
use crate::output::{counted, say};
use crate::script::{Expect, Script};
use crate::text_file;
use anyhow::{Context, bail, ensure};
use replay_engine::LiveWindows;
use replay_engine::oracle::{Baseline, Difference, Rule, Rules, compare};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

/// What `dashcam baseline` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Scripts, and folders of scripts: each gets its baseline beside it, and rules for what is volatile.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Replay so many times; what differs between any two of them is volatile.
    #[arg(long, value_name = "N", default_value_t = 2)]
    runs: usize,
    /// Only say what is volatile, and write nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn command(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    ensure!(arguments.runs > 0, "--runs needs a number from 1");
    ensure!(cfg!(windows), "capturing needs Windows: use dashcam.exe there, or with Wine");
    for script in find::find(&arguments.paths)? {
        let mut captured = Vec::new();
        for run in 0..arguments.runs {
            let (baseline, unverified) = capture(&script)?;
            if run == 0 && !script.allows_unverified() {
                unverified.iter().for_each(|step| eprintln!("warning: {}: unverified {step}", script.name));
            }
            captured.push(baseline);
        }
        let rules = volatile(&captured, &script.rules());
        let steps = captured[0].states.len();
        say(&format!("{}: {steps} states, {}", script.name, told(rules.len())))?;
        for rule in &rules {
            say(&format!("  {} is volatile: {}", rule.property, rule.window))?;
        }
        if !arguments.dry_run {
            baseline_file::write(&captured[0], &script.baseline())?;
            ignore(&script, &rules)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn told(rules: usize) -> String {
    if rules == 0 { "nothing volatile".into() } else { counted(rules, "new rule") }
}

/// Replays a script and keeps every state, and says which steps are unverified. The replay must end in its
/// expected verdict: a baseline of something else is none.
pub(crate) fn capture(script: &Script) -> anyhow::Result<(Baseline, Vec<String>)> {
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let path = folder.path().join("captured.jsonl");
    let attempt = run::capture(script, &path);
    if !attempt.is(script.expect(), script.expect_step()) {
        let why = attempt.why.join("\n");
        bail!(
            "{}: {}, not {}: no baseline\n{why}",
            script.path.display(),
            attempt.describe(),
            script.expect().name()
        );
    }
    let unverified = if attempt.verdict == Expect::Unverified.name() { attempt.why } else { Vec::new() };
    Ok((baseline_file::read(&path)?, unverified))
}

/// Rules for what differs between captures of the same application.
pub(crate) fn volatile(captured: &[Baseline], known: &Rules) -> Vec<Rule> {
    let mut rules = BTreeSet::new();
    for other in captured.iter().skip(1) {
        for (_, found) in differences(&captured[0], other, known) {
            rules.extend(found.iter().map(Difference::rule));
        }
    }
    widened(&rules)
}

/// The same window under several titles is one rule without them: a title that changes on the way may have a
/// third one later.
fn widened(rules: &BTreeSet<Rule>) -> Vec<Rule> {
    let untitled = |rule: &Rule| Rule { window: rule.window.without_title(), ..rule.clone() };
    let is_alone = |wide: &Rule| rules.iter().filter(|rule| untitled(rule) == *wide).count() == 1;
    let narrow = rules.iter().filter(|rule| is_alone(&untitled(rule))).cloned();
    let wide = rules.iter().map(untitled).filter(|wide| !is_alone(wide));
    narrow.chain(wide).collect::<BTreeSet<_>>().into_iter().collect()
}

/// How two captures differ, step by step.
pub(crate) fn differences(
    expected: &Baseline,
    actual: &Baseline,
    rules: &Rules,
) -> Vec<(usize, Vec<Difference>)> {
    let mut matcher = LiveWindows::default();
    let both =
        expected.states.iter().filter_map(|(step, state)| Some((step, state, actual.states.get(step)?)));
    both.map(|(step, state, other)| (*step, compare(state, other, &mut matcher, rules)))
        .filter(|(_, found)| !found.is_empty())
        .collect()
}

/// Writes rules into a script; the rest of it stays as it is.
fn ignore(script: &Script, rules: &[Rule]) -> anyhow::Result<()> {
    if rules.is_empty() {
        return Ok(());
    }
    edit(script, |text| {
        let tables = text.entry("ignore").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        let tables =
            tables.as_array_of_tables_mut().context("`ignore` is written in another way than [[ignore]]")?;
        for rule in rules {
            let mut table = Table::new();
            table.insert("window", value(rule.window.to_string()));
            table.insert("property", value(rule.property.as_str()));
            tables.push(table);
        }
        Ok(())
    })
}

/// Changes a script in place.
pub(crate) fn edit(
    script: &Script,
    change: impl FnOnce(&mut DocumentMut) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let path = &script.path;
    let text = text_file::read(path)?;
    let mut document: DocumentMut = text.parse()?;
    change(&mut document)?;
    super::test::write(path, &document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use replay_engine::oracle::{State, WindowState};

    fn window(number: u64, parent: u64, class: &str, text: &str) -> WindowState {
        let properties = [("class", class), ("text", text), ("visible", "true"), ("enabled", "true")];
        let properties = properties.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        WindowState { window: number, parent, properties, ..WindowState::default() }
    }

    fn with_id(mut state: WindowState, id: &str) -> WindowState {
        state.properties.insert("id".into(), id.into());
        state
    }

    fn run(clock: &str, total: &str) -> Baseline {
        let windows = vec![
            window(1, 0, "Frame", clock),
            with_id(window(2, 1, "Static", total), "5"),
            with_id(window(3, 1, "Static", clock), "6"),
        ];
        Baseline { states: [(1, State { windows })].into() }
    }

    #[test]
    fn what_differs_between_two_replays_is_volatile() {
        let rules = volatile(&[run("12:00", "7"), run("12:01", "7")], &Rules::default());
        let told: Vec<String> =
            rules.iter().map(|rule| format!("{} {}", rule.window, rule.property)).collect();
        assert_eq!(told, ["Frame text", "Frame > Static id 6 text"]);
        let rules = Rules(rules);
        assert_eq!(volatile(&[run("12:00", "7"), run("12:02", "7")], &rules), [], "they are enough");
        assert_eq!(differences(&run("12:00", "7"), &run("12:02", "8"), &rules).len(), 1, "and not too much");
    }

    #[test]
    fn a_title_that_changes_on_the_way_is_no_part_of_a_rule() {
        let state = |title: &str, clock: &str| State {
            windows: vec![window(1, 0, "Frame", title), with_id(window(2, 1, "Static", clock), "6")],
        };
        let run = |clock: &str| Baseline {
            states: [(1, state("App", clock)), (2, state("App - done", clock)), (3, state("App", clock))]
                .into(),
        };
        let told = |captured: &[Baseline]| -> Vec<String> {
            volatile(captured, &Rules::default()).iter().map(|rule| rule.window.to_string()).collect()
        };
        assert_eq!(told(&[run("12:00"), run("12:01")]), ["Frame > Static id 6"]);
        let still = |clock: &str| Baseline { states: [(1, state("App", clock))].into() };
        assert_eq!(told(&[still("12:00"), still("12:01")]), ["Frame \"App\" > Static id 6"]);
    }

    #[test]
    fn rules_are_written_beside_what_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.toml");
        let text =
            "# mine\nlog = \"l\"\napp = [\"x\"] # here\n\n[[ignore]]\nwindow = \"A\"\nproperty = \"text\"\n";
        std::fs::write(&path, text).unwrap();
        let script = Script::read(&path, "s".into()).unwrap();
        let rule = Rule { window: "Frame \"a\" > Edit id 2".parse().unwrap(), property: "rect".into() };
        ignore(&script, std::slice::from_ref(&rule)).unwrap();
        let now = std::fs::read_to_string(&path).unwrap();
        assert!(now.starts_with(text), "{now}");
        assert_eq!(Script::read(&path, "s".into()).unwrap().rules().0[1], rule);
    }
}
