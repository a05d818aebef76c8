//! The mutation table of `docs/oracle.md`: seeded faults of the invoice sample, and the weakest level of
//! verification that catches each.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use harness::wait::DEADLINE;
use harness::{Stage, folders, stage};
use serde_json::Value;

const LEVELS: [&str; 3] = ["changed", "relevant", "complete"];
/// How long all replays of one level may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(3600);

fn page() -> PathBuf {
    folders::workspace().join("docs").join("oracle.md")
}

/// The result of a fault at a level: verdict, step, seconds.
type Outcomes = BTreeMap<(String, String), (String, Option<u64>, f64)>;

/// The program without a fault.
const NONE: &str = "none";

/// Replays the tour with each of these faults at its level, `jobs` in parallel.
fn replay(stage: &Stage, cases: &[(&str, &str)], jobs: usize) -> Result<Outcomes> {
    let folder = stage.folder().join("scripts");
    // What was replayed before is not replayed again.
    let _ = fs::remove_dir_all(&folder);
    let suite = folders::workspace().join("tests").join("suite");
    let tour = fs::read_to_string(suite.join("invoice-tour.toml"))?;
    // The rules for what is volatile are those of the suite.
    let rules = tour.find("[[ignore]]").map_or("", |at| &tour[at..]);
    let log = folders::for_windows(&folders::workspace().join("tests/recordings/steps/invoice-tour.dashcam"));
    let sample = folders::for_windows(&folders::sample("invoice"));
    let baseline = folders::for_windows(&suite.join("invoice-tour.baseline.jsonl"));
    for (level, fault) in cases {
        let more = if *fault == NONE { String::new() } else { format!(", '--fault', '{fault}'") };
        let text = format!(
            "log = '{log}'\napp = ['{sample}'{more}]\nverify = '{level}'\nbaseline = '{baseline}'\ntimeout = 600\n{rules}"
        );
        fs::create_dir_all(folder.join(level))?;
        fs::write(folder.join(level).join(format!("{fault}.toml")), text)?;
    }
    let args = ["test", &folders::for_windows(&folder), "--jobs", &jobs.to_string(), "--json"];
    let done = stage.start_dashcam(&args)?;
    done.wait(PATIENCE)?;
    let said = done.stdout()?;
    let mut outcomes = Outcomes::new();
    for line in said.lines() {
        let line: Value = serde_json::from_str(line)?;
        let Some((level, fault)) = line["name"].as_str().and_then(|name| name.split_once('/')) else {
            continue;
        };
        let attempt = &line["attempts"][0];
        let verdict = attempt["verdict"].as_str().unwrap_or_default().to_owned();
        let seconds = attempt["seconds"].as_f64().unwrap_or_default();
        outcomes.insert((level.into(), fault.into()), (verdict, attempt["step"].as_u64(), seconds));
    }
    ensure!(outcomes.len() == cases.len(), "{}{said}", done.stderr()?);
    Ok(outcomes)
}

/// Whether nothing was found to differ. At the lower levels the tour has a step that nothing verifies.
fn is_pass(verdict: &str) -> bool {
    ["passed", "unverified"].contains(&verdict)
}

/// A verdict in the words of the table.
fn told(verdict: &str, step: Option<u64>) -> String {
    let at = step.map_or_else(String::new, |step| format!(" at step {step}"));
    format!("{}{at}", verdict.replace('_', " "))
}

/// Puts a table into the page, between two marks that it has for it.
fn write_table(name: &str, table: &str) -> Result<()> {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- the end of {name} -->\n"));
    let text = fs::read_to_string(page())?;
    let (before, rest) = text.split_once(&begin).context("the page has no place for the table")?;
    let (_, after) = rest.split_once(&end).context("the page has no end of the table")?;
    fs::write(page(), format!("{before}{begin}{table}{end}{after}"))?;
    Ok(())
}

/// The shortest of several replays without a fault, because other load only adds time. The levels alternate,
/// so that all have the same chance of a quiet moment.
#[test]
#[ignore = "writes a table of docs/oracle.md; takes minutes"]
fn make_cost_table() {
    const ROUNDS: usize = 10;
    stage(|stage| {
        let mut least = [f64::INFINITY; LEVELS.len()];
        for _ in 0..ROUNDS {
            for (level, least) in LEVELS.iter().zip(&mut least) {
                let free = replay(stage, &[(level, NONE)], 1)?;
                let (verdict, _, seconds) = free.values().next().context("nothing was replayed")?;
                ensure!(is_pass(verdict), "without a fault at {level}: {free:?}");
                *least = least.min(*seconds);
            }
        }
        let mut table = String::from("| level | the replay without a fault |\n|---|---|\n");
        for (level, seconds) in LEVELS.iter().zip(least) {
            writeln!(table, "| `{level}` | {seconds:.1} s |")?;
        }
        write_table("the costs: written by make_cost_table", &table)
    });
}

/// A level includes those below it, so a fault that one level catches is not replayed at the next.
#[test]
#[ignore = "writes a table of docs/oracle.md; takes minutes"]
fn make_mutation_table() {
    stage(|stage| {
        let listed = stage.start(&folders::sample("invoice").display().to_string(), &["--list-faults"])?;
        ensure!(listed.wait(DEADLINE)? == 0, "{}", listed.stderr()?);
        let said = listed.stdout()?;
        let faults: Vec<(&str, &str)> = said.lines().filter_map(|line| line.split_once(": ")).collect();
        ensure!(faults.len() >= 20, "{said}");
        let mut caught = BTreeMap::new();
        for level in LEVELS {
            let names = faults.iter().map(|(name, _)| *name);
            let left: Vec<(&str, &str)> =
                names.filter(|name| !caught.contains_key(*name)).map(|name| (level, name)).collect();
            for ((_, name), (verdict, step, _)) in replay(stage, &left, 2)? {
                if !is_pass(&verdict) {
                    caught.insert(name, (level, told(&verdict, step)));
                }
            }
        }
        let mut table = String::from("| fault | what it does | caught by | how |\n|---|---|---|---|\n");
        for (name, what) in &faults {
            let (level, how) = match caught.get(*name) {
                Some((level, how)) => (format!("`{level}`"), how.as_str()),
                None => ("—".into(), "passed"),
            };
            writeln!(table, "| `{name}` | {what} | {level} | {how} |")?;
        }
        writeln!(table, "\n| level | faults caught, of {} |\n|---|---|", faults.len())?;
        for (place, level) in LEVELS.iter().enumerate() {
            let count = caught.values().filter(|(by, _)| LEVELS[..=place].contains(by)).count();
            writeln!(table, "| `{level}` | {count} |")?;
        }
        write_table("the table: written by make_mutation_table", &table)
    });
}

/// The table is correct: for each level, the first fault that only it catches has the documented verdict and
/// step, and the level below passes.
#[test]
fn each_level_catches_what_the_table_says() {
    let text = fs::read_to_string(page()).expect("docs/oracle.md is there");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect())
        .filter(|cells: &Vec<&str>| cells.len() == 4)
        .collect();
    assert!(rows.iter().filter(|row| row[2] != "—").count() >= 20, "twenty faults are caught");
    let mut expected: Vec<((&str, &str), &str)> = Vec::new();
    let mut below = None;
    for level in LEVELS {
        let row = rows.iter().find(|row| row[2] == level).expect("each level catches something");
        expected.extend(below.map(|below| ((below, row[0]), "not caught")));
        expected.push(((level, row[0]), row[3]));
        below = Some(level);
    }
    stage(|stage| {
        let cases: Vec<_> = expected.iter().map(|(case, _)| *case).collect();
        // A divergence is waited for, so they are all done at the same time.
        let outcomes = replay(stage, &cases, cases.len())?;
        for ((level, fault), should) in &expected {
            let (verdict, step, _) = &outcomes[&((*level).to_owned(), (*fault).to_owned())];
            let is = if is_pass(verdict) { "not caught".into() } else { told(verdict, *step) };
            ensure!(is == *should, "{fault} at {level}: {is}, not {should}");
        }
        Ok(())
    });
}
