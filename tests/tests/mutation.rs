//! The mutation table of `docs/oracle.md`: seeded faults of the invoice sample, and the weakest level of verification that catches each.

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
const BEGIN: &str = "<!-- the table: written by make_mutation_table -->\n";
const END: &str = "<!-- the end of the table -->\n";

/// How long all replays of one level may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(3600);

fn page() -> PathBuf {
    folders::workspace().join("docs").join("oracle.md")
}

/// What became of a script: verdict, step, seconds.
type Outcomes = BTreeMap<String, (String, Option<u64>, f64)>;

/// Replays the tour with each of these faults at one level, two at a time; the empty fault is none.
fn replay(stage: &Stage, level: &str, faults: &[String]) -> Result<Outcomes> {
    let folder = stage.folder().join(level);
    // What was replayed before is not replayed again.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let suite = folders::workspace().join("tests").join("suite");
    let tour = fs::read_to_string(suite.join("invoice-tour.toml"))?;
    // The rules for what is volatile are those of the suite.
    let rules = tour.find("[[ignore]]").map_or("", |at| &tour[at..]);
    let log = folders::for_windows(&folders::workspace().join("tests/recordings/steps/invoice-tour.dashcam"));
    let sample = folders::for_windows(&folders::sample("invoice"));
    let baseline = folders::for_windows(&suite.join("invoice-tour.baseline.jsonl"));
    for fault in faults {
        let more = if fault.is_empty() { String::new() } else { format!(", '--fault', '{fault}'") };
        let text = format!(
            "log = '{log}'\napp = ['{sample}'{more}]\nverify = '{level}'\nbaseline = '{baseline}'\ntimeout = 600\n{rules}"
        );
        let name = if fault.is_empty() { "none" } else { fault };
        fs::write(folder.join(format!("{name}.toml")), text)?;
    }
    let dashcam = folders::dashcam().join("x64").join("dashcam.exe").display().to_string();
    let args = ["test", &folders::for_windows(&folder), "--jobs", "2", "--json"];
    let done = stage.start(&dashcam, &args)?;
    done.wait(PATIENCE)?;
    let said = done.stdout()?;
    let mut outcomes = Outcomes::new();
    for line in said.lines() {
        let line: Value = serde_json::from_str(line)?;
        let Some(name) = line["name"].as_str() else { continue };
        let attempt = &line["attempts"][0];
        let verdict = attempt["verdict"].as_str().unwrap_or_default().to_owned();
        let seconds = attempt["seconds"].as_f64().unwrap_or_default();
        outcomes.insert(name.to_owned(), (verdict, attempt["step"].as_u64(), seconds));
    }
    ensure!(outcomes.len() == faults.len(), "{}{said}", done.stderr()?);
    Ok(outcomes)
}

/// A level includes those below it, so what one catches the next need not be asked about.
#[test]
#[ignore = "writes the table of docs/oracle.md; takes minutes"]
fn make_mutation_table() {
    stage("make_mutation_table", |stage| {
        let listed = stage.start(&folders::sample("invoice").display().to_string(), &["--list-faults"])?;
        ensure!(listed.wait(DEADLINE)? == 0, "{}", listed.stderr()?);
        let said = listed.stdout()?;
        let faults: Vec<(&str, &str)> = said.lines().filter_map(|line| line.split_once(": ")).collect();
        ensure!(faults.len() >= 20, "{said}");
        let (mut caught, mut times) = (BTreeMap::new(), Vec::new());
        for level in LEVELS {
            let free = replay(stage, level, &[String::new()])?;
            let (verdict, _, seconds) = &free["none"];
            ensure!(verdict == "passed", "without a fault at {level}: {free:?}");
            times.push(*seconds);
            let left: Vec<String> = faults
                .iter()
                .map(|(name, _)| (*name).to_owned())
                .filter(|name| !caught.contains_key(name))
                .collect();
            for (name, (verdict, step, _)) in replay(stage, level, &left)? {
                if verdict != "passed" {
                    caught.insert(name, (level, verdict, step));
                }
            }
        }
        let mut table = String::from("| fault | what it does | caught by | how |\n|---|---|---|---|\n");
        for (name, what) in &faults {
            let (level, how) = match caught.get(*name) {
                Some((level, verdict, step)) => {
                    let at = step.map_or_else(String::new, |step| format!(" at step {step}"));
                    (format!("`{level}`"), format!("{}{at}", verdict.replace('_', " ")))
                }
                None => ("—".into(), "not shown by this recording".into()),
            };
            writeln!(table, "| `{name}` | {what} | {level} | {how} |")?;
        }
        writeln!(
            table,
            "\n| level | faults caught, of {} | the replay without a fault |\n|---|---|---|",
            faults.len()
        )?;
        for (place, (level, seconds)) in LEVELS.iter().zip(times).enumerate() {
            let count = caught.values().filter(|(by, ..)| LEVELS[..=place].contains(by)).count();
            writeln!(table, "| `{level}` | {count} | {seconds:.1} s |")?;
        }
        let text = fs::read_to_string(page())?;
        let (before, rest) = text.split_once(BEGIN).context("the page has no place for the table")?;
        let (_, after) = rest.split_once(END).context("the page has no end of the table")?;
        fs::write(page(), format!("{before}{BEGIN}{table}{END}{after}"))?;
        Ok(())
    });
}

/// The table holds: for each level the first fault that only it catches, with the verdict and the step that the page tells.
#[test]
#[ignore = "the table is not made yet"]
fn each_level_catches_what_the_table_says() {
    let text = fs::read_to_string(page()).expect("docs/oracle.md is there");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect())
        .filter(|cells: &Vec<&str>| cells.len() == 4)
        .collect();
    assert!(rows.iter().filter(|row| row[2] != "—").count() >= 20, "twenty faults are caught");
    stage("each_level_catches_what_the_table_says", |stage| {
        let mut weaker = None;
        for level in LEVELS {
            let Some(row) = rows.iter().find(|row| row[2] == level) else { continue };
            let fault = row[0].to_owned();
            if let Some(weaker) = weaker.replace(level) {
                let outcome = &replay(stage, weaker, std::slice::from_ref(&fault))?[&fault];
                ensure!(outcome.0 == "passed", "{fault} is caught at {weaker} already: {outcome:?}");
            }
            let (verdict, step, _) = &replay(stage, level, std::slice::from_ref(&fault))?[&fault];
            let at = step.map_or_else(String::new, |step| format!(" at step {step}"));
            ensure!(format!("{verdict}{at}") == row[3], "{fault} at {level}: {verdict}{at}, not {}", row[3]);
        }
        Ok(())
    });
}
